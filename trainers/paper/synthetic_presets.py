"""Presets of all models for the synthetic graphs: tuned in the same way, from the same start."""

from __future__ import annotations

from collections.abc import Mapping

from trainers.paper import attention_presets, tuned_values
from trainers.paper.baseline_presets import EQUAL
from trainers.paper.preset import Preset
from trainers.paper.schedules import adam

START: Mapping[str, Preset] = {
    model: Preset(
        settings=adam(0.01, 5e-5, max_steps=600, patience=200),
        input_dropout=0.0,
        hidden_dropout=0.3,
        architecture={**EQUAL.get(model, {}), **attention},
        source="start of tuning on synthetic graphs",
    )
    for model, attention in {
        "mixhop": {},
        "gcn": {},
        "chebyshev": {},
        "gat": {"attention_dropout": 0.3},
        "mlp": {},
        attention_presets.MODEL: attention_presets.SYNTHETIC,
    }.items()
}

TUNED: Mapping[str, Preset] = {
    model: START[model].tuned(*values) for model, values in tuned_values.SYNTHETIC.items()
}
