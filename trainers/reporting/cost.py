"""The cost of a reproduction, from the seconds in its records."""

from __future__ import annotations

import dataclasses

from trainers.paper import study
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import Plan
from trainers.sweeps import records


@dataclasses.dataclass(frozen=True)
class Cost:
    """The cost of a plan.

    Attributes:
        num_planned: Number of runs in the plan.
        num_done: Number of these that are on record.
        hours: Time that the recorded runs took, one after the other.
    """

    num_planned: int
    num_done: int
    hours: float


def cost_of(plan: Plan) -> Cost:
    """The cost of all tables and figures, including the searches and their retrainings."""
    planned = done = 0
    seconds = 0.0
    for cell, seeds in plan.jobs():
        recorded = cell.records(seeds)
        planned += len(seeds)
        done += len(recorded)
        seconds += sum(record.get("seconds", 0.0) for record in recorded)
    for learned in plan.architectures():
        path = learned.path(plan.records_dir)
        entries = [
            entry
            for entry in study.read(path)
            if entry["search"] in (study.DEFAULT_ENTRY, DEFAULT_WAY)
        ]
        # Two seeds may have found the same architecture, which is retrained once.
        keys = {entry.get("retraining") for entry in entries}
        recorded = [
            record
            for record in records.read(path.with_suffix(".jsonl"))
            if record["key"] in keys and record["seed"] < plan.size.learn_runs
        ]
        repeated = len(entries) - len(keys)
        planned += (1 + plan.size.learn_seeds - repeated) * plan.size.learn_runs
        done += len(recorded)
        seconds += sum(each.get("seconds", 0.0) for each in [*entries, *recorded])
    return Cost(planned, done, seconds / 3600)
