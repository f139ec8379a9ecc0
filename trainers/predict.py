"""Predicts the class of each node of a graph with a trained model.

python -m trainers.predict --model runs/mine --dataset my/folder     writes predictions.csv
python -m trainers.predict --model runs/mine --dataset my/folder --embeddings nodes.parquet

The command needs only the SavedModel of a run. The graph may be the training graph, the training
graph with new nodes and edges, or another graph with the same features. Labels are optional. If
there are labels, the command prints the metrics of the test nodes and draws them. If the split of
the training is unknown, it scores other labelled nodes, and says which.
"""

from __future__ import annotations

import time
from pathlib import Path

from absl import flags

import datasets
from mixhop_tf import SettingError
from trainers.cli import app, engine_flags, trained_flags
from trainers.plots import style
from trainers.runs import embeddings, predictors, scoring
from trainers.runs.metrics import Scored


def define_flags() -> None:
    """Defines the flags of this command."""
    trained_flags.define()
    flags.DEFINE_string("out", "predictions.csv", "File to write.")
    flags.DEFINE_string(
        "embeddings",
        None,
        "File to write the last hidden layer of every node to, .csv or .parquet.",
    )
    engine_flags.define("a large graph is predicted")
    flags.DEFINE_integer(
        "workers", None, "Parts of a prediction with --engine ray; by default one per processor.", 1
    )


def main() -> None:
    """Loads the model and the graph, writes the predictions, and prints the scores."""
    values = flags.FLAGS
    trained_flags.check()
    out = Path(values.out).expanduser()
    if out.is_dir():
        rule = f"must be a file, such as {out / 'predictions.csv'}"
        raise SettingError("out", rule, str(out))
    table = values.embeddings and Path(values.embeddings).expanduser()
    if table:
        embeddings.check_path(table)
    engine = engine_flags.engine()
    found = trained_flags.load()
    graph = found.graph
    start = time.perf_counter()
    if values.engine == engine_flags.RAY:
        num_parts = values.workers or engine.num_processors()
        predictor = predictors.shared(found, trained_flags.question(), out, engine, num_parts)
    else:
        predictor = predictors.predictor(graph, found.features, found.model, out)
    answer = predictor.answer()
    print(f"{graph.num_nodes:,} nodes in {time.perf_counter() - start:.1f} s")
    predictor.write(answer, found.same_split)
    print(f"wrote {out}")
    if table:
        embeddings.write(table, graph, predictor.embeddings())
        print(f"wrote {table}")
    predictor.end()
    nodes, name, note = scoring.nodes_to_score(graph, found.new, found.same_split)
    if note:
        print(note)
    scores = scoring.score(
        graph, answer, nodes, found.model, name=name, same_split=found.same_split
    )
    if scores is not None:
        _show(scores, graph, out)


def _show(found: Scored, graph: datasets.Graph, out: Path) -> None:
    """Prints the metrics and draws them beside the predictions."""
    print("\n".join(found.verdict.lines(per_class=True)))
    for name, figure in found.pictures(graph.name).items():
        stem = out.with_name(f"{out.stem}_{name}")
        style.save(figure, stem)
        print(f"wrote {stem}.{', .'.join(style.KINDS)}")


if __name__ == "__main__":
    app.run(main, define_flags)
