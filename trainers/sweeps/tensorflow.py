"""Starts TensorFlow without its messages, and sets its threads."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import absl.logging


def num_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start_tensorflow(num_threads: int) -> None:
    """Imports TensorFlow without its messages on the terminal, and sets its threads.

    A step consists of many small ops: several ops at once help more than several threads per op.
    The results are the same either way.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    absl.logging.set_verbosity(absl.logging.ERROR)  # TensorFlow logs messages when it saves
    with _muted_stderr():
        import tensorflow as tf

        # Once started, TensorFlow keeps its threads. The trainer warns if numbers depend on it.
        with contextlib.suppress(RuntimeError):
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(num_threads)
        tf.zeros([])  # the first op prints more messages


@contextlib.contextmanager
def _muted_stderr() -> Iterator[None]:
    """Hides what C++ code writes to the terminal, unless something fails."""
    sys.stderr.flush()
    terminal = os.dup(2)
    with tempfile.TemporaryFile() as kept, os.fdopen(terminal, "wb") as screen:
        os.dup2(kept.fileno(), 2)
        try:
            yield
        except BaseException:
            kept.seek(0)
            shutil.copyfileobj(kept, screen)
            raise
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
