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
from trainers.config import RunConfig
from trainers.data_config import DataConfig
from trainers.errors import DivergedError, RunError
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
        config: What to do in the five stages, for example `experiments.learning(dataset)`.
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
        found: list[_Retraining] = []
        errors: list[RunError] = []
        for lasso in self._config.lassos:
            folder = LassoFolder(self._folder, lasso)
            try:
                search = searcher.search(lasso, folder)
                folder.keep_search(search, self._graph)
                found.append(self._retrain(search, folder))
            except (LassoError, DivergedError) as error:
                errors.append(error)
                if len(self._config.lassos) > 1:
                    self._say(str(error))
        if not found:
            raise errors[-1]
        best = max(found, key=_Retraining.score)
        run = best.best_run()
        self._say(f"kept: {accuracies(run)}")
        return LearnedArchitecture(
            architecture=best.search.architecture,
            search=best.search,
            retrainings=best.records,
            run=run,
            trainer=best.trainer,
            searches=[(each.search, each.records) for each in found],
        )

    def _retrain(self, search: Search, folder: LassoFolder) -> _Retraining:
        """Stage 5: restart without the proximal lasso, from several seeds."""
        settings = self._config.retrain.settings
        config = RunConfig.of(self._data, self._graph, search.architecture, settings)
        weights = search.weights if self._config.restart == "surviving" else None
        retraining = _Retraining(search, Trainer(self._graph, config), weights)
        seeds = range(self._seed, self._seed + self._config.runs)
        done = {record["seed"]: record for record in folder.retrainings(config, seeds)}
        for i, seed in enumerate(seeds, start=1):
            if seed in done:
                retraining.records.append(done[seed])
            else:
                record = retraining.run_from(seed, f"run {i} of {len(seeds)}")
                folder.keep_retraining(record)
        found = retraining.records
        mean = np.mean([record["val_accuracy"] for record in found])
        seconds = sum(record["seconds"] for record in found)
        self._say(
            f"5/5 retrain: validation {mean:.1%}, the mean of {len(found)} runs ({seconds:.0f} s)"
            if len(found) > 1
            else f"5/5 retrain: validation {mean:.1%} ({seconds:.0f} s)"
        )
        return retraining


class _Retraining:
    """The runs of one learned architecture; the best of those made here is kept with its model."""

    def __init__(
        self, search: Search, trainer: Trainer, weights: dict[str, np.ndarray] | None
    ) -> None:
        self.search, self.trainer, self._weights = search, trainer, weights
        self.records: list[records.Record] = []
        self._best: Run | None = None

    def run_from(self, seed: int, description: str) -> records.Record:
        """Makes a run, and gives its record."""
        run = self._run(seed, description)
        self.records.append(records.of_run(self.trainer.config, run))
        if self._best_seed() == seed:
            self._best = run
        return self.records[-1]

    def best_run(self) -> Run:
        """The best run by validation; made again, to the bit, if it was before an interruption."""
        seed = self._best_seed()
        if self._best is None or self._best.seed != seed:
            self._best = self._run(seed, "the best run again")
        return self._best

    def score(self) -> tuple[float, float]:
        """Mean validation accuracy of the runs; the mean loss breaks ties."""
        return (
            float(np.mean([record["val_accuracy"] for record in self.records])),
            -float(np.mean([record["val_loss"] for record in self.records])),
        )

    def _best_seed(self) -> int:
        return protocol.ranked(self.records)[0]["seed"]

    def _run(self, seed: int, description: str) -> Run:
        with flags_of("retrain"):
            return run_with_bar(
                self.trainer, seed, f"5/5 retrain, {description}", weights=self._weights
            )
