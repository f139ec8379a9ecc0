"""Reads architectures of MixHop and of the baselines from JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.baselines import BASELINES
from mixhop_tf.notation import parse_json, shown


def architecture_from_dict(content: Mapping[str, Any]) -> Architecture | Baseline:
    """Restores an architecture of any model from what its `to_dict` returned.

    Args:
        content: The dictionary. Its `model` names a baseline; without it the model is MixHop.

    Returns:
        An `Architecture`, or one of `mixhop_tf.baselines`.

    Raises:
        ValueError: The dictionary does not describe an architecture.
    """
    if not isinstance(content, Mapping) or "model" not in content:
        return Architecture.from_dict(content)
    model = content["model"]
    if not isinstance(model, str) or model not in BASELINES:
        raise ValueError(
            f"`model` must be one of {', '.join(BASELINES)}. Received: model={shown(model)}"
        )
    return BASELINES[model].from_dict(content)


def architecture_from_json(text: str) -> Architecture | Baseline:
    """Restores an architecture of any model from the text that its `to_json` wrote.

    Args:
        text: The JSON. A layer list of the original code is read, too.

    Returns:
        An `Architecture`, or one of `mixhop_tf.baselines`.

    Raises:
        ValueError: The text does not describe an architecture.
    """
    try:
        content = parse_json(text)
    except ValueError as error:
        raise ValueError(f"This is not the JSON of an architecture: {error}") from None
    if isinstance(content, dict) and "model" in content:
        return architecture_from_dict(content)
    return Architecture.from_json(text)
