"""Learning-rate schedules."""

import keras
import tensorflow as tf


@keras.saving.register_keras_serializable("mixhop_tf")
class LinearDecrement(keras.optimizers.schedules.LearningRateSchedule):
    """Falls in equal steps: `lr = lr0 · max(0, 1 - fraction · floor((step - 1) / every))`.

    The update of step `i` (from 0) still uses the rate before the drop: the rate falls after each
    step `i > 0` that `every` divides.

    Example:
    >>> from mixhop_tf import LinearDecrement
    >>> schedule = LinearDecrement(1.0, every=40)
    >>> [round(float(schedule(step)), 2) for step in (0, 40, 41, 80, 81)]
    [1.0, 1.0, 0.99, 0.99, 0.98]

    Args:
        initial_learning_rate: `lr0`.
        every: Steps from one drop to the next.
        fraction: Share of `lr0` that each drop takes.

    Reference: The original's trainer; Section 5.2 of the paper.
    """

    def __init__(self, initial_learning_rate, every=40, fraction=0.01):
        super().__init__()
        if initial_learning_rate <= 0 or every < 1 or not 0 <= fraction <= 1:
            raise ValueError(
                "The rate must be positive, `every` at least 1 and `fraction` in [0, 1]. Received: "
                f"initial_learning_rate={initial_learning_rate}, every={every}, fraction={fraction}"
            )
        self.initial_learning_rate = initial_learning_rate
        self.every = every
        self.fraction = fraction

    def __call__(self, step):
        """The rate of step `step`, counted from 0."""
        drops = tf.maximum(tf.cast(step, tf.int64) - 1, 0) // self.every
        share = 1.0 - self.fraction * tf.cast(drops, tf.float32)
        return self.initial_learning_rate * tf.maximum(share, 0.0)

    def get_config(self):
        """The constructor's arguments."""
        return {
            "initial_learning_rate": self.initial_learning_rate,
            "every": self.every,
            "fraction": self.fraction,
        }
