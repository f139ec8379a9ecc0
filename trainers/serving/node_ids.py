"""Finds the number of a node by its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import datasets
from datasets.checks import MAX_NAME
from datasets.errors import short
from trainers.serving.errors import INVALID, UNKNOWN, RequestError

_EXPLANATION = "/explanation"  # how the address of an explanation ends


class NodeIds:
    """The ids of a graph's nodes; without ids, a node's number is its id.

    Args:
        graph: The graph as it was loaded.
    """

    def __init__(self, graph: datasets.Graph) -> None:
        numbers: Any = map(str, range(graph.num_nodes))
        self._ids: list[str | None] = list(
            numbers if graph.node_ids is None else graph.node_ids.tolist()
        )
        self._numbers = {name: number for number, name in enumerate(self._ids) if name is not None}

    def __contains__(self, name: str) -> bool:
        return name in self._numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, name: str) -> int:
        """Returns the number of a node.

        Raises:
            RequestError: There is no such node.
        """
        found = self._numbers.get(name)
        if found is None:
            raise RequestError(
                UNKNOWN, f"The graph has no node {short(name, 80)!r}; add it with POST /nodes."
            )
        return found

    def name(self, number: int) -> str:
        """Returns the id of a node that is there."""
        return self._ids[number] or ""

    def names(self, numbers: Sequence[int]) -> list[str]:
        """Returns the ids of nodes."""
        return [self.name(number) for number in numbers]

    def check_new(self, name: str) -> None:
        """Refuses an id that no node may have.

        Raises:
            RequestError: It is empty, too long or not printable.
        """
        if not name.strip() or name != name.strip() or not name.isprintable():
            rule = "must be printable text without space at its ends"
        elif len(name) > MAX_NAME:
            rule = f"must have {MAX_NAME:,} characters at most"
        elif name.endswith(_EXPLANATION):
            rule = f"must not end in {_EXPLANATION}, which is the address of an explanation"
        else:
            return
        raise RequestError(INVALID, f"The id of a node {rule}; it is {short(name, 40)!r}.")

    def add(self, name: str) -> None:
        """Gives the next number to an id."""
        self._numbers[name] = len(self._ids)
        self._ids.append(name)

    def remove(self, name: str) -> None:
        """Forgets an id; its number is not used again."""
        self._ids[self._numbers.pop(name)] = None
