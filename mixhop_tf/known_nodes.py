"""Remembers which nodes a model was trained on without keeping their ids."""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from collections.abc import Iterable
from typing import Any

_HASH_BYTES, _SALT_BYTES = 8, 16


@dataclasses.dataclass(frozen=True)
class KnownNodes:
    """Keeps salted hashes of node ids, which are enough to recognise new nodes.

    Someone who has a list of candidate ids can still find out which of them were in the graph.
    Someone who has no such list learns only the number of nodes.

    Example:
    >>> from mixhop_tf.known_nodes import KnownNodes
    >>> KnownNodes.of(["anna", "bela"]).new(["bela", "chris"])
    ['chris']

    Attributes:
        salt: Random salt of this model, in hexadecimal.
        hashes: Hash of each id, in hexadecimal.
    """

    salt: str
    hashes: frozenset[str]

    @classmethod
    def of(cls, ids: Iterable[Any]) -> KnownNodes:
        """Draws a salt and hashes these ids with it."""
        salt = secrets.token_hex(_SALT_BYTES)
        return cls(salt, frozenset(_hash(str(each), salt) for each in ids))

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> KnownNodes:
        """Restores what `to_dict` returned."""
        bytes.fromhex(content["salt"])  # raises a `ValueError` unless it is hexadecimal
        return cls(content["salt"], frozenset(map(str, content["hashes"])))

    def to_dict(self) -> dict[str, Any]:
        """Returns the salt and the sorted hashes in plain containers."""
        return {"salt": self.salt, "hashes": sorted(self.hashes)}

    def new(self, ids: Iterable[Any]) -> list[str]:
        """Returns those of the ids whose hashes are not known."""
        return [str(each) for each in ids if _hash(str(each), self.salt) not in self.hashes]


def _hash(text: str, salt: str) -> str:
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_HASH_BYTES, key=bytes.fromhex(salt)).hexdigest()
