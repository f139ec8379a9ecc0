"""Every line of records carries a checksum: no damaged number goes unnoticed."""

import json
import random
import shutil
from pathlib import Path

import pytest

from trainers.sweeps import checksum, records
from trainers.sweeps.errors import RunError

COMMITTED = Path(__file__).parents[3] / "results" / "records"


def record(seed, **fields):
    names = ("val_accuracy", "val_loss", "test_accuracy", "seconds")
    numbers = {name: (seed + i) / 7 for i, name in enumerate(names)}
    return {"key": "k", "seed": seed, "status": records.DONE, **numbers, "by": "naïve", **fields}


def test_a_line_ends_in_its_checksum(tmp_path):
    records.append(tmp_path / "r.jsonl", record(0))
    line = (tmp_path / "r.jsonl").read_text()
    assert list(json.loads(line)) == [*record(0), "crc"]
    assert line.startswith(json.dumps(record(0), ensure_ascii=False)[:-1])
    assert records.read(tmp_path / "r.jsonl") == [record(0)]  # it is the line's, not the record's


def test_no_flipped_byte_changes_a_number_unnoticed(tmp_path):
    path, dice, refused = tmp_path / "r.jsonl", random.Random(0), 0
    known = [record(seed) for seed in range(20)]
    for each in known:
        records.append(path, each)
    whole = path.read_bytes()
    for i in range(2000):
        position = dice.randrange(len(whole))
        byte = dice.choice([byte for byte in range(256) if byte != whole[position]])
        path = tmp_path / f"{i}.jsonl"
        path.write_bytes(whole[:position] + bytes([byte]) + whole[position + 1 :])
        number = whole[:position].count(b"\n") + 1
        try:
            found = records.read(path)
        except RunError as error:
            refused += 1
            assert f"{path}:{number}: " in str(error)
        else:
            numbers = [{name: each.get(name) for name in known[0]} for each in found]
            # The last newline makes a line: without it the line is torn, and its run made again.
            assert numbers == (known[:-1] if position == len(whole) - 1 else known)
    assert refused > 1900


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"val_loss": 0.1', b'"val_loss": 0.2'),
        (b'"crc": "', b'"crc": "z'),
        (b'"crc"', b'"a": 1, "crc"'),
    ],
)
def test_a_checksum_that_does_not_fit_is_told_by_file_and_line(tmp_path, old, new):
    path = tmp_path / "r.jsonl"
    for seed in (1, 0):
        records.append(path, record(seed))
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[1]
    path.write_bytes(lines[0] + lines[1].replace(old, new))
    with pytest.raises(
        RunError, match=r"r.jsonl:2: the checksum does not match.* remove this line"
    ):
        records.read(path)
    with pytest.raises(RunError, match="the checksum does not match"):
        records.put_in_order(path)


def test_lines_of_before_stay_as_they_are(tmp_path):
    path = tmp_path / "r.jsonl"
    # Neither the spaces nor the way of writing numbers are today's.
    old = b'{"seed":2,"key":"k","status":"diverged","error":"\\u00ef","x":1.50}\n'
    path.write_bytes(old)
    records.append(path, record(1))
    new = path.read_bytes()[len(old) :]
    assert [each["seed"] for each in records.read(path)] == [2, 1]
    records.put_in_order(path)
    assert path.read_bytes() == new + old


def test_committed_records_keep_their_lines_to_the_byte(tmp_path):
    paths = sorted(COMMITTED.rglob("*.jsonl"))[::10]
    assert paths
    for path in paths:
        shutil.copy(path, tmp_path / "r.jsonl")
        records.put_in_order(tmp_path / "r.jsonl")
        found, expected = (
            sorted(each.read_bytes().splitlines()) for each in (tmp_path / "r.jsonl", path)
        )
        assert found == expected, path


def test_what_is_no_object_has_no_checksum():
    assert checksum.parsed(b"[1]") == [1]
    with pytest.raises(ValueError, match="Expecting"):
        checksum.parsed(b"{")
