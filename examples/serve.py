"""Uses a SavedModel with only TensorFlow and NumPy; this file needs nothing else of the project.

    python examples/serve.py path/to/saved_model

Predicts the classes of a path of four nodes with made-up features.
"""

import json
import sys
from pathlib import Path

import numpy as np
import tensorflow as tf

folder = Path(sys.argv[1])
model = tf.saved_model.load(str(folder)).signatures["serving_default"]
class_names = json.loads((folder / "assets" / "class_names.json").read_text(encoding="utf-8"))
width = json.loads((folder / "assets" / "inputs.json").read_text(encoding="utf-8"))["num_features"]

features = np.random.default_rng(0).random((4, width), np.float32)
edges = np.array([[0, 1], [1, 2], [2, 3]])  # each edge once, in either direction
answer = model(features=tf.constant(features), edges=tf.constant(edges, tf.int64))
for node, row in enumerate(answer["probabilities"].numpy()):
    best = int(row.argmax())
    print(f"node {node}: {class_names[best]} ({row[best]:.0%})")
