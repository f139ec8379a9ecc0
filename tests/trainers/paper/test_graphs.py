"""The graphs of many cells: loaded once, or described by the records alone."""

import json
from pathlib import Path

import pytest

from trainers.paper import graphs
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.cells import EXPERIMENTS
from trainers.paper.graphs import Graphs
from trainers.paper.presets import preset
from trainers.sweeps import records
from trainers.sweeps.data_config import DataConfig

RECORDS = Path(__file__).parents[3] / "results" / "records"
GENERATED = DataConfig(dataset="synthetic-h0.3", split="thirds", seed=2)
CHEBYSHEV = ArchitectureRequest(model="chebyshev")


@pytest.fixture
def loaded(monkeypatch):
    """The graphs that are loaded."""
    found, load = [], Graphs.load
    monkeypatch.setattr(Graphs, "load", lambda self, data: found.append(data) or load(self, data))
    return found


def config_of(some, data=GENERATED):
    return some.config(data, CHEBYSHEV, preset("synthetic", data.dataset, "chebyshev"))


def write_record(path, config, **changes):
    """A record of the config, with optional changes."""
    numbers = dict.fromkeys(("val_accuracy", "val_loss", "test_accuracy", "seconds"), 0.5)
    content = json.loads(json.dumps(config.to_dict())) | changes
    head = {"key": config.key(), "seed": 0, "status": records.DONE}
    records.append(path, head | numbers | {"config": content})


def test_a_generated_graph_that_the_records_name_is_not_generated(tmp_path, loaded):
    expected = config_of(Graphs())
    write_record(tmp_path / "synthetic" / "chebyshev.jsonl", expected)
    loaded.clear()
    trusting = Graphs(None, tmp_path, trust_records=True)
    assert config_of(trusting) == expected
    assert config_of(trusting).key() == expected.key()
    assert loaded == []  # nor is it for the eigenvalue


def test_what_trains_looks_at_the_graph_itself(tmp_path, loaded):
    expected = config_of(Graphs())
    write_record(tmp_path / "r.jsonl", expected, digest="another")
    loaded.clear()
    assert config_of(Graphs(None, tmp_path)).digest == expected.digest
    assert loaded
    assert config_of(Graphs(None, tmp_path, trust_records=True)).digest == "another"


def test_where_the_records_name_two_fingerprints_the_graph_is_loaded(tmp_path, loaded):
    expected = config_of(Graphs())
    write_record(tmp_path / "a.jsonl", expected)
    write_record(tmp_path / "b.jsonl", expected, digest="another")
    loaded.clear()
    assert config_of(Graphs(None, tmp_path, trust_records=True)).key() == expected.key()
    assert loaded == [GENERATED]


def test_a_graph_that_no_record_names_is_loaded(tmp_path, loaded):
    assert config_of(Graphs(None, tmp_path, trust_records=True)).digest
    assert GENERATED in loaded


def test_records_of_published_graphs_count_only_where_these_are_used(tmp_path, loaded):
    expected = config_of(Graphs())
    write_record(tmp_path / graphs.PUBLISHED / "r.jsonl", expected, digest="published")
    loaded.clear()
    generated = Graphs(None, tmp_path, trust_records=True)
    assert config_of(generated).digest == expected.digest
    assert loaded
    loaded.clear()
    published = Graphs(str(tmp_path), tmp_path, trust_records=True)
    assert published.facts(GENERATED).digest == "published"
    assert loaded == []


def test_a_graph_is_loaded_once_for_all_models(monkeypatch):
    made, load = [], DataConfig.load
    monkeypatch.setattr(
        DataConfig, "load", lambda self, data_dir: made.append(self) or load(self, data_dir)
    )
    data = DataConfig(dataset="synthetic-h0.3", split="thirds", seed=77)
    some = Graphs()
    first, again = some.load(data), Graphs().load(data)
    config_of(some, data)
    assert first is again
    assert made == [data]


@pytest.mark.network
@pytest.mark.parametrize("name", ["table1/cora/mixhop-default", "table3/cora/chebyshev"])
def test_the_committed_records_give_the_key_that_loading_gives(name, loaded):
    experiment = EXPERIMENTS[name]
    trusting = Graphs(None, RECORDS, trust_records=True)
    trusted = experiment.cell(trusting, RECORDS)
    assert loaded == []
    seen = experiment.cell(Graphs(None, RECORDS), RECORDS)
    assert experiment.data in loaded
    assert trusted.config.key() == seen.config.key()
    assert len(trusted.records(range(100))) == 100
