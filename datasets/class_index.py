"""Turns labels as people write them into class numbers."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from datasets.checks import MAX_NAME, UNKNOWN, IntArray
from datasets.errors import DataError, few, short
from datasets.tables.gaps import GAPS

log = logging.getLogger(__name__)


def class_index(
    raw: Sequence[str], class_names: Sequence[str] | None = None
) -> tuple[IntArray, tuple[str, ...]]:
    """Numbers the labels.

    Args:
        raw: A label for each node; `""` means unknown.
        class_names: The classes in order. By default they are the distinct labels, sorted as
            numbers if all are numbers, else as text.

    Returns:
        The labels as int64 `[n]` (-1 = unknown), and the names of the classes.

    Examples:
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
    """Checks labels one by one for text that is unlikely to be meant as a class."""

    def __init__(self) -> None:
        self._seen: set[str] = {""}
        self._numbers: dict[float, str] = {}

    def complaint(self, label: str) -> str | None:
        """Returns what is wrong with the label, or None."""
        if label in self._seen:
            return None
        self._seen.add(label)
        if label in GAPS:
            return f"the label {label!r} stands for an unknown one; give the class another name"
        if not label.isprintable():
            return f"the label {short(repr(label), 100)} contains an invisible character; remove it"
        if len(label) > MAX_NAME:
            return f"the label {label[:40]!r}… is longer than {MAX_NAME:,} characters"
        number = _number(label)
        twin = label if number is None else self._numbers.setdefault(number, label)
        if twin != label:
            first, second = (short(repr(each), 100) for each in (twin, label))
            return f"the labels {first} and {second} are the same number; use one spelling"
        return None


def without_gaps(
    where: str,
    raw: Sequence[str],
    class_names: Collection[str] = (),
    counts: Mapping[str, int] | None = None,
) -> list[str]:
    """Replaces text that stands for an unknown label, such as `NA`, by `""`, and says how often.

    Args:
        where: The file, for the message.
        raw: A label for each node.
        class_names: The classes, if they are known. A class stays, whatever it is called.
        counts: How often each label comes, if `raw` has each once.
    """
    each = Counter(raw) if counts is None else counts
    gaps = GAPS - {"", *class_names}
    counts = Counter({label: each[label] for label in each if label in gaps})
    if not counts:
        return list(raw)
    log.info(
        "%s: %s labels count as unknown: %s; if that is a class, give it another name",
        where,
        f"{counts.total():,}",
        few([f"{label!r} ({count:,})" for label, count in counts.most_common()]),
    )
    return ["" if label in counts else label for label in raw]


def written_labels(where: str, raw: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Numbers labels from a text file like `class_index`, after a `LabelCheck` of each."""
    labels, names = class_index(without_gaps(where, raw))
    check = LabelCheck()
    for name in names:
        complaint = check.complaint(name)
        if complaint:
            raise DataError(f"{where}: {complaint}.")
    return labels, names


def labels_among(
    where: str, raw: Sequence[str], class_names: Sequence[str] | None
) -> tuple[IntArray, tuple[str, ...]]:
    """Numbers labels like `class_index`; labels outside given `class_names` count as unknown."""
    if class_names is None:
        return class_index(raw)
    strange = sorted(set(raw) - {"", *class_names})
    if strange:
        log.warning("%s: labels outside the known classes are ignored: %s", where, few(strange))
    classes = set(class_names)
    known = [value if value in classes else "" for value in raw]
    return class_index(known, class_names)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
