"""Finds the columns that have a meaning in each table of a graph."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from datasets.errors import DataError, short
from datasets.options import TableOptions
from datasets.tables import files
from datasets.tables.edge_list import ENDS
from datasets.tables.sources import Role
from datasets.tables.table import Table, described
from datasets.tables.weights import weight_column


@dataclasses.dataclass
class Found:
    """The file of each role."""

    edges: list[Path] = dataclasses.field(default_factory=list)
    nodes: Path | None = None
    labels: Path | None = None
    split: Path | None = None

    def all(self) -> list[Path]:
        """All files that have a role."""
        return [*self.edges, *filter(None, (self.nodes, self.labels, self.split))]


def edges_role(path: Path, options: TableOptions) -> Role:
    """A table of edges."""
    return edges_in(files.read_edges(path, options, ["source", "target"]), options)


def edges_in(table: Table, options: TableOptions) -> Role:
    """The columns of the ends and of the weights in a table of edges."""
    ends = options.ends(table.columns)
    if ends is None and list(table.columns)[:2] == list(ENDS) and len(table.columns) <= 3:
        ends = ENDS  # a list of edges without a header
    if ends is None:
        table.require(options.source or "source", options.target or "target")
        raise AssertionError("one of the two is missing")
    return Role(table, *ends, weight=weight_column(table, ends, options))


def nodes_role(
    table: Table, options: TableOptions, *, needs_label: bool, has_labels: bool = False
) -> Role:
    """A table with a row for each node.

    Args:
        table: The table.
        options: Names of the columns.
        needs_label: Whether a missing column of the option `label` is an error.
        has_labels: Whether another table has the labels.
    """
    key = options.id_in(table.columns)
    if key is None:
        wanted = f"the column {options.id!r} is missing" if options.id else "no column has the ids"
        raise DataError(
            f"{table.name}: {wanted}; name the column with the ids of the nodes with the option "
            f"id; the columns are {described(list(table.columns))}."
        )
    label = options.label_in(table.columns)
    if label is None and (needs_label and options.label):
        raise DataError(
            f"{table.name} has no column {short(options.label)!r} for the label; the columns are "
            f"{described(list(table.columns))}."
        )
    # Without the option, a column called label is the label only if there is no other table of it.
    return Role(table, key, (label or "") if options.label or not has_labels else "")


def labels_role(path: Path, options: TableOptions) -> Role:
    """A table of labels."""
    table = files.read(path, options, ["node", "label"])
    key = options.id_in(table.columns) or options.id or "node"
    label = options.label_in(table.columns) or options.label or "label"
    table.require(key, label)
    return Role(table, key, label)


def split_role(path: Path, options: TableOptions) -> Role:
    """A table of splits."""
    table = files.read(path, options, ["node", "split"])
    key = options.id_in(table.columns) or "node"
    table.require(key, "split")
    return Role(table, key, "split")
