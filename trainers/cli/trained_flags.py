"""Flags of the commands that ask a trained model about a graph, and what they name."""

from __future__ import annotations

from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.cores import num_cores
from trainers.cli import table_flags
from trainers.runs import trained
from trainers.runs.question import Question
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.tensorflow import start_tensorflow


def define() -> None:
    """Defines the flags that name the model and the graph."""
    flags.DEFINE_string("model", None, "Folder of a run or of a SavedModel.")
    flags.DEFINE_string("dataset", None, "The graph: a path, or a name such as cora.")
    flags.DEFINE_string("data_dir", None, "Folder with files of the named graph.")
    flags.DEFINE_bool(
        "raw_features",
        False,
        "Keep the stored feature values. Set this only for a SavedModel outside its run's folder; "
        "the folder of a run already holds this setting.",
    )
    flags.DEFINE_bool(
        "allow_changed_graph",
        False,
        "Predict even if the model has no features but eigenvectors and the graph has changed.",
    )
    table_flags.define()


def check() -> None:
    """Refuses a command line without a model or a graph, before anything is loaded."""
    for name in ("model", "dataset"):
        if not flags.FLAGS[name].value:
            raise SettingError(name, "must be given; --help shows how")


def question() -> Question:
    """The model and the graph that the flags name."""
    values = flags.FLAGS
    return Question(
        Path(values.model).expanduser(),
        DataConfig(dataset=values.dataset, raw_features=values.raw_features),
        values.data_dir,
        tuple(table_flags.given(values.dataset).items()),
        values.allow_changed_graph,
    )


def load() -> trained.Trained:
    """Starts TensorFlow, loads the model and the graph, and prints what is worth knowing."""
    check()
    start_tensorflow(num_cores())
    found = question().load()
    for note in found.notes:
        print(note)
    return found
