"""Trains a few steps on a graph, alone or as one of several workers; `benchmarks.workers` runs it.

    python -m benchmarks.workers_task GRAPH STEPS FOLDER

Writes `RANK.json` to the folder: losses, seconds and CPU seconds of a step, peak memory, and the
columns that the worker gathers in a step.
"""

import itertools
import json
import os
import resource
import statistics
import sys
import time
from pathlib import Path

from trainers.sweeps.tensorflow import import_tensorflow


def cpu_seconds():
    """CPU seconds of this process so far."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(graph_path, steps, folder):
    """Trains and writes the file."""
    import_tensorflow()
    import datasets
    from mixhop_tf import Architecture, Settings
    from mixhop_tf.distributed.group import Group
    from mixhop_tf.training.make_trainer import make_trainer

    graph = datasets.load(graph_path)
    group = Group.join() if "TF_CONFIG" in os.environ else None
    widths = []
    if group is not None:
        gather = group.gather
        group.gather = lambda x: (widths.append(x.shape[1]), gather(x))[1]
    dry = {"input_dropout": 0.0, "hidden_dropout": 0.0}
    architecture = Architecture.default(graph.num_classes, **dry)
    settings = Settings(max_steps=steps, optimizer="adam", learning_rate=0.01, l2=1e-4)
    trainer = make_trainer(graph, architecture, settings, group=group)
    clocks, gathered = [], []

    def on_step(_point, _best):
        clocks.append((time.perf_counter(), cpu_seconds()))
        gathered.append(sum(widths))

    peaks = []
    run = trainer.run(0, lambda *points: (on_step(*points), peaks.append(_peak())))
    pairs = list(itertools.pairwise(clocks))
    result = {
        "losses": [point.loss for point in run.curve],
        "seconds": statistics.median(after[0] - before[0] for before, after in pairs),
        "cpu": statistics.median(after[1] - before[1] for before, after in pairs),
        "gb": peaks[-1],
        "columns": gathered[0],
    }
    rank = 0 if group is None else group.rank
    Path(folder, f"{rank}.json").write_text(json.dumps(result), encoding="utf-8")
    if group is not None:
        group.barrier()


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
