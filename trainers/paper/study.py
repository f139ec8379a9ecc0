"""A study compares ways to learn an architecture, each from several seeds.

A study's file is a JSON list of entries, one per way and seed; the records of the retrainings are
beside it. The entry `even` is the default architecture, which needs no learning.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import mixhop_tf
from mixhop_tf import Architecture, ArgumentError, LearnSettings
from mixhop_tf.training.graph import Graph
from trainers.paper.study_entries import check_entries
from trainers.runs.files import write_json
from trainers.runs.learn_store import PeakStore
from trainers.sweeps import pool, protocol, records
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.errors import RunError, explain
from trainers.sweeps.source import Source
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.bar import Bar

# The default architecture in a study's file.
DEFAULT_ENTRY = "even"

Entry = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Task:
    """Ways, by name, that share the wide network and the seed and differ in what they measure."""

    ways: Mapping[str, LearnSettings]
    seed: int
    data: DataConfig
    data_dir: str | None
    folder: Path
    num_threads: int
    graph: Graph | None = dataclasses.field(default=None, repr=False, compare=False)


def execute(task: Task) -> list[Entry]:
    """The entries of the ways, with an error for those that fail; called in a worker."""
    try:
        start_tensorflow(task.num_threads)
        graph = Source(task.data_dir, task.graph).load(task.data)
        return [_entry(name, settings, task, graph) for name, settings in sorted(task.ways.items())]
    except Exception as error:
        sentence = explain(error) or f"{type(error).__name__}: {error}".splitlines()[0]
        return failures(task, sentence)


def failures(task: Task, error: str) -> list[Entry]:
    """The entries of ways that failed."""
    return [{"search": name, "seed": task.seed, "error": error} for name in sorted(task.ways)]


def _entry(name: str, settings: LearnSettings, task: Task, graph: Graph) -> Entry:
    lasso = settings.lassos[0]
    head = {"search": name, "seed": task.seed, **identity(settings, task.data, graph)}
    store = PeakStore(task.folder / f"{head['key']}-seed{task.seed}", graph, task.data, task.seed)
    try:
        pruning = mixhop_tf.Learner(
            graph, settings, task.seed, task.data.scaling_of(graph), store
        ).prune(lasso)
    except (ArgumentError, RunError) as error:
        return {**head, "error": str(error)}
    return {
        **head,
        "lasso": pruning.lasso,
        "val_accuracy": pruning.peak.val_accuracy,
        "best_step": pruning.peak.best_step,
        "num_steps": pruning.peak.num_steps,
        "seconds": pruning.peak.seconds,
        "alive": [list(layer.values()) for layer in pruning.alive],
        **_retrained(pruning.architecture, settings, task.data, graph),
    }


def identity(settings: LearnSettings, data: DataConfig, graph: Graph) -> dict[str, str]:
    """The properties that identify a way: the wide network, the importance, the budget."""
    wide = settings.wide_architecture(graph.num_classes)
    config = RunConfig.of(data, graph, wide, settings.wide_settings(settings.lassos[0]))
    return {"key": config.key(), "importance": settings.importance, "budget": settings.budget}


def _retrained(
    architecture: Architecture, settings: LearnSettings, data: DataConfig, graph: Graph
) -> dict[str, Any]:
    """An architecture and the key of its retrainings' records."""
    retraining = RunConfig.of(data, graph, architecture, settings.retrain.settings)
    return {"architecture": retraining.architecture, "retraining": retraining.key()}


