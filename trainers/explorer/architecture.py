"""The architecture of a model."""

from __future__ import annotations

from typing import Any

import mixhop_tf
from mixhop_tf import Architecture
from mixhop_tf.architecture_text import power_names


def architecture(model: mixhop_tf.SavedModel) -> dict[str, Any]:
    """Describes the layers: those of MixHop power by power, those of baselines as text."""
    spec = model.architecture
    return {
        "layers": _layers(spec) if isinstance(spec, Architecture) else None,
        "text": str(spec),
        "parameters": spec.num_parameters(model.num_features, len(model.class_names)),
    }


def _layers(spec: Architecture) -> list[dict[str, Any]]:
    return [
        {
            "batchNorm": layer.batch_norm,
            "activation": layer.activation,
            "heads": layer.heads,
            "powers": [
                {"name": name, "power": power, "columns": columns}
                for name, power, columns in zip(
                    power_names(layer.powers), layer.powers, layer.dims, strict=True
                )
            ],
        }
        for layer in spec.layers
    ]
