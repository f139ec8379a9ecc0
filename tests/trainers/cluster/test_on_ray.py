"""Ray Train starts workers, and starts them again if one is lost."""

import json
import signal
import subprocess
import sys

import pytest
from commands import ROOT

from trainers.cluster import ray_worker
from trainers.cluster.on_ray import train_on_ray
from trainers.sweeps import ray_cluster
from trainers.sweeps.errors import RunError

# Ray Train reads settings that Ray itself calls old.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
# A worker that counts its attempts in a file, then does what the code says.
START = """
import json, os, signal, sys, time
config = json.loads(os.environ["TF_CONFIG"])
rank, size = config["task"]["index"], len(config["cluster"]["worker"])
path = os.path.join({folder!r}, str(rank))
attempt = int(open(path).read()) + 1 if os.path.exists(path) else 1
open(path, "w").write(str(attempt))
"""
TRAIN = (
    *("--preset", "general", "--hidden_dims", "12", "--max_steps", "4", "--nosave_model"),
    *("--input_dropout", "0", "--hidden_dropout", "0"),
)


@pytest.fixture
def run(tmp_path, ray_here, monkeypatch):
    """A function that runs two workers with this code."""
    monkeypatch.chdir(tmp_path)

    def run(code):
        train_on_ray(["-c", START.format(folder=str(tmp_path)) + code], 2)

    return run


@pytest.mark.slow  # Ray Train takes a while to start on a busy machine
@pytest.mark.ray
def test_what_the_chief_prints_is_printed_and_keras_is_left_alone(run, tmp_path, capfd):
    run("print(rank, 'of', size, os.environ.get('TF_USE_LEGACY_KERAS'), flush=True)")
    assert capfd.readouterr().out == "0 of 2 None\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "0",
        "1",
    ]  # Ray Train's own folder is gone


@pytest.mark.ray
def test_a_killed_worker_is_started_again_with_the_others(run, tmp_path):
    kill = "if rank and attempt == 1: os.kill(os.getpid(), signal.SIGKILL)"
    run(f"{kill}\nif attempt == 1: time.sleep(60)")
    assert (tmp_path / "0").read_text() == "2"


@pytest.mark.slow  # Ray Train takes a while to start on a busy machine
@pytest.mark.ray
def test_an_error_of_a_worker_is_named_and_not_repeated(run, tmp_path):
    with pytest.raises(RunError, match="Worker 1 failed: the disk is full"):
        run("if rank: sys.exit('error: the disk is full')\ntime.sleep(60)")
    assert (tmp_path / "1").read_text() == "1"


@pytest.mark.slow
@pytest.mark.ray
def test_the_command_trains_on_ray_as_one_process_does(small_graph, tmp_path, ray_here):
    ray_cluster.disconnect()  # the command starts a Ray of its own
    small_graph.save(tmp_path / "graph.npz")
    losses = []
    for flags in ((), ("--engine", "ray", "--workers", "2")):
        out = tmp_path / f"out{len(flags)}"
        command = ["-m", "trainers.train", "--dataset", tmp_path / "graph.npz", *TRAIN, *flags]
        subprocess.run([sys.executable, *command, "--out", out], cwd=ROOT, check=True)
        lines = (out / "curve.csv").read_text().splitlines()[1:]
        losses.append([float(line.split(",")[2]) for line in lines])
    assert json.loads((out / "record.json").read_text())["workers"] == 2
    assert losses[1] == pytest.approx(losses[0], abs=1e-5)


def test_a_command_of_a_worker_gives_its_code_and_its_last_error():
    command = ["-c", "import sys; print('a\\nb', file=sys.stderr); sys.exit(3)"]
    assert ray_worker._run(command, None) == (3, "b")


def test_a_command_does_not_see_what_ray_train_sets(monkeypatch):
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    code = "import os, sys; sys.exit('TF_USE_LEGACY_KERAS' in os.environ)"
    assert ray_worker._run(["-c", code], None) == (0, "")


def test_the_first_failure_counts_and_lines_are_taken_once():
    lines = ray_worker.Lines()
    lines.add("a\n")
    lines.fail("first")
    lines.fail("second")
    assert (lines.taken(), lines.taken(), lines.failure()) == (["a\n"], [], "first")


def test_without_ray_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(ray_cluster.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RunError, match="needs the package ray; install it with"):
        train_on_ray(["-c", ""], 2)


def test_a_frozen_worker_is_ended():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    process.send_signal(signal.SIGSTOP)
    ray_worker._end_if_frozen(process, seconds=0.5)
    assert process.wait() == -signal.SIGKILL
