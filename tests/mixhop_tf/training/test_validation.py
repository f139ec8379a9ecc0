"""What validation nodes decide: the best step by each metric, temperature and threshold."""

import dataclasses

import numpy as np
import pytest
from customers import customers
from small_trainers import trainer_of

import mixhop_tf
from mixhop_tf import Architecture, Decision, SettingError, Settings
from mixhop_tf.evaluation import evaluate
from mixhop_tf.metrics import METRICS
from mixhop_tf.training.curve import CurvePoint
from mixhop_tf.training.imbalance import suggested
from mixhop_tf.training.inputs import Inputs
from mixhop_tf.training.weighting import weights_of_classes

NARROW = Architecture.default(2, hidden_dims=[12])


@pytest.fixture(scope="module")
def few_leave():
    return customers(num_nodes=400, share=0.1)


@pytest.fixture(scope="module")
def decided(few_leave):
    """A run with temperature and threshold."""
    changes = {"calibrate": True, "class_weight": "balanced", "learning_rate": 0.05}
    trainer = trainer_of(
        few_leave, NARROW, select_by="pr_auc", threshold="auto", optimizer="adam", **changes
    )
    return trainer.run(0)


@pytest.mark.parametrize("metric", METRICS)
def test_the_best_step_is_the_best_by_the_metric(small_graph, metric):
    run = trainer_of(small_graph, select_by=metric).run(2)
    scores = [(point.score, -point.val_loss, -point.step) for point in run.curve]
    assert run.best == run.curve[scores.index(max(scores))]
    found = run.evaluation("val")
    expected = -found.log_loss if metric == "loss" else getattr(found, metric)
    assert run.best.score == pytest.approx(expected, abs=1e-5)
    assert run.result.rank[0] == -run.best.score
    assert (type(run.best) is CurvePoint) == (metric == "accuracy")


def test_metrics_disagree_about_the_best_step(small_graph):
    steps = {trainer_of(small_graph, select_by=metric).run(2).best.step for metric in METRICS}
    assert len(steps) > 1


def test_the_decision_comes_from_validation_nodes_alone(few_leave, decided):
    decision, graph = decided.decision, few_leave
    val = decided.logits[graph.val]
    plain, calibrated = (
        evaluate(graph.labels[graph.val], each.probabilities(val))
        for each in (Decision(), dataclasses.replace(decision, threshold=None))
    )
    assert decision.temperature != 1
    weights = weights_of_classes("balanced", graph)
    assert decision.offsets == pytest.approx(-np.log(weights))
    assert calibrated.log_loss < plain.log_loss
    assert decision.positive == 1
    best = decided.evaluation("val").classes[1].f1
    for threshold in np.linspace(0, 1, 101):
        other = dataclasses.replace(decision, threshold=threshold)
        assert decided.evaluation("val", other).classes[1].f1 <= best + 1e-12


def test_the_evaluation_is_that_of_the_answers(few_leave, decided):
    found = decided.evaluation()
    assert found.num_nodes == len(few_leave.test)
    assert found.accuracy == decided.test_accuracy
    assert (found.majority_class, found.positive_class) == ("stays", "leaves")
    assert decided.evaluation("test", Decision()).confusion != found.confusion
    untested = dataclasses.replace(decided, graph=dataclasses.replace(few_leave, test=[]))
    assert untested.evaluation() is None


def test_both_saved_models_keep_the_decision(few_leave, decided, tmp_path):
    decided.model.save(tmp_path / "model.keras")
    model = mixhop_tf.load_model(tmp_path / "model.keras")
    assert model.decision == decided.decision
    served = mixhop_tf.load_saved_model(decided.export(tmp_path / "served"))
    assert served.decision == decided.decision
    for features in (few_leave.features, few_leave.features.toarray()):
        answer = served.predict(features, few_leave.edges)
        expected = decided.decision.probabilities(decided.logits)
        np.testing.assert_allclose(answer["probabilities"], expected, atol=1e-5)
        np.testing.assert_array_equal(answer["labels"], decided.decision.labels(expected))
    assert (answer["labels"] != answer["logits"].argmax(axis=1)).any()


def test_a_plain_decision_leaves_no_trace(small_graph, tmp_path):
    run = trainer_of(small_graph, max_steps=2).run(0)
    assert run.decision.is_plain
    assert "decision" not in run.model.get_config()
    folder = run.export(tmp_path / "served")
    assert not (folder / "assets" / "decision.json").exists()
    assert mixhop_tf.load_saved_model(folder).decision == Decision()
    logits = run.model(Inputs.of(small_graph, run.model).raw_pair)
    np.testing.assert_allclose(run.logits, logits, atol=1e-5)


def test_a_damaged_decision_is_named(decided, tmp_path):
    folder = decided.export(tmp_path / "served")
    (folder / "assets" / "decision.json").write_text('{"threshold": 7}')
    with pytest.raises(ValueError, match=r"decision.json must hold a temperature"):
        mixhop_tf.load_saved_model(folder)


def test_a_number_is_taken_as_the_threshold(few_leave):
    run = trainer_of(few_leave, NARROW, max_steps=3, threshold=0.25).run(0)
    assert run.decision == Decision(threshold=0.25, positive=1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"select_by": "auc"}, "`select_by` must be one of accuracy, balanced"),
        ({"select_by": "pr_auc", "selection": "original"}, "`select_by` must be accuracy with"),
        ({"threshold": "high"}, "`threshold` must be auto or a number from 0 to 1"),
        ({"threshold": 1.5}, "`threshold` must be auto or a number"),
        ({"threshold": True}, "`threshold` must be auto or a number"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        Settings(**changes)


def test_settings_must_suit_the_classes(small_graph, few_leave):
    with pytest.raises(SettingError, match="`threshold` works only with two classes"):
        trainer_of(small_graph, threshold="auto")
    stays = few_leave.val[few_leave.labels[few_leave.val] == 0]
    one_class = dataclasses.replace(few_leave, val=stays)
    for metric in ("pr_auc", "roc_auc"):
        with pytest.raises(SettingError, match="`select_by` must be a metric that the validation"):
            trainer_of(one_class, NARROW, select_by=metric)


def test_a_rare_class_of_two_gets_settings_of_its_own(few_leave, small_graph):
    expected = {"select_by": "pr_auc", "class_weight": "balanced", "threshold": "auto"}
    assert suggested(few_leave) == expected | {"calibrate": True}
    Settings(**suggested(few_leave))
    assert suggested(small_graph) == {}
    assert suggested(customers(num_nodes=400, share=0.25)) == {}
