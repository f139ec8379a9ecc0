"""Makes the features of a new node from what a request gives: columns of a table, or features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import mixhop_tf
from datasets import DataError
from datasets.errors import few, short
from datasets.recipes.recipe import Recipe
from datasets.tables.faults import Faults
from datasets.tables.table import TEXT, Table
from mixhop_tf.models.servable import LARGEST
from trainers.runs.prediction import recipe_of
from trainers.serving.errors import CONFLICT, INVALID, RequestError

Cell = bool | int | float | str | None


class NodeFeatures:
    """Makes a row of features in the columns of a model.

    Args:
        model: The model. Its recipe says what a column becomes.
    """

    def __init__(self, model: mixhop_tf.SavedModel) -> None:
        recipe = recipe_of(model)
        self._width = model.num_features
        self._names = {name: i for i, name in enumerate(model.feature_names or ())}
        self.stand_ins = None if recipe is None else recipe.stand_ins
        fits = recipe is not None and recipe.feature_names == model.feature_names
        self._recipe: Recipe | None = recipe if fits and recipe and recipe.used else None

    def check_changeable(self) -> None:
        """Refuses changes if the features are computed from the edges.

        Raises:
            RequestError: They are, so that a change of an edge changes them.
        """
        if self.stand_ins is not None:
            raise RequestError(
                CONFLICT,
                "The model has no features but those computed from the edges, which a change would "
                "alter; train a model with features of the nodes to change the graph.",
            )

    @property
    def columns(self) -> list[str] | None:
        """The columns of a table that a node needs; None if the model has no recipe."""
        return None if self._recipe is None else [column.name for column in self._recipe.used]

    def row(
        self,
        columns: Mapping[str, Cell] | None,
        features: Sequence[float] | Mapping[str, float] | None,
    ) -> np.ndarray | None:
        """Makes the features of a node, float32 `[s]`; None if the request gives nothing.

        Raises:
            RequestError: The request gives both, or something that does not fit.
        """
        if columns is not None and features is not None:
            raise RequestError(INVALID, "Give a node `columns` or `features`, not both.")
        if columns is not None:
            return self._from_columns(columns)
        if features is not None:
            return self._from_features(features)
        return None

    def _from_columns(self, columns: Mapping[str, Cell]) -> np.ndarray:
        if self._recipe is None:
            raise RequestError(
                INVALID,
                "The model was not trained on a table, so it has no recipe for `columns`; give "
                f"`features`, {self._width:,} numbers.",
            )
        wanted = {column.name for column in self._recipe.used}
        cells = {name: _cell(name, value) for name, value in columns.items() if name in wanted}
        table = Table("the node", cells, 1)
        faults = Faults("the node")
        try:
            row = self._recipe.features(table, faults)
            faults.check()
        except DataError as error:
            raise RequestError(INVALID, short(error, 500)) from None
        return row.toarray()[0]

    def _from_features(self, features: Sequence[float] | Mapping[str, float]) -> np.ndarray:
        rule = f"`features` must be {self._width:,} numbers, or an object of names and numbers"
        row = np.zeros(self._width)
        if isinstance(features, Mapping):
            unknown = [name for name in features if self._place(name) is None]
            if unknown:
                raise RequestError(INVALID, f"The model has no feature {few(unknown)}.")
            for name, value in features.items():
                row[self._place(name)] = _number(value)
        elif len(features) != self._width:
            raise RequestError(INVALID, f"{rule}, but there are {len(features):,}.")
        else:
            row[:] = [_number(value) for value in features]
        if not np.all(np.abs(row) < LARGEST):
            raise RequestError(
                INVALID, f"`features` must be finite and less than {LARGEST:g} in magnitude."
            )
        return row.astype(np.float32)

    def _place(self, name: str) -> int | None:
        """The column of a feature, by its name or its number."""
        if self._names:
            return self._names.get(name)
        is_number = name.isascii() and name.isdigit() and len(name) < 12
        return int(name) if is_number and int(name) < self._width else None


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer of hundreds of digits
        return float("inf")


def _cell(name: str, value: Cell) -> Any:
    """A column of one row; null is a gap."""
    if value is None:
        return pa.array([""], TEXT)
    if isinstance(value, str):
        return pa.array([value], TEXT)
    if isinstance(value, bool):
        return pa.array([value], pa.bool_())
    number = _number(value)
    if not np.isfinite(number):
        raise RequestError(
            INVALID,
            f"the column {short(name, 40)!r} must hold a finite number; send null if unknown.",
        )
    return pa.array([number], pa.float64())
