"""Workers on this machine are watched, and started again if one is lost."""

import sys

import pytest

from trainers.cluster import local
from trainers.sweeps.errors import RunError

# A worker that counts its attempts in a file, then does what the code says.
START = """
import json, os, signal, sys, time
config = json.loads(os.environ["TF_CONFIG"])
rank, size = config["task"]["index"], len(config["cluster"]["worker"])
path = os.path.join({folder!r}, str(rank))
attempt = int(open(path).read()) + 1 if os.path.exists(path) else 1
open(path, "w").write(str(attempt))
"""


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch):
    monkeypatch.setattr(local, "_SECONDS_TO_END", 1.0)


@pytest.fixture
def run(tmp_path):
    """A function that runs workers with this code; it returns the number of attempts of each."""

    def run(code, size=2):
        command = [sys.executable, "-c", START.format(folder=str(tmp_path)) + code]
        try:
            local.train_on_this_machine(command, size)
        finally:
            run.attempts = [int((tmp_path / str(rank)).read_text()) for rank in range(size)]
        return run.attempts

    return run


def test_workers_that_end_well_run_once(run):
    assert run("assert size == 3", size=3) == [1, 1, 1]


@pytest.mark.parametrize("number", ["SIGKILL", "SIGSEGV"])
def test_a_killed_worker_is_started_again_with_the_others(run, number, caplog):
    kill = f"if rank and attempt == 1: os.kill(os.getpid(), signal.{number})"
    assert run(f"{kill}\nif attempt == 1: time.sleep(60)") == [2, 2]
    assert f"Worker 1 was ended by {number}; all workers start again (1 of 3)" in caplog.text


def test_a_frozen_worker_is_ended_when_the_others_have_lost_it(run):
    freeze = "if rank and attempt == 1: os.kill(os.getpid(), signal.SIGSTOP)"
    assert run(f"{freeze}\nif attempt == 1: time.sleep(0.5); sys.exit(75)") == [2, 2]


def test_a_worker_that_dies_each_time_is_named_in_the_end(run):
    with pytest.raises(RunError, match="Worker 1 was ended by SIGKILL; gave up after 3 restarts"):
        run("if rank: os.kill(os.getpid(), signal.SIGKILL)\ntime.sleep(60)")
    assert run.attempts == [4, 4]


def test_an_error_of_a_worker_is_shown_and_not_repeated(run):
    with pytest.raises(RunError, match="Worker 1 failed: the disk is full"):
        run("if rank: sys.exit('error: the disk is full')\ntime.sleep(60)")
    assert run.attempts == [1, 1]


def test_an_error_of_the_chief_is_its_own(run):
    with pytest.raises(SystemExit) as stopped:
        run("if not rank: sys.exit(3)\ntime.sleep(60)")
    assert stopped.value.code == 3
    assert run.attempts == [1, 1]
