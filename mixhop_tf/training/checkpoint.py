"""The state of a run on disk: a killed run goes on where it was, to the same bits.

The file is a `.npz` without pickles. Its array `header` holds JSON with the run's fingerprint and
the numbers that are no arrays; the other arrays are `curve`, and `variable_0`, `moment_0`, `best_0`
and so on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from mixhop_tf.errors import DivergedError
from mixhop_tf.folders import leftovers, replacing_file
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.patience import Best
from mixhop_tf.training.run import CurvePoint

log = logging.getLogger(__name__)

_FIELDS = [field.name for field in dataclasses.fields(CurvePoint)]


@dataclasses.dataclass
class State:
    """All that the next steps of a run depend on, and what it has given so far.

    Attributes:
        next_step: Number of the next call of the compiled step, from 0.
        curve: Every step so far.
        best: The best step so far, with its weights.
        patience: The state of `Patience`.
        seconds: Duration so far.
        variables: All variables of the model, seeds of dropout included.
        moments: The variables of the optimiser.
    """

    next_step: int = 0
    curve: list[CurvePoint] = dataclasses.field(default_factory=list)
    best: Best = dataclasses.field(default_factory=Best)
    patience: tuple[int, float, float] | None = None
    seconds: float = 0.0
    variables: Sequence[np.ndarray] = ()
    moments: Sequence[np.ndarray] = ()


class Checkpoint:
    """A file that keeps the state of a run.

    Args:
        path: The file; it ends in `.npz`. One process at a time may write it.
        every: Seconds from one time that it is written to the next.
        every_steps: The same in steps, whatever the time; for tests.
        keep: Whether the file stays when the run has ended, with its last state. Then whoever
            stores the results calls `remove`, and a kill in between loses nothing.

    Example:
    >>> import tempfile
    >>> from mixhop_tf import Checkpoint, GraphData, Settings, Trainer, Architecture
    >>> graph = GraphData(
    ...     edges=[[0, 1], [1, 2], [2, 3]], labels=[0, 0, 1, 1], train=[0, 3], val=[1], test=[2]
    ... )
    >>> trainer = Trainer(graph, Architecture.default(2), Settings(max_steps=5))
    >>> path = tempfile.mkdtemp() + "/state.npz"
    >>> trainer.run(seed=0, checkpoint=Checkpoint(path)).num_steps
    5
    """

    def __init__(
        self,
        path: str | Path,
        every: float = 60.0,
        *,
        every_steps: int | None = None,
        keep: bool = False,
    ) -> None:
        self.path, self.keep = Path(path), keep
        self._every, self._every_steps = every, every_steps
        self._next = time.monotonic() + every

    def load(self, fingerprint: str) -> State | None:
        """The state of the run with this fingerprint.

        None if there is no file, or if it is another run's or damaged. The log says so.
        """
        self._next = time.monotonic() + self._every
        try:
            with open(self.path, "rb") as file, np.load(file, allow_pickle=False) as content:
                arrays = dict(content)
            header = json.loads(arrays.pop("header").tobytes())
            same = header["fingerprint"] == fingerprint
            state = _state(header, arrays) if same else None
        except FileNotFoundError:
            return None
        except Exception:  # a damaged file fails in any way, and the run can do without it
            log.warning("%s is damaged; the run starts anew", self.path)
            return None
        if state is None:
            log.warning("%s is the state of another run; this one starts anew", self.path)
        else:
            log.info("going on after step %d, from %s", len(state.curve), self.path)
        return state

    def is_due(self, step: int) -> bool:
        """Whether it is time to save, after this step."""
        if self._every_steps is not None:
            return step % self._every_steps == 0
        return time.monotonic() >= self._next

    def save(self, fingerprint: str, state: State) -> None:
        """Writes the state, whole or not at all, and sees it to the disk."""
        header = {
            "fingerprint": fingerprint,
            "next_step": state.next_step,
            "score": state.best.score,
            "best": None if state.best.point is None else state.best.point.step,
            "patience": state.patience,
            "seconds": state.seconds,
        }
        rows = [[getattr(point, name) for name in _FIELDS] for point in state.curve]
        arrays = {
            "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
            "curve": np.array(rows, np.float64).reshape(-1, len(_FIELDS)),
            **_numbered("variable", state.variables),
            **_numbered("moment", state.moments),
            **_numbered("best", state.best.weights or ()),
        }
        with replacing_file(self.path) as temporary, open(temporary, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # its other arguments have defaults
        self._next = time.monotonic() + self._every

    def remove(self) -> None:
        """Removes the file, and what a killed process was writing."""
        for path in (self.path, *leftovers(self.path)):
            path.unlink(missing_ok=True)


class Keeper:
    """Keeps one run in a checkpoint, if there is one.

    As a context it ends with the run: the file is removed, or written a last time if it is to stay.
    It is also removed if the run diverges, which it would do again. Any other error leaves it.

    Args:
        checkpoint: The file; None keeps nothing.
        fingerprint: Gives the fingerprint of the run.
        variables: The variables of the model.
        moments: Those of the optimiser.
    """

    def __init__(
        self,
        checkpoint: Checkpoint | None,
        fingerprint: Callable[[], str],
        variables: Sequence[Any],
        moments: Sequence[Any],
    ) -> None:
        self._checkpoint = checkpoint
        self._fingerprint = fingerprint() if checkpoint else ""
        self._variables, self._moments = variables, moments
        self._state, self._start = State(), time.perf_counter()
        self.seconds_before = 0.0

    def load(self, fresh: Sequence[Any]) -> State:
        """Puts the state on disk into the variables, or else these fresh values.

        Returns:
            The state, which the run changes step by step: it is what will be saved.
        """
        if self._checkpoint:
            self._state = self._checkpoint.load(self._fingerprint) or self._state
        self.seconds_before = self._state.seconds
        for variable, value in zip(self._variables, self._state.variables or fresh, strict=True):
            variable.assign(value)
        if self._state.variables:
            for moment, value in zip(self._moments, self._state.moments, strict=True):
                moment.assign(value)
        return self._state

    def after(self, step: int) -> None:
        """Saves the state if it is time."""
        if self._checkpoint and self._checkpoint.is_due(step):
            self._save(self._checkpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._checkpoint is None:
            return
        if kind is None and self._checkpoint.keep:
            self._save(self._checkpoint)
        elif kind is None or issubclass(kind, DivergedError):
            self._checkpoint.remove()

    def _save(self, checkpoint: Checkpoint) -> None:
        state = self._state
        state.seconds = self.seconds_before + time.perf_counter() - self._start
        state.variables = [each.numpy() for each in self._variables]
        state.moments = [each.numpy() for each in self._moments]
        checkpoint.save(self._fingerprint, state)


def run_fingerprint(
    graph: Graph, identity: dict[str, Any], weights: Mapping[str, np.ndarray]
) -> str:
    """A hash of what decides the numbers of a run.

    Args:
        graph: The graph.
        identity: Everything else, in plain containers.
        weights: Weights by name from which the run starts, if not from fresh ones.
    """
    names = sorted(weights)
    content = {**identity, "weights": names, "num_classes": graph.num_classes}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
    features = graph.features
    parts = features.indptr, features.indices, features.data, graph.edges, graph.labels
    split = graph.train, graph.val, graph.test
    for array in (*parts, *split, *(weights[name] for name in names)):
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _state(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> State:
    steps = arrays.pop("curve").tolist()
    curve = [
        CurvePoint(**dict(zip(_FIELDS, row, strict=True)) | {"step": int(row[0])}) for row in steps
    ]
    best = Best()
    if header["best"] is not None:
        weights = _in_order(arrays, "best")
        best = Best(tuple(header["score"]), curve[header["best"] - 1], weights)
    return State(
        next_step=header["next_step"],
        curve=curve,
        best=best,
        patience=None if header["patience"] is None else tuple(header["patience"]),
        seconds=header["seconds"],
        variables=_in_order(arrays, "variable"),
        moments=_in_order(arrays, "moment"),
    )


def _numbered(name: str, arrays: Iterable[Any]) -> dict[str, np.ndarray]:
    return {f"{name}_{i}": np.asarray(array) for i, array in enumerate(arrays)}


def _in_order(arrays: dict[str, np.ndarray], name: str) -> list[np.ndarray]:
    count = sum(each.startswith(f"{name}_") for each in arrays)
    return [arrays[f"{name}_{i}"] for i in range(count)]
