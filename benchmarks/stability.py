"""Repeats stability selection from several seeds: does each give the same architecture?

    python -m benchmarks.stability --out results/benchmarks/stability.md

For each graph and number of columns the whole procedure of `trainers.stable_arch` is repeated, with
other deals, weights and dropout each time. Validation accuracies are means over the deals of a
repetition. `--folder` keeps all results, so a second call continues.
"""

import json
from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from mixhop_tf.cores import num_cores
from mixhop_tf.pruning.candidates import HIDDEN, LEARNED, Named
from mixhop_tf.pruning.comparison import gain, scores_of
from trainers.cli import app
from trainers.paper.learn_settings import learn_settings, stability_settings
from trainers.runs.stable_folder import StableFolder, identity
from trainers.runs.stable_run import learn
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

_HEADER = ("graph", "columns", "seed", "learned widths", "even, %", "learned - even", "chosen")


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("only", ["cora", "citeseer", "pubmed"], "Graphs.")
    flags.DEFINE_list("columns", ["60", "30", "20"], "Columns of the hidden layer.")
    flags.DEFINE_integer("seeds", 5, "Repetitions.", 1)
    flags.DEFINE_string("folder", "runs/stability", "Keeps the results.")
    flags.DEFINE_string("out", None, "File to write the table to; a .json with the numbers, too.")


def repeat(dataset, columns, seed):
    """Makes one repetition; returns its row as a dictionary."""
    data = DataConfig(dataset=dataset)
    settings, stability, graph = learn_settings(data), stability_settings(data), data.load(None)
    folder = Path(flags.FLAGS.folder) / f"{dataset}-{seed}"
    found = learn(
        StableFolder(folder, identity(settings, stability, data, graph, seed)),
        graph,
        settings,
        stability,
        (columns,),
        seed=seed,
        scaling=data.scaling_of(graph),
    )
    name, even = Named(columns, LEARNED), Named(columns, "even").text
    if name not in found.candidates:
        name = Named(columns, HIDDEN)
    ahead = gain(found.scores, name.text, even)
    return {
        "graph": dataset,
        "columns": columns,
        "seed": seed,
        "widths": [layer.dims for layer in found.candidates[name].layers],
        "even": float(scores_of(found.scores, even).mean()),
        "gain": ahead.mean,
        "interval": ahead.interval,
        "chosen": found.chosen.kind,
    }


def row(result):
    """A row of the table."""
    return [
        result["graph"],
        str(result["columns"]),
        str(result["seed"]),
        " → ".join(",".join(map(str, dims)) for dims in result["widths"]),
        f"{100 * result['even']:.2f}",
        f"{100 * result['gain']:+.2f} ± {100 * result['interval']:.2f}",
        result["chosen"],
    ]


def main():
    """Repeats, and prints or writes the table."""
    values = flags.FLAGS
    start_tensorflow(num_cores())
    results = [
        repeat(dataset, int(columns), seed)
        for dataset in values.only
        for columns in values.columns
        for seed in range(values.seeds)
    ]
    table = markdown_table(list(_HEADER), [row(result) for result in results])
    print(table)
    if values.out:
        for path, text in (
            (Path(values.out), table + "\n"),
            (Path(values.out).with_suffix(".json"), json.dumps(results, indent=1) + "\n"),
        ):
            with replacing(path) as temporary:
                temporary.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    app.run(main, define_flags)
