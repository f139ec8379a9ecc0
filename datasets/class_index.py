"""Labels as people write them."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

import numpy as np

from datasets.checks import MAX_NAME, UNKNOWN, IntArray
from datasets.errors import DataError, few

log = logging.getLogger(__name__)

# What programs write where nothing is known, as they spell it: Na may be sodium.
_NO_CLASS = {"NaN", "nan", "NAN", "NA", "N/A", "n/a", "None", "none", "null", "NULL", "Null"}


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


class LabelCheck:
    """Looks at labels as written, one after the other, for what nobody means as a class."""

    def __init__(self) -> None:
        self._seen: set[str] = {""}
        self._numbers: dict[float, str] = {}

    def complaint(self, label: str) -> str | None:
        """What is wrong with the label, if anything."""
        if label in self._seen:
            return None
        self._seen.add(label)
        if label in _NO_CLASS:
            return f"the label {label!r} is no class; leave unknown labels empty"
        if not label.isprintable():
            return f"the label {label!r} holds a character that cannot be seen; remove it"
        if len(label) > MAX_NAME:
            return f"the label {label[:40]!r}… is longer than {MAX_NAME:,} characters"
        number = _number(label)
        twin = label if number is None else self._numbers.setdefault(number, label)
        if twin != label:
            return f"the labels {twin!r} and {label!r} are the same number; write them alike"
        return None


def written_labels(where: str, raw: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """`class_index` of labels from a text file, refusing what nobody means as a class."""
    labels, names = class_index(raw)
    check = LabelCheck()
    for name in names:
        complaint = check.complaint(name)
        if complaint:
            raise DataError(f"{where}: {complaint}.")
    return labels, names


def labels_among(
    where: str, raw: Sequence[str], class_names: Sequence[str] | None
) -> tuple[IntArray, tuple[str, ...]]:
    """`class_index`, or with `class_names` the labels among these; others count as unknown."""
    if class_names is None:
        return class_index(raw)
    strange = sorted(set(raw) - {"", *class_names})
    if strange:
        log.warning(
            "%s: labels that are none of the classes are passed over: %s", where, few(strange)
        )
    classes = set(class_names)
    known = [value if value in classes else "" for value in raw]
    return class_index(known, class_names)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
