"""Reads Cora in its older format (`cora.content`, `cora.cites`) in Planetoid's node order.

Every array of the result equals the one that `planetoid.read` makes from Planetoid's `ind.cora.*`.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from datasets.checks import IntArray
from datasets.edge_lists import canonical_edges
from datasets.errors import DataError
from datasets.graph import Graph

FILES = ("cora.content", "cora.cites")
CORA_CLASSES = (
    "Theory",
    "Reinforcement_Learning",
    "Genetic_Algorithms",
    "Neural_Networks",
    "Probabilistic_Methods",
    "Case_Based",
    "Rule_Learning",
)
_NUM_WORDS = 1433
_NUM_TEST = 1000


def cora_node_ids() -> np.ndarray:
    """Reads the paper ids in Planetoid's node order, `[2708]`."""
    text = (
        resources.files("datasets")
        .joinpath("files/cora_planetoid_order.txt")
        .read_text(encoding="ascii")
    )
    return np.array(text.split())


def read(folder: Path, *, num_train: int, num_val: int) -> Graph:
    """Reads Cora from `folder/cora.content` and `folder/cora.cites`.

    Args:
        folder: The folder with the two files.
        num_train: Number of training nodes, the first in Planetoid's order.
        num_val: Number of validation nodes, the next. The last 1,000 nodes are the test nodes.

    Returns:
        The graph.

    Raises:
        DataError: A line is invalid; the message names the file and the line.
    """
    node_ids = cora_node_ids()
    position = {paper: node for node, paper in enumerate(node_ids)}
    num_nodes = len(node_ids)
    labels = np.full(num_nodes, -1)
    words = np.zeros((num_nodes, _NUM_WORDS), dtype=np.uint8)
    content = folder / FILES[0]
    for number, line in enumerate(content.read_bytes().splitlines(), start=1):
        try:
            paper, rest = line.split(b"\t", 1)
            bits, label = rest.rsplit(b"\t", 1)
            node = position[paper.decode()]
            # "0\t1\t…": a digit at every other byte.
            words[node] = np.frombuffer(bits, np.uint8)[::2] - ord("0")
            labels[node] = CORA_CLASSES.index(label.decode())
        except (ValueError, KeyError):
            raise DataError(
                f"{content}:{number}: the line does not describe a paper of Cora; replace the file."
            ) from None
    return Graph(
        name="cora",
        num_nodes=num_nodes,
        num_classes=len(CORA_CLASSES),
        features=sp.csr_array(words.astype(np.float32)),
        edges=canonical_edges(_citations(folder / FILES[1], position), num_nodes, "cora"),
        labels=labels,
        train=np.arange(num_train),
        val=np.arange(num_train, num_train + num_val),
        test=np.arange(num_nodes - _NUM_TEST, num_nodes),
        class_names=CORA_CLASSES,
        node_ids=node_ids,
    )


def _citations(path: Path, position: dict[str, int]) -> IntArray:
    pairs = []
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), start=1):
        try:
            cited, citing = line.split("\t")
            pairs.append((position[cited], position[citing]))
        except (ValueError, KeyError):
            raise DataError(
                f"{path}:{number}: the line is not a citation between two papers of Cora; replace "
                "the file."
            ) from None
    return np.array(pairs)
