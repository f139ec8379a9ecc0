"""Compares training on batches with training on the whole graph.

    python -m benchmarks.batches --out results/benchmarks/batches.md

Each cell is the mean test accuracy of ten seeds with its 95 % interval. All trainings of a graph
have the same architecture, learning rate and penalty. A step on batches has several updates, on
fields many, so it gets fewer steps: the numbers of updates differ, and a small gain of batches may
be due to that. The records stay in a folder; only missing runs are made.
"""

import dataclasses
from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from mixhop_tf import Architecture, Settings
from mixhop_tf.cores import num_cores
from trainers.cli import app
from trainers.sweeps import protocol
from trainers.sweeps.cell import Cell
from trainers.sweeps.config import RunConfig
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.sweep import sweep_jobs
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table
from trainers.text.numbers import percent

SEEDS = range(10)
WHOLE = Settings(max_steps=200, patience=60)
SAMPLED = Settings(max_steps=60, patience=20)
# Nodes of a batch: about a third of the graph, or a quarter of Pubmed.
SIZES = {
    "cora": 900,
    "citeseer": 1100,
    "pubmed": 5000,
    "synthetic-h0.2": 1700,
    "synthetic-h0.8": 1700,
}
KINDS = {
    "whole graph": None,
    "clusters": "clusters:size={size},partition=metis",
    "clusters, precompute": "clusters:size={size},partition=metis,precompute=yes",
    "walks": "walks:size={size}",
    "fields": "fields:size={fields}",
}


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_string("records", "results/benchmarks/batches", "Folder of the records.")
    flags.DEFINE_string("out", None, "File to write the table to.")
    flags.DEFINE_integer("workers", None, "Processes; by default one per core.", 1)


def cells_of(dataset):
    """Returns the cell of each kind of training on a graph, by name."""
    data = DataConfig(dataset=dataset)
    graph = data.load(None)
    architecture = Architecture.default(graph.num_classes, input_dropout=0.5, hidden_dropout=0.5)
    cells = {}
    for name, notation in KINDS.items():
        settings = WHOLE
        if notation:
            # A field has up to 111 nodes, but on these graphs mostly far fewer.
            text = notation.format(size=SIZES[dataset], fields=8 * SIZES[dataset])
            settings = dataclasses.replace(SAMPLED, batches=text)
        config = RunConfig.of(data, graph, architecture, settings)
        path = Path(flags.FLAGS.records) / f"{dataset}.jsonl"
        cells[name] = Cell(config, path, experiment=f"{dataset}, {name}")
    return cells


def row(dataset, cells):
    """Makes the row of a graph from the records."""
    summaries = [protocol.summarize(cell.records(SEEDS)) for cell in cells.values()]
    texts = [f"{percent(each.mean)} ± {percent(each.interval)}" for each in summaries]
    return [dataset, *texts]


def main():
    """Makes the missing runs and prints the table."""
    values = flags.FLAGS
    start_tensorflow(num_cores())
    cells = {dataset: cells_of(dataset) for dataset in SIZES}
    sweep_jobs([(cell, SEEDS) for each in cells.values() for cell in each.values()], values.workers)
    rows = [row(dataset, each) for dataset, each in cells.items()]
    table = markdown_table(["test accuracy, %", *KINDS], rows)
    print(table)
    if values.out:
        with replacing(Path(values.out)) as temporary:
            temporary.write_text(f"{table}\n", encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
