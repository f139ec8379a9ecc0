"""What a run leaves behind: config, record, curve, model. Each file is written whole or not at all.

config.json     everything that decides the numbers, but for the seed
record.json     accuracies, best step, seconds, versions; written last
curve.csv       a line for each step; curve.png and curve.svg draw it
model.keras     the model with the weights of the best step
saved_model/    the same, to be served by TensorFlow alone
"""

from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from datasets.atomic import replacing
from trainers import figures, records, run_figures
from trainers.config import RunConfig
from trainers.errors import RunError

if TYPE_CHECKING:
    import datasets
    from trainers.loop import Run, Trainer

CONFIG, RECORD, RECORDS, SUMMARY = "config.json", "record.json", "records.jsonl", "summary.json"


def open_folder(folder: Path, config: RunConfig) -> None:
    """Makes the folder, or sees that the one there is of the same config; notes the config.

    Raises:
        RunError: If the folder holds something else, which would be lost.
    """
    path = folder / CONFIG
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; choose another --out.")
    if path.is_file():
        _see_same(folder, path, config)
    elif folder.is_dir() and any(folder.iterdir()):
        raise RunError(f"{folder} is not empty and not a run's; choose another --out.")
    write_json(path, config.to_dict())


def write(
    folder: Path, trainer: Trainer, run: Run, graph: datasets.Graph, title: str, save_model: bool
) -> None:
    """Writes what a run leaves behind, its record last."""
    (folder / RECORD).unlink(missing_ok=True)
    _write_curve(folder / "curve.csv", run)
    figures.save(run_figures.training_curve(run, title), folder / "curve")
    if save_model:
        _write_model(folder, trainer, run, graph)
    write_json(folder / RECORD, records.of_run(trainer.config, run))


def _write_model(folder: Path, trainer: Trainer, run: Run, graph: datasets.Graph) -> None:
    import mixhop_tf

    with replacing(folder / "model.keras") as temporary:
        run.model.save(temporary)
    mixhop_tf.export_saved_model(
        run.model, folder / "saved_model", trainer.inputs, graph.class_names
    )


def holds(folder: Path, seed: int) -> bool:
    """Whether the folder, of the right config, holds all of the run from this seed."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))["seed"] == seed
    except FileNotFoundError:
        return False


def write_json(path: Path, content: Any) -> None:
    """Writes JSON for eyes, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(
            json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def _write_curve(path: Path, run: Run) -> None:
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        rows = [dataclasses.asdict(point) for point in run.curve]
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _see_same(folder: Path, path: Path, config: RunConfig) -> None:
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
        same = RunConfig.from_dict(there).key() == config.key()
    except (ValueError, TypeError, LookupError, AttributeError):
        raise RunError(f"{path} is not a run's config; choose another --out.") from None
    if not same:
        changed = sorted(_differences(there, config.to_dict()))
        raise RunError(
            f"{folder} holds runs with other settings ({', '.join(changed)}); choose another --out."
        )


def _differences(first: Any, second: Any, name: str = "") -> set[str]:
    """Names of the fields in which two configs differ."""
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return {name} if first != second else set()
    keys = set(first) | set(second)
    return set().union(*(_differences(first.get(key), second.get(key), key) for key in keys))
