"""Tables of a small town, and what must hold for every conversion."""

import datasets
from datasets.store.convert import convert
from tests.datasets.store.test_stored_graph import assert_same
from trainers.sweeps.config import graph_digest

NUM_NODES = 60


def cells(rng, prefix="", scattered=False):
    """The rows of a table of nodes and of a table of edges."""
    numbers = rng.permutation(NUM_NODES) * (10**12 if scattered else 1)
    ids = [f"{prefix}{number}" for number in numbers]
    nodes = [
        (
            ids[i],
            rng.choice(["a", "b", "c", ""]),
            f"{rng.random():.4f}",
            "" if rng.random() < 0.2 else f"{rng.integers(9)}",
            rng.choice(["red", "green", "blue", ""]),
            rng.choice(["yes", "no"]),
        )
        for i in range(NUM_NODES)
    ]
    edges = [
        (ids[i], ids[j], f"{0.1 + rng.random():.3f}")
        for i, j in rng.integers(NUM_NODES, size=(300, 2))
    ]
    return nodes, edges


NODES = ("node", "label", "height", "rooms", "colour", "garden")
EDGES = ("source", "target", "weight")


def lines(header, rows):
    return "".join(f"{','.join(row)}\n" for row in [header, *rows])


def assert_converts(path, out, **options):
    direct = datasets.load(path, make_split=False, **options)
    convert(path, out, **options)
    again = {key: options[key] for key in ("directed", "weight") if key in options}
    again = {key: value for key, value in again.items() if value in (True, "none")}
    stored = datasets.load(out, make_split=False, **again)
    assert_same(direct, stored)
    assert graph_digest(stored) == graph_digest(direct)
    return stored
