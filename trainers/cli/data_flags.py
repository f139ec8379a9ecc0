"""The flags that say which graph to use, the same for every command line."""

from absl import flags

import datasets
from datasets import splits
from datasets.catalog import SPLITTERS
from mixhop_tf import SettingError
from mixhop_tf.training.scaling import SCALINGS
from trainers.cli import flag_help
from trainers.sweeps.data_config import DataConfig

# The flags below belong, in --help, to the command line that calls `define`.
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
            f"A graph by name ({names}), or the path of your own: a .npz or .graphml file, a "
            "folder of CSV files, or a folder in Planetoid's form.",
        )
        flags.DEFINE_string(
            "data_dir",
            None,
            "Folder with files of the named graph, looked in before the cache ($MIXHOP_DATA) and "
            "the network.",
        )
        flags.DEFINE_bool(
            "raw_features",
            False,
            "Keep the stored feature values; by default each non-zero becomes 1.",
        )
        flags.DEFINE_enum(
            "scaling",
            "auto",
            SCALINGS,
            "Of the features: rows: each node's to length one; standardize: each column to mean "
            "zero and deviation one; auto: rows where most are zero and none is negative, like the "
            "words of a text, else standardize. It is stored with the model.",
        )
        flags.DEFINE_enum(
            "split",
            "given",
            SPLITTERS,
            "given: the one that comes with the graph, or else stratified; random: --per_class "
            "nodes of each class train, --num_val validate, --num_test test; thirds: at random; "
            "stratified: 60, 20 and 20 % of each class, at random.",
        )
        flags.DEFINE_integer(
            "per_class", splits.PER_CLASS, "Training nodes of each class in a random split.", 1
        )
        flags.DEFINE_integer("num_val", splits.NUM_VAL, "Validation nodes in a random split.", 0)
        flags.DEFINE_integer("num_test", splits.NUM_TEST, "Test nodes in a random split.", 0)
        flags.DEFINE_integer(
            seed_flag,
            0,
            "Seed of the split and of generated graphs; of a file with several splits, which one.",
            0,
        )


def config() -> DataConfig:
    """The graph that the flags ask for, not loaded yet."""
    values = flags.FLAGS
    for name in ("per_class", "num_val", "num_test"):
        if values[name].present and values.split != "random":
            rule = f"goes with --split random, not with {values.split}; leave it out"
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
    )


def load() -> datasets.Graph:
    """The graph that the flags ask for."""
    return config().load(flags.FLAGS.data_dir)
