"""Reads GraphML, GEXF and GML files: their node attributes are the columns of a table."""

from __future__ import annotations

import collections
import logging
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import numpy as np
import pyarrow as pa

from datasets.errors import DataError, few, short
from datasets.formats.networkx_edges import WEIGHT, networkx_edges
from datasets.graph import Graph
from datasets.memory import check_fits
from datasets.options import TableOptions
from datasets.paths import readable_name
from datasets.tables.build import build
from datasets.tables.edge_list import ENDS
from datasets.tables.sources import Role, Sources, Wishes
from datasets.tables.table import TEXT, Table, described

if TYPE_CHECKING:
    import networkx as nx

log = logging.getLogger(__name__)

_NAMES = {".graphml": "GraphML", ".gexf": "GEXF", ".gml": "GML"}
ENDINGS = tuple(_NAMES)
_ENTRY = 100  # bytes that an attribute of a node takes at least
_ID = " id"  # no attribute has this name, because names are stripped
# Where Gephi and others draw a node, and how large.
_GEPHI = {"x", "y", "r", "g", "b"}
_LAYOUT = {*_GEPHI, "z", "size", "viz", "graphics", "color", "alpha"}
_GEXF_WEIGHT = 1.0  # GEXF's definition: the weight of an edge without one
_DISTINCT = 20  # labelled nodes from which a label for each is taken for a name


def read(path: Path, options: TableOptions, wishes: Wishes) -> Graph:
    """Reads a file.

    The node attribute `label`, or the one that the options name, holds the class, and `split` the
    split. Every other attribute is a column, from which features are made. The edge attribute
    `weight`, or the one that the options name, holds the weight.

    Raises:
        DataError: The file is damaged, or has no labels.
    """
    graph = _networkx(path)
    if not len(graph):
        raise DataError(f"{path}: the graph is empty: it has no nodes.")
    return build(_sources(path, graph, options, wishes), wishes)


def _networkx(path: Path) -> nx.Graph:
    """The file as networkx reads it."""
    import networkx as nx

    readers: dict[str, Callable[[], nx.Graph]] = {
        ".graphml": lambda: nx.read_graphml(path),
        ".gexf": lambda: nx.read_gexf(path),
        ".gml": lambda: nx.read_gml(path, label="id"),
    }
    kind = path.suffix.lower()
    try:
        if kind == ".graphml":
            _check_defaults(path)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graph = readers[kind]()
    except (DataError, MemoryError, OSError):
        raise
    except Exception as error:  # networkx and its parsers raise many kinds
        raise DataError(
            f"{path} cannot be read as {_NAMES[kind]} ({short(error)}); correct it or write it "
            "again."
        ) from None
    for text in sorted({short(warning.message) for warning in caught}):
        log.info("%s: %s", path, text)
    return graph


def _check_defaults(path: Path) -> None:
    """Refuses a file whose defaults do not fit into memory: networkx copies each to every node."""
    content = path.read_bytes()
    if b"default" not in content:
        return
    counts: collections.Counter[str] = collections.Counter()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda name, _: counts.update([name.rsplit(" ", 1)[-1]])
    parser.Parse(content, True)
    elements = counts["node"] + counts["edge"]
    check_fits(f"{path}, with its defaults on every node,", counts["default"] * elements * _ENTRY)


def _sources(path: Path, graph: nx.Graph, options: TableOptions, wishes: Wishes) -> Sources:
    columns = _columns(path, graph)
    key = _ID
    if options.id is not None:
        key = options.id
        if key not in columns:
            raise DataError(
                f"{path}: no node has the attribute {short(key)!r} for its id; the attributes are "
                f"{described([name for name in columns if name != _ID])}."
            )
        del columns[_ID]
    table = Table(str(path), columns, len(graph))
    label = _label(table, options, wishes)
    ids = table.texts(key).to_pylist()
    return Sources(
        where=str(path),
        name=readable_name(path.stem),
        edges=[_edges(path, graph, ids, options, wishes)],
        nodes=Role(table, key, label),
        lists_all=True,
        split=Role(table, key, "split") if "split" in columns else None,
    )


def _edges(
    path: Path, graph: nx.Graph, ids: list[str], options: TableOptions, wishes: Wishes
) -> Role:
    pairs, weights = networkx_edges(
        str(path),
        graph,
        weight=options.weight,
        directed=wishes.directed,
        default=_GEXF_WEIGHT if path.suffix.lower() == ".gexf" else None,
    )
    names = np.array(ids, object)
    columns = {end: pa.array(names[pairs[:, i]], TEXT) for i, end in enumerate(ENDS)}
    if weights is not None:
        columns[WEIGHT] = pa.array(weights)
    table = Table(str(path), columns, len(pairs))
    return Role(table, *ENDS, weight="" if weights is None else WEIGHT)


def _label(table: Table, options: TableOptions, wishes: Wishes) -> str:
    """The attribute with the class."""
    label = options.label or "label"
    others = described([name for name in table.columns if name not in (_ID, "label")])
    if label not in table.columns:
        if wishes.class_names is not None:
            return ""
        raise DataError(
            f"{table.name}: no node has the attribute {short(label)!r}; name the attribute that "
            f"holds the class with the option label; the attributes are {others or 'none'}."
        )
    if options.label is None:
        labels = [word for word in table.texts(label).to_pylist() if word]
        if len(labels) >= _DISTINCT and len(set(labels)) > len(labels) / 2:
            raise DataError(
                f"{table.name}: nearly every node has another {label!r}, so it is a name and not a "
                "class; name the attribute that holds the class with the option label; the "
                f"attributes are {others or 'none'}."
            )
    return label


def _columns(path: Path, graph: nx.Graph) -> dict[str, Any]:
    """The attributes of the nodes as columns, in order of appearance, without the layout."""
    rows = [attributes for _, attributes in graph.nodes(data=True)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    is_gephi = set(names) >= _GEPHI
    layout = [n for n in names if n in ("viz", "graphics") or (is_gephi and n in _LAYOUT)]
    if layout:
        log.info("%s: how nodes are drawn is not used: %s", path, few(layout, 10))
    columns: dict[str, Any] = {_ID: pa.array([_text(node) for node in graph], TEXT)}
    for name in names:
        key = str(name).strip()
        if name in layout or not key:
            continue
        if key in columns:
            raise DataError(f"{path}: the attribute {short(key)!r} appears twice; rename one.")
        columns[key] = _column([row.get(name) for row in rows])
    return columns


def _column(values: list[Any]) -> Any:
    """A column of numbers, of truth values, or of text."""
    known = [value for value in values if value is not None]
    try:
        if known and all(type(value) is bool for value in known):
            return pa.array(values, pa.bool_())
        if known and all(type(value) in (int, float) for value in known):
            floats = [None if value is None else float(value) for value in values]
            return pa.array(floats, pa.float64())
    except (OverflowError, pa.ArrowException):
        pass
    return pa.array([_text(value) for value in values], TEXT)


def _text(value: Any) -> str:
    """A value as text that UTF-8 can hold."""
    if value is None or value != value:
        return ""
    try:
        text = str(value)
    except ValueError:  # Python does not convert integers of more than 4,300 digits to text
        text = short(value)
    return text.encode("utf-8", "replace").decode()
