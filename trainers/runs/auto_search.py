"""The search behind the preset `auto`: shows its progress, and resumes after a kill."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import datasets
import mixhop_tf
from mixhop_tf.training.auto import Candidate, Choice, Score, Trial, plan
from trainers.runs import files, run_folder
from trainers.sweeps.config import graph_digest
from trainers.sweeps.versions import versions
from trainers.text.bar import Bar


def search(
    graph: datasets.Graph,
    candidates: Sequence[Candidate],
    folder: Path,
    *,
    seed: int,
    scaling: str,
    work: int,
) -> Choice:
    """Tries the candidates, and keeps the scores in a file as they come.

    Args:
        graph: The graph.
        candidates: What is tried, in the order of preference.
        folder: Folder of the run.
        seed: Seed of the trials.
        scaling: Scaling of the features.
        work: Size of the search; see `mixhop_tf.training.auto.plan`.
    """
    path = folder / run_folder.SEARCH
    identity = _identity(graph, candidates, seed, scaling)
    done = _scores(path, identity)
    tried, num_rounds = plan(graph, candidates, work)
    with Bar(total=num_rounds * len(tried), desc="auto", unit="run", leave=False) as bar:

        def on_trial(trial: Trial) -> None:
            done[trial.name, trial.round] = trial.score
            files.write_json(path, {"search": identity, "scores": _listed(done)})
            bar.set_postfix_str(f"{trial.name} {abs(trial.score.metric):.3f}", refresh=False)
            bar.update()

        return mixhop_tf.choose_settings(
            graph,
            candidates,
            seed=seed,
            scaling=scaling,
            work=work,
            done=dict(done),
            on_trial=on_trial,
        )


def _identity(
    graph: datasets.Graph, candidates: Sequence[Candidate], seed: int, scaling: str
) -> str:
    """Hashes everything on which the scores depend."""
    content: list[Any] = [graph_digest(graph), seed, scaling]
    content += [versions()]
    content += [[each.name, each.architecture.to_dict(), str(each.settings)] for each in candidates]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _scores(path: Path, identity: str) -> dict[tuple[str, int], Score]:
    """The scores of an interrupted search; none if the file is missing, torn or of another one."""
    content = files.read_json(path)
    try:
        if content["search"] != identity:
            return {}
        return {
            (str(name), int(number)): Score(float(metric), float(loss), float(error))
            for name, number, metric, loss, error in content["scores"]
        }
    except (LookupError, TypeError, ValueError):
        return {}


def _listed(scores: dict[tuple[str, int], Score]) -> list[list[Any]]:
    return [[name, number, *score] for (name, number), score in sorted(scores.items())]
