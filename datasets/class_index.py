"""Labels as people write them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.checks import UNKNOWN, IntArray


def class_index(
    raw: Sequence[str], class_names: Sequence[str] | None = None
) -> tuple[IntArray, tuple[str, ...]]:
    """Labels as written (`""` = unknown) to `(labels, class_names)`.

    Without `class_names` the distinct labels are the classes, in the order of their numbers or else
    of their text.

    >>> labels, class_names = class_index(["10", "9", "", "10"])
    >>> labels.tolist(), class_names
    ([1, 0, -1, 1], ('9', '10'))
    """
    names = _ordered(set(raw) - {""}) if class_names is None else tuple(class_names)
    index = {value: i for i, value in enumerate(names)} | {"": UNKNOWN}
    return np.fromiter((index[value] for value in raw), np.int64, len(raw)), names


def _ordered(values: set[str]) -> tuple[str, ...]:
    try:
        return tuple(sorted(values, key=lambda value: (float(value), value)))
    except ValueError:
        return tuple(sorted(values))
