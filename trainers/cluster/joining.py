"""Makes this process one of the workers that train a model together."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from trainers.sweeps.tensorflow import import_tensorflow

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group

# Process id of the command that started this worker; a worker ends if that command does.
LAUNCHER = "MIXHOP_LAUNCHER"
# Exit code of a worker that lost another one. A new start may succeed.
LOST = 75
_PAUSE = 1.0
_PR_SET_PDEATHSIG = 1  # of Linux


def join(seconds: float) -> Group:
    """Joins the workers that `TF_CONFIG` or Slurm describes. All except the chief fall silent.

    Args:
        seconds: Longest time to wait for the others.

    Raises:
        WorkerError: Workers are missing, or do not fit.
    """
    launcher = os.environ.get(LAUNCHER)
    if launcher:
        _die_with_launcher()
        threading.Thread(target=_end_with, args=(int(launcher),), daemon=True).start()
    import_tensorflow()
    from mixhop_tf.distributed.group import Group

    group = Group.join(seconds=seconds)
    if not group.is_chief:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the end
    return group


def is_launched() -> bool:
    """Whether a command started this worker; it then speaks for all of them."""
    return LAUNCHER in os.environ


def _die_with_launcher() -> None:
    """Makes Linux end this process with its launcher, even if this process is frozen."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with(launcher: int) -> None:
    while os.getppid() == launcher:
        time.sleep(_PAUSE)
    os._exit(LOST)
