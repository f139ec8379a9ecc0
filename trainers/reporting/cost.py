"""How long a reproduction takes, by the seconds of its records."""

from __future__ import annotations

import dataclasses

from trainers.paper import study
from trainers.paper.learn_settings import DEFAULT_WAY
from trainers.paper.plan import Plan
from trainers.sweeps import records


@dataclasses.dataclass(frozen=True)
class Cost:
    """The runs that a plan asks for, how many of them are on record, and what those took.

    `hours` is one after the other: as many processes at once share them.
    """

    num_planned: int
    num_done: int
    hours: float


def cost_of(plan: Plan) -> Cost:
    """The cost of all tables and figures, learned architectures and their retrainings included."""
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
        # Two seeds may have led to the same architecture, which is retrained once.
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
