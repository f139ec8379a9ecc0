"""Many searches for an architecture, and what their outcomes are worth when retrained."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from trainers import pool, protocol, records, run_folder
from trainers.cell import Cell
from trainers.config import RunConfig
from trainers.data_config import DataConfig
from trainers.errors import RunError, explain
from trainers.learn_config import LearnConfig
from trainers.start_tensorflow import num_cores, start_tensorflow
from trainers.text_table import markdown_table

if TYPE_CHECKING:
    import datasets
    from mixhop_tf import Architecture

# The architecture of equal size that takes no search.
EVEN = "even"

Found = list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class SearchTask:
    """Searches to make from one seed that differ only in what they measure, by name."""

    searches: Mapping[str, LearnConfig]
    seed: int
    data: DataConfig
    data_dir: str | None
    folder: Path
    num_threads: int


def execute(task: SearchTask) -> Found:
    """What the searches find, or why they find nothing; called in a worker."""
    try:
        start_tensorflow(task.num_threads)
        graph = task.data.load(task.data_dir)
        return [
            _search(name, config, task, graph) for name, config in sorted(task.searches.items())
        ]
    except Exception as error:
        sentence = explain(error) or f"{type(error).__name__}: {error}".splitlines()[0]
        return failures(task, sentence)


def failures(task: SearchTask, error: str) -> Found:
    """The entries of searches that failed."""
    return [{"search": name, "seed": task.seed, "error": error} for name in sorted(task.searches)]


def _search(
    name: str, config: LearnConfig, task: SearchTask, graph: datasets.Graph
) -> dict[str, Any]:
    from trainers.arch_search import Searcher
    from trainers.learn_folder import LassoFolder

    lasso = config.lassos[0]
    head = {"search": name, "seed": task.seed, **identity(config, task.data, graph)}
    try:
        folder = LassoFolder(task.folder / f"{head['key']}-seed{task.seed}", lasso)
        found = Searcher(graph, config, task.seed, task.data).search(lasso, folder)
    except RunError as error:
        return {**head, "error": str(error)}
    return {
        **head,
        "lasso": found.lasso,
        "val_accuracy": found.record["val_accuracy"],
        "best_step": found.record["best_step"],
        "num_steps": found.record["num_steps"],
        "seconds": found.record["seconds"],
        "alive": [list(layer.values()) for layer in found.alive],
        **_retrained(found.architecture, config, task.data, graph),
    }


def identity(config: LearnConfig, data: DataConfig, graph: datasets.Graph) -> dict[str, str]:
    """What tells a search from another of its name: the wide network, the measure, the budget."""
    return {
        "key": config.wide_run(data, graph, config.lassos[0]).key(),
        "importance": config.importance,
        "budget": config.budget,
    }


def _retrained(
    architecture: Architecture, config: LearnConfig, data: DataConfig, graph: datasets.Graph
) -> dict[str, Any]:
    """An architecture, and the key of the records of its retrainings."""
    retraining = RunConfig.of(data, graph, architecture, config.retrain.settings)
    return {"architecture": retraining.architecture, "retraining": retraining.key()}


def _as_retrained_now(
    each: dict[str, Any],
    searches: Mapping[str, LearnConfig],
    data: DataConfig,
    graph: datasets.Graph,
) -> dict[str, Any]:
    """An entry of earlier with the key of the retrainings that its search has today."""
    from mixhop_tf import Architecture

    if each["search"] not in searches or "architecture" not in each:
        return each
    architecture = Architecture.from_dict(each["architecture"])
    return {**each, **_retrained(architecture, searches[each["search"]], data, graph)}


def even(config: LearnConfig, data: DataConfig, graph: datasets.Graph) -> dict[str, Any]:
    """The entry of the even architecture, with the retraining's dropout."""
    from mixhop_tf import Architecture

    retrain = config.retrain
    architecture = Architecture.default(
        graph.num_classes,
        input_dropout=retrain.input_dropout,
        hidden_dropout=retrain.hidden_dropout,
    )
    return {"search": EVEN, "seed": 0, **_retrained(architecture, config, data, graph)}


