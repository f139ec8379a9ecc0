"""A sweep whose runs take no TensorFlow: many can be made, and killed, within seconds.

python fake_sweep.py FOLDER NUM_WORKERS NUM_SEEDS [ADDRESS OF A RAY CLUSTER]
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from small_settings import SETTINGS

from trainers.sweeps import records, sweep, worker
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.engine import POOL
from trainers.sweeps.errors import RunError
from trainers.sweeps.ray_engine import RayEngine


def fake_run(task):
    time.sleep(random.random() * float(os.environ.get("SLEEP", "0.02")))
    number = random.Random(f"{task.cell.label} {task.seed}").random()
    if os.environ.get("DIE") == f"{task.seed}" and not Path(os.environ["ONCE"]).exists():
        if os.environ["ONCE"] != os.devnull + "/never":
            Path(os.environ["ONCE"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if os.environ.get("FAIL") == f"{task.seed}":
        return worker.failure(task, records.FAILED, "for the test's sake")
    return {
        "experiment": task.cell.experiment,
        "key": task.cell.config.key(),
        "seed": task.seed,
        "status": records.DONE,
        "val_accuracy": number,
        "val_loss": number,
        "test_accuracy": number,
        "seconds": 0.0,
    }


def always_dies_at_one(task):
    if task.seed == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return fake_run(task)


def cells(folder):
    configs = [
        RunConfig(data=DataConfig(dataset=name), digest=name, architecture={}, settings=SETTINGS)
        for name in "ab"
    ]
    return [
        Cell(config, Path(folder) / f"{config.data.dataset}.jsonl", f"t/{config.data.dataset}/m")
        for config in configs
    ]


if __name__ == "__main__":
    worker.execute = fake_run
    engine = RayEngine(sys.argv[4]) if len(sys.argv) > 4 else POOL
    try:
        sweep.sweep(cells(sys.argv[1]), range(int(sys.argv[3])), int(sys.argv[2]), engine)
    except RunError as error:
        sys.exit(f"error: {error}")
