"""The origin of a record: the machine, Python, packages, and this project's commit."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

from mixhop_tf.cores import num_cores

PACKAGES = ("tensorflow", "keras", "numpy", "scipy")

# Vector instructions by their flag in /proc/cpuinfo, the widest first.
_VECTORS = {"avx512f": "avx512", "avx2": "avx2", "avx": "avx", "sve": "sve", "asimd": "neon"}


@functools.cache
def versions() -> dict[str, str]:
    """Versions of Python, of the packages that affect results, and of this project."""
    found = {package: _version(package) for package in PACKAGES}
    return {"python": platform.python_version(), **found, "mixhop": _commit()}


@functools.cache
def hardware() -> str:
    """The processor and the number of cores that this process may use."""
    found = re.search(r"^model name\s*: (.+)$", _cpu_info(), re.MULTILINE)
    name = found[1].strip() if found else platform.processor() or platform.machine()
    return f"{name}, {num_cores()} cores"


@functools.cache
def machine() -> dict[str, Any]:
    """Properties on which the last bits of results depend; equal properties give equal bits.

    The processor, oneDNN and the number of threads per op decide which instructions TensorFlow uses
    and in which order it sums. TensorFlow must have started.
    """
    import tensorflow as tf
    from tensorflow.python.util import _pywrap_util_port

    build = tf.sysconfig.get_build_info()
    kinds = [kind for kind in ("cuda", "rocm", "tensorrt") if build.get(f"is_{kind}_build")]
    return {
        "cpu": cpu_kind(_cpu_info()),
        # TensorFlow knows TF_ENABLE_ONEDNN_OPTS and the default of its build.
        "onednn": bool(_pywrap_util_port.IsMklEnabled()),
        "intra_op_threads": tf.config.threading.get_intra_op_parallelism_threads(),
        "tensorflow_build": "+".join(kinds) or "cpu",
    }


def cpu_kind(info: str) -> str:
    r"""The processor's maker and its widest vectors, from the text of `/proc/cpuinfo`.

    >>> cpu_kind("vendor_id\t: GenuineIntel\nflags\t\t: fpu avx avx2 avx512f")
    'GenuineIntel avx512'
    """
    maker = re.search(r"^(?:vendor_id|CPU implementer)\s*: (.+)$", info, re.MULTILINE)
    found = re.search(r"^(?:flags|Features)\s*: (.+)$", info, re.MULTILINE)
    flags = found[1].split() if found else []
    vectors = next((name for flag, name in _VECTORS.items() if flag in flags), "")
    return f"{maker[1].strip() if maker else platform.machine()} {vectors}".strip()


def _cpu_info() -> str:
    """Linux's description of the processor; empty on other systems."""
    with contextlib.suppress(OSError):
        return Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    return ""


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # by another name, such as tensorflow-cpu
        return str(importlib.import_module(package).__version__)


def _commit() -> str:
    """The current commit, with a + if the code has changed since; `unknown` outside git."""
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
