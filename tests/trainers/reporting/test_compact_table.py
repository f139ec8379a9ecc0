"""Compact networks: their cells have the benchmark's architectures, and the table pairs them."""

import json
from pathlib import Path

import pytest

from trainers.paper.cells import EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.reporting.compact_table import compact_table
from trainers.reporting.results import Result
from trainers.sweeps import records

RESULTS = Path(__file__).parents[3] / "results"


def architecture_of(experiment):
    graphs = Graphs(None, RESULTS / "records", trust_records=True)
    return experiment.cell(graphs, RESULTS / "records").config.architecture


def test_the_cells_have_the_architectures_that_the_benchmark_learned_from_seed_0():
    benchmark = json.loads((RESULTS / "benchmarks" / "stability.json").read_text())
    first = [each for each in benchmark if each["seed"] == 0]
    assert {each["graph"] for each in first} >= {"cora", "citeseer"}
    for each in first:
        cell = EXPERIMENTS[f"compact/{each['graph']}/stable-{each['columns']}"]
        widths = [layer["dims"] for layer in architecture_of(cell)["layers"]]
        assert widths == each["widths"]


def result(row, accuracies, name="compact/cora/stable-20"):
    """A cell of Cora with these test accuracies."""
    config = {"architecture": architecture_of(EXPERIMENTS[name])}
    runs = [
        {
            "config": config,
            "status": records.DONE,
            "seed": seed,
            "val_accuracy": 0.8,
            "val_loss": 1.0,
            "test_accuracy": each,
            "seconds": 1.0,
        }
        for seed, each in enumerate(accuracies)
    ]
    return Result("cora", row, None, runs, "l2", row)


def test_a_line_has_both_and_their_difference():
    even, stable = result("even-20", [0.80, 0.81]), result("stable-20", [0.82, 0.83])
    _, _, line = compact_table([even, stable], []).splitlines()
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[:2] == ["cora · 20", "0,1,5,6,8 → 0,7,7,7,7"]
    assert [cell.split(" ")[0] for cell in cells[4:8]] == ["80.50", "–", "82.50", "+2.00"]
    assert cells[-1] == "2"
    far = result("far-20", [0.83, 0.84], "compact/cora/far-20")
    assert "  83.50 ±" in compact_table([even, stable, far], [])


def test_the_even_one_of_60_columns_is_that_of_table_1():
    stable = result("stable-60", [0.82, 0.83], "compact/cora/stable-60")
    assert compact_table([stable], []) == ""
    line = compact_table([stable], [result("mixhop-default", [0.80, 0.81])]).splitlines()[-1]
    assert "+2.00" in line


@pytest.mark.parametrize("present", ["even-20", "stable-20"])
def test_a_cell_alone_is_not_shown(present):
    assert compact_table([result(present, [0.8, 0.9])], []) == ""
