"""Tests of short pickles that try to use all memory or time, and of one that crashed Python."""

import pickle
import struct
import time

import pytest

from datasets import DataError
from datasets.formats.unpickle import load_pickle
from tests.fuzz.hostile_pickles import PROGRAMS

ENCODED = b"c_codecs\nencode\nh\x00X\x06\0\0\0latin1\x86R"
TEXT = b"X" + struct.pack("<I", 10**6) + b"a" * 10**6 + b"q\x000"


@pytest.mark.parametrize("name", PROGRAMS)
def test_hostile_pickles_end_soon(tmp_path, name):
    path = tmp_path / "file"
    path.write_bytes(PROGRAMS[name])
    start = time.monotonic()
    try:
        load_pickle(path)
    except DataError as refusal:
        assert str(refusal).isprintable()
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    ("program", "culprit"),
    [
        # Python hashes nested tuples recursively and crashes.
        (b"\x80\x02)" + b"\x85" * 300_000 + b"q\x00}h\x00K\x01s.", "a key in it is neither"),
        (b"\x80\x04\x8f()" + b"\x85" * 300_000 + b"\x90.", "a key in it is neither"),
        # Each level doubles the time.
        (b"\x80\x02)" + b"2\x86" * 60 + b"q\x00}h\x00K\x01s.", "a key in it is neither"),
        (b"\x80\x04)" + b"2\x86" * 60 + b"2\x93.", "a name is missing"),
        (PROGRAMS["matrices"], "a matrix whose parts do not fit"),
        # One value in the memo is copied again and again.
        (b"\x80\x02" + TEXT + b"](" + ENCODED * 10**4 + b"e.", "copies its content too often"),
        (
            b"\x80\x02](" + b"K\x01" * 10**5 + b"eq\x000"
            b"](" + b"c__builtin__\nlist\nh\x00\x85R" * 10**4 + b"e.",
            "copies its content too often",
        ),
        # Numbers with the same hash make a dictionary slow.
        (
            b"\x80\x02}("
            + b"".join(
                b"\x8a\x0a" + (k * (2**61 - 1)).to_bytes(10, "little") + b"N"
                for k in range(1, 20_000)
            )
            + b"u.",
            "a key in it is too large",
        ),
    ],
)
def test_what_grows_faster_than_the_file_is_refused(tmp_path, program, culprit):
    path = tmp_path / "file"
    path.write_bytes(program)
    start = time.monotonic()
    with pytest.raises(DataError, match=culprit):
        load_pickle(path)
    assert time.monotonic() - start < 10


def test_opcodes_are_counted_against_memory(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"\x80\x04" + b"\x8f" * 1000 + b".")
    monkeypatch.setattr("datasets.formats.unpickle.free_memory", lambda: 100_000)
    with pytest.raises(DataError, match="it needs more memory than is free"):
        load_pickle(path)


def test_keys_that_people_use_still_work(tmp_path):
    content = {0: [1], "a": 2, (1, "b"): 3, None: 4, 2.5: 5, frozenset: 6}
    del content[frozenset]
    content["set"] = {(1, 2), 3}
    path = tmp_path / "file"
    for protocol in range(6):
        path.write_bytes(pickle.dumps(content, protocol))
        assert load_pickle(path) == content
