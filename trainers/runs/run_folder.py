"""What a run leaves behind: config, record, curve, model. Each file is written whole or not at all.

config.json     everything that decides the numbers, except the seed
record.json     accuracies, best step, seconds, versions; written last
curve.csv       a line for each step; curve.png and curve.svg draw it
model.keras     the model with the weights of the best step
saved_model/    the same, to be served by TensorFlow alone
"""

from __future__ import annotations

import json
from pathlib import Path

import mixhop_tf
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
    if present and CONFIG not in present:
        raise SettingError("out", "must be an empty folder or a run's", str(folder))
    if present & {RECORD, RECORDS}:
        _check_same(folder, config)
    if seed is not None and RECORD in present and _seed(folder) != seed:
        rule = f"must be another folder: this one holds the run of seed {_seed(folder)}"
        raise SettingError("out", rule, str(folder))
    files.write_json(folder / CONFIG, config.to_dict())


def check_is_folder(folder: Path) -> None:
    """Raises a `SettingError` if a file has the folder's name."""
    if folder.exists() and not folder.is_dir():
        raise SettingError("out", "must be a folder, and this is a file", str(folder))


def write(
    folder: Path, config: RunConfig, run: mixhop_tf.Run, title: str, save_model: bool
) -> None:
    """Writes what a run leaves behind, its record last."""
    files.remove_leftovers(folder)
    if _seed(folder) != run.seed:  # models of another run
        for name in files.MODELS:
            files.remove(folder / name)
    (folder / RECORD).unlink(missing_ok=True)
    files.write_json(folder / CONFIG, config.to_dict())
    files.write_curve(folder / "curve.csv", run)
    style.save(runs.training_curve(run, title), folder / "curve")
    if save_model:
        files.write_model(folder, run)
    files.write_json(folder / RECORD, records.of_run(config, run))


def is_complete(folder: Path, seed: int, with_model: bool) -> bool:
    """Whether the folder, of the right config, holds all of the run from this seed."""
    return _seed(folder) == seed and (
        not with_model or all((folder / name).exists() for name in files.MODELS)
    )


def _seed(folder: Path) -> int | None:
    """The seed of the finished run in a folder, if there is one."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))["seed"]
    except (FileNotFoundError, ValueError, LookupError, TypeError):
        return None


def _check_same(folder: Path, config: RunConfig) -> None:
    path = folder / CONFIG
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
        same = RunConfig.from_dict(before).key() == config.key()
    except (ValueError, TypeError, LookupError, AttributeError):
        rule = f"must be another folder: {path} is not a run's config"
        raise SettingError("out", rule, str(folder)) from None
    if not same:
        changed = ", ".join(sorted(files.differences(before, config.to_dict())))
        rule = f"must be another folder: this one holds runs with other settings ({changed})"
        raise SettingError("out", rule, str(folder))
