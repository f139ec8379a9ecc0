"""MixHop with attention against dense NumPy, and against the layers it generalises."""

import numpy as np
import pytest
import reference
import tensorflow as tf

from mixhop_tf import MixHopLayer, normalized_adjacency
from mixhop_tf.layers import AttentiveMixHopLayer, GraphAttention

N, S = 8, 5
RNG = np.random.default_rng(0)
X = RNG.standard_normal((N, S)).astype(np.float32)
X[3] = 0
A = RNG.uniform(0.1, 2, (N, N)) * (RNG.random((N, N)) < 0.4)  # weighted and directed
A[5] = 0  # 5 has no entry at all
A[6] = np.eye(N)[6]  # 6 has only itself
FORMS = {"dense": tf.constant(X), "sparse": tf.sparse.from_dense(X)}
CASES = [
    ((1,), (5,), 1),
    ((0,), (4,), 2),
    ((0, 1, 2), (4, 3, 2), 2),
    ((0, 1, 2), (4, 7, 5), 3),
    ((0, 1, 2), (0, 3, 2), 8),
    ((2, 0, 5), (3, 2, 4), 2),
    ((1, 2), (33, 40), 1),
    ((1, 2), (40, 33), 33),
]


def as_sparse(dense):
    return tf.sparse.from_dense(tf.constant(dense, tf.float32))


ADJACENCY = as_sparse(A)
BACKWARD = as_sparse(A.T)


def randomized(layer, x=X, adjacency=ADJACENCY, scale=1.0):
    layer((x, adjacency))
    rng = np.random.default_rng(5)
    for variable in layer.trainable_variables:
        variable.assign(scale * rng.standard_normal(variable.shape))
    return layer


def dense_parts(layer, weights=None):
    """Returns the kernels, and the columns and vectors of each head, as the reference takes them.

    Other weights may take the place of the layer's.
    """
    weights = layer.get_weights() if weights is None else weights
    kernels = dict(zip(layer.live_powers, weights, strict=False))
    vectors = weights[len(kernels) :]
    vectors = zip(vectors[::2], vectors[1::2], strict=True)
    heads = {}
    for (power, widths), (own, neighbour) in zip(layer.head_widths.items(), vectors, strict=True):
        stops = np.cumsum(widths)
        slices = [slice(stop - width, stop) for stop, width in zip(stops, widths, strict=True)]
        heads[power] = [(each, own[each, 0], neighbour[each, 0]) for each in slices]
    return kernels, heads


@pytest.mark.parametrize(("powers", "dims", "heads"), CASES)
@pytest.mark.parametrize("form", FORMS)
def test_layer_equals_the_dense_formula(powers, dims, heads, form):
    layer = randomized(AttentiveMixHopLayer(powers, dims, heads=heads), scale=0.5)
    expected = reference.attentive_mixhop(X, A, A.T, *dense_parts(layer))
    inputs = FORMS[form], ADJACENCY
    np.testing.assert_allclose(layer(inputs), expected, atol=1e-5)
    np.testing.assert_allclose(tf.function(layer)(inputs), expected, atol=1e-5)
    assert layer(inputs).shape == (N, sum(dims))


@pytest.mark.parametrize(("powers", "dims", "heads"), CASES)
@pytest.mark.parametrize("form", FORMS)
def test_without_attention_it_is_mixhop_on_the_row_normalised_adjacency(powers, dims, heads, form):
    options = {"use_bias": True, "activation": "tanh", "normalize_rows": True}
    layer = randomized(AttentiveMixHopLayer(powers, dims, heads=heads, **options))
    for vectors in (*layer.own, *layer.neighbour):
        vectors.assign(tf.zeros_like(vectors))
    rows = as_sparse(A / np.maximum(A.sum(axis=1, keepdims=True), 1e-9))
    mixhop = MixHopLayer(powers, dims, **options)
    mixhop((X, rows))
    mixhop.set_weights([*layer.kernels, layer.bias])
    np.testing.assert_allclose(
        layer((FORMS[form], ADJACENCY)), mixhop((FORMS[form], rows)), rtol=2e-6, atol=2e-6
    )


