"""What the README shows is what the code does."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from trainers.reporting import readme, study_tables

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def python_blocks():
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_first_example_trains_exports_and_is_served_by_the_second(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = python_blocks()[0]
    (second,) = (block for block in python_blocks() if "serving_default" in block)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(first, {})
        exec(second, {})
    lines = printed.getvalue().splitlines()
    assert "\n".join(lines[:4]) in README
    assert lines[4] == "(3, 2)"


def test_the_first_example_needs_the_library_alone():
    assert not re.search(r"import (datasets|trainers)", python_blocks()[0])


@pytest.mark.parametrize("name", ["step", "throughput", "large_graph"])
def test_the_tables_of_speed_are_the_ones_that_were_measured(name):
    table = (ROOT / "results" / "benchmarks" / f"{name}.md").read_text(encoding="utf-8")
    assert table.strip() in README


def test_the_tables_of_results_are_those_of_the_report():
    report = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    assert README.count("<!-- results: ") == 6
    assert readme.filled(README, report) == README
    assert len(re.findall(r"^\| (?:graph ·|homophily)", README, re.MULTILINE)) == 4


def test_the_tables_of_searches_are_what_their_records_say():
    """Those of Planetoid's splits; the report has the others."""
    ways, _ = study_tables.report(ROOT / "results" / "records" / "search").split("\n\n")[:2]
    assert ways in README
