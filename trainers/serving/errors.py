"""A request that cannot be answered: a status of HTTP and one sentence."""

from __future__ import annotations

BAD, UNKNOWN, CONFLICT, TOO_LARGE, INVALID = 400, 404, 409, 413, 422
BUSY = 503


class RequestError(Exception):
    """A request is wrong, or cannot be answered now.

    Args:
        status: Status of HTTP.
        message: One sentence that names the culprit and the remedy.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
