"""The flags that choose the graph; they are the same for every command."""

from absl import flags

import datasets
from datasets import splits
from datasets.catalog import SPLITTERS
from mixhop_tf import SettingError
from mixhop_tf.layer_spec import DIRECTIONS
from mixhop_tf.training.scaling import SCALINGS
from trainers.cli import flag_help, table_flags
from trainers.sweeps.data_config import DataConfig

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

SPLIT_SEED = "split_seed"


def define(default: str | None, seed_flag: str = "seed") -> None:
    """Defines the flags.

    Args:
        default: The graph used when none is named.
        seed_flag: Name of the seed's flag: `SPLIT_SEED` where the command has another seed.
    """
    names = f"{', '.join(datasets.NAMES[:4])} … {datasets.NAMES[-1]}"
    with flag_help.group("Data"):
        flags.DEFINE_string(
            "dataset",
            default,
            f"Name of a graph ({names}), or path of your own: a folder of tables (CSV, Parquet, "
            "Feather), a table or a list of edges, a .npz, .graphml, .gexf or .gml file, or a "
            "folder in Planetoid's format.",
        )
        flags.DEFINE_string(
            "data_dir",
            None,
            "Folder with files of the named graph. It is searched before the cache ($MIXHOP_DATA) "
            "and the network.",
        )
        flags.DEFINE_bool(
            "raw_features",
            False,
            "Keep the stored feature values; by default each non-zero value becomes 1.",
        )
        flags.DEFINE_enum(
            "scaling",
            "auto",
            SCALINGS,
            "How features are scaled, which is stored with the model. rows: each node's features "
            "to length one; standardize: each column to mean zero and deviation one; none: not at "
            "all; auto: rows if most values are zero and none is negative, as for the words of a "
            "text, otherwise standardize.",
        )
        flags.DEFINE_enum(
            "split",
            "given",
            SPLITTERS,
            "How nodes are split into train, validation and test. given: the split that comes with "
            "the graph, or stratified if it has none; random: --per_class nodes of each class for "
            "training, --num_val for validation, --num_test for test; thirds: a third each, at "
            "random; stratified: 60, 20 and 20 % of each class, at random.",
        )
        flags.DEFINE_integer(
            "per_class", splits.PER_CLASS, "Training nodes of each class in a random split.", 1
        )
        flags.DEFINE_integer("num_val", splits.NUM_VAL, "Validation nodes in a random split.", 0)
        flags.DEFINE_integer("num_test", splits.NUM_TEST, "Test nodes in a random split.", 0)
        flags.DEFINE_integer(
            seed_flag,
            0,
            "Seed of the split and of generated graphs. If a file holds several splits, the number "
            "of the split.",
            0,
        )
        flags.DEFINE_enum(
            "direction",
            "undirected",
            DIRECTIONS,
            "Which neighbours a node reads. undirected: all, so directions are ignored; in: the "
            "nodes that point to it; out: the nodes that it points to; both: either kind, with "
            "kernels of its own (MixHop alone).",
        )
    table_flags.define()


def config() -> DataConfig:
    """The graph that the flags describe, not loaded yet."""
    values = flags.FLAGS
    for name in ("per_class", "num_val", "num_test"):
        if values[name].present and values.split != "random":
            rule = f"works only with --split random, not with --split {values.split}; leave it out"
            raise SettingError(name, rule, values[name].value)
    return DataConfig(
        dataset=values.dataset,
        raw_features=values.raw_features,
        split=values.split,
        per_class=values.per_class,
        num_val=values.num_val,
        num_test=values.num_test,
        scaling=values.scaling,
        seed=values.split_seed if SPLIT_SEED in values else values.seed,
        directed=values.direction != DIRECTIONS[0],
        **table_flags.given(values.dataset),
    )


def load() -> datasets.Graph:
    """The graph that the flags describe."""
    return config().load(flags.FLAGS.data_dir)
