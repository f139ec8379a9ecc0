"""Is any division of 20 hidden columns among the powers better than an even one?

    python -m benchmarks.landscape --out results/benchmarks/landscape.md

Each row is an architecture: the columns of each power in the hidden layer, and the powers at the
output. All are trained on the same deals of the labelled nodes of Planetoid's split, with the
settings of Table 1. The difference to the default architecture is that of pairs, with its 95 %
interval; accuracy and loss are those of validation nodes. Test nodes take no part. The file of
numbers beside the table keeps each training, so a second call goes on from there.
"""

import json
from pathlib import Path

import numpy as np
from absl import flags

from datasets.atomic import replacing
from mixhop_tf.architecture import Architecture
from mixhop_tf.cores import num_cores
from mixhop_tf.pruning.comparison import DealScore, Spread
from mixhop_tf.training.choose import redealt
from mixhop_tf.training.deal_trainer import DealTrainer
from trainers.cli import app
from trainers.paper.learn_settings import learn_settings
from trainers.plots.style import COLOURS, new_figure, save
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow
from trainers.text.markdown import markdown_table
from trainers.text.numbers import NONE

DEFAULT = "7,7,6 → 0,1,2"
ROWS = (
    DEFAULT,
    "7,7,6 → 1,2",
    "7,7,6 → 2",
    "7,7,6 → 3",
    "0,20 → 3",
    "0,0,20 → 2,3,4",
    "4,4,4,4,4 → 0,1,2,3,4",
    "4,4,4,4,4 → 2,3,4",
    "4,4,4,4,4 → 4",
    "0,1,4,5,10 → 1,2,3,4",
)
_DEAL_SEED, _FIRST_SEED = 100, 1000


def define_flags():
    """Defines the flags of this command."""
    flags.DEFINE_list("only", ["cora", "citeseer", "pubmed"], "Graphs.")
    flags.DEFINE_integer("deals", 8, "Deals of each architecture.", 1)
    flags.DEFINE_bool("report", False, "Only write the table.")
    flags.DEFINE_string(
        "out", "results/benchmarks/landscape.md", "File of the table; a .json has the numbers."
    )


def architecture_of(row, num_classes):
    """Reads `7,7,6 → 1,2`: columns of powers 0, 1 and 2, then the powers at the output."""
    hidden, output = ([int(each) for each in part.split(",")] for part in row.split(" → "))
    powers = range(max(len(hidden), max(output) + 1))
    hidden += [0] * (len(powers) - len(hidden))
    dims = [f"{power}:{hidden[power]}:{num_classes * (power in output)}" for power in powers]
    return Architecture.from_notation(
        ",".join(dims), num_classes=num_classes, hidden_dims=[sum(hidden)]
    )


def train(dataset, row, deals):
    """Trains an architecture on deals; yields their scores."""
    data = DataConfig(dataset=dataset)
    graph, recipe = data.load(None), learn_settings(data).retrain
    architecture = architecture_of(row, graph.num_classes).with_dropout(
        recipe.input_dropout, recipe.hidden_dropout
    )
    trainer = DealTrainer(graph, architecture, recipe.settings, scaling=data.scaling_of(graph))
    for deal in deals:
        run = trainer.deal(redealt(graph, deal, _DEAL_SEED)).run(_FIRST_SEED + deal)
        yield DealScore(row, deal, run.result.score, run.best.val_loss)  # all that the table needs


def main():
    """Trains what has no result yet, and writes the table."""
    values = flags.FLAGS
    out = Path(values.out)
    scores = read(out.with_suffix(".json"))
    if not values.report:
        start_tensorflow(num_cores())
        for dataset in values.only:
            for row in ROWS:
                own = scores.setdefault(dataset, [])
                done = {each.deal for each in own if each.name == row}
                missing = [deal for deal in range(1, values.deals + 1) if deal not in done]
                for score in train(dataset, row, missing) if missing else ():
                    own.append(score)
                    write(out, scores)
    write(out, scores)
    save(picture(scores), out.with_suffix(""))
    print(table(scores))


def read(path):
    """Reads the scores of each graph."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {dataset: [DealScore(*each) for each in own] for dataset, own in kept.items()}


def write(path, scores):
    """Writes the table, and the numbers beside it."""
    lines = [f' "{dataset}": [\n{_lines(own)}\n ]' for dataset, own in scores.items()]
    numbers = "{\n" + ",\n".join(lines) + "\n}"
    for target, text in ((path, table(scores)), (path.with_suffix(".json"), numbers)):
        with replacing(target) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")


def _lines(scores):
    ordered = sorted(scores, key=lambda each: (ROWS.index(each.name), each.deal))
    return ",\n".join(f"  {json.dumps(each[:4], ensure_ascii=False)}" for each in ordered)


def table(scores):
    """The table of all graphs."""
    header = ["graph", "columns → output", "deals", "validation, %", "loss", "against the default"]
    rows = [
        _row(dataset, row, own)
        for dataset, own in scores.items()
        for row in ROWS
        if any(each.name == row for each in own)
    ]
    return markdown_table(header, rows)


def picture(scores):
    """Draws how far each row is ahead of the default, graph by graph."""
    figure, axes = new_figure(1, len(scores), 3.2 + 2.2 * len(scores), 3.4)
    figure.suptitle("20 hidden columns: validation accuracy against the default, points ± 95 %")
    rows = [row for row in reversed(ROWS) if row != DEFAULT]
    for panel, (dataset, own) in zip(axes[0], scores.items(), strict=True):
        panel.set_title(dataset)
        panel.axvline(0, color=COLOURS["grey"], linewidth=0.8)
        for height, row in enumerate(rows):
            if any(each.name == row for each in own):
                ahead = ahead_of_default(own, row)
                panel.errorbar(
                    ahead.mean, height, xerr=ahead.interval, fmt="s", color=COLOURS["blue"],
                    markersize=4, capsize=2,
                )  # fmt: skip
        panel.set_yticks(range(len(rows)), rows if panel is axes[0, 0] else [""] * len(rows))
        panel.set_ylim(-0.5, len(rows) - 0.5)
        panel.set_xlim(-5, 5)
    return figure


def ahead_of_default(scores, row):
    """How far a row is ahead of the default on the deals that both have, in points."""
    own = {each.deal: each.score for each in scores if each.name == row}
    default = {each.deal: each.score for each in scores if each.name == DEFAULT}
    shared = sorted(own.keys() & default.keys())
    return Spread.of(100 * np.array([own[deal] - default[deal] for deal in shared]))


def _row(dataset, row, scores):
    own = {each.deal: each for each in scores if each.name == row}
    ahead = ahead_of_default(scores, row)
    return [
        dataset,
        row,
        str(len(own)),
        f"{100 * np.mean([each.score for each in own.values()]):.2f}",
        f"{np.mean([each.val_loss for each in own.values()]):.3f}",
        NONE if row == DEFAULT else f"{ahead.mean:+.2f} ± {ahead.interval:.2f}",
    ]


if __name__ == "__main__":
    app.run(main, define_flags)
