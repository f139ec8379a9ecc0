"""The checkpoint of a run on several workers: the chief keeps it, and all continue from it."""

from __future__ import annotations

import io
from typing import IO

from mixhop_tf.distributed.group import Group
from mixhop_tf.training.checkpoint import Checkpoint, State


class SharedCheckpoint(Checkpoint):
    """Reads and writes a checkpoint on the chief alone.

    All workers have the same weights, so the chief's state is that of the run. The run may go on
    with another number of workers.

    Args:
        checkpoint: The checkpoint, or None to keep nothing.
        group: The workers.
    """

    def __init__(self, checkpoint: Checkpoint, group: Group) -> None:
        super().__init__(checkpoint.path, keep=checkpoint.keep)
        self._checkpoint, self._group = checkpoint, group

    def _content(self) -> IO[bytes]:
        """Opens the chief's file; an absent or unreadable one is empty on every worker."""
        content = b""
        if self._group.is_chief and self.path.exists():
            content = self.path.read_bytes()
        content = self._group.share(content)
        if not content:
            raise FileNotFoundError(str(self.path))
        return io.BytesIO(content)

    def is_due(self, step: int) -> bool:
        """Says whether it is time to save after this step; only the chief saves."""
        return self._group.is_chief and self._checkpoint.is_due(step)

    def save(self, fingerprint: str, state: State) -> None:
        """Writes the state on the chief."""
        if self._group.is_chief:
            self._checkpoint.save(fingerprint, state)

    def remove(self) -> None:
        """Removes the file on the chief."""
        if self._group.is_chief:
            self._checkpoint.remove()
