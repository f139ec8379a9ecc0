"""Updates of weights with one fused op for each variable.

Keras' optimisers take several ops, which costs much time on small graphs.
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
        """What it remembers of earlier steps."""
        ...

    def reset(self) -> None:
        """Forgets earlier steps."""

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """The size of each step, from the learning rates."""
        ...

    def apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        """Makes one update."""


class GradientDescent:
    """`w ← w - size · gradient`.

    Args:
        variables: The weights.
    """

    def __init__(self, variables: Sequence[Any]) -> None:
        self._variables = variables

    @property
    def moments(self) -> Sequence[tf.Variable]:
        """What it remembers of earlier steps: nothing."""
        return ()

    def reset(self) -> None:
        """Forgets earlier steps: there is nothing to forget."""

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """The size of each step: the learning rates."""
        return rates

    def apply(self, gradients: Sequence[tf.Tensor], size: tf.Tensor) -> None:
        """Makes one update."""
        for variable, gradient in zip(self._variables, gradients, strict=True):
            tf.raw_ops.ResourceApplyGradientDescent(
                var=variable.value.handle, alpha=size, delta=gradient
            )


class Adam:
    """Adam of Kingma and Ba (2015), with the constants of that paper.

    `m ← β₁ m + (1 - β₁) g`, `v ← β₂ v + (1 - β₂) g²`, `w ← w - size · m / (√v + ε)`. The size
    contains the correction of the bias: it is `rate · √(1 - β₂ᵗ) / (1 - β₁ᵗ)`.

    Args:
        variables: The weights.
    """

    BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8

    def __init__(self, variables: Sequence[Any]) -> None:
        self._variables = variables
        self._moments = [
            tuple(tf.Variable(tf.zeros(variable.shape)) for _ in range(2)) for variable in variables
        ]

    @property
    def moments(self) -> Sequence[tf.Variable]:
        """What it remembers of earlier steps: the running means."""
        return [moment for pair in self._moments for moment in pair]

    def reset(self) -> None:
        """Forgets earlier steps."""
        for moment in self.moments:
            moment.assign(tf.zeros_like(moment))

    def step_sizes(self, rates: np.ndarray) -> np.ndarray:
        """The size of each step, with the correction of the bias."""
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
                beta1_power=0.0,  # the correction of the bias is in the size
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
