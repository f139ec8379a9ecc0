"""What a report is made of: every table and figure of a plan, read from the records once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

from trainers.paper import homophily, plan, study
from trainers.paper.cells import EXPERIMENTS, Experiment
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import ArchitecturePlan, Plan
from trainers.paper.presets import CITATION
from trainers.reporting import results
from trainers.reporting.results import OverSplits, Result
from trainers.sweeps import records
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import Point


@dataclasses.dataclass(frozen=True)
class Evidence:
    """What the records of a plan say.

    Args:
        plan: The cells.
    """

    plan: Plan

    @functools.cached_property
    def table_1(self) -> list[Result]:
        """Every row of Table 1 that is run, graph by graph."""
        return [self._result(each) for each in plan.table_rows("table1")]

    @functools.cached_property
    def table_3(self) -> list[tuple[Result, OverSplits | None]]:
        """The rows of Table 3: on the fixed split, and on the further ones that were run."""
        seeds = self.plan.further_seeds
        return [
            (self._result(each), results.over_splits(self.plan.further(each), seeds))
            for each in plan.table_rows("table3")
        ]

    def comparison(self, table: str) -> list[Result]:
        """The cells that were run of a comparison of our own: `own` or `original`."""
        rows = [self._result(each) for each in EXPERIMENTS.values() if each.table == table]
        rows.sort(key=lambda each: CITATION.index(each.graph))
        return [each for each in rows if each.runs]

    @functools.cached_property
    def accuracies(self) -> dict[str, list[Point]]:
        """The points of Figure 4, by line."""
        return homophily.curves(self.plan.series("figure4"), homophily.ACCURACY)

    @functools.cached_property
    def delta_shares(self) -> dict[str, list[Point]]:
        """The points of Figure 3, by line."""
        return homophily.curves(self.plan.series("figure3"), homophily.DELTAS)

    @functools.cached_property
    def ablations(self) -> dict[str, list[Point]]:
        """The points of the ablations of Figure 4 that have records, by line."""
        return homophily.curves(self.plan.ablations, homophily.ACCURACY)

    def outcomes(self, learned: ArchitecturePlan) -> list[study.Outcome]:
        """What learning an architecture led to."""
        return study.outcomes(learned.path(self.plan.records_dir))

    def best_entry(self, learned: ArchitecturePlan) -> study.Entry | None:
        """The architecture that has the best validation accuracy when retrained."""
        worth = {
            each.seed: each.retrained for each in self.outcomes(learned) if each.way == DEFAULT_WAY
        }
        entries: Sequence[study.Entry] = [
            entry
            for entry in study.read(learned.path(self.plan.records_dir))
            if entry["search"] == DEFAULT_WAY and entry["seed"] in worth
        ]
        return max(entries, key=lambda entry: worth[entry["seed"]], default=None)

    @functools.cached_property
    def records(self) -> list[Record]:
        """Every record, also those of tuning and of ablations."""
        return records.read_all(self.plan.records_dir)

    def _result(self, experiment: Experiment) -> Result:
        name = plan.ROWS.get(experiment.row, experiment.row)
        return results.result_of(experiment, self.plan.cell(experiment), name, self.plan.seeds)
