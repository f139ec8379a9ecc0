"""Checks the activations that an architecture names."""

from __future__ import annotations

import keras

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.baselines import Network
from mixhop_tf.errors import SettingError


def check_activations(architecture: Architecture | Baseline) -> None:
    """Checks that Keras knows each activation and applies it entry by entry.

    Args:
        architecture: An `Architecture`, or one of `mixhop_tf.baselines`.

    Raises:
        SettingError: Keras does not know an activation, or it is not applied entry by entry.
    """
    if isinstance(architecture, Network):
        names = {architecture.activation}
    elif isinstance(architecture, Baseline):
        names = set()
    else:
        names = {layer.activation for layer in architecture.layers if layer.activation is not None}
    for name in sorted(names):
        if not _is_elementwise(name):
            rule = (
                "must be an activation that Keras applies entry by entry, such as relu, tanh or elu"
            )
            raise SettingError("activation", rule, name)


def _is_elementwise(name: str) -> bool:
    try:
        shape: tuple[int, ...] = keras.activations.get(name)(keras.ops.zeros([1, 2])).shape
    except (ValueError, TypeError):
        return False
    return shape == (1, 2)
