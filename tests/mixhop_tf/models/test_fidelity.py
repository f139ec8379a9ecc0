"""With the original's weights the model gives the original's logits, losses and gradients."""

import numpy as np
import pytest
import tensorflow as tf

import mixhop_tf as m
from datasets.formats import planetoid


@pytest.fixture(scope="module")
def golden(data_dir):
    return np.load(data_dir / "tiny" / "golden.npz")


@pytest.fixture(scope="module")
def graph(data_dir):
    return planetoid.read(data_dir / "tiny", "tiny", num_train=12, num_val=20)


@pytest.fixture(scope="module")
def inputs(graph):
    features = m.sparse_tensor(graph.features)
    return features, m.normalized_adjacency(graph.edges, graph.num_nodes)


@pytest.fixture(scope="module")
def model(golden, graph):
    architecture = m.Architecture.from_notation(
        "0:5:3,1:4:6,2:3:3", hidden_dims=[12], num_classes=3
    )
    built = m.build_model(
        architecture,
        graph.num_features,
        graph.num_classes,
        kernel_regularizer=m.GroupLasso(lasso=5e-3, l2=5e-3),
    )
    for name, variable in named_variables(built).items():
        variable.assign(golden[f"w__{name}"])
    return built


def named_variables(model):
    """Returns our variables under the original's names."""
    names = {}
    for layer in (0, 1):
        kernels = model.get_layer(f"mixhop_{layer}").kernels
        for power, kernel in enumerate(kernels):
            names[f"r0_l{layer}_p{power}__kernel{3 * layer + power + 1}"] = kernel
    names["BatchNorm__beta"] = model.get_layer("norm_0").beta
    names["psum_q"] = model.get_layer("psum").q
    return names


def test_adjacency(inputs, golden):
    expected = np.zeros((60, 60), np.float32)
    expected[tuple(golden["adj_indices"].T)] = golden["adj_values"]
    np.testing.assert_allclose(tf.sparse.to_dense(inputs[1]), expected, atol=1e-7)


@pytest.mark.parametrize("dense", [False, True])
def test_logits(model, inputs, golden, dense):
    features, adjacency = inputs
    features = tf.sparse.to_dense(features) if dense else features
    np.testing.assert_allclose(model((features, adjacency)), golden["logits"], atol=1e-5)


@pytest.mark.parametrize("compiled", [False, True])
def test_losses_and_every_gradient(model, inputs, graph, golden, compiled):
    def losses():
        with tf.GradientTape() as tape:
            logits = tf.gather(model(inputs), graph.train)
            labels = graph.labels[graph.train]
            entropy = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
            total = entropy + tf.add_n(model.losses)
        variables = named_variables(model)
        gradients = tape.gradient(total, [v.value for v in variables.values()])
        return entropy, total, dict(zip(variables, gradients, strict=True))

    entropy, total, gradients = (tf.function(losses) if compiled else losses)()
    assert float(entropy) == pytest.approx(float(golden["cross_entropy"]), abs=1e-5)
    assert float(total) == pytest.approx(float(golden["total_loss"]), abs=1e-5)
    assert {f"g__{name}" for name in gradients} == {key for key in golden if key.startswith("g__")}
    for name, gradient in gradients.items():
        np.testing.assert_allclose(gradient, golden[f"g__{name}"], atol=1e-5, err_msg=name)
