"""A graph that changes while a model answers questions about it."""
