"""Short hostile pickles; each is a program for the stack machine."""

from __future__ import annotations

import pickle
import struct

_ENCODE = b"c_codecs\nencode\nq\x01"


def _text(size: int) -> bytes:
    return b"X" + struct.pack("<I", size) + b"a" * size


def _nested(opcode: bytes, depth: int) -> bytes:
    return b"\x80\x02)" + opcode * depth


def _laughs() -> bytes:
    laughs: object = ["ha"] * 10
    for _ in range(30):
        laughs = [laughs] * 10
    return pickle.dumps(laughs, 2)


def _matrix_in_matrices(levels: int) -> bytes:
    """Nests matrices: all three parts of each matrix are the previous one."""
    new = b"cscipy.sparse._csr\ncsr_matrix\n)\x81"
    program = b"\x80\x02" + new + b"q\x00"
    for level in range(levels):
        last = b"h" + bytes([level])
        parts = b"".join(b"X" + struct.pack("<I", len(name)) + name + last
                         for name in (b"data", b"indices", b"indptr"))  # fmt: skip
        program += new + b"}(" + parts + b"u" + b"b" + b"q" + bytes([level + 1])
    return program + b"."


PROGRAMS = {
    "runs_code": b"cposix\nsystem\n(S'true'\ntR.",
    "evaluates": b"c__builtin__\neval\n(S'1'\ntR.",
    "laughs": _laughs(),
    "deep_lists": b"\x80\x02" + b"]" * 2000 + b"a" * 1999 + b".",
    "deep_tuples_hashed": _nested(b"\x85", 3000) + b"q\x00}h\x00K\x01s.",
    "wide_tuples_hashed": b"\x80\x02)" + b"2\x86" * 60 + b"q\x00}h\x00K\x01s.",
    "wide_tuples_named": b"\x80\x04)" + b"2\x86" * 60 + b"2\x93.",
    "encoded_again": b"\x80\x02" + _ENCODE + _text(2000) + b"q\x000](" + b"h\x01h\x00X\x06\0\0\0latin1\x86R" * 300 + b"e.",  # noqa: E501
    "copied_again": b"\x80\x02](" + b"K\x01" * 500 + b"eq\x000](" + b"c__builtin__\nlist\nh\x00\x85R" * 300 + b"e.",  # noqa: E501
    "far_memo": bytes.fromhex("80024e72000000142e"),
    "long_number": b"\x80\x02\x8b" + struct.pack("<i", 3000) + b"\x01" * 3000 + b".",
    "many_sets": b"\x80\x04" + b"\x8f" * 5000 + b".",
    "matrices": _matrix_in_matrices(40),
    "long_text": b"\x80\x02X\xff\xff\xff\x7fabc.",
    "same_hash": b"\x80\x02}(" + b"".join(
        b"\x8a\x0a" + (k * (2**61 - 1)).to_bytes(10, "little") + b"N" for k in range(1, 200)
    ) + b"u.",
}  # fmt: skip
