"""Measures explanations: do they add up, and does the answer depend on what they name?

    python -m benchmarks.explain --out results/benchmarks/explain.md

For each graph a model is trained. Its answers are explained for all nodes, and the table has the
largest difference between a logit and its contributions. Then the deletion test: of the scaled
features in the receptive field of a node, the tenth with the largest contributions becomes zero,
and the probability of the answer falls. The table has the mean fall in percentage points beside
that of other ways to choose a tenth: at random, from the nodes of highest degree, and by Integrated
Gradients (Sundararajan et al., 2017) of the same logit with 32 steps from zero, compiled and on the
receptive field as well. Times are CPU milliseconds of a node on the same machine in the same run.
"""

import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import tensorflow as tf
from absl import flags

from datasets.atomic import replacing
from mixhop_tf import Architecture, Explainer, Settings, train
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

GRAPHS = ("cora", "synthetic-h0.8", "pubmed")
EVERY_NODE = ("cora", "synthetic-h0.8")  # whose completeness is checked for all nodes
SHARE = 0.1
STEPS = 32


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("nodes", 100, "Nodes of each graph in the deletion test.", 1)
    flags.DEFINE_string("only", ",".join(GRAPHS), "Graphs, separated by commas.")
    flags.DEFINE_string("out", None, "File to write the table to.")


class Local:
    """The receptive field of a node as tensors, and what the model makes of it.

    Args:
        explainer: Explains the graph.
        logits: The compiled model.
        found: The explanation of the node.
    """

    def __init__(self, explainer, logits, found):
        self._logits, self._nodes = logits, found.nodes
        self._row = int(np.searchsorted(found.nodes, found.node))
        self._target, self._decision = found.target, explainer.model.decision
        x = sp.coo_array(explainer.forward.feature_rows(found.nodes))
        self.rows, self.columns = x.coords
        self.values = x.data.astype(np.float32)
        a = sp.coo_array(explainer.forward.sources[0].take(found.nodes)[:, found.nodes])
        self._operator = tf.SparseTensor(
            np.stack(a.coords, axis=1), a.data.astype(np.float32), a.shape
        )
        self._indices, self._shape = np.stack(x.coords, axis=1), x.shape

    def logit(self, values):
        """The logits of the node if the features have these values."""
        features = tf.SparseTensor(self._indices, values, self._shape)
        return self._logits(features, self._operator)[self._row]

    def fall(self, order):
        """By how much the probability falls without the first tenth of the entries."""
        changed = self.values.copy()
        changed[order[: max(1, round(SHARE * len(order)))]] = 0
        before, after = (
            self._decision.probabilities(self.logit(tf.constant(values))[None])[0, self._target]
            for values in (self.values, changed)
        )
        return 100 * float(before - after)

    def integrated_gradients(self, direction):
        """The attribution of each entry, for a weighted sum of logits."""
        total, direction = np.zeros_like(self.values), tf.constant(direction, tf.float32)
        for step in range(STEPS):
            values = tf.constant(self.values * ((step + 0.5) / STEPS))
            features = tf.SparseTensor(self._indices, values, self._shape)
            args = features, self._operator, tf.constant(self._row), direction
            total += self._logits.gradient(*args).numpy()
        return total / STEPS * self.values


def compiled(model):
    """The model, and its gradient by the values of the features, for graphs of any size."""
    signature = (
        tf.SparseTensorSpec([None, model.num_features]),
        tf.SparseTensorSpec([None, None]),
    )

    @tf.function(input_signature=signature)
    def logits(features, operator):
        return model((features, operator), normalized=True)

    row_and_weights = tf.TensorSpec([], tf.int32), tf.TensorSpec([model.num_classes])

    @tf.function(input_signature=(*signature, *row_and_weights))
    def gradient(features, operator, row, weights):
        with tf.GradientTape() as tape:
            tape.watch(features.values)
            logits = model((features, operator), normalized=True)[row]
            logit = tf.reduce_sum(logits * weights)
        return tape.gradient(logit, features.values)

    logits.gradient = gradient
    return logits


def measure(dataset, num_nodes):
    """The rows of the table for one graph."""
    graph = DataConfig(dataset=dataset).load(None)
    architecture = Architecture.default(graph.num_classes, input_dropout=0.5, hidden_dropout=0.5)
    run = train(graph, architecture, Settings(max_steps=200, patience=60))
    explainer = Explainer(run.model, graph)
    rng = np.random.default_rng(0)
    drawn = np.sort(rng.choice(graph.num_nodes, min(num_nodes, graph.num_nodes), replace=False))
    checked = range(graph.num_nodes) if dataset in EVERY_NODE else drawn.tolist()
    largest = 0.0
    for node in checked:
        found = explainer.explain(node)
        largest = max(largest, abs(found.total - float(run.logits[node, found.target])))
    print(f"{dataset}: {len(checked):,} nodes, largest difference {largest:.1e}", flush=True)
    logits, degrees = compiled(explainer.model), np.bincount(graph.edges.ravel())
    falls, seconds = defaultdict(list), defaultdict(float)
    found = explainer.explain(0)
    Local(explainer, logits, found).integrated_gradients(weights_of(found))  # compiles
    for node in drawn.tolist():
        for contrast, suffix in ((None, ""), ("runner_up", ", against the runner-up")):
            start = time.process_time()
            found = explainer.explain(node, contrast=contrast)
            entries = explainer.entries(found)
            seconds[f"contributions{suffix}"] += time.process_time() - start
            local = Local(explainer, logits, found)
            mine = np.asarray(entries[found.nodes[local.rows], local.columns]).ravel()
            start = time.process_time()
            theirs = local.integrated_gradients(weights_of(found))
            seconds[f"integrated gradients{suffix}"] += time.process_time() - start
            falls[f"contributions{suffix}"].append(local.fall(np.argsort(-mine)))
            falls[f"integrated gradients{suffix}"].append(local.fall(np.argsort(-theirs)))
        ties = rng.permutation(len(mine))
        by_degree = degrees[found.nodes[local.rows]]
        falls["highest degree"].append(local.fall(np.lexsort((ties, -by_degree))))
        falls["random"].append(local.fall(ties))
    return [
        [
            f"{dataset}, {name}",
            f"{np.mean(values):.1f}",
            f"{1000 * seconds[name] / len(drawn):.1f}" if name in seconds else "–",
            f"{largest:.0e}, {len(checked):,} nodes" if name == "contributions" else "–",
        ]
        for name, values in sorted(falls.items())
    ]


def weights_of(found):
    """The weights of the logits that an explanation is about."""
    weights = np.zeros(len(found.logits))
    weights[found.target] = 1
    if found.contrast is not None:
        weights[found.contrast] = -1
    return weights


def main():
    """Measures, prints the table and writes it, graph by graph."""
    start_tensorflow(num_cores())
    header = ["graph, order", "probability falls by", "CPU ms", "largest error of the sum"]
    rows = []
    for name in flags.FLAGS.only.split(","):
        rows += measure(name, flags.FLAGS.nodes)
        if flags.FLAGS.out:
            with replacing(Path(flags.FLAGS.out)) as temporary:
                temporary.write_text(markdown_table(header, rows) + "\n", encoding="utf-8")
    print(markdown_table(header, rows))


if __name__ == "__main__":
    app.run(main, define_flags)
