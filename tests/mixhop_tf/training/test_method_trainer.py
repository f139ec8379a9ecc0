"""Classical methods in the same engine as networks."""

import numpy as np
import pytest

import mixhop_tf as m
from mixhop_tf.methods import ICA, METHODS, LabelPropagation, Planetoid

SMALL = {"planetoid": {"width": 4, "rounds": 1}, "deepwalk": {"width": 4, "rounds": 2}}


def graph():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 12)
    pairs = rng.integers(36, size=(200, 2))
    alike = pairs[labels[pairs[:, 0]] == labels[pairs[:, 1]]]
    people = rng.permutation(36)
    return m.GraphData(
        edges=alike, labels=labels, train=people[:9], val=people[9:20], test=people[20:]
    )


@pytest.mark.parametrize("model", METHODS)
def test_a_run_has_a_curve_logits_and_metrics_and_repeats_to_the_bit(model):
    method = METHODS[model](**SMALL.get(model, {}))
    trainer = m.make_trainer(graph(), method, m.Settings(max_steps=3, l2=1e-3))
    assert isinstance(trainer, m.MethodTrainer)
    run, again, other = trainer.run(0), trainer.run(0), trainer.run(1)
    np.testing.assert_array_equal(run.logits, again.logits)
    assert run.num_steps == (3 if model == "planetoid" else 1)
    assert run.test_accuracy == pytest.approx(run.evaluation("test").accuracy)
    assert np.array_equal(run.logits, other.logits) == (model == "lp")
    assert model != "lp" or run.test_accuracy == 1.0
    with pytest.raises(ValueError, match="no model"):
        run.export("anywhere")


def test_the_best_step_is_chosen_by_validation_nodes():
    settings = m.Settings(max_steps=8, learning_rate=0.5)
    points = []
    method = Planetoid(width=4, rounds=1)
    run = m.make_trainer(graph(), method, settings).run(0, lambda point, best: points.append(point))
    assert points == list(run.curve)
    assert run.best.val_accuracy == max(point.val_accuracy for point in run.curve)


@pytest.mark.parametrize("select_by", ["loss", "macro_f1"])
def test_another_metric_selects(select_by):
    settings = m.Settings(max_steps=2, select_by=select_by)
    run = m.make_trainer(graph(), LabelPropagation(), settings).run(0)
    assert run.result.val_score is not None


@pytest.mark.parametrize(
    ("kind", "fields", "name"),
    [
        (ICA, {"aggregate": "mean"}, "aggregate"),
        (ICA, {"iterations": 0}, "iterations"),
        (Planetoid, {"variant": "x"}, "variant"),
        (Planetoid, {"label_share": 1.0}, "label_share"),
        (Planetoid, {"embedding_rate": float("nan")}, "embedding_rate"),
        (LabelPropagation, {"mass_normalization": 1}, "mass_normalization"),
    ],
)
def test_a_wrong_field_is_named(kind, fields, name):
    with pytest.raises(ValueError, match=name):
        kind(**fields)


@pytest.mark.parametrize("model", METHODS)
def test_a_description_goes_through_json(model):
    method = METHODS[model]()
    assert m.architecture_from_json(method.to_json()) == method
