"""Repeats stability selection from several seeds: does each give the same architecture?

    python -m benchmarks.stability --out results/benchmarks/stability.md

For each graph and number of columns the whole procedure of `trainers.stable_arch` is repeated, with
other deals, weights and dropout each time. Validation accuracies are means over the deals of a
repetition. The file of numbers beside the table keeps each repetition, so a second call goes on
from there; `--folder` keeps the searches of a repetition that was interrupted.
"""

import itertools
import json
from pathlib import Path

from absl import flags

from datasets.atomic import replacing
from mixhop_tf.cores import num_cores
from mixhop_tf.pruning.candidates import EVEN, FAR, HIDDEN, LEARNED, Named
from mixhop_tf.pruning.comparison import gain, scores_of
from trainers.cli import app
from trainers.paper.learn_settings import learn_settings, stability_settings
from trainers.paper.presets import CITATION
from trainers.runs.stable_folder import StableFolder, identity
from trainers.runs.stable_run import learn
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table

_HEADER = (
    "graph", "columns", "seed", "learned widths", "even, %", "even far - even", "learned - even",
    "chosen",
)  # fmt: skip


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("only", ["cora", "citeseer", "pubmed"], "Graphs.")
    flags.DEFINE_list("columns", ["60", "30", "20"], "Columns of the hidden layer.")
    flags.DEFINE_integer("seeds", 5, "Repetitions.", 1)
    flags.DEFINE_string("folder", "runs/stability", "Keeps the results.")
    flags.DEFINE_string(
        "out", "results/benchmarks/stability.md", "File of the table; a .json has the numbers."
    )


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
    name, even, far = Named(columns, LEARNED), Named(columns, EVEN).text, Named(columns, FAR).text
    if name not in found.candidates:
        name = Named(columns, HIDDEN)
    ahead = gain(found.scores, name.text, even)
    return {
        "graph": dataset,
        "columns": columns,
        "seed": seed,
        "widths": [layer.dims for layer in found.candidates[name].layers],
        "even": float(scores_of(found.scores, even).mean()),
        "far": gain(found.scores, far, even).mean,
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
        f"{100 * result['far']:+.2f}",
        f"{100 * result['gain']:+.2f} ± {100 * result['interval']:.2f}",
        result["chosen"],
    ]


def main():
    """Repeats what has no result yet, and writes the table."""
    values = flags.FLAGS
    numbers = Path(values.out).with_suffix(".json")
    kept = json.loads(numbers.read_text(encoding="utf-8")) if numbers.exists() else []
    results = {(each["graph"], each["columns"], each["seed"]): each for each in kept}
    start_tensorflow(num_cores())
    for key in itertools.product(values.only, map(int, values.columns), range(values.seeds)):
        if key not in results:
            results[key] = repeat(*key)
            write(Path(values.out), _ordered(results))
    print(_table(_ordered(results)))


def write(path, results):
    """Writes the table, and the numbers beside it."""
    for target, text in (
        (path, _table(results)),
        (path.with_suffix(".json"), json.dumps(results, indent=1)),
    ):
        with replacing(target) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")


def _ordered(results):
    """By graph, from many columns to few."""
    return [
        results[key]
        for key in sorted(results, key=lambda key: (list(CITATION).index(key[0]), -key[1], key))
    ]


def _table(results):
    return markdown_table(list(_HEADER), [row(result) for result in results])


if __name__ == "__main__":
    app.run(main, define_flags)
