"""A sweep that ends or is killed leaves no semaphores and no temporary files."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fake_sweep
import pool_functions as functions
import pytest

from trainers.sweeps.pool import run_tasks

SCRIPT = Path(fake_sweep.__file__)
TESTS = SCRIPT.parents[1]
PYTHONPATH = os.pathsep.join(map(str, (TESTS.parent, TESTS, SCRIPT.parent)))
# As where processes are not forked by default: on macOS, and on Linux from Python 3.14 on.
SPAWNED = """
import multiprocessing, sys
if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    import fake_sweep
    from pathlib import Path
    from trainers.sweeps import sweep, worker
    worker.execute = fake_sweep.fake_run
    sweep.sweep(fake_sweep.cells(sys.argv[1]), range(12), 2)
"""


def start(folder, *command, **options):
    return subprocess.Popen(
        [sys.executable, *command, folder],
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "SLEEP": "0.5"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


@pytest.mark.parametrize("killed", [False, True])
def test_no_semaphore_is_left_behind(tmp_path, killed):
    script = tmp_path / "spawned.py"
    script.write_text(SPAWNED)
    process = start(tmp_path / "records", script)
    if killed:
        while not list(tmp_path.glob("records/*.jsonl")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    _, errors = process.communicate()  # ends when the tracker of semaphores does, too
    assert "semaphore" not in errors
    assert "resource_tracker" not in errors


def test_a_worker_that_is_done_ends_by_itself(tmp_path, monkeypatch):
    """Workers end by themselves, so that TensorFlow removes its files in /tmp."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(SCRIPT.parent), *sys.path]))
    path = tmp_path / "tidied"
    assert list(run_tasks(functions.touch_at_exit, [path], 1)) == [(path, None)]
    assert path.exists()


def test_a_sweep_removes_what_a_killed_one_was_writing(tmp_path):
    (tmp_path / ".0123456789ab.a.jsonl").write_text("torn")
    (tmp_path / ".0123456789ab.summary.json").write_text("torn")
    (tmp_path / ".mine").write_text("precious")
    answer = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, "2", "3"],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"a.jsonl", "b.jsonl", ".mine"}
