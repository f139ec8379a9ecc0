"""Figures, one a file, on one style."""
