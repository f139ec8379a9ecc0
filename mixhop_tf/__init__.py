"""MixHop for TensorFlow 2 and Keras 3: layers, models, training, architecture learning, serving.

The public names are those that `__init__.pyi` imports. Each is loaded when it is first used, so
`from mixhop_tf import Architecture` does not start TensorFlow.
"""

import ast
import importlib
import importlib.metadata
from pathlib import Path
from typing import Any

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOMES = {
    alias.name: str(node.module)
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__


def _version() -> str:
    try:
        return importlib.metadata.version("mixhop-tf")
    except importlib.metadata.PackageNotFoundError:  # a checkout that is not installed
        return Path(__file__).parents[1].joinpath("VERSION").read_text(encoding="utf-8").strip()
