"""The flags of several workers that train one model together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from absl import flags

from mixhop_tf import SettingError
from trainers.cli import engine_flags
from trainers.cluster import joining
from trainers.cluster.local import train_on_this_machine

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
        SettingError: The engine does not start such workers.
    """
    values = flags.FLAGS
    if values.join or not values.workers or values.workers < 2:
        return False
    if "engine" in values and values.engine != engine_flags.LOCAL:
        rule = "must be pool for one run on several workers; on other machines, start each worker"
        raise SettingError("engine", f"{rule} with --join", values.engine)
    train_on_this_machine([sys.executable, "-m", module, *_given(), "--join"], values.workers)
    return True


def _given() -> list[str]:
    """The flags that were given, as words of a command."""
    found = {flags.FLAGS[name].name: flags.FLAGS[name] for name in flags.FLAGS}
    return [flag.serialize() for flag in found.values() if flag.present]
