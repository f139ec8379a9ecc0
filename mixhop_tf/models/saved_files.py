"""Checks the files of a SavedModel before they are used.

A folder may be incomplete or damaged. TensorFlow then raises errors of many kinds, or computes
other numbers.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import fingerprint_pb2, saved_model_pb2

from mixhop_tf.architecture import Architecture
from mixhop_tf.architecture_json import architecture_from_json
from mixhop_tf.baseline import Baseline
from mixhop_tf.decision import PLAIN, Decision
from mixhop_tf.known_nodes import KnownNodes
from mixhop_tf.notation import parse_json, shown

try:  # TensorFlow has no public function for it
    from tensorflow.python.saved_model.pywrap_saved_model import fingerprinting
except ImportError:
    fingerprinting = None

ARCHITECTURE, CLASS_NAMES, INPUTS = "architecture.json", "class_names.json", "inputs.json"
NODE_IDS, KNOWN_NODES = "node_ids.json", "known_nodes.json"
DECISION = "decision.json"
RECIPE = "recipe.json"
_MOST = 2**31  # features; an int32 index cannot address more
_MODEL, _FINGERPRINT = "saved_model.pb", "fingerprint.pb"
_SIGNATURES = {
    "serving_default": {"features", "edges"},
    "sparse_features": {"indices", "values", "num_nodes", "edges"},
}
_OUTPUTS = {"logits", "probabilities", "labels"}


@dataclasses.dataclass(frozen=True)
class Assets:
    """The content of a SavedModel's assets; see `mixhop_tf.SavedModel` for the fields."""

    architecture: Architecture | Baseline
    num_features: int
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None
    max_nodes: int | None
    node_ids: tuple[str, ...] | None
    known_nodes: KnownNodes | None
    decision: Decision = PLAIN
    weighted: bool = False
    recipe: dict[str, Any] | None = None
    scaling: str | None = None
    shared_first_kernel: bool = False


def read_assets(folder: Path) -> Assets:
    """Reads and checks the assets of a SavedModel.

    Raises:
        ValueError: A file is missing or damaged; the message names it.
        OSError: A file cannot be read.
    """
    inputs = _json(folder, INPUTS)
    num_features = inputs.get("num_features") if isinstance(inputs, dict) else None
    if type(num_features) is not int or not 1 <= num_features < _MOST:
        raise ValueError(f"{INPUTS} must hold `num_features`, from 1 to {_MOST - 1:,}")
    feature_names = inputs.get("feature_names")
    if feature_names is not None:
        feature_names = _names(INPUTS, feature_names)
        if len(feature_names) != num_features:
            raise ValueError(
                f"{INPUTS} names {len(feature_names):,} features, but the model has "
                f"{num_features:,}"
            )
    class_names = _names(CLASS_NAMES, _json(folder, CLASS_NAMES))
    if not class_names:
        raise ValueError(f"{CLASS_NAMES} names no class")
    try:
        architecture = architecture_from_json(_text(folder, ARCHITECTURE))
    except ValueError as error:
        raise ValueError(f"{ARCHITECTURE}: {error}") from None
    max_nodes = inputs.get("max_nodes")
    if max_nodes is not None and (type(max_nodes) is not int or not 1 <= max_nodes < 2**63):
        raise ValueError(f"{INPUTS} must hold `max_nodes` as a whole number, 1 or more")
    return Assets(
        architecture,
        num_features,
        class_names,
        feature_names,
        max_nodes,
        *_nodes(folder),
        _decision(folder, len(class_names)),
        weighted=_flag(inputs, "weighted"),
        recipe=_recipe(folder),
        scaling=_scaling(inputs),
        shared_first_kernel=_flag(inputs, "shared_first_kernel"),
    )


def _flag(inputs: dict[str, Any], name: str) -> bool:
    """Reads a flag, which models of earlier versions may not have."""
    value = inputs.get(name, False)
    if type(value) is not bool:
        raise ValueError(f"{INPUTS} must hold `{name}` as true or false")
    return value


def _scaling(inputs: dict[str, Any]) -> str | None:
    """How the model scales its features; models of earlier versions do not say."""
    scaling = inputs.get("scaling")
    if not isinstance(scaling, str | None):
        raise ValueError(f"{INPUTS} must hold `scaling` as text")
    return scaling


def _decision(folder: Path, num_classes: int) -> Decision:
    """Temperature and threshold, where a model has them."""
    if not (folder / "assets" / DECISION).is_file():
        return PLAIN
    content = _json(folder, DECISION)
    try:
        decision = Decision.from_dict(content)
    except (AttributeError, TypeError, ValueError):
        raise ValueError(f"{DECISION} must hold a temperature and a threshold") from None
    if decision.offsets is not None and len(decision.offsets) != num_classes:
        raise ValueError(f"{DECISION} must hold an offset for each of the {num_classes} classes")
    if decision.threshold is not None and num_classes != 2:
        raise ValueError(f"{DECISION} holds a threshold, which needs two classes")
    return decision


def _recipe(folder: Path) -> dict[str, Any] | None:
    """How the features were made from the user's columns, where a model says so."""
    if not (folder / "assets" / RECIPE).is_file():
        return None
    content = _json(folder, RECIPE)
    if not isinstance(content, dict):
        raise ValueError(f"{RECIPE} must hold an object, but holds {shown(content)}")
    return content


