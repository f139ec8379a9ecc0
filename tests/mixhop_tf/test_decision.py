"""Temperature and threshold: against a plain search, and where there is nothing to gain."""

import numpy as np
import pytest
from sklearn import metrics

from mixhop_tf import SettingError
from mixhop_tf.decision import Decision, choose_threshold, fit_temperature
from mixhop_tf.evaluation import evaluate
from mixhop_tf.metrics import calibration_error

RNG = np.random.default_rng(0)


def calibrated(num_nodes=4000, num_classes=3):
    """Logits whose softmax is the truth, and labels drawn from it."""
    logits = RNG.normal(size=(num_nodes, num_classes)) * 2
    shares = Decision().probabilities(logits)
    labels = (RNG.random((num_nodes, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    return logits, np.minimum(labels, num_classes - 1)


def test_overconfident_logits_get_their_temperature_back():
    logits, labels = calibrated()
    temperature = fit_temperature(3 * logits, labels)
    assert temperature == pytest.approx(3, rel=0.1)
    before = calibration_error(labels, Decision().probabilities(3 * logits))
    after = calibration_error(labels, Decision(temperature=temperature).probabilities(3 * logits))
    assert after < before / 3


def test_the_temperature_never_makes_the_loss_worse_and_never_changes_the_answer():
    for scale in (0.01, 1, 100):
        logits, labels = calibrated(50)
        decision = Decision(temperature=fit_temperature(scale * logits, labels))
        plain, scaled = (each.probabilities(scale * logits) for each in (Decision(), decision))
        assert evaluate(labels, scaled).log_loss <= evaluate(labels, plain).log_loss + 1e-12
        assert (decision.labels(scaled) == Decision().labels(plain)).all()


@pytest.mark.parametrize("metric", ["f1", "accuracy", "balanced_accuracy", "macro_f1"])
@pytest.mark.parametrize("positive", [0, 1])
def test_no_other_threshold_is_better(metric, positive):
    labels = (RNG.random(60) < 0.2).astype(int)
    share = np.round(np.clip(0.3 * labels + RNG.random(60) * 0.6, 0, 1), 2)  # with ties
    shares = np.stack([1 - share, share], axis=1)

    def value(threshold):
        answers = Decision(threshold=threshold, positive=positive).labels(shares)
        if metric == "f1":
            return metrics.f1_score(labels == positive, answers == positive, zero_division=0)
        return getattr(evaluate(labels, shares, predicted=answers), metric)

    chosen = choose_threshold(labels, shares, positive, metric)
    # Shares have two decimals, so these thresholds give every answer that any threshold gives.
    assert value(chosen) == pytest.approx(max(value(each) for each in np.linspace(0, 1, 201)))


def test_a_threshold_finds_what_the_largest_probability_misses():
    labels = np.array([0] * 19 + [1])
    shares = np.tile([0.9, 0.1], (20, 1))
    shares[-1] = 0.7, 0.3
    threshold = choose_threshold(labels, shares, positive=1)
    assert threshold == pytest.approx(0.2)
    assert Decision(threshold=threshold, positive=1).labels(shares).tolist() == labels.tolist()


def test_a_decision_goes_through_plain_containers():
    decision = Decision(temperature=1.5, threshold=0.25, positive=1, offsets=(0.5, -1.0))
    assert Decision.from_dict(decision.to_dict()) == decision
    assert Decision().is_plain
    assert not decision.is_plain


@pytest.mark.parametrize(
    "content",
    [
        {"temperature": 0},
        {"temperature": float("nan")},
        {"temperature": "hot"},
        {"threshold": 2, "positive": 1},
        {"threshold": 0.5},
        {"threshold": True, "positive": 1},
        {"shift": 1},
        {"offsets": [1, "two"]},
        {"offsets": [float("inf")]},
    ],
)
def test_bad_content_is_refused(content):
    with pytest.raises(SettingError):
        Decision.from_dict(content)


def test_offsets_undo_the_weights_of_the_classes():
    logits, labels = calibrated()
    weights = np.array([1.0, 4.0, 0.5])
    offsets = tuple(-np.log(weights))
    weighted = logits + np.log(weights)  # what a model learns under these weights
    assert fit_temperature(weighted, labels, offsets) == pytest.approx(1, abs=0.1)
    found = Decision(offsets=offsets).probabilities(weighted)
    np.testing.assert_allclose(found, Decision().probabilities(logits))
    assert not Decision(offsets=offsets).is_plain
    assert (Decision(offsets=offsets).answers(weighted) == logits.argmax(axis=1)).all()
