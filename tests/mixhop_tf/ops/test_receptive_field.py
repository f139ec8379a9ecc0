"""A part of the graph gives the same logits and gradients as the whole graph."""

import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf as m
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev
from mixhop_tf.ops.receptive_field import ReceptiveField

S, C = 4, 3
RING = [(i, (i + 1) % 30) for i in range(30)]
FEATURES = np.abs(np.random.default_rng(0).standard_normal((30, S))).astype(np.float32)
NODES = [20, 5, 6]
TWO_PLAIN_LAYERS = m.Architecture(
    layers=(
        m.LayerSpec(powers=(0, 2, 1), dims=(3, 0, 3)),
        m.LayerSpec(powers=(0, 2), dims=(3, 3)),
    ),
    output="psum",
)
MODELS = {  # and the hops that a node's logits need
    "mlp": (MLP(hidden_width=8), 0),
    "gcn": (GCN(hidden_width=8), 2),
    "gat": (GAT(hidden_width=8, heads=4, output_heads=2), 2),
    "chebyshev": (Chebyshev(hidden_width=8, order=2, largest_eigenvalue=1.8), 4),
    "mixhop without batch norm": (TWO_PLAIN_LAYERS, 3),
}


def ring(architecture, sparse):
    model = m.build_model(architecture, S, C, seed=0)
    features = tf.sparse.from_dense(FEATURES) if sparse else tf.constant(FEATURES)
    return model, (model.normalize(features), model.operator(RING, 30))


def loss_and_gradients(model, pair, rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sin(tf.gather(model(pair, normalized=True), rows)))
    return loss, tape.gradient(loss, model.trainable_variables)


@pytest.mark.parametrize("sparse", [True, False], ids=["sparse", "dense"])
@pytest.mark.parametrize("name", MODELS)
def test_the_nodes_have_the_logits_and_gradients_of_the_whole_graph(name, sparse):
    model, pair = ring(MODELS[name][0], sparse)
    field = ReceptiveField.of(pair[1], NODES, model.hops)
    part, rows = field.cut(*pair), field.positions(NODES)
    assert len(field.members) < 30
    logits = tf.gather(model(part, normalized=True), rows)
    np.testing.assert_allclose(
        logits, tf.gather(model(pair, normalized=True), NODES), rtol=1e-5, atol=1e-6
    )
    loss, gradients = loss_and_gradients(model, part, rows)
    whole_loss, whole_gradients = loss_and_gradients(model, pair, NODES)
    np.testing.assert_allclose(loss, whole_loss, rtol=1e-5)
    for found, expected in zip(gradients, whole_gradients, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_the_hops_are_as_many_as_a_model_needs_and_no_more(name):
    architecture, hops = MODELS[name]
    model, (_, operator) = ring(architecture, sparse=False)
    assert model.hops == hops
    features = tf.Variable(FEATURES)
    with tf.GradientTape() as tape:
        logits = model((features, operator), normalized=True)[15]
    seen = np.abs(tape.gradient(logits, features)).sum(axis=1) > 0
    assert np.flatnonzero(seen).tolist() == list(range(15 - hops, 15 + hops + 1))


@pytest.mark.parametrize(
    "architecture", [m.Architecture.default(C), NGCN(hidden_width=4, powers=(1,))]
)
def test_batch_norm_sees_the_whole_graph(architecture):
    assert m.build_model(architecture, S, C).hops is None


def test_members_ascend_and_outer_nodes_have_no_row():
    _, pair = ring(GCN(hidden_width=8), sparse=True)
    field = ReceptiveField.of(pair[1], NODES, 2)
    assert field.members.tolist() == [3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22]
    features, operator = field.cut(*pair)
    assert (features.shape, operator.shape) == ((11, S), (11, 11))
    assert sorted(set(operator.indices[:, 0].numpy())) == [1, 2, 3, 4, 7, 8, 9]
    tf.debugging.assert_equal(tf.sparse.reorder(operator).indices, operator.indices)
    assert field.share == len(operator.values) / len(pair[1].values)


def test_edges_are_followed_from_rows_to_columns():
    chain = tf.SparseTensor([[0, 1], [1, 2], [2, 3]], [2.0, 3.0, 5.0], [4, 4])
    field = ReceptiveField.of(chain, [1], 2)
    assert field.members.tolist() == [1, 2, 3]
    _, operator = field.cut(tf.eye(4), chain)
    assert operator.values.numpy().tolist() == [3.0, 5.0]
    assert operator.indices.numpy().tolist() == [[0, 1], [1, 2]]
