"""Starts workers on this machine, watches them, and starts them again if one is lost."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import IO, NamedTuple

from trainers.cluster.joining import LAUNCHER, LOST
from trainers.sweeps.errors import RunError

log = logging.getLogger(__name__)

RESTARTS = 3
_PAUSE = 0.1
_SECONDS_TO_END = 20.0  # for the others, after one has ended with an error


class _Worker(NamedTuple):
    rank: int
    process: Popen[bytes]
    errors: IO[bytes] | None  # None: on the terminal


def train_on_this_machine(command: Sequence[str], size: int) -> None:
    """Runs a command in several processes that join each other, and waits for them.

    The first one, the chief, prints. If a worker is lost, all start again, and the run continues
    from its last checkpoint.

    Args:
        command: The command, with the flag that makes it join the others.
        size: Number of workers.

    Raises:
        RunError: Workers were lost too often, or one could not do its work.
    """
    for restart in range(RESTARTS + 1):
        loss = _attempt(command, size)
        if loss is None:
            return
        if restart == RESTARTS:
            break
        log.warning("%s; all workers start again (%d of %d)", loss, restart + 1, RESTARTS)
    raise RunError(f"{loss}; gave up after {RESTARTS} restarts. The last checkpoint is kept.")


def _attempt(command: Sequence[str], size: int) -> str | None:
    """Runs all workers once; returns what went wrong if another attempt may succeed."""
    with contextlib.ExitStack() as stack:
        workers = _start(stack, command, size)
        failed = None
        while failed is None and any(each.process.poll() is None for each in workers):
            time.sleep(_PAUSE)
            failed = next((each for each in workers if each.process.poll()), None)
        failed = failed or next((each for each in workers if each.process.poll()), None)
        if failed is None:
            return None
        _let_end(workers)
        blamed = [each for each in workers if each.process.returncode not in (0, LOST)]
        for each in blamed:
            _raise_if_hopeless(each)
        return " and ".join(map(_loss, blamed)) or "The workers lost each other"


def _start(stack: contextlib.ExitStack, command: Sequence[str], size: int) -> list[_Worker]:
    addresses = [f"127.0.0.1:{port}" for port in _free_ports(size)]
    cores = _shares_of_cores(size)
    workers: list[_Worker] = []
    for rank in range(size):
        task = {"type": "worker", "index": rank}
        config = {"cluster": {"worker": addresses}, "task": task}
        variables = {
            "TF_CONFIG": json.dumps(config),
            LAUNCHER: str(os.getpid()),
            "PYTHONPATH": os.pathsep.join(str(Path(each).resolve()) for each in sys.path),
        }
        errors = stack.enter_context(tempfile.TemporaryFile()) if rank else None  # noqa: SIM115
        process = Popen(
            command,
            env=os.environ | variables,
            stdin=DEVNULL,
            stdout=DEVNULL if rank else None,
            stderr=errors,
        )
        stack.callback(_end, process)
        if cores:
            with contextlib.suppress(OSError):  # it may have ended
                os.sched_setaffinity(process.pid, cores[rank])
        workers.append(_Worker(rank, process, errors))
    return workers


def _let_end(workers: Sequence[_Worker]) -> None:
    """Waits for workers that notice the loss of another one by themselves; ends the rest."""
    deadline = time.monotonic() + _SECONDS_TO_END
    while time.monotonic() < deadline and any(each.process.poll() is None for each in workers):
        time.sleep(_PAUSE)
    for each in workers:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()


def _end(process: Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()


def _loss(worker: _Worker) -> str:
    number = -worker.process.returncode
    return f"Worker {worker.rank} was ended by {signal.Signals(number).name}"


def _raise_if_hopeless(worker: _Worker) -> None:
    """Raises a `RunError` if a worker ended by itself: it would do so again."""
    code = worker.process.returncode
    if code < 0:
        return
    text = ""
    if worker.errors is not None:
        worker.errors.seek(0)
        lines = worker.errors.read().decode(errors="replace").strip().splitlines()
        text = lines[-1].removeprefix("error: ") if lines else f"it ended with code {code}"
        raise RunError(f"Worker {worker.rank} failed: {text}")
    sys.exit(code)  # the chief has printed why


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _shares_of_cores(size: int) -> list[set[int]] | None:
    """Divides the cores of this process among workers; None where this is not possible."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    cores = sorted(os.sched_getaffinity(0))
    return [set(_share(cores, rank, size)) for rank in range(size)]


def _share(cores: Sequence[int], rank: int, size: int) -> Iterator[int]:
    if size >= len(cores):
        yield cores[rank % len(cores)]
    else:
        yield from cores[len(cores) * rank // size : len(cores) * (rank + 1) // size]
