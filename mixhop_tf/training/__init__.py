"""Trains models on graphs: settings, inputs, the training loop and the result of a run."""
