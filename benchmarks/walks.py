"""Measures random walks: steps per second of CPU time, on one core.

python -m benchmarks.walks --out results/benchmarks/walks.md
"""

import time
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.walks import Walker
from trainers.cli import app
from trainers.paper.presets import CITATION
from trainers.sweeps.data_config import DataConfig
from trainers.text.markdown import markdown_table

LENGTH, STEPS = 10, 10_000_000


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("out", None, "File to write the table to.")


def steps_per_second(adjacency, num_steps=STEPS):
    """Million steps per second of walks that begin at all nodes in turn."""
    walker, rng = Walker(adjacency), np.random.default_rng(0)
    starts = np.arange(walker.num_nodes)
    rounds = max(1, num_steps // (LENGTH * len(starts)))
    begin = time.process_time()
    for _ in range(rounds):
        walker.walk(starts, LENGTH, rng)
    return rounds * LENGTH * len(starts) / (time.process_time() - begin) / 1e6


def row(dataset):
    """A row of the table, for edges without weights and with them."""
    adjacency = plain_adjacency(DataConfig(dataset=dataset).load(None))
    weighted = adjacency.copy()
    weighted.data = np.random.default_rng(1).uniform(0.5, 2, len(adjacency.data)).astype("f4")
    return [dataset, *(f"{steps_per_second(each):.1f}" for each in (adjacency, weighted))]


def main():
    """Prints the table."""
    header = ["million steps per second", "without weights", "with weights"]
    table = markdown_table(header, [row(dataset) for dataset in CITATION])
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
