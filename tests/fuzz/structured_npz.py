"""Changes arrays, dtypes and shapes of `.npz` files, and writes false headers."""

from __future__ import annotations

import io
import random
import warnings
import zipfile

import numpy as np

from tests.fuzz import mutate, nasty

_KEYS = (
    "edges", "features", "labels", "train", "val", "test", "class_names", "node_ids", "name",
    "feature_names", "x", "y", "edge_index", "train_mask", "val_masks", "adj_data", "adj_indices",
    "adj_indptr", "adj_shape", "features_data", "features_indices", "features_indptr", "num_nodes",
    "features_shape", "attr_matrix", "metadata", "edge_attr", "odd", "", "../odd", "a" * 3000,
)  # fmt: skip
_DTYPES = (
    "f2", "f4", "f8", "c8", "c16", "?", "i1", "u1", "i2", "i4", "i8", "u8", "M8[D]", "m8[s]", "U3",
    "S3", "U1", ">i8", ">f4", "O", "V4", "g",
)  # fmt: skip
_SHAPES = (
    (), (0,), (1,), (0, 2), (2, 0), (1, 1), (10**10,), (10**6, 10**6), (2**62,), (2**63,), (-1,),
    (0, 10**18), (1,) * 33, (400_000_000, 2),
)  # fmt: skip
_DESCRS = (
    "'|O'", "'<U1000000000'", "'|V8'", "'<f4'", "'|S0'", "'<U0'", "'<i8'", "'<M8[D]'",
    "[('a','<f4')]", "'<f4',)", "(" * 3000, "'nonsense'", "'|i0'", "'<f2000'",
)  # fmt: skip


_LARGEST = 10**6  # bytes; larger arrays are not changed


def mutated(rng: random.Random, data: bytes) -> bytes:
    """Makes one to three changes to the members of an archive."""
    members = _members(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(rng, members)
    out = io.BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(out, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names are intended
        for name, content in members:
            # The default date, 1980, makes a case the same at any time of day.
            archive.writestr(zipfile.ZipInfo(name or "odd"), content, method)
    return out.getvalue()


def _members(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def _change(rng: random.Random, members: list[tuple[str, bytes]]) -> None:
    if not members:
        return
    where = rng.randrange(len(members))
    name, content = members[where]
    choice = rng.random()
    if choice < 0.5:
        members[where] = name, _other_array(rng, content)
    elif choice < 0.6:
        members[where] = rng.choice(_KEYS) + rng.choice((".npy", ".npy", "", ".npy.npy")), content
    elif choice < 0.68:
        del members[where]
    elif choice < 0.75:
        members[where] = name, rng.choice(members)[1]
    elif choice < 0.8:
        members.append((rng.choice(_KEYS) + ".npy", content))
    elif choice < 0.9:
        members[where] = name, _lying_header(rng, content)
    elif choice < 0.97:
        members[where] = name, mutate.mutated(rng, content, text=False)
    else:
        members[where] = name, rng.choice((b"", b"text", b"\0" * 10**7, b"\x93NUMPY\x01\0"))


def _other_array(rng: random.Random, content: bytes) -> bytes:
    try:
        array = _array(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = _changed(rng, array)
        out = io.BytesIO()
        np.save(out, array, allow_pickle=True)
        return out.getvalue()
    except Exception:  # arrays that NumPy cannot make are not tested here
        return content


def _array(content: bytes) -> np.ndarray:
    """Reads an array, unless an earlier change of its header made it huge."""
    file = io.BytesIO(content)
    np.lib.format.read_magic(file)
    shape, _, kind = np.lib.format.read_array_header_1_0(file)
    if np.prod(shape, dtype=float) * kind.itemsize > _LARGEST:
        raise ValueError("too large to be changed")
    return np.load(io.BytesIO(content), allow_pickle=True)


def _changed(rng: random.Random, array: np.ndarray) -> np.ndarray:
    choice = rng.randrange(6)
    if choice == 0:
        return array.astype(rng.choice(_DTYPES))
    if choice == 1:
        return array.reshape(rng.choice(((-1,), (1, -1), (-1, 1), (-1, 2), (2, -1), ())))
    if choice == 2:
        return array[: rng.randrange(len(array) + 1)]
    if choice == 3:
        return np.concatenate([array, array[: rng.randrange(1, 4)]])
    if choice == 4 and array.dtype.kind == "U":
        raw = np.frombuffer(array.tobytes(), np.uint32).copy()
        raw[rng.randrange(len(raw))] = rng.choice((0xD800, 0x110000, 0xFFFFFFFF, 0, 10, 0x202E))
        return raw.view(array.dtype).reshape(array.shape)
    array = array.copy()
    for _ in range(rng.choice((1, 3))):
        value = rng.choice(nasty.TOKENS) if array.dtype.kind in "US" else rng.choice(nasty.NUMBERS)
        if array.dtype.kind == "f" and rng.random() < 0.3:
            value = rng.choice((np.nan, np.inf, -np.inf))
        array.flat[rng.randrange(array.size)] = value
    return array


def _lying_header(rng: random.Random, content: bytes) -> bytes:
    """Replaces the shape or dtype in the header and keeps the bytes."""
    end = content.find(b"\n") + 1
    descr = rng.choice(("'<i8'", "'<f4'", "'|u1'", "'<U1'", rng.choice(_DESCRS)))
    shape = rng.choice(_SHAPES) if rng.random() < 0.8 else "(" * rng.choice((1, 200, 9000))
    header = f"{{'descr': {descr}, 'fortran_order': {rng.random() < 0.3}, 'shape': {shape}, }}"
    raw = header.encode("latin-1") + b"\n"
    version = rng.choice((1, 1, 1, 2, 3, 9))
    size = len(raw).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + raw + content[end:]
