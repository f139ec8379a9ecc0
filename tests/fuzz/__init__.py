"""Feeds damaged and hostile files to everything that reads a file: `python -m tests.fuzz`."""
