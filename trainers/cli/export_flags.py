"""The flags that choose what is saved of a trained model."""

from __future__ import annotations

from absl import flags

from trainers.runs.files import Export

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()


def define() -> None:
    """Defines the flags."""
    flags.DEFINE_bool("save_model", True, "Write model.keras and saved_model/.")
    flags.DEFINE_bool(
        "keep_node_ids",
        False,
        "Store the ids of your nodes in saved_model/. Without the ids, it stores salted hashes, so "
        "that it still recognises new nodes.",
    )
    flags.DEFINE_integer(
        "max_nodes",
        None,
        "Largest number of nodes in a sparse request to saved_model/; by default ten times those "
        "of the graph, and at least 100,000.",
        1,
    )


def export() -> Export | None:
    """How the model is exported; None if it is not."""
    values = flags.FLAGS
    return Export(values.keep_node_ids, values.max_nodes) if values.save_model else None
