"""Rows are divided evenly, and found again."""

import numpy as np
import pytest

from mixhop_tf.distributed.partition import Partition


@pytest.mark.parametrize(("num_nodes", "size"), [(10, 4), (8, 4), (5, 1), (3, 5), (83, 2)])
def test_every_row_belongs_to_exactly_one_worker(num_nodes, size):
    nodes = np.arange(num_nodes)
    parts = [Partition(num_nodes, size, rank) for rank in range(size)]
    owned = np.concatenate([part.start + part.local(nodes) for part in parts])
    np.testing.assert_array_equal(owned, nodes)
    assert all(part.num_rows <= part.block for part in parts)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_gathered_nodes_are_in_the_given_order(size):
    nodes = np.random.default_rng(0).permutation(11)[:7]
    parts = [Partition(11, size, rank) for rank in range(size)]
    most, positions = parts[0].gathered(nodes)
    sent = np.full(size * most, -1)
    for part in parts:
        own = nodes[part.own(nodes)]
        sent[part.rank * most : part.rank * most + len(own)] = own
    np.testing.assert_array_equal(sent[positions], nodes)
