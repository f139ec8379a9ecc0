"""Many searches for an architecture, and what their outcomes are worth when retrained."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from trainers import pool, records, run_folder
from trainers.cell import Cell
from trainers.config import DataConfig, RunConfig
from trainers.errors import RunError, explain
from trainers.learn_config import LearnConfig
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

if TYPE_CHECKING:
    import datasets

# The architecture of equal size that takes no search.
EVEN = "even"

Found = list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class SearchTask:
    """A search to make: under this name, with this config, from this seed."""

    name: str
    config: LearnConfig
    seed: int
    data: DataConfig
    data_dir: str | None
    folder: Path
    num_threads: int


def execute(task: SearchTask) -> dict[str, Any]:
    """What a search finds, or why it finds nothing, as plain containers; called in a worker."""
    head = {"search": task.name, "seed": task.seed}
    try:
        start_tensorflow(task.num_threads)
        from trainers.arch_search import Searcher
        from trainers.learn_folder import LassoFolder

        graph = task.data.load(task.data_dir)
        # Searches that differ only in what they measure share the wide network.
        wide = task.config.wide_architecture(graph.num_classes)
        lasso = task.config.lassos[0]
        settings = dataclasses.replace(task.config.wide.settings, lasso=lasso)
        key = RunConfig.of(task.data, graph, wide, settings).key()
        folder = LassoFolder(task.folder / f"{key}-seed{task.seed}", lasso)
        found = Searcher(graph, task.config, task.seed, task.data).search(lasso, folder)
    except RunError as error:
        return {**head, "error": str(error)}
    except Exception as error:
        sentence = explain(error) or f"{type(error).__name__}: {error}".splitlines()[0]
        return {**head, "error": sentence}
    return {
        **head,
        "lasso": found.lasso,
        "val_accuracy": found.record["val_accuracy"],
        "best_step": found.record["best_step"],
        "num_steps": found.record["num_steps"],
        "seconds": found.record["seconds"],
        "alive": [list(layer.values()) for layer in found.alive],
        "architecture": found.architecture.to_dict(),
    }


def search_all(
    searches: Mapping[str, LearnConfig],
    seeds: Sequence[int],
    data: DataConfig,
    path: Path,
    folder: Path,
    beside: dict[str, Any],
    data_dir: str | None = None,
    num_workers: int | None = None,
) -> Found:
    """Makes each search from each seed, as far as `path` does not have it; gives all of them.

    Args:
        searches: Configs by name.
        seeds: Of the searches.
        data: The graph.
        path: A JSON file of what was found.
        folder: Where the wide networks are kept.
        beside: An entry without a search to compare with, such as `even`.
        data_dir: Where files of the graph may lie.
        num_workers: Processes; one a core unless given.
    """
    found = [beside] + [
        each for each in read(path) if "error" not in each and each["search"] != beside["search"]
    ]
    done = {(each["search"], each["seed"]) for each in found}
    num_workers = num_workers or num_cores()
    threads = max(1, num_cores() // num_workers)
    tasks = [
        SearchTask(name, config, seed, data, data_dir, folder, threads)
        for name, config in searches.items()
        for seed in seeds
        if (name, seed) not in done
    ]
    run_folder.write_json(path, found)
    with tqdm(total=len(tasks), unit="search", smoothing=0, disable=None) as bar:
        for task, answer in pool.run_tasks(execute, tasks, num_workers, bar.refresh):
            if isinstance(answer, pool.Death):
                answer = {"search": task.name, "seed": task.seed, "error": "its process died"}
            if "error" in answer:
                bar.write(f"{task.name}, seed {task.seed}: {answer['error']}")
            found = sorted([*found, answer], key=lambda each: (each["search"], each["seed"]))
            run_folder.write_json(path, found)
            bar.update()
    return found


def even(config: LearnConfig, num_classes: int) -> dict[str, Any]:
    """The entry of the even architecture, with the retraining's dropout."""
    from mixhop_tf import Architecture

    retrain = config.retrain
    architecture = Architecture.default(
        num_classes,
        input_dropout=retrain.input_dropout,
        hidden_dropout=retrain.hidden_dropout,
    )
    return {"search": EVEN, "seed": 0, "architecture": architecture.to_dict()}


def cells_of(
    found: Found,
    graph: datasets.Graph,
    data: DataConfig,
    config: LearnConfig,
    path: Path,
    data_dir: str | None = None,
) -> list[Cell]:
    """The cells in which the architectures that were found are retrained."""
    from mixhop_tf import Architecture

    return [
        Cell(
            RunConfig.of(
                data,
                graph,
                Architecture.from_dict(each["architecture"]),
                config.retrain.settings,
            ),
            path,
            f"search/{data.dataset}/{each['search']}-{each['seed']}",
            data_dir,
        )
        for each in found
        if "error" not in each
    ]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a search found, and what it was worth; accuracies are on validation data."""

    search: str
    seed: int
    wide: float | None
    widths: str
    retrained: float
    num_runs: int


def outcomes(path: Path) -> list[Outcome]:
    """What the files of a study say, `path` being that of the searches."""
    retrained: dict[str, list[float]] = {}
    for record in records.read(path.with_suffix(".jsonl")):
        name = _name(record["config"]["architecture"])
        retrained.setdefault(name, []).append(record["val_accuracy"])
    return [
        Outcome(
            each["search"],
            each["seed"],
            each.get("val_accuracy"),
            " → ".join(
                ",".join(map(str, layer["dims"])) for layer in each["architecture"]["layers"]
            ),
            float(np.mean(retrained[_name(each["architecture"])])),
            len(retrained[_name(each["architecture"])]),
        )
        for each in read(path)
        if "error" not in each and _name(each["architecture"]) in retrained
    ]


def read(path: Path) -> Found:
    """The searches of a file; none if there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def _name(architecture: dict[str, Any]) -> str:
    return json.dumps(architecture, sort_keys=True)


def comparison(graphs: Mapping[str, Iterable[Outcome]], order: Sequence[str]) -> str:
    """A row a way to search, a column a graph: mean and spread of what the searches found."""
    table = []
    for name in (EVEN, *order):
        row = [name]
        for found in graphs.values():
            values = [100 * each.retrained for each in found if each.search == name]
            spread = f" ± {np.std(values, ddof=1):.2f}" if len(values) > 1 else ""
            row.append(f"{np.mean(values):.2f}{spread}" if values else "–")
        table.append(row)
    return markdown_table(["search", *graphs], table)


def details(graphs: Mapping[str, Iterable[Outcome]], search: str) -> str:
    """A row a search of one kind: the seed, the widths, and the accuracies in percent."""
    table = [
        [
            name,
            str(each.seed),
            "–" if each.wide is None else f"{100 * each.wide:.1f}",
            each.widths,
            f"{100 * each.retrained:.2f}",
        ]
        for name, found in graphs.items()
        for each in found
        if each.search == search
    ]
    header = ["graph", "seed", "wide", "widths of powers 0, 1, 2", "retrained"]
    return markdown_table(header, table)
