"""The tuned values of the classical methods are what the searches on record found."""

import dataclasses
from pathlib import Path

import pytest

from trainers.paper import classical_presets
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.cells import CLASSICAL, EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.presets import CITATION, preset
from trainers.paper.tuning import ROUNDS, draw, tune, tuning_starts
from trainers.sweeps.cell import Cell

RECORDS = Path(__file__).parents[3] / "results" / "records"


@pytest.mark.parametrize("dataset", CITATION)
@pytest.mark.parametrize("model", CLASSICAL)
def test_the_tuned_preset_is_what_the_search_found(model, dataset):
    graphs = Graphs(None, RECORDS, trust_records=True)
    data = EXPERIMENTS[f"table1/{dataset}/{model}"].data
    starts, space = tuning_starts(model, data)
    path = RECORDS / "tuning" / model / f"{data.file_stem}.jsonl"
    request = ArchitectureRequest(model=model, name=None)

    def cell_of(chosen):
        return Cell(graphs.config(data, request, chosen), path)

    def check(cells, seeds):
        assert not any(cell.missing(seeds) for cell in cells)

    drawn = draw(list(starts.values()), space, ROUNDS[0][0], seed=0)
    best = tune(drawn, cell_of, check, ROUNDS)[0].preset
    chosen = preset("tuned", dataset, model)
    assert dataclasses.replace(best, source=chosen.source) == chosen


@pytest.mark.parametrize("model", classical_presets.START)
def test_a_method_has_the_same_tuned_names_on_every_graph(model):
    names = set(classical_presets.SPACES[model])
    for graph in CITATION:
        assert set(classical_presets._TUNED[model][graph]) == names
