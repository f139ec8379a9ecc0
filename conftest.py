"""Runs each TensorFlow op of tests and doctests on one thread, as training does."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # read when TensorFlow is imported

import tensorflow as tf

# TensorFlow accepts this setting only before its first op.
tf.config.threading.set_intra_op_parallelism_threads(1)
