"""What the command line asks of the server."""

from __future__ import annotations

import dataclasses
from pathlib import Path


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServeRequest:
    """Where the server listens, and what it allows.

    Args:
        model: Folder of the model.
        name: Name of the model in addresses.
        host: Address to listen on.
        port: Port to listen on; 0 for any that is free.
        journal: File that keeps changes, or None.
        max_bytes: Largest body of a request.
        max_concurrent: Largest number of requests under way.
        max_seconds: Longest time until an answer.
        max_field: Largest number of nodes that an answer may depend on.
        max_changes: Largest number of nodes and edges that may be set or removed.
    """

    model: Path
    name: str
    host: str
    port: int
    journal: Path | None
    max_bytes: int
    max_concurrent: int
    max_seconds: float
    max_field: int
    max_changes: int
