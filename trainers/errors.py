"""Errors that a user can mend."""


class RunError(Exception):
    """A run cannot start or go on; the message is one sentence with culprit and remedy."""
