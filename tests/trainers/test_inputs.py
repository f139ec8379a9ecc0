"""The tensors of a graph, and of parts of it."""

import numpy as np
import pytest

import mixhop_tf
from mixhop_tf.baselines import GCN
from trainers.inputs import Inputs


@pytest.fixture
def inputs_of(small_graph):
    def make(architecture, **options):
        model = mixhop_tf.build_model(architecture, small_graph.num_features, 6, seed=0)
        return model, Inputs.of(small_graph, model, **options)

    return make


def num_nodes(part):
    return part.pair[1].shape[0]


def test_few_nodes_need_a_part_and_many_the_whole(inputs_of, small_graph):
    model, inputs = inputs_of(GCN(hidden_width=4))
    whole = model(inputs.pair, normalized=True).numpy()
    few, many = np.array([149, 140]), small_graph.train
    assert num_nodes(inputs.part(few)) < num_nodes(inputs.part(many)) == small_graph.num_nodes
    for nodes in (few, many):
        part = inputs.part(nodes)
        logits = model(part.pair, normalized=True).numpy()[part.rows]
        np.testing.assert_allclose(logits, whole[nodes], atol=1e-6)


def test_a_part_is_the_whole_where_asked_and_under_batch_norm(inputs_of, small_graph):
    for _, inputs in (
        inputs_of(GCN(hidden_width=4), whole_graph=True),
        inputs_of(mixhop_tf.Architecture.default(6)),
    ):
        part = inputs.part(np.array([149]))
        assert num_nodes(part) == small_graph.num_nodes
        assert part.rows.numpy().tolist() == [149]
