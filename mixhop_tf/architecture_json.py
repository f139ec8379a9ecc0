"""Architectures of any kind, MixHop's or a baseline's, from their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import BASELINES, Baseline
from mixhop_tf.notation import parse_json, shown


def architecture_from_dict(content: Mapping[str, Any]) -> Architecture | Baseline:
    """The architecture that `to_dict` of any kind gave. Without a `model` it is MixHop's."""
    if not isinstance(content, Mapping) or "model" not in content:
        return Architecture.from_dict(content)
    model = content["model"]
    if not isinstance(model, str) or model not in BASELINES:
        raise ValueError(
            f"`model` must be one of {', '.join(BASELINES)}. Received: model={shown(model)}"
        )
    return BASELINES[model].from_dict(content)


def architecture_from_json(text: str) -> Architecture | Baseline:
    """The architecture that `to_json` of any kind wrote."""
    try:
        content = parse_json(text)
    except ValueError as error:
        raise ValueError(f"Not the JSON of an architecture: {error}") from None
    if isinstance(content, dict) and "model" in content:
        return architecture_from_dict(content)
    return Architecture.from_json(text)
