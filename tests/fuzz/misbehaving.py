"""A reader that misbehaves in the way that its file names, to test that the pool notices."""

from __future__ import annotations

import ctypes
import random
import time
from pathlib import Path

from datasets import DataError
from tests.fuzz import pool
from tests.fuzz.corpus import Files
from tests.fuzz.kinds import Kind
from tests.fuzz.outcome import Outcome, outcome_of

WAYS = ("read", "refuse", "crash", "fail", "hang", "eat", "warn")


class Misbehaving(Kind):
    name = "misbehaving"

    def examples(self) -> list[Files]:
        return [{"way": way.encode()} for way in WAYS]

    def case(self, rng: random.Random) -> Files:
        return self._examples[rng.randrange(len(WAYS))]

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        return data

    def outcome(self, folder: Path) -> Outcome:
        return outcome_of(lambda: _act((folder / "way").read_text()))


def _act(way: str) -> None:
    if way == "refuse":
        raise DataError("no")
    if way == "crash":
        ctypes.string_at(0)
    if way == "fail":
        int("x")
    if way == "hang":
        time.sleep(100)
    if way == "eat":
        bytearray(2**32)
    if way == "warn":
        import warnings

        warnings.warn("odd", stacklevel=1)


def main() -> None:
    """Prints the outcome of each way to misbehave."""
    pool.SECONDS = 1.0
    kind = Misbehaving()
    kind.start()
    cases = {pool.files_of(kind, 0, case)["way"].decode(): case for case in range(100)}
    found = {done.case: done.outcome for done in pool.run(kind, 0, cases.values(), 2)}
    for way in WAYS:
        print(way, found[cases[way]].status, found[cases[way]].detail.strip().splitlines()[-1:])


if __name__ == "__main__":
    main()
