"""Feeds batches to training: the next ones are cut while the current one is used."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from mixhop_tf.training.batches.source import BatchSource
from mixhop_tf.training.batches.turns import Turns

_AHEAD = 2  # batches that are cut ahead, and threads that cut


def batches(source: BatchSource, seed: int, turns: Turns, first: int, last: int) -> tf.data.Dataset:
    """Makes the data set of this worker's batches of the updates from `first` to `last`.

    Each batch is a function of the seed and its number, so it does not matter where a run begins.

    Args:
        source: Makes the batches.
        seed: Seed of the run.
        turns: Which batch each update has.
        first: Number of the first update.
        last: Number after that of the last one.
    """
    specs = source.calls.specs

    def cut(number: np.ndarray) -> list[np.ndarray]:
        return source.cutter.batch(source.sampler, seed, turns.batch(int(number)))

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
