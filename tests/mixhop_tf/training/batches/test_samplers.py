"""Samplers draw the same batch for the same seed and number, and count every target."""

import numpy as np
import pytest

from mixhop_tf import SettingError
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches import partition
from mixhop_tf.training.batches.clusters import ClusterSampler
from mixhop_tf.training.batches.fields import FieldSampler
from mixhop_tf.training.batches.partition import make_partition, resolved
from mixhop_tf.training.batches.spec import Batches
from mixhop_tf.training.batches.walks import WalkSampler

N = 300
RNG = np.random.default_rng(0)
ROWS = Neighbors.from_edges(RNG.integers(N, size=(600, 2)), N)
TARGETS = np.sort(RNG.choice(N, 90, replace=False))
PARTITION = make_partition(ROWS, 12, "grown")
SAMPLERS = {
    "clusters": ClusterSampler(PARTITION, 3, TARGETS),
    "walks": WalkSampler([ROWS], 80, 3, TARGETS),
    "fields": FieldSampler([ROWS], 100, 2, 3, TARGETS),
}


@pytest.mark.parametrize("kind", SAMPLERS)
def test_a_batch_is_a_function_of_seed_and_number(kind):
    sampler = SAMPLERS[kind]
    one, again, other, next_one = (sampler.draw(*each) for each in ((1, 5), (1, 5), (2, 5), (1, 6)))
    for first, second in zip(one, again, strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(one.nodes, other.nodes)
    assert not np.array_equal(one.nodes, next_one.nodes)


@pytest.mark.parametrize("kind", ["clusters", "fields"])
def test_an_epoch_counts_every_target_once_and_the_same(kind):
    sampler = SAMPLERS[kind]
    draws = [sampler.draw(0, number) for number in range(sampler.num_batches)]
    assert len(draws) > 2
    counted = np.concatenate([draw.nodes[draw.counted] for draw in draws])
    np.testing.assert_array_equal(np.sort(counted), TARGETS)
    total = sum(draw.weights.sum() for draw in draws)
    assert total == pytest.approx(len(draws))


def test_batches_of_clusters_are_whole_parts():
    draw = SAMPLERS["clusters"].draw(0, 0)
    parts = PARTITION.parts_of(draw.nodes)
    assert len(parts) == 3
    np.testing.assert_array_equal(PARTITION.nodes(parts), draw.nodes)


def test_walks_visit_nodes_as_often_as_the_probabilities_say():
    sampler = SAMPLERS["walks"]
    draws = [sampler.draw(0, number) for number in range(1000)]
    seen = np.bincount(np.concatenate([draw.nodes for draw in draws]), minlength=N) / len(draws)
    np.testing.assert_allclose(seen, sampler._probabilities, atol=0.1)
    assert seen.max() > 3 * seen[seen > 0].min()  # nodes do differ
    assert draws[0].weights.sum() == pytest.approx(1)


def test_a_field_is_near_its_target_and_has_no_more_than_the_fanout():
    draw = SAMPLERS["fields"].draw(0, 0)
    steps = np.linalg.matrix_power(ROWS.rows(0, N).toarray(), 2)
    for group, root in enumerate(draw.nodes[draw.counted]):
        field = draw.nodes[draw.groups == group]
        assert root in field
        assert np.all(steps[root, field] > 0)
        assert len(field) <= 1 + 3 + 9 + 4  # a node with four entries keeps them all


def test_two_directions_reach_what_each_of_them_reaches():
    edges = np.array([[0, 1], [2, 0]])
    rows = [Neighbors.from_edges(edges, 3, direction=each) for each in ("in", "out")]
    assert FieldSampler(rows, 10, 1, 3, np.array([0])).draw(0, 0).nodes.tolist() == [0, 1, 2]
    assert FieldSampler(rows[:1], 10, 1, 3, np.array([0])).draw(0, 0).nodes.tolist() == [0, 2]
    assert WalkSampler(rows, 400, 1, np.array([0])).draw(0, 0).nodes.tolist() == [0, 1, 2]


@pytest.mark.parametrize("kind", ["grown", "metis"])
def test_a_partition_has_every_node_once_and_follows_the_edges(kind):
    if kind == "metis":
        pytest.importorskip("pymetis")
    # Ten cliques of ten nodes in random order, and no edge between them.
    order = np.random.default_rng(1).permutation(100)
    edges = np.array(
        [
            (order[start + i], order[start + j])
            for start in range(0, 100, 10)
            for i in range(10)
            for j in range(i)
        ]
    )
    found = make_partition(Neighbors.from_edges(edges, 100), 10, kind)
    np.testing.assert_array_equal(np.sort(found.order), np.arange(100))
    assert found.num_parts == 10
    label = np.empty(100, int)
    label[found.order] = np.repeat(np.arange(10), np.diff(found.bounds))
    cut = np.mean(label[edges[:, 0]] != label[edges[:, 1]])
    assert cut < (0.1 if kind == "metis" else 0.6)  # at random it would be 0.9


def test_metis_is_chosen_if_it_is_there_and_the_graph_is_small(monkeypatch):
    clusters = Batches(kind="clusters")
    monkeypatch.setattr(partition, "has_metis", lambda: True)
    assert resolved(clusters, 1000).partition == "metis"
    assert resolved(clusters, 10**9).partition == "grown"
    monkeypatch.setattr(partition, "has_metis", lambda: False)
    assert resolved(clusters, 1000).partition == "grown"
    assert resolved(Batches(kind="walks"), 1000).partition is None
    with pytest.raises(SettingError, match="need the package pymetis"):
        make_partition(ROWS, 3, "metis")
