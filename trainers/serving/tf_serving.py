"""Answers requests in the form of TensorFlow Serving's REST interface."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from google.protobuf.json_format import MessageToDict
from tensorflow.core.protobuf import saved_model_pb2

from datasets.errors import few, short
from mixhop_tf.models.saved_files import first_line
from trainers.serving.errors import BAD, RequestError
from trainers.serving.served_graph import ServedGraph

NODES = "nodes"  # the signature of this server alone: ids of nodes in its graph
DEFAULT = "serving_default"
VERSION = "1"
MAX_ROWS = 100_000  # of an answer
_OUTPUTS = ("labels", "logits", "probabilities")


def signatures_of(folder: Path) -> dict[str, Any]:
    """Describes the signatures of a SavedModel as TensorFlow Serving does, with `nodes`."""
    content = saved_model_pb2.SavedModel.FromString((folder / "saved_model.pb").read_bytes())
    found = {
        name: MessageToDict(
            signature,
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        )
        for name, signature in content.meta_graphs[0].signature_def.items()
    }
    one = {"dim": [{"size": "-1", "name": ""}], "unknown_rank": False}
    outputs = found[DEFAULT]["outputs"]
    found[NODES] = {
        "inputs": {NODES: {"dtype": "DT_STRING", "tensor_shape": one, "name": ""}},
        "outputs": {name: {**outputs[name], "name": ""} for name in _OUTPUTS},
        "method_name": "tensorflow/serving/predict",
        "defaults": {},
    }
    return found


def parse(body: bytes) -> Any:
    """Reads JSON that a stranger sent.

    Raises:
        RequestError: It is no JSON, is nested too deeply, or holds NaN or Infinity.
    """
    try:
        return json.loads(body, parse_constant=_refuse)
    except RecursionError:
        raise RequestError(BAD, "The JSON is nested too deeply.") from None
    except ValueError as error:
        raise RequestError(BAD, f"The body is not JSON: {short(error, 100)}.") from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


class Predictor:
    """Answers `:predict` in row form and in column form.

    Args:
        served: The graph and its model.
    """

    def __init__(self, served: ServedGraph) -> None:
        self._served = served

    def predict(self, content: Any) -> dict[str, Any]:
        """Answers a request: `instances` with `predictions`, `inputs` with `outputs`.

        Raises:
            RequestError: The request does not fit a signature.
        """
        forms = content if isinstance(content, dict) else {}
        found = [name for name in ("instances", "inputs") if forms.get(name) is not None]
        if len(found) != 1:
            raise RequestError(
                BAD, "The body must be a JSON object with one of `instances` and `inputs`."
            )
        by_rows, given = found == ["instances"], content[found[0]]
        if by_rows and not (isinstance(given, list) and given):
            raise RequestError(BAD, "`instances` must be a list with at least one instance.")
        name = content.get("signature_name") or _implied(given, by_rows)
        if name == NODES:
            outputs = self._nodes(given, by_rows)
        else:
            function = self._function(name)
            specs = function.structured_input_signature[1]
            columns = _columns(given, set(specs)) if by_rows else given
            outputs = self._outputs(function, _tensors(columns, specs))
        if any(not np.isfinite(each).all() for each in outputs.values()):
            raise RequestError(BAD, "The answer is no finite number; send smaller features.")
        lists = {key: each.tolist() for key, each in outputs.items()}
        is_single = len(lists) == 1  # TensorFlow Serving then leaves out its name
        if not by_rows:
            return {"outputs": next(iter(lists.values())) if is_single else lists}
        rows = zip(*lists.values(), strict=True)
        return {
            "predictions": [
                row[0] if is_single else dict(zip(lists, row, strict=True)) for row in rows
            ]
        }

    def _function(self, name: Any) -> Any:
        signatures = self._served.model.signatures
        if not isinstance(name, str) or name not in signatures:
            known = ", ".join([NODES, *sorted(signatures)])
            raise RequestError(
                BAD, f"There is no signature {short(name, 40)!r}; the signatures are {known}."
            )
        return signatures[name]

    def _nodes(self, given: Any, by_rows: bool) -> dict[str, np.ndarray]:
        ids: Any = given
        if by_rows:
            ids = [each.get(NODES) if isinstance(each, dict) else each for each in given]
        elif isinstance(given, dict):
            ids = given.get(NODES)
        fits = isinstance(ids, list) and 0 < len(ids) <= MAX_ROWS
        if not fits or not all(type(each) in (str, int) for each in ids):
            raise RequestError(
                BAD, f"`{NODES}` must be a list of ids, at least one and {MAX_ROWS:,} at most."
            )
        answer = self._served.answers([_text(each) for each in ids])
        return {name: answer[name] for name in _OUTPUTS}

    def _outputs(self, function: Any, tensors: dict[str, tf.Tensor]) -> dict[str, np.ndarray]:
        try:
            found = {key: each.numpy() for key, each in sorted(function(**tensors).items())}
        except (tf.errors.InvalidArgumentError, ValueError, TypeError) as error:
            raise RequestError(BAD, f"The model refuses the request: {_reason(error)}.") from None
        if "logits" in found:  # the bits of `trainers.predict`, see `SavedModel.predict`
            decision = self._served.model.decision
            shares = decision.probabilities(found["logits"])
            found |= {"probabilities": shares, "labels": decision.labels(shares)}
        return found


def _implied(given: Any, by_rows: bool) -> str:
    """The signature that is meant if none is named: ids mean `nodes`."""
    first = given[0] if by_rows else given
    if isinstance(first, dict):
        return NODES if set(first) == {NODES} else DEFAULT
    return NODES if by_rows or isinstance(first, list) else DEFAULT


def _columns(rows: list[Any], names: set[str]) -> dict[str, list[Any]]:
    """Turns instances, each with a row of every input, into columns."""
    for row in rows:
        if not isinstance(row, dict) or set(row) != names:
            raise RequestError(
                BAD,
                f"Each instance must have the inputs {', '.join(sorted(names))}; a graph with "
                "another number of edges than nodes needs `inputs`.",
            )
    return {name: [row[name] for row in rows] for name in names}


def _tensors(columns: Any, specs: dict[str, Any]) -> dict[str, tf.Tensor]:
    """Converts the inputs of a request to the tensors of a signature."""
    if not isinstance(columns, dict) or set(columns) != set(specs):
        given = few(sorted(columns)) if isinstance(columns, dict) else "something else"
        raise RequestError(
            BAD, f"`inputs` must have {', '.join(sorted(specs))}, but has {given or 'nothing'}."
        )
    found = {name: _tensor(name, columns[name], spec) for name, spec in specs.items()}
    rows = int(found["num_nodes"]) if "num_nodes" in found else len(found["features"])
    if not 0 < rows <= MAX_ROWS:
        raise RequestError(
            BAD, f"A request must have from 1 to {MAX_ROWS:,} nodes, but has {rows:,}."
        )
    return {name: tf.constant(array) for name, array in found.items()}


def _tensor(name: str, value: Any, spec: Any) -> np.ndarray:
    rank, kind = spec.shape.rank, spec.dtype.as_numpy_dtype
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        array = np.empty(0, object)
    if not array.size and array.dtype.kind == "f" and rank and array.ndim <= rank:
        return np.empty((0, 2)[:rank], kind)  # no edges, no entries
    allowed = "iuf" if spec.dtype.is_floating else "i"
    if array.dtype.kind not in allowed or array.ndim != rank:
        numbers = "numbers" if spec.dtype.is_floating else "whole numbers"
        shape = ("one of them", "a list", "a list of lists of equal lengths")[rank]
        raise RequestError(BAD, f"`{name}` must hold {numbers}: {shape}.")
    with np.errstate(over="ignore"):  # the model refuses infinite features
        return array.astype(kind)


def _reason(error: Exception) -> str:
    """The cause in a message of TensorFlow: what an assertion says, or the first line."""
    found = re.search(r"assertion failed: \[([^\]]*)\]", str(error))
    return short(found[1] if found else first_line(error), 200).rstrip(".")


def _text(name: str | int) -> str:
    try:
        return str(name)
    except ValueError:  # an integer of thousands of digits
        return ""
