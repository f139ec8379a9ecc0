"""The folder of a stable architecture. Each file is written completely or not at all.

stable.json         the settings
searches.json       the networks of the searches
scores.json         validation scores of the candidates
architecture.json   the chosen architecture
learned.json        what the searches suggest, also if the default was chosen
path.*, front.*     pictures
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

from mixhop_tf import SettingError
from mixhop_tf.pruning.candidates import StableArchitecture
from mixhop_tf.pruning.comparison import DealScore
from mixhop_tf.pruning.settings import LearnSettings, StabilitySettings
from mixhop_tf.pruning.stability import PathPoint
from mixhop_tf.training.graph import Graph
from trainers.runs import files, learn_folder
from trainers.sweeps.data_config import DataConfig, file_stem

SETTINGS, SEARCHES, SCORES = "stable.json", "searches.json", "scores.json"
ARCHITECTURE, LEARNED = "architecture.json", "learned.json"
_GROWING = ("searches", "deals")  # a folder may get more of them


def identity(
    settings: LearnSettings,
    stability: StabilitySettings,
    data: DataConfig,
    graph: Graph,
    seed: int,
) -> dict[str, Any]:
    """Everything that decides the searches and the scores, in plain containers."""
    content = learn_folder.settings_dict(settings, data, graph, seed)
    for name in ("width", "wide", "lassos", "importance", "budget", "restart", "runs"):
        del content[name]  # the five stages alone use them
    return {**content, "stability": dataclasses.asdict(stability)}


def default_folder(content: dict[str, Any]) -> Path:
    """A folder in runs/, named after the graph and the settings."""
    text = json.dumps(_deciding(content), sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Path(f"runs/stable-{file_stem(content['data']['dataset'])}-{key}-seed{content['seed']}")


def _deciding(content: dict[str, Any]) -> dict[str, Any]:
    stability = {
        name: value for name, value in content["stability"].items() if name not in _GROWING
    }
    return {**json.loads(json.dumps(content)), "stability": stability}


class StableFolder:
    """Keeps the results of searches and trainings, so that a killed command continues.

    Args:
        folder: The folder.
        content: What `identity` returns.

    Raises:
        SettingError: The folder holds something else.
    """

    def __init__(self, folder: Path, content: dict[str, Any]) -> None:
        self.path = folder
        present = {path.name for path in folder.glob("[!.]*")}
        before = files.read_json(folder / SETTINGS)
        if present and not isinstance(before, dict):
            rule = "must be an empty folder or the folder of a stable architecture"
            raise SettingError("out", rule, str(folder))
        if before is not None and _deciding(before) != _deciding(content):
            rule = "must be another folder: this one was learned with other settings"
            raise SettingError("out", rule, str(folder))
        files.remove_leftovers(folder)
        files.write_json(folder / SETTINGS, json.loads(json.dumps(content)))
        self.points = [PathPoint.from_dict(each) for each in self._list(SEARCHES)]
        self.scores = [DealScore(**each) for each in self._list(SCORES)]

    def _list(self, name: str) -> list[Any]:
        content = files.read_json(self.path / name)
        return content if isinstance(content, list) else []

    def keep_search(self, points: list[PathPoint]) -> None:
        """Keeps the points of a search."""
        self.points += points
        files.write_json(self.path / SEARCHES, [dataclasses.asdict(each) for each in self.points])

    def keep_score(self, score: DealScore) -> None:
        """Keeps the score of a training."""
        self.scores.append(score)
        files.write_json(self.path / SCORES, [each._asdict() for each in self.scores])

    def write(self, learned: StableArchitecture) -> None:
        """Writes the architectures."""
        chosen = learned.chosen
        files.write_json(self.path / ARCHITECTURE, learned.architecture.to_dict())
        files.write_json(self.path / LEARNED, learned.learned(chosen.columns).to_dict())
