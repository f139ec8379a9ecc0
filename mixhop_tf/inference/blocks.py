"""Computes the logits of every node, layer by layer, in blocks."""

from __future__ import annotations

import contextlib
import dataclasses
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import keras
import numpy as np

from mixhop_tf.cores import num_cores
from mixhop_tf.inference.layers import Walk, cost, plan
from mixhop_tf.inference.mixing import Workshop
from mixhop_tf.inference.parts import PartDone, Parts, PartShop
from mixhop_tf.inference.rows import Scaled
from mixhop_tf.inference.scratch import Scratch
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.mixhop import MixHopModel
from mixhop_tf.ops.block_operator import BlockOperator
from mixhop_tf.ops.neighbors import feature_matrix, spec_rows
from mixhop_tf.single_thread import single_thread

OnProgress = Callable[[float], Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class BlockOptions:
    """How a computation in blocks uses the machine. The results are the same.

    Args:
        max_bytes: Memory for the columns that are multiplied at once. With less memory the
            adjacency is read more often.
        num_threads: Number of threads; by default one for each core.
        scratch: Folder for intermediate results, which a second call finds if the first was
            killed. By default a temporary folder.
        fingerprint: Text that names model and graph, so that only their intermediate results are
            found.
        on_progress: Function that is called with the share that is done, from 0 to 1.
    """

    max_bytes: int = 2**31
    num_threads: int | None = None
    scratch: str | Path | None = None
    fingerprint: str = ""
    on_progress: OnProgress = lambda _: None


def can_block(model: GraphModel) -> bool:
    """Says whether `block_logits` can compute a model: MixHop without attention, GCN and MLP."""
    return plan(model) is not None


def block_logits(
    model: GraphModel, graph: Any, options: BlockOptions | None = None, *, features: Any = None
) -> np.ndarray:
    """Computes what `model` gives for the whole graph, with little memory.

    Each layer is computed for all nodes before the next one: rows in blocks, columns in chunks. The
    arrays of the graph may be mapped from files, and finished columns go to files, too. Batch norm
    that is not frozen uses the statistics of the graph, in double precision.

    Args:
        model: A model for which `can_block` holds.
        graph: The graph: an object with `num_nodes`, `directed`, and either `edges`, `edge_weights`
            and `features`, or the mapped `neighbors` and `feature_matrix`.
        options: Memory, threads and progress.
        features: Features `[n, s]` in place of those of the graph.

    Returns:
        The logits, float32 `[n, c]`.

    Raises:
        ValueError: The model is of another kind.

    >>> import numpy as np
    >>> from mixhop_tf import Architecture, GraphData, block_logits, build_model
    >>> graph = GraphData(edges=[[0, 1]], labels=[0, 1, 0], train=[0], val=[1])
    >>> model = build_model(Architecture.default(2), num_features=3, num_classes=2, seed=0)
    >>> block_logits(model, graph).shape
    (3, 2)
    """
    with _walk(model, graph, options, features) as walk:
        return walk.all_rows(walk.output())


def block_embeddings(
    model: GraphModel, graph: Any, options: BlockOptions | None = None, *, features: Any = None
) -> np.ndarray:
    """Computes the last hidden layer of every node, as `GraphModel.embed` does, in blocks.

    The arguments are those of `block_logits`. The result is float32 `[n, d]`.
    """
    with _walk(model, graph, options, features) as walk:
        return walk.all_rows(walk.hidden())


def freeze_in_blocks(
    model: GraphModel, graph: Any, options: BlockOptions | None = None, *, features: Any = None
) -> GraphModel:
    """Copies a model so that its batch norm uses the statistics of this graph for every input.

    It does what `freeze_statistics` does, in blocks and with statistics in double precision.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the model has already warned about unused columns
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    if model.norms and not model.frozen:
        with _walk(model, graph, options, features) as walk:
            walk.hidden()
            for norm, (mean, variance) in zip(copy.norms, walk.statistics, strict=True):
                norm.mean.assign(mean)
                norm.variance.assign(variance)
    return copy


def compute_part(
    model: GraphModel,
    graph: Any,
    parts: Parts,
    options: BlockOptions | None = None,
    *,
    features: Any = None,
    hidden: bool = False,
) -> str | None:
    """Computes one part of the next array that `block_logits` needs, beside other processes.

    Processes with the parts `0 … count-1` call it together, again and again. Each call writes a
    part of the same array, and all parts are needed for the next one. When the logits have all
    parts, they are `parts.find(ALL_ROWS)`, with the bits of `block_logits`.

    Args:
        model: A model for which `can_block` holds.
        graph: The graph, as for `block_logits`.
        parts: Which part is computed, and which arrays are complete.
        options: Memory and threads; `max_bytes` must be the same for all.
        features: Features `[n, s]` in place of those of the graph.
        hidden: Whether the last hidden layer is computed, in place of the logits.

    Returns:
        The name of the array of which a part was written, or None if nothing is left to compute.
    """
    try:
        with _walk(model, graph, options, features, parts) as walk:
            walk.all_rows(walk.hidden() if hidden else walk.output())
    except PartDone as written:
        return str(written)
    return None


@contextlib.contextmanager
def _walk(
    model: GraphModel,
    graph: Any,
    options: BlockOptions | None,
    features: Any,
    parts: Parts | None = None,
) -> Iterator[Walk]:
    """Opens threads and files, and yields what computes the layers."""
    options = options or BlockOptions()
    steps = plan(model)
    if steps is None:
        raise ValueError(
            "`model` must be a MixHop model without attention, a GCN or an MLP. "
            f"Received: {type(model).__name__}"
        )
    features = feature_matrix(graph) if features is None else features
    num_threads = options.num_threads or num_cores()
    with (
        Scratch(options.scratch, options.fingerprint) as scratch,
        ThreadPoolExecutor(num_threads) as pool,
        single_thread(),  # the pool has as many as there are cores
    ):
        progress = _Progress(cost(steps), options.on_progress)
        shop = Workshop(scratch, pool, options.max_bytes, progress)
        if parts is not None:
            shop = PartShop(parts, pool, options.max_bytes, progress)
        operators = _operators(model, graph, steps, pool)
        yield Walk(model, steps, Scaled(features, model), operators, graph.num_nodes, shop)


def _operators(
    model: GraphModel, graph: Any, steps: Sequence[keras.layers.Layer], pool: ThreadPoolExecutor
) -> tuple[BlockOperator, ...]:
    """Makes the operator, or the forward and the backward one; none if no power needs it."""
    if not cost(steps):
        return ()
    spec = model.architecture.adjacency if isinstance(model, MixHopModel) else AdjacencySpec()
    return tuple(
        BlockOperator.of(rows, spec, pool, transposed)
        for rows, transposed in spec_rows(graph, spec, weighted=model.weighted)
    )


class _Progress:
    """Counts products of one column, and reports the share that is done."""

    def __init__(self, total: int, report: OnProgress) -> None:
        self._total, self._report, self._done = max(1, total), report, 0.0

    def __call__(self, columns: float) -> None:
        self._done += columns
        self._report(min(1.0, self._done / self._total))