def _nodes(folder: Path) -> tuple[tuple[str, ...] | None, KnownNodes | None]:
    """Reads the ids and hashes of the training graph's nodes, if they were exported."""
    ids = hashes = None
    if (folder / "assets" / NODE_IDS).is_file():
        ids = _names(NODE_IDS, _json(folder, NODE_IDS))
        hashes = KnownNodes.of(ids)
    if (folder / "assets" / KNOWN_NODES).is_file():
        content = _json(folder, KNOWN_NODES)
        try:
            _names(KNOWN_NODES, content["hashes"])
            hashes = KnownNodes.from_dict(content)
            hashes.new(["any"])  # a salt that is too long fails here
        except (LookupError, TypeError, ValueError):
            raise ValueError(f"{KNOWN_NODES} must hold a salt and hashes") from None
    return ids, hashes


def load_signatures(folder: Path, assets: Assets) -> Any:
    """Loads the signatures of a SavedModel and checks that `export_saved_model` wrote them.

    Raises:
        ValueError: TensorFlow cannot read the model, or something else wrote it.
    """
    _check_graph(folder)
    _check_fingerprint(folder)
    try:
        signatures = tf.saved_model.load(str(folder)).signatures
    except MemoryError:
        raise
    except Exception as error:  # TensorFlow raises many kinds
        raise ValueError(f"TensorFlow says: {first_line(error)}") from None
    for name, inputs in _SIGNATURES.items():
        inputs = inputs | ({"weights"} if assets.weighted else set())
        function = signatures.get(name)
        if function is None or set(function.structured_input_signature[1]) != inputs:
            raise ValueError(f"it lacks the signature {name}({', '.join(sorted(inputs))})")
        outputs = function.structured_outputs
        if not isinstance(outputs, dict) or set(outputs) != _OUTPUTS:
            raise ValueError(f"the signature {name} must return {', '.join(sorted(_OUTPUTS))}")
        width = outputs["logits"].shape[-1]
        if width != len(assets.class_names):
            raise ValueError(
                f"{CLASS_NAMES} names {len(assets.class_names):,} classes, but the model has "
                f"{width}"
            )
    return signatures


def first_line(error: Exception) -> str:
    """Returns the first line of an error of TensorFlow, which can be pages long."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200]


def _check_graph(folder: Path) -> None:
    """Checks that there is a graph, because TensorFlow's fingerprint crashes without one."""
    raw = (folder / _MODEL).read_bytes()
    try:
        content = saved_model_pb2.SavedModel.FromString(raw)
    except Exception:  # protobuf has its own exceptions
        raise ValueError(f"{_MODEL} is damaged") from None
    if len(content.meta_graphs) != 1:
        raise ValueError(f"{_MODEL} holds no graph")


def _check_fingerprint(folder: Path) -> None:
    """Compares the model with the fingerprint that TensorFlow wrote beside it.

    A model with a wrong byte may load and compute other numbers.
    """
    path = folder / _FINGERPRINT
    if fingerprinting is None or not path.is_file():
        return
    try:
        written = fingerprint_pb2.FingerprintDef.FromString(path.read_bytes())
        found = fingerprint_pb2.FingerprintDef.FromString(
            fingerprinting.CreateFingerprintDef(str(folder))
        )
    except Exception as error:  # protobuf and TensorFlow have their own exceptions
        raise ValueError(f"its fingerprint cannot be computed: {first_line(error)}") from None
    if not written.version.producer:
        raise ValueError(f"{_FINGERPRINT} is damaged")
    if written.version.producer != found.version.producer:
        return  # other versions of TensorFlow compute it differently
    for part in ("saved_model_checksum", "checkpoint_hash"):
        if getattr(written, part) != getattr(found, part):
            raise ValueError(
                f"its files have changed since they were written: {_FINGERPRINT} does not match"
            )


def _text(folder: Path, name: str) -> str:
    path = folder / "assets" / name
    if not path.is_file():
        raise ValueError(f"assets/{name} is missing")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not UTF-8 text") from None


def _json(folder: Path, name: str) -> Any:
    try:
        return parse_json(_text(folder, name))
    except ValueError as error:
        raise ValueError(str(error) if name in str(error) else f"{name}: {error}") from None


def _names(file: str, names: Any) -> tuple[str, ...]:
    """Checks that a file holds a list of distinct printable names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{file} must hold a list of names, but holds {shown(names)}")
    if len(set(names)) != len(names):
        raise ValueError(f"{file} holds a name twice")
    for name in names:
        if not name.isprintable():
            raise ValueError(f"{file} holds {shown(name)}, which is not a printable name")
    return tuple(names)


def number_array(name: str, values: Any) -> np.ndarray:
    """Converts values to an array of numbers, or raises a `ValueError`."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError):
        array = None
    if array is None or (array.size and array.dtype.kind not in "biuf"):
        raise ValueError(
            f"`{name}` must be an array of numbers whose rows have equal lengths. "
            f"Received: {shown(values)}"
        )
    return array
