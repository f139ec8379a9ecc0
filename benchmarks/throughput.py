"""Compares a sweep of 100 runs with 100 single runs one after the other, including start-up.

    python -m benchmarks.throughput --out results/benchmarks/throughput.md

Half of the single runs are timed before the sweep and half after it, so that a slow minute of the
machine affects both. Their mean is scaled up to the number of runs of the sweep. Neither writes
models.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.sweeps.records import read
from trainers.text.markdown import markdown_table

ROOT = Path(__file__).parents[1]


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("datasets", ["cora"], "Graphs to train on, with the `original` preset.")
    flags.DEFINE_integer("runs", 100, "Runs of the sweep.", 2)
    flags.DEFINE_integer("single", 10, "Single runs to time.", 2)
    flags.DEFINE_string("out", None, "File to write the table to.")


def timed(*arguments):
    """Times a training command from start to end, in seconds."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "trainers.train", "--nosave_model", *map(str, arguments)],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def compare(dataset):
    """Measures one row of the table."""
    with tempfile.TemporaryDirectory() as folder:

        def single(seed):
            return timed("--dataset", dataset, "--seed", seed, "--out", f"{folder}/{seed}")

        half = flags.FLAGS.single // 2
        alone = [single(seed) for seed in range(half)]
        cell = timed("--dataset", dataset, "--runs", flags.FLAGS.runs, "--out", f"{folder}/cell")
        alone += [single(seed) for seed in range(half, flags.FLAGS.single)]
        steps = [record["num_steps"] for record in read(Path(folder) / "cell" / "records.jsonl")]
    each = sum(alone) / len(alone)
    return [
        dataset,
        f"{sum(steps) / len(steps):.0f}",
        f"{each:.1f}",
        f"{cell / flags.FLAGS.runs:.1f}",
        f"{cell / 60:.1f}",
        f"{each * flags.FLAGS.runs / cell:.2f}",
    ]


def main():
    """Prints the table."""
    header = ["graph", "steps a run", "a single run, s", "a run of the cell, s"]
    header += [f"the cell of {flags.FLAGS.runs}, min", "single / cell"]
    table = markdown_table(header, [compare(dataset) for dataset in flags.FLAGS.datasets])
    print(f"{table}\n\n{num_cores()} cores.")
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
