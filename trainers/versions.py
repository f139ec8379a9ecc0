"""What made a record: Python, packages, and this project's commit."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import platform
import subprocess
from pathlib import Path

PACKAGES = ("tensorflow", "keras", "numpy", "scipy")


@functools.cache
def versions() -> dict[str, str]:
    """Of Python, of the packages that decide the numbers, and of this project."""
    found = {package: _version(package) for package in PACKAGES}
    return {"python": platform.python_version(), **found, "mixhop": _commit()}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # by another name, such as tensorflow-cpu
        return str(importlib.import_module(package).__version__)


def _commit() -> str:
    """The commit that runs, with a + if its code was changed since; `unknown` outside git."""
    root = Path(__file__).parents[1]

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments],  # noqa: S607  # whichever git the user has
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", "datasets", "mixhop_tf", "trainers")
        return git("rev-parse", "--short=12", "HEAD") + "+" * bool(changed)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
