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


def test_ours_stand_beside_those_of_pyg_of_the_same_session():
    cost = {"cpu": 1.0, "gb": 1.0, "start_gb": 0.5, "edges": 100_000}
    earlier = [cost | {"task": "epoch on clusters", "cpu": 2.0}, cost | {"task": "PyG clusters"}]
    later = cost | {"task": "epoch on clusters", "cpu": 7.0, "session": "later"}
    tables = large_figures.tables([*earlier, later])
    assert "2 / 1" in tables["large_graph_pyg"]
    assert "7, 1.00" in tables["large_graph"]
    assert "2, 1.00" not in tables["large_graph"]
