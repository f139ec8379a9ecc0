"""Optional packages: one sentence says what to install if they are missing."""

from __future__ import annotations

import importlib.util

from trainers.sweeps.errors import RunError


def require(extra: str, *packages: str) -> None:
    """Checks that the packages of an extra are installed, without importing them.

    Args:
        extra: Name of the extra; its versions are in requirements-<extra>.lock.
        *packages: Names of the modules that are needed.

    Raises:
        RunError: One of them is missing.
    """
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise RunError(
            f"This needs {', '.join(missing)}; install with: python -m pip install "
            f"--require-hashes -r requirements-{extra}.lock"
        )
