"""Pictures of graphs with many classes: the largest are shown, the others share a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MOST_CLASSES = 40
_LONGEST_NAME = 40


def shown_classes(sizes: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """Returns the place of each class in a picture `[c]`, and the names of the places.

    Up to 40 classes have a place each, in their own order. If there are more, the 39 largest have
    a place each, and the others share the last.

    >>> places, names = shown_classes(np.array([5, 1]), ["a", "b"])
    >>> places.tolist(), names
    ([0, 1], ['a', 'b'])
    """
    short = [shortened(name) for name in names]
    if len(names) <= MOST_CLASSES:
        return np.arange(len(names)), short
    largest = np.sort(np.argsort(-sizes, kind="stable")[: MOST_CLASSES - 1])
    places = np.full(len(names), MOST_CLASSES - 1)
    places[largest] = np.arange(len(largest))
    others = f"{len(names) - len(largest):,} others"
    return places, [*(short[each] for each in largest), others]


def shortened(name: str) -> str:
    """Shortens a name so that it fits beside a picture."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
