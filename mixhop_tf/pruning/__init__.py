"""Learns an architecture: trains wide, measures, shrinks, retrains."""
