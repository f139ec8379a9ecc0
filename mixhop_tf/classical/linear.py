"""Logistic regressions for any set of training labels."""

from __future__ import annotations

from typing import Any

import numpy as np

_MAX_STEPS = 1000  # of the solver
_LEAST = 1e-8  # penalty, without which separable classes have no solution
# The logit of a class without training nodes: impossible, but the loss stays finite.
IMPOSSIBLE = -1e4


class Linear:
    """A logistic regression `X W + b`, also where the training nodes lack some classes.

    Args:
        features: Features of the training nodes `[k, s]`, dense or sparse.
        labels: Their classes `[k]`.
        num_classes: Number of classes `c`.
        l2: Coefficient of the penalty `l2 * sum(w^2)` beside the mean cross-entropy.
    """

    def __init__(self, features: Any, labels: np.ndarray, num_classes: int, l2: float) -> None:
        present = np.unique(labels)
        self.kernel = np.zeros((features.shape[1], num_classes))
        self.bias = np.full(num_classes, IMPOSSIBLE)
        if len(present) == 1:
            self.bias[present] = 0.0
            return
        # scikit-learn minimises `sum(w^2) / 2 + C * sum of cross-entropies`.
        c = 1 / (2 * max(l2, _LEAST) * len(labels))
        self.kernel[:, present], self.bias[present] = self._fit(features, labels, present, c)

    def _fit(
        self,
        features: Any,
        labels: np.ndarray,
        present: np.ndarray,  # noqa: ARG002
        c: float,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Fits the columns and biases of the classes that are present."""
        fitted = _regression(c).fit(features, labels)
        kernel, bias = fitted.coef_.T, fitted.intercept_
        if len(bias) == 1:  # two classes have one column: the logit of the second
            kernel, bias = np.hstack([-kernel, kernel]) / 2, np.hstack([-bias, bias]) / 2
        return kernel, bias

    def __call__(self, features: Any) -> np.ndarray:
        """Computes the logits `[k, c]`."""
        return np.asarray(features @ self.kernel) + self.bias


class OneVsRest(Linear):
    """A logistic regression for each class, which tells it from all others.

    As in LIBLINEAR, which scikit-learn used by default in 2016, the penalty includes the bias. The
    arguments are those of `Linear`; each regression has the penalty `l2`.
    """

    def _fit(
        self, features: Any, labels: np.ndarray, present: np.ndarray, c: float
    ) -> tuple[np.ndarray, np.ndarray]:
        fitted = [
            _regression(c, solver="liblinear").fit(features, labels == label) for label in present
        ]
        kernel = np.stack([each.coef_[0] for each in fitted], axis=1)
        return kernel, np.concatenate([each.intercept_ for each in fitted])


def _regression(c: float, **options: Any) -> Any:
    # Not at the top: every training imports this module, and this takes 60 MB.
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=c, max_iter=_MAX_STEPS, **options)
