"""Sets TensorFlow's threads, on which the last digits of sums depend."""

from __future__ import annotations

import warnings

import tensorflow as tf


def use_one_thread_per_op() -> None:
    """Makes every op run on one thread, so that a seed gives the same numbers everywhere.

    With several threads TensorFlow adds up numbers in another order, and training amplifies the
    differences. A step consists of many small ops, which still run in parallel. TensorFlow accepts
    the setting only before its first op. After that, the function warns.
    """
    if tf.config.threading.get_intra_op_parallelism_threads() == 1:
        return
    try:
        tf.config.threading.set_intra_op_parallelism_threads(1)
    except RuntimeError:
        warnings.warn(
            "TensorFlow was already running, so the numbers may differ in their last digits from "
            "those of the same seed elsewhere; to avoid this, call "
            "tf.config.threading.set_intra_op_parallelism_threads(1) before anything else.",
            stacklevel=3,
        )
