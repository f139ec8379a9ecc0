"""Learns an architecture: trains a wide network, measures it, shrinks it and retrains it."""
