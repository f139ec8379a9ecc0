"""Feeds damaged and hostile files to everything that reads one: `python -m tests.fuzz`."""
