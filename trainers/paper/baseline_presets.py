"""The baselines' hyper-parameters: from their own papers, and the same with MixHop's width."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from trainers.paper.preset import Preset
from trainers.paper.schedules import MAX_STEPS, adam, descent

# Kipf and Welling's weight decay is 5e-4 times half the squares, on the first layer. They stop when
# the validation loss has not fallen for 10 steps; here the best of all steps counts instead.
_KIPF = Preset(
    settings=adam(0.01, 2.5e-4, max_steps=200, patience=200),
    input_dropout=0.5,
    hidden_dropout=0.5,
    architecture={"hidden_width": 16, "penalize_output": False},
    source="Kipf and Welling (2017)",
)


def _velickovic(learning_rate: float, l2: float, output_heads: int) -> Preset:
    settings = adam(learning_rate, l2, max_steps=1000, patience=100)
    return Preset(
        settings=dataclasses.replace(settings, patience_for="either"),
        input_dropout=0.6,
        hidden_dropout=0.6,
        architecture={
            "hidden_width": 64,
            "heads": 8,
            "output_heads": output_heads,
            "attention_dropout": 0.6,
            "drop_values": True,
        },
        source="Veličković et al. (2018)",
    )


_NGCN = Preset(
    settings=descent(1.0, l2=1e-3),
    input_dropout=0.7,
    hidden_dropout=0.9,
    architecture={"hidden_width": 10, "powers": (0, 1, 2, 3), "replicas": 3, "head": "dense"},
    source="scripts of the original code",
)

_NGCN_PSUM = dataclasses.replace(_NGCN, architecture={**_NGCN.architecture, "head": "psum"})

# Settings from the models' own papers.
OWN: Mapping[str, Mapping[str | None, Preset]] = {
    "mlp": {None: _KIPF},
    "gcn": {None: _KIPF},
    # The paper cites Kipf and Welling's results for it, which have the same settings.
    "chebyshev": {
        None: dataclasses.replace(_KIPF, architecture={**_KIPF.architecture, "order": 3})
    },
    "gat": {"pubmed": _velickovic(0.01, 5e-4, 8), None: _velickovic(0.005, 2.5e-4, 1)},
    # The scripts use a dense head only for Cora.
    "ngcn": {
        "citeseer": _NGCN_PSUM,
        "pubmed": _NGCN_PSUM,
        None: _NGCN,
    },
}

# Section 5.2 of the paper: latent dimension 60 for all models. N-GCN's towers have 60 in total.
EQUAL: Mapping[str, Mapping[str, Any]] = {
    "mlp": {"hidden_width": 60},
    "gcn": {"hidden_width": 60},
    "chebyshev": {"hidden_width": 60},
    "gat": {"hidden_width": 60, "heads": 6},
    "ngcn": {"hidden_width": 5},
}


def equal(model: str, own: Preset) -> Preset:
    """The preset with MixHop's width, and at least as many steps as MixHop."""
    max_steps = max(own.settings.max_steps, MAX_STEPS)
    return dataclasses.replace(
        own,
        settings=dataclasses.replace(own.settings, max_steps=max_steps),
        architecture={**own.architecture, **EQUAL[model]},
        source=f"{own.source}, latent width 60",
    )
