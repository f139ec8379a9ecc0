"""Penalties against the reference."""

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import GroupLasso
from mixhop_tf.regularizers import MeanSquare

X = np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32)


def test_group_lasso_equals_the_reference_and_has_no_nan_at_zero():
    kernel = X.copy()
    kernel[:, 2] = 0
    w = tf.Variable(kernel)
    with tf.GradientTape() as tape:
        penalty = GroupLasso(lasso=0.3, l2=0.7)(w)
    assert float(penalty) == pytest.approx(reference.group_lasso(kernel, 0.3, 0.7), rel=1e-5)
    gradient = tape.gradient(penalty, w).numpy()
    norms = np.maximum(np.sqrt((kernel**2).sum(axis=0)), 1e-30)
    np.testing.assert_allclose(gradient, 0.3 * kernel / norms + 1.4 * kernel, atol=1e-5)
    assert not gradient[:, 2].any()


@pytest.mark.parametrize("regularizer", [GroupLasso(0.1, 0.2), MeanSquare(0.3)])
def test_regularizers_survive_serialisation(regularizer):
    config = keras.regularizers.serialize(regularizer)
    assert keras.regularizers.deserialize(config).get_config() == regularizer.get_config()


def test_a_negative_coefficient_is_refused():
    with pytest.raises(ValueError, match="lasso=-1"):
        GroupLasso(lasso=-1)
