"""Values that `trainers.tune` found: learning rate, L2, lasso, input and hidden dropout."""

from __future__ import annotations

from collections.abc import Mapping

# On random splits with 100 nodes per class:
RANDOM_SPLITS: Mapping[str, Mapping[str, tuple[float, ...]]] = {
    "mixhop": {
        "cora": (2.0, 1e-2, 1e-2, 0.3, 0.9),
        "citeseer": (2.0, 3e-2, 0.0, 0.7, 0.9),
        "pubmed": (2.0, 1e-2, 1e-2, 0.3, 0.9),
    },
    "mlp": {
        "cora": (0.02, 5e-4, 0.0, 0.5, 0.9),
        "citeseer": (0.005, 1e-3, 0.0, 0.8, 0.8),
        "pubmed": (0.05, 1e-3, 0.0, 0.5, 0.5),
    },
    "gcn": {
        "cora": (0.05, 1e-3, 0.0, 0.5, 0.5),
        "citeseer": (0.01, 2.5e-3, 0.0, 0.8, 0.9),
        "pubmed": (0.02, 5e-4, 0.0, 0.5, 0.9),
    },
    "chebyshev": {
        "cora": (0.02, 1e-3, 0.0, 0.8, 0.3),
        "citeseer": (0.01, 2.5e-3, 0.0, 0.8, 0.9),
        "pubmed": (0.02, 1e-3, 0.0, 0.8, 0.3),
    },
    "gat": {
        "cora": (0.05, 1e-3, 0.0, 0.5, 0.5),
        "citeseer": (0.002, 1e-3, 0.0, 0.5, 0.8),
        "pubmed": (0.01, 5e-5, 0.0, 0.0, 0.3),
    },
}

# On the synthetic graph of homophily 0.2 and seed 100, which no figure contains:
SYNTHETIC: Mapping[str, tuple[float, ...]] = {
    "mixhop": (0.05, 0.0, 0.0, 0.0, 0.5),
    "mixhop_attention": (0.05, 0.0, 0.0, 0.0, 0.5),
    "gcn": (0.05, 2.5e-4, 0.0, 0.0, 0.7),
    "chebyshev": (0.01, 5e-5, 0.0, 0.0, 0.7),
    "gat": (0.05, 2.5e-4, 0.0, 0.0, 0.0),
    "mlp": (0.05, 2.5e-4, 0.0, 0.0, 0.7),
}
SYNTHETIC_GRAPH = ("synthetic-h0.2", 100)
