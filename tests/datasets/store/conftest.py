"""A small town in tables, and conversions in small parts."""

import numpy as np
import pytest

from datasets.store import buckets, parts
from datasets.store.stream import Stream
from tests.datasets.store.towns import EDGES, NODES, cells, lines


@pytest.fixture
def town(tmp_path):
    nodes, edges = cells(np.random.default_rng(0))
    folder = tmp_path / "town"
    folder.mkdir()
    (folder / "nodes.csv").write_text(lines(NODES, nodes))
    (folder / "edges.csv").write_text(lines(EDGES, edges))
    return folder


@pytest.fixture
def streamed(monkeypatch):
    """Small parts and buckets, and a list of the conversions that ran in parts."""
    monkeypatch.setattr(parts, "PART", 500)
    monkeypatch.setattr(buckets, "ENTRIES", 50)
    finished = []
    run = Stream.run

    def noted(self, split):
        found = run(self, split)
        finished.append(found)
        return found

    monkeypatch.setattr(Stream, "run", noted)
    return finished
