"""Trains on parts of a graph, one after the other, where the whole graph does not fit."""
