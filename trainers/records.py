"""Run records: JSON lines that survive whatever happens to the process that writes them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.atomic import replacing
from trainers.config import RunConfig
from trainers.errors import RunError
from trainers.versions import hardware, versions

if TYPE_CHECKING:
    from trainers.loop import Run

Record = dict[str, Any]

# What became of a run. A run that diverged does so each time; one that failed may be tried again.
DONE, DIVERGED, FAILED = "done", "diverged", "failed"


def of_run(config: RunConfig, run: Run, experiment: str | None = None) -> Record:
    """The record of a finished run."""
    return {
        **_head(config, run.seed, experiment, DONE),
        "val_accuracy": run.best.val_accuracy,
        "test_accuracy": run.test_accuracy,
        "val_loss": run.best.val_loss,
        "train_accuracy": run.best.train_accuracy,
        "best_step": run.best.step,
        "num_steps": run.num_steps,
        "seconds": round(run.seconds, 3),
        **_deltas(config, run),
        **_tail(config),
    }


def of_failure(
    config: RunConfig, seed: int, experiment: str | None, status: str, error: str
) -> Record:
    """The record of a run that came to nothing."""
    return {**_head(config, seed, experiment, status), "error": error, **_tail(config)}


def _deltas(config: RunConfig, run: Run) -> Record:
    """The share of delta operators, where they can be counted."""
    if not config.shared_first_kernel:
        return {}
    from mixhop_tf.delta import count_deltas

    return {"delta_share": count_deltas(run.model).share}


def _head(config: RunConfig, seed: int, experiment: str | None, status: str) -> Record:
    return {"experiment": experiment, "key": config.key(), "seed": seed, "status": status}


def _tail(config: RunConfig) -> Record:
    return {"config": config.to_dict(), "versions": versions(), "hardware": hardware()}


def read(path: Path) -> list[Record]:
    """The records of a file, one a key and seed; none if there is no file.

    The last line may be torn, by a full disk or a power cut: it is left out. Of several records of
    one run the last counts: a run that failed may have been made again.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    records = {}
    for number, line in enumerate(lines[:-1], start=1):  # what follows the last newline is torn
        try:
            record = _checked(json.loads(line))
            records[record["key"], record["seed"]] = record
        except (ValueError, TypeError, LookupError):
            raise RunError(
                f"{path}:{number}: not a run record; mend or remove this line, then start again."
            ) from None
    return list(records.values())


def append(path: Path, record: Record) -> None:
    """Adds a record and sees it to the disk; if it cannot, the file stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Unbuffered: a buffer that a full disk refused would be written again on closing.
    with open(path, "ab+", buffering=0) as file:
        end = _end_of_last_line(file)
        file.truncate(end)
        rest = memoryview(_line(record))
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(file.fileno(), end)
            raise OSError(error.errno, error.strerror, str(path)) from None


def put_in_order(path: Path) -> None:
    """Sorts a file by key and seed, a line a run; it is replaced whole or not at all."""
    ordered = sorted(read(path), key=lambda record: (record["key"], record["seed"]))
    content = b"".join(map(_line, ordered))
    if not ordered or content == path.read_bytes():
        return
    with replacing(path) as temporary, open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing records into a folder; ends with the process."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise RunError(
            f"Another process is writing records into {folder}; let it finish, or use another "
            "folder."
        ) from None
    try:
        yield
    finally:
        os.close(handle)


def _checked(record: Record) -> Record:
    """The record, seen to have what others go by."""
    needed = {"val_accuracy", "val_loss", "test_accuracy", "seconds"}
    kinds = [type(record["key"]), type(record["seed"])]
    if kinds != [str, int] or record["status"] not in (DONE, DIVERGED, FAILED):
        raise ValueError
    if record["status"] == DONE and not needed <= set(record):
        raise ValueError
    return record


def _line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _end_of_last_line(file: Any) -> int:
    """Offset after the last newline."""
    position = file.seek(0, os.SEEK_END)
    while position:
        start = max(0, position - 4096)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        position = start
    return 0
