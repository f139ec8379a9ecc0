"""Which worker this process is, and where the others are: from `TF_CONFIG`, or from Slurm."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from mixhop_tf.errors import WorkerError

# Slurm gives no ports. Jobs that share a machine get different ones, from their number.
_FIRST_PORT, _NUM_PORTS = 20_000, 10_000
_MANY = 1_024


@dataclasses.dataclass(frozen=True)
class Place:
    """The addresses of all workers, and the number of this one.

    Args:
        addresses: `host:port` of each worker. The first one is the chief.
        rank: Number of this worker.
    """

    addresses: tuple[str, ...]
    rank: int

    @property
    def size(self) -> int:
        """Number of workers."""
        return len(self.addresses)

    def name(self, rank: int) -> str:
        """Names a worker in a message."""
        return f"worker {rank} at {self.addresses[rank]}"

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Place:
        """Reads the place of this process from `TF_CONFIG`, or from the variables of Slurm.

        Args:
            environment: The environment variables.

        Raises:
            WorkerError: There is no such variable, or it is not valid.

        >>> cluster = '{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"index": 1}}'
        >>> Place.of({"TF_CONFIG": cluster})
        Place(addresses=('a:1', 'b:1'), rank=1)
        """
        if "TF_CONFIG" in environment:
            return cls(*_of_tf_config(environment["TF_CONFIG"]))
        if "SLURM_PROCID" in environment and "SLURM_STEP_NODELIST" in environment:
            return cls(*_of_slurm(environment))
        raise WorkerError(
            "No variable says which worker this process is; set TF_CONFIG, or start the workers "
            "with Slurm's srun."
        )


def _of_tf_config(text: str) -> tuple[tuple[str, ...], int]:
    try:
        content: Any = json.loads(text)
        cluster, task = content["cluster"], content["task"]
        chiefs, workers = cluster.get("chief", []), cluster.get("worker", [])
        kind, rank = task.get("type", "worker"), int(task["index"])
        addresses = (*chiefs, *workers)
        rank += len(chiefs) if kind == "worker" else 0
        if kind not in ("chief", "worker") or set(cluster) - {"chief", "worker"}:
            raise ValueError("its jobs must be `chief` and `worker`")
        for each in addresses:
            host, colon, port = each.rpartition(":")
            if not (host and colon and 0 < int(port) < 2**16):
                raise ValueError(f"{each!r} is not host:port")
        if len(set(addresses)) != len(addresses) or not 0 <= rank < len(addresses):
            raise ValueError("a worker is there twice, or the task is not in the list")
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise WorkerError(f"TF_CONFIG does not describe a cluster of workers: {error}.") from None
    return addresses, rank


def _of_slurm(environment: Mapping[str, str]) -> tuple[tuple[str, ...], int]:
    import tensorflow as tf

    job = int(environment.get("SLURM_JOB_ID", "0"))
    try:
        resolver = tf.distribute.cluster_resolver.SlurmClusterResolver(
            port_base=_FIRST_PORT + 16 * job % _NUM_PORTS,
            # The resolver gives every task a GPU; nothing here uses them.
            gpus_per_node=_MANY,
            gpus_per_task=1,
            auto_set_gpu=False,
        )
        addresses = resolver.cluster_spec().as_dict()["worker"]
        _, rank = resolver.get_task_info()
    except (RuntimeError, ValueError, LookupError) as error:
        raise WorkerError(f"Slurm's variables do not describe the workers: {error}.") from None
    return tuple(addresses), int(rank)
