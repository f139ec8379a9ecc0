"""Runs cases in processes and kills those that take too much time or memory."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import resource
import shutil
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import corpus
from tests.fuzz.kinds import Kind
from tests.fuzz.outcome import Outcome

SECONDS = 10.0  # that a case may take
_SECONDS_TO_START = 120.0
_GROWTH = 2 * 2**30  # bytes that a process may grow by in one case
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Done(NamedTuple):
    """Holds a case, its outcome, its seconds and the peak memory of the process in bytes."""

    case: int
    outcome: Outcome
    seconds: float
    peak: int


def files_of(kind: Kind, seed: int, case: int) -> corpus.Files:
    """Makes the files of a case, which are the same each time."""
    return kind.case(random.Random(f"{kind.name}/{seed}/{case}"))


class _Worker:
    def __init__(self, kind: Kind, seed: int) -> None:
        context = multiprocessing.get_context("fork")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(kind, seed, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.case: int | None = None
        self.served = 0
        self._has_started = False
        self.begin(_SECONDS_TO_START)

    def begin(self, seconds: float) -> None:
        """Sets the deadline of what the process does now."""
        self.started = time.monotonic()
        self.deadline = self.started + seconds

    def give(self, case: int) -> None:
        self.case, self.served = case, self.served + 1
        if self._has_started:
            self.begin(SECONDS)
        self.connection.send(case)

    def answer(self) -> Done | None:
        """Receives what the process sent; None means that it has started and begins its case."""
        done: Done | None = self.connection.recv()
        if done is None:
            self._has_started = True
            self.begin(SECONDS)
        return done

    def stop(self) -> int | None:
        """Ends the process; returns its exit code if it had already ended."""
        self._process.join(0.2)
        code = self._process.exitcode
        self._process.kill()
        self._process.join()
        self.connection.close()
        return code


def run(kind: Kind, seed: int, cases: Iterable[int], num_workers: int) -> Iterator[Done]:
    """Runs the cases, each in one of a few processes."""
    todo = iter(cases)
    workers = [_Worker(kind, seed) for _ in range(min(num_workers, kind.workers))]
    try:
        busy = [worker for worker in workers if _next(worker, todo)]
        while busy:
            soonest = min(worker.deadline for worker in busy) - time.monotonic()
            ready = wait([worker.connection for worker in busy], timeout=max(0.0, soonest))
            for worker in list(busy):
                done = None
                if worker.connection in ready:
                    done = _answer(worker)
                elif time.monotonic() > worker.deadline:
                    done = _done(worker, "time-out", f"more than {SECONDS:g} s")
                if done is None:
                    continue
                yield done
                busy.remove(worker)
                if done.outcome.status in ("crash", "time-out") or (
                    worker.served >= kind.renewed_after
                ):
                    worker.stop()
                    workers.remove(worker)
                    worker = _Worker(kind, seed)
                    workers.append(worker)
                if _next(worker, todo):
                    busy.append(worker)
    finally:
        for worker in workers:
            worker.stop()


def _next(worker: _Worker, todo: Iterator[int]) -> bool:
    case = next(todo, None)
    if case is not None:
        worker.give(case)
    return case is not None


def _answer(worker: _Worker) -> Done | None:
    try:
        return worker.answer()
    except (EOFError, ConnectionError):
        return _done(worker, "crash", f"exit code {worker.stop()}")


def _done(worker: _Worker, status: str, detail: str) -> Done:
    assert worker.case is not None
    return Done(worker.case, Outcome(status, detail), time.monotonic() - worker.started, 0)


def _serve(kind: Kind, seed: int, connection: Connection) -> None:
    """Runs in a process: reads one case after the other."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    kind.start()
    if kind.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (kind.memory, kind.memory))
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        connection.send(None)
        while True:
            case = connection.recv()
            connection.send(_tried(kind, seed, case))


def _tried(kind: Kind, seed: int, case: int) -> Done:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-case-"))
    try:
        try:
            corpus.write(files_of(kind, seed, case), folder)
        except Exception:
            return Done(case, Outcome("no case", traceback.format_exc()), 0.0, 0)
        start, before = time.monotonic(), _resident()
        try:
            outcome = kind.outcome(folder)
        except Exception:
            return Done(case, Outcome("no case", traceback.format_exc()), 0.0, 0)
        if not outcome.is_finding and _resident() - before > _GROWTH:
            outcome = Outcome("memory", f"{(_resident() - before) / 1e9:.1f} GB more than before")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return Done(case, outcome, time.monotonic() - start, peak)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * _PAGE
