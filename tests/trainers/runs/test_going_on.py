"""A killed command continues from its checkpoint and leaves no incomplete files."""

import functools
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from commands import ROOT, assert_one_clear_sentence, run_command, run_with_fewer_pictures
from small_learning import learn_settings

from mixhop_tf import Observer, learn_architecture
from mixhop_tf.models.weights import weights_of
from trainers.runs import files, learn_folder, run_folder
from trainers.runs.learn_store import LearnStore, PeakStore
from trainers.runs.training import train_many, train_once
from trainers.sweeps import checkpoints
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

TORN = (".0123456789ab.curve.csv", ".0123456789ab.summary.json", ".checkpoint.npz.part")


@pytest.fixture(autouse=True)
def _checkpoints_at_every_step(monkeypatch):
    monkeypatch.setenv(checkpoints.VARIABLE, "0")


def names(folder):
    return {path.name for path in folder.iterdir()}


class Interrupting(Observer):
    """Interrupts the run of a stage at a step, and notes the steps that each stage makes."""

    def __init__(self, stage=None, last=None):
        self.stage, self.last, self.steps = stage, last, {}

    def run(self, trainer, seed, description, weights=None):
        def on_step(point, _):
            self.steps.setdefault(description[:3], []).append(point.step)
            if description.startswith(self.stage or "never") and point.step == self.last:
                raise KeyboardInterrupt

        return trainer.run(seed, on_step, weights)


def learn(graph, folder, observer, kind=LearnStore):
    data = DataConfig(dataset=graph.name)
    return learn_architecture(
        graph,
        learn_settings(),
        scaling=data.scaling_of(graph),
        store=kind(folder, graph, data, 0),
        observer=observer,
    )


@pytest.mark.usefixtures("fewer_pictures")
@pytest.mark.parametrize(
    ("kind", "stage", "last"),
    [(LearnStore, "2/5", 2), (PeakStore, "2/5", 25), (LearnStore, "5/5", 9)],
)
def test_learning_goes_on_within_a_run(small_graph, tmp_path, kind, stage, last):
    calm = learn(small_graph, tmp_path / "calm", Observer(), kind)
    with pytest.raises(KeyboardInterrupt):
        learn(small_graph, tmp_path / "killed", Interrupting(stage, last), kind)
    part = tmp_path / "killed" / "lasso_0.02"
    assert (part / files.CHECKPOINT).is_file()
    watching = Interrupting()
    found = learn(small_graph, tmp_path / "killed", watching, kind)
    assert watching.steps[stage][0] == last  # from the step whose state was not saved any more
    assert found.architecture == calm.architecture
    weights = weights_of(calm.model)
    for name, value in weights_of(found.model).items():
        assert value.tobytes() == weights[name].tobytes()
    with (
        np.load(part / "wide.npz") as peak,
        np.load(tmp_path / "calm" / "lasso_0.02" / "wide.npz") as expected,
    ):
        assert {name: array.tobytes() for name, array in peak.items()} == {
            name: array.tobytes() for name, array in expected.items()
        }
    assert names(part) == names(tmp_path / "calm" / "lasso_0.02")
    assert files.CHECKPOINT not in names(part)


def test_a_killed_command_goes_on_to_the_same_curve(small_file, tmp_path, monkeypatch):
    monkeypatch.setenv(checkpoints.VARIABLE, "0.1")
    flags = (
        *("--dataset", small_file, "--hidden_dims", 12, "--max_steps", 1500, "--patience", 1500),
        *("--nosave_model", "--out"),
    )
    run = functools.partial(run_command, "train", *flags, cwd=tmp_path, pictures=["png"])
    assert run("calm").returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "trainers.train", "--preset", "general", *map(str, flags), "killed"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    folder = tmp_path / "killed"
    while not (folder / files.CHECKPOINT).exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (folder / run_folder.RECORD).exists()
    answer = run("killed")
    assert answer.returncode == 0, answer.stderr
    assert "going on after step" in answer.stderr
    assert names(folder) == names(tmp_path / "calm")
    for name in ("curve.csv", "curve.png", "config.json"):
        assert (folder / name).read_bytes() == (tmp_path / "calm" / name).read_bytes(), name


