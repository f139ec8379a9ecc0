"""Pickles from strangers, read without running their code."""

from __future__ import annotations

import _codecs
import collections
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy._core import multiarray

from datasets.errors import DataError

# Old and new homes of the few names that arrays and plain containers need. Each maps straight to an
# object: nothing is imported because a file asks for it.
_NUMPY_INTERNALS = {"_reconstruct": multiarray._reconstruct, "scalar": multiarray.scalar}
_CONTAINERS = {kind.__name__: kind for kind in (list, dict, set, frozenset, tuple)}
_ALLOWED: dict[tuple[str, str], Any] = {
    **{
        (module, name): value
        for module in ("numpy.core.multiarray", "numpy._core.multiarray")
        for name, value in _NUMPY_INTERNALS.items()
    },
    **{
        (module, name): kind
        for module in ("builtins", "__builtin__")
        for name, kind in _CONTAINERS.items()
    },
    **{
        (module, "csr_matrix"): sp.csr_matrix
        for module in ("scipy.sparse.csr", "scipy.sparse._csr")
    },
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("collections", "defaultdict"): collections.defaultdict,
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("_codecs", "encode"): _codecs.encode,  # how protocol 2 writes bytes
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise DataError(
                f"it asks for `{module}.{name}`, which is neither an array nor a plain container"
            ) from None


def load_pickle(path: Path) -> Any:
    """The object pickled in `path`: NumPy and SciPy arrays and plain containers only.

    Raises:
        DataError: The pickle names anything else (it may try to run code), or is damaged.
    """
    with open(path, "rb") as file, warnings.catch_warnings():
        # Pickles older than NumPy 2 spell some dtype flags as integers.
        warnings.simplefilter("ignore", category=np.exceptions.VisibleDeprecationWarning)
        warnings.simplefilter("ignore", category=DeprecationWarning)
        try:
            return _Unpickler(file, encoding="latin1").load()
        except DataError as refusal:
            raise DataError(f"{path} is refused: {refusal}.") from None
        except Exception as error:  # a damaged pickle can raise nearly anything
            raise DataError(f"{path} is not a readable pickle ({error}); fetch it again.") from None
