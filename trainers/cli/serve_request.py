"""The flags of `trainers.serve`, resolved once."""

from __future__ import annotations

import re
from pathlib import Path

from absl import flags

from mixhop_tf import SettingError
from trainers.cli import flag_help
from trainers.serving.request import ServeRequest

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()

_MEGABYTE = 1_000_000


def define() -> None:
    """Defines the flags."""
    flags.DEFINE_string("host", "127.0.0.1", "Address to listen on; the default is this machine.")
    flags.DEFINE_integer("port", 8501, "Port to listen on; 0 for any that is free.", 0, 65535)
    define_name()
    flags.DEFINE_string(
        "journal",
        None,
        "File that keeps all changes of the graph, so that they survive a restart. Without it they "
        "are lost when the server ends.",
    )
    with flag_help.group("Limits"):
        flags.DEFINE_float("max_megabytes", 16.0, "Largest body of a request.", 0.001)
        flags.DEFINE_integer("max_concurrent", 128, "Largest number of requests at once.", 1)
        flags.DEFINE_float("max_seconds", 30.0, "Longest time until an answer.", 0.01)
        flags.DEFINE_integer(
            "max_field", 200_000, "Largest number of nodes that an answer may depend on.", 1
        )
        flags.DEFINE_integer(
            "max_changes", 1_000_000, "Largest number of nodes and edges to add or change.", 0
        )


def define_name() -> None:
    """Defines the flag that names the model."""
    flags.DEFINE_string(
        "name", None, "Name of the model in addresses; by default that of its folder."
    )


def resolve_name(values: flags.FlagValues, folder: Path) -> str:
    """The name of the model; by default that of a folder.

    Raises:
        SettingError: It does not fit into an address.
    """
    name = values.name or re.sub(r"[^a-zA-Z0-9_.-]+", "_", folder.resolve().name) or "model"
    if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,100}", name):
        raise SettingError("name", "must be made of letters, digits, dots, _ and -", name)
    return name


def resolve(values: flags.FlagValues) -> ServeRequest:
    """Reads the flags.

    Raises:
        SettingError: A value does not fit.
    """
    model = Path(values.model).expanduser()
    return ServeRequest(
        model=model,
        name=resolve_name(values, model),
        host=values.host,
        port=values.port,
        journal=Path(values.journal).expanduser() if values.journal else None,
        max_bytes=int(values.max_megabytes * _MEGABYTE),
        max_concurrent=values.max_concurrent,
        max_seconds=values.max_seconds,
        max_field=values.max_field,
        max_changes=values.max_changes,
    )
