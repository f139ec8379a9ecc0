"""The folder of a learned architecture. Each file is written completely or not at all.

learn.json           the settings
stages.json          a record of each of the five stages
lasso_0.01/          the results of the stages for each lasso coefficient: see `learn_store`
architecture.json, norms.npz, …                         copies for the chosen coefficient
record.json, curve.csv, model.keras, saved_model/, …    the best retraining: see `run_folder`
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import mixhop_tf
from mixhop_tf import LearnSettings, SettingError
from mixhop_tf.training.graph import Graph
from trainers.runs import files, run_folder
from trainers.runs.learn_store import write_pruning
from trainers.sweeps import protocol, records
from trainers.sweeps.config import RunConfig, graph_digest, key_settings
from trainers.sweeps.data_config import DataConfig, file_stem

LEARN, STAGES = "learn.json", "stages.json"
# Settings that the first runs did not have. They are stored only if they differ from theirs.
_LATER = (
    "optimizer",
    "patience_for",
    "select_by",
    "class_weight",
    "calibrate",
    "threshold",
    "batches",
)
# A folder may get further coefficients and runs.
_LATER_DATA = ("weight", "directed")
_GROWING = ("lassos", "runs")
_MOVABLE = "dataset"  # the digest shows whether a graph at another path is the same


def settings_dict(
    settings: LearnSettings, data: DataConfig, graph: Graph, seed: int
) -> dict[str, Any]:
    """Everything that decides the results, in plain containers."""
    content = dataclasses.asdict(settings)
    for name in ("wide", "retrain"):
        recipe = getattr(settings, name)
        noted = {
            field: value
            for field, value in content[name]["settings"].items()
            if field not in _LATER or field in key_settings(recipe.settings)
        }
        content[name] = {
            "settings": noted,
            "input_dropout": recipe.input_dropout,
            "hidden_dropout": recipe.hidden_dropout,
        }
    del content["wide"]["settings"]["lasso"]  # one of `lassos`
    for name in ("adjacency", "jumping"):  # older folders do not have them
        if getattr(settings, name) == getattr(LearnSettings, name):
            del content[name]
    return {
        "data": _without_later(dataclasses.asdict(data)),
        "digest": graph_digest(graph),
        "seed": seed,
        **content,
    }


def _without_later(data: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `DataConfig`; those that older folders do not have, only if they are set."""
    return {name: value for name, value in data.items() if value or name not in _LATER_DATA}


def default_folder(content: dict[str, Any]) -> Path:
    """A folder in runs/, named after the graph and the settings."""
    deciding = {name: value for name, value in content.items() if name not in _GROWING}
    key = hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()[:8]
    return Path(f"runs/learned-{file_stem(content['data']['dataset'])}-{key}-seed{content['seed']}")


def open_folder(folder: Path, content: dict[str, Any]) -> None:
    """Makes the folder, or checks that an existing one has the same settings; writes learn.json.

    Raises:
        SettingError: If the folder holds something else.
    """
    present = {path.name for path in folder.glob("[!.]*")}
    content = json.loads(json.dumps(content))
    learned = sorted(folder.glob("lasso_*/wide.json"))
    if present and LEARN not in present and not learned:
        rule = "must be an empty folder or the folder of a learned architecture"
        raise SettingError("out", rule, str(folder))
    if learned:
        before = _noted(folder, learned[0])
        now = {name: content[name] for name in before if name in content}
        changed = files.differences(before, now) - {*_GROWING, _MOVABLE}
        if changed:
            names = ", ".join(sorted(changed)) or LEARN
            rule = f"must be another folder: this one was learned with other settings ({names})"
            raise SettingError("out", rule, str(folder))
    files.remove_leftovers(folder)
    files.write_json(folder / LEARN, content)


def _noted(folder: Path, wide: Path) -> dict[str, Any]:
    """The settings that the folder stores.

    If learn.json is missing, they come from the record of a wide network: the source of the graph,
    its digest and the seed. The other settings are part of the keys of the stages' results.
    """
    content = files.read_json(folder / LEARN)
    if isinstance(content, dict):
        return content
    record = files.read_json(wide)
    if not isinstance(record, dict):
        rule = f"must be another folder: {folder / LEARN} is missing"
        raise SettingError("out", rule, str(folder))
    config = record.get("config", {})
    data = config.get("data")
    return {
        "data": _without_later(data) if isinstance(data, dict) else data,
        "digest": config.get("digest"),
        "seed": record.get("seed"),
    }


def write(
    folder: Path,
    learned: mixhop_tf.LearnedArchitecture,
    settings: LearnSettings,
    data: DataConfig,
    export: files.Export | None,
) -> None:
    """Writes the files of the chosen coefficient and of the best retraining."""
    run = learned.run
    graph, pruning = run.graph, learned.pruning
    wide = RunConfig.of(data, graph, pruning.wide, settings.wide_settings(pruning.lasso))
    config = RunConfig.of(data, graph, learned.architecture, settings.retrain.settings)
    write_pruning(folder, pruning, graph)
    files.write_json(folder / STAGES, stages(learned, wide.key(), config.key()))
    test = "" if run.test_accuracy is None else f", test {run.test_accuracy:.1%}"
    accuracies = f"validation {run.best.val_accuracy:.1%}{test}"
    title = f"{graph.name}, learned architecture: {accuracies}"
    run_folder.write(folder, config, run, title, export)
    for each in folder.glob("lasso_*"):
        files.checkpoint(each).remove()


def stages(learned: mixhop_tf.LearnedArchitecture, wide_key: str, key: str) -> list[dict[str, Any]]:
    """A record of each of the five stages."""
    pruning, peak = learned.pruning, dataclasses.asdict(learned.pruning.peak)
    numbers = ("seed", "val_accuracy", "val_loss", "best_step", "num_steps", "seconds")
    retrainings = [
        {"status": records.DONE, **dataclasses.asdict(result)} for result in learned.retrainings
    ]
    return [
        {"stage": 1, "name": "wide", "architecture": pruning.wide.to_dict()},
        {
            "stage": 2,
            "name": "lasso",
            "lasso": pruning.lasso,
            "key": wide_key,
            **{name: peak[name] for name in numbers},
        },
        {
            "stage": 3,
            "name": "measure",
            "alive": pruning.alive,
            "separates": pruning.separates,
            "thresholds": pruning.thresholds,
        },
        {"stage": 4, "name": "shrink", "architecture": pruning.architecture.to_dict()},
        {
            "stage": 5,
            "name": "retrain",
            "key": key,
            "seeds": [result.seed for result in learned.retrainings],
            "best_seed": learned.run.seed,
            **protocol.summarize(retrainings).to_dict(),
        },
    ]
