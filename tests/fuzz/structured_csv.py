"""Changes cells, rows and columns of CSV files."""

from __future__ import annotations

import csv
import io
import random

from tests.fuzz import nasty

_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "latin-1")


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Makes one to three changes to the table."""
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(rng, rows)
    out = io.StringIO(newline="")
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    ends = rng.choice(("\n", "\n", "\r\n", "\r"))
    separator = rng.choice((",", ",", ",", ",", ";", "\t"))
    csv.writer(out, quoting=quoting, lineterminator=ends, delimiter=separator).writerows(rows)
    encoding = rng.choice(_ENCODINGS) if rng.random() < 0.1 else "utf-8"
    return out.getvalue().encode(encoding, "replace")


def _change(rng: random.Random, rows: list[list[str]]) -> None:
    if not rows:
        rows.append([""])
    row = rng.choice(rows)
    choice = rng.random()
    if choice < 0.45 and row:
        row[rng.randrange(len(row))] = rng.choice(nasty.TOKENS)
    elif choice < 0.55 and row:
        row[rng.randrange(len(row))] = rng.choice(rng.choice(rows) or [""])
    elif choice < 0.65:
        rows.remove(row)
    elif choice < 0.75:
        rows[rng.randrange(len(rows)) :] *= rng.choice((2, 2, 50))
    elif choice < 0.85:
        where, word = rng.randrange(len(row) + 1), rng.choice(nasty.TOKENS)
        for each in rows:
            each.insert(where, word if each is rows[0] else rng.choice(("1", word)))
    elif choice < 0.95:
        where = rng.randrange(len(row) + 1)
        for each in rows:
            del each[where : where + 1]
    else:
        for number, each in enumerate(rows):
            each.extend(f"c{i}" if not number else "0" for i in range(rng.choice((10, 3000))))
