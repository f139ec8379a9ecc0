"""Predicts the classes of a graph's nodes with a trained model, from its SavedModel alone.

python -m trainers.predict --model runs/mine --dataset my/folder     writes predictions.csv

The graph may be the one that the model was trained on, the same with further nodes and edges, or
another with the same features. Labels are not needed; where there are some, accuracy, macro-F1 and
a picture of what was taken for what are given.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from absl import flags

import datasets
from datasets.checks import SPLITS
from datasets.errors import few
from trainers import command_line, figures, prediction
from trainers.data_config import DataConfig
from trainers.errors import RunError
from trainers.start_tensorflow import num_cores, start_tensorflow

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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


def confusion_figure(score: prediction.Score, class_names: tuple[str, ...]) -> Figure:
    """What was taken for what: shares of each class, and the number of nodes in each cell."""
    count = len(class_names)
    size = max(4.0, 0.55 * count + 2.0)
    figure, axes = figures.new_figure(1, 1, width=size + 0.8, height=size)
    panel = axes[0, 0]
    totals = score.confusion.sum(axis=1, keepdims=True)
    shares = score.confusion / totals.clip(min=1)
    image = panel.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for i, j in zip(*score.confusion.nonzero(), strict=True):
        colour = "white" if shares[i, j] > 0.5 else "black"
        panel.text(j, i, f"{score.confusion[i, j]:,}", ha="center", va="center", color=colour)
    panel.set_xticks(range(count), class_names, rotation=45, ha="right")
    panel.set_yticks(range(count), class_names)
    panel.set(xlabel="predicted", ylabel="label", title=f"{score.num_nodes:,} nodes: {score}")
    figure.colorbar(image, label="share of the label's nodes", shrink=0.8)
    return figure


def main() -> None:
    """Loads model and graph, predicts, and says how right it is."""
    values = flags.FLAGS
    for name in ("model", "dataset"):
        if not values[name].value:
            raise RunError(f"--{name} is needed; --help shows how.")
    out = Path(values.out).expanduser()
    if out.is_dir():
        raise RunError(f"{out} is a folder; name a file, such as {out / 'predictions.csv'}.")
    start_tensorflow(num_cores())
    path = Path(values.model).expanduser()
    model = prediction.load_model(path)
    asked = DataConfig(dataset=values.dataset, raw_features=values.raw_features)
    trained_on = prediction.training_data(path)
    graph, same_split = prediction.load_graph(asked, values.data_dir, model, trained_on)
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
    _tell_scores(graph, probabilities, out, SPLITS if same_split else ())


def _tell_scores(
    graph: datasets.Graph, probabilities: np.ndarray, out: Path, splits: tuple[str, ...]
) -> None:
    """The scores of these splits, and of all labelled nodes, with a picture of the last."""
    for split in splits:
        found = prediction.score(graph, probabilities, getattr(graph, split))
        if found:
            print(f"{split}: {found} ({found.num_nodes:,} nodes)")
    every = prediction.score(graph, probabilities)
    if every:
        print(f"all labelled nodes, also those of training: {every} ({every.num_nodes:,} nodes)")
        stem = out.with_name(f"{out.stem}_confusion")
        for path in figures.save(confusion_figure(every, graph.class_names), stem):
            print(f"wrote {path}")


if __name__ == "__main__":
    command_line.run(main, define_flags)
