"""Changes pickles as programs: drops, repeats and replaces opcodes, or takes them from others."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import pickletools
import random
import struct
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from tests.fuzz import nasty

_PLAIN = [
    bytes(code, "latin-1")
    for code in map(chr, range(256))
    if code in {op.code for op in pickletools.opcodes if op.arg is None}
]
_NAMES = (
    b"cnumpy\ndtype\n", b"cnumpy\nndarray\n", b"cnumpy._core.multiarray\n_reconstruct\n",
    b"cnumpy._core.multiarray\nscalar\n", b"cnumpy._core.numeric\n_frombuffer\n",
    b"cscipy.sparse._csr\ncsr_matrix\n", b"ccollections\ndefaultdict\n", b"c__builtin__\nlist\n",
    b"c__builtin__\nset\n", b"cbuiltins\ndict\n", b"cbuiltins\nbytes\n", b"c_codecs\nencode\n",
    b"ccopyreg\n_reconstructor\n", b"cbuiltins\nobject\n", b"cos\nsystem\n", b"cbuiltins\ntuple\n",
    b"cbuiltins\neval\n", b"ccollections\nOrderedDict\n", b"cbuiltins\nfrozenset\n",
)  # fmt: skip


def operations(data: bytes) -> list[bytes]:
    """Cuts a program into its opcodes with their arguments; an unreadable end stays one piece."""
    starts: list[int] = []
    with contextlib.suppress(Exception):  # the end may be damaged
        starts.extend(position for _, _, position in pickletools.genops(data))
    return [data[a:b] for a, b in itertools.pairwise([*starts, len(data)])]


def mutated(rng: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """Makes one to five changes to the program."""
    program = operations(data)
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        where = rng.randrange(len(program) + 1)
        choice = rng.random()
        if choice < 0.2:
            program[where : where + rng.choice((1, 1, 3))] = []
        elif choice < 0.35:
            piece = program[where : where + rng.choice((1, 2, 5, 20))]
            program[where:where] = piece * rng.choice((1, 2, 100))
        elif choice < 0.6:
            program[where:where] = [_operation(rng)] * rng.choice((1, 1, 1, 1, 100, 3000))
        elif choice < 0.75:
            donor = operations(rng.choice(others))
            start = rng.randrange(len(donor) + 1)
            program[where : where + rng.randrange(3)] = donor[start : start + rng.randrange(1, 30)]
        elif choice < 0.9 and program:
            where = rng.randrange(len(program))
            program[where] = _operation(rng)
        else:
            rng.shuffle(program) if rng.random() < 0.2 else program.insert(where, b".")
    return b"".join(program)[:300_000]


def _operation(rng: random.Random) -> bytes:
    """Makes a random opcode with an unusual argument."""
    choice = rng.randrange(9)
    if choice < 3:
        return rng.choice(_PLAIN)
    if choice == 3:
        return rng.choice(_NAMES)
    if choice == 4:
        return b"h" + bytes([rng.randrange(24)])
    if choice == 5:
        number = rng.choice([each for each in nasty.NUMBERS if isinstance(each, int)])
        return rng.choice((b"I%d\n" % number, b"J" + struct.pack("<I", number % 2**32)))
    if choice == 6:
        number = rng.choice([each for each in nasty.NUMBERS if isinstance(each, int)])
        opcode = rng.choice((b"X", b"B", b"T", b"\x8b", b"r", b"j", b"\x8d", b"\x8e", b"\x96"))
        return opcode + struct.pack("<Q", number % 2**64)[: rng.choice((4, 8))]
    if choice == 7:
        text = rng.choice(nasty.TOKENS).encode("utf-8", "surrogatepass")
        return b"X" + struct.pack("<I", len(text)) + text
    return pickle.dumps(any_object(rng), rng.randrange(6))[:-1]


def any_object(rng: random.Random) -> object:
    """Makes an array, a matrix or a container of an unexpected kind."""
    choice = rng.randrange(10)
    shape = rng.choice(((), (0,), (3,), (4, 3), (0, 3), (2, 2, 2)))
    if choice < 4:
        kind = rng.choice(
            ("f4", "f8", "i1", "i8", "u8", "?", ">i4", "f2", "c8", "U2", "O", "M8[s]")
        )
        return np.zeros(shape, kind)
    if choice == 4:
        return np.full(shape, rng.choice((np.nan, np.inf, 1e308, -1.0, 2.0)))
    if choice == 5:
        matrix = sp.csr_matrix(np.eye(rng.randrange(1, 9), rng.randrange(1, 9)))
        matrix._shape = rng.choice(((10**9, 3), (-1, 2), (3,), (2**62, 2**62), (3, 10**12)))
        return matrix
    if choice == 6:
        return sp.random(rng.randrange(1, 60), rng.randrange(1, 9), 0.5, "csr", random_state=0)
    if choice == 7:
        nodes = [rng.choice((0, 1, 2, 3, -1, 59, 10**9, 2**63, 0.5, "a", None)) for _ in range(4)]
        return {node: rng.choice((nodes, [0, 1], {0}, (1,), "01", None)) for node in nodes}
    if choice == 8:
        return rng.choice(([], {}, (), set(), None, 5, "text", b"bytes", [[]] * 9, 10**500))
    laughs: object = "ha"
    for _ in range(rng.choice((3, 40, 200))):
        laughs = rng.choice(((laughs, laughs), [laughs] * 3, (laughs,)))
    return laughs
