"""Directions and weights reach the answers of a trained model."""

import numpy as np
import pytest
from small_directed import directed_graph, one_way_graph, weighted_graph

import mixhop_tf
from mixhop_tf import AdjacencySpec, Architecture, GraphData, LearnSettings, SettingError, Settings
from mixhop_tf.baselines import GCN, MLP
from mixhop_tf.training.settings import Recipe
from mixhop_tf.training.trainer import Trainer

SETTINGS = Settings(max_steps=100)
CHANCE = 0.65  # of 133 nodes and two classes, with probability 0.999


def test_accuracy(graph, **options):
    architecture = Architecture.default(
        2, hidden_dims=[20], input_dropout=0.0, hidden_dropout=0.2, **options
    )
    return mixhop_tf.train(graph, architecture, SETTINGS).test_accuracy


test_accuracy.__test__ = False


@pytest.mark.parametrize("direction", ["in", "out", "both"])
def test_directions_tell_the_class(direction):
    adjacency = AdjacencySpec(direction=direction)
    assert test_accuracy(directed_graph(), adjacency=adjacency) >= 0.95


def test_without_directions_the_class_is_hidden():
    assert test_accuracy(directed_graph()) < CHANCE


@pytest.mark.parametrize("options", [{}, {"heads": 2}])
def test_weights_tell_the_class(options):
    assert test_accuracy(weighted_graph(), **options) >= 0.95


def test_without_weights_the_class_is_hidden():
    assert test_accuracy(weighted_graph(weighted=False)) < CHANCE


def test_a_gcn_uses_weights_and_an_mlp_does_not():
    graph = weighted_graph()
    assert Trainer(graph, GCN(hidden_width=4), SETTINGS)._model.weighted
    assert not Trainer(graph, MLP(hidden_width=4), SETTINGS)._model.weighted


def test_directions_need_a_directed_graph():
    graph = directed_graph(directed=False)
    with pytest.raises(SettingError, match="must be undirected: the edges of graph have no"):
        test_accuracy(graph, adjacency=AdjacencySpec(direction="both"))


def test_learning_gives_the_columns_to_the_direction_that_tells_the_class():
    few = Settings(max_steps=60, lasso_kind="scaled", learning_rate=0.05)
    settings = LearnSettings(
        powers=(0, 1),
        width=6,
        budget="columns=3",
        runs=1,
        lassos=(0.3,),
        wide=Recipe(settings=few, input_dropout=0.0, hidden_dropout=0.2),
        retrain=Recipe(settings=SETTINGS, input_dropout=0.0, hidden_dropout=0.2),
        adjacency=AdjacencySpec(direction="both"),
        jumping=True,
    )
    learned = mixhop_tf.learn_architecture(one_way_graph(), settings)
    assert settings.all_powers == (0, 1, -1)
    hidden, output = learned.architecture.layers
    assert hidden.powers == output.powers == (0, 1, -1)
    assert hidden.width == 3
    assert [hidden.dims[1], output.dims[1]] == [0, 0]  # `in` says nothing
    assert hidden.dims[2] or output.dims[2]
    assert learned.architecture.adjacency.direction == "both"
    assert learned.run.test_accuracy >= 0.95


@pytest.mark.parametrize(
    ("weights", "culprit"),
    [([1.0], "the shape"), ([1.0, 0.0], "positive"), ([1.0, np.inf], "positive"), ("ab", "array")],
)
def test_weights_that_make_no_sense_are_refused(weights, culprit):
    with pytest.raises(SettingError, match=culprit):
        GraphData(
            edges=[[0, 1], [1, 2]], labels=[0, 1, 1], train=[0], val=[1], edge_weights=weights
        )
