"""Divides labelled nodes into training, validation and test nodes, class by class."""

from __future__ import annotations

import itertools
import math

import numpy as np

from mixhop_tf.errors import SettingError

TRAIN_SHARE, VAL_SHARE = 0.6, 0.2
_ROUNDING = 1e-9  # so that a rounding error in a product such as 0.6 · 5 adds no node


def stratified_split(
    labels: np.ndarray,
    *,
    seed: int = 0,
    train_share: float = TRAIN_SHARE,
    val_share: float = VAL_SHARE,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws the same shares of the labelled nodes of each class.

    Rounding favours training, then validation: the only labelled node of a class trains; of two
    labelled nodes, one trains and one validates. The default shares and a seed give the split that
    the commands make for a graph without one.

    Args:
        labels: Classes `[n]` from 0; -1 is unknown.
        seed: Seed of the draw.
        train_share: Share of a class that trains.
        val_share: Share of a class that validates; the rest is for the test.

    Returns:
        Indices of the training, validation and test nodes, in order.
    """
    if not (0 < train_share < 1 and val_share > 0 and train_share + val_share <= 1 + _ROUNDING):
        rule = "must be positive, and add up to 1 at most"
        raise SettingError("train_share and val_share", rule, [train_share, val_share])
    rng = np.random.default_rng(seed)
    parts: tuple[list[np.ndarray], ...] = ([], [], [])
    order = np.argsort(labels, kind="stable")  # one pass: there may be as many classes as nodes
    ends = np.searchsorted(labels[order], np.arange(labels.max(initial=-1) + 2))
    for start, end in itertools.pairwise(ends):
        members = rng.permutation(order[start:end])
        first = math.ceil(train_share * len(members) - _ROUNDING)
        first = min(first, max(len(members) - 1, 1))
        second = first + math.ceil(val_share * len(members) - _ROUNDING)
        for part, nodes in zip(parts, np.split(members, [first, second]), strict=True):
            part.append(nodes)
    if not parts[0]:
        raise SettingError("labels", "must name the class of at least one node")
    train, val, test = (np.sort(np.concatenate(part)) for part in parts)
    return train, val, test
