"""The tables of large graphs come from the committed measurements."""

import json
from pathlib import Path

import pytest

from benchmarks import large_figures

FOLDER = Path(__file__).parents[1] / "results" / "benchmarks"


def test_the_tables_are_those_of_the_measurements():
    text = (FOLDER / "large_graph.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    for name, table in large_figures.tables(lines).items():
        assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == f"{table}\n"


def test_the_exponent_of_a_cost_that_grows_with_the_square_is_two():
    assert large_figures.exponent([(1, 3.0), (10, 300.0), (100, 3e4)]) == pytest.approx(2)
    assert large_figures.exponent([(1, 3.0)]) is None
