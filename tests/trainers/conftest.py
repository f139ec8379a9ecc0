"""Small graphs and configs to train on."""

import dataclasses

import pytest
from small_settings import SETTINGS

from mixhop_tf import Architecture
from trainers.plots import style
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig


@pytest.fixture(scope="session")
def small_file(small_graph, tmp_path_factory):
    """The same in a file."""
    path = tmp_path_factory.mktemp("graph") / "small.npz"
    small_graph.save(path)
    return path


@pytest.fixture(scope="session")
def make_config(small_graph, small_file):
    """A function from settings that differ to a config."""

    def make(graph=small_graph, **changes):
        return RunConfig.of(
            DataConfig(dataset=str(small_file)),
            graph,
            Architecture.default(6, hidden_dims=[12]),
            dataclasses.replace(SETTINGS, **changes),
        )

    return make


@pytest.fixture
def fewer_pictures(monkeypatch):
    """Writes each figure to one file instead of three, for tests that look at no picture."""
    monkeypatch.setattr(style, "KINDS", ("svg",))
