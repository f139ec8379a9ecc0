"""Kills or freezes workers that train one model together, at random moments.

    python -m tests.kill_workers --kills 25
    python -m tests.kill_workers --kills 25 --batches clusters:size=50,partition=grown

Every run must end with the result of an undisturbed one: the command starts its workers again, and
they continue from the last checkpoint. The workers are forks of this process, which has imported
TensorFlow, so that a start takes seconds.
"""

import argparse
import contextlib
import importlib
import json
import os
import random
import runpy
import signal
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import ClassVar

import numpy as np

from trainers.cluster import local

_LONGEST = 600.0  # seconds of a run; more is a hang
_PRELOADED = ("tensorflow", "keras", "sklearn.metrics", "matplotlib.figure", "trainers.train")
_FLAGS = (*("--preset", "general", "--max_steps", "150", "--patience", "150", "--nosave_model"),)


class Fork:
    """A fork of this process that runs a Python module, like `subprocess.Popen`."""

    alive: ClassVar[list] = []

    def __init__(self, command, env, stderr=None, **_):
        self.returncode, self.pid = None, os.fork()
        if not self.pid:
            self._work(command, env, stderr)
        Fork.alive.append(self)

    @staticmethod
    def _work(command, env, stderr):
        code = 1
        try:
            os.environ.update(env)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            if stderr is not None:
                os.dup2(stderr.fileno(), 2)
            sys.argv = command[2:]
            runpy.run_module(command[2], run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            if isinstance(stop.code, str):
                print(stop.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def poll(self):
        if self.returncode is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.returncode = os.waitstatus_to_exitcode(status)
                Fork.alive.remove(self)
        return self.returncode

    def wait(self):
        while self.poll() is None:
            time.sleep(0.05)

    def kill(self):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def make_graph(path):
    """Writes a graph of 400 nodes."""
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=400)
    edges = rng.integers(400, size=(1600, 2))
    edges = edges[(labels[edges[:, 0]] == labels[edges[:, 1]]) | (rng.random(1600) < 0.4)]
    path.mkdir()
    lines = [f"{a},{b}" for a, b in edges]
    (path / "edges.csv").write_text("\n".join(["source,target", *lines]) + "\n")
    lines = [f"{i},{rng.random():.3f},c{label}" for i, label in enumerate(labels)]
    (path / "nodes.csv").write_text("\n".join(["node,f,label", *lines]) + "\n")


def train(graph, out, size, batches, disturb=None):
    """Trains; returns the last loss and the seconds. `disturb` runs beside it."""
    flags = (*_FLAGS, "--batches", batches)
    command = [sys.executable, "-m", "trainers.train", "--dataset", str(graph), *flags]
    start = time.monotonic()
    if disturb:
        threading.Thread(target=disturb, daemon=True).start()
    local.train_on_this_machine([*command, "--out", str(out), "--join"], size)
    last = (out / "curve.csv").read_text().splitlines()[-1]
    assert json.loads((out / "record.json").read_text())["workers"] == size
    return float(last.split(",")[2]), time.monotonic() - start


def disturbance(rng, longest, size):
    """A function that waits for a random moment and then kills or freezes a random worker."""
    moment, rank = rng.uniform(0, longest), rng.randrange(size)
    number = rng.choice([signal.SIGKILL, signal.SIGSTOP])

    def disturb():
        time.sleep(moment)
        with contextlib.suppress(IndexError, ProcessLookupError):
            os.kill(Fork.alive[rank].pid, number)

    return disturb, f"{number.name} to worker {rank} after {moment:.1f} s"


def main():
    """Makes an undisturbed run, then the disturbed ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batches", default="none")
    given = parser.parse_args()
    os.environ |= {"MIXHOP_CHECKPOINT_SECONDS": "0.5", "TF_CPP_MIN_LOG_LEVEL": "3"}
    for name in _PRELOADED:
        importlib.import_module(name)
    local.Popen = Fork
    rng, wrong = random.Random(given.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder, "graph")
        make_graph(graph)
        undisturbed = Path(folder, "undisturbed")
        expected, seconds = train(graph, undisturbed, given.workers, given.batches)
        print(f"undisturbed: loss {expected:.6f} in {seconds:.1f} s", flush=True)
        for number in range(given.kills):
            disturb, what = disturbance(rng, seconds, given.workers)
            try:
                out = Path(folder, str(number))
                loss, taken = train(graph, out, given.workers, given.batches, disturb)
                right = abs(loss - expected) < 1e-3 and taken < _LONGEST
                outcome = f"loss {loss:.6f} in {taken:.1f} s"
            except Exception as error:
                right, outcome = False, repr(error)
            wrong += not right
            print(f"{'right' if right else 'WRONG'}: {what}: {outcome}", flush=True)
    print(f"{given.kills} disturbed runs, {wrong} of them wrong")
    sys.exit(int(wrong > 0))


if __name__ == "__main__":
    main()
