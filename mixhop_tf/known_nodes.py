"""Which nodes a model was trained on, without keeping their names."""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from collections.abc import Iterable
from typing import Any

_HASH_BYTES, _SALT_BYTES = 8, 16


@dataclasses.dataclass(frozen=True)
class KnownNodes:
    """Salted hashes of node ids: enough to tell which nodes are new.

    Whoever has a list of candidate ids can still find out which of them were in the graph; whoever
    has none learns nothing but their number.

    Example:
    >>> from mixhop_tf.known_nodes import KnownNodes
    >>> KnownNodes.of(["anna", "bela"]).new(["bela", "chris"])
    ['chris']

    Attributes:
        salt: Hexadecimal, drawn for each model.
        hashes: Hexadecimal, in no order that tells anything.
    """

    salt: str
    hashes: frozenset[str]

    @classmethod
    def of(cls, ids: Iterable[Any]) -> KnownNodes:
        """The hashes of these ids, with a salt of their own."""
        salt = secrets.token_hex(_SALT_BYTES)
        return cls(salt, frozenset(_hash(str(each), salt) for each in ids))

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> KnownNodes:
        """What `to_dict` gave."""
        bytes.fromhex(content["salt"])  # a `ValueError` if it is none
        return cls(content["salt"], frozenset(map(str, content["hashes"])))

    def to_dict(self) -> dict[str, Any]:
        """Plain containers."""
        return {"salt": self.salt, "hashes": sorted(self.hashes)}

    def new(self, ids: Iterable[Any]) -> list[str]:
        """Those of the ids that are not among them."""
        return [str(each) for each in ids if _hash(str(each), self.salt) not in self.hashes]


def _hash(text: str, salt: str) -> str:
    content = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=_HASH_BYTES, key=bytes.fromhex(salt)).hexdigest()
