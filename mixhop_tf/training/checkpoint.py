"""Keeps the state of a run on disk, so that a killed run can continue with the same bits.

The file is a `.npz` without pickles. Its array `header` holds JSON with the run's fingerprint and
all single numbers. The other arrays are `curve`, and `variable_0`, `moment_0`, `best_0` and so on.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from mixhop_tf.errors import DivergedError
from mixhop_tf.folders import leftovers, replacing_file
from mixhop_tf.training.curve import CurvePoint, ScoredPoint
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.patience import Best

log = logging.getLogger(__name__)

# The fields of a point of the curve, by their number.
_POINTS = {len(dataclasses.fields(kind)): kind for kind in (CurvePoint, ScoredPoint)}


@dataclasses.dataclass
class State:
    """Everything that the next steps of a run depend on, and its results so far.

    Attributes:
        next_step: Number of the next call of the compiled step; the first one is 0.
        curve: Points of all steps so far.
        best: The best step so far, with its weights.
        patience: The state of `Patience`.
        seconds: Duration so far.
        variables: Values of all variables of the model, including the seeds of dropout.
        moments: Values of the optimiser's variables.
    """

    next_step: int = 0
    curve: list[CurvePoint] = dataclasses.field(default_factory=list)
    best: Best = dataclasses.field(default_factory=Best)
    patience: tuple[int, float, float] | None = None
    seconds: float = 0.0
    variables: Sequence[np.ndarray] = ()
    moments: Sequence[np.ndarray] = ()


class Checkpoint:
    """Keeps the state of a run in a file, so that a killed run can continue.

    Args:
        path: Path of the file, which ends in `.npz`. Only one process at a time may write it.
        every: Number of seconds between two saves.
        every_steps: Number of steps between two saves, in place of seconds; for tests.
        keep: Whether the file stays when the run has ended, with its last state. The caller
            stores the results and then calls `remove`; a kill in between loses nothing. A run
            that ended before its first checkpoint was due leaves no file.

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
        """Loads the state of the run with this fingerprint.

        Args:
            fingerprint: Fingerprint of the run, see `run_fingerprint`.

        Returns:
            The state, or None if there is no file, or if it is damaged or belongs to another run.
            The log says which.
        """
        self._next = time.monotonic() + self._every
        try:
            with self._content() as file, np.load(file, allow_pickle=False) as content:
                arrays = dict(content)
            header = json.loads(arrays.pop("header").tobytes())
            same = header["fingerprint"] == fingerprint
            state = _state(header, arrays) if same else None
        except FileNotFoundError:
            return None
        except Exception:  # a damaged file can raise anything, and the run does not need it
            log.warning("%s is damaged; the run starts anew", self.path)
            return None
        if state is None:
            log.warning("%s is the state of another run; this one starts anew", self.path)
        else:
            log.info("going on after step %d, from %s", len(state.curve), self.path)
        return state

    def _content(self) -> IO[bytes]:
        return open(self.path, "rb")

    def is_due(self, step: int) -> bool:
        """Says whether it is time to save after this step."""
        if self._every_steps is not None:
            return step % self._every_steps == 0
        return time.monotonic() >= self._next

    def save(self, fingerprint: str, state: State) -> None:
        """Writes the state atomically and flushes it to the disk."""
        header = {
            "fingerprint": fingerprint,
            "next_step": state.next_step,
            "score": state.best.score,
            "best": None if state.best.point is None else state.best.point.step,
            "patience": state.patience,
            "seconds": state.seconds,
        }
        rows = [dataclasses.astuple(point) for point in state.curve]
        arrays = {
            "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
            "curve": np.array(rows, np.float64),
            **_numbered("variable", state.variables),
            **_numbered("moment", state.moments),
            **_numbered("best", state.best.weights or ()),
        }
        with replacing_file(self.path) as temporary, open(temporary, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]  # its other arguments have defaults
        self._next = time.monotonic() + self._every

    def remove(self) -> None:
        """Removes the file and unfinished files of killed processes."""
        for path in (self.path, *leftovers(self.path)):
            path.unlink(missing_ok=True)


