"""What training minimises and counts: cross-entropy and right answers."""

from __future__ import annotations

import tensorflow as tf


def cross_entropy(
    labels: tf.Tensor, logits: tf.Tensor, weights: tf.Tensor | None = None
) -> tf.Tensor:
    """Computes `Σ_i w_i ℓ_i / Σ_i w_i` with `ℓ_i = -log softmax(logits_i)[label_i]`.

    Args:
        labels: Classes `[n]`.
        logits: `[n, c]`.
        weights: Weights `w` of the nodes `[n]`; None weighs all the same.
    """
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
    if weights is None:
        return tf.reduce_mean(losses)
    return tf.reduce_sum(weights * losses) / tf.reduce_sum(weights)


def num_correct(labels: tf.Tensor, logits: tf.Tensor) -> tf.Tensor:
    """Counts the nodes whose largest logit is that of their class, as a float."""
    return tf.reduce_sum(tf.cast(tf.argmax(logits, axis=1) == labels, tf.float32))
