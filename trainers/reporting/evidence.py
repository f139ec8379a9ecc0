"""The data of a report: every table and figure of a plan, read from the records once."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import numpy as np

from datasets.synthetic import HOMOPHILIES, name_of
from trainers.paper import delta_record, homophily, plan, study
from trainers.paper.cells import EXPERIMENTS, Experiment
from trainers.paper.graphs import PUBLISHED
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import ArchitecturePlan, Plan
from trainers.paper.presets import CITATION
from trainers.paper.series import CITED, FIGURE_4, LABELS
from trainers.reporting import results
from trainers.reporting.results import OverSplits, Result
from trainers.sweeps import protocol, records
from trainers.sweeps.records import Record
from trainers.sweeps.statistics import Point, interval

_LEVELS = {name_of(level): level for level in HOMOPHILIES}


@dataclasses.dataclass(frozen=True)
class Evidence:
    """The results of a plan, from its records.

    Args:
        plan: The cells to report.
    """

    plan: Plan

    @functools.cached_property
    def table_1(self) -> list[Result]:
        """Every row of Table 1 that is run here, graph by graph."""
        return [self._result(each) for each in plan.table_rows("table1")]

    @functools.cached_property
    def table_3(self) -> list[tuple[Result, OverSplits | None]]:
        """The rows of Table 3: on the fixed split, and on the further splits that were run."""
        seeds = self.plan.further_seeds
        return [
            (self._result(each), results.over_splits(self.plan.further(each), seeds))
            for each in plan.table_rows("table3")
        ]

    def comparison(self, table: str) -> list[Result]:
        """The cells with runs of a comparison that the paper does not have: `own` or `original`."""
        rows = [self._result(each) for each in EXPERIMENTS.values() if each.table == table]
        rows.sort(key=lambda each: CITATION.index(each.graph))
        return [each for each in rows if each.runs]

    @functools.cached_property
    def accuracies(self) -> dict[str, list[Point]]:
        """The points of Figure 4, by line. Lines that the paper does not have need runs."""
        return {
            name: points
            for name, points in self._figure_4.items()
            if name in LABELS or (points and name in FIGURE_4)
        }

    @functools.cached_property
    def cited_accuracies(self) -> dict[str, list[Point]]:
        """The points of the methods that Table 1 cites, after MixHop's; empty without runs."""
        names = [name for name in CITED if self._figure_4[name]]
        return {name: self._figure_4[name] for name in ("mixhop", "mlp", *names) if names}

    @functools.cached_property
    def _figure_4(self) -> dict[str, list[Point]]:
        return homophily.curves(self.plan.series("figure4"), homophily.ACCURACY)

    @functools.cached_property
    def delta_shares(self) -> dict[str, list[Point]]:
        """The points of Figure 3, by line."""
        return homophily.curves(self.plan.series("figure3"), homophily.DELTAS)

    @functools.cached_property
    def ablations(self) -> dict[str, list[Point]]:
        """The points of the ablations of Figure 4 that have records, by line."""
        return homophily.curves(self.plan.ablations, homophily.ACCURACY)

    @functools.cached_property
    def published(self) -> dict[str, list[Point]]:
        """Figure 4 on the graphs that the authors published, by line; empty if it was not run."""
        folder = self.plan.records_dir / "synthetic" / PUBLISHED
        curves = {}
        for name in FIGURE_4:
            by_level: dict[float, list[float]] = {}
            for record in protocol.ranked(records.read(folder / f"{name}.jsonl")):
                level = _LEVELS[record["config"]["data"]["dataset"]]
                by_level.setdefault(level, []).append(record[homophily.ACCURACY])
            if by_level:
                curves[name] = [
                    Point(level, float(np.mean(values)), interval(np.array(values)), len(values))
                    for level, values in sorted(by_level.items())
                ]
        return curves

    @functools.cached_property
    def theorem(self) -> delta_record.DeltaRecord | None:
        """The fits to the two-hop delta operator, if they were made."""
        return delta_record.read(self.plan.records_dir / delta_record.NAME)

    def outcomes(self, learned: ArchitecturePlan) -> list[study.Outcome]:
        """The architectures that were learned, with their accuracies."""
        return study.outcomes(learned.path(self.plan.records_dir))

    def best_entry(self, learned: ArchitecturePlan) -> study.Entry | None:
        """The learned architecture with the best mean validation accuracy when retrained.

        This is the one rule by which an architecture is chosen to be drawn.
        """
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
        """Every record, including those of tuning and of ablations."""
        return records.read_all(self.plan.records_dir)

    def _result(self, experiment: Experiment) -> Result:
        name = plan.ROWS.get(experiment.row, experiment.row)
        seeds = experiment.seeds(self.plan.size.runs)
        return results.result_of(experiment, self.plan.cell(experiment), name, seeds)
