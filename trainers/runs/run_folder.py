"""The folder of a run. Each file is written completely or not at all.

config.json     everything that decides the results, except the seed; records can restore it
record.json     accuracies, best step, seconds, versions; written last
curve.csv       a line for each step; curve.png, .svg and .pdf draw it
metrics.json    every metric of the test nodes; confusion.*, ranking.* and reliability.* draw them
model.keras     the model with the weights of the best step
saved_model/    the same model, which TensorFlow can serve without this project
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import mixhop_tf
from datasets import atomic
from mixhop_tf import SettingError
from trainers.plots import runs, style
from trainers.runs import files, metrics
from trainers.sweeps import records
from trainers.sweeps.config import RunConfig

CONFIG, RECORD, RECORDS, SUMMARY = "config.json", "record.json", "records.jsonl", "summary.json"
SEARCH = "auto.json"  # the scores of a search for settings


def open_folder(folder: Path, config: RunConfig, seed: int | None) -> None:
    """Makes the folder, or checks that nothing in an existing one is lost; writes config.json.

    Args:
        folder: Output folder.
        config: Config of the runs.
        seed: Seed of a single run; None for several runs.

    Raises:
        SettingError: If the folder holds something else.
    """
    check_usable(folder)
    if (folder / RECORD).exists() or records.read(folder / RECORDS):
        _check_same(folder, config)
    if seed is not None and _seed(folder) not in (None, seed):
        rule = f"must be another folder: this one holds the run of seed {_seed(folder)}"
        raise SettingError("out", rule, str(folder))
    files.write_json(folder / CONFIG, config.to_dict())


def check_usable(folder: Path) -> None:
    """Raises a `SettingError` if the folder holds something else than a run."""
    check_is_folder(folder)
    present = {path.name for path in folder.glob("[!.]*")}
    if present and not present & {CONFIG, RECORD, RECORDS, SEARCH}:
        raise SettingError("out", "must be an empty folder or the folder of a run", str(folder))


def check_is_folder(folder: Path) -> None:
    """Raises a `SettingError` if a file has the folder's name."""
    if folder.exists() and not folder.is_dir():
        raise SettingError("out", "must be a folder (this is a file)", str(folder))


def write(
    folder: Path, config: RunConfig, run: mixhop_tf.Run, title: str, export: files.Export | None
) -> None:
    """Writes the files of a run, its record last."""
    files.remove_leftovers(folder)
    if _seed(folder) != run.seed:  # models of another run
        for name in files.MODELS:
            atomic.remove(folder / name)
    (folder / RECORD).unlink(missing_ok=True)
    files.write_json(folder / CONFIG, config.to_dict())
    files.write_curve(folder / "curve.csv", run)
    style.save(runs.training_curve(run, title), folder / "curve")
    metrics.write(folder, run)
    if export is not None:
        files.write_model(folder, run, export)
    files.write_json(folder / RECORD, records.of_run(config, run))


def is_complete(folder: Path, seed: int, with_model: bool) -> bool:
    """Whether a folder of the right config holds the complete run of this seed."""
    return _seed(folder) == seed and (
        not with_model or all((folder / name).exists() for name in files.MODELS)
    )


def _seed(folder: Path) -> int | None:
    """The seed of the finished run in a folder; None if there is none."""
    record = files.read_json(folder / RECORD)
    return record.get("seed") if isinstance(record, dict) else None


def _check_same(folder: Path, config: RunConfig) -> None:
    before = _config_of_runs(folder)
    if before is None:
        rule = f"must be another folder: {folder / CONFIG} is not the config of a run"
        raise SettingError("out", rule, str(folder))
    if RunConfig.from_dict(before).key() != config.key():
        changed = ", ".join(sorted(files.differences(before, config.to_dict())))
        rule = f"must be another folder: this one holds runs with other settings ({changed})"
        raise SettingError("out", rule, str(folder))


def _config_of_runs(folder: Path) -> dict[str, Any] | None:
    """The config of the runs in a folder; if config.json is missing, their records have it too."""
    contents = [files.read_json(folder / CONFIG)]
    for record in (*records.read(folder / RECORDS), files.read_json(folder / RECORD)):
        contents.append(record.get("config") if isinstance(record, dict) else None)
    for content in contents:
        with contextlib.suppress(ValueError, TypeError, LookupError, AttributeError):
            RunConfig.from_dict(content)
            return content
    return None
