"""The baselines as models: formulas, training signals, files."""

import json

import keras
import numpy as np
import pytest
import reference
import tensorflow as tf

import mixhop_tf as m
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev, ManiReg, SemiEmb

N, S, C = 12, 5, 3
RNG = np.random.default_rng(3)
EDGES = RNG.integers(N, size=(20, 2))
FEATURES = np.abs(RNG.standard_normal((N, S))).astype(np.float32)
DENSE = reference.adjacency([edge for edge in EDGES if edge[0] != edge[1]], N)

ARCHITECTURES = [
    MLP(hidden_width=8),
    GCN(hidden_width=8, penalize_output=False),
    Chebyshev(hidden_width=8, order=2, largest_eigenvalue=1.8),
    GAT(hidden_width=8, heads=4, output_heads=2),
    NGCN(hidden_width=4, powers=(0, 2), replicas=2),
    NGCN(hidden_width=4, powers=(1,), replicas=3, head="psum", activation="tanh"),
    ManiReg(hidden_width=8, manifold=3.0),
    SemiEmb(hidden_width=8, margin=2.0),
]
each_architecture = pytest.mark.parametrize(
    "architecture", ARCHITECTURES, ids=lambda each: f"{each.model}-{getattr(each, 'head', '')}"
)


def built(architecture, seed=0, **options):
    model = m.build_model(architecture, S, C, seed=seed, **options)
    return model, (tf.constant(FEATURES), model.operator(EDGES, N))


def rows_that_add_up_to_one(x):
    return x / x.sum(axis=1, keepdims=True)


def test_a_gcn_is_its_formula():
    model, inputs = built(GCN(hidden_width=8))
    first, second = (weight.numpy() for weight in model.trainable_variables)
    x = rows_that_add_up_to_one(FEATURES)
    expected = DENSE @ np.maximum(DENSE @ x @ first, 0) @ second
    np.testing.assert_allclose(model(inputs), expected, atol=1e-5)


def test_a_chebyshev_network_is_its_formula_on_its_own_laplacian():
    model, inputs = built(ARCHITECTURES[2])
    weights = [weight.numpy() for weight in model.trainable_variables]
    laplacian = reference.rescaled_laplacian(EDGES, N, 1.8)
    hidden = reference.chebyshev(rows_that_add_up_to_one(FEATURES), laplacian, weights[:3])
    expected = reference.chebyshev(np.maximum(hidden, 0), laplacian, weights[3:])
    np.testing.assert_allclose(model(inputs), expected, atol=1e-5)


def test_a_gat_is_its_formula():
    model, inputs = built(ARCHITECTURES[3])
    first, second = model.convolutions
    for bias in (first.bias, second.bias):
        bias.assign(RNG.standard_normal(bias.shape))

    def heads(layer, x):
        kernels = np.split(layer.kernel.numpy(), layer.heads, axis=1)
        for kernel, a, b in zip(
            kernels, layer.own.numpy().T, layer.neighbour.numpy().T, strict=True
        ):
            alpha, z = reference.attention(x, DENSE, kernel, a, b)
            yield alpha @ z

    x = rows_that_add_up_to_one(FEATURES)
    hidden = np.concatenate(list(heads(first, x)), axis=1) + first.bias.numpy()
    hidden = np.where(hidden > 0, hidden, np.exp(hidden) - 1)
    expected = np.mean(list(heads(second, hidden)), axis=0) + second.bias.numpy()
    np.testing.assert_allclose(model(inputs), expected, atol=1e-5)


def test_an_mlp_never_sees_the_graph():
    model, inputs = built(MLP(hidden_width=8))
    first, second = (weight.numpy() for weight in model.trainable_variables)
    expected = np.maximum(rows_that_add_up_to_one(FEATURES) @ first, 0) @ second
    np.testing.assert_allclose(model(inputs), expected, atol=1e-5)
    other = model.operator(EDGES[:3], N)
    np.testing.assert_array_equal(model((inputs[0], other)), model(inputs))


