"""What the user says about the tables of a graph."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from datasets.structural import SPECTRAL

# Names of the columns with the two ends of an edge, as programs write them.
_ENDS = (
    ("source", "target"),
    ("from", "to"),
    ("src", "dst"),
    ("source_id", "target_id"),
    ("from_id", "to_id"),
    ("u", "v"),
    ("start", "end"),
    ("sender", "receiver"),
)
_IDS = ("node", "id", "node_id", "nodeid")
_LABELS = ("label", "class")
_WEIGHT = "weight"
IGNORED = "none"  # as the name of the weights: they are not used


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableOptions:
    """Names of columns and files.

    Args:
        label: Column with the class.
        id: Column with the id of a node.
        source: Column with one end of an edge.
        target: Column with the other end.
        weight: Column with the weight of an edge. None for a column called `weight`, if there is
            one; `none` for no weights.
        nodes: File with a row for each node.
        edges: Files of edges.
        ignore: Columns that are not features.
        features: The only columns that are features; empty for all.
        stand_ins: Features of a graph without any: `spectral` or `local`.
    """

    label: str | None = None
    id: str | None = None
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    nodes: str | None = None
    edges: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    stand_ins: str = SPECTRAL

    @property
    def texts(self) -> set[str]:
        """Names of columns that are never numbers, in lower and upper case."""
        named = {self.label, self.id, self.source, self.target} - {None}
        usual = {"split", *_IDS, *_LABELS, *(name for pair in _ENDS for name in pair)}
        spelled = {each(name) for name in usual for each in (str.lower, str.upper, str.capitalize)}
        return {name for name in named if name} | spelled

    def ends(self, header: Iterable[str]) -> tuple[str, str] | None:
        """The columns with the two ends of an edge; None if the header has none."""
        names = {name.lower(): name for name in header}
        if self.source or self.target:
            wanted = self.source or "source", self.target or "target"
            found = [_named(each, names) for each in wanted]
            return (found[0], found[1]) if found[0] and found[1] else None
        for first, second in _ENDS:
            if first in names and second in names:
                return names[first], names[second]
        return None

    def id_in(self, header: Iterable[str]) -> str | None:
        """The column with the ids of nodes."""
        return _column(self.id, _IDS, header)

    def label_in(self, header: Iterable[str]) -> str | None:
        """The column with the classes."""
        return _column(self.label, _LABELS, header)

    def weight_in(self, header: Iterable[str]) -> str | None:
        """The column with the weights of edges, also if they are to be ignored."""
        wanted = self.weight if self.weight and self.weight != IGNORED else _WEIGHT
        names = list(header)
        return wanted if wanted in names else _named(wanted, {name.lower(): name for name in names})


def _column(wanted: str | None, usual: Iterable[str], header: Iterable[str]) -> str | None:
    names = {name.lower(): name for name in header}
    if wanted:
        return _named(wanted, names)
    return next((names[name] for name in usual if name in names), None)


def _named(wanted: str, names: dict[str, str]) -> str | None:
    """The column of this name; upper and lower case matter only where two columns differ in it."""
    if wanted in names.values():
        return wanted
    return names.get(wanted.lower())
