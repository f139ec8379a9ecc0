"""Fixtures that several tests use."""

import importlib.util
import logging
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import datasets
from datasets import sources
from trainers.sweeps import ray_cluster

# Use the same examples each time; `pytest --hypothesis-profile=explore` tries many others.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=5000)
settings.load_profile("repeatable")

TESTS = Path(__file__).parent
DATA = TESTS / "data"


def pytest_runtest_setup(item):
    """Skips the tests of Ray where it is not installed."""
    if item.get_closest_marker("ray") and importlib.util.find_spec("ray") is None:
        pytest.skip("ray is in requirements-cluster.lock")


def pytest_collection_modifyitems(items):
    """Ray leaves sockets and pipes to the garbage collector, which warns about them."""
    for item in items:
        if item.get_closest_marker("ray"):
            for kind in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::{kind}"))


@pytest.fixture(autouse=True)
def _no_network_unless_marked(request, monkeypatch, tmp_path):
    """Gives a test that is not marked `network` an empty cache and no source to download from."""
    if "network" not in request.keywords:
        monkeypatch.setenv(sources.CACHE_VARIABLE, str(tmp_path / "cache"))
        monkeypatch.setattr(sources, "_FETCHERS", {})


@pytest.fixture(scope="module")
def ray_here():
    """Ends the Ray that a test started on this machine, and restores the environment."""
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, (TESTS / "trainers", *sys.path)))
    yield
    ray_cluster.disconnect()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="session")
def data_dir():
    """The folder of reference data."""
    return DATA


@pytest.fixture
def data():
    """The folder of reference data."""
    return DATA


@pytest.fixture
def path_graph():
    """The path a - b - c - d, and e alone; two classes, and the last node is unlabelled."""
    return datasets.Graph(
        name="path",
        num_nodes=5,
        num_classes=2,
        features=np.array([[1, 0, 0.5], [0, 0, 2], [0, 0, 0], [-1, 0, 0], [0, 0, 3]]),
        edges=[[0, 1], [1, 2], [2, 3]],
        labels=[0, 0, 1, 1, -1],
        train=[0, 3],
        val=[1],
        test=[2],
        class_names=("left", "right"),
        node_ids=list("abcde"),
    )


@pytest.fixture(scope="session")
def small_graph():
    """A graph of 150 nodes in six classes that are hard to separate."""
    return datasets.generate(0.2, num_nodes=150, num_classes=6, edges_per_node=3, seed=0)


@pytest.fixture
def same_graph():
    """A function that asserts that all arrays of two graphs are equal."""

    def check(first, second):
        for field in ("num_nodes", "num_classes", "class_names", "directed"):
            assert getattr(first, field) == getattr(second, field), field
        assert (first.edge_weights is None) == (second.edge_weights is None)
        if first.edge_weights is not None:
            np.testing.assert_array_equal(first.edge_weights, second.edge_weights, strict=True)
        for field in ("edges", "labels", "train", "val", "test"):
            np.testing.assert_array_equal(
                getattr(first, field), getattr(second, field), err_msg=field, strict=True
            )
        for part in ("data", "indices", "indptr", "shape"):
            np.testing.assert_array_equal(
                getattr(first.features, part), getattr(second.features, part), err_msg=part
            )

    return check


@pytest.fixture
def messages(caplog):
    """A function that returns what `datasets` has logged."""
    caplog.set_level(logging.INFO, logger="datasets")
    return lambda: "\n".join(record.getMessage() for record in caplog.records)
