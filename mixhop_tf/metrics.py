"""Metrics of predicted probabilities, each by scikit-learn, and the score that selects."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mixhop_tf.errors import SettingError

# The metrics by which a step, a run or a setting can be selected. Less is better for `loss` alone.
METRICS = ("accuracy", "balanced_accuracy", "macro_f1", "roc_auc", "pr_auc", "loss")
# Bins of equal width for the expected calibration error, as in Guo et al. (2017).
NUM_BINS = 15


def score(
    metric: str, labels: np.ndarray, probabilities: np.ndarray, positive: int | None = None
) -> float:
    """Computes one of `METRICS` such that greater is better; `-inf` where it is undefined.

    Args:
        metric: Name of the metric.
        labels: True classes `[n]`.
        probabilities: Predicted probabilities `[n, c]`.
        positive: With two classes, the class that `pr_auc` looks for.
    """
    if metric not in _SCORES:
        raise SettingError("select_by", f"must be one of {', '.join(METRICS)}", metric)
    truth, shares = checked(labels, probabilities)
    value = _SCORES[metric](truth, shares, positive)
    return -math.inf if value is None else value


def calibration_error(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """Computes the expected calibration error of the most probable classes.

    Args:
        labels: True classes `[n]`.
        probabilities: Predicted probabilities `[n, c]`.
    """
    gaps = [
        count * abs(accuracy - confidence)
        for confidence, accuracy, count in reliability(labels, probabilities)
    ]
    return float(sum(gaps) / np.size(labels))


def reliability(labels: ArrayLike, probabilities: ArrayLike) -> list[tuple[float, float, int]]:
    """Groups the nodes by confidence, the largest probability of a node.

    Args:
        labels: True classes `[n]`.
        probabilities: Predicted probabilities `[n, c]`.

    Returns:
        For each bin that is not empty: mean confidence, accuracy, number of nodes.
    """
    truth, shares = checked(labels, probabilities)
    confidence = shares.max(axis=1)
    correct = shares.argmax(axis=1) == truth
    bins = np.minimum((confidence * NUM_BINS).astype(int), NUM_BINS - 1)
    return [
        (float(confidence[inside].mean()), float(correct[inside].mean()), int(inside.sum()))
        for inside in (bins == each for each in np.unique(bins))
    ]


def rarer_class(counts: ArrayLike) -> int:
    """Returns the rarer of two classes, by their counts; of equals the second."""
    first, second = np.asarray(counts).tolist()
    return int(second <= first)


def checked(labels: ArrayLike, probabilities: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Returns labels as integers and probabilities as doubles whose rows add up to one."""
    truth, shares = np.asarray(labels), np.asarray(probabilities, np.float64)
    if truth.ndim != 1 or not len(truth) or not np.issubdtype(truth.dtype, np.integer):
        raise SettingError("labels", "must be whole numbers, one for each node", labels)
    if shares.ndim != 2 or len(shares) != len(truth):
        rule = f"must have the shape [{len(truth)}, c], but have the shape {list(shares.shape)}"
        raise SettingError("probabilities", rule)
    if truth.min() < 0 or truth.max() >= shares.shape[1]:
        rule = f"must be from 0 to {shares.shape[1] - 1}, the classes that have probabilities"
        raise SettingError("labels", rule)
    return truth, shares / shares.sum(axis=1, keepdims=True)


def roc_auc(is_class: np.ndarray, share: np.ndarray) -> float | None:
    """Computes the area under the ROC curve of one class; None if it is undefined."""
    from sklearn import metrics

    if is_class.all() or not is_class.any():
        return None
    return float(metrics.roc_auc_score(is_class, share))


def pr_auc(is_class: np.ndarray, share: np.ndarray) -> float | None:
    """Computes the average precision of one class; None without nodes of it."""
    from sklearn import metrics

    return float(metrics.average_precision_score(is_class, share)) if is_class.any() else None


def mean_of_known(values: Sequence[float | None]) -> float | None:
    """Computes the mean of the values that are defined; None if none is."""
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def balanced_accuracy(truth: np.ndarray, answers: np.ndarray) -> float:
    """Computes the mean recall of the classes that occur."""
    # scikit-learn's function of that name warns of predicted classes that do not occur.
    from sklearn import metrics

    return float(
        metrics.recall_score(
            truth, answers, labels=np.unique(truth), average="macro", zero_division=0
        )
    )


def macro_f1(truth: np.ndarray, answers: np.ndarray) -> float:
    """Computes the mean F1 of the classes that occur or are predicted."""
    from sklearn import metrics

    return float(metrics.f1_score(truth, answers, average="macro", zero_division=0))


def log_loss(truth: np.ndarray, shares: np.ndarray) -> float:
    """Computes the mean of `-log p(true class)`."""
    from sklearn import metrics

    return float(metrics.log_loss(truth, shares, labels=np.arange(shares.shape[1])))


def _score_roc_auc(truth: np.ndarray, shares: np.ndarray, _: int | None) -> float | None:
    return mean_of_known(
        [roc_auc(truth == each, shares[:, each]) for each in range(shares.shape[1])]
    )


def _score_pr_auc(truth: np.ndarray, shares: np.ndarray, positive: int | None) -> float | None:
    if shares.shape[1] == 2:
        positive = rarer_class(np.bincount(truth, minlength=2)) if positive is None else positive
        return pr_auc(truth == positive, shares[:, positive])
    return mean_of_known(
        [pr_auc(truth == each, shares[:, each]) for each in range(shares.shape[1])]
    )


_SCORES: dict[str, Callable[[np.ndarray, np.ndarray, int | None], float | None]] = {
    "accuracy": lambda truth, shares, _: float(np.mean(shares.argmax(axis=1) == truth)),
    "balanced_accuracy": lambda truth, shares, _: balanced_accuracy(truth, shares.argmax(axis=1)),
    "macro_f1": lambda truth, shares, _: macro_f1(truth, shares.argmax(axis=1)),
    "roc_auc": _score_roc_auc,
    "pr_auc": _score_pr_auc,
    "loss": lambda truth, shares, _: -log_loss(truth, shares),
}
