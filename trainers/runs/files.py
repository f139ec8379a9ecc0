"""The files of a run, each written whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import logging
import os
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from datasets import atomic
from datasets.atomic import replacing
from mixhop_tf import folders
from mixhop_tf.training.checkpoint import Checkpoint
from trainers.sweeps.errors import RunError

MODELS = MODEL, SAVED_MODEL = "model.keras", "saved_model"
CHECKPOINT = "checkpoint.npz"
# How often the state of a run is written, in seconds.
CHECKPOINT_VARIABLE, CHECKPOINT_SECONDS = "MIXHOP_CHECKPOINT_SECONDS", 60.0


def write_json(path: Path, content: Any) -> None:
    """Writes JSON for eyes. A file that holds the same already is left alone."""
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == text.encode():
            atomic.sync_folder(path.parent)  # whoever wrote it may have been killed before
            return
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def read_json(path: Path) -> Any:
    """The content of a file; None if it is lost or torn."""
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None


def write_curve(path: Path, run: mixhop_tf.Run) -> None:
    """Writes a line for each step."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        rows = [dataclasses.asdict(point) for point in run.curve]
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Writes a `.npz` file."""
    with replacing(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # its other arguments have defaults


@dataclasses.dataclass(frozen=True)
class Export:
    """How a model is written for serving; see `mixhop_tf.export_saved_model`.

    Args:
        keep_node_ids: Whether the ids of the nodes are kept in it.
        max_nodes: Nodes at most in a sparse request; None for what suits the graph.
    """

    keep_node_ids: bool = False
    max_nodes: int | None = None


def write_model(folder: Path, run: mixhop_tf.Run, export: Export) -> None:
    """Writes the model for Keras and for serving."""
    with replacing(folder / MODEL) as temporary:
        run.model.save(temporary)
    run.export(folder / SAVED_MODEL, keep_node_ids=export.keep_node_ids, max_nodes=export.max_nodes)


def checkpoint(folder: Path) -> Checkpoint:
    """The state of the run that is being made in a folder; it stays until the run is written.

    Raises:
        RunError: If the environment asks for something else than a number of seconds.
    """
    text = os.environ.get(CHECKPOINT_VARIABLE, "")
    try:
        every = float(text or CHECKPOINT_SECONDS)
    except ValueError:
        raise RunError(
            f"The environment variable {CHECKPOINT_VARIABLE} takes a number of seconds, not "
            f"{text!r}; change or unset it."
        ) from None
    # Heard although `start_tensorflow` keeps all loggers quiet: where a run goes on, or why not.
    logging.getLogger(Checkpoint.__module__).setLevel(logging.INFO)
    return Checkpoint(folder / CHECKPOINT, every, keep=True)


def remove_leftovers(folder: Path) -> None:
    """Removes what a killed process was writing. No other process may be writing into the folder.

    The checkpoint stays, for the run goes on from it.
    """
    folders.put_back(folder / SAVED_MODEL)
    atomic.remove_leftovers(folder)
    for name in (SAVED_MODEL, CHECKPOINT):
        for path in folders.leftovers(folder / name):
            atomic.remove(path)


def differences(first: Any, second: Any, name: str = "") -> set[str]:
    """Names of the fields in which two nested dictionaries differ."""
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return {name} if first != second else set()
    keys = set(first) | set(second)
    return set().union(*(differences(first.get(key), second.get(key), key) for key in keys))
