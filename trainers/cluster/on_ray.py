"""Starts workers on a Ray cluster; Ray Train watches them, and starts them again if one is lost.

Each worker of Ray Train runs the command in a process of its own, which joins the others. So
nothing that Ray has imported or set reaches TensorFlow, and a lost worker leaves nothing behind.
Ray is imported when the workers start.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trainers.cluster.ray_worker import Lines, work
from trainers.sweeps.errors import RunError
from trainers.sweeps.ray_cluster import Capacity, Head, connect, installed
from trainers.sweeps.ray_task import Origin
from trainers.sweeps.tensorflow import import_tensorflow

log = logging.getLogger(__name__)

RESTARTS = 3
_PAUSE = 0.5
# Read by Ray Train. By default a frozen worker is noticed after ten minutes.
_PATIENCE = {
    "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S": "60",
    "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER": "0",
    "RAY_TRAIN_METRICS_ENABLED": "0",
}


def train_on_ray(command: Sequence[str], size: int, address: str | None = None) -> None:
    """Runs a command in several workers of Ray Train, and prints what the first one prints.

    If a worker is lost, all start again, with fewer workers if there are fewer processors, and the
    run continues from its last checkpoint. If there are more processors later, so are the workers.

    Args:
        command: The command, without the Python in front, with the flag that makes it join.
        size: Largest number of workers; there is one for each processor at most.
        address: `HOST:PORT` of a running cluster, or `auto`. By default Ray starts here.

    Raises:
        RunError: Ray is not installed, cannot be reached, or lost workers too often; or a worker
            could not do its work.
    """
    installed()
    for name, value in _PATIENCE.items():
        os.environ.setdefault(name, value)
    ray = connect(address)
    log.info("Ray Train starts up to %d workers …", size)
    lines = ray.remote(num_cpus=0)(Lines).remote()
    # Ray Train wants a folder that all workers see; nothing of ours is in it.
    storage = tempfile.mkdtemp(prefix=".ray-train-", dir=Path.cwd())
    try:
        with _watched(ray, lines, storage):
            error = _fit(command, size, lines, storage)
        _raise_if_failed(ray, lines, error)
    finally:
        shutil.rmtree(storage, ignore_errors=True)


def _fit(command: Sequence[str], size: int, lines: Any, storage: str) -> Exception | None:
    """Trains; returns the error of Ray Train, if there is one."""
    import_tensorflow()  # before Ray Train does, which would not keep it quiet
    from ray import train
    from ray.train.tensorflow import TensorflowTrainer

    config = {"command": list(command), "lines": lines, "origin": Origin.here()}
    trainer = TensorflowTrainer(
        work,
        train_loop_config=config,
        scaling_config=train.ScalingConfig(num_workers=(1, size)),
        run_config=train.RunConfig(
            name="run",
            storage_path=storage,
            failure_config=train.FailureConfig(max_failures=RESTARTS),
        ),
    )
    try:
        trainer.fit()
    except Exception as error:  # of Ray Train, or of Ray if the head is gone
        return error
    return None


def _raise_if_failed(ray: Any, lines: Any, error: Exception | None) -> None:
    if error is None:
        return
    failure = None
    with contextlib.suppress(Exception):  # the cluster may be gone
        failure = ray.get(lines.failure.remote(), timeout=10)
    if failure:
        raise RunError(failure) from None
    reason = (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]
    raise RunError(
        f"Ray Train gave up ({reason}) after {RESTARTS} restarts at most; the last checkpoint is "
        "kept, so the same command continues from it."
    ) from None


@contextlib.contextmanager
def _watched(ray: Any, lines: Any, storage: str) -> Iterator[None]:
    """Prints the lines of the first worker as they come, and watches the cluster."""
    ended = threading.Event()
    head, capacity = Head(ray.get_runtime_context().gcs_address), Capacity(ray)

    def watch() -> None:
        last = False
        while not last:
            last = ended.wait(_PAUSE)
            try:
                head.check()
                capacity.now()
                _show(ray, lines)
            except RunError as error:
                # The main thread waits within Ray, which would wait for ever.
                print(f"error: {error}", file=sys.stderr, flush=True)
                shutil.rmtree(storage, ignore_errors=True)
                os._exit(1)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _show(ray: Any, lines: Any) -> None:
    with contextlib.suppress(ray.exceptions.RayError):  # the cluster is busy, or gone
        for line in ray.get(lines.taken.remote(), timeout=10):
            print(line, end="", flush=True)
