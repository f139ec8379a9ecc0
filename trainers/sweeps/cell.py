"""A cell of a table: the runs of one config and the file of their records."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from trainers.sweeps import records
from trainers.sweeps.config import RunConfig
from trainers.sweeps.records import Record


@dataclasses.dataclass(frozen=True)
class Cell:
    """Runs of one config and the file of their records.

    Args:
        config: Config of the runs.
        path: File of the records; it may hold records of other configs, too.
        experiment: Name of the experiment, if there is one.
        data_dir: Folder that may hold files of the graph.
    """

    config: RunConfig
    path: Path
    experiment: str | None = None
    data_dir: str | None = None

    @property
    def label(self) -> str:
        """A name to show."""
        return self.experiment or self.config.data.dataset

    def records(self, seeds: Iterable[int]) -> list[Record]:
        """The existing records of the runs from `seeds`, in the order of the seeds."""
        index = records.index(self.path)
        keys = self.config.path_key(), self.config.key()  # earlier versions used the first
        by_seed = {seed: record for key in keys for seed, record in index.get(key, {}).items()}
        return [by_seed[seed] for seed in sorted(set(seeds)) if seed in by_seed]

    def missing(self, seeds: Iterable[int]) -> list[int]:
        """The seeds without a record, or whose run failed and may succeed if repeated."""
        seeds = list(seeds)
        settled = {
            record["seed"] for record in self.records(seeds) if record["status"] != records.FAILED
        }
        return [seed for seed in seeds if seed not in settled]


# A cell and the seeds of its runs.
Job = tuple[Cell, Sequence[int]]
