"""What made a record: the machine, Python, packages, and this project's commit."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import platform
import re
import subprocess
from pathlib import Path

from trainers.sweeps.tensorflow import num_cores

PACKAGES = ("tensorflow", "keras", "numpy", "scipy")


@functools.cache
def versions() -> dict[str, str]:
    """Of Python, of the packages that decide the numbers, and of this project."""
    found = {package: _version(package) for package in PACKAGES}
    return {"python": platform.python_version(), **found, "mixhop": _commit()}


@functools.cache
def hardware() -> str:
    """The processor and how many cores of it this process may use."""
    name = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        found = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
        name = found[1].strip() if found else name
    return f"{name}, {num_cores()} cores"


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
