"""Tests power cuts: everything that was reported as done is complete, and work can continue.

A power cut is simulated after every write, fsync, rename, unlink and mkdir, with three ways in
which a disk may lose unsynced data (see `simulated_disk`).
"""

import itertools
import json

import numpy as np
import pytest
from simulated_disk import WAYS, SimulatedDisk
from small_settings import SETTINGS

from datasets import atomic
from mixhop_tf import Checkpoint, folders
from mixhop_tf.training.checkpoint import State
from trainers.runs import files, run_folder
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig

CONFIG = RunConfig(data=DataConfig(dataset="d"), digest="d", architecture={}, settings=SETTINGS)
OTHER = RunConfig(data=DataConfig(dataset="e"), digest="e", architecture={}, settings=SETTINGS)


def record(seed, config=CONFIG):
    numbers = dict.fromkeys(("val_accuracy", "val_loss", "test_accuracy", "seconds"), seed / 7)
    head = {"key": config.key(), "seed": seed, "status": records.DONE, **numbers}
    return {**head, "config": json.loads(json.dumps(config.to_dict()))}


@pytest.fixture
def disk(tmp_path):
    (tmp_path / "seen").mkdir()
    return SimulatedDisk(tmp_path / "seen")


@pytest.fixture
def after(tmp_path):
    """A function that makes the folder that a power cut leaves."""

    count = itertools.count()

    def restore(cut):
        folder = tmp_path / f"after{next(count)}"
        folder.mkdir()
        cut.restore(folder)
        return folder

    return restore


def steps_of(disk, *steps):
    """Runs the steps, and reports each as done."""
    with disk.active():
        for step in steps:
            step()
            disk.done += 1
    assert len(disk.cuts) > 3 * len(steps)
    assert {cut.way for cut in disk.cuts} == set(WAYS)
    return disk.cuts


def test_the_disk_loses_what_is_not_synced(disk):
    def careless():
        path = disk.root / "f"
        path.write_bytes(b"old")
        path.with_name("t").write_bytes(b"newer")
        path.with_name("t").rename(path)

    left = {(cut.way, cut.files.get("f")) for cut in steps_of(disk, careless)}
    assert left == {
        ("strict", None),
        ("names", b""),
        *(("torn", content) for content in (b"", b"o", b"ne")),
    }


def test_a_file_is_the_old_or_the_new_one(disk, after):
    path = disk.root / "deep" / "er" / "file.txt"
    texts = ["first", "the second, longer one", "3"]

    def writing(text):
        def write():
            with atomic.replacing(path) as temporary:
                temporary.write_text(text)

        return write

    for cut in steps_of(disk, *map(writing, texts)):
        folder = after(cut)
        found = folder / "deep" / "er" / "file.txt"
        text = found.read_text() if found.exists() else None
        assert text in [None, *texts][cut.done : cut.done + 2], cut
        if found.parent.exists():
            atomic.remove_leftovers(found.parent)
            assert {each.name for each in found.parent.iterdir()} <= {"file.txt"}


def test_a_folder_that_appears_is_whole(disk, after):
    def write():
        with atomic.replacing(disk.root / "graph") as temporary:
            temporary.mkdir()
            for name in "ab":
                (temporary / name).write_text(name * 100)

    for cut in steps_of(disk, write):
        found = after(cut) / "graph"
        assert found.exists() or not cut.done
        if found.exists():
            assert {each.name: each.read_text() for each in found.iterdir()} == {
                name: name * 100 for name in "ab"
            }


def test_a_folder_that_is_replaced_is_the_old_or_the_new_one(disk, after):
    path, texts = disk.root / "deep" / "served", ["first", "second", "third"]

    def writing(text):
        def write():
            with folders.replacing_folder(path) as new:
                (new / "variables").mkdir()
                for name in ("pb", "variables/data"):
                    (new / name).write_text(text)

        return write

    for cut in steps_of(disk, *map(writing, texts)):
        found = after(cut) / "deep" / "served"
        folders.put_back(found)
        text = None
        if found.exists():
            text = (found / "pb").read_text()
            assert (found / "variables" / "data").read_text() == text
        assert text in [None, *texts][cut.done : cut.done + 2], cut
        with folders.replacing_folder(found) as new:  # work continues
            (new / "pb").write_text("next")
        assert (found / "pb").read_text() == "next"


