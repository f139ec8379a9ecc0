"""Prints statistics of the graphs: the paper's Table 2, or the details of one graph.

python -m trainers.stats                          Table 2 for all known graphs, ours / paper
python -m trainers.stats --dataset cora --plot    one graph in detail, with a picture
python -m trainers.stats --dataset my/folder      your own graph, and what each column became
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

import datasets
from trainers.cli import app, data_flags
from trainers.plots import style
from trainers.plots.graph import graph_statistics
from trainers.reporting.graph_table import columns_table, describe
from trainers.reporting.table_2 import TABLE_2_NOTE, table_2
from trainers.sweeps.data_config import file_stem, is_known


def define_flags() -> None:
    """Defines the flags of this command."""
    data_flags.define(default=None)
    flags.DEFINE_bool("plot", False, "Also draw degrees and class sizes, as PNG, SVG and PDF.")
    flags.DEFINE_string(
        "figures_dir",
        None,
        "Folder for the pictures of --plot; by default results/figures for the known graphs and "
        "runs/figures for your own.",
    )


def main() -> None:
    """Prints the statistics, and draws them with --plot."""
    name = flags.FLAGS.dataset
    if name is None:
        graphs = [datasets.load(each, flags.FLAGS.data_dir) for each in datasets.NAMES]
        print(f"{table_2(graphs)}\n\n{TABLE_2_NOTE}")
    else:
        graphs = [data_flags.load()]
        print(describe(graphs[0]))
        columns = columns_table(graphs[0])
        if columns:
            print(f"\n{columns}")
    if flags.FLAGS.plot:
        known = name is None or is_known(name)
        folder = Path(flags.FLAGS.figures_dir or f"{'results' if known else 'runs'}/figures")
        for graph in graphs:
            for path in style.save(graph_statistics(graph), folder / file_stem(graph.name)):
                print(f"wrote {path}")


if __name__ == "__main__":
    app.run(main, define_flags)
