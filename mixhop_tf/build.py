"""From an architecture of any kind to its model, and from its JSON back."""

import json

from mixhop_tf.architecture import Architecture
from mixhop_tf.baselines import BASELINES
from mixhop_tf.model import MixHopModel


def build_model(architecture, num_features, num_classes, **options):
    """The built model of an architecture: a `MixHopModel`, or that of a baseline.

    >>> from mixhop_tf import build_model
    >>> from mixhop_tf.baselines import GCN
    >>> build_model(GCN(hidden_width=16), num_features=5, num_classes=3).count_params()
    128

    Args:
        architecture: An `Architecture`, or one of `mixhop_tf.baselines`.
        num_features: Width of the input `s`.
        num_classes: Number of classes `c`.
        options: As `MixHopModel` and `GraphModel` take them.
    """
    kinds = {kind.architecture_class: kind for kind in (MixHopModel, *BASELINES)}
    if type(architecture) not in kinds:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"`architecture` must be one of {names}. Received: architecture={architecture!r}"
        )
    return kinds[type(architecture)](architecture, num_features, num_classes, **options)


def architecture_from_dict(content):
    """The architecture that `to_dict` of any kind gave; one without a `model` is MixHop's."""
    if "model" not in content:
        return Architecture.from_dict(content)
    kinds = {kind.architecture_class.model: kind.architecture_class for kind in BASELINES}
    if content["model"] not in kinds:
        raise ValueError(
            f"`model` must be one of {', '.join(kinds)}. Received: model={content['model']!r}"
        )
    return kinds[content["model"]].from_dict(content)


def architecture_from_json(text):
    """The architecture that `to_json` of any kind wrote."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"Not the JSON of an architecture: {error!r}") from None
    if isinstance(content, dict) and "model" in content:
        return architecture_from_dict(content)
    return Architecture.from_json(text)
