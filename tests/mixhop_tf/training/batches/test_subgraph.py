"""Subgraphs are those that SciPy cuts out, and their operators those of a small graph."""

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf import AdjacencySpec, normalized_adjacency
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches import subgraph
from mixhop_tf.training.batches.subgraph import induced, induced_in_groups

N = 60
RNG = np.random.default_rng(0)
EDGES = RNG.integers(N, size=(200, 2))
WEIGHTS = RNG.uniform(0.5, 2.0, 200)
NODES = np.sort(RNG.choice(N, 25, replace=False))


def dense(entries, size):
    values = np.ones(len(entries.rows)) if entries.values is None else entries.values
    return sp.csr_array((values, (entries.rows, entries.columns)), shape=(size, size)).toarray()


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("direction", ["undirected", "in", "out"])
def test_an_induced_subgraph_is_scipys(weights, direction):
    rows = Neighbors.from_edges(EDGES, N, weights, direction)
    scratch = np.full(N, -1, np.int32)
    entries = induced(rows, NODES, scratch)
    expected = rows.rows(0, N).toarray()[np.ix_(NODES, NODES)]
    np.testing.assert_allclose(dense(entries, len(NODES)), expected, rtol=1e-6)
    assert np.all(scratch == -1)
    keys = entries.rows * N + entries.columns
    assert np.all(np.diff(keys) > 0)  # row-major, each once


@pytest.mark.parametrize("places", [1, 4, 1 << 20])
@pytest.mark.parametrize("size", [8, 25])  # small batches go through a sieve
def test_few_places_and_few_rows_at_once_change_nothing(monkeypatch, places, size):
    monkeypatch.setattr(subgraph, "_SIEVE", places)
    monkeypatch.setattr(subgraph, "_ROWS", 3)
    rows = Neighbors.from_edges(EDGES, N, WEIGHTS)
    expected = rows.rows(0, N).toarray()[np.ix_(NODES[:size], NODES[:size])]
    entries = induced(rows, NODES[:size], np.full(N, -1, np.int32))
    np.testing.assert_array_equal(dense(entries, size), expected)
    grouped = induced_in_groups(rows, NODES[:size], np.full(size, 5), N)
    np.testing.assert_array_equal(dense(grouped, size), expected)


def test_groups_stay_apart():
    rows = Neighbors.from_edges(EDGES, N)
    first, second = NODES[:15], NODES[5:]
    nodes = np.concatenate([first, second])
    groups = np.repeat([0, 3], [len(first), len(second)])
    found = dense(induced_in_groups(rows, nodes, groups, N), len(nodes))
    whole = rows.rows(0, N).toarray()
    expected = sp.block_diag([whole[np.ix_(part, part)] for part in (first, second)]).toarray()
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize(
    "spec",
    [
        AdjacencySpec(),
        AdjacencySpec(direction="in"),
        AdjacencySpec(direction="out", normalization="row"),
        AdjacencySpec(normalization="none", self_loops=False),
        AdjacencySpec(normalization="row"),
    ],
    ids=str,
)
def test_the_operator_of_all_nodes_is_that_of_the_graph(spec, weights):
    rows = Neighbors.from_edges(EDGES, N, weights, spec.direction)
    entries = induced(rows, np.arange(N), np.full(N, -1, np.int32))
    indices, values = entries.normalized(N, spec)
    options = {"normalization": spec.normalization, "self_loops": spec.self_loops}
    expected = normalized_adjacency(EDGES, N, weights=weights, direction=spec.direction, **options)
    np.testing.assert_array_equal(indices, expected.indices)
    np.testing.assert_allclose(values, expected.values, rtol=1e-6)
    assert values.dtype == tf.float32.as_numpy_dtype
