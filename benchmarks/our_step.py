"""Times the steps of a model in the trainer.

    python -m benchmarks.our_step DATASET GRAPH.npz MODEL whole|part STEPS

Prints one JSON line, like `pyg_step.py`: seconds of each step, and peak memory in MB. One compiled
function evaluates the current weights and trains. It uses the `whole` graph, or the `part` that
training and validation nodes see, as the trainer does. For MixHop the settings are those of its
original scripts with the default architecture; for a baseline, those of its own paper.
"""

import dataclasses
import itertools
import json
import sys
import time
from pathlib import Path

import datasets
import mixhop_tf
from benchmarks.peak_memory import peak_megabytes
from mixhop_tf.cores import num_cores
from trainers.paper import presets
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.graphs import largest_eigenvalue
from trainers.sweeps.tensorflow import start_tensorflow


def main(dataset, path, model, extent, num_steps):
    """Measures and prints the result."""
    graph = datasets.load(Path(path))
    is_mixhop = model == "mixhop"
    preset = presets.preset("original" if is_mixhop else "own", dataset, model)
    start_tensorflow(num_cores())
    request = ArchitectureRequest(model=model, name="default" if is_mixhop else None)
    architecture = request.resolve(
        dataset, graph.num_classes, preset, lambda: largest_eigenvalue(graph)
    )
    settings = dataclasses.replace(
        preset.settings, max_steps=num_steps + 1, patience=num_steps, decay_fraction=0.0
    )
    times = []
    trainer = mixhop_tf.Trainer(
        graph, architecture, settings, whole_graph={"whole": True, "part": False}[extent]
    )
    trainer.run(0, on_step=lambda *_: times.append(time.perf_counter()))
    seconds = [after - before for before, after in itertools.pairwise(times)]
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes()}))


if __name__ == "__main__":
    main(*sys.argv[1:5], int(sys.argv[5]))
