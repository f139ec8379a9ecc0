"""Many searches for an architecture, and what their outcomes are worth when retrained."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from trainers import pool, run_folder
from trainers.cell import Cell
from trainers.config import DataConfig, RunConfig
from trainers.errors import RunError, explain
from trainers.learn_config import LearnConfig
from trainers.start_tensorflow import num_cores, start_tensorflow

# The architecture of equal size that takes no search.
EVEN = "even"


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
    data_dir: str | None = None,
    num_workers: int | None = None,
) -> list[dict[str, Any]]:
    """Makes each search from each seed, as far as `path` does not have it; gives all of them.

    Args:
        searches: Configs by name.
        seeds: Of the searches.
        data: The graph.
        path: A JSON file of what was found.
        folder: Where the wide networks are kept.
        data_dir: Where files of the graph may lie.
        num_workers: Processes; one a core unless given.
    """
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    done = {(each["search"], each["seed"]) for each in found if "error" not in each}
    found = [each for each in found if (each["search"], each["seed"]) in done]
    num_workers = num_workers or num_cores()
    threads = max(1, num_cores() // num_workers)
    tasks = [
        SearchTask(name, config, seed, data, data_dir, folder, threads)
        for name, config in searches.items()
        for seed in seeds
        if (name, seed) not in done
    ]
    with tqdm(total=len(tasks), unit="search", smoothing=0, disable=None) as bar:
        for task, answer in pool.run_tasks(execute, tasks, num_workers, bar.refresh):
            if isinstance(answer, pool.Death):
                answer = {"search": task.name, "seed": task.seed, "error": "its process died"}
            if "error" in answer:
                bar.write(f"{task.name}, seed {task.seed}: {answer['error']}")
            found.append(answer)
            found.sort(key=lambda each: (each["search"], each["seed"]))
            run_folder.write_json(path, found)
            bar.update()
    return found


def cells_of(
    found: Sequence[dict[str, Any]],
    graph: Any,
    data: DataConfig,
    searches: Mapping[str, LearnConfig],
    path: Path,
    data_dir: str | None = None,
) -> dict[tuple[str, int], Cell]:
    """For each search, and for the even architecture, the cell in which it is retrained."""
    from mixhop_tf import Architecture

    retrain = next(iter(searches.values())).retrain
    even = Architecture.default(
        graph.num_classes,
        input_dropout=retrain.input_dropout,
        hidden_dropout=retrain.hidden_dropout,
    )
    chosen = {(EVEN, 0): even} | {
        (each["search"], each["seed"]): Architecture.from_dict(each["architecture"])
        for each in found
        if "error" not in each
    }
    return {
        key: Cell(
            RunConfig.of(data, graph, architecture, retrain.settings),
            path,
            f"search/{data.dataset}/{key[0]}-{key[1]}",
            data_dir,
        )
        for key, architecture in chosen.items()
    }


def rows(
    found: Sequence[dict[str, Any]], cells: Mapping[tuple[str, int], Cell], runs: int
) -> list[list[str]]:
    """A row a way to search: validation accuracy in percent, wide and retrained, and widths."""
    table = []
    for name in dict.fromkeys(key[0] for key in cells):
        mine = {key: cell for key, cell in cells.items() if key[0] == name}
        wide = [each["val_accuracy"] for each in found if (each["search"], each["seed"]) in mine]
        retrained = [
            float(np.mean([record["val_accuracy"] for record in cell.records(range(runs))]))
            for cell in mine.values()
        ]
        spread = f" ± {100 * np.std(retrained, ddof=1):.2f}" if len(retrained) > 1 else ""
        widths = [_widths(cell.config.architecture) for cell in mine.values()]
        table.append(
            [
                name,
                str(len(mine)),
                f"{100 * np.mean(wide):.2f}" if wide else "–",
                f"{100 * np.mean(retrained):.2f}{spread}",
                "; ".join(widths),
            ]
        )
    return table


def _widths(architecture: dict[str, Any]) -> str:
    return " ".join(
        ",".join(map(str, layer["dims"])) if i == 0 else "→ " + ",".join(map(str, layer["dims"]))
        for i, layer in enumerate(architecture["layers"])
    )
