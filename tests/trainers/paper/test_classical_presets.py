"""The tuned values of the classical methods are what the searches on record found."""

import dataclasses
from pathlib import Path

import pytest

from trainers.paper import classical_presets, classical_values
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.cells import CLASSICAL, EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.presets import CITATION, preset
from trainers.paper.series import CITED
from trainers.paper.tuning import ROUNDS, draw, tune, tuning_starts
from trainers.sweeps.cell import Cell
from trainers.sweeps.data_config import DataConfig

RECORDS = Path(__file__).parents[3] / "results" / "records"


FIGURE_4 = DataConfig(dataset="synthetic-h0.2", split="thirds", seed=100)
TUNED = {
    f"{each.table}/{each.row}/{each.data.dataset}": (each.row, each.preset, each.data)
    for each in EXPERIMENTS.values()
    if each.row in CLASSICAL
} | {f"figure4/{model}": (model, "synthetic", FIGURE_4) for model in CITED}


@pytest.mark.parametrize("name", TUNED)
def test_the_tuned_preset_is_what_the_search_found(name):
    model, preset_name, data = TUNED[name]
    graphs = Graphs(None, RECORDS, trust_records=True)
    starts, space = tuning_starts(model, data)
    path = RECORDS / "tuning" / model / f"{data.file_stem}.jsonl"
    request = ArchitectureRequest(model=model, name=None)

    def cell_of(chosen):
        return Cell(graphs.config(data, request, chosen), path)

    def check(cells, seeds):
        assert not any(cell.missing(seeds) for cell in cells)

    drawn = draw(list(starts.values()), space, ROUNDS[0][0], seed=0)
    best = tune(drawn, cell_of, check, ROUNDS)[0].preset
    chosen = preset(preset_name, data.dataset, model)
    assert dataclasses.replace(best, source=chosen.source) == chosen


def test_every_method_is_tuned_for_table_1():
    assert {name for name in TUNED if name.startswith("table1/")} == {
        f"table1/{model}/{dataset}" for model in CLASSICAL for dataset in CITATION
    }


@pytest.mark.parametrize("name", TUNED)
def test_tuning_chooses_the_same_names_everywhere(name):
    model, preset_name, data = TUNED[name]
    values = {
        "tuned": classical_values.PLANETOID_SPLITS,
        "tuned-random": classical_values.RANDOM_SPLITS,
    }
    found = (
        classical_values.SYNTHETIC[model]
        if preset_name == "synthetic"
        else values[preset_name][model][data.dataset]
    )
    assert set(found) == set(classical_presets.SPACES[model])
