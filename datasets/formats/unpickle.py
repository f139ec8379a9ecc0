"""Reads untrusted pickles with an interpreter that builds only plain data and arrays.

A pickle is a program for a stack machine. Python's own machine can call anything that the program
names, and NumPy's objects accept states that contain memory addresses. This machine knows only the
few opcodes that arrays and containers need. A name in a file selects one of our own functions and
never imports anything. Memory and time are proportional to the size of the file.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets.errors import DataError, short
from datasets.formats.pickle_limits import Copies, PickleError, checked_keys
from datasets.formats.pickled_objects import BUILDERS, Named, Unfinished, finished
from datasets.memory import check_fits, free_memory

# Opcodes whose argument is the value.
_VALUES = {
    "BINBYTES", "BINBYTES8", "BINFLOAT", "BININT", "BININT1", "BININT2", "BINSTRING",
    "BINUNICODE", "BINUNICODE8", "BYTEARRAY8", "FLOAT", "INT", "LONG", "LONG1", "LONG4",
    "SHORT_BINBYTES", "SHORT_BINSTRING", "SHORT_BINUNICODE", "STRING", "UNICODE",
}  # fmt: skip
_MAKERS: dict[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict,
    "EMPTY_LIST": list,
    "EMPTY_SET": set,
    "EMPTY_TUPLE": tuple,
    "NEWFALSE": lambda: False,
    "NEWTRUE": lambda: True,
    "NONE": lambda: None,
}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_IGNORED = {"FRAME", "PROTO"}
_OPCODE = 256  # upper bound of the bytes that one opcode allocates: a set, or a memo entry


def load_pickle(path: Path) -> Any:
    """Reads a pickle of NumPy and SciPy arrays and plain containers.

    Args:
        path: The file.

    Returns:
        The object in the file.

    Raises:
        DataError: The pickle contains anything else (it may try to run code) or is damaged.
    """
    check_fits(str(path), 3 * path.stat().st_size)
    content = path.read_bytes()
    try:
        return _Machine(Copies(len(content))).run(content)
    except PickleError as refusal:
        raise DataError(f"{path} is refused: {refusal}.") from None
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path} is not a readable pickle ({short(error)}); fetch it again."
        ) from None


class _Machine:
    """Runs a pickle with a stack of values, marks on the stack, and a memo."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}
        self._handlers: dict[str, Callable[[Any], None]] = {
            "MARK": lambda _: self._marks.append(len(self._stack)),
            "POP": lambda _: self._pop_one(),
            "POP_MARK": lambda _: self._drop_to_mark(),
            "DUP": lambda _: self._stack.append(self._stack[-1]),
            "TUPLE": lambda _: self._stack.append(tuple(self._pop_to_mark())),
            "LIST": lambda _: self._stack.append(self._pop_to_mark()),
            "DICT": lambda _: self._stack.append(_pairs(self._pop_to_mark())),
            "FROZENSET": lambda _: self._stack.append(frozenset(checked_keys(self._pop_to_mark()))),
            "APPEND": lambda _: self._extend([self._pop()]),
            "APPENDS": lambda _: self._extend(self._pop_to_mark()),
            "SETITEM": lambda _: self._update(self._pop_many(2)),
            "SETITEMS": lambda _: self._update(self._pop_to_mark()),
            "ADDITEMS": lambda _: self._add(self._pop_to_mark()),
            "MEMOIZE": lambda _: self._put(len(self._memo)),
            "GLOBAL": lambda name: self._stack.append(_named(*name.split(" ", 1))),
            "STACK_GLOBAL": lambda _: self._stack.append(_named(*self._pop_many(2))),
            "REDUCE": lambda _: self._reduce(),
            "NEWOBJ": lambda _: self._reduce(),
            "BUILD": lambda _: self._build(),
        }
        self._handlers |= dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), self._put)
        self._handlers |= dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), self._get)

    def run(self, content: bytes) -> Any:
        """Runs the program and returns the value that it leaves on the stack."""
        most = free_memory() // _OPCODE
        for count, (opcode, argument, _) in enumerate(pickletools.genops(content)):
            name = opcode.name
            if count >= most:
                raise PickleError("it needs more memory than is free")
            if name in _VALUES:
                self._stack.append(argument)
            elif name in self._handlers:
                self._handlers[name](argument)
            elif name in _MAKERS:
                self._stack.append(_MAKERS[name]())
            elif name in _TUPLES:
                self._stack.append(tuple(self._pop_many(_TUPLES[name])))
            elif name == "STOP":
                return finished(self._pop())
            elif name not in _IGNORED:
                raise PickleError(f"it holds a {name}, which arrays and containers do not need")
        raise ValueError("it ends too early")

    def _pop(self) -> Any:
        return self._pop_many(1)[0]

    def _pop_one(self) -> None:
        """Removes the mark on top of the stack, if there is one, else the top value, as Python."""
        if self._marks and self._marks[-1] == len(self._stack):
            self._marks.pop()
        else:
            self._pop()

    def _pop_many(self, count: int) -> list[Any]:
        floor = self._marks[-1] if self._marks else 0
        start = len(self._stack) - count
        if start < floor:
            raise ValueError("its stack is empty")
        values = self._stack[start:]
        del self._stack[start:]
        return values

    def _pop_to_mark(self) -> list[Any]:
        if not self._marks:
            raise ValueError("a mark is missing")
        start = self._marks.pop()
        values = self._stack[start:]
        del self._stack[start:]
        return values

    def _drop_to_mark(self) -> None:
        self._pop_to_mark()

    def _top(self, kind: type) -> Any:
        if not self._stack or not isinstance(self._stack[-1], kind):
            raise ValueError(f"a {kind.__name__} is missing")
        return self._stack[-1]

    def _extend(self, values: list[Any]) -> None:
        self._top(list).extend(values)

    def _update(self, values: list[Any]) -> None:
        self._top(dict).update(_pairs(values))

    def _add(self, values: list[Any]) -> None:
        self._top(set).update(checked_keys(values))

    def _put(self, index: int) -> None:
        self._memo[index] = self._stack[-1]

    def _get(self, index: int) -> None:
        self._stack.append(self._memo[index])

    def _reduce(self) -> None:
        name, arguments = self._pop_many(2)
        if not isinstance(name, Named) or not isinstance(arguments, tuple):
            raise PickleError("it calls something that is neither an array nor a container")
        self._copies.charge_all(arguments)
        self._stack.append(name.build(*arguments))

    def _build(self) -> None:
        state = self._pop()
        if isinstance(state, tuple | dict):
            self._copies.charge_all(state.values() if isinstance(state, dict) else state)
        self._top(Unfinished).set_state(state)


def _pairs(values: list[Any]) -> dict[Any, Any]:
    if len(values) % 2:
        raise ValueError("a key lacks its value")
    return dict(zip(checked_keys(values[::2]), values[1::2], strict=True))


def _named(module: Any, name: Any) -> Named:
    if not isinstance(module, str) or not isinstance(name, str):
        raise ValueError("a name is missing")
    if (module, name) not in BUILDERS:
        raise PickleError(
            f"it names `{short(module, 100)}.{short(name, 100)}`, which is neither an array nor a "
            "plain container"
        )
    return BUILDERS[module, name]
