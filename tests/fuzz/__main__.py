"""Fuzzes everything that reads a file or a request.

python -m tests.fuzz                                    runs 1,000 cases of every kind
python -m tests.fuzz --kind pickle --cases 100000       runs cases of one kind
python -m tests.fuzz --kind csv --seed 3 --case 17      repeats one case and prints its outcome
python -m tests.fuzz --minutes 30                       runs for 30 minutes per kind

A case is a finding if it ends in a traceback, a crash, a warning or a message that is not one
sentence, or if it takes more than ten seconds or two gigabytes. The files of a finding are kept,
and the exit code is 1.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

# This must happen before NumPy is imported: threads use address space, which is limited here.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tests.fuzz import corpus, pool  # noqa: E402
from tests.fuzz.kinds import Kind, kinds  # noqa: E402

_SHOWN = 5  # findings to print in full


def main() -> int:
    """Runs the cases, prints the findings, and returns the exit code."""
    known = kinds()
    parser = argparse.ArgumentParser("tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=sorted(known), action="append", help="default: all")
    parser.add_argument("--cases", type=int, default=1000, help="cases of each kind")
    parser.add_argument("--minutes", type=float, help="time for each kind, instead of --cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run only this case and keep its files")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir(), "mixhop-fuzz"))
    values = parser.parse_args()
    found = 0
    for name in values.kind or known:
        found += _fuzz(known[name], values)
    return 1 if found else 0


def _fuzz(kind: Kind, values: argparse.Namespace) -> int:
    """Runs the cases of a kind and returns the number of findings."""
    counts: collections.Counter[str] = collections.Counter()
    start, slowest, peak = time.monotonic(), 0.0, 0
    for done in pool.run(kind, values.seed, _cases(values), values.workers):
        counts[done.outcome.status] += 1
        slowest, peak = max(slowest, done.seconds), max(peak, done.peak)
        if done.outcome.is_finding or values.case is not None:
            folder = _keep(kind, values, done)
            if sum(counts.values()) - counts["read"] - counts["refused"] <= _SHOWN:
                print(f"{kind.name} {done.case}: {done.outcome.status}, kept in {folder}")
                print("    " + done.outcome.detail.strip().replace("\n", "\n    "), flush=True)
    total = counts.total()
    findings = total - counts["read"] - counts["refused"]
    print(
        f"{kind.name}: {total:,} cases in {time.monotonic() - start:.0f} s, "
        + ", ".join(f"{count:,} {status}" for status, count in counts.most_common())
        + f"; slowest {slowest:.1f} s, largest {peak / 1e9:.2f} GB",
        flush=True,
    )
    return findings


def _cases(values: argparse.Namespace) -> Iterable[int]:
    if values.case is not None:
        return [values.case]
    if values.minutes is None:
        return range(values.cases)
    end = time.monotonic() + 60 * values.minutes
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())


def _keep(kind: Kind, values: argparse.Namespace, done: pool.Done) -> Path:
    """Writes the outcome of a case, and its files unless making them needs TensorFlow."""
    folder = values.out / f"{kind.name}-{values.seed}-{done.case}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "outcome.txt").write_text(
        f"{done.outcome.status}\n{done.outcome.detail}\n", encoding="utf-8", errors="replace"
    )
    if kind.memory is not None and done.outcome.status != "no case":
        kind.start()
        corpus.write(pool.files_of(kind, values.seed, done.case), folder / "files")
    return folder


if __name__ == "__main__":
    sys.exit(main())