def test_a_damaged_checkpoint_is_told_and_does_no_harm(small_file, tmp_path):
    flags = ("--dataset", small_file, "--hidden_dims", 12, "--max_steps", 9, "--nosave_model")
    assert run_with_fewer_pictures("train", *flags, "--out", "o", cwd=tmp_path).returncode == 0
    before = (tmp_path / "o" / "curve.csv").read_bytes()
    (tmp_path / "o" / files.CHECKPOINT).write_text("torn")
    answer = run_with_fewer_pictures("train", *flags, "--out", "o", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == "o/checkpoint.npz is damaged; the run starts anew\n"
    assert (tmp_path / "o" / "curve.csv").read_bytes() == before
    assert files.CHECKPOINT not in names(tmp_path / "o")


def test_seconds_that_are_no_number_end_in_a_sentence(small_file, tmp_path, monkeypatch):
    answer = run_command(
        *("train", "--dataset", small_file, "--max_steps", 3, "--out", "o"),
        cwd=tmp_path,
        MIXHOP_CHECKPOINT_SECONDS="often",
    )
    assert_one_clear_sentence(answer, "MIXHOP_CHECKPOINT_SECONDS takes a number", "'often'")
    monkeypatch.setenv(checkpoints.VARIABLE, "x")
    with pytest.raises(RunError, match="change or unset it"):
        files.checkpoint(tmp_path)


def test_a_run_removes_what_a_killed_one_was_writing(small_graph, make_config, tmp_path):
    for name in TORN:
        (tmp_path / name).write_text("torn")
    (tmp_path / ".saved_model.abc" / "new").mkdir(parents=True)
    train_once(small_graph, make_config(), tmp_path, 0, export=None)
    drawn = ("curve", "confusion", "ranking", "reliability")
    pictures = {f"{name}.{kind}" for name in drawn for kind in ("png", "svg", "pdf")}
    numbers = {"config.json", "record.json", "metrics.json", "curve.csv"}
    assert names(tmp_path) == {*numbers, *pictures}


@pytest.mark.usefixtures("fewer_pictures")
def test_many_runs_remove_what_killed_ones_were_writing(small_graph, make_config, tmp_path):
    cell = Cell(make_config(), tmp_path / run_folder.RECORDS)
    train_many(small_graph, cell, tmp_path, range(2), export=None, num_workers=1)
    before = names(tmp_path)
    for name in TORN[:2]:
        (tmp_path / name).write_text("torn")
    (tmp_path / "best" / files.CHECKPOINT).write_text("of a run that is written")
    train_many(small_graph, cell, tmp_path, range(2), export=None, num_workers=1)
    assert names(tmp_path) == before
    assert files.CHECKPOINT not in names(tmp_path / "best")


def learn_content(graph, **changes):
    data = DataConfig(dataset=graph.name)
    return learn_folder.settings_dict(learn_settings(**changes), data, graph, 0)


@pytest.mark.usefixtures("fewer_pictures")
def test_a_learn_folder_loses_what_is_half_written_and_nothing_else(small_graph, tmp_path):
    content = learn_content(small_graph)
    learn_folder.open_folder(tmp_path, content)
    learn(small_graph, tmp_path, Observer())
    part = tmp_path / "lasso_0.02"
    whole = names(part)
    for name in TORN[:2]:
        (tmp_path / name).write_text("torn")
        (part / name).write_text("torn")
    learn_folder.open_folder(tmp_path, content)
    learn(small_graph, tmp_path, Observer())
    (part / files.CHECKPOINT).unlink(missing_ok=True)  # of the best run: `learn_folder.write` does
    assert names(part) == whole
    assert names(tmp_path) == {"learn.json", "lasso_0.02"}


@pytest.mark.usefixtures("fewer_pictures")
@pytest.mark.parametrize("damage", ["lost", "empty"])
def test_settings_that_are_lost_are_noted_anew(small_graph, tmp_path, damage):
    content = learn_content(small_graph)
    learn_folder.open_folder(tmp_path, content)
    learn(small_graph, tmp_path, Observer())
    path = tmp_path / learn_folder.LEARN
    whole = path.read_bytes()
    before = path.stat().st_mtime_ns
    learn_folder.open_folder(tmp_path, content)
    assert path.stat().st_mtime_ns == before  # the same is not written again
    path.unlink()
    if damage == "empty":
        path.touch()
    with pytest.raises(ValueError, match=r"learned with other settings \(digest\)"):
        learn_folder.open_folder(tmp_path, content | {"digest": "another"})
    learn_folder.open_folder(tmp_path, content)
    assert path.read_bytes() == whole
