"""Products of factors larger than the cache have the bits of those in the cache."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mixhop_tf import AdjacencySpec
from mixhop_tf.ops import near_rows
from mixhop_tf.ops.block_operator import BlockOperator
from mixhop_tf.ops.neighbors import Neighbors

N = 50
RNG = np.random.default_rng(0)
# Node 0 is in a fifth of all edges, so its row has more entries than are read at once.
EDGES = np.concatenate([RNG.integers(N, size=(160, 2)), [(0, node) for node in range(1, 41)]])
WEIGHTS = RNG.uniform(0.5, 2.0, len(EDGES)).astype(np.float32)


@pytest.fixture
def small_cache(monkeypatch):
    monkeypatch.setattr(near_rows, "_CACHE", 0)
    monkeypatch.setattr(near_rows, "_ENTRIES", 10)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("width", [1, 3, 4, 5, 8, 20])
@pytest.mark.parametrize("spec", [AdjacencySpec(), AdjacencySpec(self_loops=False)], ids=str)
def test_a_product_has_the_same_bits(small_cache, monkeypatch, weights, width, spec):
    rows = Neighbors.from_edges(EDGES, N, weights)
    z = RNG.standard_normal((N, width)).astype(np.float32)
    with ThreadPoolExecutor(2) as pool:
        operator = BlockOperator.of(rows, spec, pool)
        found = operator.product(z)
        blocks = np.concatenate(list(operator.product_blocks(z, operator.blocks)))
        monkeypatch.setattr(near_rows, "_CACHE", 1 << 30)
        expected = operator.product(z)
        assert near_rows.fast_width(N, width) == width  # the cache decides
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(blocks, expected)


def test_rows_without_entries_are_zero():
    indptr, indices = np.array([0, 0, 2, 2, 3, 3]), np.array([1, 0, 1], np.int32)
    dense, result = np.array([[1.0], [2.0]], np.float32), np.full((5, 1), np.nan, np.float32)
    near_rows.near_product(indptr, indices, None, dense, result)
    np.testing.assert_array_equal(result[:, 0], [0, 3, 0, 2, 0])


def test_a_product_changes_its_input_only_if_it_may():
    rows = Neighbors.from_edges(EDGES, N)
    z = RNG.standard_normal((N, 4)).astype(np.float32)
    before = z.copy()
    with ThreadPoolExecutor(1) as pool:
        operator = BlockOperator.of(rows, AdjacencySpec(), pool)
        first = operator.product(z)
        np.testing.assert_array_equal(z, before)
        second = operator.product(z, overwrite=True)
    np.testing.assert_array_equal(first, second)
    assert np.any(z != before)  # it saved the copy
