"""Tests the fuzzing tool itself, and runs a few hundred cases of each kind."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import corpus, kinds, outcome, pool

ROOT = Path(__file__).parents[2]
KINDS = (
    "csv", "npz", "graphml", "planetoid", "pickle", "architecture", "records", "saved_model",
    "requests", "crm", "parquet", "feather", "edge_list", "gexf", "gml", "recipe",
)  # fmt: skip
NEEDS_TENSORFLOW = ("saved_model", "requests")


def fuzz(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_in_a_few_hundred_cases(tmp_path, kind):
    cases = 60 if kind == "saved_model" else 250
    workers = 1 if kind in NEEDS_TENSORFLOW else 2  # each takes seconds to start
    answer = fuzz(
        *("--kind", kind, "--cases", cases, "--seed", 1, "--workers", workers, "--out", tmp_path)
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert f"{kind}: {cases} cases" in answer.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_in_ten_thousand_cases(tmp_path, kind):
    answer = fuzz("--kind", kind, "--cases", 10_000, "--out", tmp_path)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_every_kind_is_tested():
    assert set(kinds.kinds()) == set(KINDS)


@pytest.mark.parametrize("name", [kind for kind in KINDS if kind not in NEEDS_TENSORFLOW])
def test_a_case_is_the_same_each_time_and_cases_differ(name):
    kind = kinds.kinds()[name]
    kind.start()
    first = [pool.files_of(kind, 0, case) for case in range(20)]
    random.random()
    assert [pool.files_of(kind, 0, case) for case in range(20)] == first
    assert [pool.files_of(kind, 1, case) for case in range(20)] != first
    assert len({str(files) for files in first}) > 15


def test_the_corpus_is_small_and_its_valid_files_are_read(tmp_path):
    sizes = [path.stat().st_size for path in corpus.CORPUS.rglob("*") if path.is_file()]
    assert sum(sizes) < 120_000
    names = {
        "npz": "graph.npz", "architecture": "architecture.json", "gml": "graph.gml",
        "recipe": "recipe.json",
    }  # fmt: skip
    tables = ("crm", "parquet", "feather", "gml", "recipe")
    for name in ("csv", "npz", "planetoid", "architecture", "records", *tables):
        kind = kinds.kinds()[name]
        kind.start()
        for number, files in enumerate(corpus.examples(name)):
            if name in names:
                files = {names[name]: next(iter(files.values()))}
            folder = tmp_path / f"{name}{number}"
            corpus.write(files, folder)
            expected = ("read", "refused") if name == "architecture" else ("read",)
            assert kind.outcome(folder).status in expected


def test_crashes_time_outs_memory_and_tracebacks_are_found():
    answer = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.misbehaving"], cwd=ROOT, capture_output=True, text=True
    )
    told = {line.split()[0]: line.split(" ", 2)[1:] for line in answer.stdout.splitlines()}
    assert {way: status for way, (status, _) in told.items()} == {
        "read": "read",
        "refuse": "refused",
        "crash": "crash",
        "fail": "traceback",
        "hang": "time-out",
        "eat": "traceback",
        "warn": "warning",
    }
    assert "exit code -11" in told["crash"][1]
    assert "MemoryError" in told["eat"][1]


def test_a_sentence_is_told_from_an_accident():
    from datasets import DataError
    from mixhop_tf.notation import checked_powers

    def raises(error):
        def function():
            raise error

        return outcome.outcome_of(function)

    assert raises(DataError("one sentence")).status == outcome.REFUSED
    assert raises(DataError("two\nlines")).status == "message"
    assert raises(DataError("x" * 5000)).status == "message"
    assert raises(ValueError("not one of ours")).status == "traceback"
    assert outcome.outcome_of(lambda: checked_powers([1, 1])).status == outcome.REFUSED
    assert outcome.outcome_of(lambda: checked_powers(5)).status == "traceback"


def test_a_finding_is_kept_and_told(tmp_path):
    answer = fuzz("--kind", "csv", "--case", 3, "--out", tmp_path)
    assert answer.returncode == 0
    assert "csv 3: " in answer.stdout
    assert (tmp_path / "csv-0-3" / "outcome.txt").is_file()
    assert any((tmp_path / "csv-0-3" / "files").iterdir())
