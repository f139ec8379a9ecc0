"""Converts a graph to a store: a folder that is mapped into memory, for very large graphs.

python -m trainers.convert --dataset my/folder --out town.store    CSV, Parquet, .npz, … to a store
python -m trainers.convert --check town.store                      compares every checksum

Every command takes the store: --dataset town.store. A conversion that was stopped continues when
the same command is run again.
"""

from __future__ import annotations

from pathlib import Path

from absl import flags

import datasets
from datasets.paths import user_path
from datasets.store.convert import convert
from datasets.store.open import check_store, opened
from mixhop_tf import SettingError
from trainers.cli import app, data_flags


def define_flags() -> None:
    """Defines the flags of this command."""
    data_flags.define(default=None)
    flags.DEFINE_string("out", None, "Folder to write; its name ends in .store.")
    flags.DEFINE_string("check", None, "A store to check completely; nothing is converted.")


def main() -> None:
    """Converts the graph, or checks a store."""
    values = flags.FLAGS
    if values.check:
        graph = check_store(user_path(values.check))
        print(f"{values.check} is intact: {_sizes(graph)}")
        return
    for name in ("dataset", "out"):
        if not values[name].value:
            raise SettingError(name, "must be given", values[name].value)
    path: Path = convert(
        values.dataset, values.out, values.data_dir, **data_flags.config().arguments()
    )
    print(f"wrote {path}: {_sizes(opened(path))}")


def _sizes(graph: datasets.Graph) -> str:
    return (
        f"{graph.num_nodes:,} nodes, {graph.num_edges:,} edges, {graph.num_features:,} features, "
        f"{graph.num_classes:,} classes"
    )


if __name__ == "__main__":
    app.run(main, define_flags)
