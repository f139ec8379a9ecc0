"""Every metric is scikit-learn's, computed here the plain way from labels and probabilities."""

import json
import warnings

import numpy as np
import pytest
from sklearn import metrics

from mixhop_tf import SettingError
from mixhop_tf.evaluation import evaluate
from mixhop_tf.metrics import METRICS, calibration_error, reliability, score


def case(seed, num_classes, num_nodes=80):
    rng = np.random.default_rng(seed)
    labels = rng.choice(num_classes, num_nodes, p=rng.dirichlet(np.full(num_classes, 2)))
    logits = rng.normal(size=(num_nodes, num_classes)) + 1.5 * np.eye(num_classes)[labels]
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return labels, shares.astype(np.float32)


@pytest.mark.parametrize("num_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_every_metric_is_the_one_of_scikit_learn(seed, num_classes):
    labels, shares = case(seed, num_classes)
    answers, found = shares.argmax(axis=1), evaluate(labels, shares)
    one_hot = np.eye(num_classes)[labels]
    double = shares.astype(float)
    double /= double.sum(axis=1, keepdims=True)
    present = [each for each in range(num_classes) if 0 < one_hot[:, each].sum() < len(labels)]
    expected = {
        "accuracy": metrics.accuracy_score(labels, answers),
        "balanced_accuracy": metrics.balanced_accuracy_score(labels, answers),
        "macro_f1": metrics.f1_score(labels, answers, average="macro"),
        "roc_auc": metrics.roc_auc_score(one_hot[:, present], double[:, present]),
        "pr_auc": metrics.average_precision_score(one_hot[:, present], double[:, present]),
        "log_loss": metrics.log_loss(labels, double, labels=range(num_classes)),
    }
    if num_classes == 2:
        rare = int(labels.mean() <= 0.5)
        expected["pr_auc"] = metrics.average_precision_score(labels == rare, double[:, rare])
        assert found.positive_class == str(rare)
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-12), name
    each = metrics.precision_recall_fscore_support(labels, answers, labels=range(num_classes))
    assert [scores.precision for scores in found.classes] == pytest.approx(each[0])
    assert [scores.recall for scores in found.classes] == pytest.approx(each[1])
    assert [scores.support for scores in found.classes] == list(each[3])
    assert np.array_equal(found.confusion, metrics.confusion_matrix(labels, answers))


@pytest.mark.parametrize("metric", METRICS)
def test_what_selects_is_what_is_reported(metric):
    labels, shares = case(1, 2)
    reported = evaluate(labels, shares)
    expected = -reported.log_loss if metric == "loss" else getattr(reported, metric)
    assert score(metric, labels, shares) == expected


def test_a_class_that_is_never_predicted_is_named():
    found = evaluate([0] * 19 + [1], np.tile([0.9, 0.1], (20, 1)), class_names=["stays", "leaves"])
    assert found.accuracy == found.majority_accuracy == 0.95
    assert found.majority_class == "stays"
    assert found.never_predicted == ("leaves",)
    assert found.positive_class == "leaves"
    assert found.balanced_accuracy == 0.5
    assert found.pr_auc == pytest.approx(0.05)


def test_one_class_among_the_nodes_gives_no_area_and_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate([1, 1, 1], [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
    assert found.roc_auc is None
    assert found.pr_auc == 1.0
    assert found.balanced_accuracy == pytest.approx(1 / 3)
    assert score("roc_auc", np.array([1, 1]), np.array([[0.2, 0.8], [0.3, 0.7]])) == -np.inf
    json.dumps(found.to_dict(), allow_nan=False)


def test_calibration_error_by_hand():
    shares = np.array([[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.45, 0.55]])
    labels = np.array([0, 1, 1, 1])
    # The bins of 15: 0.9 and 0.9; 0.6; 0.55.
    assert calibration_error(labels, shares) == pytest.approx((2 * 0.4 + 0.4 + 0.45) / 4)
    assert reliability(labels, shares)[-1] == (pytest.approx(0.9), 0.5, 2)


def test_perfect_probabilities_are_calibrated():
    assert calibration_error([0, 1], np.eye(2)) == 0.0


@pytest.mark.parametrize(
    ("labels", "shares", "culprit"),
    [
        ([], np.ones((0, 2)), "labels"),
        ([0.5], [[0.5, 0.5]], "labels"),
        ([2], [[0.5, 0.5]], "labels"),
        ([0, 1], [[0.5, 0.5]], "probabilities"),
    ],
)
def test_bad_arguments_are_named(labels, shares, culprit):
    with pytest.raises(SettingError, match=f"`{culprit}`"):
        evaluate(labels, shares)
    with pytest.raises(SettingError, match="must be one of accuracy"):
        score("auc", np.array([0]), np.array([[1.0]]))
