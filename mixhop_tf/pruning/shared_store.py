"""The store of several workers: the chief reads and writes, and all know what it read."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mixhop_tf.architecture import Architecture
from mixhop_tf.distributed.group import Group
from mixhop_tf.pruning.stages import Peak, Pruning, Store
from mixhop_tf.training.checkpoint import Checkpoint
from mixhop_tf.training.run import Run, RunResult
from mixhop_tf.training.settings import Settings

_RESULT = "result"  # name of an array beside the weights


class SharedStore(Store):
    """Keeps the results of the stages on the chief.

    Args:
        store: The chief's store. The other workers have one of the same kind, which stays unused.
        group: The workers.
    """

    def __init__(self, store: Store, group: Group) -> None:
        self._store, self._group = store, group

    def load_peak(self, lasso: float, wide: Architecture, settings: Settings) -> Peak | None:
        """Loads the result of stage 2 on the chief, for all workers."""
        content = b""
        if self._group.is_chief:
            peak = self._store.load_peak(lasso, wide, settings)
            content = b"" if peak is None else _packed(peak)
        content = self._group.share(content)
        return _unpacked(content) if content else None

    def keep_peak(self, peak: Peak, lasso: float, wide: Architecture, settings: Settings) -> None:
        """Keeps the result of stage 2."""
        if self._group.is_chief:
            self._store.keep_peak(peak, lasso, wide, settings)

    def keep_pruning(self, pruning: Pruning) -> None:
        """Keeps the result of stage 4."""
        if self._group.is_chief:
            self._store.keep_pruning(pruning)

    def checkpoint(self, lasso: float) -> Checkpoint | None:
        """The checkpoint of the store; the trainer of several workers uses the chief's."""
        return self._store.checkpoint(lasso)

    def load_retrainings(
        self, lasso: float, architecture: Architecture, settings: Settings, seeds: Iterable[int]
    ) -> Sequence[RunResult]:
        """Loads the finished retrainings of stage 5 on the chief, for all workers."""
        results: list[dict[str, Any]] = []
        if self._group.is_chief:
            found = self._store.load_retrainings(lasso, architecture, settings, seeds)
            results = [dataclasses.asdict(each) for each in found]
        shared = json.loads(self._group.share(json.dumps(results).encode()))
        return [RunResult(**each) for each in shared]

    def keep_retraining(
        self, run: Run, lasso: float, architecture: Architecture, settings: Settings
    ) -> None:
        """Keeps a run of stage 5."""
        if self._group.is_chief:
            self._store.keep_retraining(run, lasso, architecture, settings)


def _packed(peak: Peak) -> bytes:
    result = json.dumps(dataclasses.asdict(peak.result)).encode()
    file = io.BytesIO()
    arrays: dict[str, Any] = {_RESULT: np.frombuffer(result, np.uint8), **peak.weights}
    np.savez(file, **arrays)
    return file.getvalue()


def _unpacked(content: bytes) -> Peak:
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        weights = dict(found)
    return Peak(weights, RunResult(**json.loads(weights.pop(_RESULT).tobytes())))