class Keeper:
    """Saves and restores the state of one run through a checkpoint, if there is one.

    It is a context manager around the run. At the end it removes the file. If the checkpoint has
    `keep=True`, it writes the last state to an existing file instead. It also
    removes the file if the run diverges, because the run would diverge again. After any other error
    the file stays.

    Args:
        checkpoint: The checkpoint, or None to keep nothing.
        fingerprint: Function that returns the fingerprint of the run.
        variables: The variables of the model.
        moments: The variables of the optimiser.
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
        self._is_on_disk = False
        self.seconds_before = 0.0

    def load(self, fresh: Sequence[Any]) -> State:
        """Assigns the saved state to the variables, or these fresh values if there is none.

        Returns:
            The state. The run updates it step by step, and the keeper saves it.
        """
        if self._checkpoint:
            self._state = self._checkpoint.load(self._fingerprint) or self._state
            self._is_on_disk = bool(self._state.variables)
        self.seconds_before = self._state.seconds
        for variable, value in zip(self._variables, self._state.variables or fresh, strict=True):
            variable.assign(value)
        if self._state.variables:
            for moment, value in zip(self._moments, self._state.moments, strict=True):
                moment.assign(value)
        return self._state

    def after(self, step: int) -> None:
        """Saves the state if it is time to do so after this step."""
        if self._checkpoint and self._checkpoint.is_due(step):
            self._save(self._checkpoint)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._checkpoint is None:
            return
        if kind is None and self._checkpoint.keep:
            if self._is_on_disk:
                self._save(self._checkpoint)
        elif kind is None or issubclass(kind, DivergedError):
            self._checkpoint.remove()

    def _save(self, checkpoint: Checkpoint) -> None:
        state = self._state
        state.seconds = self.seconds_before + time.perf_counter() - self._start
        state.variables = [each.numpy() for each in self._variables]
        state.moments = [each.numpy() for each in self._moments]
        checkpoint.save(self._fingerprint, state)
        self._is_on_disk = True


def run_fingerprint(
    graph: Graph, identity: dict[str, Any], weights: Mapping[str, np.ndarray]
) -> str:
    """Computes a hash of everything that decides the numbers of a run.

    Args:
        graph: The graph.
        identity: Everything else that decides the numbers, in plain containers.
        weights: Weights by name that the run starts from; empty if it starts from fresh ones.
    """
    names = sorted(weights)
    content = {**identity, "weights": names, "num_classes": graph.num_classes}
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
    known = getattr(graph, "digest", None)
    if known is not None:  # of a graph that is mapped from a file, and too large to be read here
        digest.update(f"{known}".encode())
    parts = () if known is not None else _content(graph)
    split = graph.train, graph.val, graph.test
    for array in (*parts, *split, *(weights[name] for name in names)):
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _content(graph: Graph) -> list[np.ndarray]:
    """Returns the arrays of a graph, without its split."""
    features = graph.features
    arrays = [features.indptr, features.indices, features.data, graph.edges, graph.labels]
    return arrays if graph.edge_weights is None else [*arrays, graph.edge_weights]


def _state(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> State:
    steps = arrays.pop("curve").tolist()
    curve = [_point(row) for row in steps]
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


def _point(row: list[float]) -> CurvePoint:
    kind = _POINTS[len(row)]
    names = [field.name for field in dataclasses.fields(kind)]
    values: dict[str, Any] = dict(zip(names, row, strict=True))
    return kind(**values | {"step": int(row[0])})


def _numbered(name: str, arrays: Iterable[Any]) -> dict[str, np.ndarray]:
    return {f"{name}_{i}": np.asarray(array) for i, array in enumerate(arrays)}


def _in_order(arrays: dict[str, np.ndarray], name: str) -> list[np.ndarray]:
    count = sum(each.startswith(f"{name}_") for each in arrays)
    return [arrays[f"{name}_{i}"] for i in range(count)]
