"""A task in a worker process of a Ray cluster. Nothing of Ray is imported here."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trainers.sweeps.versions import versions

_PACKAGES = ("datasets", "mixhop_tf", "trainers")
_COMMIT = "mixhop"  # among the versions


class Unfit(str):
    """The answer of a node on which no task can be executed: one sentence about the reason."""

    __slots__ = ()


@dataclasses.dataclass(frozen=True)
class Origin:
    """The process that started the tasks, as a worker needs to know it.

    Args:
        folder: Its working folder. Paths in tasks start from here.
        versions: Its versions of Python and of packages.
        code: Fingerprint of its code.
    """

    folder: str
    versions: dict[str, str]
    code: str

    @classmethod
    def here(cls) -> Origin:
        """This process."""
        packages = {name: each for name, each in versions().items() if name != _COMMIT}
        return cls(str(Path.cwd()), packages, code_digest())

    def enter(self) -> Unfit | None:
        """Makes this worker like the process that started the tasks; says why it cannot."""
        node = platform.node()
        try:
            os.chdir(self.folder)
        except OSError as error:
            return Unfit(
                f"The Ray node {node} cannot open {self.folder} ({error.strerror}); every node "
                "must see the folder in which the command is started, under the same path."
            )
        if code_digest() != self.code:
            return Unfit(
                f"The Ray node {node} has other code than this process; use the same checkout on "
                "every node, and do not change it while a command runs."
            )
        for name, ours in self.versions.items():
            theirs = versions().get(name)
            if ours != theirs:
                return Unfit(
                    f"The Ray node {node} has {name} {theirs}, and this process has {ours}; "
                    "install the same versions on every node, and start Ray there again."
                )
        return None


@functools.cache
def code_digest() -> str:
    """Fingerprint of the Python files of the three packages."""
    digest, root = hashlib.sha256(), Path(__file__).parents[2]
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def call(function: Callable[[Any], Any], task: Any, graph: Any, origin: Origin) -> Any:
    """Calls the function in a worker.

    Args:
        function: The function.
        task: Its task.
        graph: The graph of the task, which Ray brings once to each node. None if the task loads it.
        origin: The process that started the tasks.

    Returns:
        The answer of the function, or `Unfit`.
    """
    unfit = origin.enter()
    if unfit is not None:
        return unfit
    return function(task if graph is None else dataclasses.replace(task, graph=graph))
