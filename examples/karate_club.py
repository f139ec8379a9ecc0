"""Predicts the sides in Zachary's karate club: two leaders are known; whom do the others follow?

    python examples/karate_club.py

Trains a network on a graph from networkx, learns a smaller one, exports it, and predicts with it.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # for a checkout that is not installed

import networkx as nx

import mixhop_tf

club = nx.karate_club_graph()
leaders, advisers = [0, 33], [1, 2, 31, 32]
others = [member for member in club if member not in leaders + advisers]
graph = mixhop_tf.GraphData.from_networkx(
    club, label="club", train=leaders, val=advisers, test=others
)

run = mixhop_tf.train(graph, seed=0)
print(
    f"{run.test_accuracy:.0%} of the other {len(others)} members are predicted correctly "
    f"at step {run.best.step}"
)

settings = mixhop_tf.LearnSettings(budget="columns=12")
learned = mixhop_tf.learn_architecture(graph, settings, seed=0)
print(learned.architecture)
print(f"{learned.run.test_accuracy:.0%} with the learned architecture")

folder = learned.run.export(Path(tempfile.mkdtemp()) / "club")
served = mixhop_tf.load_saved_model(folder)
sides = served.predict(graph.features, graph.edges)["labels"]
print(f"member 16 follows {served.class_names[sides[16]]}")
