"""Statistics that compare the published synthetic graphs with generated ones.

As a program, it measures the published graphs in a folder:

    python tests/datasets/degree_statistics.py FOLDER > tests/data/published_synthetic.json
"""

import json
import sys

import numpy as np

import datasets


def tail_exponent(degrees, smallest=6):
    """Fits the maximum-likelihood exponent of a power law to the degrees from `smallest` up."""
    tail = degrees[degrees >= smallest]
    return 1.0 + len(tail) / np.log(tail / (smallest - 0.5)).sum()


def degree_statistics(graph):
    degrees = graph.degrees()
    steps = np.abs(np.diff(graph.labels[graph.edges], axis=1)).ravel()
    distance = np.minimum(steps, graph.num_classes - steps)
    crossing = np.bincount(distance[distance > 0], minlength=graph.num_classes // 2 + 1)[1:]
    return {
        "edges": graph.num_edges,
        "mean_degree": float(degrees.mean()),
        "median_degree": float(np.median(degrees)),
        "tail_exponent": float(tail_exponent(degrees)),
        "tail_exponent_from_12": float(tail_exponent(degrees, 12)),
        "same_class": graph.homophily(),
        "ring_shares": (crossing / crossing.sum()).tolist(),
    }


if __name__ == "__main__":
    names = [name for name in datasets.NAMES if name.startswith("synthetic")]
    print(
        json.dumps(
            {name: degree_statistics(datasets.load(name, sys.argv[1])) for name in names}, indent=1
        )
    )
