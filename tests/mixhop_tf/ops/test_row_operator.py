"""A `RowOperator` must multiply as the sparse tensor of the same adjacency does."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from mixhop_tf import AdjacencySpec, normalized_adjacency
from mixhop_tf.ops import tiled_rows
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.ops.row_operator import RowOperator
from mixhop_tf.ops.sparse import sparse_matmul
from mixhop_tf.ops.tiled_rows import TiledRows

N = 30
OPPOSITE = {"in": "out", "out": "in"}


@pytest.fixture(scope="module")
def edges():
    return np.random.default_rng(0).integers(N - 2, size=(70, 2))  # two nodes have no edge


@pytest.mark.parametrize(
    ("direction", "normalization", "self_loops", "weighted"),
    [
        *itertools.product(
            ("undirected", "in", "out"), ("symmetric", "row", "none"), (True, False), (True, False)
        )
    ],
)
def test_products_and_gradients(edges, direction, normalization, self_loops, weighted):
    rng = np.random.default_rng(1)
    weights = rng.random(len(edges)) + 0.1 if weighted else None
    options = {"direction": direction, "normalization": normalization, "self_loops": self_loops}
    expected = normalized_adjacency(edges, N, weights=weights, **options)
    rows, transposed = (
        way and Neighbors.from_edges(edges, N, weights, way)
        for way in (direction, OPPOSITE.get(direction))
    )
    found = RowOperator.of(rows, AdjacencySpec(**options), transposed)
    h, target = (tf.constant(rng.standard_normal((N, 40)), tf.float32) for _ in range(2))

    def value_and_gradient(operator):
        return tf.function(lambda h: _value_and_gradient(operator, h))(h)

    def _value_and_gradient(operator, h):
        with tf.GradientTape() as tape:
            tape.watch(h)
            product = sparse_matmul(operator, sparse_matmul(operator, h))
            loss = tf.reduce_sum(product * target)
        return product, tape.gradient(loss, h)

    for mine, theirs in zip(value_and_gradient(found), value_and_gradient(expected), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)


def test_the_number_of_blocks_does_not_change_the_bits(edges, monkeypatch):
    rows = Neighbors.from_edges(edges, N)
    h = tf.constant(np.random.default_rng(2).standard_normal((N, 5)), tf.float32)
    results = []
    for most in (1000, 10, 1):
        monkeypatch.setattr(TiledRows, "block_rows", most)
        results.append(RowOperator.of(rows, AdjacencySpec()).matmul(h).numpy())
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("weighted", [False, True])
def test_tiles_do_not_change_the_bits(edges, weighted, monkeypatch):
    monkeypatch.setattr(tiled_rows, "_TILE", 4)
    rng = np.random.default_rng(3)
    weights = rng.random(len(edges)).astype(np.float32) if weighted else None
    rows = Neighbors.from_edges(edges, N, weights, "out")
    columns = rng.standard_normal((N, 5)).astype(np.float32)
    tiled = TiledRows.copy_of(rows)
    for start, stop in ((0, 11), (11, N), (0, 11)):
        block = tiled.rows(start, stop)
        np.testing.assert_array_equal(block @ columns, rows.rows(start, stop) @ columns)
        tiles = block.coords[1] // 4
        assert (np.diff(tiles) >= 0).all()
        assert len(np.unique(tiles)) > 2


def test_keras_takes_it_for_a_tensor(edges):
    operator = RowOperator.of(Neighbors.from_edges(edges, N), AdjacencySpec())
    assert tf.is_tensor(operator)
    assert operator.shape == [N, N]
    assert operator.dtype == tf.float32
