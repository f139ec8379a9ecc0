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
import re
import shutil
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
MODELS = "model.keras", "saved_model"


def open_folder(folder: Path, config: RunConfig, seed: int | None) -> None:
    """Makes the folder, or sees that nothing in the one there would be lost; notes the config.

    Args:
        folder: Where the results shall go.
        config: What is trained.
        seed: Of a single run; None for many.

    Raises:
        RunError: If the folder holds something else.
    """
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; choose another --out.")
    there = {path.name for path in folder.glob("[!.]*")}
    if there and CONFIG not in there:
        raise RunError(f"{folder} is not empty and not a run's; choose another --out.")
    if there & {RECORD, RECORDS}:
        _see_same(folder, config)
    if seed is not None and RECORD in there and _seed(folder) != seed:
        raise RunError(f"{folder} holds the run of seed {_seed(folder)}; choose another --out.")
    write_json(folder / CONFIG, config.to_dict())


def write(
    folder: Path, trainer: Trainer, run: Run, graph: datasets.Graph, title: str, save_model: bool
) -> None:
    """Writes what a run leaves behind, its record last."""
    remove_leftovers(folder, another_run=_seed(folder) != run.seed)
    (folder / RECORD).unlink(missing_ok=True)
    write_json(folder / CONFIG, trainer.config.to_dict())
    write_curve(folder / "curve.csv", run)
    figures.save(run_figures.training_curve(run, title), folder / "curve")
    if save_model:
        _write_model(folder, trainer, run, graph)
    write_json(folder / RECORD, records.of_run(trainer.config, run))


def remove_leftovers(folder: Path, another_run: bool) -> None:
    """Removes what a killed process was writing, and models of another run."""
    paths = [
        path for path in folder.glob(".*") if re.match(r"\.([0-9a-f]{12}|saved_model)\.", path.name)
    ]
    for path in paths + [folder / name for name in MODELS] * another_run:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _write_model(folder: Path, trainer: Trainer, run: Run, graph: datasets.Graph) -> None:
    import mixhop_tf

    with replacing(folder / MODELS[0]) as temporary:
        run.model.save(temporary)
    mixhop_tf.export_saved_model(
        run.model,
        folder / MODELS[1],
        trainer.inputs,
        graph.class_names,
        feature_names=graph.feature_names,
        node_ids=graph.node_ids,
    )


def holds(folder: Path, seed: int, with_model: bool) -> bool:
    """Whether the folder, of the right config, holds all of the run from this seed."""
    return _seed(folder) == seed and (
        not with_model or all((folder / name).exists() for name in MODELS)
    )


def _seed(folder: Path) -> int | None:
    """The seed of the finished run in a folder, if there is one."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))["seed"]
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return None


def write_json(path: Path, content: Any) -> None:
    """Writes JSON for eyes, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(
            json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def write_curve(path: Path, run: Run) -> None:
    """Writes a line for each step, whole or not at all."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        rows = [dataclasses.asdict(point) for point in run.curve]
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _see_same(folder: Path, config: RunConfig) -> None:
    path = folder / CONFIG
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
        same = RunConfig.from_dict(there).key() == config.key()
    except (ValueError, TypeError, LookupError, AttributeError):
        raise RunError(f"{path} is not a run's config; choose another --out.") from None
    if not same:
        changed = sorted(differences(there, config.to_dict()))
        raise RunError(
            f"{folder} holds runs with other settings ({', '.join(changed)}); choose another --out."
        )


def differences(first: Any, second: Any, name: str = "") -> set[str]:
    """Names of the fields in which two configs differ."""
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return {name} if first != second else set()
    keys = set(first) | set(second)
    return set().union(*(differences(first.get(key), second.get(key), key) for key in keys))
