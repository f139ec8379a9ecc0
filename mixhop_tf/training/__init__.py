"""Trains a model on a graph: settings, inputs, the loop, the result of a run."""