def search_all(
    searches: Mapping[str, LearnConfig],
    seeds: Sequence[int],
    graph: datasets.Graph,
    data: DataConfig,
    path: Path,
    folder: Path,
    data_dir: str | None = None,
    num_workers: int | None = None,
) -> Found:
    """Makes each search from each seed, as far as `path` does not have it; gives all of them.

    Args:
        searches: Configs by name.
        seeds: Of the searches.
        graph: The graph, which `data` describes.
        data: Where the graph is from.
        path: A JSON file of what was found.
        folder: Where the wide networks are kept.
        data_dir: Where files of the graph may lie.
        num_workers: Processes; one a core unless given.
    """
    wanted = {name: identity(config, data, graph) for name, config in searches.items()}

    def holds(each: dict[str, Any]) -> bool:
        told = wanted.get(each["search"], {})
        return "error" not in each and all(each.get(name) == told[name] for name in told)

    beside = even(next(iter(searches.values())), data, graph)
    kept = [each for each in read(path) if each["search"] != EVEN and holds(each)]
    found = [beside, *(_as_retrained_now(each, searches, data, graph) for each in kept)]
    done = {(each["search"], each["seed"]) for each in found}
    num_workers = num_workers or num_cores()
    threads = max(1, num_cores() // num_workers)
    tasks = []
    for key in dict.fromkeys(each["key"] for each in wanted.values()):
        for seed in seeds:
            group = {
                name: config
                for name, config in searches.items()
                if wanted[name]["key"] == key and (name, seed) not in done
            }
            if group:
                tasks.append(SearchTask(group, seed, data, data_dir, folder, threads))
    run_folder.write_json(path, found)
    with tqdm(total=len(tasks), unit="search", smoothing=0, disable=None) as bar:
        for task, answer in pool.run_tasks(execute, tasks, num_workers, bar.refresh):
            if isinstance(answer, pool.Death):
                answer = failures(task, "its process died")
            for each in answer:
                if "error" in each:
                    bar.write(f"{each['search']}, seed {each['seed']}: {each['error']}")
            found = sorted([*found, *answer], key=lambda each: (each["search"], each["seed"]))
            run_folder.write_json(path, found)
            bar.update()
    return found


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
            f"search/{data.file_stem}/{each['search']}-{each['seed']}",
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
    alive: str
    widths: str
    retrained: float


def outcomes(path: Path) -> list[Outcome]:
    """What the files of a study say, `path` being that of the searches."""
    retrained: dict[str, list[float]] = {}
    for record in protocol.ranked(records.read(path.with_suffix(".jsonl"))):
        retrained.setdefault(record["key"], []).append(record["val_accuracy"])
    return [
        Outcome(
            each["search"],
            each["seed"],
            each.get("val_accuracy"),
            _layers(each.get("alive", ())),
            _layers(layer["dims"] for layer in each["architecture"]["layers"]),
            float(np.mean(retrained[each["retraining"]])),
        )
        for each in read(path)
        if each.get("retraining") in retrained
    ]


def _layers(numbers: Iterable[Iterable[int]]) -> str:
    return " → ".join(",".join(map(str, layer)) for layer in numbers)


def read(path: Path) -> Found:
    """The searches of a file; none if there is none."""
    try:
        found: Found = json.loads(path.read_text(encoding="utf-8"))
        return [each | {"search": str(each["search"]), "seed": int(each["seed"])} for each in found]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, LookupError):
        raise RunError(f"{path} is not a study's file; mend or remove it.") from None


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
    """A row a search of one kind: the seed, the widths, and the accuracies in percent.

    The even architecture, which takes no search, comes first.
    """
    table = [
        [
            name,
            "–" if each.search == EVEN else str(each.seed),
            "–" if each.wide is None else f"{100 * each.wide:.1f}",
            each.alive or "–",
            each.widths,
            f"{100 * each.retrained:.2f}",
        ]
        for name, found in graphs.items()
        for each in found
        if each.search in (EVEN, search)
    ]
    header = ["graph", "seed", "wide", "alive, power by power", "widths", "retrained"]
    return markdown_table(header, table)
