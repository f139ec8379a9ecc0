"""Zachary's karate club: two members' sides are known; whom do the others follow?

    python examples/karate_club.py

The graph comes from networkx and has no features, so its edges make some.
"""

import networkx as nx
import numpy as np

import datasets
import mixhop_tf
from trainers.config import RunConfig
from trainers.data_config import DataConfig
from trainers.experiments import preset
from trainers.loop import Trainer

club = datasets.Graph.from_networkx(nx.karate_club_graph(), label="club", name="karate club")
leaders, advisers = [0, 33], [1, 2, 31, 32]
others = np.setdiff1d(np.arange(club.num_nodes), leaders + advisers)
club = club.with_split(train=leaders, val=advisers, test=others)

chosen = preset("l2", club.name)
config = RunConfig.of(
    DataConfig(dataset=club.name),
    club,
    mixhop_tf.Architecture.default(
        club.num_classes, hidden_dims=[12], input_dropout=0.0, hidden_dropout=0.3
    ),
    chosen.settings,
)
run = Trainer(club, config).run(seed=0)
print(run.model.architecture)
print(f"{run.test_accuracy:.0%} of the other {len(others)} members, at step {run.best.step}")
