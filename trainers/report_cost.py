"""How long a reproduction takes, by the seconds of its records."""

from __future__ import annotations

import dataclasses

from trainers import experiments, records, study
from trainers.plan import Plan


@dataclasses.dataclass(frozen=True)
class Cost:
    """The runs that a plan asks for, how many of them are on record, and what those took.

    `hours` is one after the other: as many processes at once share them.
    """

    num_planned: int
    num_done: int
    hours: float


def cost_of(chosen: Plan) -> Cost:
    """Of all tables and figures, searches for architectures and their retrainings included."""
    planned = done = 0
    seconds = 0.0
    for cell, seeds in chosen.jobs():
        found = cell.records(seeds)
        planned += len(seeds)
        done += len(found)
        seconds += sum(record.get("seconds", 0.0) for record in found)
    for search in chosen.searches():
        path = search.path(chosen.records_dir)
        searches = [
            each
            for each in study.read(path)
            if each["search"] in (study.EVEN, experiments.DEFAULT_SEARCH)
        ]
        # Two searches may have found the same architecture, which is retrained once.
        keys = {each.get("retraining") for each in searches}
        found = [
            record
            for record in records.read(path.with_suffix(".jsonl"))
            if record["key"] in keys and record["seed"] < chosen.size.search_runs
        ]
        repeated = len(searches) - len(keys)
        planned += (1 + chosen.size.searches - repeated) * chosen.size.search_runs
        done += len(found)
        seconds += sum(each.get("seconds", 0.0) for each in [*searches, *found])
    return Cost(planned, done, seconds / 3600)
