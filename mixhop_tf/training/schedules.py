"""Lowers the learning rate during training."""

from __future__ import annotations

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("mixhop_tf")
class LinearDecrement(keras.optimizers.schedules.LearningRateSchedule):
    """Lowers the learning rate in equal drops.

    The rate is `lr = lr0 · max(0, 1 - fraction · floor((step - 1) / every))`. The first
    step is 0. The rate drops after each positive step that is a multiple of `every`. That step
    itself still uses the rate before the drop.

    Example:
    >>> from mixhop_tf import LinearDecrement
    >>> schedule = LinearDecrement(1.0, every=40)
    >>> [round(float(schedule(step)), 2) for step in (0, 40, 41, 80, 81)]
    [1.0, 1.0, 0.99, 0.99, 0.98]

    Args:
        initial_learning_rate: Learning rate `lr0` of the first step.
        every: Number of steps between two drops.
        fraction: Fraction of `lr0` by which each drop lowers the rate.

    Reference: The original's trainer; Section 5.2 of the paper.
    """

    def __init__(
        self, initial_learning_rate: float, every: int = 40, fraction: float = 0.01
    ) -> None:
        super().__init__()
        if initial_learning_rate <= 0 or every < 1 or not 0 <= fraction <= 1:
            raise ValueError(
                "The rate must be positive, `every` 1 or more, and `fraction` in [0, 1]. Received: "
                f"initial_learning_rate={initial_learning_rate}, every={every}, fraction={fraction}"
            )
        self.initial_learning_rate = initial_learning_rate
        self.every = every
        self.fraction = fraction

    def __call__(self, step: int | tf.Tensor) -> tf.Tensor:
        """Returns the rate of a step; the first step is 0."""
        drops = tf.maximum(tf.cast(step, tf.int64) - 1, 0) // self.every
        share = 1.0 - self.fraction * tf.cast(drops, tf.float32)
        return self.initial_learning_rate * tf.maximum(share, 0.0)

    def get_config(self) -> dict[str, float]:
        """Returns the arguments of the constructor."""
        return {
            "initial_learning_rate": self.initial_learning_rate,
            "every": self.every,
            "fraction": self.fraction,
        }
