"""A stored graph is the same graph as the one that was written, array for array."""

import dataclasses
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from datasets import Graph
from datasets.store import buckets
from datasets.store.open import check_store
from datasets.store.stored_graph import StoredGraph
from mixhop_tf.ops.neighbors import Neighbors
from trainers.sweeps.config import graph_digest

NUM_NODES = 40


def random_graph(directed=False, weighted=False, dense=True, **fields):
    rng = np.random.default_rng(1)
    weights = rng.random(200) + 0.1 if weighted else None
    pairs = rng.integers(NUM_NODES, size=(200, 2))
    edges, weights = datasets.merged_edges(pairs, NUM_NODES, weights=weights, directed=directed)
    features = rng.random((NUM_NODES, 5))
    features[rng.random(features.shape) < (0.1 if dense else 0.9)] = 0
    labels = rng.integers(-1, 3, NUM_NODES)
    empty = {split: [] for split in ("train", "val", "test")}
    return Graph(
        name="town",
        num_nodes=NUM_NODES,
        num_classes=3,
        features=features,
        edges=edges,
        edge_weights=weights,
        directed=directed,
        labels=labels,
        **(empty | fields),
    )


def assert_same(first, second):
    for field in dataclasses.fields(Graph):
        one, other = getattr(first, field.name), getattr(second, field.name)
        if sp.issparse(one):
            for part in ("data", "indices", "indptr"):
                assert_same_array(getattr(one, part), getattr(other, part))
        elif isinstance(one, np.ndarray):
            assert_same_array(one, other)
        else:
            assert one == other, field.name


def assert_same_array(first, second):
    assert first.dtype == second.dtype
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dense", [False, True])
def test_a_store_gives_back_the_graph(tmp_path, directed, weighted, dense):
    graph = random_graph(directed, weighted, dense)
    path = graph.save(tmp_path / "town.store")
    stored = datasets.load(path, directed=directed, make_split=False)
    assert isinstance(stored, StoredGraph)
    assert_same(graph, stored)
    assert isinstance(stored.feature_matrix, np.ndarray) == dense
    assert_same_array(graph.degrees(), stored.degrees())
    assert (graph.homophily(), graph.adjusted_homophily()) == (
        stored.homophily(),
        stored.adjusted_homophily(),
    )
    assert_same(graph.undirected(), stored.undirected())
    check_store(path)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("direction", ["undirected", "in", "out"])
def test_stored_rows_equal_the_rows_made_from_edges(tmp_path, weighted, direction):
    graph = random_graph(direction != "undirected", weighted)
    stored = datasets.load(graph.save(tmp_path / "town.store"), directed=graph.directed)
    expected, found = Neighbors.of(graph, direction), Neighbors.of(stored, direction)
    assert_same_array(expected.indptr, found.indptr)
    assert_same_array(expected.indices, found.indices)
    assert (found.weights is not None) == weighted
    if weighted:
        assert_same_array(expected.weights, found.weights)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dense", [False, True])
def test_the_digest_is_that_of_the_graph_in_memory(tmp_path, directed, weighted, dense):
    graph = random_graph(directed, weighted, dense)
    stored = datasets.load(graph.save(tmp_path / "town.store"), directed=directed)
    kept = stored._contents.manifest.digest["value"]
    assert stored.digest == kept == graph_digest(datasets.stratified_split(graph))
    other = datasets.thirds_split(stored)
    assert graph_digest(other) == graph_digest(datasets.thirds_split(graph)) != kept


def test_a_new_split_keeps_the_graph_in_its_store(tmp_path):
    stored = datasets.load(random_graph().save(tmp_path / "town.store"))
    other = stored.with_split([], [], [])
    assert isinstance(other, StoredGraph)
    assert other._contents is stored._contents
    assert not {"edges", "features", "ids"} & stored._contents.__dict__.keys()
    with pytest.raises(datasets.DataError, match="names node 99"):
        stored.with_split([99], [], [])


def test_dataclasses_replace_gives_a_graph_in_memory(tmp_path):
    stored = datasets.load(random_graph().save(tmp_path / "town.store"))
    changed = dataclasses.replace(stored, name="village")
    assert type(changed) is Graph
    assert_same(dataclasses.replace(changed, name="town"), stored)


def test_a_stored_graph_goes_to_another_process_by_its_path(tmp_path):
    stored = datasets.load(random_graph().save(tmp_path / "town.store")).with_split([], [], [])
    sent = pickle.dumps(stored)
    assert len(sent) < 3000
    assert_same(pickle.loads(sent), stored)


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        (None, "none"),
        ([str(i) for i in range(NUM_NODES)], "count"),
        ([str(i * 7 + 3) for i in range(NUM_NODES)], "numbers"),
        ([f"0{i}" for i in range(NUM_NODES)], "texts"),
        ([f"né {i}" for i in range(NUM_NODES)], "texts"),
    ],
)
def test_node_ids_are_stored_compactly_and_come_back(tmp_path, ids, kind):
    graph = random_graph(node_ids=ids)
    stored = datasets.load(graph.save(tmp_path / "town.store"), make_split=False)
    assert_same(graph, stored)
    assert stored._contents.manifest.node_ids == kind


def test_many_small_buckets_and_wide_indices_give_the_same_rows(tmp_path, monkeypatch):
    graph = random_graph(weighted=True)
    monkeypatch.setattr(buckets, "ENTRIES", 16)
    monkeypatch.setattr(buckets, "_SMALL", NUM_NODES - 1)
    stored = datasets.load(graph.save(tmp_path / "town.store"), make_split=False)
    assert stored.neighbors.indices.dtype == np.int64
    assert_same(graph, stored)


def test_weights_can_be_ignored_and_directions_cannot_be_made_up(tmp_path):
    graph = random_graph(weighted=True)
    path = graph.save(tmp_path / "town.store")
    plain = dataclasses.replace(graph, edge_weights=None)
    loaded = datasets.load(path, weight="none", make_split=False)
    assert_same(plain, loaded)
    assert graph_digest(loaded) == graph_digest(plain) != graph_digest(graph)
    with pytest.raises(datasets.DataError, match="without directions"):
        datasets.load(path, directed=True)
    with pytest.raises(datasets.DataError, match="it has no 'cost'"):
        datasets.load(path, weight="cost")
