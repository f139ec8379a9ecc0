"""The expected duration of the paper's runs, from which a sweep estimates the time left."""

from __future__ import annotations

from trainers.sweeps.cell import Cell

# Seconds per run, measured on two cores. Only the ratios matter: finished runs give the speed of
# this machine.
_SECONDS = {"cora": 3.0, "citeseer": 4.0, "pubmed": 15.0}
_OTHER_SECONDS = 8.0
_FACTORS = {
    **{"mlp": 0.4, "gcn": 0.5, "chebyshev": 1.0, "gat": 4.0},
    **{"lp": 0.05, "ica": 0.1, "deepwalk": 0.5, "planetoid": 0.7, "manireg": 1.0, "semiemb": 1.0},
}
_ATTENTION = 4.0  # MixHop with attention


def expected_seconds(cell: Cell) -> float:
    """The rough duration of a run of a cell."""
    seconds = _SECONDS.get(cell.config.data.dataset, _OTHER_SECONDS)
    architecture = cell.config.architecture
    attends = any(layer.get("heads") for layer in architecture.get("layers", ()))
    return seconds * (_ATTENTION if attends else _FACTORS.get(architecture.get("model", ""), 1.0))