def test_power_one_without_edge_weights_is_graph_attention():
    adjacency = normalized_adjacency([[0, 1], [1, 2], [3, 6]], N)
    adjacency = adjacency.with_values(tf.ones_like(adjacency.values))
    layer = randomized(AttentiveMixHopLayer([1], [6], heads=3, use_bias=True))
    gat = GraphAttention(2, heads=3)
    gat((X, adjacency))
    vectors = [tf.transpose(tf.reshape(each, [3, 2])) for each in (*layer.own, *layer.neighbour)]
    gat.set_weights([layer.kernels[0], *vectors, layer.bias])
    inputs = tf.constant(X), adjacency
    np.testing.assert_allclose(layer(inputs), gat(inputs), atol=1e-6)


def test_a_weight_of_two_is_an_edge_that_counts_twice():
    """A twin of node 1 with the same features stands for the second edge."""
    x = np.concatenate([X[:3], X[1:2]])
    once = np.array([[1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    twice = np.array([[1, 2, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    layer = randomized(AttentiveMixHopLayer([1, 2], [3, 3], heads=2))
    first, second = (layer((tf.constant(x), as_sparse(a))) for a in (once, twice))
    np.testing.assert_allclose(first, second, atol=1e-6)
    unweighted = layer((tf.constant(x), as_sparse(np.minimum(twice, 1))))
    assert np.abs(first - unweighted).max() > 0.01


def test_heads_share_the_columns_as_evenly_as_possible():
    layer = AttentiveMixHopLayer((0, 1, 2, 3), (9, 20, 3, 0), heads=8)
    assert layer.head_widths == {1: [2, 3, 2, 3, 2, 3, 2, 3], 2: [1, 1, 1]}
    layer.build([(None, S), (None, None)])
    names = [weight.name for weight in layer.weights]
    assert names == [
        *("kernel_0", "kernel_1", "kernel_2"),
        *("own_1", "neighbour_1", "own_2", "neighbour_2"),
    ]
    assert [tuple(own.shape) for own in layer.own] == [(20, 1), (3, 1)]


def test_coefficients_sum_to_one_over_each_row():
    layer = randomized(AttentiveMixHopLayer((0, 2, 1), (2, 4, 5), heads=2))
    found = layer.attention((tf.constant(X), ADJACENCY))
    assert list(found) == [2, 1]
    rows = ADJACENCY.indices[:, 0].numpy()
    for alpha in found.values():
        sums = np.zeros((N, 2))
        np.add.at(sums, rows, alpha.numpy())
        np.testing.assert_allclose(np.delete(sums, 5, axis=0), 1, atol=1e-6)
        np.testing.assert_array_equal(alpha.numpy()[rows == 6], [[1, 1]])
        assert alpha.numpy().std() > 0.05


def test_a_node_without_entries_keeps_power_zero_and_the_bias_alone():
    layer = randomized(AttentiveMixHopLayer((0, 1, 2), (2, 2, 2), heads=2, use_bias=True))
    y = layer((tf.constant(X), ADJACENCY)).numpy()
    bias = layer.bias.numpy()
    np.testing.assert_allclose(y[5, :2], X[5] @ layer.kernels[0].numpy() + bias[:2], atol=1e-5)
    np.testing.assert_array_equal(y[5, 2:], bias[2:])


@pytest.mark.parametrize("num_entries", [0, 1])
def test_nearly_empty_graphs(num_entries):
    indices = np.array([[2, 2]])[:num_entries].reshape(-1, 2)
    adjacency = tf.SparseTensor(indices, tf.ones([num_entries]), [N, N])
    layer = randomized(AttentiveMixHopLayer((0, 1, 2), (1, 2, 2), heads=2))
    with tf.GradientTape() as tape:
        y = layer((tf.constant(X), adjacency))
        loss = tf.reduce_sum(y**2)
    assert np.count_nonzero(y[:, 1:]) == 4 * num_entries
    for gradient in tape.gradient(loss, [weight.value for weight in layer.weights]):
        assert np.isfinite(gradient).all()


def test_scores_too_large_for_an_exponential_do_no_harm():
    layer = randomized(AttentiveMixHopLayer((1, 2), (4, 4), heads=2))
    x = tf.constant(1e4 * X)
    with tf.GradientTape() as tape:
        y = layer((x, ADJACENCY))
        loss = tf.reduce_sum(y)
    assert np.isfinite(y).all()
    for gradient in tape.gradient(loss, [weight.value for weight in layer.weights]):
        assert np.isfinite(gradient).all()


@pytest.mark.parametrize(("dims", "heads"), [((2, 3, 4), 2), ((1, 4, 4), 2), ((2, 3, 2), 1)])
def test_gradients_equal_finite_differences_of_the_reference(dims, heads):
    layer = AttentiveMixHopLayer((0, 1, 2), dims, heads=heads, activation="tanh")
    randomized(layer, scale=0.5)
    target = RNG.standard_normal((N, sum(dims)))
    x, values = tf.constant(X), ADJACENCY.values
    variables = [weight.value for weight in layer.weights]
    with tf.GradientTape() as tape:
        tape.watch([x, values])
        loss = tf.reduce_sum(layer((x, ADJACENCY.with_values(values))) * target)
    *found, for_x, for_values = tape.gradient(loss, [*variables, x, values])
    weights = [variable.numpy() for variable in variables]

    def value(weights, x=X, a=A):
        y = reference.attentive_mixhop(x, a, a.T, *dense_parts(layer, weights))
        return (np.tanh(y) * target).sum()

    for i, gradient in enumerate(found):
        expected = reference.finite_differences(
            lambda moved, i=i: value([*weights[:i], moved, *weights[i + 1 :]]), weights[i]
        )
        # A node's own share cancels out where all scores of its row have the same sign.
        assert np.abs(expected).max() > 0.01 or "own" in layer.weights[i].name
        np.testing.assert_allclose(gradient, expected, atol=1e-3)
    np.testing.assert_allclose(
        for_x, reference.finite_differences(lambda moved: value(weights, moved), X), atol=1e-3
    )
    by_entry = reference.finite_differences(lambda moved: value(weights, a=moved * (A > 0)), A)
    np.testing.assert_allclose(for_values, by_entry[A > 0], atol=1e-3)


def allows_negative_powers():
    try:
        AttentiveMixHopLayer([-1], [1])
    except ValueError:
        return False
    return True


@pytest.mark.skipif(not allows_negative_powers(), reason="powers must not be negative")
def test_negative_powers_attend_over_the_backward_adjacency():
    layer = AttentiveMixHopLayer((0, 2, -1, 1, -3), (2, 3, 4, 1, 5), heads=2)
    randomized(layer, adjacency=(ADJACENCY, BACKWARD), scale=0.5)
    expected = reference.attentive_mixhop(X, A, A.T, *dense_parts(layer))
    inputs = tf.constant(X), (ADJACENCY, BACKWARD)
    np.testing.assert_allclose(layer(inputs), expected, atol=1e-5)
    assert list(layer.attention(inputs)) == [2, -1, 1, -3]
    with pytest.raises(ValueError, match="pair of adjacencies"):
        layer((tf.constant(X), ADJACENCY))


def test_powers_of_one_direction_ignore_the_backward_adjacency():
    layer = randomized(AttentiveMixHopLayer((0, 1), (2, 3)))
    expected = layer((tf.constant(X), ADJACENCY))
    np.testing.assert_array_equal(layer((tf.constant(X), (ADJACENCY, BACKWARD))), expected)


@pytest.mark.parametrize("form", FORMS)
def test_normalized_rows_are_skipped_for_rows_of_unit_length(form):
    layer = randomized(AttentiveMixHopLayer((0, 1), (2, 3), normalize_rows=True))
    unit = reference.row_normalize(X)
    expected = reference.attentive_mixhop(unit, A, A.T, *dense_parts(layer))
    np.testing.assert_allclose(layer((FORMS[form], ADJACENCY)), expected, atol=1e-5)
    ready = tf.constant(unit, tf.float32), ADJACENCY
    np.testing.assert_allclose(layer(ready, unit_rows=True), expected, atol=1e-5)
