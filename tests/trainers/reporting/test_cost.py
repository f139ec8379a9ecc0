"""What a reproduction takes, by its records."""

import json
from types import SimpleNamespace

import pytest

from mixhop_tf import Architecture
from trainers.paper import study
from trainers.paper.learn_settings import CITATION_GRAPHS, DEFAULT_WAY
from trainers.paper.plan import ArchitecturePlan
from trainers.reporting.cost import cost_of
from trainers.sweeps import records
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig


def write_records(path, key, seconds):
    accuracies = dict.fromkeys(("val_accuracy", "test_accuracy", "val_loss"), 0.5)
    for seed, each in enumerate(seconds):
        record = {"key": key, "seed": seed, "status": records.DONE, "seconds": each}
        records.append(path, record | accuracies)


@pytest.fixture
def chosen(tmp_path, make_config):
    """A plan of one cell with three runs, and of two searches retrained two times each."""
    cell = Cell(make_config(), tmp_path / "cell.jsonl")
    size = SimpleNamespace(learn_seeds=2, learn_runs=2)
    learned = ArchitecturePlan(DataConfig(dataset="cora"), CITATION_GRAPHS)
    return SimpleNamespace(
        jobs=lambda: [(cell, range(3))],
        architectures=lambda: [learned],
        size=size,
        records_dir=tmp_path,
    )


def write_searches(folder, found):
    (folder / "search").mkdir(exist_ok=True)
    architecture = Architecture.default(7).to_dict()
    entries = [
        {
            "search": search,
            "seed": i,
            "seconds": seconds,
            "retraining": key,
            "architecture": architecture,
        }
        for i, (search, seconds, key) in enumerate(found)
    ]
    (folder / "search" / "cora.json").write_text(json.dumps(entries))


def test_nothing_on_record_costs_nothing(chosen):
    cost = cost_of(chosen)
    assert (cost.num_planned, cost.num_done, cost.hours) == (3 + 3 * 2, 0, 0.0)


def test_the_hours_are_of_what_the_plan_asks_for_and_of_nothing_else(chosen, tmp_path):
    ((cell, _),) = chosen.jobs()
    write_records(cell.path, cell.config.key(), [600.0, 1200.0, 600.0, 9e9])
    write_records(cell.path, "another", [9e9])
    ours = DEFAULT_WAY
    write_searches(
        tmp_path, [(study.DEFAULT_ENTRY, 0.0, "e"), (ours, 60.0, "a"), ("naive", 9e9, "n")]
    )
    retrained = tmp_path / "search" / "cora.jsonl"
    write_records(retrained, "e", [30.0, 30.0, 9e9])
    write_records(retrained, "a", [60.0])
    write_records(retrained, "n", [9e9])
    cost = cost_of(chosen)
    assert (cost.num_planned, cost.num_done) == (9, 6)
    assert cost.hours == pytest.approx((2400 + 60 + 120) / 3600)


def test_an_architecture_found_twice_is_retrained_once(chosen, tmp_path):
    ours = DEFAULT_WAY
    write_searches(tmp_path, [(study.DEFAULT_ENTRY, 0.0, "e"), (ours, 1.0, "a"), (ours, 1.0, "a")])
    assert cost_of(chosen).num_planned == 3 + 2 * 2
