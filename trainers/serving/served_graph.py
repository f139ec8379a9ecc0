"""`ServedGraph` answers questions about a graph by the ids of its nodes, and changes it."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

import datasets
import mixhop_tf
from datasets.errors import short
from mixhop_tf import FieldSizeError, LiveGraph, SettingError
from trainers.serving.errors import BUSY, CONFLICT, INVALID, RequestError
from trainers.serving.journal import Journal, Operation
from trainers.serving.node_features import NodeFeatures
from trainers.serving.node_ids import NodeIds
from trainers.sweeps.errors import RunError


@dataclasses.dataclass(frozen=True, eq=False)
class Part(mixhop_tf.Snapshot):
    """A part of the graph, with names.

    Args:
        position: Number of the node in question.
        class_names: Names of the classes.
        feature_names: Names of the features, if there are any.
        node_ids: Ids of the nodes.
    """

    position: int
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None
    node_ids: list[str]


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Turns an answer that depends on too many nodes into an error of the request."""
    try:
        yield
    except FieldSizeError as error:
        message = f"The answer depends on more than {error.limit:,} nodes; raise --max_field."
        raise RequestError(BUSY, message) from None


class ServedGraph:
    """A graph in memory, with the model that answers for its nodes.

    Readers see the graph before a change or after it. Changes are made one after the other: each is
    checked, written to the journal if there is one, and made.

    Args:
        graph: The graph as it was loaded.
        features: Its features in the columns of the model, `[n, s]`.
        model: The model.
        max_field: Largest number of nodes that an answer may depend on.
        max_changes: Largest number of nodes and edges that may be set or removed.

    Raises:
        RunError: The model cannot answer for single nodes.
    """

    def __init__(
        self,
        graph: datasets.Graph,
        features: Any,
        model: mixhop_tf.SavedModel,
        *,
        max_field: int,
        max_changes: int,
    ) -> None:
        if model.model is None:
            raise RunError(
                "The model was exported by an earlier version; train or export it again."
            )
        self.model, self.class_names = model, model.class_names
        self.features = NodeFeatures(model)
        self._ids = NodeIds(graph)
        self._live = LiveGraph(model.model, graph, features=features, max_field=max_field)
        self._max_changes = max_changes
        self._journal: Journal | None = None
        self._writing = threading.Lock()
        self._reading = threading.Lock()  # held while ids and graph change together
        self.num_changes = 0

    @property
    def num_nodes(self) -> int:
        """Number of nodes now."""
        return len(self._ids)

    @property
    def hops(self) -> int:
        """Number of hops that an answer depends on."""
        return self._live.hops

    @property
    def first(self) -> str:
        """Id of the first node that was loaded."""
        return self._ids.name(0)

    def use_journal(self, journal: Journal) -> int:
        """Makes the changes of a journal, and adds further ones to it; returns their number.

        Raises:
            RunError: A change does not fit the graph.
        """
        for number, operation in enumerate(journal.operations, start=1):
            try:
                self.change(operation)
            except (RequestError, LookupError, TypeError, ValueError) as error:
                raise RunError(
                    f"Change {number:,} of the journal does not fit the graph ({short(error)}); "
                    "name another journal."
                ) from None
        self._journal = journal
        return len(journal.operations)

    def answers(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Predicts nodes by their ids: `logits`, `probabilities`, `labels` and `field_size`.

        Raises:
            RequestError: There is no such node, or the answer depends on too many nodes.
        """
        try:
            with self._reading:
                numbers = [self._ids.number(name) for name in names]
            with _limited():
                answer = self._live.predict(numbers)
        except SettingError:  # removed after its number was found
            for name in names:
                self._ids.number(name)
            raise
        if not np.isfinite(answer["logits"]).all():
            raise RequestError(
                CONFLICT,
                "The answer is no finite number, because features nearby are too large; set "
                "smaller ones.",
            )
        return answer

    def nodes(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Describes nodes: id, label, probabilities by class, logits."""
        answer = self.answers(names)
        return [
            {
                "id": name,
                "label": self.class_names[int(label)],
                "probabilities": dict(zip(self.class_names, shares, strict=True)),
                "logits": logits,
                "field_size": int(answer["field_size"]),
            }
            for name, label, shares, logits in zip(
                names,
                answer["labels"],
                answer["probabilities"].tolist(),
                answer["logits"].tolist(),
                strict=True,
            )
        ]

    def neighbors(self, name: str) -> list[str]:
        """Lists the ids of the nodes that a node is joined to."""
        with self._reading:
            return self._ids.names(self._live.neighbors(self._ids.number(name)))

    def around(self, name: str) -> Part:
        """Copies the part of the graph that the answer for a node depends on.

        Raises:
            RequestError: There is no such node, or the part is too large.
        """
        with self._reading, _limited():
            number = self._ids.number(name)
            members, part = self._live.around([number])
            return Part(
                **vars(part),
                position=int(np.searchsorted(members, number)),
                class_names=self.class_names,
                feature_names=self.model.feature_names,
                node_ids=self._ids.names(members.tolist()),
            )

    def change(self, operation: Operation) -> bool:
        """Makes a change: `node`, `edges`, `remove_node` or `remove_edges`.

        Returns:
            Whether a node was added, or something removed.

        Raises:
            RequestError: The change does not fit; nothing is changed.
        """
        self.features.check_changeable()
        with self._writing:
            try:
                return self._ways[operation["do"]](self, operation)
            except SettingError as error:
                raise RequestError(INVALID, str(error)) from None

    def _put_node(self, operation: Operation) -> bool:
        name, live = operation["id"], self._live
        is_new = name not in self._ids
        row = self.features.row(operation.get("columns"), operation.get("features"))
        if is_new:
            self._ids.check_new(name)
            if row is None:
                raise RequestError(
                    INVALID, "A new node needs `columns`, or `features` in the model's columns."
                )
        node = live.num_nodes if is_new else self._ids.number(name)
        edges = []
        for other in operation.get("neighbors", ()):
            _check_ends(name, other["id"])
            ends = node, self._ids.number(other["id"])
            ends = ends[::-1] if other.get("incoming") else ends
            edges.append((*ends, other.get("weight")))
        change = live.check(node=node, features=row, edges=edges)
        self._write_down(operation)
        with self._reading:
            live.apply(change)
            if is_new:
                self._ids.add(name)
        return is_new

    def _put_edges(self, operation: Operation) -> bool:
        change = self._live.check(edges=self._triples(operation["edges"]))
        self._write_down(operation)
        self._live.apply(change)
        return False

    def _remove_node(self, operation: Operation) -> bool:
        name = operation["id"]
        number = self._ids.number(name)
        self._write_down(operation)
        with self._reading:
            self._live.remove_node(number)
            self._ids.remove(name)
        return True

    def _remove_edges(self, operation: Operation) -> bool:
        pairs = [triple[:2] for triple in self._triples(operation["edges"])]
        if not any(self._live.has_edge(*pair) for pair in pairs):
            return False
        self._write_down(operation)
        self._live.remove_edges(pairs)
        return True

    _ways = {  # noqa: RUF012  # never changed
        "node": _put_node,
        "edges": _put_edges,
        "remove_node": _remove_node,
        "remove_edges": _remove_edges,
    }

    def _triples(self, edges: Iterable[dict[str, Any]]) -> list[tuple[int, int, float | None]]:
        number, found = self._ids.number, []
        for each in edges:
            _check_ends(each["source"], each["target"])
            found.append((number(each["source"]), number(each["target"]), each.get("weight")))
        return found

    def _write_down(self, operation: Operation) -> None:
        """Counts a change that fits, and puts it into the journal."""
        count = 1 + len(operation.get("edges", ())) + len(operation.get("neighbors", ()))
        if self.num_changes + count > self._max_changes:
            raise RequestError(
                CONFLICT,
                f"The server has taken {self.num_changes:,} changes, and its limit is "
                f"{self._max_changes:,}; start it with a larger --max_changes.",
            )
        if self._journal is not None:
            try:
                self._journal.append(operation)
            except OSError as error:
                raise RequestError(
                    BUSY,
                    f"The journal cannot be written ({error.strerror}), so nothing was changed; "
                    "free some space and try again.",
                ) from None
        self.num_changes += count


def _check_ends(source: str, target: str) -> None:
    if source == target:
        raise RequestError(
            INVALID, f"An edge joins two different nodes, not {short(source, 40)!r} with itself."
        )
