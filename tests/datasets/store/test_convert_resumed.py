"""A conversion that was killed continues, and never from work that is not its own."""

import json

import pytest

import datasets
from datasets.store.convert import convert
from datasets.store.job import Job
from tests.datasets.store.test_stored_graph import assert_same
from tests.datasets.store.towns import assert_converts


class Kill(BaseException):
    """Ends a conversion at once, as a kill would."""


@pytest.mark.parametrize("directed", [False, True])
def test_a_conversion_continues_after_a_kill_at_any_point(
    town, tmp_path, streamed, monkeypatch, directed
):
    direct = datasets.load(town, directed=directed, make_split=False)
    save, saves = Job.save, []

    def killing(self, **done):
        saves.append(next(iter(done)))
        save(self, **done)
        if len(saves) % 3 == 0:
            raise Kill

    monkeypatch.setattr(Job, "save", killing)
    for _ in range(100):
        try:
            convert(town, tmp_path / "town.store", directed=directed)
        except Kill:
            continue
        break
    stored = datasets.load(tmp_path / "town.store", directed=directed, make_split=False)
    assert_same(direct, stored)
    assert {"nodes", "features", "edges", "rows"} <= set(saves)
    monkeypatch.setattr(Job, "save", save)
    once = []
    monkeypatch.setattr(Job, "save", lambda self, **done: (once.append(1), save(self, **done)))
    convert(town, tmp_path / "again.store", directed=directed)
    assert len(saves) == len(once)  # nothing was done twice
    for path in (tmp_path / "again.store").iterdir():
        assert path.read_bytes() == (tmp_path / "town.store" / path.name).read_bytes()


@pytest.mark.parametrize("change", ["input", "bucket", "features", "progress"])
def test_changed_input_or_damaged_work_starts_anew(town, tmp_path, streamed, monkeypatch, change):
    save = Job.save

    def killing(self, **done):
        save(self, **done)
        if done.get("rows") == 2:
            raise Kill

    monkeypatch.setattr(Job, "save", killing)
    with pytest.raises(Kill):
        convert(town, tmp_path / "town.store")
    monkeypatch.setattr(Job, "save", save)
    partial = tmp_path / "town.store.partial"
    if change == "input":
        with open(town / "edges.csv", "a") as file:
            file.write("1,2,0.5\n")
    elif change == "progress":
        (partial / "progress.json").write_text("{")
    else:
        path = next((partial / "edges").iterdir())
        path = partial / "store" / "features_data.npy" if change == "features" else path
        path = path if path.is_file() else partial / "store" / "features.npy"
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(content)
    assert_converts(town, tmp_path / "town.store")


def test_the_progress_file_is_json_that_names_the_stage(town, tmp_path, streamed, monkeypatch):
    save = Job.save

    def killing(self, **done):
        save(self, **done)
        raise Kill

    monkeypatch.setattr(Job, "save", killing)
    with pytest.raises(Kill):
        convert(town, tmp_path / "town.store")
    content = json.loads((tmp_path / "town.store.partial" / "progress.json").read_text())
    assert content["done"]["nodes"]["position"] > 0
