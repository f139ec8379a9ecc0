"""A changed graph must be answered as the whole model answers it."""

import threading

import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import (
    AdjacencySpec,
    Architecture,
    FieldSizeError,
    GraphData,
    LayerSpec,
    LiveGraph,
    SettingError,
    build_model,
    freeze_statistics,
    sparse_tensor,
)
from mixhop_tf.baselines import GAT, GCN, MLP, NGCN, Chebyshev

N, S, C = 40, 6, 3


def make_graph(*, weighted=False, directed=False):
    rng = np.random.default_rng(0)
    edges = rng.integers(N, size=(45, 2))
    return GraphData(
        edges=edges[edges[:, 0] != edges[:, 1]],
        labels=rng.integers(C, size=N),
        train=range(20),
        val=range(20, 40),
        features=sp.csr_array(rng.random((N, S)) * (rng.random((N, S)) < 0.5)),
        edge_weights=rng.random(np.sum(edges[:, 0] != edges[:, 1])) + 0.1 if weighted else None,
        directed=directed,
    )


def frozen_model(architecture, graph, **options):
    model = build_model(
        architecture, S, C, seed=1, weighted=graph.edge_weights is not None, **options
    )
    model.adapt(graph.features)
    rng = np.random.default_rng(2)
    for variable in model.trainable_variables:  # offsets and psum weights begin at zero
        variable.assign(variable + 0.3 * rng.standard_normal(variable.shape))
    return freeze_statistics(model, whole_inputs(model, graph))


def whole_inputs(model, graph):
    weights = graph.edge_weights if model.weighted else None
    features = sparse_tensor(graph.features)
    if model.scaling == "standardize":
        features = graph.features.toarray().astype(np.float32)
    return features, model.operator(graph.edges, graph.num_nodes, weights)


def mixhop(direction="undirected", normalization="symmetric", self_loops=True, powers=(0, 1, 2)):
    return Architecture(
        layers=(
            LayerSpec(powers=powers, dims=(4,) * len(powers), activation="relu", batch_norm=True),
            LayerSpec(powers=powers[-2:], dims=(3, 3)),
        ),
        adjacency=AdjacencySpec(
            direction=direction, normalization=normalization, self_loops=self_loops
        ),
    )


def many_changes(live, *, weighted):
    """Adds, changes and removes nodes and edges."""
    rng = np.random.default_rng(3)

    def weights(count):
        return (rng.random(count) + 0.5).tolist() if weighted else None

    first = live.add_node(rng.random(S), [0, 5, 7], weights(3))
    second = live.add_node(np.eye(S)[2], [first], weights(1))
    live.add_node(rng.random(S))  # without edges
    live.add_edges([(3, second), (first, 11), (0, 5)], weights(3))
    live.set_features(7, rng.random(S))
    live.remove_edges([(0, first), (0, 5)])
    live.remove_node(11)


CASES = {
    "mixhop": (mixhop(), {}, {}),
    "standardize": (mixhop(), {}, {"scaling": "standardize"}),
    "weights, rows": (mixhop(normalization="row"), {"weighted": True}, {}),
    "no self-loops": (mixhop(self_loops=False), {"weighted": True}, {}),
    "in": (mixhop("in"), {"directed": True, "weighted": True}, {}),
    "out, none": (mixhop("out", "none"), {"directed": True}, {}),
    "both": (mixhop("both", "row", powers=(0, 1, -1, -2)), {"directed": True}, {}),
    "attention": (
        Architecture.default(C, heads=2, adjacency=AdjacencySpec(normalization="row")),
        {},
        {},
    ),
    "gcn": (GCN(hidden_width=4), {"weighted": True}, {}),
    "chebyshev": (Chebyshev(hidden_width=4, order=2, largest_eigenvalue=1.7), {}, {}),
    "gat": (GAT(hidden_width=4, heads=2), {}, {}),
    "mlp": (MLP(hidden_width=4), {}, {}),
    "ngcn": (NGCN(hidden_width=4, powers=(0, 1, 2)), {"weighted": True}, {}),
}


