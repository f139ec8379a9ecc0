"""Batches of nodes that belong together, or do not (Algorithm 1 of Yang et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mixhop_tf.classical.walks import Walker, label_pairs, near
from mixhop_tf.methods import SkipGram


class Pairs(NamedTuple):
    """Pairs of a node and a context.

    Attributes:
        nodes: The nodes `[m]`.
        contexts: Their contexts `[m]`.
        signs: 1 for pairs that belong together, -1 for others, float32 `[m]`.
    """

    nodes: np.ndarray
    contexts: np.ndarray
    signs: np.ndarray


class Batch(NamedTuple):
    """Walks, whose nodes belong together if they are near, and further pairs.

    The walks and the pairs name a node by its place in `nodes`.

    Attributes:
        nodes: The distinct nodes of the batch `[u]`, sorted.
        walks: Places of the walks `[k, length + 1]`.
        together: 1 where two places of a walk belong together, float32
            `[k, length + 1, length + 1]`.
        pairs: The further pairs, as places.
    """

    nodes: np.ndarray
    walks: np.ndarray
    together: np.ndarray
    pairs: Pairs

    @classmethod
    def of(cls, walks: np.ndarray, together: np.ndarray, pairs: Pairs) -> Batch:
        """Makes a batch from nodes of the graph."""
        ids = np.concatenate([walks.ravel(), pairs.nodes, pairs.contexts])
        nodes, places = np.unique(ids, return_inverse=True)
        own, other = np.split(places[walks.size :], [len(pairs.nodes)])
        walked = places[: walks.size].reshape(walks.shape)
        return cls(nodes, walked, together, Pairs(own, other, pairs.signs))

    @property
    def num_pairs(self) -> int:
        """Number of all pairs."""
        return int(self.together.sum()) + len(self.pairs.nodes)


def draw_batch(
    walker: Walker,
    starts: np.ndarray,
    method: SkipGram,
    rng: np.random.Generator,
    labelled: tuple[np.ndarray, np.ndarray] | None = None,
    label_share: float = 0.0,
) -> Batch:
    """Draws walks, and random pairs beside them.

    Of all pairs, the share `positive_share` comes from walks. The others are a node of a walk and a
    context that is drawn uniformly.

    Args:
        walker: Makes the walks.
        starts: The nodes where walks begin `[k]`.
        method: The description.
        rng: Draws walks and pairs.
        labelled: Nodes and their labels, to compare by labels.
        label_share: Share of pairs of these.
    """
    walks = walker.walk(starts, method.walk_length, rng)
    together = near(walks, method.window)
    pairs = random_pairs(walks, together, walker.num_nodes, method.positive_share, rng)
    if labelled is not None and label_share:
        num_others = int(together.sum()) + len(pairs.nodes)
        count = round(num_others * label_share / (1 - label_share))
        pairs = joined(pairs, label_contexts(*labelled, count, method.positive_share, rng))
    return Batch.of(walks, together, pairs)


def random_pairs(
    walks: np.ndarray,
    together: np.ndarray,
    num_nodes: int,
    positive_share: float,
    rng: np.random.Generator,
) -> Pairs:
    """Draws as many pairs as leave those of the walks the share `positive_share` of all.

    A node is drawn as often as it is in pairs of the walks.
    """
    nodes = np.repeat(walks.ravel(), together.sum(axis=2).ravel().astype(np.int64))
    count = round(len(nodes) * (1 - positive_share) / positive_share)
    if len(nodes):
        nodes = nodes[rng.integers(len(nodes), size=count)]
    contexts = rng.integers(num_nodes, size=len(nodes))
    return Pairs(nodes, contexts, np.full(len(nodes), -1, np.float32))


def label_contexts(
    nodes: np.ndarray,
    labels: np.ndarray,
    count: int,
    positive_share: float,
    rng: np.random.Generator,
) -> Pairs:
    """Draws pairs of labelled nodes: with the same label together, with different ones apart."""
    num_together = int(rng.binomial(count, positive_share))
    together = label_pairs(nodes, labels, num_together, True, rng)
    apart = label_pairs(nodes, labels, count - num_together, False, rng)
    pairs = np.concatenate([together, apart])
    signs = np.ones(len(pairs), np.float32)
    signs[len(together) :] = -1
    return Pairs(pairs[:, 0], pairs[:, 1], signs)


def joined(first: Pairs, second: Pairs) -> Pairs:
    """Puts two sets of pairs together."""
    return Pairs(*(np.concatenate(both) for both in zip(first, second, strict=True)))


def start_batches(
    num_nodes: int, batch_size: int, rounds: int | None, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """Yields the starts of walks: in a round, each node once, in random order.

    Args:
        num_nodes: Number of nodes.
        batch_size: Largest number of starts in a batch.
        rounds: Number of rounds; None never ends.
        rng: Draws the order.
    """
    done = 0
    while rounds is None or done < rounds:
        order = rng.permutation(num_nodes)
        yield from (order[i : i + batch_size] for i in range(0, num_nodes, batch_size))
        done += 1