@pytest.mark.parametrize("head", ["dense", "psum"])
def test_an_ngcn_is_its_formula(head):
    model, inputs = built(NGCN(hidden_width=4, powers=(0, 1, 3), replicas=2, head=head))
    rng = np.random.default_rng(7)
    for variable in model.trainable_variables:
        variable.assign(rng.standard_normal(variable.shape))
    x = reference.row_normalize(FEATURES)
    towers = []
    for i, tower in enumerate(model.towers):
        a = np.linalg.matrix_power(DENSE, (0, 1, 3)[i % 3])
        first, second = (layer.kernels[0].numpy() for layer in tower.mixhops)
        hidden = reference.graph_norm(a @ x @ first, tower.norm.beta.numpy())
        towers.append(a @ np.maximum(hidden, 0) @ second)
    assert len(towers) == 6
    if head == "dense":
        kernel, bias = (weight.numpy() for weight in model.head.trainable_variables)
        expected = np.maximum(np.concatenate(towers, axis=1), 0) @ kernel + bias
    else:
        shares = np.concatenate([reference.softmax(each) for each in towers], axis=1)
        expected = np.log(reference.psum(shares, model.head.q.numpy(), C))
    np.testing.assert_allclose(model(inputs), expected, atol=1e-4)


def test_every_tower_of_an_ngcn_learns_and_counts_and_the_head_does_not_reach_them():
    model, inputs = built(NGCN(hidden_width=4, powers=(0, 2), replicas=2, hidden_dropout=0.0))
    with tf.GradientTape(persistent=True) as tape:
        logits = model.training_logits(inputs)
        losses = [tf.reduce_sum(tf.square(each)) for each in logits]
        total = tf.add_n(losses)
    assert len(logits) == 5
    kernels = [layer.kernels[0] for tower in model.towers for layer in tower.mixhops]
    assert all(gradient is None for gradient in tape.gradient(losses[-1], kernels))
    assert tape.gradient(losses[-1], model.head.kernel) is not None
    assert all(np.abs(gradient).max() > 0 for gradient in tape.gradient(total, kernels))
    before = model(inputs)
    for kernel in kernels[1::2]:
        kernel.assign_add(tf.ones_like(kernel))
        assert np.abs(model(inputs) - before).max() > 1e-4
        kernel.assign_sub(tf.ones_like(kernel))


@each_architecture
def test_sparse_features_and_normalized_ones_give_the_same(architecture):
    model, (features, operator) = built(architecture)
    expected = model((features, operator))
    sparse = tf.sparse.from_dense(FEATURES)
    np.testing.assert_allclose(model((sparse, operator)), expected, atol=1e-5)
    scaled = model.normalize(sparse)
    np.testing.assert_allclose(model((scaled, operator), normalized=True), expected, atol=1e-5)
    whole = tf.constant((FEATURES > 0.5).astype(np.int64))
    assert model((whole, operator)).dtype == tf.float32


@each_architecture
@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16", "float64"])
def test_dtype_policies(architecture, policy):
    model, inputs = built(architecture, dtype=policy)
    logits = model(inputs, training=True)
    assert logits.dtype == keras.DTypePolicy(policy).compute_dtype
    assert np.isfinite(tf.cast(logits, tf.float32)).all()


@each_architecture
def test_training_drops_and_the_seed_decides(architecture):
    first, inputs = built(architecture, seed=1)
    again, other = built(architecture, seed=1)[0], built(architecture, seed=2)[0]
    dropped = first(inputs, training=True)
    np.testing.assert_array_equal(dropped, again(inputs, training=True))
    assert np.abs(dropped - first(inputs)).max() > 1e-3
    assert np.abs(other(inputs) - first(inputs)).max() > 1e-3


@each_architecture
def test_the_weights_are_as_many_as_the_architecture_says(architecture):
    model, _ = built(architecture)
    count = sum(int(np.prod(variable.shape)) for variable in model.trainable_variables)
    assert count == architecture.num_parameters(S, C)


@each_architecture
def test_a_keras_file_and_json_bring_it_back(architecture, tmp_path):
    model, inputs = built(architecture, kernel_regularizer=m.GroupLasso(0.1, 0.2))
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(inputs), model(inputs))
    assert loaded.architecture == architecture
    assert [float(each) for each in loaded.losses] == [float(each) for each in model.losses]
    assert m.architecture_from_json(architecture.to_json()) == architecture
    assert m.architecture_from_dict(json.loads(json.dumps(architecture.to_dict()))) == architecture


@each_architecture
def test_a_saved_model_answers_as_the_model_does(architecture, tmp_path):
    model, inputs = built(architecture)
    path = m.export_saved_model(model, tmp_path / "served", inputs)
    served = m.load_saved_model(path)
    assert served.architecture == architecture
    answer = served.predict(FEATURES, EDGES)
    np.testing.assert_allclose(answer["logits"], model(inputs), atol=1e-5)
    np.testing.assert_allclose(answer["probabilities"].sum(axis=1), 1, atol=1e-5)
    # Another graph has another size and other statistics for batch norm.
    more = served.predict(np.ones((N + 3, S), np.float32), np.array([[0, N + 2]]))
    assert more["labels"].shape == (N + 3,)


