"""Trains a few steps on a graph, alone or as one of several workers; `benchmarks.workers` runs it.

    python -m benchmarks.workers_task GRAPH STEPS FOLDER

Writes `RANK.json` to the folder: losses, seconds and CPU seconds of a step, peak memory, how much
of it is this process' own (without the code of libraries, which processes of a machine share), and
the columns that the worker gathers in a step.
"""

import itertools
import json
import os
import resource
import statistics
import sys
import threading
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
    cells = []
    if group is not None:
        gather = group.gather_piece
        group.gather_piece = lambda x: (cells.append(x.shape.num_elements()), gather(x))[1]
    dry = {"input_dropout": 0.0, "hidden_dropout": 0.0}
    architecture = Architecture.default(graph.num_classes, **dry)
    settings = Settings(max_steps=steps, optimizer="adam", learning_rate=0.01, l2=1e-4)
    trainer = make_trainer(graph, architecture, settings, group=group)
    clocks, gathered = [], []

    def on_step(_point, _best):
        clocks.append((time.perf_counter(), cpu_seconds()))
        gathered.append(sum(cells))

    peaks, own = [], _watch_own()
    run = trainer.run(0, lambda *points: (on_step(*points), peaks.append((_peak(), own[0]))))
    pairs = list(itertools.pairwise(clocks))
    result = {
        "losses": [point.loss for point in run.curve],
        "seconds": statistics.median(after[0] - before[0] for before, after in pairs),
        "cpu": statistics.median(after[1] - before[1] for before, after in pairs),
        "gb": peaks[-1][0],
        "own_gb": peaks[-1][1],
        "virtual_gb": _status("VmPeak"),
        "columns": round(gathered[0] / -(-graph.num_nodes // (group.size if group else 1))),
    }
    rank = 0 if group is None else group.rank
    Path(folder, f"{rank}.json").write_text(json.dumps(result), encoding="utf-8")
    if group is not None:
        group.barrier()


def _watch_own():
    """Samples the memory of this process that no file backs; returns a list of its peak in GB."""
    peak = [0.0]

    def watch():
        while True:
            peak[0] = max(peak[0], _status("RssAnon"))
            time.sleep(0.01)

    threading.Thread(target=watch, daemon=True).start()
    return peak


def _status(name):
    """Returns a size that Linux knows of this process, in GB."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith(name))
    return int(kilobytes) * 1024 / 1e9


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
