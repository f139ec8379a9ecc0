"""TensorFlow started quietly, with the threads it should use."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator

import absl.logging


def num_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start_tensorflow(num_threads: int) -> None:
    """Imports TensorFlow without its notes on the terminal, and sets its threads.

    A step is many small ops: it gains more from several ops at once than from several threads an
    op. Numbers are the same either way.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    absl.logging.set_verbosity(absl.logging.ERROR)  # what TensorFlow says when it saves
    with _muted_stderr():
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(num_threads)
        tf.zeros([])  # more notes come with the first op


@contextlib.contextmanager
def _muted_stderr() -> Iterator[None]:
    """Keeps what C++ code writes to the terminal to itself, unless something fails."""
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
