"""Computes a model on a graph that is too large for it, exactly, in blocks of rows and columns."""
