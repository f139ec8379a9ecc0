"""Figures: one file each, in one style."""
