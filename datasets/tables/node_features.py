"""Makes the features of nodes from a table of nodes, or from sparse triplets."""

from __future__ import annotations

import logging

import numpy as np
import scipy.sparse as sp

from datasets.class_index import class_index
from datasets.errors import DataError, few, short
from datasets.recipes.cells import as_numbers, refuse_infinite, words_of
from datasets.recipes.columns import LeftOut
from datasets.recipes.fit import fit_columns
from datasets.recipes.recipe import Recipe
from datasets.tables.faults import Faults
from datasets.tables.nodes import Nodes
from datasets.tables.sources import Role, Sources, Wishes
from datasets.tables.table import Table

log = logging.getLogger(__name__)


def triplets(table: Table, nodes: Nodes) -> tuple[sp.csr_array, tuple[str, ...]]:
    """Sparse features; `[nodes so far, s]`."""
    faults = table.faults()
    rows = nodes.find(table, faults, "node")[:, 0]
    names = words_of(table, "feature")
    if "" in names.values:
        empty = names.values.index("")
        faults.add_rows(
            np.flatnonzero(names.places == empty), lambda _: "the feature has no name; write one"
        )
    values = as_numbers(table, "value", faults)
    refuse_infinite(values, faults)
    faults.add_rows(
        np.flatnonzero(np.isnan(values)),
        lambda _: "'' in column 'value' is not a number; write one",
    )
    keys = rows * len(names.values) + names.places
    order = np.argsort(keys, kind="stable")
    again = order[1:][np.diff(keys[order]) == 0]
    ids = table.texts("node")
    faults.add_rows(
        again,
        lambda row: (
            f"feature {short(names.values[names.places[row]])!r} of node "
            f"{short(ids[row].as_py(), 100)!r} is listed twice; remove one line"
        ),
    )
    faults.check()
    place, features = class_index(names.values)
    data = values.astype(np.float32)
    shape = len(nodes), len(features)
    return sp.csr_array((data, (rows, place[names.places])), shape=shape), features


def features(
    sources: Sources, wishes: Wishes, faults: Faults
) -> tuple[sp.csr_array, Recipe] | None:
    """The features of the table of nodes and how they are made; None if it has none."""
    recipe = recipe_of(sources, wishes, faults)
    if recipe is None or sources.nodes is None:
        return None
    return recipe.features(sources.nodes.table, faults), recipe


def recipe_of(sources: Sources, wishes: Wishes, faults: Faults) -> Recipe | None:
    """How the features of the table of nodes are made; None if there are none."""
    role = sources.nodes
    if role is None or (wishes.recipe is not None and wishes.recipe.stand_ins):
        return None
    table, recipe = role.table, wishes.recipe
    if recipe is not None and recipe.is_plain and recipe.missing(table):
        recipe = None  # whoever asked finds the columns by their names
    if recipe is None:
        return fitted(role, sources, wishes, faults)
    taken = {role.id, role.other, *_split_column(sources)}
    for note in recipe.notes(table, taken):
        log.info("%s: %s", table.name, note)
    return recipe


def _split_column(sources: Sources) -> list[str]:
    split = sources.split
    own = split is not None and sources.nodes is not None and split.table is sources.nodes.table
    return [split.other] if split is not None and own else []


def fitted(role: Role, sources: Sources, wishes: Wishes, faults: Faults) -> Recipe:
    """Decides what the columns of a table of nodes become."""
    table = role.table
    taken = {role.id, role.other, *_split_column(sources)}
    unknown = [name for name in (*wishes.ignore, *wishes.features) if name not in table.columns]
    if unknown:
        raise DataError(
            f"{table.name} has no column {few(unknown)}; its columns are "
            f"{few(list(table.columns), 12)}."
        )
    names = [name for name in table.columns if name not in taken]
    if wishes.features:
        ignored = {name for name in names if name not in wishes.features}
    else:
        ignored = set(wishes.ignore)
    columns = fit_columns(table, names, faults, ignored | set(wishes.ignore))
    left_out = [each for each in columns if isinstance(each, LeftOut) and each.name not in ignored]
    if left_out:
        shown = [f"{short(each.name, 40)} ({each.reason})" for each in left_out]
        log.info("%s: columns left out: %s", table.name, few(shown, 10))
    return Recipe(tuple(columns))
