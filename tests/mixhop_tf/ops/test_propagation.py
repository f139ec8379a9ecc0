"""How columns are divided into bundles."""

import pytest

from mixhop_tf.ops.propagation import plan_bundles
from mixhop_tf.ops.sparse import MAX_COLUMNS


@pytest.mark.parametrize(
    "dims", [(1,), (31,), (32,), (20, 20, 20), (7, 7, 7), (200, 3, 40), (31, 1)]
)
def test_bundles_cover_every_column_once_and_stay_narrow(dims):
    bundles = plan_bundles(dims)
    covered = [(i, column) for bundle in bundles for i, a, b in bundle for column in range(a, b)]
    assert covered == [(i, column) for i, dim in enumerate(dims) for column in range(dim)]
    assert all(sum(b - a for _, a, b in bundle) <= MAX_COLUMNS for bundle in bundles)
