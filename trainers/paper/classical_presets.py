"""The rows of Table 1 that the paper cites: what is known of them, and what was tuned here.

Nobody published the penalties, the rates and most other values of these methods. `START` has what
is known, `SPACES` what tuning draws from, and `classical_values.py` what it chose. Yang et al.
(2016) ran ManiReg, SemiEmb, DeepWalk and Planetoid, with walks of 10 steps, a window of 3 and 50
columns; Kipf and Welling (2017) ran ICA, with a logistic regression for each class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from mixhop_tf import Settings
from trainers.paper import classical_values
from trainers.paper.preset import Preset
from trainers.paper.schedules import adam

_SOURCE = "values of its authors, and others to begin with"
_NETWORK = Preset(
    settings=adam(0.01, 5e-4, max_steps=400, patience=200),
    input_dropout=0.5,
    hidden_dropout=0.5,
    architecture={"hidden_width": 60, "manifold": 1.0},
    source=_SOURCE,
)

# What tuning starts from.
START: Mapping[str, Preset] = {
    "manireg": _NETWORK,
    "semiemb": dataclasses.replace(_NETWORK, architecture={**_NETWORK.architecture, "margin": 1.0}),
    "lp": Preset(
        settings=Settings(max_steps=1),
        architecture={"mass_normalization": False},
        source="Zhu et al. (2003)",
    ),
    "deepwalk": Preset(
        settings=Settings(max_steps=1, l2=1e-2),
        architecture={"embedding_rate": 0.02, "rounds": 10},
        source=_SOURCE,
    ),
    "ica": Preset(
        settings=Settings(max_steps=1, l2=1e-2),
        architecture={"aggregate": "count", "one_vs_rest": True},
        source=_SOURCE,
    ),
    "planetoid": Preset(
        settings=Settings(
            learning_rate=0.3, max_steps=50, patience=20, optimizer="gradient_descent"
        ),
        architecture={
            "variant": "t",
            "embedding_rate": 0.05,
            "layer_rate": 0.001,
            "rounds": 5,
            "label_share": 0.1,
            "context_batches": 1,
        },
        source=_SOURCE,
    ),
}

_PENALTIES = (5e-4, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 1e-1)
_MANIFOLD = {
    "learning_rate": (0.005, 0.01, 0.02, 0.05),
    "l2": (5e-5, 2.5e-4, 5e-4, 1e-3, 2.5e-3),
    "input_dropout": (0.0, 0.3, 0.5, 0.7, 0.8),
    "hidden_dropout": (0.0, 0.3, 0.5, 0.7),
    "manifold": (0.1, 0.3, 1.0, 3.0, 10.0, 30.0),
}
# The values that tuning draws from, all with the same probability.
SPACES: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "manireg": _MANIFOLD,
    "semiemb": {**_MANIFOLD, "margin": (0.3, 1.0, 3.0)},
    "lp": {"mass_normalization": (False, True)},
    "deepwalk": {
        "l2": _PENALTIES,
        "embedding_rate": (0.01, 0.02, 0.05),
        "rounds": (5, 10, 20),
    },
    "ica": {"l2": _PENALTIES, "aggregate": ("count", "share")},
    "planetoid": {
        "learning_rate": (0.1, 0.3, 1.0),
        "embedding_rate": (0.02, 0.05, 0.1),
        "layer_rate": (0.0003, 0.001, 0.003),
        "rounds": (2, 5, 10),
        "label_share": (0.0, 0.1, 0.3),
        "context_batches": (0, 1, 3),
        "variant": ("t", "i"),
    },
}


def tuned(model: str) -> dict[str, dict[str | None, Preset]]:
    """The presets that tuning found for a method, by name; see `trainers.paper.presets`."""
    start = START[model]
    of_graphs = {
        "tuned": classical_values.PLANETOID_SPLITS,
        "tuned-random": classical_values.RANDOM_SPLITS,
    }
    presets: dict[str, dict[str | None, Preset]] = {
        name: {graph: start.tuned(**each) for graph, each in values[model].items()}
        for name, values in of_graphs.items()
        if model in values
    }
    if model in classical_values.SYNTHETIC:
        presets["synthetic"] = {None: start.tuned(**classical_values.SYNTHETIC[model])}
    return presets