@pytest.mark.parametrize("case", CASES)
def test_answers_are_those_of_the_whole_changed_graph(case):
    architecture, kind, options = CASES[case]
    graph = make_graph(**kind)
    model = frozen_model(architecture, graph, **options)
    live = LiveGraph(model, graph)
    np.testing.assert_allclose(
        live.predict(range(N))["logits"], model(whole_inputs(model, graph)), atol=1e-6
    )
    many_changes(live, weighted=model.weighted)
    now = live.snapshot()
    assert now.num_nodes == N + 3
    expected = model(whole_inputs(model, now)).numpy()
    kept = [node for node in range(now.num_nodes) if node != 11]
    found = [live.predict([node]) for node in kept]
    logits = np.concatenate([each["logits"] for each in found])
    np.testing.assert_allclose(logits, expected[kept], atol=1e-6)
    members, part = live.around([0, 7])
    inside = model(whole_inputs(model, part)).numpy()[np.searchsorted(members, [0, 7])]
    np.testing.assert_allclose(inside, expected[[0, 7]], atol=1e-6)
    sizes = [each["field_size"] for each in found]
    assert min(sizes) == 1  # the node without edges
    if case != "mlp":
        assert max(sizes) > 5
        before = model(whole_inputs(model, graph)).numpy()
        assert not np.allclose(expected[:N], before, atol=1e-3)


def test_the_decision_of_the_model_makes_the_labels():
    graph = make_graph()
    model = frozen_model(mixhop(), graph, decision={"offsets": [0.0, 50.0, 0.0]})
    answer = LiveGraph(model, graph).predict([0, 1])
    assert answer["labels"].tolist() == [1, 1]
    np.testing.assert_allclose(answer["probabilities"].sum(axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda live: live.predict([N]), "from 0 to 39"),
        (lambda live: live.predict([True]), "from 0 to 39"),
        (lambda live: live.add_node([1.0]), "6 numbers"),
        (lambda live: live.add_node([np.nan] * S), "finite"),
        (lambda live: live.add_node([1e30] * S), "less than 1e"),
        (lambda live: live.add_node(["a"] * S), "6 numbers"),
        (lambda live: live.add_node(np.ones(S), [N + 5]), "from 0 to 39"),
        (lambda live: live.add_node(np.ones(S), [1], [2.0]), "takes no weights"),
        (lambda live: live.add_edges([(1, 2), (3, 3)]), "two different nodes"),
        (lambda live: live.add_edges([(1, 2)], [1.0, 2.0]), "one for each edge"),
        (lambda live: live.set_features(-1, np.ones(S)), "from 0 to 39"),
    ],
)
def test_a_change_that_does_not_fit_changes_nothing(small_live, change, says):
    before = small_live.snapshot()
    with pytest.raises(SettingError, match=says):
        change(small_live)
    after = small_live.snapshot()
    assert after.num_nodes == before.num_nodes
    np.testing.assert_array_equal(after.edges, before.edges)


@pytest.fixture(scope="module")
def small_live():
    graph = make_graph()
    return LiveGraph(frozen_model(mixhop(), graph), graph)


def test_a_removed_node_is_gone(small_live):
    node = small_live.add_node(np.ones(S), [0])
    assert small_live.has_edge(0, node)
    small_live.remove_node(node)
    assert node not in small_live.neighbors(0)
    with pytest.raises(SettingError, match="removed"):
        small_live.predict([node])


def test_a_field_that_is_too_large_is_refused():
    graph = make_graph()
    model = frozen_model(mixhop(), graph)
    live = LiveGraph(model, graph, max_field=3)
    with pytest.raises(FieldSizeError, match="more than 3 nodes"):
        live.predict(range(10))


@pytest.mark.parametrize(
    ("kind", "architecture", "says"),
    [
        ({}, mixhop("in"), "directed"),
        ({"weighted": True}, mixhop(), "edge weights"),
    ],
)
def test_a_graph_that_lacks_what_the_model_reads_is_refused(kind, architecture, says):
    full = make_graph(directed=architecture.adjacency.is_directed, **kind)
    model = frozen_model(architecture, full)
    with pytest.raises(SettingError, match=says):
        LiveGraph(model, make_graph())


def test_statistics_must_be_frozen():
    model = build_model(mixhop(), S, C, seed=0)
    with pytest.raises(SettingError, match="freeze_statistics"):
        LiveGraph(model, make_graph())


def test_readers_see_a_change_whole_or_not_at_all():
    """Two edges are added and removed together, so an answer is one of two."""
    graph = make_graph()
    live = LiveGraph(frozen_model(mixhop(), graph), graph)
    new = live.add_node(np.ones(S))
    pairs = [(new, 1), (new, 2)]
    without = live.predict([new])["logits"]
    live.add_edges(pairs)
    with_both = live.predict([new])["logits"]
    stop, answers = threading.Event(), []

    def read():
        while not stop.is_set():
            answers.append(live.predict([new])["logits"])

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for _ in range(150):
        live.remove_edges(pairs)
        live.add_edges(pairs)
    stop.set()
    for reader in readers:
        reader.join()
    kinds = [
        (np.allclose(each, without, atol=1e-6), np.allclose(each, with_both, atol=1e-6))
        for each in answers
    ]
    assert all(map(any, kinds))
