"""Small graphs and configs to train on."""

import dataclasses

import pytest
from small_settings import SETTINGS

import datasets
from mixhop_tf import Architecture
from trainers.config import RunConfig
from trainers.data_config import DataConfig


@pytest.fixture(scope="session")
def small_graph(tmp_path_factory):
    """150 nodes of six classes, not easily told apart."""
    return datasets.generate(0.2, num_nodes=150, num_classes=6, edges_per_node=3, seed=0)


@pytest.fixture(scope="session")
def small_file(small_graph, tmp_path_factory):
    """The same in a file."""
    path = tmp_path_factory.mktemp("graph") / "small.npz"
    small_graph.save(path)
    return path


@pytest.fixture
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
