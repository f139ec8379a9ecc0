"""Measures label propagation that stops after a few sweeps, instead of at the harmonic function.

    python -m benchmarks.lp_sweeps --out results/benchmarks/lp_sweeps.md

A sweep gives each unlabelled node the mean of its neighbours, starting from zero. Nothing in it is
random. The harmonic function is its limit.
"""

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from absl import flags

from datasets.atomic import replacing
from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.label_propagation import logits
from mixhop_tf.methods import LabelPropagation
from trainers.cli import app
from trainers.paper.presets import CITATION
from trainers.paper.published import published_figure
from trainers.sweeps.data_config import DataConfig
from trainers.text.markdown import markdown_table

SWEEPS = (3, 5, 10, 20, 100)


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("out", None, "File to write the table to.")


def shares_by_sweep(adjacency, labelled, labels, num_classes):
    """Yields the shares of the classes `[n, c]` after each sweep."""
    degrees = np.asarray(adjacency.sum(axis=1)).ravel()
    means = sp.csr_array(sp.diags_array(1 / np.where(degrees > 0, degrees, 1.0)) @ adjacency)
    shares = np.zeros((adjacency.shape[0], num_classes))
    shares[labelled] = known = np.eye(num_classes)[labels]
    while True:
        shares = means @ shares
        shares[labelled] = known
        yield shares


def row(dataset):
    """A row of the table."""
    graph = DataConfig(dataset=dataset).load(None)

    def accuracy(shares):
        answers = shares[graph.test].argmax(axis=1)
        return f"{100 * np.mean(answers == graph.labels[graph.test]):.1f}"

    labels = graph.labels[graph.train]
    sweeps = shares_by_sweep(plain_adjacency(graph), graph.train, labels, graph.num_classes)
    after = {
        number: accuracy(shares)
        for number, shares in zip(range(1, max(SWEEPS) + 1), sweeps, strict=False)
        if number in SWEEPS
    }
    limits = [
        accuracy(logits(graph, LabelPropagation(mass_normalization=m))) for m in (False, True)
    ]
    cited = published_figure(("table1_planetoid_splits", "LP"), dataset)[0]
    return [dataset, f"{cited}", *after.values(), *limits]


def main():
    """Prints the table."""
    header = ["test accuracy, %", "cited", *(f"{number} sweeps" for number in SWEEPS)]
    header += ["harmonic", "harmonic, masses normalized"]
    table = markdown_table(header, [row(dataset) for dataset in CITATION])
    print(table)
    if flags.FLAGS.out:
        with replacing(Path(flags.FLAGS.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
