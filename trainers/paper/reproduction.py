"""Runs a whole reproduction: the runs of a plan, and the architectures to learn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import Plan
from trainers.paper.run_cost import expected_seconds
from trainers.paper.study import Entry, Study
from trainers.sweeps import records
from trainers.sweeps.cell import Job
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.sweep import sweep_jobs


def run(
    plan: Plan,
    wide_dir: Path,
    num_workers: int | None = None,
    on_record: Callable[[], object] = lambda: None,
    engine: Engine = POOL,
) -> tuple[list[Job], list[Entry]]:
    """Makes the missing runs of a plan.

    Args:
        plan: The plan.
        wide_dir: Folder for the wide networks.
        num_workers: Number of runs at once; by default one per core.
        on_record: Called after each run.
        engine: Where the runs are made.

    Returns:
        The cells with their seeds, and the entries of the learned architectures.
    """
    jobs = list(plan.jobs())
    sweep_jobs(jobs, num_workers, on_record, expected_seconds, engine)
    entries: list[Entry] = []
    if "figure5" in plan.parts:
        retrainings, entries = _learn(plan, wide_dir, num_workers, engine)
        sweep_jobs(retrainings, num_workers, on_record, expected_seconds, engine)
        jobs += retrainings
    return jobs, entries


def _learn(
    plan: Plan, wide_dir: Path, num_workers: int | None, engine: Engine
) -> tuple[list[Job], list[Entry]]:
    """Learns architectures; returns the cells that retrain them and the entries of the studies."""
    jobs: list[Job] = []
    entries: list[Entry] = []
    for each in plan.architectures():
        path = each.path(plan.records_dir)
        study = Study(
            {DEFAULT_WAY: each.settings},
            each.data,
            plan.load(each.data),
            path,
            wide_dir / each.data.file_stem,
            plan.data_dir,
        )
        with records.exclusive(path.parent):
            learned = study.run(range(plan.size.learn_seeds), num_workers, engine)
        entries += learned
        jobs += [(cell, range(plan.size.learn_runs)) for cell in study.cells(learned)]
    return jobs, entries
