"""Kills workers and nodes of a Ray cluster at random moments of sweeps; none may leave a trace.

python -m tests.kill_ray --kills 25 --seed 0

Two nodes on this machine execute sweeps of fake runs, which take no TensorFlow. In each sweep one
process, or all processes of a node, are killed (SIGKILL):

- worker: a worker process; Ray repeats its run, and the sweep ends with all records.
- node: the node that the sweep does not run on; the same.
- head: the head node; the sweep ends in one sentence, and continues when there is a new cluster.
- driver: the sweep itself; it is started again and continues.

A sweep that does not end within three minutes hangs, which is an error.
"""

import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from examples.cluster import ROOT, Cluster, records

TESTS = ROOT / "tests"
SCRIPT = TESTS / "trainers" / "fake_sweep.py"
SECONDS = 180
KINDS = ("worker", "node", "worker", "head", "node", "driver")


def start(folder, environment, *address, num_seeds=12):
    """Starts a sweep; without an address, on the own pool."""
    path = os.pathsep.join(map(str, (ROOT, TESTS, TESTS / "trainers")))
    return subprocess.Popen(
        [sys.executable, SCRIPT, folder, "2", str(num_seeds), *address],
        env=environment | {"PYTHONPATH": path, "SLEEP": "1.5"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(process):
    """Waits for a sweep; returns its exit code and what it printed as errors."""
    try:
        _, errors = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError(f"the sweep hangs: {process.communicate()}") from None
    return process.returncode, errors


class Killer:
    """Kills, one sweep at a time."""

    def __init__(self, home, seed):
        self.home, self.dice = home, random.Random(seed)
        self.counts, self.cluster, self.num_sentences = collections.Counter(), None, 0
        calm = start(home / "calm", dict(os.environ))
        assert end(calm)[0] == 0
        self.calm = records(home / "calm")

    def run(self, number):
        """Makes a sweep with one kill."""
        kind = KINDS[number % len(KINDS)]
        if self.cluster is None:
            self.cluster = Cluster()
        while len(self.cluster.nodes) < 2:
            self.cluster.add()
        folder = self.home / f"killed{number}"
        process = self._start(folder)
        if number % 3:  # while it works; otherwise perhaps while it starts
            while process.poll() is None and not records(folder):
                time.sleep(0.05)
        time.sleep(self.dice.uniform(0, 8))
        running = process.poll() is None
        self._kill(kind, process)
        code, errors = end(process)
        killed = kind == "driver" and running
        for _ in range(3):
            if code == 0:
                break
            # It ended in a sentence, which asks to start it again.
            assert killed or ("error: " in errors and "Traceback" not in errors), errors
            self.num_sentences += not killed
            (code, errors), killed = end(self._start(folder)), False
        assert code == 0, f"{kind}: {errors}"
        found = records(folder)
        assert found == self.calm, f"{kind}: {len(found)} records instead of {len(self.calm)}"
        self.counts[kind if running else "too late"] += 1

    def _start(self, folder):
        if self.cluster is None:
            self.cluster = Cluster()
        return start(folder, self.cluster.environment, self.cluster.address)

    def _kill(self, kind, process):
        if kind == "driver":
            process.kill()
        elif kind == "head":
            self.close()
        elif kind == "node":
            self.cluster.kill(self.cluster.nodes[-1])
        else:
            workers = [pid for node in self.cluster.nodes for pid in node.workers()]
            if workers:
                os.kill(self.dice.choice(workers), signal.SIGKILL)

    def close(self):
        """Kills the head, and then the other nodes."""
        if self.cluster is not None:
            self.cluster.kill(self.cluster.nodes[0])
            self.cluster.__exit__()
            self.cluster = None

    def __str__(self):
        parts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))
        return (
            f"{self.counts.total()} sweeps, each with one kill, end right: {parts}; "
            f"{self.num_sentences} of them after a sentence and another start"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--seed", type=int, default=0)
    values = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        killer = Killer(Path(folder), values.seed)
        try:
            number = 0
            while killer.counts.total() - killer.counts["too late"] < values.kills:
                killer.run(number)
                number += 1
                print(killer, flush=True)
        finally:
            killer.close()


if __name__ == "__main__":
    main()
