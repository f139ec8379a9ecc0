"""The commands. They use `datasets` and `mixhop_tf`; neither of these imports this package."""
