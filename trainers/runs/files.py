"""The files of a run. Each is written completely or not at all."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from datasets import atomic
from datasets.atomic import replacing
from mixhop_tf import folders
from mixhop_tf.training.checkpoint import Checkpoint
from trainers.sweeps import checkpoints

MODELS = MODEL, SAVED_MODEL = "model.keras", "saved_model"
CHECKPOINT = "checkpoint.npz"


def write_json(path: Path, content: Any) -> None:
    """Writes indented JSON. A file with the same content stays untouched."""
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    with contextlib.suppress(FileNotFoundError):
        if path.read_bytes() == text.encode():
            atomic.sync_folder(path.parent)  # its writer may have been killed before doing so
            return
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def read_json(path: Path) -> Any:
    """The content of a file; None if it is missing or incomplete."""
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
    """Options of exporting a model for serving; see `mixhop_tf.export_saved_model`.

    Args:
        keep_node_ids: Whether the model stores the ids of the nodes.
        max_nodes: Largest number of nodes in a sparse request; None derives it from the graph.
    """

    keep_node_ids: bool = False
    max_nodes: int | None = None


def write_model(folder: Path, run: mixhop_tf.Run, export: Export) -> None:
    """Writes the model for Keras and for serving."""
    with replacing(folder / MODEL) as temporary:
        run.model.save(temporary)
    recipe = getattr(run.graph, "recipe", None)
    run.export(
        folder / SAVED_MODEL,
        keep_node_ids=export.keep_node_ids,
        max_nodes=export.max_nodes,
        recipe=None if recipe is None else recipe.to_dict(),
    )


def checkpoint(folder: Path) -> Checkpoint:
    """Returns the checkpoint of the run that is being made in a folder."""
    return checkpoints.checkpoint(folder / CHECKPOINT)


def remove_leftovers(folder: Path) -> None:
    """Removes the incomplete files of a killed process. No other process may write to the folder.

    The checkpoint stays, because the run continues from it.
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
