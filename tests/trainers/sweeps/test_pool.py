import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pool_functions as functions
import pytest

from trainers.sweeps.pool import Death, run_tasks


@pytest.fixture(autouse=True)
def _workers_find_the_functions(monkeypatch):
    folder = str(Path(functions.__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([folder, *sys.path]))


@pytest.mark.parametrize("num_workers", [1, 2, 5])
def test_every_task_gets_its_answer(num_workers):
    assert sorted(run_tasks(functions.square, [3, 1, 2], num_workers)) == [(1, 1), (2, 4), (3, 9)]


def test_no_tasks_start_no_process():
    assert list(run_tasks(functions.square, [], 2)) == []


def test_one_worker_takes_the_tasks_in_order_and_lives_on():
    answers = list(run_tasks(functions.process_id, range(4), 1))
    assert [task for task, _ in answers] == [0, 1, 2, 3]
    assert len({process for _, process in answers}) == 1


@pytest.mark.parametrize(
    ("function", "exit_code"),
    [(functions.die_at_three, -signal.SIGKILL), (functions.exit_at_three, 7)],
)
def test_a_death_is_told_with_its_task_and_the_others_go_on(function, exit_code):
    answers = dict(run_tasks(function, range(6), 2))
    assert answers.pop(3) == Death(exit_code)
    assert answers == {task: task for task in (0, 1, 2, 4, 5)}


def test_time_passes_audibly():
    ticks = []
    assert list(run_tasks(functions.sleep, [2.5], 1, lambda: ticks.append(1)))
    assert len(ticks) >= 3


def test_workers_end_when_the_answers_are_no_longer_wanted():
    answers = run_tasks(functions.process_id, range(100), 2)
    _, process = next(answers)
    answers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def is_running(process):
    """A process that has ended is not alive, even if nobody has waited for it."""
    try:
        os.kill(process, 0)
        if Path("/proc/self/stat").exists():
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
    return True


def test_workers_end_with_their_parent():
    script = (
        "import pool_functions, trainers.sweeps.pool as pool\n"
        "if __name__ == '__main__':\n"
        "    for task, answer in pool.run_tasks(pool_functions.announce_and_sleep, [60, 60], 2):\n"
        "        pass\n"
    )
    folder = Path(functions.__file__).parent
    path = os.environ["PYTHONPATH"]
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
    )
    workers = {int(parent.stdout.readline()) for _ in range(2)}
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while workers and time.monotonic() < deadline:
        workers = {worker for worker in workers if is_running(worker)}
        time.sleep(0.05)
    assert not workers


@pytest.mark.parametrize("delay", [0.05, 0.3, 1.0])
def test_an_interrupt_is_the_parents_business_alone(delay):
    """Ctrl-C reaches all processes of a terminal; workers must print nothing at any time."""
    script = (
        "import pool_functions, signal, trainers.sweeps.pool as pool\n"
        "if __name__ == '__main__':\n"
        # A job in the background of a script is started deaf; this one shall hear.
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    print('ready', flush=True)\n"
        "    try:\n"
        "        list(pool.run_tasks(pool_functions.sleep, [60, 60], 2))\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', flush=True)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout.readline() == "ready\n"
    time.sleep(delay)
    for _ in range(20):  # one that falls into the start of a worker is not heard
        if parent.poll() is None:
            os.killpg(parent.pid, signal.SIGINT)
            time.sleep(0.2)
        else:
            break
    try:
        output, errors = parent.communicate(timeout=30)
    finally:
        parent.kill()
    assert output == "interrupted\n"
    assert errors == ""
