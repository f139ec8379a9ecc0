"""Feeds batches to training: the next ones are cut while the current one is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.training.batches.cut import Cutter
from mixhop_tf.training.batches.draw import Sampler

_AHEAD = 2  # batches that are cut ahead, and threads that cut


def batches(
    cutter: Cutter,
    sampler: Sampler,
    specs: Sequence[tf.TensorSpec],
    seed: int,
    first: int,
    last: int,
) -> tf.data.Dataset:
    """Makes the data set of the batches from `first` to `last`, in this order.

    Each batch is a function of the seed and its number, so it does not matter where a run begins.

    Args:
        cutter: Cuts the batches.
        sampler: Draws them.
        specs: Types and shapes of the arrays of a batch.
        seed: Seed of the run.
        first: Number of the first batch.
        last: Number after that of the last one.
    """

    def cut(number: np.ndarray) -> list[np.ndarray]:
        return cutter.batch(sampler, seed, int(number))

    def tensors(number: tf.Tensor) -> tuple[tf.Tensor, ...]:
        made = tf.numpy_function(cut, [number], [spec.dtype for spec in specs])
        for tensor, spec in zip(made, specs, strict=True):
            tensor.set_shape(spec.shape)
        return tuple(made)

    options: Any = tf.data.Options()
    # Threads of their own, because cutting would block those that train.
    options.threading.private_threadpool_size = _AHEAD
    numbers = tf.data.Dataset.range(first, last)
    cut_ahead = numbers.map(tensors, num_parallel_calls=_AHEAD, deterministic=True)
    return cut_ahead.prefetch(_AHEAD).with_options(options)