@each_architecture
def test_it_fits_with_keras(architecture):
    model, inputs = built(architecture)
    labels = (FEATURES[:, 0] > FEATURES[:, 0].mean()).astype(np.int64)
    model.compile(
        optimizer=keras.optimizers.Adam(0.05),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    data = tf.data.Dataset.from_tensors((inputs, labels))
    before = [variable.numpy() for variable in model.trainable_variables]
    losses = model.fit(data, epochs=12, verbose=0, shuffle=False).history["loss"]
    assert losses[-1] < losses[0]
    for variable, value in zip(model.trainable_variables, before, strict=True):
        assert np.abs(variable - value).max() > 0, variable.path
    assert np.isfinite(model.evaluate(data, verbose=0))


def test_the_loss_of_an_ngcn_in_fit_counts_every_tower_and_each_penalty_once():
    model, inputs = built(ARCHITECTURES[4], kernel_regularizer=m.GroupLasso(0.1, 0.2))
    model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    labels = np.arange(N) % C
    twin, _ = built(ARCHITECTURES[4])
    entropies = [
        float(reference.cross_entropy(each.numpy(), labels))
        for each in twin.training_logits(inputs)  # the same seed drops the same entries
    ]
    penalties = float(tf.add_n(model.losses))
    assert len(entropies) == 5
    logits = model(inputs, training=True)
    loss = model.compute_loss(y=labels, y_pred=logits, training=True)
    assert float(loss) == pytest.approx(sum(entropies) + penalties, rel=1e-5)
    assert float(tf.add_n(model.losses)) == penalties
    loss = model.compute_loss(y=labels, y_pred=model(inputs), training=False)
    head = reference.cross_entropy(model(inputs).numpy(), labels)
    assert float(loss) == pytest.approx(head + penalties, rel=1e-5)


@each_architecture
def test_a_model_knows_its_batch_norms(architecture):
    model, _ = built(architecture)
    names = [norm.name for norm in model.norms]
    if architecture.model == "ngcn":
        assert names == [
            f"tower_{replica}_{power}_norm"
            for replica in range(architecture.replicas)
            for power in architecture.powers
        ]
    else:
        assert names == []


def test_kipf_and_welling_penalise_the_first_layer_only():
    penalty = m.GroupLasso(l2=1.0)
    for architecture, count in (
        (GCN(hidden_width=8, penalize_output=False), 1),
        (GCN(hidden_width=8), 2),
    ):
        model, _ = built(architecture, kernel_regularizer=penalty)
        squares = [float(tf.reduce_sum(weight**2)) for weight in model.trainable_variables]
        assert sum(map(float, model.losses)) == pytest.approx(sum(squares[:count]), rel=1e-5)


@pytest.mark.parametrize("drop_values", [False, True])
def test_a_gat_drops_values_at_the_rates_of_the_inputs_if_asked(drop_values):
    architecture = GAT(
        hidden_width=8, input_dropout=0.2, hidden_dropout=0.4, drop_values=drop_values
    )
    model = m.build_model(architecture, 5, 3, seed=0)
    rates = [layer.value_dropout.rate for layer in model.convolutions]
    assert rates == ([0.2, 0.4] if drop_values else [0.0, 0.0])
    assert ("drop_values" in architecture.to_dict()) == drop_values
    assert GAT.from_dict(architecture.to_dict()) == architecture


def test_what_is_no_architecture_is_refused():
    with pytest.raises(ValueError, match="must be one of Architecture, MLP, GCN"):
        m.build_model("gcn", S, C)


@each_architecture
def test_double_precision_is_double_all_the_way(architecture):
    model, (_, operator) = built(architecture, dtype="float64")
    x = FEATURES.astype(np.float64)
    scaled = reference.row_normalize(x) if model.row_order == 2 else rows_that_add_up_to_one(x)
    np.testing.assert_allclose(model.normalize(x), scaled, atol=1e-15)
    exact = DENSE
    if architecture.model == "chebyshev":
        exact = reference.rescaled_laplacian(EDGES, N, architecture.largest_eigenvalue)
    elif architecture.model in ("manireg", "semiemb"):
        loops = (DENSE > 0) & ~np.eye(N, dtype=bool)
        exact = np.diag(loops.sum(axis=1)) - loops
    np.testing.assert_allclose(tf.sparse.to_dense(operator), exact, atol=1e-15)
