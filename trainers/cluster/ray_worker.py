"""What a worker of Ray Train does: it runs the command in a process, and waits for it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from trainers.cluster.joining import LAUNCHER, LOST

# Set by Ray Train; with it, Keras 3 is not what TensorFlow imports.
_UNWANTED = "TF_USE_LEGACY_KERAS"
_SECONDS_FROZEN = 45.0
_PAUSE = 1.0


class LostError(Exception):
    """A worker was lost; another attempt may succeed."""


class Lines:
    """Collects what the first worker prints, and the failure that no other attempt mends."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._failure: str | None = None

    def add(self, line: str) -> None:
        """Adds a line."""
        self._lines.append(line)

    def taken(self) -> list[str]:
        """Returns the lines that have come since the last call."""
        found, self._lines = self._lines, []
        return found

    def fail(self, sentence: str) -> None:
        """Notes the failure; the first one counts."""
        self._failure = self._failure or sentence

    def failure(self) -> str | None:
        """Returns the failure, if there is one."""
        return self._failure


def work(config: dict[str, Any]) -> None:
    """Runs the command of one worker.

    Args:
        config: `command`, `lines` (a handle of `Lines`) and `origin` (an `Origin`).

    Raises:
        LostError: This worker or another one was lost, or there is a failure.
    """
    import ray

    lines = config["lines"]
    unfit = config["origin"].enter()
    if unfit is not None:
        ray.get(lines.fail.remote(str(unfit)))
    failure = ray.get(lines.failure.remote())
    if failure is not None:  # of an earlier attempt: another one would end in the same way
        raise LostError(failure)
    rank = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    code, error = _run(config["command"], lines if rank == 0 else None)
    if code and code != LOST and code > 0:
        text = error.removeprefix("error: ") or f"it ended with code {code}"
        ray.get(lines.fail.remote(text if rank == 0 else f"Worker {rank} failed: {text}"))
    if code:
        raise LostError(error or f"worker {rank} ended with code {code}")


def _run(command: list[str], lines: Any) -> tuple[int, str]:
    """Runs the command; returns its exit code and the last line of its errors."""
    environment = {name: value for name, value in os.environ.items() if name != _UNWANTED}
    environment |= {
        LAUNCHER: str(os.getpid()),
        "PYTHONPATH": os.pathsep.join(str(Path(each).resolve()) for each in sys.path),
    }
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [sys.executable, *command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if lines is None else subprocess.PIPE,
            stderr=errors,
            text=True,
            errors="replace",
        )
        threading.Thread(target=_end_if_frozen, args=(process,), daemon=True).start()
        try:
            for line in process.stdout or ():
                lines.add.remote(line)
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        errors.seek(0)
        found = errors.read().strip().splitlines()
    return code, found[-1] if found else ""


def _end_if_frozen(process: subprocess.Popen[str], seconds: float = _SECONDS_FROZEN) -> None:
    """Ends a process that is stopped for long: if it is the only worker, no other one notices."""
    moved = time.monotonic()
    while process.poll() is None:
        time.sleep(_PAUSE)
        if not _is_stopped(process.pid):
            moved = time.monotonic()
        elif time.monotonic() - moved > seconds:
            process.kill()


def _is_stopped(pid: int) -> bool:
    with contextlib.suppress(OSError):  # it has ended, or this is not Linux
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False
