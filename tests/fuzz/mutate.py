"""Mutates bytes and text without regard to their meaning."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tests.fuzz import nasty

_MAX = 300_000  # bytes; longer results are cut
_NUMBER = re.compile(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_WORD = re.compile(rb"[^\s,;:<>\"'=\[\]{}()]+")


def flip(rng: random.Random, data: bytes) -> bytes:
    """Changes bits or bytes in a few places."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5, 20)) if out else 0):
        where = rng.randrange(len(out))
        out[where] = rng.choice((out[where] ^ (1 << rng.randrange(8)), rng.randrange(256), 0, 255))
    return bytes(out)


def truncate(rng: random.Random, data: bytes) -> bytes:
    """Cuts off the end or the start."""
    where = rng.randrange(len(data) + 1)
    return data[:where] if rng.random() < 0.8 else data[where:]


def duplicate(rng: random.Random, data: bytes) -> bytes:
    """Repeats a part once or many times."""
    start, end = _range(rng, data)
    return data[:end] + data[start:end] * rng.choice((1, 1, 2, 50, 1000)) + data[end:]


def remove(rng: random.Random, data: bytes) -> bytes:
    """Removes a part."""
    start, end = _range(rng, data)
    return data[:start] + data[end:]


def insert(rng: random.Random, data: bytes) -> bytes:
    """Inserts unusual bytes somewhere."""
    where = rng.randrange(len(data) + 1)
    return data[:where] + rng.choice(nasty.BYTES) + data[where:]


def swap(rng: random.Random, data: bytes) -> bytes:
    """Swaps two parts."""
    a, b = _range(rng, data)
    c = rng.randint(b, len(data))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def number(rng: random.Random, data: bytes) -> bytes:
    """Replaces a number in the text."""
    return _substitute(rng, data, _NUMBER)


def word(rng: random.Random, data: bytes) -> bytes:
    """Replaces a word in the text."""
    return _substitute(rng, data, _WORD)


def length_field(rng: random.Random, data: bytes) -> bytes:
    """Replaces two, four or eight bytes by another little-endian number."""
    size = rng.choice((2, 4, 8))
    if len(data) < size:
        return data
    where = rng.randrange(len(data) - size + 1)
    value = rng.choice([n for n in nasty.NUMBERS if isinstance(n, int)]) % 2 ** (8 * size)
    return data[:where] + value.to_bytes(size, "little") + data[where + size :]


def line(rng: random.Random, data: bytes) -> bytes:
    """Shuffles, drops, repeats or joins lines."""
    lines = data.split(b"\n")
    where = rng.randrange(len(lines))
    choice = rng.randrange(4)
    if choice == 0:
        del lines[where]
    elif choice == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[where])
    elif choice == 2:
        rng.shuffle(lines)
    else:
        lines[where : where + 2] = [b"".join(lines[where : where + 2])]
    return b"\n".join(lines)


BINARY: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    flip, flip, truncate, duplicate, remove, insert, swap, length_field,
)  # fmt: skip
TEXT = (*BINARY, number, number, word, word, line)


def splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Joins the start of one file and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def mutated(rng: random.Random, data: bytes, *, text: bool, other: bytes = b"") -> bytes:
    """Applies one to three mutations."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if other and rng.random() < 0.05:
            data = splice(rng, data, other)
        else:
            data = rng.choice(TEXT if text else BINARY)(rng, data)
    return data[:_MAX]


def _range(rng: random.Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 2, 4, 16, 64, 256, 1024)))


def _substitute(rng: random.Random, data: bytes, pattern: re.Pattern[bytes]) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    place = rng.choice(found)
    token = rng.choice(nasty.TOKENS).encode("utf-8", "surrogatepass")
    return data[: place.start()] + token + data[place.end() :]
