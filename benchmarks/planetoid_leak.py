"""Measures what Planetoid gains if test nodes choose the step, as in its authors' program.

    python -m benchmarks.planetoid_leak --out results/benchmarks/planetoid_leak.md

The program prints the best accuracy on test nodes during training. Here each run is made once, with
the tuned settings and without early stopping. Its accuracy is read off twice: at the step that
validation nodes choose, by the rule of all models, and at the best step for the test nodes. A file
of the same name with the ending .json has every run; graphs that `--graphs` leaves out keep theirs.
"""

import itertools
import json
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from mixhop_tf.classical.procedures import logits_by_step
from mixhop_tf.methods import METHODS
from trainers.cli import app
from trainers.paper.cells import EXPERIMENTS
from trainers.paper.presets import CITATION, preset
from trainers.sweeps.statistics import interval
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table
from trainers.text.numbers import plus_minus

MODEL = "planetoid"


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_integer("runs", 10, "Runs on each graph.", 2)
    flags.DEFINE_list("graphs", list(CITATION), "Graphs.")
    flags.DEFINE_string("out", None, "File to write the table to.")


def accuracies(graph, steps):
    """Accuracy on validation nodes and on test nodes after each step, `[steps, 2]`."""
    return np.array(
        [
            [
                np.mean(logits[nodes].argmax(axis=1) == graph.labels[nodes])
                for nodes in (graph.val, graph.test)
            ]
            for logits in steps
        ]
    )


def read_off(curve):
    """Test accuracy at the first best step for validation nodes, and the best there is."""
    val, test = curve.T
    return float(test[val.argmax()]), float(test.max())


def runs_of(dataset, num_runs):
    """The runs on a graph."""
    data = EXPERIMENTS[f"table1/{dataset}/{MODEL}"].data
    graph, tuned = data.load(None), preset("tuned", dataset, MODEL)
    settings = tuned.settings
    for seed in range(num_runs):
        steps = logits_by_step(
            graph,
            METHODS[MODEL](**tuned.architecture),
            scaling=data.scaling_of(graph),
            learning_rate=settings.learning_rate,
            l2=settings.l2,
            seed=seed,
        )
        by_val, by_test = read_off(accuracies(graph, itertools.islice(steps, settings.max_steps)))
        yield {"graph": dataset, "seed": seed, "steps": settings.max_steps} | {
            "chosen_by_validation": by_val,
            "chosen_by_test": by_test,
        }


def row(dataset, runs):
    """A row of the table."""
    by_val, by_test = (
        100 * np.array([run[f"chosen_by_{nodes}"] for run in runs])
        for nodes in ("validation", "test")
    )
    gain = by_test - by_val
    means = [plus_minus(each.mean(), interval(each)) for each in (by_val, by_test, gain)]
    return [dataset, *means, str(runs[0]["steps"]), str(len(runs))]


def main():
    """Prints the table."""
    start_tensorflow(1)
    path = flags.FLAGS.out and Path(flags.FLAGS.out)
    kept = json.loads(path.with_suffix(".json").read_text()) if path and path.exists() else []
    runs, rows = [], []
    for dataset in CITATION:
        if dataset in flags.FLAGS.graphs:
            runs.append(list(runs_of(dataset, flags.FLAGS.runs)))
        elif before := [run for run in kept if run["graph"] == dataset]:
            runs.append(before)
        else:
            continue
        rows.append(row(dataset, runs[-1]))
        print(rows[-1], flush=True)
    header = ["graph", "validation nodes choose", "test nodes choose", "gain", "steps", "runs"]
    table = markdown_table(header, rows)
    print(table)
    if path:
        lines = [json.dumps(run) for run in itertools.chain.from_iterable(runs)]
        for target, text in ((path, table), (path.with_suffix(".json"), _listed(lines))):
            with replacing(target) as temporary:
                temporary.write_text(f"{text}\n", encoding="utf-8")


def _listed(lines):
    return "[\n" + ",\n".join(lines) + "\n]"


if __name__ == "__main__":
    app.run(main, define_flags)
