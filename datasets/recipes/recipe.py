"""`Recipe` makes the features of a table in the same way as those of the training table."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from collections.abc import Collection
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.checks import MAX_NAME
from datasets.errors import DataError, few, short
from datasets.recipes.columns import Category, Column, LeftOut, Number, Truth
from datasets.structural import STAND_INS
from datasets.tables.faults import Faults
from datasets.tables.table import Table

VERSION = 1
_KINDS: dict[str, type[Any]] = {each.kind: each for each in (Number, Truth, Category, LeftOut)}


@dataclasses.dataclass(frozen=True)
class Recipe:
    """What the columns of a table become, or which stand-ins replace missing features.

    Args:
        columns: What each column becomes.
        stand_ins: `spectral` or `local` for a graph without features (see `structural.py`).
        edges: Fingerprint of the graph from which spectral stand-ins were computed.
    """

    columns: tuple[Column, ...] = ()
    stand_ins: str | None = None
    edges: str | None = None

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features that the columns give."""
        return tuple(name for column in self.columns for name in column.outputs)

    @property
    def used(self) -> list[Number]:
        """The columns that give features."""
        return [column for column in self.columns if not isinstance(column, LeftOut)]

    @property
    def is_plain(self) -> bool:
        """Whether every column is a number without gaps, so that features are the cells."""
        return all(column.kind == "number" and not column.gaps for column in self.used)

    @property
    def _names(self) -> set[str]:
        return {column.name for column in self.columns}

    def missing(self, table: Table) -> list[str]:
        """Columns that give features and are not in a table."""
        return [column.name for column in self.used if column.name not in table.columns]

    def features(self, table: Table, faults: Faults) -> sp.csr_array:
        """Makes the features of a table, `[n, s]`.

        Args:
            table: The table.
            faults: Gets the cells that are no numbers.

        Raises:
            DataError: Columns are missing; the message lists them.
        """
        matrix = self.matrix(table, faults)
        return matrix if sp.issparse(matrix) else dense_csr(matrix)

    def matrix(self, table: Table, faults: Faults) -> np.ndarray | sp.csr_array:
        """Makes the features of a table, `[n, s]`, dense if no column is a category."""
        missing = self.missing(table)
        if missing:
            raise DataError(
                f"{table.name} lacks columns that the model takes ({len(missing)} in all): "
                f"{few(missing)}; add them."
            )
        with np.errstate(over="ignore"):  # what float32 cannot hold is among the faults
            blocks: list[Any] = [column.features(table, faults) for column in self.used]
        if not blocks:
            return np.empty((table.num_rows, 0), np.float32)
        if all(isinstance(block, np.ndarray) for block in blocks):
            return np.hstack(blocks)
        joined: list[Any] = []
        for dense, group in itertools.groupby(blocks, lambda block: isinstance(block, np.ndarray)):
            parts = list(group)
            joined += [sp.csr_array(np.hstack(parts))] if dense else parts
        return sp.csr_array(sp.hstack(joined, format="csr"))

    def notes(self, table: Table, taken: Collection[str] = ()) -> list[str]:
        """What is worth knowing about a new table: columns and words that were not in training.

        Args:
            table: The table.
            taken: Columns that are no features, such as the id.
        """
        found = []
        extra = [each for each in table.without(self._names) if each not in taken]
        if extra:
            found.append(f"columns that the model does not have are not used: {few(extra, 10)}")
        for column in self.used:
            if isinstance(column, Category) and (unseen := column.unseen(table)):
                fate = "count as other" if column.other else "count as none"
                found.append(f"words in {short(column.name)!r} that {fate}: {few(unseen)}")
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain containers, for JSON."""
        columns = [{"kind": each.kind, **dataclasses.asdict(each)} for each in self.columns]
        return {
            "version": VERSION,
            "columns": columns,
            "stand_ins": self.stand_ins,
            "edges": self.edges,
        }

    @classmethod
    def from_dict(cls, content: Any) -> Recipe:
        """Reads what `to_dict` wrote, and checks it.

        Raises:
            DataError: The content is not a recipe, or one of a later version.
        """
        try:
            if content["version"] != VERSION:
                raise DataError(
                    f"The recipe has version {short(content['version'])}, but this program reads "
                    f"version {VERSION}; use a newer program."
                )
            columns = tuple(_column(each) for each in content["columns"])
            recipe = cls(columns, content["stand_ins"], content["edges"])
            if recipe.stand_ins not in (None, *STAND_INS):
                raise ValueError("unknown stand-ins")
            if recipe.edges is not None and not isinstance(recipe.edges, str):
                raise ValueError("the fingerprint is no text")
            for names in (recipe.feature_names, [each.name for each in columns]):
                if len(set(names)) != len(names):
                    raise ValueError("a name comes twice")
            return recipe
        except DataError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DataError(
                f"The recipe of the columns is damaged ({short(error)}); train the model again."
            ) from None


def dense_csr(matrix: np.ndarray) -> sp.csr_array:
    """Converts a dense matrix to CSR without zeros, faster than SciPy."""
    counts = np.count_nonzero(matrix, axis=1)
    total = int(counts.sum())
    kind = np.int32 if max(total, *matrix.shape) <= np.iinfo(np.int32).max else np.int64
    indptr = np.concatenate([np.zeros(1, kind), np.cumsum(counts, dtype=kind)])
    if total == matrix.size:
        indices = np.tile(np.arange(matrix.shape[1], dtype=kind), len(matrix))
        return sp.csr_array((matrix.ravel(), indices, indptr), shape=matrix.shape)
    kept = matrix != 0
    columns = np.broadcast_to(np.arange(matrix.shape[1], dtype=kind), matrix.shape)
    return sp.csr_array((matrix[kept], columns[kept], indptr), shape=matrix.shape)


def _column(content: dict[str, Any]) -> Column:
    fields = dict(content)
    made = _KINDS[fields.pop("kind")]
    for name in ("outputs", "words"):
        if name in fields:
            if not isinstance(fields[name], list):
                raise ValueError(f"{name} is no list")
            fields[name] = tuple(fields[name])
    column = made(**fields)
    texts = [column.name, *column.outputs, *getattr(column, "words", ())]
    texts += [column.reason] if isinstance(column, LeftOut) else []
    if not all(isinstance(text, str) and len(text) <= 2 * MAX_NAME for text in texts):
        raise ValueError("a name is no text")
    json.dumps(texts, ensure_ascii=False).encode()  # text that UTF-8 cannot hold
    counts = [getattr(column, name) for name in ("gaps", "other") if hasattr(column, name)]
    if not all(type(count) is int and 0 <= count < 2**63 for count in counts):
        raise ValueError("a count is no number")
    if len(column.outputs) not in _widths(column):
        raise ValueError(f"column {short(column.name)!r} has the wrong number of features")
    return column


def _widths(column: Column) -> tuple[int, ...]:
    """How many features a column of this kind gives."""
    if isinstance(column, LeftOut):
        return (0,)
    if type(column.mean) not in (int, float) or not math.isfinite(column.mean):
        raise ValueError("a mean is no number")
    if isinstance(column, Category):
        return (len(column.words) + bool(column.other) + bool(column.gaps),)
    return (2,) if column.gaps else (1,)
