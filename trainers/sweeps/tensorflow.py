"""Starts TensorFlow without its messages, and sets its threads."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import absl.logging

# Keras imports these packages if it finds them, but no command needs what it does with them.
# Together they take 150 MB. They can still be imported later.
_UNUSED = ("IPython", "matplotlib", "pandas", "sklearn")


def start_tensorflow(num_threads: int) -> None:
    """Imports TensorFlow without its messages on the terminal, and sets its threads.

    A step consists of many small ops: several ops at once help more than several threads per op.
    The results are the same either way.
    """
    import_tensorflow()
    import tensorflow as tf

    with _muted_stderr():
        # Once started, TensorFlow keeps its threads. The trainer warns if numbers depend on it.
        with contextlib.suppress(RuntimeError):
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(num_threads)
        tf.zeros([])  # the first op prints more messages


def import_tensorflow() -> None:
    """Imports TensorFlow without its messages on the terminal."""
    # Ray sets this variable; with it, TensorFlow would look for another Keras.
    os.environ.pop("TF_USE_LEGACY_KERAS", None)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    absl.logging.set_verbosity(absl.logging.ERROR)  # TensorFlow logs messages when it saves
    with _muted_stderr(), _as_if_absent(_UNUSED):
        import tensorflow  # noqa: F401


@contextlib.contextmanager
def _as_if_absent(packages: Sequence[str]) -> Iterator[None]:
    """Lets imports of packages fail, unless they have been imported before."""
    hidden = [name for name in packages if name not in sys.modules]
    modules: dict[str, Any] = sys.modules
    modules.update(dict.fromkeys(hidden))
    try:
        yield
    finally:
        for name in hidden:
            del modules[name]


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
