"""The flags that choose where runs are made: on this machine, or on a Ray cluster."""

from __future__ import annotations

from absl import flags

from mixhop_tf import SettingError
from trainers.sweeps.engine import POOL, Engine
from trainers.sweeps.ray_engine import RayEngine

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

LOCAL, RAY = ENGINES = ("pool", "ray")


def define(what: str = "runs are made") -> None:
    """Defines the flags.

    Args:
        what: What the engine does, for the help.
    """
    flags.DEFINE_enum(
        "engine",
        LOCAL,
        ENGINES,
        f"Where {what}. pool: in processes of this machine; ray: in Ray tasks, which can use "
        "several machines (requirements-cluster.lock has the package).",
    )
    flags.DEFINE_string(
        "address",
        None,
        "HOST:PORT of a running Ray cluster, or auto for that of this machine. By default Ray "
        "starts on this machine and ends with the command. Only with --engine ray.",
    )


def engine() -> Engine:
    """The engine that the flags describe; it starts when the first task does.

    Raises:
        SettingError: There is an address, but the engine is not Ray.
        RunError: Ray is not installed.
    """
    values = flags.FLAGS
    if values.engine == RAY:
        return RayEngine(values.address)
    if values.address is not None:
        raise SettingError("address", "works only with --engine ray; leave it out", values.address)
    return POOL
