"""Exact training of one model by several workers, each with some rows of the graph."""
