"""Numbers of tests and doctests come from one thread for each op, as in training."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported

import tensorflow as tf

# TensorFlow takes this setting before its first op only.
tf.config.threading.set_intra_op_parallelism_threads(1)
