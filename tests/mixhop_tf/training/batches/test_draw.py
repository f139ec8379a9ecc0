"""An epoch has every item once, in an order that only seed and epoch decide."""

import numpy as np
import pytest

from mixhop_tf.training.batches.draw import Shuffle

ITEMS = np.arange(100, 123)


@pytest.mark.parametrize("num_batches", [1, 4, 23])
def test_pieces_are_those_of_array_split(num_batches):
    shuffle = Shuffle(ITEMS, num_batches)
    for seed, epoch in [(0, 0), (0, 1), (5, 1), (0, 0)]:
        order = np.random.default_rng([seed, epoch, 0]).permutation(ITEMS)
        first = epoch * num_batches
        found = [shuffle.piece(seed, first + place) for place in range(num_batches)]
        for piece, expected in zip(found, np.array_split(order, num_batches), strict=True):
            np.testing.assert_array_equal(piece, expected)
