"""The flags of several workers that train one model together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from absl import flags

from trainers.cli import engine_flags
from trainers.cluster import joining
from trainers.cluster.local import train_on_this_machine
from trainers.cluster.on_ray import train_on_ray

if TYPE_CHECKING:
    from mixhop_tf.distributed.group import Group

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()


def define() -> None:
    """Defines the flags."""
    flags.DEFINE_bool(
        "join",
        False,
        "Make this process one of several workers that train one model together. The environment "
        "variable TF_CONFIG, or Slurm's variables, say which one it is.",
    )
    flags.DEFINE_float(
        "wait", 100.0, "Seconds to wait for the other workers. Only with --join.", 0.1
    )


def group() -> Group | None:
    """Joins the other workers, if the flags ask for it. Nothing in TensorFlow may come before."""
    return joining.join(flags.FLAGS.wait) if flags.FLAGS.join else None


def start_workers(module: str) -> bool:
    """Starts several workers, if the flags ask for it, and waits for them.

    Args:
        module: The command, such as `trainers.train`.

    Returns:
        Whether it did; the command has nothing left to do then.

    Raises:
        SettingError: The flags contradict each other.
        RunError: Workers were lost too often, or one could not do its work.
    """
    values = flags.FLAGS
    if values.join or not values.workers or values.workers < 2:
        return False
    command = ["-m", module, *_given(), "--join"]
    if values.engine == engine_flags.RAY:
        train_on_ray(command, values.workers, values.address)
    else:
        engine_flags.engine()  # refuses an address
        train_on_this_machine([sys.executable, *command], values.workers)
    return True


def _given() -> list[str]:
    """The flags that were given, as words of a command."""
    found = {flags.FLAGS[name].name: flags.FLAGS[name] for name in flags.FLAGS}
    return [flag.serialize() for flag in found.values() if flag.present]
