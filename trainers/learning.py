"""Learning the architecture: train wide under the lasso, measure, shrink, retrain.

The five stages of Section 4.2 of the paper. What a stage leaves behind is kept in a folder, so that
a search which was killed goes on at the stage it was in.
"""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import datasets
from mixhop_tf import Architecture
from trainers import protocol, records
from trainers.arch_search import LassoError, Say, Search, Searcher, flags_of
from trainers.config import DataConfig, RunConfig
from trainers.learn_config import LearnConfig
from trainers.learn_folder import LassoFolder
from trainers.loop import Run, Trainer
from trainers.runs import accuracies, run_with_bar


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnedArchitecture:
    """What `learn_architecture` gives.

    Attributes:
        architecture: The learned architecture.
        search: How it was found.
        retrainings: Records of its retrainings, by seed.
        run: The best retraining by validation accuracy, with its model.
        trainer: Of the retrainings.
        searches: All that were made, with the records of their retrainings, one a coefficient.
    """

    architecture: Architecture
    search: Search
    retrainings: list[records.Record]
    run: Run
    trainer: Trainer
    searches: list[tuple[Search, list[records.Record]]]

    @property
    def model(self) -> Any:
        """The trained `MixHopModel`."""
        return self.run.model


def learn_architecture(
    graph: datasets.Graph,
    config: LearnConfig,
    *,
    seed: int = 0,
    data: DataConfig | None = None,
    folder: Path | None = None,
    say: Say = lambda _: None,
) -> LearnedArchitecture:
    """Learns an architecture for a graph, and trains it.

    Args:
        graph: The graph, with training and validation nodes.
        config: What to do in the five stages, for example `experiments.LEARNING`.
        seed: Of all weights and dropout.
        data: Where the graph is from, for the records.
        folder: Where to keep what the stages leave behind; nowhere unless given.
        say: Called with a line, or some, when a stage is done.

    Raises:
        LassoError: If the lasso leaves fewer units than the budget asks for.
        RunError: If training diverges, or the budget does not fit the wide network.
    """
    data = data or DataConfig(dataset=graph.name)
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            return _Learner(graph, config, seed, data, Path(temporary), say).learn()
    return _Learner(graph, config, seed, data, folder, say).learn()


class _Learner:
    """The stages on one graph from one seed."""

    def __init__(
        self,
        graph: datasets.Graph,
        config: LearnConfig,
        seed: int,
        data: DataConfig,
        folder: Path,
        say: Say,
    ) -> None:
        self._graph, self._config, self._seed = graph, config, seed
        self._data, self._folder, self._say = data, folder, say

    def learn(self) -> LearnedArchitecture:
        """All stages, with every coefficient; the best outcome by validation accuracy."""
        searcher = Searcher(
            self._graph, self._config, self._seed, self._data, self._say, run_with_bar
        )
        found: list[LearnedArchitecture] = []
        errors = []
        for lasso in self._config.lassos:
            folder = LassoFolder(self._folder, lasso)
            try:
                search = searcher.search(lasso, folder)
            except LassoError as error:
                errors.append(error)
                if len(self._config.lassos) > 1:
                    self._say(str(error))
                continue
            found.append(self._retrain(search, folder))
        if not found:
            raise errors[-1]
        outcomes = [(each.search, each.retrainings) for each in found]
        return dataclasses.replace(max(found, key=_score), searches=outcomes)

    def _retrain(self, search: Search, folder: LassoFolder) -> LearnedArchitecture:
        """Stage 5: restart with plain L2, from several seeds."""
        runs, weights = self._config.runs, None
        if self._config.restart == "surviving":
            weights = search.weights
        config = RunConfig.of(
            self._data, self._graph, search.architecture, self._config.retrain.settings
        )
        trainer = Trainer(self._graph, config)

        def run_from(seed: int, description: str) -> Run:
            with flags_of("retrain"):
                return run_with_bar(trainer, seed, f"5/5 retrain, {description}", weights=weights)

        seeds = range(self._seed, self._seed + runs)
        done = {record["seed"]: record for record in folder.retrainings(config, seeds)}
        best: Run | None = None
        for i, seed in enumerate(seeds, start=1):
            if seed in done:
                continue
            run = run_from(seed, f"run {i} of {runs}")
            done[seed] = records.of_run(config, run)
            folder.keep_retraining(done[seed])
            if protocol.ranked(list(done.values()))[0]["seed"] == seed:
                best = run
        ordered = [done[seed] for seed in seeds]
        best_seed = protocol.ranked(ordered)[0]["seed"]
        if best is None or best.seed != best_seed:  # made before an interruption: again, to the bit
            best = run_from(best_seed, "the best run again")
        self._say(_outcome(ordered, best))
        return LearnedArchitecture(
            architecture=search.architecture,
            search=search,
            retrainings=ordered,
            run=best,
            trainer=trainer,
            searches=[],
        )


def _outcome(found: list[records.Record], best: Run) -> str:
    mean = np.mean([record["val_accuracy"] for record in found])
    seconds = sum(record["seconds"] for record in found)
    several = f"mean validation {mean:.1%} of {len(found)} runs; " if len(found) > 1 else ""
    return f"5/5 retrain: {several}kept: {accuracies(best)} ({seconds:.0f} s)"


def _score(learned: LearnedArchitecture) -> tuple[float, float]:
    """Mean validation accuracy of the retrainings; the mean loss breaks ties."""
    return (
        float(np.mean([record["val_accuracy"] for record in learned.retrainings])),
        -float(np.mean([record["val_loss"] for record in learned.retrainings])),
    )
