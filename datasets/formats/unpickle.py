"""Pickles from strangers, read without running their code."""

from __future__ import annotations

import _codecs
import collections
import copyreg
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy._core import multiarray, numeric

from datasets.errors import DataError

# The few names that arrays and plain containers need, under their old and new homes. Each maps
# straight to an object: nothing is imported because a file asks for it.
_ALLOWED: dict[tuple[str, str], Any] = {
    (module, name): value
    for modules, values in (
        (
            ("numpy.core.multiarray", "numpy._core.multiarray"),
            {"_reconstruct": multiarray._reconstruct, "scalar": multiarray.scalar},
        ),
        (("numpy.core.numeric", "numpy._core.numeric"), {"_frombuffer": numeric._frombuffer}),  # type: ignore[attr-defined]
        (("numpy",), {"ndarray": np.ndarray, "dtype": np.dtype}),
        (
            ("scipy.sparse.csr", "scipy.sparse._csr"),
            {"csr_matrix": sp.csr_matrix, "csr_array": sp.csr_array},
        ),
        (
            ("builtins", "__builtin__"),
            {kind.__name__: kind for kind in (list, dict, set, frozenset, tuple, object)},
        ),
        (
            ("collections",),
            {"defaultdict": collections.defaultdict, "OrderedDict": collections.OrderedDict},
        ),
        # How old protocols write bytes, and instances of the classes above.
        (("_codecs",), {"encode": _codecs.encode}),
        (("copyreg", "copy_reg"), {"_reconstructor": copyreg._reconstructor}),  # type: ignore[attr-defined]
    )
    for module in modules
    for name, value in values.items()
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
