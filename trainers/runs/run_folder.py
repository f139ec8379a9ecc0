"""What a run leaves behind: config, record, curve, model. Each file is written whole or not at all.

config.json     everything that decides the numbers, except the seed; lost, it is made from records
record.json     accuracies, best step, seconds, versions; written last
curve.csv       a line for each step; curve.png and curve.svg draw it
model.keras     the model with the weights of the best step
saved_model/    the same, to be served by TensorFlow alone
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import mixhop_tf
from datasets import atomic
from mixhop_tf import SettingError
from trainers.plots import runs, style
from trainers.runs import files
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig

CONFIG, RECORD, RECORDS, SUMMARY = "config.json", "record.json", "records.jsonl", "summary.json"


def open_folder(folder: Path, config: RunConfig, seed: int | None) -> None:
    """Makes the folder, or checks that nothing in the one there would be lost; notes the config.

    Args:
        folder: Where the results go.
        config: What is trained.
        seed: Of a single run; None for many.

    Raises:
        SettingError: If the folder holds something else.
    """
    check_is_folder(folder)
    present = {path.name for path in folder.glob("[!.]*")}
    if RECORD in present or records.read(folder / RECORDS):
        _check_same(folder, config)
    elif present - {RECORDS} and CONFIG not in present:
        raise SettingError("out", "must be an empty folder or a run's", str(folder))
    if seed is not None and _seed(folder) not in (None, seed):
        rule = f"must be another folder: this one holds the run of seed {_seed(folder)}"
        raise SettingError("out", rule, str(folder))
    files.write_json(folder / CONFIG, config.to_dict())


def check_is_folder(folder: Path) -> None:
    """Raises a `SettingError` if a file has the folder's name."""
    if folder.exists() and not folder.is_dir():
        raise SettingError("out", "must be a folder, and this is a file", str(folder))


def write(
    folder: Path, config: RunConfig, run: mixhop_tf.Run, title: str, export: files.Export | None
) -> None:
    """Writes what a run leaves behind, its record last."""
    files.remove_leftovers(folder)
    if _seed(folder) != run.seed:  # models of another run
        for name in files.MODELS:
            atomic.remove(folder / name)
    (folder / RECORD).unlink(missing_ok=True)
    files.write_json(folder / CONFIG, config.to_dict())
    files.write_curve(folder / "curve.csv", run)
    style.save(runs.training_curve(run, title), folder / "curve")
    if export is not None:
        files.write_model(folder, run, export)
    files.write_json(folder / RECORD, records.of_run(config, run))


def is_complete(folder: Path, seed: int, with_model: bool) -> bool:
    """Whether the folder, of the right config, holds all of the run from this seed."""
    return _seed(folder) == seed and (
        not with_model or all((folder / name).exists() for name in files.MODELS)
    )


def _seed(folder: Path) -> int | None:
    """The seed of the finished run in a folder, if there is one."""
    record = files.read_json(folder / RECORD)
    return record.get("seed") if isinstance(record, dict) else None


def _check_same(folder: Path, config: RunConfig) -> None:
    before = _config_of_runs(folder)
    if before is None:
        rule = f"must be another folder: {folder / CONFIG} is not a run's config"
        raise SettingError("out", rule, str(folder))
    if RunConfig.from_dict(before).key() != config.key():
        changed = ", ".join(sorted(files.differences(before, config.to_dict())))
        rule = f"must be another folder: this one holds runs with other settings ({changed})"
        raise SettingError("out", rule, str(folder))


def _config_of_runs(folder: Path) -> dict[str, Any] | None:
    """The config of the runs in a folder. Their records have it too, if config.json is lost."""
    contents = [files.read_json(folder / CONFIG)]
    for record in (*records.read(folder / RECORDS), files.read_json(folder / RECORD)):
        contents.append(record.get("config") if isinstance(record, dict) else None)
    for content in contents:
        with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):
            RunConfig.from_dict(content)
            return content
    return None
