"""Training on batches: a batch of all nodes is the whole graph; a resumed run has the same bits."""

import dataclasses

import numpy as np
import pytest
import tensorflow as tf
from small_directed import directed_graph, weighted_graph
from small_settings import SETTINGS

from mixhop_tf import (
    AdjacencySpec,
    Architecture,
    BatchTrainer,
    Checkpoint,
    SettingError,
    Trainer,
    make_trainer,
)
from mixhop_tf.baselines import GCN, Chebyshev
from mixhop_tf.models.weights import weights_of
from mixhop_tf.training.batches import trainer as batch_trainer

# Without dropout, so that only the batches differ.
NO_DROPOUT = {"input_dropout": 0.0, "hidden_dropout": 0.0}
SMALL = Architecture.default(2, hidden_dims=[12], **NO_DROPOUT)
GRAPH = directed_graph(directed=False)


def trainer_of(batches, graph=GRAPH, architecture=SMALL, **changes):
    changes = {"optimizer": "adam", "learning_rate": 0.05, "max_steps": 4} | changes
    return make_trainer(
        graph, architecture, dataclasses.replace(SETTINGS, batches=batches, **changes)
    )


def directed(direction, **options):
    adjacency = AdjacencySpec(direction=direction, **options)
    return Architecture.from_notation("0,1,2", num_classes=2, adjacency=adjacency, **NO_DROPOUT)


CASES = {
    "plain": (GRAPH, SMALL, {}),
    "weights": (weighted_graph(), SMALL, {}),
    "in, by row": (directed_graph(), directed("in", normalization="row"), {}),
    "both directions": (directed_graph(), directed("both"), {}),
    "no self-loops": (GRAPH, directed("undirected", self_loops=False), {}),
    "gcn": (GRAPH, GCN(hidden_width=4, **NO_DROPOUT), {}),
    "balanced": (GRAPH, SMALL, {"class_weight": "balanced"}),
    "proximal": (GRAPH, SMALL, {"lasso_kind": "scaled", "lasso": 0.01}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_batch_of_all_nodes_trains_as_the_whole_graph_does(case):
    graph, architecture, changes = CASES[case]
    sampled = trainer_of("clusters", graph, architecture, **changes)
    assert type(sampled) is BatchTrainer
    run, other = sampled.run(1), trainer_of(None, graph, architecture, **changes).run(1)
    assert run.num_steps == other.num_steps
    for one, two in zip(run.curve, other.curve, strict=True):
        assert one.val_loss == pytest.approx(two.val_loss, rel=1e-3)
    # The loss of a step is that of its updates; the whole graph's loss is that after the update.
    for one, two in zip(run.curve[1:], other.curve[:-1], strict=True):
        assert one.loss == pytest.approx(two.loss, rel=1e-3)
    np.testing.assert_allclose(run.logits, other.logits, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("case", ["weights", "in, by row", "no self-loops"])
def test_precomputed_hops_of_all_nodes_train_as_the_whole_graph_does(case):
    graph, architecture, changes = CASES[case]
    run = trainer_of("clusters:precompute=yes", graph, architecture, **changes).run(1)
    other = trainer_of(None, graph, architecture, **changes).run(1)
    for one, two in zip(run.curve, other.curve, strict=True):
        assert one.val_loss == pytest.approx(two.val_loss, rel=1e-3)


CLUSTERS = "clusters:size=120,parts=3,partition=grown"
BATCHES = [CLUSTERS, "walks:size=100", "fields:size=600,fanout=3"]


@pytest.mark.parametrize(
    ("batches", "is_small"),
    [
        *((each, False) for each in BATCHES),
        (f"{CLUSTERS},precompute=yes", True),
    ],
)
def test_an_interrupted_run_continues_to_the_same_bits(batches, is_small, tmp_path, monkeypatch):
    if not is_small:
        monkeypatch.setattr(batch_trainer, "_SMALL", 0)
    architecture = Architecture.default(2, hidden_dims=[12], input_dropout=0.3, hidden_dropout=0.5)
    trainer = trainer_of(batches, architecture=architecture)
    whole = trainer.run(3)

    def stop(point, _):
        if point.step == 3:
            raise KeyboardInterrupt

    checkpoint = Checkpoint(tmp_path / "state.npz", every_steps=1)
    with pytest.raises(KeyboardInterrupt):
        trainer.run(3, stop, checkpoint=checkpoint)
    resumed = trainer_of(batches, architecture=architecture).run(3, checkpoint=checkpoint)
    assert resumed.curve == whole.curve
    assert resumed.logits.tobytes() == whole.logits.tobytes()
    weights = weights_of(whole.model)
    for name, value in weights_of(resumed.model).items():
        assert value.tobytes() == weights[name].tobytes(), name


@pytest.mark.parametrize("is_small", [True, False])
def test_the_logits_are_those_of_the_whole_graph(is_small, monkeypatch):
    if not is_small:
        monkeypatch.setattr(batch_trainer, "_SMALL", 0)
    run = trainer_of(CLUSTERS).run(0)
    assert run.batches == CLUSTERS
    pair = Trainer(GRAPH, SMALL, SETTINGS)._inputs.raw_pair
    np.testing.assert_allclose(run.model(pair), run.logits, rtol=1e-4, atol=1e-5)
    assert (run.inputs is None, run.model.frozen) == (not is_small, not is_small)


@pytest.mark.slow
def test_a_large_graph_can_be_exported(monkeypatch, tmp_path):
    monkeypatch.setattr(batch_trainer, "_SMALL", 0)
    run = trainer_of(BATCHES[1]).run(0)
    loaded = tf.saved_model.load(str(run.export(tmp_path / "model")))
    features = tf.constant(GRAPH.features.toarray(), tf.float32)
    edges = tf.constant(GRAPH.edges, tf.int64)
    answer = loaded.signatures["serving_default"](features=features, edges=edges)
    np.testing.assert_allclose(answer["logits"], run.logits, rtol=1e-3, atol=1e-4)


def test_batches_are_not_traced_again():
    trainer = trainer_of(BATCHES[1])
    trainer.run(0)
    assert trainer._step.experimental_get_tracing_count() == 1


def test_a_stored_graph_is_never_read_as_a_whole():
    class Stored:
        """What a mapped graph has; `edges` and `features` are missing on purpose."""

        directed, edge_weights, digest, name = False, None, "abc", "stored"
        num_nodes, num_features, num_classes = GRAPH.num_nodes, 2, 2
        class_names, feature_names, node_ids = ("a", "b"), None, None
        labels, train, val, test = GRAPH.labels, GRAPH.train, GRAPH.val, GRAPH.test
        neighbors = batch_trainer.BatchSource(
            GRAPH, trainer_of(None)._model, batch_trainer.Batches(kind="walks")
        )._rows[0]
        feature_matrix = GRAPH.features.toarray().astype(np.float32)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_trainer, "_SMALL", 0)
        run = trainer_of(CLUSTERS, Stored(), select_by="macro_f1").run(0)
    assert run.logits.shape == (GRAPH.num_nodes, 2)


def test_models_that_cannot_be_sampled_are_refused():
    with pytest.raises(SettingError, match="do not work with Chebyshev"):
        trainer_of("walks", architecture=Chebyshev(hidden_width=4))
    with pytest.raises(SettingError, match="only with MixHop without attention"):
        trainer_of("walks:precompute=yes", architecture=GCN(hidden_width=4))
