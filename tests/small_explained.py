"""A small graph, and a model of every kind with random weights, for tests of explanations."""

import warnings

import numpy as np

from mixhop_tf import AdjacencySpec, Architecture, GraphData, LayerSpec, build_model
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.training.large import operator_of

NUM_NODES, NUM_FEATURES, NUM_CLASSES = 14, 5, 3
_RNG = np.random.default_rng(0)
EDGES = _RNG.integers(NUM_NODES - 1, size=(18, 2))  # the last node is alone
FEATURES = _RNG.standard_normal((NUM_NODES, NUM_FEATURES)) * (
    _RNG.random((NUM_NODES, NUM_FEATURES)) < 0.7
)
LABELS = _RNG.permutation(np.arange(NUM_NODES) % NUM_CLASSES)
WEIGHTS = _RNG.random(len(EDGES)) + 0.2


def _layer(powers, dims, activation=None, **options):
    return LayerSpec(powers=powers, dims=dims, activation=activation, **options)


_RELU = _layer((0, 1, 2), (4, 3, 2), "relu", batch_norm=True)
_DEFAULT = Architecture(layers=(_RELU, _layer((0, 1, 2), (3, 3, 3))))
_DEEP = (
    _layer((0, 2), (4, 3), "relu", batch_norm=True),
    _layer((1, 0), (2, 3), "tanh"),
    _layer((0, 1), (3, 3)),
)

# Name: the architecture, and options of the model.
MODELS = {
    "rows": (_DEFAULT, {}),
    "standardize": (_DEFAULT, {"scaling": "standardize"}),
    "unscaled": (_DEFAULT, {"scaling": "none"}),
    "weighted": (_DEFAULT, {"weighted": True}),
    "shared kernel": (
        Architecture(layers=(_layer((0, 1, 2), (4, 4, 4), "relu"), _layer((0, 1), (3, 3)))),
        {"shared_first_kernel": True},
    ),
    "bent activations": (
        Architecture(
            layers=(
                _layer((0, 2), (4, 3), "elu", batch_norm=True),
                _layer((1, 0), (2, 3), "sigmoid"),
                _layer((0, 1), (3, 3), "leaky_relu", batch_norm=True),
            ),
            output="dense",
        ),
        {},
    ),
    "one layer": (Architecture(layers=(_layer((0, 2), (3, 3)),)), {}),
    "jumping": (Architecture(layers=_DEEP, jumping=True), {}),
    "jumping dense": (Architecture(layers=_DEEP[:2], jumping=True, output="dense"), {}),
    "both directions": (
        Architecture(
            layers=(
                _layer((0, 1, -2), (4, 3, 2), "relu", batch_norm=True),
                _layer((1, -1), (3, 3)),
            ),
            adjacency=AdjacencySpec(direction="both"),
        ),
        {},
    ),
    "random walk": (
        Architecture(
            layers=(_layer((0, 1, 2), (4, 3, 2), "relu"), _layer((1,), (3,))),
            adjacency=AdjacencySpec(direction="in", normalization="row", self_loops=False),
        ),
        {},
    ),
    "attention": (
        Architecture(
            layers=(_layer((0, 1, 2), (4, 5, 2), "elu", heads=2), _layer((0, 1), (3, 3), heads=1))
        ),
        {},
    ),
    "gcn": (GCN(hidden_width=8), {}),
    "mlp": (MLP(hidden_width=8), {}),
    "chebyshev": (Chebyshev(hidden_width=8, order=3, largest_eigenvalue=1.7), {}),
    "gat": (GAT(hidden_width=8, heads=4, output_heads=2), {}),
    "ngcn": (NGCN(hidden_width=6, powers=(0, 1, 2), replicas=2, head="dense"), {}),
    "ngcn psum": (NGCN(hidden_width=6, powers=(0, 1, 2), replicas=2, head="psum"), {}),
}


def small_graph(name="rows"):
    return GraphData(
        edges=EDGES,
        labels=[f"class {label}" for label in LABELS],
        train=[0, 1],
        val=[2, 3],
        features=FEATURES,
        edge_weights=WEIGHTS if name == "weighted" else None,
        directed=name in ("both directions", "random walk"),
        feature_names=[f"f{i}" for i in range(NUM_FEATURES)],
        node_ids=[f"n{i}" for i in range(NUM_NODES)],
    )


def small_model(name, graph):
    """Builds a model whose trainable weights are all random."""
    architecture, options = MODELS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=0, **options)
    model.adapt(graph.features)
    rng = np.random.default_rng(1)
    for weight in model.trainable_weights:
        weight.assign(rng.standard_normal(weight.shape) * 0.7)
    return model


def inputs_of(model, graph):
    return sparse_tensor(graph.features), operator_of(graph, model)


def model_logits(model, graph):
    return model(inputs_of(model, graph)).numpy()
