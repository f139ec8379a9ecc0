"""Short runs of every kind that several workers can make."""

import contextlib
import dataclasses
from unittest import mock

import numpy as np
import scipy.sparse as sp
from small_learning import RETRAIN, WIDE, learn_settings, with_settings

from mixhop_tf import (
    AdjacencySpec,
    Architecture,
    Checkpoint,
    GraphData,
    Settings,
    learn_architecture,
    limits,
)
from mixhop_tf import baselines as of
from mixhop_tf.distributed import group as group_module
from mixhop_tf.distributed import operator, rows
from mixhop_tf.training.make_trainer import make_trainer

_DRY = {"input_dropout": 0.0, "hidden_dropout": 0.0}
_FAST = Settings(max_steps=10, learning_rate=0.2, l2=1e-3, lasso=1e-3)
_ADAM = dataclasses.replace(
    _FAST,
    optimizer="adam",
    learning_rate=0.05,
    lasso_kind="scaled",
    select_by="macro_f1",
    class_weight="balanced",
)


def make_graph(**options):
    """A graph of 83 nodes, which no number of workers divides evenly."""
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=83)
    features = rng.random((83, 6)) * (rng.random((83, 6)) < 0.1)
    features[np.arange(83), labels] += 1
    edges = rng.integers(83, size=(200, 2))
    if options.pop("weighted", False):
        options["edge_weights"] = rng.random(len(edges)) + 0.5
    return GraphData(
        edges=edges,
        labels=labels,
        train=range(30),  # all on the first worker
        val=rng.permutation(range(30, 60)),
        test=range(60, 83),
        features=sp.csr_array(features),
        **options,
    )


def make_chains(**options):
    """Two chains of 40 nodes. Training nodes are in the second one, so a part of it is enough."""
    rng = np.random.default_rng(1)
    labels = rng.integers(3, size=80)
    features = rng.random((80, 6)) * (rng.random((80, 6)) < 0.3)
    features[np.arange(80), labels] += 1
    chain = np.stack([np.arange(39), np.arange(1, 40)], axis=1)
    return GraphData(
        edges=np.concatenate([chain, chain + 40]),
        labels=labels,
        train=[45, 46, 47, 60, 61, 70],
        val=range(0, 20),
        test=range(20, 40),
        features=sp.csr_array(features),
        **options,
    )


def _mixhop(**options):
    return Architecture.default(3, hidden_dims=[12], **_DRY, **options)


CASES = {
    "mixhop": (make_graph(), _mixhop(), _FAST),
    "adam": (make_graph(), _mixhop(), _ADAM),
    "both directions, weighted": (
        make_graph(directed=True, weighted=True),
        _mixhop(adjacency=AdjacencySpec(direction="both", self_loops=False)),
        _FAST,
    ),
    "chebyshev": (
        make_graph(),
        of.Chebyshev(hidden_width=5, **_DRY),
        dataclasses.replace(_FAST, selection="original"),
    ),
    "ngcn": (make_graph(), of.NGCN(hidden_width=3, powers=(0, 1), replicas=1, **_DRY), _FAST),
}
_BY_ROW = AdjacencySpec(normalization="row", direction="in")
# With dropout, on the part of the graph that one process uses.
WET = {
    "mixhop": (make_graph(), Architecture.default(3, hidden_dims=[12], powers=(0, 1, 2)), _ADAM),
    "ngcn": (make_graph(), of.NGCN(hidden_width=3, powers=(0, 1), replicas=1), _FAST),
    "part of the graph": (make_chains(), of.GCN(hidden_width=4), _FAST),
    "part, directed": (
        make_chains(directed=True),
        Architecture.default(
            3, hidden_dims=[6], powers=(0, 1), batch_norm=False, adjacency=_BY_ROW
        ),
        _FAST,
    ),
    "chebyshev": (make_chains(), of.Chebyshev(hidden_width=4, order=1), _FAST),
    "mlp": (make_chains(), of.MLP(hidden_width=4), _FAST),
}
LEARN = learn_settings(
    lasso=0.01,
    importance="loss",
    runs=1,
    wide=with_settings(dataclasses.replace(WIDE, **_DRY), max_steps=8),
    retrain=with_settings(dataclasses.replace(RETRAIN, **_DRY), max_steps=3),
)


# Cases that a large graph computes in blocks of rows and tiles of columns.
LEAN = ("mixhop", "both directions, weighted")


class InterruptionError(Exception):
    """Ends a run in the middle."""


def trained(group, name, cases=CASES):
    """Makes one of the runs; returns its losses, its logits and the run."""
    graph, architecture, settings = cases[name]
    options = {} if group is None else {"group": group}
    run = make_trainer(graph, architecture, settings, **options).run(0)
    losses = [(each.loss, each.val_loss, each.val_accuracy) for each in run.curve]
    return np.array(losses), run.logits, run


def all_cases(group, folder):
    """Makes every run on this worker, and what else the tests compare."""
    found = {}
    for name in CASES:
        *found[name], run = trained(group, name)
        if name == "mixhop":
            found["frozen"] = run.model.get_weights()
    path = f"{folder}/{group.rank}.npz"  # only the chief writes

    def interrupt(point, _best):
        if point.step == 6:
            raise InterruptionError

    graph, architecture, settings = CASES["mixhop"]
    trainer = make_trainer(graph, architecture, settings, group=group)
    steps = []
    with contextlib.suppress(InterruptionError):
        trainer.run(0, interrupt, checkpoint=Checkpoint(path, every_steps=2))
    run = trainer.run(0, lambda point, _: steps.append(point.step), checkpoint=Checkpoint(path))
    found["resumed"] = steps[0], [point.loss for point in run.curve]
    with contextlib.suppress(InterruptionError):  # the file stays for a run of one process
        trainer.run(0, interrupt, checkpoint=Checkpoint(path, every_steps=2))
    learned = learn_architecture(make_graph(), LEARN, group=group)
    found["architecture"] = learned.architecture
    found["shared"] = group.share(b"from the chief" if group.is_chief else b"other")
    found["wet"] = {name: trained(group, name, WET)[:2] for name in WET}
    found["lean"] = as_large_graphs(group)
    return found


def as_large_graphs(group):
    """Makes some of the runs as a graph of millions of nodes would make them."""
    with (
        mock.patch.object(limits, "MANY_ROWS", 1),
        mock.patch.object(rows, "_TILE", 10),
        mock.patch.object(operator, "_COLUMNS_AT_ONCE", 7),
        mock.patch.object(group_module, "_PIECE_BYTES", 300),  # several pieces for each product
    ):
        found = {name: trained(group, name)[:2] for name in LEAN}
        wet = make_trainer(*WET["mixhop"], group=group).run(0)
        return found | {"dropout": [point.loss for point in wet.curve]}
