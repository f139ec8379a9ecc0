"""The measurements behind the rows of Table 1 that the paper cites."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from benchmarks import cited_cost, cited_rows, lp_sweeps, planetoid_leak
from benchmarks.cited_rows import CHANGES, RECORDS
from mixhop_tf.classical.label_propagation import harmonic_function
from trainers.paper.graphs import Graphs

FOLDER = Path(__file__).parents[1] / "results" / "benchmarks"


def test_a_curve_is_read_off_at_the_first_best_step_of_each_kind_of_nodes():
    curve = np.array([[0.5, 0.6], [0.8, 0.7], [0.8, 0.75], [0.7, 0.9]])
    assert planetoid_leak.read_off(curve) == (0.7, 0.9)


def test_the_table_of_the_leak_is_that_of_its_runs():
    runs = json.loads((FOLDER / "planetoid_leak.json").read_text(encoding="utf-8"))
    table = (FOLDER / "planetoid_leak.md").read_text(encoding="utf-8")
    for graph in {run["graph"] for run in runs}:
        own = [run for run in runs if run["graph"] == graph]
        assert all(run["chosen_by_test"] >= run["chosen_by_validation"] for run in own)
        for cell in planetoid_leak.row(graph, own):
            assert cell in table


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.row}, {change.text}")
def test_a_change_is_a_change(change):
    graphs = Graphs(None, RECORDS, trust_records=True)
    for dataset in change.graphs[:1]:
        ours = change.experiment(dataset).cell(graphs, RECORDS)
        keys = [change.cell(graphs, dataset, each).config.key() for each in change.presets(dataset)]
        assert len({*keys, ours.config.key()}) == len(keys) + 1


def test_the_table_of_changes_is_that_of_its_records():
    graphs = Graphs(None, RECORDS, trust_records=True)
    table = (FOLDER / "cited_rows.md").read_text(encoding="utf-8")
    cells = [(change, dataset) for change in CHANGES for dataset in change.graphs]
    found = [cited_rows.line(*each, graphs, cited_rows.nothing, 1) for each in cells]
    lines = [line for line in found if line is not None]
    assert len(lines) == len(table.strip().splitlines()) - 2
    for line in lines:
        (row,) = (each for each in table.splitlines() if line[0] in each and line[1] in each)
        assert [each.strip() for each in row.strip("|").split("|")] == line


def test_many_sweeps_reach_the_harmonic_function():
    ring = np.roll(np.eye(9), 1, axis=1)
    adjacency, labelled, labels = sp.csr_array(ring + ring.T), np.array([0, 4]), np.array([1, 0])
    sweeps = lp_sweeps.shares_by_sweep(adjacency, labelled, labels, 2)
    first, *_, last = itertools.islice(sweeps, 500)
    np.testing.assert_allclose(last, harmonic_function(adjacency, labelled, labels, 2), atol=1e-6)
    np.testing.assert_allclose(first[1], [0, 0.5])


def test_the_cost_is_that_of_all_runs_on_two_cores():
    assert cited_cost.minutes({"lp": 120.0, "ica": 1.2}) == pytest.approx(2.0)
