"""Describes how training cuts a graph into batches, and the notation for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from mixhop_tf.errors import SettingError
from mixhop_tf.notation import shown

KINDS = ("clusters", "walks", "fields")
PARTITIONS = ("metis", "grown")
# The options that only one kind of batches has.
_OWN: Mapping[str, tuple[str, ...]] = {
    "clusters": ("parts", "partition"),
    "walks": ("length",),
    "fields": ("depth", "fanout"),
}
_MOST = 100_000_000
_BOUNDS: Mapping[str, int] = {
    "size": _MOST,
    "parts": 10_000,
    "length": 1000,
    "depth": 10,
    "fanout": 10_000,
    "updates": 1_000_000,
}
_YES, _NO = "yes", "no"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Batches:
    """Describes the batches of a training; each batch is a subgraph.

    `clusters` unites a few parts of a partition of the graph, as Cluster-GCN does. `walks` takes
    the nodes that random walks from training nodes visit, as GraphSAINT does. `fields` gives every
    training node a small neighbourhood of its own, as ShaDow does.

    Example:
    >>> from mixhop_tf import Batches
    >>> Batches.parse("clusters:size=2000,parts=4")
    Batches(kind='clusters', size=2000, parts=4, partition=None, precompute=False, updates=None)
    >>> str(Batches(kind="walks", length=2))
    'walks:length=2'

    Args:
        kind: `clusters`, `walks` or `fields`.
        size: Number of nodes of a batch, about.
        parts: `clusters`: number of parts of the partition that a batch unites.
        partition: `clusters`: how the graph is partitioned: `metis`, which needs the package
            pymetis, or `grown`. None means `metis` if it is installed and the graph has fewer than
            five million entries.
        length: `walks`: number of steps of a walk.
        depth: `fields`: largest number of steps from the training node.
        fanout: `fields`: largest number of neighbours that each node of a field contributes.
        precompute: Whether the first layer reads features that were propagated over the whole
            graph before training. It works only with MixHop.
        updates: Number of updates of a step. None means as many as an epoch has, but at most 100.
    """

    kind: str
    size: int = 20_000
    parts: int = 10
    partition: str | None = None
    length: int = 3
    depth: int = 2
    fanout: int = 10
    precompute: bool = False
    updates: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingError("batches", f"must be one of {', '.join(KINDS)}", self.kind)
        for name, most in _BOUNDS.items():
            value = getattr(self, name)
            if value is None and name == "updates":
                continue
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                rule = f"must have a whole number from 1 to {most:,} as {name}"
                raise SettingError("batches", rule, value)
        if self.partition not in (None, *PARTITIONS):
            rule = f"must have one of {', '.join(PARTITIONS)} as partition"
            raise SettingError("batches", rule, self.partition)
        if not isinstance(self.precompute, bool):
            rule = f"must have {_YES} or {_NO} as precompute"
            raise SettingError("batches", rule, self.precompute)
        for kind, names in _OWN.items():
            for name in names:
                if kind != self.kind and getattr(self, name) != _DEFAULTS[name]:
                    rule = f"of the kind {self.kind} do not have {name}; only {kind} do"
                    raise SettingError("batches", rule)

    @classmethod
    def parse(cls, text: str | Batches) -> Batches:
        """Reads the notation: a kind, and perhaps options, such as `walks:size=5000,length=2`.

        Raises:
            SettingError: The text is not in this notation, or a value is out of its range.
        """
        if isinstance(text, Batches):
            return text
        if not isinstance(text, str):
            raise SettingError("batches", f"must be text such as {KINDS[0]}", text)
        kind, _, rest = text.partition(":")
        values: dict[str, Any] = {}
        for option in rest.split(",") if rest else ():
            name, equals, value = option.partition("=")
            if name not in _DEFAULTS or not equals or name in values:
                rule = f"must have options such as size=5000, each once; {shown(option)} is not one"
                raise SettingError("batches", rule, text)
            values[name] = _value(name, value, text)
        return cls(kind=kind, **values)

    def __str__(self) -> str:
        given = ",".join(f"{name}={_text(value)}" for name, value in self._given().items())
        return f"{self.kind}:{given}" if given else self.kind

    def __repr__(self) -> str:
        names = ("size", *_OWN.get(self.kind, ()), "precompute", "updates")
        shown_options = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"Batches(kind={self.kind!r}, {shown_options})"

    def to_dict(self) -> dict[str, Any]:
        """Returns the kind and the options that differ from their defaults."""
        return {"kind": self.kind, **self._given()}

    def _given(self) -> dict[str, Any]:
        return {
            name: getattr(self, name)
            for name, default in _DEFAULTS.items()
            if getattr(self, name) != default
        }


_DEFAULTS: Mapping[str, Any] = {
    field.name: field.default
    for field in dataclasses.fields(Batches)
    if field.default is not dataclasses.MISSING
}


def _value(name: str, text: str, whole: str) -> Any:
    """Reads the value of an option."""
    if name == "partition":
        return text
    if name == "precompute":
        if text not in (_YES, _NO):
            raise SettingError("batches", f"must have {_YES} or {_NO} as precompute", whole)
        return text == _YES
    try:
        return int(text)
    except ValueError:
        raise SettingError("batches", f"must have a whole number as {name}", whole) from None


def _text(value: Any) -> str:
    return (_YES if value else _NO) if isinstance(value, bool) else str(value)
