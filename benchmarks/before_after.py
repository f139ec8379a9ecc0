"""Compares one step of MixHop in this checkout with that of another, such as an earlier commit.

    git worktree add --detach ../before v0.2.0
    python -m benchmarks.before_after --before ../before

The two take turns in several rounds, each in its own process. The table shows the median step.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from absl import flags

from benchmarks.step import GRAPHS, ROOT, WARM_UP
from trainers.cli import app
from trainers.sweeps.errors import RunError
from trainers.text.markdown import markdown_table

_SAVE = "import sys, datasets; datasets.load(sys.argv[1]).save(sys.argv[2])"


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("before", None, "Folder of the other checkout.")
    flags.DEFINE_integer("rounds", 5, "Rounds over both.", 1)
    flags.DEFINE_integer("steps", 40, "Steps in a round.", 8)


def python(checkout, *words):
    """Runs Python in a checkout; returns what it prints."""
    environment = os.environ | {"PYTHONPATH": str(checkout), "TF_CPP_MIN_LOG_LEVEL": "3"}
    answer = subprocess.run(
        [sys.executable, *words],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if answer.returncode:
        reason = (answer.stderr.strip() or f"exit code {answer.returncode}").splitlines()[-1]
        raise RunError(f"{checkout} cannot be measured: {reason}")
    return answer.stdout


def compare(graph, checkouts):
    """Measures one row of the table."""
    seconds = {name: [] for name in checkouts}
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: str(Path(folder) / f"{name}.npz") for name in checkouts}
        for name, checkout in checkouts.items():
            python(checkout, "-c", _SAVE, graph, paths[name])
        for _ in range(flags.FLAGS.rounds):
            for name, checkout in checkouts.items():
                words = "-m", "benchmarks.our_step", graph, paths[name], "mixhop", "whole"
                printed = python(checkout, *words, str(flags.FLAGS.steps + WARM_UP))
                result = json.loads(printed.splitlines()[-1])
                seconds[name] += result["seconds"][WARM_UP:]
    before, after = (np.median(seconds[name]) * 1e3 for name in ("before", "after"))
    return [graph, f"{before:.2f}", f"{after:.2f}", f"{after / before:.3f}"]


def main():
    """Prints the table."""
    if not flags.FLAGS.before:
        raise RunError("--before must name the folder of another checkout.")
    checkouts = {"before": Path(flags.FLAGS.before).resolve(), "after": ROOT}
    rows = [compare(graph, checkouts) for graph in GRAPHS]
    print(markdown_table(["graph", "before, ms", "after, ms", "after / before"], rows))


if __name__ == "__main__":
    app.run(main, define_flags)
