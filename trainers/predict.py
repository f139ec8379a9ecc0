"""Predicts the classes of a graph's nodes with a trained model, from its SavedModel alone.

python -m trainers.predict --model runs/mine --dataset my/folder     writes predictions.csv

The graph may be the one that the model was trained on, the same with further nodes and edges, or
another with the same features. Labels are not needed; where there are some, accuracy, macro-F1 and
a picture of what was taken for what are given.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from absl import flags

import datasets
from datasets.checks import SPLITS
from datasets.errors import few
from mixhop_tf import SettingError
from trainers.cli import app
from trainers.plots import style
from trainers.plots.confusion import confusion_matrix
from trainers.runs import prediction
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import num_cores, start_tensorflow


def define_flags() -> None:
    """Defines the flags of this command."""
    flags.DEFINE_string("model", None, "Folder of a run, or of a SavedModel.")
    flags.DEFINE_string("dataset", None, "The graph: a path, or a name as for trainers.train.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the named graph.")
    flags.DEFINE_bool(
        "raw_features",
        False,
        "Keep stored values. A run's folder knows it; say it of a SavedModel without its run.",
    )
    flags.DEFINE_string("out", "predictions.csv", "File to write.")


def main() -> None:
    """Loads model and graph, predicts, and says how right it is."""
    values = flags.FLAGS
    for name in ("model", "dataset"):
        if not values[name].value:
            raise SettingError(name, "must be given; --help shows how", values[name].value)
    out = Path(values.out).expanduser()
    if out.is_dir():
        rule = f"must be a file, such as {out / 'predictions.csv'}"
        raise SettingError("out", rule, str(out))
    start_tensorflow(num_cores())
    path = Path(values.model).expanduser()
    model = prediction.load_model(path)
    data = DataConfig(dataset=values.dataset, raw_features=values.raw_features)
    trained_on = prediction.training_data(path)
    graph, same_split = prediction.load_graph(data, values.data_dir, model, trained_on)
    features, notes = prediction.aligned_features(graph, model)
    new = prediction.new_nodes(graph, model)
    if new:
        notes.append(f"{len(new):,} of {graph.num_nodes:,} nodes are new to the model: {few(new)}")
    for note in notes:
        print(note)
    start = time.perf_counter()
    probabilities = prediction.predict(graph, features, model)
    print(f"{graph.num_nodes:,} nodes in {time.perf_counter() - start:.1f} s")
    prediction.write(out, graph, probabilities, model.class_names)
    print(f"wrote {out}")
    _print_scores(graph, probabilities, out, SPLITS if same_split else ())


def _print_scores(
    graph: datasets.Graph, probabilities: np.ndarray, out: Path, splits: tuple[str, ...]
) -> None:
    """Prints the scores of these splits and of all labelled nodes, and draws the last."""
    for split in splits:
        score = prediction.score(graph, probabilities, getattr(graph, split))
        if score:
            print(f"{split}: {score} ({score.num_nodes:,} nodes)")
    every = prediction.score(graph, probabilities)
    if every:
        print(f"all labelled nodes, also those of training: {every} ({every.num_nodes:,} nodes)")
        title = f"{every.num_nodes:,} nodes: {every}"
        picture = confusion_matrix(every.confusion, graph.class_names, title)
        for path in style.save(picture, out.with_name(f"{out.stem}_confusion")):
            print(f"wrote {path}")


if __name__ == "__main__":
    app.run(main, define_flags)
