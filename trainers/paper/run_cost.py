"""How long the runs of the paper's cells take, to tell the time left of a sweep."""

from __future__ import annotations

from trainers.sweeps.cell import Cell

# Seconds of a run, measured on two cores, to tell how runs compare: what a run takes here is seen
# from those that are done.
_SECONDS = {"cora": 3.0, "citeseer": 4.0, "pubmed": 15.0}
_OTHER_SECONDS = 8.0
_FACTORS = {"mlp": 0.4, "gcn": 0.5, "chebyshev": 1.0, "gat": 4.0}


def expected_seconds(cell: Cell) -> float:
    """What a run of a cell should take, roughly."""
    seconds = _SECONDS.get(cell.config.data.dataset, _OTHER_SECONDS)
    return seconds * _FACTORS.get(cell.config.architecture.get("model", ""), 1.0)
