"""Where the tasks of a sweep are executed: in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from mixhop_tf.cores import num_cores
from trainers.sweeps import pool


class Engine(Protocol):
    """Executes tasks; the death of a process is one of the possible answers."""

    def num_threads(self, num_workers: int | None) -> int:
        """Number of threads of each task if there are `num_workers` of them at once."""
        ...

    def num_processors(self) -> int:
        """Number of tasks that the engine can execute at once."""
        ...

    def run_tasks(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        num_workers: int | None,
        on_tick: Callable[[], object] = lambda: None,
    ) -> Iterator[tuple[Any, Any]]:
        """Yields `(task, function(task))` or `(task, Death)` as soon as each task ends.

        Args:
            function: A function at a module's top level, called in the workers. It should not
                raise.
            tasks: Picklable tasks, started in this order.
            num_workers: Largest number of tasks at once; by default one per core.
            on_tick: Called about once a second while waiting.
        """
        ...


class LocalPool:
    """Executes tasks in processes of this machine; see `Engine`."""

    def num_threads(self, num_workers: int | None) -> int:
        """Divides the cores of this machine."""
        return max(1, num_cores() // (num_workers or num_cores()))

    def num_processors(self) -> int:
        """Number of cores."""
        return num_cores()

    def run_tasks(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        num_workers: int | None,
        on_tick: Callable[[], object] = lambda: None,
    ) -> Iterator[tuple[Any, Any]]:
        """Yields the answers; see `pool.run_tasks`."""
        return pool.run_tasks(function, tasks, num_workers or num_cores(), on_tick)


POOL = LocalPool()
