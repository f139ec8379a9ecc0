"""Run records: JSON lines that stay valid even if the process that writes them is killed.

Each line ends with a checksum; see `checksum`.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import mixhop_tf
from datasets.atomic import make_folder, replacing, sync_folder
from trainers.sweeps import checksum, record_fields
from trainers.sweeps.config import RunConfig
from trainers.sweeps.errors import RunError
from trainers.sweeps.versions import hardware, machine, versions
from trainers.text.verdict import METRIC_NAMES

Record = dict[str, Any]
Index = Mapping[str, Mapping[int, Record]]

# The fields of a `RunResult` in a record, in the order in which they are written.
_RESULT = (
    "val_accuracy",
    "test_accuracy",
    "val_loss",
    "train_accuracy",
    "best_step",
    "num_steps",
    "seconds",
)

# The status of a run. A diverged run diverges every time; a failed run may be repeated.
DONE, DIVERGED, FAILED = record_fields.DONE, record_fields.DIVERGED, record_fields.FAILED


def of_run(config: RunConfig, run: mixhop_tf.Run, experiment: str | None = None) -> Record:
    """The record of a finished run."""
    further: Record = {} if run.delta_share is None else {"delta_share": run.delta_share}
    if run.batches is not None:
        further["sampled"] = run.batches
    if run.workers > 1:
        further["workers"] = run.workers
    if run.result.val_score is not None:
        further["val_score"] = run.result.val_score
    tested = None if run.test_accuracy is None else run.evaluation()
    if tested is not None:
        further["test_metrics"] = {name: getattr(tested, name) for name in METRIC_NAMES}
    return {
        **_head(config, run.seed, experiment, DONE),
        **{name: getattr(run.result, name) for name in _RESULT},
        **further,
        **_tail(config),
        "machine": machine(),
    }


def of_failure(
    config: RunConfig, seed: int, experiment: str | None, status: str, error: str
) -> Record:
    """The record of a failed run."""
    return {**_head(config, seed, experiment, status), "error": error, **_tail(config)}


def result_of(record: Record) -> mixhop_tf.RunResult:
    """The numbers of a finished run."""
    return mixhop_tf.RunResult(
        seed=record["seed"],
        **{name: record[name] for name in _RESULT},
        val_score=record.get("val_score"),
    )


def score(record: Record) -> float:
    """The metric by which a finished run is selected, on validation nodes; greater is better."""
    selected: float | None = record.get("val_score")
    accuracy: float = record["val_accuracy"]
    return accuracy if selected is None else selected


def _head(config: RunConfig, seed: int, experiment: str | None, status: str) -> Record:
    return {"experiment": experiment, "key": config.key(), "seed": seed, "status": status}


def _tail(config: RunConfig) -> Record:
    return {"config": config.to_dict(), "versions": versions(), "hardware": hardware()}


def read(path: Path) -> list[Record]:
    """The records of a file, one per key and seed; none if there is no file.

    After a full disk or a power cut the last line may be incomplete; it is then left out. If a run
    has several records, the last one counts, because a failed run may have been repeated.
    """
    return [record for seeds in index(path).values() for record in seeds.values()]


def index(path: Path) -> Index:
    """The records of a file by key and seed. A file is only parsed again if it has changed."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return {}
    return _parsed(path, state.st_ino, state.st_size, state.st_mtime_ns)


@functools.lru_cache(maxsize=1024)
def _parsed(path: Path, *_state: int) -> Index:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    by_key: dict[str, dict[int, Record]] = {}
    for number, line in enumerate(lines[:-1], start=1):  # a line without newline is incomplete
        try:
            record = _checked(checksum.parsed(line))
            by_key.setdefault(record["key"], {})[record["seed"]] = record
        except checksum.ChecksumError:
            raise RunError(
                f"{path}:{number}: the checksum does not match, so a number may be wrong; remove "
                "this line and start again to repeat its run."
            ) from None
        except (ValueError, RecursionError) as error:
            raise RunError(
                f"{path}:{number}: not a run record ({str(error)[:100]}); fix or remove this "
                "line, then start again."
            ) from None
    return by_key


def read_all(folder: Path) -> list[Record]:
    """All records in a folder and its subfolders, in the order of the file names."""
    return [record for path in sorted(folder.rglob("*.jsonl")) for record in read(path)]


def append(path: Path, record: Record) -> None:
    """Adds a record and syncs it to the disk; if this fails, the file stays as it was."""
    make_folder(path.parent)
    # Unbuffered: closing would write a buffer again that did not fit on a full disk.
    with open(path, "ab+", buffering=0) as file:
        end = _end_of_last_line(file)
        file.truncate(end)
        rest = memoryview(as_line(record))
        try:
            if not end:  # before the first record, so that its file certainly has a name
                sync_folder(path.parent)
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(file.fileno(), end)
            raise OSError(error.errno, error.strerror, str(path)) from None


def put_in_order(path: Path) -> None:
    """Sorts a file by key and seed, with one line per run; replaces it completely or not at all.

    The bytes of the lines do not change.
    """
    if not index(path):
        return
    before = path.read_bytes()
    runs: dict[tuple[str, int], bytes] = {}
    for each in before.split(b"\n")[:-1]:
        record = json.loads(each)
        runs[record["key"], record["seed"]] = each + b"\n"
    content = b"".join(runs[run] for run in sorted(runs))
    if content != before:
        with replacing(path) as temporary:
            temporary.write_bytes(content)


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Locks a folder of records against other processes; the lock ends with the process."""
    make_folder(folder)
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


def _checked(record: Any) -> Record:
    """Validates the required fields."""
    record_fields.check_record(record)
    if record["status"] != DONE:
        record.setdefault("error", "the record gives no reason")
    return record


def as_line(record: Record) -> bytes:
    """The line of a record in a file, with its checksum and the newline."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    return checksum.signed(text.encode()) + b"\n"


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
