"""A small model and graph, made from tables, and a server for them."""

import pytest
from small_server import export_model, make_request, make_served, running, write_town

import datasets
from trainers.runs import prediction, trained
from trainers.sweeps.data_config import DataConfig


@pytest.fixture(scope="session")
def town(tmp_path_factory):
    """Folders of the tables and of the model."""
    folder = tmp_path_factory.mktemp("served")
    tables = write_town(folder / "town")
    model = export_model(datasets.load(tables), folder / "model")
    return tables, model


@pytest.fixture(scope="session")
def loaded(town):
    """The model and the graph, as the commands load them."""
    tables, model = town
    return trained.load(model, DataConfig(dataset=str(tables)))


@pytest.fixture(scope="session")
def expected(loaded):
    """What `trainers.predict` answers."""
    return prediction.predict(loaded.graph, loaded.features, loaded.model)


@pytest.fixture
def served(loaded):
    """A graph of its own for each test."""
    return make_served(loaded)


@pytest.fixture
def client(served, town):
    """A server for `served`."""
    with running(served, make_request(town[1])) as client:
        yield client
