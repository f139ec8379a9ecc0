"""Measures one task on a large graph in a process of its own.

    python -m benchmarks.large_task read FOLDER
    python -m benchmarks.large_task convert FOLDER STORE
    python -m benchmarks.large_task step STORE
    python -m benchmarks.large_task epoch STORE BATCHES NUMBER_OF_BATCHES [PARTITION.npy]
    python -m benchmarks.large_task predict STORE

Prints one JSON line: seconds, CPU seconds of all threads, peak GB, and GB after start-up. Imports,
the start of TensorFlow and its compilation are not timed. The epoch includes its validation.
`benchmarks.large_graph` runs it.
"""

import contextlib
import dataclasses
import json
import sys

import numpy as np

import datasets
import mixhop_tf
from benchmarks.peak_memory import Meter
from datasets.store.convert import convert
from mixhop_tf import Architecture, Batches, Settings
from mixhop_tf.cores import num_cores
from trainers.sweeps.tensorflow import start_tensorflow

# An epoch of more batches is extrapolated from so many nodes in batches.
_MEASURED_NODES = 2_800_000
_STEPS = 3
# Batches are cut ahead. In the last steps of a run there are none left to cut, so these steps would
# be too cheap: the runs are longer than what is measured.
_STEPS_OF_RUN = 6


class _Stop(Exception):  # noqa: N818 - no error: it ends a run that has been measured
    pass


def read_csv(folder):
    """Reads the tables of a folder."""
    meter = Meter()
    datasets.load(folder)
    return meter.result()


def convert_csv(folder, store):
    """Converts the tables of a folder to a store."""
    meter = Meter()
    convert(folder, store)
    return meter.result()


def step(store):
    """Makes steps on the whole graph; returns the cost of one, with its evaluation."""
    return _steps(datasets.load(store), Settings(max_steps=_STEPS_OF_RUN, optimizer="adam"), 1.0)


def epoch(store, batches, num_batches, partition=None):
    """Makes a part of an epoch on batches; returns the cost of a whole one, with its evaluation.

    Args:
        store: The graph.
        batches: The batches, in the notation of `Batches`.
        num_batches: Number of batches of an epoch.
        partition: File for the part of each node, for other libraries.
    """
    graph, described = datasets.load(store), Batches.parse(batches)
    measured = min(num_batches, max(1, _MEASURED_NODES // described.size))
    described = dataclasses.replace(described, updates=measured)
    settings = Settings(max_steps=_STEPS_OF_RUN, optimizer="adam", batches=str(described))
    result = _steps(graph, settings, measured / num_batches)
    if partition:
        _write_parts(graph, described, partition)
    return result


def predict(store):
    """Computes the exact logits of all nodes in blocks."""
    start_tensorflow(num_cores())
    graph = datasets.load(store)
    model = mixhop_tf.build_model(_architecture(graph), graph.num_features, graph.num_classes)
    model.adapt(graph.feature_matrix)
    meter = Meter()
    mixhop_tf.block_logits(model, graph)
    return meter.result()


def _steps(graph, settings, share):
    """Trains, and returns the cost of the last step."""
    start_tensorflow(num_cores())
    meter, seen = Meter(), []
    trainer = mixhop_tf.make_trainer(graph, _architecture(graph), settings)
    prepared = meter.result()
    meter.restart()

    def on_step(*_):
        seen.append(meter.result(share))
        meter.restart()
        if len(seen) == _STEPS:
            raise _Stop

    with contextlib.suppress(_Stop):
        trainer.run(0, on_step=on_step)
    return seen[-1] | {f"prepared_{name}": prepared[name] for name in ("seconds", "cpu")}


def _architecture(graph):
    return Architecture.default(graph.num_classes, input_dropout=0.5, hidden_dropout=0.9)


def _write_parts(graph, batches, path):
    # At the top, these imports would start TensorFlow for reading and converting, too.
    from mixhop_tf.training.batches.make import rows_of
    from mixhop_tf.training.batches.partition import make_partition

    model = mixhop_tf.build_model(_architecture(graph), graph.num_features, graph.num_classes)
    count = -(-graph.num_nodes // batches.size) * batches.parts
    partition = make_partition(rows_of(graph, model)[0], count, "grown")
    parts = np.empty(graph.num_nodes, np.int64)
    parts[partition.order] = np.repeat(np.arange(count), np.diff(partition.bounds))
    np.save(path, parts)


def main(task, *arguments):
    """Runs a task and prints its cost."""
    if task == "epoch":
        store, batches, num_batches, *rest = arguments
        result = epoch(store, batches, int(num_batches), *rest)
    else:
        tasks = {"read": read_csv, "convert": convert_csv, "step": step, "predict": predict}
        result = tasks[task](*arguments)
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