@dataclasses.dataclass(frozen=True)
class Study:
    """Ways to learn an architecture on one graph.

    Args:
        ways: Settings by name.
        data: The source of the graph.
        graph: The graph.
        path: The study's file.
        folder: Folder for the wide networks.
        data_dir: Folder that may hold files of the graph.
    """

    ways: Mapping[str, LearnSettings]
    data: DataConfig
    graph: Graph
    path: Path
    folder: Path
    data_dir: str | None = None

    def run(
        self, seeds: Sequence[int], num_workers: int | None = None, engine: Engine = POOL
    ) -> list[Entry]:
        """Tries each way from each seed that the file lacks; returns all entries.

        Args:
            seeds: Seeds of the weights.
            num_workers: Number of searches at once; by default one per core.
            engine: Where the searches are made.
        """
        entries = self._kept()
        tasks = self._missing(entries, seeds, engine.num_threads(num_workers))
        write_json(self.path, entries)
        with Bar(total=len(tasks), unit="search", smoothing=0) as bar:
            for task, answer in engine.run_tasks(execute, tasks, num_workers, bar.refresh):
                if isinstance(answer, pool.Death):
                    answer = failures(task, answer.cause or "its process died")
                for entry in answer:
                    if "error" in entry:
                        bar.write(f"{entry['search']}, seed {entry['seed']}: {entry['error']}")
                entries = sorted(
                    [*entries, *answer], key=lambda each: (each["search"], each["seed"])
                )
                write_json(self.path, entries)
                bar.update()
        return entries

    def cells(self, entries: Iterable[Entry]) -> list[Cell]:
        """The cells in which the learned architectures are retrained."""
        settings = next(iter(self.ways.values())).retrain.settings
        return [
            Cell(
                RunConfig.of(
                    self.data, self.graph, Architecture.from_dict(entry["architecture"]), settings
                ),
                self.path.with_suffix(".jsonl"),
                f"search/{self.data.file_stem}/{entry['search']}-{entry['seed']}",
                self.data_dir,
            )
            for entry in entries
            if "error" not in entry and entry["search"] in (DEFAULT_ENTRY, *self.ways)
        ]

    def _kept(self) -> list[Entry]:
        """The default architecture's entry, then the entries of the file that are still valid."""
        wanted = {name: identity(way, self.data, self.graph) for name, way in self.ways.items()}
        kept = [
            entry
            for entry in read(self.path)
            if entry["search"] != DEFAULT_ENTRY
            and "error" not in entry
            and wanted.get(entry["search"], {}).items() <= entry.items()
        ]
        return [self._default_entry(), *map(self._as_retrained_now, kept)]

    def _missing(
        self, entries: Sequence[Entry], seeds: Sequence[int], num_threads: int
    ) -> list[Task]:
        """A task for each wide network and seed; it measures all ways that share the network."""
        done = {(entry["search"], entry["seed"]) for entry in entries}
        keys = {
            name: identity(way, self.data, self.graph)["key"] for name, way in self.ways.items()
        }
        tasks = []
        for key in dict.fromkeys(keys.values()):
            for seed in seeds:
                group = {
                    name: way
                    for name, way in self.ways.items()
                    if keys[name] == key and (name, seed) not in done
                }
                if group:
                    task = Task(group, seed, self.data, self.data_dir, self.folder, num_threads)
                    tasks.append(task)
        return tasks

    def _as_retrained_now(self, entry: Entry) -> Entry:
        """An earlier entry with the current key of its way's retrainings."""
        if entry["search"] not in self.ways or "architecture" not in entry:
            return entry
        architecture = Architecture.from_dict(entry["architecture"])
        way = self.ways[entry["search"]]
        return {**entry, **_retrained(architecture, way, self.data, self.graph)}

    def _default_entry(self) -> Entry:
        """The default architecture, with the retraining's dropout."""
        settings = next(iter(self.ways.values()))
        architecture = Architecture.default(
            self.graph.num_classes,
            input_dropout=settings.retrain.input_dropout,
            hidden_dropout=settings.retrain.hidden_dropout,
        )
        retrained = _retrained(architecture, settings, self.data, self.graph)
        return {"search": DEFAULT_ENTRY, "seed": 0, **retrained}


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of a way from one seed; accuracies are validation accuracies."""

    way: str
    seed: int
    wide: float | None
    alive: str
    widths: str
    retrained: float


def outcomes(path: Path) -> list[Outcome]:
    """The outcomes in a study's file and the records beside it."""
    retrained = {
        key: [run["val_accuracy"] for run in protocol.ranked(runs.values())]
        for key, runs in records.index(path.with_suffix(".jsonl")).items()
    }
    return [
        Outcome(
            entry["search"],
            entry["seed"],
            entry.get("val_accuracy"),
            _layers(entry.get("alive", ())),
            _layers(layer["dims"] for layer in entry["architecture"]["layers"]),
            float(np.mean(retrained[entry["retraining"]])),
        )
        for entry in read(path)
        if retrained.get(entry.get("retraining", ""))
    ]


def _layers(numbers: Iterable[Iterable[int]]) -> str:
    return " → ".join(",".join(map(str, layer)) for layer in numbers)


def read(path: Path) -> list[Entry]:
    """The entries of a study's file; none if there is none."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        check_entries(entries)
        return entries
    except FileNotFoundError:
        return []
    except (ValueError, RecursionError) as error:
        raise RunError(
            f"{path} is not a study's file ({str(error)[:200]}); fix or remove it."
        ) from None


def check_all_learned(entries: Iterable[Entry]) -> None:
    """Raises a `RunError` that names the first failed search, if there is one."""
    failed = [entry for entry in entries if "error" in entry]
    if failed:
        first = failed[0]
        raise RunError(
            f"{len(failed)} searches failed; the first, {first['search']} with seed "
            f"{first['seed']}: {first['error']}"
        )