def test_records_that_were_appended_stay(disk, after):
    path = disk.root / "new" / "r.jsonl"
    seeds = [5, 3, 8, 1]
    appends = [lambda seed=seed: records.append(path, record(seed)) for seed in seeds]
    ordering = [lambda: records.put_in_order(path)]
    for cut in steps_of(disk, *appends, *ordering, lambda: records.append(path, record(0))):
        found = after(cut) / "new" / "r.jsonl"
        known = [record(seed) for seed in seeds]
        kept = records.read(found)
        expected = known[: min(cut.done, 4)] + [record(0)] * (cut.done > 5)
        assert [each for each in kept if each in expected] != [] or not expected
        assert all(each in kept for each in expected), cut
        assert all(each in [*known, record(0)] for each in kept), cut
        records.append(found, record(9))  # the next start continues
        assert records.read(found) == [*kept, record(9)]


def test_a_run_folder_can_be_opened_again(disk, after):
    folder = disk.root / "run"
    for cut in steps_of(
        disk,
        lambda: run_folder.open_folder(folder, CONFIG, None),
        lambda: records.append(folder / run_folder.RECORDS, record(0)),
        lambda: run_folder.open_folder(folder, CONFIG, None),
        lambda: records.append(folder / run_folder.RECORDS, record(1)),
        lambda: files.write_json(folder / run_folder.SUMMARY, {"mean": 1 / 3}),
    ):
        found = after(cut) / "run"
        run_folder.open_folder(found, CONFIG, None)
        files.remove_leftovers(found)
        known = records.read(found / run_folder.RECORDS)
        assert known == [record(seed) for seed in range(len(known))]
        assert len(known) >= (cut.done > 1) + (cut.done > 3)
        assert json.loads((found / run_folder.CONFIG).read_text()) == record(0)["config"]
        if cut.done > 4:
            assert json.loads((found / run_folder.SUMMARY).read_text()) == {"mean": 1 / 3}


def test_a_checkpoint_is_the_old_or_the_new_one(disk, after):
    checkpoint = Checkpoint(disk.root / "run" / "checkpoint.npz")

    def saving(step):
        return lambda: checkpoint.save("mine", State(next_step=step, variables=[np.arange(step)]))

    for cut in steps_of(disk, *map(saving, (1, 2, 3))):
        state = Checkpoint(after(cut) / "run" / "checkpoint.npz").load("mine")
        assert (0 if state is None else state.next_step) in (cut.done, cut.done + 1), cut


@pytest.mark.parametrize("damage", ["lost", "empty", "zeros"])
def test_a_config_that_is_lost_is_made_from_the_records(tmp_path, damage):
    run_folder.open_folder(tmp_path, CONFIG, None)
    whole = (tmp_path / run_folder.CONFIG).read_bytes()
    records.append(tmp_path / run_folder.RECORDS, record(0))
    if damage == "lost":
        (tmp_path / run_folder.CONFIG).unlink()
    else:
        content = b"" if damage == "empty" else bytes(len(whole))
        (tmp_path / run_folder.CONFIG).write_bytes(content)
    with pytest.raises(ValueError, match=r"holds runs with other settings \(.*dataset.*\)"):
        run_folder.open_folder(tmp_path, OTHER, None)
    run_folder.open_folder(tmp_path, CONFIG, None)
    assert (tmp_path / run_folder.CONFIG).read_bytes() == whole


def test_without_records_that_say_so_a_folder_is_not_taken_for_a_runs(tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ValueError, match="must be an empty folder or the folder of a run"):
        run_folder.open_folder(tmp_path, CONFIG, None)
    (tmp_path / "record.json").write_text('{"mine": 1}')
    with pytest.raises(ValueError, match="is not the config of a run"):
        run_folder.open_folder(tmp_path, CONFIG, 0)


def test_a_config_that_says_the_same_is_not_written_again(tmp_path):
    run_folder.open_folder(tmp_path, CONFIG, None)
    path = tmp_path / run_folder.CONFIG
    before = path.stat().st_mtime_ns, path.stat().st_ino
    run_folder.open_folder(tmp_path, CONFIG, None)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
