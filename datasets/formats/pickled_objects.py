"""The objects that a pickle may contain; each is built from checked parts."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from datasets.formats.pickle_limits import PickleError, checked_keys, checked_pairs

_NUMBERS = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"}
_NO_FIELDS = (None, None, None, -1, -1, 0)  # how the state of a plain number ends
_DEEPEST = 100
_CODECS = ("latin1", "latin-1")


class Named:
    """Stands for a name in a pickle; `build` makes the object from checked arguments."""

    def __init__(self, name: str, build: Callable[..., Any]) -> None:
        self.name, self.build = name, build


class Unfinished:
    """Stands for an object that a pickle creates first and fills later."""

    def set_state(self, state: Any) -> None:
        """Accepts the content of the object."""
        raise PickleError(f"it fills an object that has no content with a {type(state).__name__}")

    def finish(self) -> Any:
        """Returns the object itself."""
        raise PickleError("it leaves an object unfinished")


class NumberType(Unfinished):
    """Builds a dtype of plain numbers."""

    def __init__(self, code: Any, *_flags: Any) -> None:
        text = _text(code).lstrip("<>=|")
        if text not in _NUMBERS:
            raise PickleError(f"it holds an array of {text[:40]!r}, which are not plain numbers")
        self._code, self._order = text, "|" if text[1] == "1" else "<"

    def set_state(self, state: Any) -> None:
        """Accepts a version and a byte order, and nothing else."""
        if not isinstance(state, tuple) or len(state) not in (8, 9):
            raise PickleError("it gives a dtype an invalid state")
        order, fields = _text(state[1]), state[2:8]
        if order not in ("<", ">", "|", "=") or fields != _NO_FIELDS:
            raise PickleError("it gives a dtype an invalid state")
        self._order = order

    def finish(self) -> np.dtype:
        """Returns the dtype."""
        return np.dtype(self._order + self._code)


class Array(Unfinished):
    """Builds an array of plain numbers."""

    def __init__(self, *_arguments: Any) -> None:
        self._array: np.ndarray | None = None

    def set_state(self, state: Any) -> None:
        """Accepts the shape, the dtype, the order of the axes, and the bytes."""
        if not isinstance(state, tuple) or len(state) not in (4, 5):
            raise PickleError("it gives an array an invalid state")
        shape, kind, fortran, content = state[-4:]
        self._array = _from_bytes(content, kind, shape, "F" if fortran else "C")

    @property
    def nbytes(self) -> int:
        """Size of the content in bytes."""
        return 0 if self._array is None else self._array.nbytes

    def finish(self) -> np.ndarray:
        """Returns the array."""
        if self._array is None:
            raise PickleError("it leaves an array unfinished")
        return self._array


class Matrix(Unfinished):
    """Builds a SciPy CSR matrix."""

    def __init__(self, *_arguments: Any) -> None:
        self._parts: dict[str, Any] = {}

    def set_state(self, state: Any) -> None:
        """Accepts the attributes of the matrix; four of them are used."""
        if not isinstance(state, dict):
            raise PickleError("it gives a matrix an invalid state")
        self._parts = {_text(name): value for name, value in state.items()}

    def finish(self) -> sp.csr_array:
        """Returns the matrix."""
        try:
            data, indices, indptr = map(self._array, ("data", "indices", "indptr"))
            rows, columns = self._parts["_shape" if "_shape" in self._parts else "shape"]
            shape = operator.index(rows), operator.index(columns)
            matrix = sp.csr_array((data, indices, indptr), shape=shape)
            matrix.check_format(full_check=True)
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
            raise PickleError("it holds a matrix whose parts do not fit together") from None
        return matrix

    def _array(self, name: str) -> np.ndarray:
        # `finished` is not used here: nested matrices would multiply the time with each level.
        part = self._parts[name]
        if isinstance(part, Array):
            return part.finish()
        if not isinstance(part, np.ndarray):
            raise TypeError
        return part


def finished(value: Any) -> Any:
    """Finishes every object in a value; shared objects stay shared.

    Raises:
        PickleError: Containers are nested too deeply or contain themselves.
    """
    return _Finisher().finish(value, 0)


class _Finisher:
    def __init__(self) -> None:
        self._done: dict[int, Any] = {}

    def finish(self, value: Any, depth: int) -> Any:
        if isinstance(value, int | float | str | bytes | None):
            return value
        if depth > _DEEPEST:
            raise PickleError("its containers are nested too deeply")
        if id(value) not in self._done:
            self._done[id(value)] = self._finish(value, depth + 1)
        return self._done[id(value)]

    def _finish(self, value: Any, depth: int) -> Any:
        if isinstance(value, Unfinished):
            return value.finish()
        if isinstance(value, dict):
            return dict(zip(value, self._all(value.values(), depth), strict=True))
        if isinstance(value, list | tuple | set | frozenset):
            if all(type(each) is int for each in value):  # a fast path for lists of neighbours
                return value
            return type(value)(self._all(value, depth))
        if isinstance(value, np.ndarray | np.generic):
            return value
        raise PickleError("it holds something that is neither an array nor a container")

    def _all(self, values: Iterable[Any], depth: int) -> list[Any]:
        return [self.finish(each, depth) for each in values]


def _text(value: Any) -> str:
    """Converts to text, which old protocols write as bytes."""
    if isinstance(value, bytes):
        value = value.decode("latin1")
    if not isinstance(value, str):
        raise PickleError("it has a number where a name belongs")
    return value


def _raw(value: Any) -> bytes:
    """Converts to bytes, which old protocols write as text."""
    if isinstance(value, str):
        value = value.encode("latin1")
    if not isinstance(value, bytes | bytearray):
        raise PickleError("it lacks the bytes of an array")
    return bytes(value)


def _from_bytes(content: Any, kind: Any, shape: Any, order: Any = "C") -> np.ndarray:
    """Builds an array from its bytes, which must fill the shape exactly."""
    if not isinstance(kind, NumberType) or not isinstance(shape, tuple):
        raise PickleError("it gives an array an invalid state")
    raw, dtype = _raw(content), kind.finish()
    if any(type(size) is not int or size < 0 for size in shape) or len(shape) > 8:
        raise PickleError("it gives an array an invalid shape")
    if math.prod(shape) * dtype.itemsize != len(raw) or _text(order) not in ("C", "F"):
        raise PickleError("it gives an array a shape that its bytes do not fill")
    return np.frombuffer(raw, dtype).reshape(shape, order="F" if _text(order) == "F" else "C")


def _scalar(kind: Any, content: Any) -> Any:
    return _from_bytes(content, kind, ())[()]


def _encoded(text: Any, codec: Any) -> bytes:
    """Builds bytes the way old protocols write them."""
    if _text(codec) not in _CODECS:
        raise PickleError("it encodes text in an unsupported way")
    return _raw(text)


def _container(kind: type) -> Callable[..., Any]:
    def build(*arguments: Any) -> Any:
        if len(arguments) > 1 or (arguments and not isinstance(arguments[0], list | tuple)):
            raise PickleError(f"it builds a {kind.__name__} in an unsupported way")
        if arguments and kind is dict:
            return dict(checked_pairs(arguments[0]))
        if arguments and kind in (set, frozenset):
            checked_keys(list(arguments[0]))
        return kind(*arguments)

    return build


def _default_dict(*_factory: Any) -> dict[Any, Any]:
    return {}


def _reconstructed(kind: Any, *_base: Any) -> Any:
    """Creates an object the way old protocols do before they fill it."""
    if not isinstance(kind, Named) or kind.name not in ("csr_matrix", "csr_array"):
        raise PickleError("it creates an object that is not a matrix")
    return kind.build()


def _no_bytes(*arguments: Any) -> bytes:
    """Builds empty bytes the way old protocols write them."""
    if arguments:
        raise PickleError("it builds bytes in an unsupported way")
    return b""


def _refused(*_arguments: Any) -> Any:
    raise PickleError("it calls something that is neither an array nor a container")


# The names that arrays and containers need, in their old and new modules.
_HOMES: tuple[tuple[tuple[str, ...], dict[str, Callable[..., Any]]], ...] = (
    (
        ("numpy.core.multiarray", "numpy._core.multiarray"),
        {"_reconstruct": Array, "scalar": _scalar},
    ),
    (("numpy.core.numeric", "numpy._core.numeric"), {"_frombuffer": _from_bytes}),
    (("numpy",), {"ndarray": _refused, "dtype": NumberType}),
    (("scipy.sparse.csr", "scipy.sparse._csr"), {"csr_matrix": Matrix, "csr_array": Matrix}),
    (
        ("builtins", "__builtin__"),
        {kind.__name__: _container(kind) for kind in (list, dict, set, frozenset, tuple)}
        | {"bytes": _no_bytes}
        | {"object": _refused},
    ),
    (("collections",), {"defaultdict": _default_dict, "OrderedDict": _container(dict)}),
    (("_codecs",), {"encode": _encoded}),
    (("copyreg", "copy_reg"), {"_reconstructor": _reconstructed}),
)
BUILDERS: dict[tuple[str, str], Named] = {
    (module, name): Named(name, build)
    for modules, builders in _HOMES
    for module in modules
    for name, build in builders.items()
}
