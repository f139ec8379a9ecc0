"""Converts tables to a store in parts, in stages that a later process can continue."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.checks import IntArray
from datasets.errors import DataError
from datasets.formats.table_folder import sources_of
from datasets.graph import Graph
from datasets.memory import check_fits
from datasets.options import IGNORED, TableOptions
from datasets.recipes.recipe import Recipe
from datasets.store.arrays import finish as finish_array
from datasets.store.buckets import ENTRIES, Plan, add_edges
from datasets.store.columns import Columns
from datasets.store.feature_parts import write_parts
from datasets.store.ids import write_ids
from datasets.store.job import Job
from datasets.store.manifest import ArrayFile, Manifest
from datasets.store.parts import PART, ListParts, Parts, Unstreamable, num_rows, parts_of
from datasets.store.progress import Progress
from datasets.store.spool import Spool, closing
from datasets.store.writer import finish, finish_rows, plain, write_bucket, write_labels
from datasets.tables.build import (
    check_listed,
    list_all,
    numbered,
    split_of,
    words_of_labels,
)
from datasets.tables.node_features import recipe_of
from datasets.tables.nodes import Nodes
from datasets.tables.roles import Found, edges_in
from datasets.tables.sources import TRIPLETS, Sources, Wishes
from datasets.tables.table import Table
from datasets.tables.weights import check_all_weighted, weights_of

_NEEDED = 2**29 + 16 * PART + 40 * ENTRIES  # bytes of memory, besides 100 for each node
_PER_NODE = 100


@dataclasses.dataclass(frozen=True)
class Listed:
    """What the table of nodes gives.

    Args:
        sources: The tables, without those of edges.
        nodes: The ids.
        recipe: How features are made.
    """

    sources: Sources
    nodes: Nodes
    recipe: Recipe


class Stream:
    """Converts the tables of a graph.

    Args:
        path: The graph.
        found: Which file has which role.
        options: Names of columns.
        wishes: Which columns are features.
        job: What is done already.

    Raises:
        Unstreamable: The graph must be loaded as a whole.
    """

    def __init__(self, path: Path, found: Found, options: TableOptions, wishes: Wishes, job: Job):
        if not found.nodes:
            raise Unstreamable("no table lists all nodes with features")
        self._path, self._found, self._options, self._wishes = path, found, options, wishes
        self._job, self._store = job, job.folder / "store"
        self._nodes = parts_of(found.nodes, options, is_edges=False)
        self._edges = [parts_of(each, options, is_edges=True) for each in found.edges]
        if set(self._nodes.columns) == set(TRIPLETS) or not options.id_in(self._nodes.columns):
            raise Unstreamable("no table lists all nodes with features")

    def run(self, split: Callable[[Graph], Graph]) -> Path:
        """Runs all stages, or those that are left.

        Args:
            split: Gives the graph another split.

        Returns:
            The folder of the finished store.
        """
        check_fits(f"The conversion of {self._path}", _NEEDED)
        table = self._table()
        listed = self._listed(table)
        graph = split(self._labelled(listed))
        check_fits(f"The conversion of {self._path}", _NEEDED + _PER_NODE * graph.num_nodes)
        try:
            out = Spool(self._store, self._job.done.get("store"))
        except ValueError:
            out = Spool(self._store)
            self._job.save(store=None, features=None, rows=None)
        with closing(out):
            kind = self._features(out, listed)
            plan, directed = self._plan(graph.num_nodes), self._wishes.directed
            work = self._buckets(plan, listed.nodes)
            self._rows(out, plan, work)
            num_edges, names = finish_rows(work, out, plan, directed, graph.name)
        names += [name for name, *_ in kind[1]]
        id_kind, id_names = write_ids(self._store, listed.nodes.ids)
        names += id_names + write_labels(self._store, graph)
        for name, dtype, shape in kind[1]:
            finish_array(self._store / name, dtype, tuple(shape))
        for each in self._store.glob("*counts"):
            each.unlink()
        manifest = Manifest(
            name=graph.name,
            num_nodes=graph.num_nodes,
            num_edges=num_edges,
            num_features=len(listed.recipe.feature_names),
            directed=directed,
            weighted=plan.weighted,
            features=kind[0],
            node_ids=id_kind,
            class_names=graph.class_names,
            feature_names=listed.recipe.feature_names,
            recipe=plain(listed.recipe),
            digest={"split": "", "value": ""},
            files=dict.fromkeys(names, ArrayFile("", (), "")),
        )
        finish(self._store, manifest)
        return self._store

    def _table(self) -> Table:
        """Stage 1: the columns of the nodes, in files."""
        parts, done = self._nodes, self._job.done.get("nodes") or {}
        folder = self._job.folder / "nodes"
        try:
            spool = Spool(folder, done.get("files"))
        except ValueError:
            done, spool = {}, Spool(folder)
        key = self._options.id_in(parts.columns) or ""
        ignored = set(self._wishes.ignore)
        columns = Columns(spool, parts.columns, key, ignored, done.get("state"))
        position, last = done.get("position", 0), None
        with closing(spool), Progress(parts.path.name, parts.size, position) as progress:
            for after, part in parts.read(position):
                columns.append(part)
                last = part
                files = spool.mark()
                self._job.save(nodes={"position": after, "files": files, "state": columns.state()})
                progress.at(after)
        if last is None:
            last = next((part for _, part in parts.read()), None)
        if last is None:
            raise Unstreamable("it lists no nodes")
        lines = None if last.lines is None else self._lines
        return dataclasses.replace(columns.table(last), lines=lines)

    def _lines(self) -> list[int]:
        """The line of each row, for a message."""
        parts = (part.lines for _, part in self._nodes.read() if part.lines)
        return list(itertools.chain.from_iterable(lines() for lines in parts))

    def _listed(self, table: Table) -> Listed:
        wishes, nodes = self._wishes, Nodes()
        sources = sources_of(self._path, self._found, [], table, self._options, wishes.class_names)
        if sources.nodes is None or not sources.lists_all:
            raise Unstreamable("no table lists all nodes with features")
        faults = table.faults()
        list_all(sources, nodes, faults)
        recipe = recipe_of(sources, wishes, faults)
        check_listed(sources, nodes, faults)
        if recipe is None or not recipe.used:
            raise Unstreamable("its features are computed from the edges")
        return Listed(sources, nodes, recipe)

    def _labelled(self, listed: Listed) -> Graph:
        """A graph without edges and features, which has the labels and splits."""
        sources, nodes, num_nodes = listed.sources, listed.nodes, len(listed.nodes)
        words = words_of_labels(sources, nodes, self._wishes)
        labels, classes, where = numbered(sources, words, num_nodes, self._wishes.class_names)
        if not classes:
            raise DataError(f"{where} has no labels; label at least one node.")
        return Graph(
            name=sources.name,
            num_nodes=num_nodes,
            num_classes=len(classes),
            features=sp.csr_array(np.empty((num_nodes, 0), np.float32)),
            edges=np.empty((0, 2), np.int64),
            labels=labels,
            class_names=classes,
            **split_of(sources, nodes, labels),  # type: ignore[arg-type]  # these are the splits
        )

    def _features(self, out: Spool, listed: Listed) -> tuple[str, list[Any]]:
        """Stage 2: the features."""
        done = self._job.done.get("features")
        if done is None:
            role = listed.sources.nodes
            if role is None:
                raise AssertionError("the nodes are listed")
            done = write_parts(out, listed.recipe, role.table)
            self._job.save(features=done, store=out.mark())
        return done[0], done[1]

    def _plan(self, num_nodes: int) -> Plan:
        weights = [self._weight(parts) for parts in self._edges]
        rows = sum(map(num_rows, self._edges))
        sides = 1 if self._wishes.directed else 2
        return Plan.of(num_nodes, sides * rows, any(weights))

    def _weight(self, parts: Parts) -> str:
        """The column of the weights; what it is may depend on all of the cells."""
        wanted = self._options.weight
        if wanted == IGNORED:
            return ""
        ends = self._options.ends(parts.columns) or tuple(parts.columns[:2])
        found = self._options.weight_in([name for name in parts.columns if name not in ends])
        if found and not wanted and isinstance(parts, ListParts):
            raise Unstreamable("its third cells are weights only if all are positive numbers")
        return found or ""

    def _buckets(self, plan: Plan, nodes: Nodes) -> Path:
        """Stage 3: the edges, in buckets."""
        folder = self._job.folder / "edges"
        done = self._job.done.get("edges") or {}
        try:
            spool = Spool(folder, done.get("files"))
        except ValueError:
            done, spool = {}, Spool(folder)
        at, position = done.get("file", 0), done.get("position", 0)
        total = sum(parts.size for parts in self._edges)
        before = sum(parts.size for parts in self._edges[:at])
        name = self._edges[0].path.name
        with closing(spool), Progress(name, total, before + position) as progress:
            for place, parts in enumerate(self._edges[at:], at):
                for after, edges, weights in self._pairs(parts, position, nodes):
                    add_edges(spool, plan, edges, weights, self._wishes.directed)
                    state = {"file": place, "position": after, "files": spool.mark()}
                    self._job.save(edges=state)
                    progress.at(before + after)
                before, position = before + parts.size, 0
        return folder

    def _pairs(
        self, parts: Parts, position: int, nodes: Nodes
    ) -> Iterator[tuple[int, IntArray, np.ndarray | None]]:
        for after, table in parts.read(position):
            role = edges_in(table, self._options)
            check_all_weighted([role])
            faults = table.faults()
            pairs = nodes.find(table, faults, role.id, role.other)
            weights = weights_of(role, faults) if role.weight else None
            faults.check()
            yield after, pairs, weights

    def _rows(self, out: Spool, plan: Plan, work: Path) -> None:
        """Stage 4: the buckets, sorted into rows."""
        start = self._job.done.get("rows") or 0
        with Progress("sorting edges", plan.count, start, "bucket") as progress:
            for bucket in range(start, plan.count):
                write_bucket(work, out, plan, bucket, self._wishes.directed, str(self._path))
                self._job.save(rows=bucket + 1, store=out.mark())
                progress.at(bucket + 1)
