"""How MixHop with attention is initialised, trained, saved and served."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from mixhop_tf import GroupLasso, MixHopLayer
from mixhop_tf.layers import AttentiveMixHopLayer

N, S = 8, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, S)).astype(np.float32)
A = RNG.uniform(0.1, 2, (N, N)) * (RNG.random((N, N)) < 0.4)


def as_sparse(dense):
    return tf.sparse.from_dense(tf.constant(dense, tf.float32))


ADJACENCY = as_sparse(A)


def randomized(layer):
    layer((X, ADJACENCY))
    rng = np.random.default_rng(5)
    for variable in layer.trainable_variables:
        variable.assign(rng.standard_normal(variable.shape))
    return layer


def test_dropout_happens_in_training_only_and_repeats_with_the_seed():
    options = {"attention_dropout": 0.5, "value_dropout": 0.5, "seed": 3}
    first, again = (AttentiveMixHopLayer((0, 1, 2), (3, 4, 4), **options) for _ in range(2))
    inputs = tf.constant(X), ADJACENCY
    still = randomized(first)(inputs)
    randomized(again)
    np.testing.assert_array_equal(still, first(inputs, training=False))
    dropped = first(inputs, training=True)
    np.testing.assert_array_equal(dropped, again(inputs, training=True))
    assert not np.array_equal(dropped, first(inputs, training=True))
    np.testing.assert_array_equal(dropped[:, :3], still[:, :3])  # power 0 keeps its values
    for columns in (slice(3, 7), slice(7, None)):
        assert np.abs(dropped - still)[:, columns].max() > 0.1


def test_all_products_of_a_power_use_the_same_dropped_coefficients():
    """On a ring of two nodes the second power is the square of what the first power shows."""
    ring = as_sparse([[1, 1], [1, 1]])
    layer = AttentiveMixHopLayer([2], [1], attention_dropout=0.5, kernel_initializer="ones", seed=1)
    seen = set()
    for _ in range(40):
        y = layer((tf.eye(2), ring), training=True).numpy()
        seen.add(tuple(y.ravel()))
    # Each coefficient is 0 or 1, so each row of T² times ones is a whole number.
    powers = {
        tuple(np.linalg.matrix_power(np.reshape(bits, (2, 2)), 2) @ np.ones(2))
        for bits in np.ndindex(2, 2, 2, 2)
    }
    assert seen <= powers
    assert len(seen) > 3


def test_each_power_and_head_draws_its_own_weights_with_its_own_fans():
    initializer = keras.initializers.GlorotUniform(7)
    layer = AttentiveMixHopLayer((0, 1, 2), (8, 64, 64), heads=8, kernel_initializer=initializer)
    mixhop = MixHopLayer((0, 1, 2), (8, 64, 64), kernel_initializer=initializer)
    for each in (layer, mixhop):
        each.build([(None, 40), (None, None)])
    for kernel, expected in zip(layer.kernels, mixhop.kernels, strict=True):
        np.testing.assert_array_equal(kernel, expected)
    drawn = np.concatenate([np.ravel(vectors) for vectors in (*layer.own, *layer.neighbour)])
    assert len(np.unique(drawn)) == drawn.size
    limit = np.sqrt(6 / (8 + 1))
    assert 0.9 * limit < np.abs(drawn).max() <= limit


def test_the_regularizer_also_counts_the_vectors_and_the_constraint_does_not():
    layer = AttentiveMixHopLayer(
        (0, 1), (2, 3), kernel_regularizer=GroupLasso(l2=0.5), kernel_constraint="non_neg"
    )
    randomized(layer)
    expected = 0.5 * sum((weight.numpy() ** 2).sum() for weight in layer.weights)
    assert float(sum(layer.losses)) == pytest.approx(expected, rel=1e-5)
    assert [weight.constraint is not None for weight in layer.weights] == [True] * 2 + [False] * 2


def test_no_product_is_wider_than_the_fast_path():
    layer = AttentiveMixHopLayer((0, 1, 2), (60, 40, 70), heads=20)

    @tf.function
    def gradients(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer((tf.sparse.from_dense(x), tf.sparse.eye(5))) ** 2)
        return tape.gradient(loss, [weight.value for weight in layer.weights])

    graph = gradients.get_concrete_function(tf.TensorSpec([5, 600])).graph
    products = [op for op in graph.get_operations() if op.type == "SparseTensorDenseMatMul"]
    assert len(products) > 10
    assert max(op.outputs[0].shape[1] for op in products) <= 31


def test_a_saved_model_serves_graphs_of_any_size(tmp_path):
    layer = randomized(AttentiveMixHopLayer((0, 1, 2), (2, 3, 4), heads=2))
    module = tf.Module()
    module.layer = layer
    module.serve = tf.function(
        lambda x, indices, values, n: layer((x, tf.SparseTensor(indices, values, [n, n]))),
        input_signature=[
            tf.TensorSpec([None, S]),
            tf.TensorSpec([None, 2], tf.int64),
            tf.TensorSpec([None]),
            tf.TensorSpec([], tf.int64),
        ],
    )
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for size in (N, 3):
        part = as_sparse(A[:size, :size])
        x = tf.constant(X[:size])
        n = tf.constant(size, tf.int64)
        np.testing.assert_allclose(
            loaded.serve(x, part.indices, part.values, n), layer((x, part)), atol=1e-6
        )


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16", "float64"])
def test_dtype_policies(policy):
    layer = AttentiveMixHopLayer((0, 1, 2), (2, 4, 4), heads=2, attention_dropout=0.5, dtype=policy)
    dtype = keras.DTypePolicy(policy).compute_dtype
    y = layer((tf.constant(X, dtype), tf.cast(ADJACENCY, dtype)), training=True)
    assert y.dtype == dtype
    assert np.isfinite(tf.cast(y, tf.float32)).all()


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ({"powers": (0, 1), "dims": (1, 1), "heads": 0}, "heads=0"),
        ({"powers": (0, 1), "dims": (1, 1), "attention_dropout": 1.0}, "rate=1.0"),
        ({"powers": (0, 1), "dims": (1, 1), "value_dropout": -0.1}, "rate=-0.1"),
        ({"powers": (0, 1), "dims": (0, 0)}, "at least one positive"),
    ],
)
def test_bad_arguments_are_refused(arguments, culprit):
    with pytest.raises(ValueError, match=culprit):
        AttentiveMixHopLayer(**arguments)
