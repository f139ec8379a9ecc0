"""Fields give validation nodes the logits of the whole graph."""

import dataclasses

import numpy as np
import pytest
from small_directed import directed_graph, weighted_graph
from small_settings import SETTINGS

from mixhop_tf import AdjacencySpec, Architecture, block_logits, make_trainer
from mixhop_tf.baselines import GAT, GCN, MLP
from mixhop_tf.ops.neighbors import Neighbors
from mixhop_tf.training.batches import field_validation
from mixhop_tf.training.batches import trainer as batch_trainer
from mixhop_tf.training.batches.evaluation import SampledBatches
from mixhop_tf.training.batches.exact_rows import ExactRows
from mixhop_tf.training.batches.field_validation import FieldValidation

GRAPH = directed_graph(directed=False)
CLUSTERS = "clusters:size=120,parts=3,partition=grown"


def mixhop(hidden=1, **options):
    adjacency = AdjacencySpec(**options)
    dims = [6] * hidden
    return Architecture.from_notation("0,1,2", num_classes=2, hidden_dims=dims, adjacency=adjacency)


@pytest.fixture(autouse=True)
def _all_graphs_are_large(monkeypatch):
    monkeypatch.setattr(batch_trainer, "_SMALL", 0)


def trainer_of(graph, architecture, batches=CLUSTERS):
    settings = dataclasses.replace(SETTINGS, batches=batches, max_steps=2)
    return make_trainer(graph, architecture, settings)


CASES = {
    "plain": (GRAPH, mixhop(), CLUSTERS),
    "three layers": (GRAPH, mixhop(hidden=2), CLUSTERS),
    "propagated before": (GRAPH, mixhop(), f"{CLUSTERS},precompute=yes"),
    "weights": (weighted_graph(), mixhop(), CLUSTERS),
    "in, by row": (directed_graph(), mixhop(direction="in", normalization="row"), CLUSTERS),
    "both directions": (directed_graph(), mixhop(direction="both"), CLUSTERS),
    "no self-loops": (GRAPH, mixhop(self_loops=False), CLUSTERS),
    "gcn": (GRAPH, GCN(hidden_width=4), CLUSTERS),
    "mlp": (GRAPH, MLP(hidden_width=4), CLUSTERS),
}


@pytest.mark.parametrize("case", CASES)
def test_fields_of_all_neighbours_give_the_exact_logits(case):
    graph, architecture, batches = CASES[case]
    trainer = trainer_of(graph, architecture, batches)
    # Room for the fields of all validation nodes, and for statistics of all nodes.
    fields = FieldValidation(trainer._model, graph, trainer._source.features, 10**9)
    scores = fields()
    assert fields.val.tolist() == sorted(graph.val)
    logits = block_logits(trainer._model, graph)[fields.val]
    np.testing.assert_allclose(scores.val_logits, logits, rtol=1e-4, atol=1e-5)
    right = logits.argmax(axis=1) == graph.labels[fields.val]
    assert scores.val_accuracy == pytest.approx(right.mean())


def test_training_selects_by_the_accuracy_in_fields(monkeypatch):
    monkeypatch.setattr(batch_trainer, "_UPDATES_PER_EVALUATED", 1e-3)  # room for all nodes
    run = trainer_of(GRAPH, mixhop()).run(0)
    right = run.logits[GRAPH.val].argmax(axis=1) == GRAPH.labels[GRAPH.val]
    assert run.best.val_accuracy == pytest.approx(right.mean())


def test_batch_norm_uses_nodes_of_the_whole_graph(monkeypatch):
    trainer = trainer_of(GRAPH, mixhop())
    monkeypatch.setattr(field_validation, "_NORM_NODES", 40)
    fields = FieldValidation(trainer._model, GRAPH, trainer._source.features, 10**9)
    exact = block_logits(trainer._model, GRAPH)[fields.val]
    error = np.abs(fields().val_logits - exact).max()
    assert 1e-4 < error < np.abs(exact).max() / 2  # of 40 nodes, so not exact


@pytest.mark.parametrize(
    ("architecture", "least"), [(GAT(hidden_width=4, heads=2), 1), (mixhop(), 10**6)]
)
def test_other_models_and_few_fields_use_batches(architecture, least, monkeypatch):
    monkeypatch.setattr(field_validation, "_MIN_ROOTS", least)
    monkeypatch.setattr(field_validation, "_MAX_CELLS", 200)
    assert isinstance(trainer_of(GRAPH, architecture)._evaluate, SampledBatches)


def test_a_sample_of_a_long_row_keeps_its_expected_sums():
    star = np.array([[0, node] for node in range(1, 60)])
    rows = ExactRows(Neighbors.from_edges(star, 60), AdjacencySpec(normalization="none"))
    x = np.arange(60.0)
    rng, sums = np.random.default_rng(0), []
    for _ in range(300):
        found = rows.entries(np.array([0, 7]), 10, rng)
        hub = found.rows == 0
        assert hub.sum() == 10
        assert found.columns[~hub].tolist() == [0, 7]  # a short row stays as it is
        sums.append(found.values[hub] @ x[found.columns[hub]])
    assert np.mean(sums) == pytest.approx(x.sum(), rel=0.01)
    assert np.std(sums) > 1
