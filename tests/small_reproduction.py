"""Does what `trainers.run_all` does, on a small graph: a sweep, a search and its retrainings.

python small_reproduction.py GRAPH FOLDER
"""

import dataclasses
import sys
from pathlib import Path

from small_learning import learn_settings
from small_settings import SETTINGS

import datasets
from mixhop_tf import Architecture
from trainers.paper import plan, reproduction
from trainers.paper.plan import ArchitecturePlan, Plan
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow


@dataclasses.dataclass(frozen=True, kw_only=True)
class SmallPlan(Plan):
    """Plans one sweep, and one architecture to learn."""

    cell_of_table: Cell
    to_learn: ArchitecturePlan

    def jobs(self):
        yield self.cell_of_table, range(4)

    def architectures(self):
        return [self.to_learn]


def run(graph, folder):
    data = DataConfig(dataset=str(graph))
    architecture = Architecture.default(6, hidden_dims=[12])
    config = RunConfig.of(data, datasets.load(str(graph)), architecture, SETTINGS)
    small = SmallPlan(
        plan.Size(learn_seeds=2, learn_runs=2),
        folder / "records",
        cell_of_table=Cell(config, folder / "records" / "table" / "cell.jsonl", "t/c/m"),
        to_learn=ArchitecturePlan(data, learn_settings()),
    )
    reproduction.run(small, folder / "wide", 2)


if __name__ == "__main__":
    start_tensorflow(1)
    run(Path(sys.argv[1]), Path(sys.argv[2]))
    print("done")
