"""One training step of this library, and the bare products it cannot do without.

    python -m benchmarks.mixhop_step GRAPH.npz ours STEPS
    python -m benchmarks.mixhop_step GRAPH.npz bound STEPS

Prints one JSON line, like `pyg_step.py`. `ours` is the same step as there, in one compiled
function: evaluate all nodes with the current weights, and train. Ours scales the rows of the
features once, before the first step, as the trainer can; PyG's does it in each step. `bound` is
SciPy, on one thread, doing no more than the sparse products of such a step: three with the features
(forward, backward, evaluation) and the propagations of both layers three times.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import datasets

DIMS = 20, 60  # columns a power and in all, first layer


def measure_ours(graph, num_steps):
    """Seconds of each step."""
    import tensorflow as tf

    import mixhop_tf

    # A step is many small ops: two run side by side rather than one on two threads.
    tf.config.threading.set_intra_op_parallelism_threads(1)
    features = mixhop_tf.RowNormalize()(mixhop_tf.sparse_tensor(graph.features))
    inputs = features, mixhop_tf.normalized_adjacency(graph.edges, graph.num_nodes)
    labels, train = tf.constant(graph.labels), tf.constant(graph.train)
    model = mixhop_tf.build_model(
        mixhop_tf.Architecture.default(graph.num_classes),
        graph.num_features,
        graph.num_classes,
        kernel_regularizer=mixhop_tf.GroupLasso(l2=5e-3),
        seed=0,
    )

    @tf.function
    def step():
        predicted = tf.argmax(model(inputs, normalized=True), axis=1)
        with tf.GradientTape() as tape:
            logits = tf.gather(model(inputs, training=True), train)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(tf.gather(labels, train), logits)
            ) + tf.add_n(model.losses)
        variables = model.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            tf.raw_ops.ResourceApplyGradientDescent(
                var=variable.value.handle, alpha=0.5, delta=gradient
            )
        return tf.reduce_mean(tf.cast(predicted == labels, tf.float32))

    return _time(lambda: float(step()), num_steps)


def measure_bound(graph, num_steps):
    """Seconds of the bare products of each step."""
    each, width = DIMS
    rng = np.random.default_rng(0)
    loops = np.tile(np.arange(graph.num_nodes), (2, 1)).T
    pairs = np.concatenate([graph.edges, graph.edges[:, ::-1], loops])
    shape = (graph.num_nodes,) * 2
    adjacency = sp.csr_array((np.ones(len(pairs), np.float32), pairs.T), shape=shape)
    features = sp.csr_array(graph.features)
    transposed = sp.csr_array(features.T)

    def columns(rows, count):
        return rng.standard_normal((rows, count), dtype=np.float32)

    kernel, hidden = columns(graph.num_features, width), columns(graph.num_nodes, width)
    propagated = [
        columns(graph.num_nodes, count)
        for count in (2 * each, each, 2 * graph.num_classes, graph.num_classes)
    ]

    def step():
        checksum = (
            (features @ kernel)[0, 0] + (transposed @ hidden)[0, 0] + (features @ kernel)[0, 0]
        )
        for block in propagated * 3:
            checksum += (adjacency @ block)[0, 0]
        return checksum

    return _time(step, num_steps)


def _time(step, num_steps):
    seconds = []
    for _ in range(num_steps):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
    return seconds


def main(path, contender, num_steps):
    """Measures and prints."""
    graph = datasets.load(Path(path))
    measure = {"ours": measure_ours, "bound": measure_bound}[contender]
    seconds = measure(graph, num_steps)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
