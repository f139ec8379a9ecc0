"""Labels as people write them."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

import numpy as np

from datasets.checks import UNKNOWN, IntArray
from datasets.errors import DataError, few

log = logging.getLogger(__name__)


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
        numbers = {value: float(value) for value in values}
    except ValueError:
        return tuple(sorted(values))
    if not all(map(math.isfinite, numbers.values())):
        return tuple(sorted(values))
    return tuple(sorted(values, key=lambda value: (numbers[value], value)))


def written_labels(where: str, raw: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """`class_index` of labels from a text file, refusing what nobody means as a class."""
    labels, names = class_index(raw)
    numbers: dict[float, str] = {}
    for name in names:
        if name.lower() in ("nan", "none", "null"):
            raise DataError(f"{where}: the label {name!r} is no class; leave unknown labels empty.")
        number = _number(name)
        twin = name if number is None else numbers.setdefault(number, name)
        if twin != name:
            raise DataError(
                f"{where}: the labels {twin!r} and {name!r} are the same number; write them alike."
            )
    return labels, names


def labels_among(
    where: str, raw: Sequence[str], class_names: Sequence[str] | None
) -> tuple[IntArray, tuple[str, ...]]:
    """`written_labels`, or with `class_names` the labels among these; others count as unknown."""
    if class_names is None:
        return written_labels(where, raw)
    strange = sorted(set(raw) - {"", *class_names})
    if strange:
        log.warning(
            "%s: labels that are none of the classes are passed over: %s", where, few(strange)
        )
    known = [value if value in class_names else "" for value in raw]
    return class_index(known, class_names)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
