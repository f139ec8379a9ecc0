"""Embeddings: the last hidden layer, from a model and from its SavedModel."""

import numpy as np
import pytest
import scipy.sparse as sp
import tensorflow as tf
from small_models import DENSE, NUM_CLASSES, NUM_FEATURES, random_inputs, random_model

import mixhop_tf as m
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN
from mixhop_tf.models.apply_step import apply_step

INPUTS = random_inputs()
PSUM = m.Architecture.default(NUM_CLASSES, hidden_dims=[6])
TOWERS = NGCN(powers=(0, 1), hidden_width=4, replicas=2)
ONE_LAYER = m.Architecture(layers=(m.LayerSpec(powers=(0, 1), dims=(3, 3)),), output="psum")


@pytest.mark.parametrize("scaling", ["rows", "none"])
def test_the_output_layers_of_mixhop_make_logits_of_the_embeddings(scaling):
    model = m.build_model(PSUM, NUM_FEATURES, NUM_CLASSES, scaling=scaling, seed=0)
    h = model.embed(INPUTS)
    assert h.shape == (12, 6)
    for step in model.steps[-3:]:  # dropout, MixHop layer, psum
        h = apply_step(step, h, INPUTS[1])
    np.testing.assert_allclose(h, model(INPUTS), atol=1e-6)


def test_a_dense_output_is_one_product_away():
    model = random_model(DENSE)
    embeddings = model.embed(INPUTS)
    np.testing.assert_allclose(embeddings @ model.steps[-1].kernel, model(INPUTS), atol=1e-5)


def test_a_single_layer_gives_its_columns():
    model = m.build_model(ONE_LAYER, NUM_FEATURES, NUM_CLASSES, seed=0)
    np.testing.assert_allclose(model.steps[-1](model.embed(INPUTS)), model(INPUTS), atol=1e-6)


@pytest.mark.parametrize(
    "architecture", [GCN(hidden_width=4), GAT(hidden_width=4, heads=2), MLP(hidden_width=4)]
)
def test_the_second_layer_of_a_baseline_makes_logits_of_the_embeddings(architecture):
    model = m.build_model(architecture, NUM_FEATURES, NUM_CLASSES, seed=0)
    features, edges = tf.abs(INPUTS[0]), [[0, 1], [1, 2], [2, 3]]
    operator = model.operator(edges, 12)
    logits = model.convolutions[1]((model.embed((features, operator)), operator))
    np.testing.assert_allclose(logits, model((features, operator)), atol=1e-6)


def test_the_towers_of_an_ngcn_are_side_by_side():
    model = m.build_model(TOWERS, NUM_FEATURES, NUM_CLASSES, seed=0)
    assert model.embed(INPUTS).shape == (12, TOWERS.num_towers * NUM_CLASSES)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    model = random_model(DENSE)
    path = tmp_path_factory.mktemp("served") / "model"
    return model, m.load_saved_model(m.export_saved_model(model, path, INPUTS))


def test_a_saved_model_gives_the_embeddings_of_the_training_graph(exported):
    model, served = exported
    edges = INPUTS[1].indices.numpy()
    expected = model.embed(INPUTS)
    features = INPUTS[0].numpy()
    np.testing.assert_allclose(served.embed(features, edges), expected, atol=1e-5)
    np.testing.assert_allclose(served.embed(sp.csr_array(features), edges), expected, atol=1e-5)


def test_a_wrong_request_is_refused_as_for_predictions(exported):
    with pytest.raises(ValueError, match="`features` must have the shape"):
        exported[1].embed(np.ones([3, 2]), [[0, 1]])


def test_a_model_without_embeddings_says_so(exported):
    served = exported[1]
    names = "serving_default", "sparse_features"
    old = m.SavedModel({name: served.signatures[name] for name in names}, DENSE, 5, ("a", "b", "c"))
    with pytest.raises(ValueError, match="exported without embeddings; export it again"):
        old.embed(np.ones([3, 5]), [[0, 1]])
