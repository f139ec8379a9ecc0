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
from datasets.errors import few
from mixhop_tf import SettingError
from trainers.cli import app, table_flags
from trainers.plots import style
from trainers.runs import embeddings, prediction, predictors, scoring
from trainers.runs.metrics import Scored
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("model", None, "Folder of a run or of a SavedModel.")
    flags.DEFINE_string("dataset", None, "The graph: a path, or a name such as cora.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the named graph.")
    flags.DEFINE_bool(
        "raw_features",
        False,
        "Keep the stored feature values. Set this only for a SavedModel outside its run's folder; "
        "the folder of a run already holds this setting.",
    )
    flags.DEFINE_string("out", "predictions.csv", "File to write.")
    flags.DEFINE_string(
        "embeddings",
        None,
        "File to write the last hidden layer of every node to, .csv or .parquet.",
    )
    flags.DEFINE_bool(
        "allow_changed_graph",
        False,
        "Predict even if the model has no features but eigenvectors and the graph has changed.",
    )
    table_flags.define()


def main() -> None:
    """Loads the model and the graph, writes the predictions, and prints the scores."""
    values = flags.FLAGS
    for name in ("model", "dataset"):
        if not values[name].value:
            raise SettingError(name, "must be given; --help shows how")
    out = Path(values.out).expanduser()
    if out.is_dir():
        rule = f"must be a file, such as {out / 'predictions.csv'}"
        raise SettingError("out", rule, str(out))
    table = values.embeddings and Path(values.embeddings).expanduser()
    if table:
        embeddings.check_path(table)
    start_tensorflow(num_cores())
    path = Path(values.model).expanduser()
    model = prediction.load_model(path)
    data = DataConfig(dataset=values.dataset, raw_features=values.raw_features)
    trained_on = prediction.training_data(path)
    given = table_flags.given(values.dataset)
    graph, same_split = prediction.load_graph(data, values.data_dir, model, trained_on, given)
    if not values.allow_changed_graph:
        prediction.check_stand_ins(graph, model)
    features, notes = prediction.aligned_features(graph, model)
    new = prediction.new_nodes(graph, model)
    if new:
        notes.append(f"{len(new):,} of {graph.num_nodes:,} nodes are new to the model: {few(new)}")
    for note in notes:
        print(note)
    start = time.perf_counter()
    predictor = predictors.predictor(graph, features, model, out)
    answer = predictor.answer()
    print(f"{graph.num_nodes:,} nodes in {time.perf_counter() - start:.1f} s")
    predictor.write(answer, same_split)
    print(f"wrote {out}")
    if table:
        embeddings.write(table, graph, predictor.embeddings())
        print(f"wrote {table}")
    predictor.end()
    nodes, name, note = scoring.nodes_to_score(graph, new, same_split)
    if note:
        print(note)
    found = scoring.score(graph, answer, nodes, model, name=name, same_split=same_split)
    if found is not None:
        _show(found, graph, out)


def _show(found: Scored, graph: datasets.Graph, out: Path) -> None:
    """Prints the metrics and draws them beside the predictions."""
    print("\n".join(found.verdict.lines(per_class=True)))
    for name, figure in found.pictures(graph.name).items():
        stem = out.with_name(f"{out.stem}_{name}")
        style.save(figure, stem)
        print(f"wrote {stem}.{', .'.join(style.KINDS)}")


if __name__ == "__main__":
    app.run(main, define_flags)
