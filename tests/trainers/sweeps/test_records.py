import errno
import json
import multiprocessing
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trainers.sweeps import records
from trainers.sweeps.errors import RunError


def record(seed, **fields):
    numbers = dict.fromkeys(("val_accuracy", "val_loss", "test_accuracy", "seconds"), 0.5)
    return {"key": "k", "seed": seed, "status": records.DONE, **numbers, **fields}


def test_what_is_appended_is_read_back(tmp_path):
    path = tmp_path / "new" / "r.jsonl"
    assert records.read(path) == []
    for seed in range(3):
        records.append(path, record(seed, val_loss=0.1 + seed / 3, name="naïve"))
    assert records.read(path) == [record(s, val_loss=0.1 + s / 3, name="naïve") for s in range(3)]


@pytest.mark.parametrize("torn", [b'{"key": "k", "se', b"{", b'{"key": "k", "seed": 9}', b"\xff"])
def test_a_torn_last_line_is_left_out_and_then_written_over(tmp_path, torn):
    path = tmp_path / "r.jsonl"
    records.append(path, record(0))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    assert records.read(path) == [record(0)]
    records.append(path, record(1))
    assert records.read(path) == [record(0), record(1)]
    assert path.read_bytes().startswith(whole)


def test_a_torn_line_longer_than_a_block_is_found(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"{" * 10_000)
    records.append(path, record(0))
    assert records.read(path) == [record(0)]


@pytest.mark.parametrize(
    "line",
    [
        b"{nonsense}",
        b"[1, 2]",
        b'{"key": "k"}',
        b"",
        b'{"key": "k", "seed": 1}',
        b'{"key": "k", "seed": "1", "status": "failed"}',
        b'{"key": "k", "seed": 1, "status": "fine"}',
        b'{"key": "k", "seed": 1, "status": "done", "val_accuracy": 1.0}',
    ],
)
def test_a_damaged_line_in_the_middle_is_refused_with_its_number(tmp_path, line):
    path = tmp_path / "r.jsonl"
    records.append(path, record(0))
    path.write_bytes(path.read_bytes() + line + b"\n" + path.read_bytes())
    with pytest.raises(RunError, match=r"r.jsonl:2: not a run record"):
        records.read(path)


def test_an_unchanged_file_is_parsed_once_and_a_changed_one_again(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    parsed, loads = [], json.loads
    monkeypatch.setattr(json, "loads", lambda line: parsed.append(line) or loads(line))
    for seed in range(2):
        records.append(path, record(seed))
    for _ in range(3):
        assert records.read(path) == [record(0), record(1)]
        assert list(records.index(path)["k"]) == [0, 1]
    assert len(parsed) == 2
    records.append(path, record(2))
    assert [each["seed"] for each in records.read(path)] == [0, 1, 2]
    assert len(parsed) == 2 + 3
    # Replaced by one of the same size.
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"".join(records.as_line(record(seed)) for seed in (0, 1, 3)))
    other.replace(path)
    assert [each["seed"] for each in records.read(path)] == [0, 1, 3]
    path.unlink()
    assert records.read(path) == []


def test_records_are_found_by_key_and_seed(tmp_path):
    path = tmp_path / "r.jsonl"
    for key, seed in (("a", 1), ("b", 0), ("a", 0)):
        records.append(path, record(seed, key=key))
    found = records.index(path)
    assert {key: list(seeds) for key, seeds in found.items()} == {"a": [1, 0], "b": [0]}
    assert found["a"][0] == record(0, key="a")


def test_of_two_records_of_a_run_the_last_counts(tmp_path):
    path = tmp_path / "r.jsonl"
    records.append(path, record(0) | {"status": records.FAILED, "error": "killed"})
    records.append(path, record(0))
    assert records.read(path) == [record(0)]


@pytest.mark.parametrize("culprit", ["fsync", "truncate"])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, culprit):
    path = tmp_path / "r.jsonl"
    records.append(path, record(0))
    before = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    if culprit == "truncate":
        monkeypatch.setattr(os, "ftruncate", full)
    with pytest.raises(OSError, match=re.escape(str(path))):
        records.append(path, record(1))
    monkeypatch.undo()
    if culprit == "fsync":
        assert path.read_bytes() == before
    assert record(0) in records.read(path)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="needs a Linux")
def test_a_file_that_may_not_grow_keeps_whole_lines(tmp_path):
    """If the kernel stops a write halfway, complete records and a clear error remain."""
    script = f"""
import resource, signal, sys
from pathlib import Path
from trainers.sweeps import records
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    for seed in range(100):
        record = {{"key": "k", "seed": seed, "status": "failed"}}
        records.append(Path({str(tmp_path / "r.jsonl")!r}), record)
except OSError as error:
    print(error)
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "File too large" in answer.stdout
    assert "r.jsonl" in answer.stdout
    lines = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) > 10
    assert len(records.read(tmp_path / "r.jsonl")) == len(lines)


def test_putting_in_order_sorts_and_drops_what_is_superseded(tmp_path):
    path = tmp_path / "r.jsonl"
    for each in (record(1), record(0) | {"status": records.FAILED}, record(0)):
        records.append(path, each)
    records.put_in_order(path)
    assert records.read(path) == [record(0), record(1)]
    assert len(path.read_bytes().splitlines()) == 2
    assert list(tmp_path.iterdir()) == [path]
    before = path.stat().st_mtime_ns, path.stat().st_ino
    records.put_in_order(path)  # nothing to do, nothing done
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
    records.put_in_order(tmp_path / "none.jsonl")


def test_putting_in_order_fails_without_loss(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    for seed in (1, 0):
        records.append(path, record(seed))
    before = path.read_bytes()

    def full(*_):
        assert path.read_bytes() == before  # not touched before the new one is on the disk
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        records.put_in_order(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def try_to_enter(folder, answers):
    try:
        with records.exclusive(folder):
            answers.put("in")
    except RunError as error:
        answers.put(str(error))


def test_a_second_process_is_kept_out_until_the_first_is_done(tmp_path):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()

    def second():
        process = context.Process(target=try_to_enter, args=(tmp_path / "new", answers))
        process.start()
        process.join()
        return answers.get(timeout=10)

    with records.exclusive(tmp_path / "new"):
        assert "Another process is writing records into" in second()
    assert second() == "in"
