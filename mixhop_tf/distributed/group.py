"""The workers that train one model together, and what they tell each other.

The arithmetic is that of TensorFlow's collective operations. Every worker must make the same calls
in the same order.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import itertools
import os
import sys
import threading
from collections.abc import Iterator

import keras
import numpy as np
import tensorflow as tf

import mixhop_tf
from mixhop_tf.distributed.place import Place
from mixhop_tf.distributed.rendezvous import meet, silent_workers
from mixhop_tf.errors import WorkerError

_GROUP = 7_321  # key of these workers among TensorFlow's groups
_FIRST = 1_000_000  # key of the first operation; the strategy itself uses small ones
# One message of hundreds of MB is four times slower than pieces, and takes more memory.
_PIECE_BYTES = 4_000_000
_MOST_PIECES = 128
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of glibc's malloc.h
_CONNECT_SECONDS = 90.0
_HEARTBEAT_SECONDS = 45.0


class Group:
    """A group of workers, of which this process is one; `Group.join` makes it.

    Args:
        place: The workers.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._keys = itertools.count(_FIRST)

    @classmethod
    def join(cls, place: Place | None = None, seconds: float = 100.0) -> Group:
        """Waits for the other workers and connects to them.

        Call this before anything else in TensorFlow.

        Args:
            place: The workers; by default as `Place.of` reads the environment.
            seconds: Longest time to wait for the others.

        Raises:
            WorkerError: Workers are missing, or have other versions.
        """
        place = place or Place.of(os.environ)
        meet(place, _versions(), seconds)
        with contextlib.suppress(RuntimeError):  # TensorFlow runs; `Trainer` warns about that
            tf.config.threading.set_intra_op_parallelism_threads(1)
        if place.size > 1:
            _return_memory()
            with _deadline(place):
                _connect(place)
        return cls(place)

    @property
    def rank(self) -> int:
        """Number of this worker; the chief is 0."""
        return self.place.rank

    @property
    def size(self) -> int:
        """Number of workers."""
        return self.place.size

    @property
    def is_chief(self) -> bool:
        """Whether this worker writes the files."""
        return self.rank == 0

    def gather(self, x: tf.Tensor) -> tf.Tensor:
        """Puts the rows `[m, d]` of all workers one below the other: `[size · m, d]`.

        All must have the same shape.
        """
        if self.size == 1:
            return tf.identity(x)
        rows, width = x.shape
        parts = [self.gather_piece(x[start:stop]) for start, stop in pieces(rows, width)]
        joined = parts[0] if len(parts) == 1 else tf.concat(parts, axis=1)
        return tf.reshape(joined, [self.size * rows, width])

    def gather_piece(self, x: tf.Tensor) -> tf.Tensor:
        """Returns the rows `[m, d]` of each worker, `[size, m, d]`, in one message."""
        gathered = x if self.size == 1 else self._gathered(x)
        return tf.reshape(gathered, [self.size, *x.shape])

    def sum(self, x: tf.Tensor) -> tf.Tensor:
        """Adds up a tensor of the same shape over all workers."""
        if self.size == 1:
            return tf.identity(x)
        return tf.raw_ops.CollectiveReduceV2(
            input=x,
            group_size=self.size,
            group_key=_GROUP,
            instance_key=next(self._keys),
            ordering_token=[],
            merge_op="Add",
            final_op="Id",
            communication_hint="ring",
        )

    def agreed(self, x: tf.Tensor) -> tf.Tensor:
        """Returns the chief's tensor on every worker; those of the others have the same shape."""
        x = tf.convert_to_tensor(x)
        return self.sum(x if self.is_chief else tf.zeros_like(x))

    def share(self, content: bytes) -> bytes:
        """Returns the chief's content on every worker; that of the others is ignored."""
        padded = content + bytes(-len(content) % 4) if self.is_chief else b""
        numbers = len(content) if self.is_chief else 0
        length = int(self.sum(tf.constant([numbers], tf.int64))[0])
        words = np.zeros(-(-length // 4), np.int32)
        words[: len(padded) // 4] = np.frombuffer(padded, np.int32)
        return self.sum(tf.constant(words)).numpy().tobytes()[:length] if length else b""

    def barrier(self) -> None:
        """Returns when all workers have come here."""
        with self.watched():
            self.sum(tf.zeros([1])).numpy()

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Turns the loss of a worker into an error that names it."""
        try:
            yield
        except (
            tf.errors.UnavailableError,
            tf.errors.AbortedError,
            tf.errors.CancelledError,
            tf.errors.DeadlineExceededError,
            tf.errors.InternalError,
            tf.errors.UnknownError,
        ) as error:
            lost = self._lost(str(error))
            if lost is None:
                raise
            raise WorkerError(
                f"Lost {lost}, so the other workers stopped; start all of them again, and the run "
                "continues from its last checkpoint."
            ) from None

    def _lost(self, message: str) -> str | None:
        """Names the workers that an error is about; None if it is about something else."""
        silent = silent_workers(self.place)
        named = [rank for rank in range(self.size) if f"task:{rank}" in message]
        blamed = silent or [rank for rank in named if rank != self.rank]
        if blamed:
            return " and ".join(self.place.name(rank) for rank in blamed)
        return "a worker" if "ollective" in message else None

    def _gathered(self, x: tf.Tensor) -> tf.Tensor:
        # No `timeout_seconds`: TensorFlow would start a thread for every call, thousands in all.
        # A worker that dies or freezes is noticed by the heartbeats.
        return tf.raw_ops.CollectiveGatherV2(
            input=x,
            group_size=self.size,
            group_key=_GROUP,
            instance_key=next(self._keys),
            ordering_token=[],
            communication_hint="ring",
        )


def pieces(rows: int, width: int) -> list[tuple[int, int]]:
    """Divides float32 rows into pieces that are sent one by one; returns the ends of each.

    >>> pieces(3, 500_000)
    [(0, 1), (1, 3)]
    """
    count = min(max(-(-rows * width * 4 // _PIECE_BYTES), 1), _MOST_PIECES, rows)
    ends = [rows * i // count for i in range(count + 1)]
    return list(itertools.pairwise(ends))


def _versions() -> str:
    """Names what must be the same for all workers; pymetis makes other batches."""
    metis = "with" if importlib.util.find_spec("pymetis") else "without"
    versions = f"mixhop_tf {mixhop_tf.__version__}, TensorFlow {tf.__version__}"
    return f"{versions}, Keras {keras.__version__}, {metis} pymetis"


def _return_memory() -> None:
    """Makes glibc return large blocks at once, and keep few small ones; it would keep 200 MB."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            library = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, 2 * _PIECE_BYTES)
            library.mallopt(_M_ARENA_MAX, 1)  # the threads of TensorFlow would have one each


def _connect(place: Place) -> None:
    """Makes TensorFlow connect the workers."""
    ring = tf.distribute.experimental.CommunicationImplementation.RING
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(
        tf.train.ClusterSpec({"worker": list(place.addresses)}),
        task_type="worker",
        task_id=place.rank,
        rpc_layer="grpc",
    )
    options = tf.distribute.experimental.CommunicationOptions(implementation=ring)
    _allow_slow_heartbeats(place)
    tf.distribute.MultiWorkerMirroredStrategy(resolver, options)


def _allow_slow_heartbeats(place: Place) -> None:
    """Lets a busy machine be silent for longer than TensorFlow's ten seconds.

    TensorFlow has no public name for this.
    """
    from tensorflow.python.eager import context

    job = context.coordination_config_pb2.CoordinatedJob(name="worker", num_tasks=place.size)
    context.context().configure_coordination_service(
        service_type="standalone",
        service_leader="/job:worker/replica:0/task:0",
        heartbeat_timeout_in_ms=int(1000 * _HEARTBEAT_SECONDS),
        coordinated_jobs=[job],
    )


@contextlib.contextmanager
def _deadline(place: Place) -> Iterator[None]:
    """Ends the process if TensorFlow waits too long for a worker that has just died."""

    def give_up() -> None:
        names = " and ".join(map(place.name, silent_workers(place))) or "the workers"
        print(f"error: lost {names} while connecting; start all of them again", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)  # TensorFlow cannot be interrupted

    timer = threading.Timer(_CONNECT_SECONDS, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
