"""The manifest of a store: what the graph is, and which files hold it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from datasets.errors import DataError, short
from datasets.store.arrays import HEADER, mapped, sha256

FORMAT, VERSION = "mixhop graph store", 1
MANIFEST = "manifest.json"
ENDING = ".store"
DENSE, SPARSE = "dense", "sparse"
NO_IDS, COUNT, NUMBERS, TEXTS = "none", "count", "numbers", "texts"
SMALL = 64 * 2**20  # bytes of a store whose checksums are compared each time it is loaded
_LARGEST = 2**28  # bytes of a manifest
_SEAL = "seal"


@dataclasses.dataclass(frozen=True)
class ArrayFile:
    """A file of the store.

    Args:
        dtype: Type of the entries, as NumPy writes it.
        shape: Shape of the array.
        sha256: Checksum of the file.
    """

    dtype: str
    shape: tuple[int, ...]
    sha256: str

    @property
    def size(self) -> int:
        """Bytes of the file."""
        count = int(np.prod(self.shape, dtype=object))
        return HEADER + count * np.dtype(self.dtype).itemsize


@dataclasses.dataclass(frozen=True, kw_only=True)
class Manifest:
    """Everything about a stored graph that is not in its arrays.

    Args:
        name: Name of the graph.
        num_nodes: Number of nodes `n`.
        num_edges: Number of distinct edges `m`.
        num_features: Number of feature columns `s`.
        directed: Whether the directions of edges count.
        weighted: Whether edges have weights.
        features: `dense` for the file `features.npy`, `sparse` for three CSR parts.
        node_ids: `none`; `count` for `"0"` to `"n-1"`; `numbers` or `texts` in files.
        class_names: Names of the classes.
        feature_names: Names of the columns, or None.
        recipe: The recipe as plain containers, or None.
        digest: Fingerprint of the graph with the split that `load` gives it, and the fingerprint of
            that split.
        files: The files of the arrays.
    """

    name: str
    num_nodes: int
    num_edges: int
    num_features: int
    directed: bool
    weighted: bool
    features: str
    node_ids: str
    class_names: tuple[str, ...]
    feature_names: tuple[str, ...] | None
    recipe: dict[str, Any] | None
    digest: dict[str, str]
    files: dict[str, ArrayFile]

    @property
    def num_bytes(self) -> int:
        """Bytes of all arrays."""
        return sum(file.size for file in self.files.values())

    def array(self, folder: Path, name: str) -> np.ndarray:
        """Maps one of the files."""
        if name not in self.files:
            raise _damaged(folder, f"has no {name}")
        return mapped(folder / name, self.files[name].dtype, self.files[name].shape)

    def write(self, folder: Path) -> None:
        """Writes the manifest into the folder of the store."""
        content = {"format": FORMAT, "version": VERSION, **dataclasses.asdict(self)}
        text = json.dumps({**content, _SEAL: _seal(content)}, indent=1)
        (folder / MANIFEST).write_text(f"{text}\n", encoding="utf-8")


def is_store(path: Path) -> bool:
    """Whether a folder is a store, or is meant to be one."""
    return path.is_dir() and (path.suffix == ENDING or (path / MANIFEST).is_file())


def read_manifest(folder: Path) -> Manifest:
    """Reads the manifest and checks its form; the arrays are not read.

    Raises:
        DataError: The manifest is missing or damaged, or of a later version.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise DataError(
            f"{folder} is not a finished store: {MANIFEST} is missing; convert the graph again."
        )
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError("it is too large")
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise ValueError("it is the manifest of something else")
        version = content["version"]
        if version != VERSION:
            raise DataError(
                f"{folder} is a store of version {short(version, 20)}, but this program reads "
                f"version {VERSION}; use a newer program, or convert the graph again."
            )
        seal = content.pop(_SEAL)
        if seal != _seal({"format": FORMAT, **content}):
            raise ValueError("its checksum differs")
        del content["version"]
        return _checked(content)
    except DataError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged(path, f"cannot be read ({short(error)})") from None


def check_sums(folder: Path, manifest: Manifest, names: Any = None) -> None:
    """Compares the SHA-256 of files with the manifest.

    Raises:
        DataError: A file differs; the message names it.
    """
    for name, file in manifest.files.items():
        if names is None or name in names:
            manifest.array(folder, name)
            if sha256(folder / name) != file.sha256:
                raise _damaged(folder / name, "has another checksum than the manifest")


def _seal(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _damaged(path: Path, state: str) -> DataError:
    return DataError(f"The store is damaged: {short(path)} {state}; convert the graph again.")


def _checked(content: dict[str, Any]) -> Manifest:
    """Makes the manifest from JSON whose types may be anything."""
    files = content["files"]
    content["files"] = {
        name: ArrayFile(_dtype(each["dtype"]), _shape(each["shape"]), _text(each["sha256"]))
        for name, each in files.items()
    }
    content["class_names"] = tuple(map(_text, content["class_names"]))
    if content["feature_names"] is not None:
        content["feature_names"] = tuple(map(_text, content["feature_names"]))
    manifest = Manifest(**content)
    for name in ("num_nodes", "num_edges", "num_features"):
        _shape([getattr(manifest, name)])
    if type(manifest.directed) is not bool or type(manifest.weighted) is not bool:
        raise ValueError("a truth value is none")
    if manifest.features not in (DENSE, SPARSE):
        raise ValueError("the kind of features is unknown")
    if manifest.node_ids not in (NO_IDS, COUNT, NUMBERS, TEXTS):
        raise ValueError("the kind of node ids is unknown")
    for text in (manifest.name, manifest.digest["split"], manifest.digest["value"]):
        _text(text)
    return manifest


def _dtype(name: Any) -> str:
    if name not in ("<i4", "<i8", "<f4", "|u1"):
        raise ValueError("a type is unknown")
    return str(name)


def _shape(sizes: Any) -> tuple[int, ...]:
    if not all(type(size) is int and 0 <= size < 2**48 for size in sizes) or len(sizes) > 2:
        raise ValueError("a size is no number")
    return tuple(sizes)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a name is no text")
    return value
