"""Times the sparse products that every step of MixHop needs, as a lower bound for a step.

    python -m benchmarks.bound_step GRAPH.npz STEPS

Prints one JSON line, like `our_step.py`. SciPy, on one thread, computes only the sparse products of
a step of the default architecture: three with the features (forward, backward, evaluation), and the
propagations of both layers three times.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import datasets
from benchmarks.peak_memory import peak_megabytes

DIMS = 20, 60  # columns of the first layer: per power, and in total


def measure(graph, num_steps):
    """Times the products of each step, in seconds."""
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

    seconds = []
    for _ in range(num_steps):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
    return seconds


def main(path, num_steps):
    """Measures and prints the result."""
    seconds = measure(datasets.load(Path(path)), num_steps)
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes()}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
