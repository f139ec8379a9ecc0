"""The tensors of a graph, and of parts of it."""

import numpy as np
import pytest

import mixhop_tf
from mixhop_tf.baselines import GCN
from mixhop_tf.ops.receptive_field import ReceptiveField
from mixhop_tf.training.inputs import Inputs


@pytest.fixture
def inputs_of(small_graph):
    def make(architecture, **options):
        model = mixhop_tf.build_model(architecture, small_graph.num_features, 6, seed=0)
        return model, Inputs.of(small_graph, model, **options)

    return make


def test_few_nodes_need_a_part_and_many_the_whole(inputs_of, small_graph):
    model, inputs = inputs_of(GCN(hidden_width=4))
    whole = model(inputs.pair, normalized=True).numpy()
    few, many = np.array([149, 140]), small_graph.train
    for nodes, is_whole in ((few, False), (many, True)):
        part = inputs.part(nodes)
        assert (part.pair[1] is inputs.operator) == is_whole
        logits = model(part.pair, normalized=True).numpy()[part.rows]
        np.testing.assert_allclose(logits, whole[nodes], atol=1e-6)


def test_what_has_more_than_half_of_the_entries_is_not_cut_out(inputs_of):
    _, inputs = inputs_of(GCN(hidden_width=4))
    found = []
    for count in range(1, 30):
        nodes = np.arange(150 - count, 150)
        field = ReceptiveField.of(inputs.operator, nodes, 2)
        if len(field.members) < 150:
            found.append((field.share, inputs.part(nodes).pair[1] is inputs.operator))
    shares, are_whole = zip(*found, strict=True)
    assert min(shares) < 0.4 < 0.6 < max(shares)  # otherwise this would prove nothing
    assert are_whole == tuple(share >= 0.5 for share in shares)


def test_a_part_is_the_whole_where_asked_and_under_batch_norm(inputs_of):
    for _, inputs in (
        inputs_of(GCN(hidden_width=4), whole_graph=True),
        inputs_of(mixhop_tf.Architecture.default(6)),
    ):
        part = inputs.part(np.array([149]))
        assert part.pair[1] is inputs.operator
        assert part.rows.numpy().tolist() == [149]
