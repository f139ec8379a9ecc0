"""A pool of worker processes in which one may die without stopping the others.

`concurrent.futures` gives up on all tasks when one process dies, and does not say which task it
had. Here a death is one of the possible answers.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

# How long an idle process may take to end.
_SECONDS_TO_END = 10


class Death(NamedTuple):
    """The answer for a task whose process died, with the cause if it is known."""

    exit_code: int | None
    cause: str | None = None


class _Worker:
    """A process and its current task."""

    def __init__(self, context: Any, function: Callable[[Any], Any]) -> None:
        self.connection, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_serve, args=(theirs, function), daemon=True
        )
        with _deaf_to_interrupts():
            self.process.start()
        theirs.close()
        self.task: Any = None

    def give(self, task: Any) -> None:
        self.task = task
        with contextlib.suppress(ConnectionError):  # dead already: `answer` will say so
            self.connection.send(task)

    def answer(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError):  # killed while idle or in the middle of its answer
            self.process.join()
            return Death(self.process.exitcode or 0)

    def dismiss(self) -> None:
        """Lets an idle process end by itself, so that TensorFlow removes its files in /tmp."""
        self.connection.close()
        self.process.join(_SECONDS_TO_END)
        self.stop()

    def stop(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.join()


def run_tasks(
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    num_workers: int,
    on_tick: Callable[[], object] = lambda: None,
) -> Iterator[tuple[Any, Any]]:
    """Yields `(task, function(task))` or `(task, Death)` as soon as each task ends.

    Args:
        function: A function at a module's top level, called in the workers. It should not raise.
        tasks: Picklable tasks, started in this order.
        num_workers: Largest number of processes. A dead process is replaced.
        on_tick: Called about once a second while waiting.
    """
    context = multiprocessing.get_context("spawn")  # TensorFlow does not survive a fork
    waiting = list(reversed(tasks))
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < num_workers:
                worker = _Worker(context, function)
                workers.append(worker)
                worker.give(waiting.pop())
            ready = wait([worker.connection for worker in workers], timeout=1.0)
            on_tick()
            for worker in [each for each in workers if each.connection in ready]:
                task, answer = worker.task, worker.answer()
                if waiting and not isinstance(answer, Death):
                    worker.give(waiting.pop())
                else:
                    workers.remove(worker)
                    worker.dismiss()
                yield task, answer
    finally:
        for worker in workers:
            worker.stop()


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process started within ignores Ctrl-C from the start, because the parent handles it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _serve(connection: Connection, function: Callable[[Any], Any]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, ConnectionError):  # the parent is gone, or has no more
        while True:
            connection.send(function(connection.recv()))


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
