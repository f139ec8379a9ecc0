"""Damaged models, and requests to an intact model. Both need TensorFlow."""

from __future__ import annotations

import atexit
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from tests.fuzz import corpus, mutate, nasty, structured_json
from tests.fuzz.corpus import Files
from tests.fuzz.kinds import Kind
from tests.fuzz.outcome import Outcome, outcome_of

_NUM_FEATURES, _NUM_NODES = 3, 50
_DTYPES = ("f4", "f8", "i8", "i4", "u8", "?", "c8", "U2", "O", "M8[s]", "f2")


class _Served(Kind):
    memory = None  # TensorFlow reserves much more address space than it uses
    workers = 2
    renewed_after = 2000

    def examples(self) -> list[Files]:
        self._folder = Path(tempfile.mkdtemp(prefix="fuzz-model-"))
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        return [corpus.read(_export(self._folder / "model"))]

    def mutated(self, rng: random.Random, name: str, data: bytes, other: bytes) -> bytes:
        if name.endswith(".json") and rng.random() < 0.7:
            return structured_json.mutated(rng, data)
        return mutate.mutated(rng, data, text=name.endswith(".json"), other=other)


def _export(folder: Path) -> Path:
    import tensorflow as tf

    import mixhop_tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    architecture = mixhop_tf.Architecture.from_notation("0,1", num_classes=2, hidden_dims=[4])
    model = mixhop_tf.build_model(architecture, _NUM_FEATURES, 2, seed=0)
    inputs = tf.eye(4, _NUM_FEATURES), mixhop_tf.normalized_adjacency([[0, 1], [1, 2]], 4)
    return mixhop_tf.export_saved_model(
        model, folder, inputs, feature_names=list("xyz"), node_ids=list("abcd"),
        max_nodes=_NUM_NODES,
    )  # fmt: skip


class SavedModel(_Served):
    name = "saved_model"

    def outcome(self, folder: Path) -> Outcome:
        from trainers.runs import prediction

        def use() -> None:
            model = prediction.load_model(folder)
            model.predict(np.eye(4, _NUM_FEATURES), [[0, 1]])
            model.new_nodes(["a", "e"])

        return outcome_of(use)


class Requests(_Served):
    name = "requests"

    def start(self) -> None:
        super().start()
        import mixhop_tf

        self._model = mixhop_tf.load_saved_model(self._folder / "model")

    def case(self, rng: random.Random) -> Files:
        return {"seed": rng.randbytes(16)}

    def outcome(self, folder: Path) -> Outcome:
        rng = random.Random((folder / "seed").read_bytes())
        also = ("InvalidArgumentError",)
        if rng.random() < 0.5:
            features, edges = _any_features(rng), _any_edges(rng)
            return outcome_of(lambda: self._model.predict(features, edges), also)
        name = rng.choice(sorted(self._model.signatures))
        # Embeddings take the same inputs as predictions.
        tensors = _tensors(rng, "sparse_features" if "sparse" in name else "serving_default")
        return outcome_of(lambda: self._model.signatures[name](**tensors), also)


def _any_features(rng: random.Random) -> Any:
    """Makes features that a user might pass to `predict`."""
    shape = rng.choice(((4, 3), (4, 3), (0, 3), (4, 2), (3,), (), (2, 2, 3), (51, 3), (4, 0)))
    array = np.zeros(shape, rng.choice(_DTYPES) if rng.random() < 0.4 else "f4")
    choice = rng.random()
    if choice < 0.4 and array.size and array.dtype.kind in "fiu":
        return _with_odd_numbers(rng, array)
    if choice < 0.6 and array.ndim == 2 and array.dtype.kind in "fiu?c" and array.itemsize != 2:
        return sp.coo_array(array) if rng.random() < 0.5 else sp.csr_array(array)
    if choice < 0.7:
        return rng.choice(
            (None, [], "text", [[1, 2, 3], [4]], {}, 5, [[None] * 3], [[10**400] * 3])
        )
    return array.tolist() if choice < 0.8 else array


def _any_edges(rng: random.Random) -> Any:
    choice = rng.random()
    if choice < 0.3:
        return rng.choice(
            (None, [], "text", [[0, 1], [2]], [[0.5, 1]], [["a", "b"]], [[True, False]], [0, 1], {},
             [[10**400, 1]], [[None, 1]], 5, np.zeros((1, 3), int), np.zeros((0, 2)))
        )  # fmt: skip
    return _with_odd_numbers(rng, np.zeros((rng.randrange(1, 5), 2), "i8"))


def _with_odd_numbers(rng: random.Random, array: np.ndarray) -> np.ndarray:
    array = array.copy()
    for _ in range(rng.choice((1, 2, 5))):
        number: Any = rng.choice(
            (0, 1, 2, 3, 4, rng.choice(nasty.NUMBERS), rng.choice(nasty.NUMBERS))
        )
        if array.dtype.kind == "f" and rng.random() < 0.2:
            number = rng.choice((np.nan, np.inf, 1e38, 1e18, 1e-45))
        try:
            with np.errstate(all="ignore"):
                array.flat[rng.randrange(array.size)] = number
        except (OverflowError, ValueError):
            continue
    return array


def _tensors(rng: random.Random, signature: str) -> dict[str, Any]:
    """Makes a request with the types and ranks that a server accepts, and arbitrary content."""
    import tensorflow as tf

    def pairs() -> Any:
        columns = rng.choice((2, 2, 2, 2, 1, 3, 0))
        array = np.zeros((rng.choice((0, 1, 3, 200)), columns), "i8")
        return tf.constant(_with_odd_numbers(rng, array) if array.size else array)

    if signature == "serving_default":
        shape = rng.choice((0, 1, 4, 60)), rng.choice((3, 3, 3, 3, 2, 0, 100))
        array = np.zeros(shape, "f4")
        array = _with_odd_numbers(rng, array) if array.size else array
        return {"features": tf.constant(array), "edges": pairs()}
    indices = pairs()
    count = rng.choice((int(indices.shape[0]), int(indices.shape[0]), 0, 7))
    values = np.ones(count, "f4")
    return {
        "indices": indices,
        "values": tf.constant(_with_odd_numbers(rng, values) if count else values),
        "num_nodes": tf.constant(
            rng.choice((0, 1, 4, 50, 51, -1, 2**31, 2**62, 2**63 - 1, -(2**63))), tf.int64
        ),
        "edges": pairs(),
    }
