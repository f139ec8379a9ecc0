"""What every kind of input has in common."""

from __future__ import annotations

import abc
import random
from pathlib import Path
from typing import Any

from tests.fuzz import corpus
from tests.fuzz.corpus import Files
from tests.fuzz.outcome import Outcome, outcome_of


class Kind(abc.ABC):
    """A kind of input that is read without TensorFlow.

    Attributes:
        name: Name of the kind and of its folder in the corpus.
        memory: Bytes of address space that a case may use.
        workers: Maximum number of processes.
        renewed_after: Number of cases after which a process is replaced.
    """

    name: str
    memory: int | None = 2 * 2**30
    workers = 8
    renewed_after = 10**9

    def examples(self) -> list[Files]:
        """Reads the files that cases start from."""
        return corpus.examples(self.name)

    def start(self) -> None:
        """Imports the readers, once per process."""
        self._examples = self.examples()

    def case(self, rng: random.Random) -> Files:
        """Makes the files of a case."""
        files = dict(rng.choice(self._examples))
        for _ in range(rng.choice((1, 1, 1, 2))):
            name = rng.choice(sorted(files))
            other = rng.choice(self._examples).get(name, b"")
            files[name] = self.mutated(rng, name, files[name], other)
        if len(files) > 1 and rng.random() < 0.02:
            del files[rng.choice(sorted(files))]
        return files

    @abc.abstractmethod
    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        """Changes one of the files."""

    @abc.abstractmethod
    def outcome(self, folder: Path) -> Outcome:
        """Reads the files in a folder and returns the outcome."""


def load(path: Path, **options: Any) -> None:
    """Loads a graph and computes with it."""
    import datasets

    graph = datasets.load(path, **options)
    graph.homophily()
    graph.degrees()
    graph.undirected()


class GraphKind(Kind):
    """A kind of graph, in a folder or in one file."""

    file: str | None = None
    has_directions = True

    def start(self) -> None:
        super().start()
        import networkx  # noqa: F401

        import datasets  # noqa: F401

    def outcome(self, folder: Path) -> Outcome:
        path = folder / self.file if self.file else folder
        first = outcome_of(lambda: load(path))
        if first.is_finding:
            return first
        options = {"class_names": ["a", "b"], "make_split": False, "directed": self.has_directions}
        return outcome_of(lambda: load(path, **options))
