"""Executes the tasks of a sweep on a Ray cluster, with the contract of the own pool.

Ray starts and watches the workers, and repeats a task whose worker or node died. The records, their
lock and the order of tasks stay in the process that started the sweep. Ray is imported when the
first task starts.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import datasets
from trainers.sweeps import ray_task
from trainers.sweeps.config import graph_digest
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import OUT_OF_MEMORY, RunError
from trainers.sweeps.pool import Death
from trainers.sweeps.ray_cluster import NUM_RETRIES, Capacity, Head, connect, installed


class RayEngine:
    """Executes tasks on a Ray cluster; see `Engine`.

    Args:
        address: `HOST:PORT` of a running cluster, or `auto`. By default Ray starts on this machine.

    Raises:
        RunError: Ray is not installed.
    """

    def __init__(self, address: str | None = None) -> None:
        installed()
        self._address = address

    def num_threads(self, num_workers: int | None) -> int:  # noqa: ARG002  # as in the protocol
        """Each task has one processor of its node."""
        return 1

    def num_processors(self) -> int:
        """Number of processors of the cluster at this moment."""
        return Capacity(connect(self._address)).now()

    def run_tasks(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        num_workers: int | None,
        on_tick: Callable[[], object] = lambda: None,
    ) -> Iterator[tuple[Any, Any]]:
        """Yields the answers.

        Args:
            function: A function at a module's top level.
            tasks: Tasks, started in this order. A task with the fields `data`, `data_dir` and
                `graph` gets its graph from this process, through the memory of its node.
            num_workers: Largest number of tasks at once; by default all processors of the cluster.
            on_tick: Called about once a second while waiting.

        Raises:
            RunError: The cluster cannot be reached, has no processors, or a node is unfit.
        """
        if not tasks:
            return
        ray = connect(self._address)
        remote = ray.remote(num_cpus=1, max_retries=NUM_RETRIES)(ray_task.call)
        origin, graphs = ray.put(ray_task.Origin.here()), _Graphs(ray, tasks)
        waiting, running = deque(tasks), dict[Any, Any]()
        head, capacity = Head(ray.get_runtime_context().gcs_address), Capacity(ray)
        try:
            while waiting or running:
                head.check()
                most = num_workers or 2 * capacity.now()  # some wait at the nodes
                while waiting and len(running) < most:
                    task = waiting.popleft()
                    reference = remote.remote(function, task, graphs.of(task), origin)
                    running[reference] = task
                done, _ = ray.wait(list(running), num_returns=1, timeout=1.0)
                on_tick()
                for reference in done:
                    task = running.pop(reference)
                    answer = _answer(ray, reference)
                    graphs.release(task)
                    yield task, answer
        finally:
            for reference in running:
                with contextlib.suppress(Exception):  # the cluster may be gone
                    ray.cancel(reference, force=True)


def _answer(ray: Any, reference: Any) -> Any:
    """The answer of a task that has ended."""
    errors = ray.exceptions
    try:
        answer = ray.get(reference)
    except errors.OutOfMemoryError:
        return Death(None, OUT_OF_MEMORY)
    except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError) as error:
        times = f"in {NUM_RETRIES + 1} attempts"
        return Death(None, f"its worker died {times}: {str(error).splitlines()[0][:200]}")
    except errors.RayError as error:
        cause = getattr(error, "cause", None) or error
        raise RunError(
            f"A worker of the Ray cluster cannot start the task ({_first_line(cause)}); every node "
            "must have this checkout under the same path, and its environment."
        ) from None
    if isinstance(answer, ray_task.Unfit):
        raise RunError(str(answer))
    return answer


def _first_line(error: object) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:200]


class _Graphs:
    """Puts each graph into Ray's memory once, by its content; Ray brings it once to each node."""

    def __init__(self, ray: Any, tasks: Sequence[Any]) -> None:
        self._ray = ray
        self._left = Counter(map(_key, tasks))
        self._digests: dict[Any, str | None] = {}
        self._references: dict[str, Any] = {}

    def of(self, task: Any) -> Any:
        """The reference of a task's graph; None if the task itself loads it."""
        key = _key(task)
        if key is None:
            return None
        if key not in self._digests:
            self._digests[key] = self._put(*key)
        digest = self._digests[key]
        return None if digest is None else self._references[digest]

    def release(self, task: Any) -> None:
        """Frees the memory of a graph that no other task needs."""
        key = _key(task)
        self._left[key] -= 1
        if key is None or self._left[key] or key not in self._digests:
            return
        digest = self._digests.pop(key)
        if digest is not None and digest not in self._digests.values():
            del self._references[digest]

    def _put(self, data: DataConfig, data_dir: str | None) -> str | None:
        try:
            graph = data.load(data_dir)
        except datasets.DataError:
            return None  # the task fails with the same sentence, which is then recorded
        if hasattr(graph, "digest"):
            return None  # a store is mapped from its files, which every node must see
        digest = graph_digest(graph)
        if digest not in self._references:
            self._references[digest] = self._ray.put(graph)
        return digest


def _key(task: Any) -> tuple[DataConfig, str | None] | None:
    return (task.data, task.data_dir) if hasattr(task, "graph") else None
