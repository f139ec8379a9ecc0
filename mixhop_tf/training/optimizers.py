"""Updates weights with one fused op for each variable.

Keras' optimisers take several ops for each variable, which is slow on small graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import tensorflow as tf


class Optimizer(Protocol):
    """Updates the weights that it was made for."""

    @property
    def moments(self) -> Sequence[tf.Variable]:
        """Variables that remember earlier steps."""
        ...

    def reset(self) -> None:
        """Forgets earlier steps."""

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """Returns the size of each step, given the learning rates."""
        ...

    def apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        """Makes one update."""


class GradientDescent:
    """Updates weights by gradient descent: `w ← w - size · gradient`.

    Args:
        variables: The weights to update.
    """

    def __init__(self, variables: Sequence[Any]) -> None:
        self._variables = variables

    @property
    def moments(self) -> Sequence[tf.Variable]:
        """Empty, because gradient descent remembers nothing."""
        return ()

    def reset(self) -> None:
        """Does nothing, because there is nothing to forget."""

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """Returns the learning rates."""
        return rates

    def apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        """Makes one update."""
        for variable, gradient in zip(self._variables, gradients, strict=True):
            tf.raw_ops.ResourceApplyGradientDescent(
                var=variable.value.handle, alpha=size, delta=gradient
            )


class Adam:
    """Updates weights by Adam (Kingma and Ba, 2015), with the constants of that paper.

    `m ← β₁ m + (1 - β₁) g`, `v ← β₂ v + (1 - β₂) g²`, `w ← w - size · m / (√v + ε)`. The size is
    `rate · √(1 - β₂ᵗ) / (1 - β₁ᵗ)`, which includes the bias correction.

    Args:
        variables: The weights to update.
    """

    BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8

    def __init__(self, variables: Sequence[Any]) -> None:
        self._variables = variables
        self._moments = [
            tuple(tf.Variable(tf.zeros(variable.shape)) for _ in range(2)) for variable in variables
        ]

    @property
    def moments(self) -> Sequence[tf.Variable]:
        """Running means of the gradients and of their squares."""
        return [moment for pair in self._moments for moment in pair]

    def reset(self) -> None:
        """Forgets earlier steps."""
        for moment in self.moments:
            moment.assign(tf.zeros_like(moment))

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """Returns the size of each step, including the bias correction."""
        step = np.arange(1, len(rates) + 1)
        corrections = np.sqrt(1 - self.BETA_2**step) / (1 - self.BETA_1**step)
        return (rates * corrections).astype(np.float32)

    def apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        """Makes one update."""
        for variable, (mean, square), gradient in zip(
            self._variables, self._moments, gradients, strict=True
        ):
            tf.raw_ops.ResourceApplyAdam(
                var=variable.value.handle,
                m=mean.handle,
                v=square.handle,
                beta1_power=0.0,  # the size includes the bias correction
                beta2_power=0.0,
                lr=size,
                beta1=self.BETA_1,
                beta2=self.BETA_2,
                epsilon=self.EPSILON,
                grad=gradient,
            )


OPTIMIZERS: dict[str, Callable[[Sequence[Any]], Optimizer]] = {
    "gradient_descent": GradientDescent,
    "adam": Adam,
}
