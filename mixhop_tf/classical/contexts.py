"""Batches of pairs of nodes that belong together, or do not (Algorithm 1 of Yang et al., 2016)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mixhop_tf.classical.walks import Walker, context_pairs, label_pairs
from mixhop_tf.methods import SkipGram


class Contexts(NamedTuple):
    """Pairs of a node and a context.

    Attributes:
        nodes: The nodes `[m]`.
        contexts: Their contexts `[m]`.
        signs: 1 for pairs that belong together, -1 for others, float32 `[m]`.
    """

    nodes: np.ndarray
    contexts: np.ndarray
    signs: np.ndarray


def contexts(
    walker: Walker, starts: np.ndarray, method: SkipGram, rng: np.random.Generator
) -> Contexts:
    """Draws the pairs of walks, and random pairs beside them.

    Of all pairs, the share `positive_share` comes from walks. The others are a node of a walk and a
    context that is drawn uniformly.

    Args:
        walker: Makes the walks.
        starts: The nodes where walks begin `[k]`.
        method: The description.
        rng: Draws walks and pairs.
    """
    together = context_pairs(walker.walk(starts, method.walk_length, rng), method.window)
    together = together[together[:, 0] != together[:, 1]]
    apart = random_pairs(together, walker.num_nodes, method.positive_share, rng)
    return signed(together, apart)


def random_pairs(
    together: np.ndarray, num_nodes: int, positive_share: float, rng: np.random.Generator
) -> np.ndarray:
    """Draws as many pairs as leave `together` the share `positive_share` of all."""
    count = round(len(together) * (1 - positive_share) / positive_share)
    if not len(together):
        return together
    nodes = together[rng.integers(len(together), size=count), 0]
    return np.stack([nodes, rng.integers(num_nodes, size=count)], axis=1)


def label_contexts(
    nodes: np.ndarray,
    labels: np.ndarray,
    count: int,
    positive_share: float,
    rng: np.random.Generator,
) -> Contexts:
    """Draws pairs of labelled nodes: with the same label together, with different ones apart."""
    num_together = int(rng.binomial(count, positive_share))
    return signed(
        label_pairs(nodes, labels, num_together, True, rng),
        label_pairs(nodes, labels, count - num_together, False, rng),
    )


def signed(together: np.ndarray, apart: np.ndarray) -> Contexts:
    """Joins pairs `[m, 2]` that belong together and pairs that do not."""
    pairs = np.concatenate([together, apart])
    signs = np.ones(len(pairs), np.float32)
    signs[len(together) :] = -1
    return Contexts(pairs[:, 0], pairs[:, 1], signs)


def joined(first: Contexts, second: Contexts) -> Contexts:
    """Puts two batches of pairs together."""
    return Contexts(*(np.concatenate(both) for both in zip(first, second, strict=True)))


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
