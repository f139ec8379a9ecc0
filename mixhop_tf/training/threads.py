"""TensorFlow's threads. They decide the last digits of sums."""

from __future__ import annotations

import warnings

import tensorflow as tf


def use_one_thread_per_op() -> None:
    """Lets every op run on one thread, so that a seed gives the same numbers everywhere.

    With several threads TensorFlow adds up in another order, and training amplifies the last digit.
    A step is many small ops: it gains more from several ops at once, and this does not change them.
    TensorFlow takes the setting only before its first op. After that, the function warns.
    """
    if tf.config.threading.get_intra_op_parallelism_threads() == 1:
        return
    try:
        tf.config.threading.set_intra_op_parallelism_threads(1)
    except RuntimeError:
        warnings.warn(
            "TensorFlow had started before the training, so numbers may differ in their last "
            "digits from those of the same seed elsewhere. To avoid it, call "
            "tf.config.threading.set_intra_op_parallelism_threads(1) before anything else.",
            stacklevel=3,
        )
