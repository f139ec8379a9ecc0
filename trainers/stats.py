"""Statistics of the graphs: the paper's Table 2, or one graph in detail.

python -m trainers.stats                          Table 2 for all known graphs, ours / paper
python -m trainers.stats --dataset cora --plot    one graph in detail, and its picture
python -m trainers.stats --dataset my/folder      your own graph: is it read as you meant it?
"""

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from absl import flags

import datasets
from datasets.checks import SPLITS, UNKNOWN
from trainers import command_line, dataset_flags, figures
from trainers.data_config import file_stem
from trainers.table_2 import TABLE_2_NOTE, table_2
from trainers.text_table import markdown_table


def define_flags() -> None:
    """Defines the flags of this command."""
    dataset_flags.define(default=None)
    flags.DEFINE_bool("plot", False, "Also draw degrees and class sizes, as PNG and SVG.")
    flags.DEFINE_string("figures_dir", "results/figures", "Where --plot puts its pictures.")


def describe(graph: datasets.Graph) -> str:
    """One graph in detail, as Markdown."""
    degrees = graph.degrees()
    adjacency = sp.csr_array(
        (np.ones(graph.num_edges, np.int8), graph.edges.T), shape=(graph.num_nodes,) * 2
    )
    components = sp.csgraph.connected_components(adjacency, directed=False, return_labels=False)
    known = graph.labels[graph.labels != UNKNOWN]
    cells = graph.num_nodes * graph.num_features
    rows = [
        ["nodes", f"{graph.num_nodes:,}"],
        ["edges", f"{graph.num_edges:,}"],
        ["connected components", f"{components:,}"],
        ["isolated nodes", f"{(degrees == 0).sum():,}"],
        [
            "degree: mean, median, max",
            f"{degrees.mean():.2f}, {np.median(degrees):g}, {degrees.max()}",
        ],
        ["features", f"{graph.num_features:,}"],
        ["feature non-zeros", f"{graph.features.nnz:,} ({graph.features.nnz / max(cells, 1):.2%})"],
        ["labelled nodes", f"{len(known):,}"],
        ["homophily", f"{graph.homophily():.3f}"],
        ["train, val, test", ", ".join(f"{len(getattr(graph, split)):,}" for split in SPLITS)],
    ]
    sizes = np.bincount(known, minlength=graph.num_classes)
    rows += [
        [f"class {name}", f"{size:,}"] for name, size in zip(graph.class_names, sizes, strict=True)
    ]
    return markdown_table([graph.name, ""], rows)


def main() -> None:
    """Prints, and draws with --plot, what the flags ask for."""
    name = flags.FLAGS.dataset
    if name is None:
        graphs = [datasets.load(each, flags.FLAGS.data_dir) for each in datasets.NAMES]
        print(f"{table_2(graphs)}\n\n{TABLE_2_NOTE}")
    else:
        graphs = [dataset_flags.load()]
        print(describe(graphs[0]))
    if flags.FLAGS.plot:
        for graph in graphs:
            for path in figures.save(
                figures.graph_statistics(graph),
                Path(flags.FLAGS.figures_dir) / file_stem(graph.name),
            ):
                print(f"wrote {path}")


if __name__ == "__main__":
    command_line.run(main, define_flags)
