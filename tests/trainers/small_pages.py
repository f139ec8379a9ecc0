"""Small graphs with hostile names, and models of random weights for them."""

import base64

import numpy as np
import scipy.sparse as sp
import tensorflow as tf

import datasets
import mixhop_tf
from trainers.runs.predictors import predictor
from trainers.runs.trained import Trained

HOSTILE = "</script><img src=x onerror=alert(1)>"


def hostile_graph():
    """Twelve people in a ring with a chord; names that would be HTML."""
    rng = np.random.default_rng(0)
    ring = [[i, (i + 1) % 12] for i in range(12)]
    return datasets.Graph(
        name="<b>town</b>",
        num_nodes=12,
        num_classes=3,
        features=rng.normal(size=(12, 4)),
        edges=datasets.canonical_edges(np.array([*ring, [0, 6]]), 12),
        labels=[0, 1, 2] * 3 + [-1] * 3,
        train=[0, 1, 2],
        val=[3, 4],
        test=[5, 6, 7, 8],
        class_names=("bicycle", "<img src=x onerror=alert(2)>", "car & 'train'"),
        node_ids=[HOSTILE, *(f"person {i}" for i in range(1, 12))],
        feature_names=("age", "income", "<script>alert(3)</script>", "height"),
    )


def made(graph, architecture, folders):
    """A model of random weights, as a command loads it, and its predictor."""
    weighted = graph.edge_weights is not None
    model = mixhop_tf.build_model(
        architecture, graph.num_features, graph.num_classes, seed=1, weighted=weighted
    )
    features = tf.constant(graph.features.toarray())
    operator = model.operator(graph.edges, graph.num_nodes, graph.edge_weights)
    folder = folders.mktemp("exported") / "saved_model"
    mixhop_tf.export_saved_model(
        model,
        folder,
        (features, operator),
        graph.class_names,
        feature_names=graph.feature_names,
    )
    trained = Trained(
        model=mixhop_tf.load_saved_model(folder),
        graph=graph,
        features=sp.csr_array(graph.features),
        same_split=True,
        new=None,
        notes=(),
    )
    return trained, predictor(graph, trained.features, trained.model, folder)


def arrays(value):
    """Restores the arrays of a page, as its script does."""
    if isinstance(value, list):
        return [arrays(each) for each in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"kind", "data"}:
        return np.frombuffer(base64.b64decode(value["data"]), f"<{value['kind']}")
    return {name: arrays(each) for name, each in value.items()}
