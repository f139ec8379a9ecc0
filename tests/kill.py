"""Kills a command at random moments until it ends; then all must be as if it was never killed.

python -m tests.kill --what train --kills 100 --seed 0

A command is started on a small generated graph, killed with all its processes (SIGKILL), and
started again, in the same folder. When it ends its folder is compared with that of a run never
killed: the same files and no other, the same records but for the seconds, the same curves, the same
weights to the bit. Then it begins anew in another folder, until there were so many kills.

Most of a short command's time goes into importing TensorFlow, where a kill shows little. So this
process imports TensorFlow once and forks for every start.
"""

import argparse
import contextlib
import dataclasses
import io
import json
import multiprocessing
import os
import random
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import h5py
import numpy as np

import datasets

TESTS = Path(__file__).resolve().parent
COMMANDS = {
    "train": (
        *(
            "-m",
            "trainers.train",
            "--preset",
            "general",
            "--hidden_dims",
            "12",
            "--max_steps",
            "1500",
        ),
        *("--patience", "1500", "--dataset", "{graph}", "--out", "{folder}"),
    ),
    "sweep": (
        *(
            "-m",
            "trainers.train",
            "--preset",
            "general",
            "--hidden_dims",
            "12",
            "--max_steps",
            "1200",
        ),
        *("--patience", "1200", "--runs", "4", "--workers", "2"),
        *("--dataset", "{graph}", "--out", "{folder}"),
    ),
    "learn_arch": (
        *("-m", "trainers.learn_arch", "--width", "12", "--budget", "columns=9", "--runs", "3"),
        *("--lasso", "0.02", "--wide_learning_rate", "0.05", "--wide_hidden_dropout", "0.5"),
        *("--wide_max_steps", "400", "--wide_patience", "400", "--retrain_max_steps", "200"),
        *("--dataset", "{graph}", "--out", "{folder}"),
    ),
    "run_all": (str(TESTS / "small_reproduction.py"), "{graph}", "{folder}"),
    "quick": ("-m", "trainers.run_all", "--quick", "--out", "{folder}"),
}
# A kill comes after so many seconds at most; a long command is killed the more often.
LONGEST = 40.0
# What may differ: the time a run took, and the commit, which may change meanwhile.
_VARYING = {"seconds", "versions", "crc"}


def small_graph(folder):
    """A graph of 150 nodes in a file."""
    path = folder / "small.npz"
    datasets.generate(0.2, num_nodes=150, num_classes=6, edges_per_node=3, seed=0).save(path)
    return path


def contents(folder):
    """What a folder holds, file by file, in a form that can be compared."""
    return {
        str(path.relative_to(folder)): _content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _content(path):
    if path.name in ("README.md", "report.html"):  # made from the records, with their seconds
        return "there"
    if "saved_model" in path.parts:  # holds the same weights as model.keras, under random names
        return "there"
    if path.suffix == ".json":
        return _lasting(json.loads(path.read_text()))
    if path.suffix == ".jsonl":
        return [_lasting(json.loads(line)) for line in path.read_text().splitlines()]
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return {name: (array.shape, array.tobytes()) for name, array in arrays.items()}
    if path.suffix == ".keras":
        return _weights(zipfile.ZipFile(path).read("model.weights.h5"))
    return path.read_bytes()


def _lasting(value):
    if isinstance(value, dict):
        return {name: _lasting(each) for name, each in value.items() if name not in _VARYING}
    return [_lasting(each) for each in value] if isinstance(value, list) else value


def _weights(content):
    found = {}
    with h5py.File(io.BytesIO(content)) as file:
        file.visititems(
            lambda name, each: (
                found.update({name: each[()].tobytes()}) if isinstance(each, h5py.Dataset) else None
            )
        )
    return found


def differences(folder, calm):
    """The files in which two folders differ."""
    first, second = contents(folder), contents(calm)
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))


class Forked:
    """A command that runs in a fork of this process; used like a `subprocess.Popen`."""

    def __init__(self, command, home, environment):
        self._files = home / "output.txt", home / "errors.txt"
        self._process = multiprocessing.get_context("fork").Process(
            target=self._run, args=(command, home, environment)
        )
        self._process.start()
        self.pid = self._process.pid

    def _run(self, command, home, environment):
        os.setsid()
        os.chdir(home)
        os.environ.update(environment)
        for number, path in enumerate(self._files, start=1):
            with open(path, "wb") as file:
                os.dup2(file.fileno(), number)
        module = command[0] == "-m"
        sys.argv = command[1:] if module else command
        sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
        if module:
            runpy.run_module(command[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(command[0], run_name="__main__")

    @property
    def returncode(self):
        return self._process.exitcode

    def wait(self, timeout=None):
        self._process.join(timeout)
        if self._process.is_alive():
            raise subprocess.TimeoutExpired("command", timeout)

    def communicate(self):
        self.wait()
        return tuple(path.read_text() for path in self._files)


@dataclasses.dataclass
class Killer:
    """Kills one command.

    Args:
        what: The command, of `COMMANDS`.
        home: An empty folder to work in.
        seed: Of the moments.
        fork: Whether commands are forks of this process, which must not have started TensorFlow.
    """

    what: str
    home: Path
    seed: int = 0
    fork: bool = False

    def __post_init__(self):
        self.graph, self.dice = small_graph(self.home), random.Random(self.seed)
        self.num_kills, self.num_ends, self.num_checkpoints = 0, 0, 0
        (self.home / "tmp").mkdir()

    def start(self, folder):
        command = [part.format(graph=self.graph, folder=folder) for part in COMMANDS[self.what]]
        path = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
        environment = {
            "PYTHONPATH": path,
            "MIXHOP_CHECKPOINT_SECONDS": "0.2",
            "TMPDIR": str(self.home / "tmp"),
        }
        if self.fork:
            return Forked(command, self.home, environment)
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=self.home,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def calm(self):
        """Runs the command without a kill; gives its folder and its seconds."""
        start = time.monotonic()
        self.finish(self.start(self.home / "calm"))
        return self.home / "calm", time.monotonic() - start

    def finish(self, process):
        output, errors = process.communicate()
        assert process.returncode == 0, f"exit code {process.returncode}: {output}{errors}"
        assert "Traceback" not in errors, errors

    def kill(self, process, seconds):
        """Kills a process and its workers after some time; says whether it still ran."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=seconds)
            return False
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return True

    def run(self, num_kills):
        """Kills so many times; raises an AssertionError if a kill leaves a trace."""
        calm, seconds = self.calm()
        longest = min(1.1 * seconds, LONGEST)
        while self.num_kills < num_kills:
            folder = self.home / f"killed{self.num_ends}"
            while self.num_kills < num_kills:
                process, moment = self.start(folder), self.dice.uniform(0, longest)
                if not self.kill(process, moment):
                    break
                self.num_kills += 1
                self.num_checkpoints += any(folder.rglob("*checkpoint.npz"))
            else:
                process = self.start(folder)
            self.finish(process)
            differing = differences(folder, calm)
            assert not differing, f"after {self.num_kills} kills {folder} differs: {differing}"
            self.num_ends += 1
            print(self, flush=True)

    def __str__(self):
        return (
            f"{self.what}: {self.num_kills} kills, {self.num_checkpoints} of them within a run "
            f"that had a checkpoint; {self.num_ends} times to the end, each as if never killed"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", choices=COMMANDS, default="train")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    values = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from tests.fork_server import import_modules

    import_modules()  # once, for all forks
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Killer(values.what, Path(folder), values.seed, fork=True).run(values.kills)


if __name__ == "__main__":
    main()
