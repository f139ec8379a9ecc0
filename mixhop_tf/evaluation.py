"""How good predicted probabilities are: every metric of one set of nodes, by scikit-learn."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mixhop_tf.metrics import (
    balanced_accuracy,
    calibration_error,
    checked,
    log_loss,
    macro_f1,
    mean_of_known,
    pr_auc,
    rarer_class,
    roc_auc,
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ClassScores:
    """How good the predictions of one class are.

    Attributes:
        name: Name of the class.
        precision: Share of the nodes predicted as this class that belong to it.
        recall: Share of the nodes of this class that are predicted as it.
        f1: Harmonic mean of precision and recall.
        support: Number of nodes of this class.
        num_predicted: Number of nodes predicted as this class.
        roc_auc: Area under the ROC curve, this class against the rest; None if undefined.
        pr_auc: Average precision, this class against the rest; None without nodes of the class.
    """

    name: str
    precision: float
    recall: float
    f1: float
    support: int
    num_predicted: int
    roc_auc: float | None
    pr_auc: float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Evaluation:
    """Every metric of one set of nodes.

    Attributes:
        num_nodes: Number of nodes.
        accuracy: Share of the nodes whose class is predicted.
        majority_accuracy: Share that a model would get right that always answers `majority_class`.
        majority_class: The most frequent class, of the training nodes where they are known.
        balanced_accuracy: Mean recall of the classes that occur.
        macro_f1: Mean F1 of the classes that occur or are predicted.
        roc_auc: Mean over the classes of the area under the ROC curve; None if undefined.
        pr_auc: Average precision: with two classes that of `positive_class`, else the mean over
            the classes. None if undefined.
        positive_class: With two classes, the one that is looked for: the rarer one; else None.
        log_loss: Mean of `-log p(true class)`.
        calibration_error: Expected calibration error, `Σ_b n_b/n |accuracy_b - confidence_b|` over
            bins `b` of the confidence, which is the largest probability of a node.
        classes: The scores of each class.
        confusion: `[c, c]`, number of nodes by true class (row) and predicted class (column).
    """

    num_nodes: int
    accuracy: float
    majority_accuracy: float
    majority_class: str
    balanced_accuracy: float
    macro_f1: float
    roc_auc: float | None
    pr_auc: float | None
    positive_class: str | None
    log_loss: float
    calibration_error: float
    classes: tuple[ClassScores, ...]
    confusion: tuple[tuple[int, ...], ...]

    @property
    def never_predicted(self) -> tuple[str, ...]:
        """Names of the classes that occur among the nodes and are never predicted."""
        return tuple(each.name for each in self.classes if each.support and not each.num_predicted)

    @property
    def is_above_majority(self) -> bool:
        """Whether the accuracy exceeds that of the majority class by more than chance explains.

        Two standard errors of `majority_accuracy` count as chance.
        """
        share = self.majority_accuracy
        return self.accuracy > share + 2 * math.sqrt(share * (1 - share) / self.num_nodes)

    def to_dict(self) -> dict[str, Any]:
        """Returns plain containers, for JSON."""
        return dataclasses.asdict(self)


def evaluate(
    labels: ArrayLike,
    probabilities: ArrayLike,
    *,
    predicted: ArrayLike | None = None,
    class_names: Sequence[str] | None = None,
    majority: int | None = None,
    positive: int | None = None,
) -> Evaluation:
    """Computes every metric of one set of nodes.

    Args:
        labels: True classes `[n]`, whole numbers from 0 to `c - 1`.
        probabilities: Predicted probabilities `[n, c]`.
        predicted: Predicted classes `[n]`; the most probable ones by default.
        class_names: Names of the classes.
        majority: The class to compare with; the most frequent of `labels` by default.
        positive: With two classes, the class that is looked for; the rarer of `labels` by default.

    Example:
    >>> from mixhop_tf import evaluate
    >>> found = evaluate([0, 0, 0, 1], [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])
    >>> found.accuracy, found.majority_accuracy, found.roc_auc, found.never_predicted
    (0.75, 0.75, 1.0, ('1',))
    """
    from sklearn import metrics

    truth, shares = checked(labels, probabilities)
    num_classes = shares.shape[1]
    answers = shares.argmax(axis=1) if predicted is None else np.asarray(predicted)
    names = [str(each) for each in class_names or range(num_classes)]
    counts = np.bincount(truth, minlength=num_classes)
    majority = int(counts.argmax()) if majority is None else majority
    if num_classes == 2 and positive is None:
        positive = rarer_class(counts)
    confusion = metrics.confusion_matrix(truth, answers, labels=np.arange(num_classes))
    classes = _class_scores(truth, shares, answers, names)
    return Evaluation(
        num_nodes=len(truth),
        accuracy=float(np.mean(truth == answers)),
        majority_accuracy=float(np.mean(truth == majority)),
        majority_class=names[majority],
        balanced_accuracy=balanced_accuracy(truth, answers),
        macro_f1=macro_f1(truth, answers),
        roc_auc=mean_of_known([each.roc_auc for each in classes]),
        pr_auc=mean_of_known([each.pr_auc for each in classes])
        if positive is None
        else classes[positive].pr_auc,
        positive_class=None if positive is None else names[positive],
        log_loss=log_loss(truth, shares),
        calibration_error=calibration_error(truth, shares),
        classes=classes,
        confusion=tuple(tuple(int(each) for each in row) for row in confusion),
    )


def _class_scores(
    truth: np.ndarray, shares: np.ndarray, answers: np.ndarray, names: Sequence[str]
) -> tuple[ClassScores, ...]:
    from sklearn import metrics

    precision, recall, f1, support = metrics.precision_recall_fscore_support(
        truth, answers, labels=np.arange(len(names)), zero_division=0
    )
    return tuple(
        ClassScores(
            name=name,
            precision=float(precision[each]),
            recall=float(recall[each]),
            f1=float(f1[each]),
            support=int(support[each]),
            num_predicted=int(np.sum(answers == each)),
            roc_auc=roc_auc(truth == each, shares[:, each]),
            pr_auc=pr_auc(truth == each, shares[:, each]),
        )
        for each, name in enumerate(names)
    )
