"""Blocks must give what the whole model gives."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from mixhop_tf import Architecture, GraphData, LayerSpec, SettingError, build_model
from mixhop_tf.baselines import GAT, GCN, MLP
from mixhop_tf.inference import mixing
from mixhop_tf.inference.blocks import (
    BlockOptions,
    block_embeddings,
    block_logits,
    can_block,
    compute_part,
    freeze_in_blocks,
)
from mixhop_tf.inference.layers import ALL_ROWS
from mixhop_tf.inference.parts import Parts
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.ops import block_operator as operator
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.ops.tiled_rows import TiledRows

N, S, C = 60, 7, 3
TINY = BlockOptions(max_bytes=8 * N * 2, num_threads=2)  # two columns at a time


def make_graph(*, weighted=False, directed=False, dense=False, seed=0):
    rng = np.random.default_rng(seed)
    edges = rng.integers(N, size=(150, 2))
    features = rng.random((N, S)) * (1 if dense else rng.random((N, S)) < 0.4)
    return GraphData(
        edges=edges,
        labels=rng.integers(C, size=N),
        train=range(20),
        val=range(20, 40),
        features=sp.csr_array(features),
        edge_weights=rng.random(len(edges)) + 0.1 if weighted else None,
        directed=directed,
    )


def make_model(architecture, graph, **options):
    weighted = graph.edge_weights is not None
    model = build_model(architecture, S, C, seed=1, weighted=weighted, **options)
    model.adapt(graph.features)
    rng = np.random.default_rng(2)
    for variable in model.trainable_variables:  # offsets and psum weights begin at zero
        variable.assign(variable + 0.3 * rng.standard_normal(variable.shape))
    return model


def inputs_of(model, graph):
    weights = graph.edge_weights if model.weighted else None
    return sparse_tensor(graph.features), model.operator(graph.edges, N, weights)


def layers(*powers, wide=False):
    """Two layers; the first is wider than the features if `wide`."""
    width = 9 if wide else 2
    first = LayerSpec(
        powers=powers, dims=(width,) * len(powers), activation="relu", batch_norm=True
    )
    second = LayerSpec(powers=powers, dims=(C,) * len(powers))
    return first, second


@pytest.fixture(autouse=True)
def many_blocks(monkeypatch):
    """Small blocks, so that there are several."""
    monkeypatch.setattr(mixing, "_BLOCK", 16)
    for kind in (Neighbors, TiledRows):
        monkeypatch.setattr(kind, "block_rows", 17)
        monkeypatch.setattr(kind, "block_entries", 40)


def check(model, graph):
    """Compares logits and embeddings with those of the whole model."""
    inputs = inputs_of(model, graph)
    np.testing.assert_allclose(block_logits(model, graph, TINY), model(inputs), atol=1e-5)
    np.testing.assert_allclose(block_embeddings(model, graph, TINY), model.embed(inputs), atol=1e-5)


@pytest.mark.parametrize("scaling", ["rows", "standardize", "none"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("output", ["psum", "dense"])
def test_logits_are_those_of_the_model(scaling, wide, output):
    graph = make_graph(dense=wide)
    architecture = Architecture(layers=layers(0, 1, 2, wide=wide), output=output)
    check(make_model(architecture, graph, scaling=scaling), graph)


SPECS = [
    AdjacencySpec(direction=direction, normalization=normalization, self_loops=self_loops)
    for direction, normalization, self_loops in itertools.product(
        ("undirected", "in", "out", "both"), ("symmetric", "row", "none"), (True, False)
    )
]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_every_adjacency(spec):
    powers = (0, 1, -1, 2, -2) if spec.direction == "both" else (0, 1, 2)
    for weighted in (False, True):
        graph = make_graph(weighted=weighted, directed=spec.is_directed)
        check(make_model(Architecture(layers=layers(*powers), adjacency=spec), graph), graph)


def test_jumping_connections_and_three_layers():
    graph = make_graph()
    first, second = layers(0, 1, 2)
    architecture = Architecture(layers=(first, first, second), jumping=True)
    check(make_model(architecture, graph), graph)


def test_widths_of_zero_powers_out_of_order_and_a_single_layer():
    graph = make_graph()
    first = LayerSpec(powers=(2, 0, 1), dims=(4, 0, 3), activation="tanh")
    check(make_model(Architecture(layers=(first, layers(0, 1)[1])), graph), graph)
    check(make_model(Architecture(layers=(layers(0, 2)[1],)), graph), graph)
    alone = LayerSpec(powers=(0,), dims=(C,))
    check(
        make_model(
            Architecture(layers=(LayerSpec(powers=(0,), dims=(4,), activation="relu"), alone)),
            graph,
        ),
        graph,
    )


def test_shared_kernel():
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph, shared_first_kernel=True)
    check(model, graph)


@pytest.mark.parametrize("architecture", [GCN(hidden_width=4), MLP(hidden_width=4)])
def test_baselines_of_products(architecture):
    graph = make_graph()
    check(make_model(architecture, graph), graph)


def test_other_models_are_refused():
    graph = make_graph()
    model = make_model(GAT(hidden_width=8), graph)
    assert not can_block(model)
    with pytest.raises(ValueError, match="GATModel"):
        block_logits(model, graph)


def test_frozen_statistics_are_those_of_the_graph():
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph)
    whole = freeze_statistics(model, inputs_of(model, graph))
    blocks = freeze_in_blocks(model, graph, TINY)
    for expected, found in zip(whole.norms, blocks.norms, strict=True):
        np.testing.assert_allclose(found.mean, expected.mean, atol=1e-6)
        np.testing.assert_allclose(found.variance, expected.variance, rtol=1e-5)
    other = make_graph(seed=5)  # frozen statistics do not depend on the graph
    check(blocks, other)


def test_moments_do_not_lose_digits():
    """A column far from zero: float32 sums would lose its variance."""
    graph = make_graph(dense=True)
    graph.features = sp.csr_array(graph.features.toarray() + 3000.0).astype(np.float32)
    model = make_model(Architecture(layers=layers(0)), graph, scaling="none")
    frozen = freeze_in_blocks(model, graph, TINY)
    hidden = graph.features.toarray().astype(np.float64) @ model.steps[1].kernels[0].numpy()
    np.testing.assert_allclose(frozen.norms[0].variance, hidden.var(axis=0), rtol=1e-3)


def test_threads_do_not_change_the_bits():
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph)
    first, second = (
        block_logits(model, graph, BlockOptions(num_threads=threads)) for threads in (1, 3)
    )
    np.testing.assert_array_equal(first, second)


def test_a_killed_run_goes_on(tmp_path, monkeypatch):
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph)
    expected = block_logits(model, graph)
    shares = []

    def killed(share):
        shares.append(share)
        if share > 0.7:
            raise KeyboardInterrupt

    chunk = {"max_bytes": 8 * N, "scratch": tmp_path / "scratch", "fingerprint": "a"}
    with pytest.raises(KeyboardInterrupt):
        block_logits(model, graph, BlockOptions(**chunk, on_progress=killed))
    products = []
    product = operator.BlockOperator.product
    monkeypatch.setattr(
        operator.BlockOperator,
        "product",
        lambda self, z, **options: products.append(z.shape[1]) or product(self, z, **options),
    )
    done = []
    found = block_logits(model, graph, BlockOptions(**chunk, on_progress=done.append))
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert done[-1] == 1.0
    assert done == sorted(done)
    resumed = len(products)
    block_logits(model, graph, BlockOptions(**chunk | {"fingerprint": "b"}))
    assert 0 < resumed < (len(products) - resumed) / 2


def test_a_damaged_intermediate_result_is_computed_again(tmp_path):
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph)
    options = BlockOptions(scratch=tmp_path / "scratch", fingerprint="a")
    expected = block_logits(model, graph, options)
    for path in (tmp_path / "scratch").glob("*.npy"):
        path.write_bytes(path.read_bytes()[:100])
    np.testing.assert_array_equal(block_logits(model, graph, options), expected)


def test_large_columns_go_to_files_that_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("mixhop_tf.inference.scratch.IN_MEMORY", 0)
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1, 2)), graph)
    seen = []
    options = BlockOptions(on_progress=lambda _: seen.append(len(list(tmp_path.rglob("*.npy")))))
    found = block_logits(model, graph, options)
    np.testing.assert_allclose(found, model(inputs_of(model, graph)), atol=1e-5)
    assert max(seen) > 0
    assert not list(tmp_path.iterdir())


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("precious")
    graph = make_graph()
    model = make_model(Architecture(layers=layers(0, 1)), graph)
    with pytest.raises(SettingError, match="scratch"):
        block_logits(model, graph, BlockOptions(scratch=tmp_path, fingerprint="a"))
    assert (tmp_path / "mine.txt").read_text() == "precious"


def in_parts(model, graph, folder, count, hidden=False, forget=()):
    """Computes in `count` parts; the arrays in `forget` lose a part once, as after a kill."""
    folder.mkdir(exist_ok=True)
    forget = set(forget)
    for number in range(200):
        done = Parts(folder, 0, count, frozenset()).complete()
        parts = [Parts(folder, index, count, done) for index in range(count)]
        names = {compute_part(model, graph, each, TINY, hidden=hidden) for each in parts}
        assert len(names) == 1
        if names == {None}:
            return np.asarray(parts[0].find(ALL_ROWS)), number
        if number in forget:
            forget.remove(number)
            parts[0].path(names.pop(), count - 1).unlink()
    raise AssertionError("it does not end")


MODELS = {
    "collapsed": lambda: Architecture(layers=layers(0, 1, 2)),
    "wide": lambda: Architecture(layers=layers(0, 1, 3, wide=True)),
    "jumping": lambda: Architecture(layers=layers(0, 1, 2), jumping=True),
    "both": lambda: Architecture(
        layers=layers(0, 1, -1), adjacency=AdjacencySpec(direction="both")
    ),
    "gcn": lambda: GCN(hidden_width=5),
    "mlp": lambda: MLP(hidden_width=5),
}


@pytest.mark.parametrize("name", MODELS)
def test_parts_give_the_bits_of_one_process(name, tmp_path):
    count = 7  # more than there are blocks of rows, so that some processes have none
    graph = make_graph(directed=name == "both", weighted=name == "wide")
    model = make_model(MODELS[name](), graph)
    logits, number = in_parts(model, graph, tmp_path / "logits", count)
    assert logits.shape == (N, C)
    np.testing.assert_array_equal(logits, block_logits(model, graph, TINY))
    assert number >= (1 if name == "mlp" else 4)
    hidden, _ = in_parts(model, graph, tmp_path / "hidden", count, hidden=True)
    np.testing.assert_array_equal(hidden, block_embeddings(model, graph, TINY))


def test_a_part_that_a_kill_prevented_is_computed_again(tmp_path):
    graph = make_graph()
    model = make_model(MODELS["collapsed"](), graph)
    logits, _ = in_parts(model, graph, tmp_path / "parts", 3, forget=(0, 2, 5))
    np.testing.assert_array_equal(logits, block_logits(model, graph, TINY))


def test_each_process_computes_its_own_blocks_alone(tmp_path):
    shares = [Parts(tmp_path, index, 3, frozenset()).share(range(8)) for index in range(3)]
    assert [list(share) for share in shares] == [[0, 1], [2, 3, 4], [5, 6, 7]]
