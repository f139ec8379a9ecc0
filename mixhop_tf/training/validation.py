"""What validation nodes decide: the best step, the temperature and the threshold."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from mixhop_tf.decision import PLAIN, Decision, choose_threshold, fit_temperature
from mixhop_tf.errors import SettingError
from mixhop_tf.metrics import rarer_class, score
from mixhop_tf.training.curve import CurvePoint, ScoredPoint
from mixhop_tf.training.graph import Graph, check_split
from mixhop_tf.training.settings import AUTO, Settings
from mixhop_tf.training.weighting import weights_of_classes

# Metrics of a threshold; the others say nothing about one, or favour the larger class.
_OF_THRESHOLDS = ("balanced_accuracy", "macro_f1")
_OF_POSITIVES = "f1"


def positive_class(graph: Graph) -> int | None:
    """Returns the class that is looked for: of two, the rarer one of the training nodes."""
    if graph.num_classes != 2:
        return None
    return rarer_class(np.bincount(graph.labels[graph.train], minlength=2))


def majority_class(graph: Graph) -> int:
    """Returns the most frequent class of the training and validation nodes.

    Training nodes alone often are as many of each class, by choice.
    """
    known = np.concatenate([graph.train, graph.val])
    return int(np.bincount(graph.labels[known], minlength=graph.num_classes).argmax())


def check_settings(graph: Graph, settings: Settings) -> None:
    """Checks that a graph can be trained with these settings.

    Raises:
        SplitError: There are no nodes to train on or to select by.
        SettingError: A setting does not suit the classes of the graph.
    """
    check_split(graph, settings.selection)
    if settings.threshold is not None and graph.num_classes != 2:
        rule = f"works only with two classes, and {graph.name} has {graph.num_classes}"
        raise SettingError("threshold", f"{rule}; leave it out", settings.threshold)
    weights_of_classes(settings.class_weight, graph)
    of_val = ValidationScore(settings.select_by, graph)
    even = np.zeros((len(graph.val), graph.num_classes))
    if of_val.needs_logits and of_val(0.0, even) == -math.inf:
        rule = (
            "must be a metric that the validation nodes allow, but a class is missing there; give "
            f"{graph.name} more validation nodes, or select by loss"
        )
        raise SettingError("select_by", rule, settings.select_by)


class ValidationScore:
    """Computes the metric by which steps are compared, such that greater is better.

    Args:
        metric: `Settings.select_by`.
        graph: The graph.
    """

    def __init__(self, metric: str, graph: Graph) -> None:
        self._metric = metric
        self._labels, self._positive = graph.labels[graph.val], positive_class(graph)

    @property
    def needs_logits(self) -> bool:
        """Whether the metric needs the logits of the validation nodes."""
        return self._metric not in ("accuracy", "loss")

    def __call__(self, val_loss: float, logits: np.ndarray | None) -> float:
        """Computes the metric from the validation loss or the logits `[num_val, c]`."""
        if logits is None:
            return -val_loss
        shares = PLAIN.probabilities(logits.astype(np.float64))
        return score(self._metric, self._labels, shares, self._positive)

    def on_point(self, point: CurvePoint, logits: Any) -> CurvePoint:
        """Adds the metric to a point of the curve, unless it is the accuracy, which is there.

        Args:
            point: The point.
            logits: The logits `[num_val, c]`, a tensor or an array; None if they are not needed.
        """
        if self._metric == "accuracy":
            return point
        value = self(point.val_loss, None if logits is None else np.asarray(logits))
        return ScoredPoint(**dataclasses.asdict(point), val_score=value)


def decide(settings: Settings, graph: Graph, logits: np.ndarray) -> Decision:
    """Fits temperature and threshold on the validation nodes, as the settings ask for.

    An automatic threshold is the one with the best balanced accuracy or macro-F1 if a run selects
    by these. Otherwise it is the one with the best F1 of the positive class.

    Args:
        settings: Settings with `calibrate`, `threshold` and `select_by`.
        graph: The graph.
        logits: Logits of all nodes `[n, c]`, at the best step.
    """
    labels, of_val = graph.labels[graph.val], logits[graph.val]
    plain = _calibrated(settings, graph, of_val) if settings.calibrate else PLAIN
    if settings.threshold is None:
        return plain
    positive = rarer_class(np.bincount(graph.labels[graph.train], minlength=2))
    threshold = settings.threshold
    if threshold == AUTO:
        shares = plain.probabilities(of_val)
        metric = settings.select_by if settings.select_by in _OF_THRESHOLDS else _OF_POSITIVES
        threshold = choose_threshold(labels, shares, positive, metric)
    return dataclasses.replace(plain, threshold=float(threshold), positive=positive)


def _calibrated(settings: Settings, graph: Graph, logits: np.ndarray) -> Decision:
    """Undoes the weights of the classes, then fits the temperature on the validation nodes."""
    weights = weights_of_classes(settings.class_weight, graph)
    offsets = None if weights is None else tuple((-np.log(weights)).tolist())
    temperature = fit_temperature(logits, graph.labels[graph.val], offsets)
    return Decision(temperature=temperature, offsets=offsets)
