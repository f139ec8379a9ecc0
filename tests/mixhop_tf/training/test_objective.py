"""Weights of classes: those of scikit-learn, and what they do to the loss."""

import numpy as np
import pytest
import tensorflow as tf
from sklearn.utils.class_weight import compute_sample_weight
from small_trainers import trainer_of

from mixhop_tf import GraphData, SettingError, Settings
from mixhop_tf.training.objective import cross_entropy
from mixhop_tf.training.weighting import node_weights


def graph_of(labels, train):
    rest = [i for i in range(len(labels)) if i not in train]
    return GraphData(edges=[[0, 1]], labels=labels, train=train, val=rest)


def test_balanced_weights_are_those_of_scikit_learn():
    graph = graph_of([*"aaaabcb"], [0, 1, 2, 3, 4])  # no training node has class c
    expected = compute_sample_weight("balanced", graph.labels[graph.train])
    np.testing.assert_allclose(node_weights("balanced", graph), expected)
    assert node_weights("none", graph) is None


def test_a_table_gives_each_class_its_weight_and_others_one():
    graph = graph_of([*"aabbc"], [0, 2, 4])
    weights = Settings(class_weight={"b": 3, "a": 0.5}).class_weight
    assert weights == (("a", 0.5), ("b", 3.0))
    assert node_weights(weights, graph).tolist() == [0.5, 3.0, 1.0]
    with pytest.raises(SettingError, match=r"`class_weight` must name classes of graph.*'d'"):
        node_weights((("d", 1.0),), graph)


def test_the_loss_is_the_weighted_mean():
    labels, logits = tf.constant([0, 1, 1]), tf.constant([[2.0, 0.0], [0.0, 1.0], [3.0, 0.0]])
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits).numpy()
    found = float(cross_entropy(labels, logits, np.array([1, 2, 5], np.float32)))
    assert found == pytest.approx((each * [1, 2, 5]).sum() / 8)
    assert float(cross_entropy(labels, logits)) == pytest.approx(each.mean())


def test_equal_weights_change_nothing_and_others_do(small_graph):
    same = tuple((name, 2.0) for name in small_graph.class_names)
    plain, equal, skewed = (
        [point.val_loss for point in trainer_of(small_graph, class_weight=weight).run(1).curve]
        for weight in ("none", same, {small_graph.class_names[0]: 9.0})
    )
    np.testing.assert_allclose(equal, plain, atol=1e-4)
    assert np.abs(np.subtract(skewed, plain)).max() > 0.01


@pytest.mark.parametrize("weight", ["heavy", {}, {"a": 0}, {"a": float("nan")}, [["a"]], 3])
def test_weights_that_make_no_sense_are_refused(weight):
    with pytest.raises(SettingError, match="`class_weight` must be none, balanced, or a positive"):
        Settings(class_weight=weight)
