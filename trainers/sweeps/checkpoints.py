"""Checkpoints: the state of a run on disk, until the run itself is written."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from mixhop_tf.training.checkpoint import Checkpoint
from trainers.sweeps.cell import Cell, Job
from trainers.sweeps.errors import RunError

# How often the state of a run is written, in seconds.
VARIABLE, SECONDS = "MIXHOP_CHECKPOINT_SECONDS", 60.0
_SUFFIX = ".checkpoint.npz"


def seconds() -> float:
    """Returns the time from one checkpoint to the next.

    Raises:
        RunError: If the environment variable does not hold a number of seconds.
    """
    text = os.environ.get(VARIABLE, "")
    try:
        return float(text or SECONDS)
    except ValueError:
        raise RunError(
            f"The environment variable {VARIABLE} takes a number of seconds, not {text!r}; change "
            "or unset it."
        ) from None


def checkpoint(path: Path) -> Checkpoint:
    """Returns the checkpoint in a file. The file stays until the caller has written the run."""
    # `start_tensorflow` silences all loggers, but users want to know where a run resumes, or why
    # it does not.
    logging.getLogger(Checkpoint.__module__).setLevel(logging.INFO)
    return Checkpoint(path, seconds(), keep=True)


def of_run(cell: Cell, seed: int) -> Checkpoint:
    """Returns the checkpoint of a run in a sweep; its file lies beside the cell's records."""
    # The name of the records' file is part of it: two cells of a folder may have the same config.
    name = f".{cell.path.name}.{cell.config.key()}-seed{seed}{_SUFFIX}"
    return checkpoint(cell.path.with_name(name))


def remove_settled(jobs: Sequence[Job]) -> None:
    """Removes the checkpoints of runs that are on record and need no other try.

    A sweep that is killed right after it wrote a record leaves such a file behind.
    """
    folders = {cell.path.parent for cell, _ in jobs}
    littered = {folder for folder in folders if any(folder.glob(f".*{_SUFFIX}*"))}
    for cell, seeds in jobs:
        if cell.path.parent in littered:
            for seed in set(seeds) - set(cell.missing(seeds)):
                of_run(cell, seed).remove()
