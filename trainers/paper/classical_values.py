"""Values that `trainers.tune` found for the rows of Table 1 that the paper cites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# On Planetoid's splits:
PLANETOID_SPLITS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "lp": {
        "cora": {"mass_normalization": True},
        "citeseer": {"mass_normalization": False},
        "pubmed": {"mass_normalization": True},
    },
    "ica": {
        "cora": {"l2": 0.02, "aggregate": "count"},
        "citeseer": {"l2": 0.1, "aggregate": "count"},
        "pubmed": {"l2": 0.01, "aggregate": "share"},
    },
    "manireg": {
        "cora": {
            "learning_rate": 0.005,
            "l2": 5e-05,
            "input_dropout": 0,
            "hidden_dropout": 0,
            "manifold": 10,
        },
        "citeseer": {
            "learning_rate": 0.005,
            "l2": 5e-05,
            "input_dropout": 0,
            "hidden_dropout": 0,
            "manifold": 10,
        },
        "pubmed": {
            "learning_rate": 0.05,
            "l2": 5e-05,
            "input_dropout": 0,
            "hidden_dropout": 0.7,
            "manifold": 0.1,
        },
    },
    "semiemb": {
        "cora": {
            "learning_rate": 0.005,
            "l2": 5e-05,
            "input_dropout": 0,
            "hidden_dropout": 0.5,
            "manifold": 3,
            "margin": 1,
        },
        "citeseer": {
            "learning_rate": 0.005,
            "l2": 5e-05,
            "input_dropout": 0,
            "hidden_dropout": 0.5,
            "manifold": 3,
            "margin": 1,
        },
        "pubmed": {
            "learning_rate": 0.05,
            "l2": 0.0025,
            "input_dropout": 0.3,
            "hidden_dropout": 0.5,
            "manifold": 30,
            "margin": 1,
        },
    },
    "deepwalk": {
        "cora": {"l2": 0.01, "embedding_rate": 0.02, "rounds": 20},
        "citeseer": {"l2": 0.05, "embedding_rate": 0.02, "rounds": 20},
        "pubmed": {"l2": 0.002, "embedding_rate": 0.02, "rounds": 20},
    },
    "planetoid": {
        "cora": {
            "learning_rate": 0.3,
            "embedding_rate": 0.02,
            "layer_rate": 0.001,
            "rounds": 5,
            "label_share": 0.3,
            "context_batches": 3,
            "variant": "t",
        },
        "citeseer": {
            "learning_rate": 0.1,
            "embedding_rate": 0.02,
            "layer_rate": 0.003,
            "rounds": 5,
            "label_share": 0.3,
            "context_batches": 1,
            "variant": "i",
        },
        "pubmed": {
            "learning_rate": 0.1,
            "embedding_rate": 0.02,
            "layer_rate": 0.003,
            "rounds": 5,
            "label_share": 0.3,
            "context_batches": 1,
            "variant": "i",
        },
    },
}

# On random splits with 100 nodes per class:
RANDOM_SPLITS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "lp": {
        "cora": {"mass_normalization": False},
        "citeseer": {"mass_normalization": False},
        "pubmed": {"mass_normalization": False},
    },
    "deepwalk": {
        "cora": {"l2": 0.002, "embedding_rate": 0.02, "rounds": 20},
        "citeseer": {"l2": 0.05, "embedding_rate": 0.02, "rounds": 20},
        "pubmed": {"l2": 0.01, "embedding_rate": 0.02, "rounds": 20},
    },
    "ica": {
        "cora": {"l2": 0.005, "aggregate": "count"},
        "citeseer": {"l2": 0.01, "aggregate": "share"},
        "pubmed": {"l2": 0.1, "aggregate": "count"},
    },
}

# On the synthetic graph of homophily 0.2 and seed 100, which no figure contains:
SYNTHETIC: Mapping[str, Mapping[str, Any]] = {
    "lp": {"mass_normalization": True},
    "deepwalk": {"l2": 0.0005, "embedding_rate": 0.05, "rounds": 20},
    "ica": {"l2": 0.0005, "aggregate": "count"},
}
