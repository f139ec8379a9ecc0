"""What the user can choose about a page."""

from __future__ import annotations

import dataclasses
import math

from mixhop_tf import SettingError

MAPS = ("pca", "tsne")
MAX_POINTS = 100_000
MAX_MB = 1_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    """Options of a page.

    Args:
        map: How the embeddings become a map: `pca`, which is fast, or `tsne`, which separates
            groups better and takes minutes for thousands of nodes.
        points: Largest number of nodes on the map.
        explanation_mb: Largest size of all explanations, in megabytes before compression.
        seed: Seed of the samples and of the map.
    """

    map: str = "pca"
    points: int = 10_000
    explanation_mb: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.map not in MAPS:
            raise SettingError("map", f"must be one of {', '.join(MAPS)}", self.map)
        if not 1 <= self.points <= MAX_POINTS:
            raise SettingError("points", f"must be from 1 to {MAX_POINTS:,}", self.points)
        if not (math.isfinite(self.explanation_mb) and 0 <= self.explanation_mb <= MAX_MB):
            raise SettingError("explanation_mb", f"must be from 0 to {MAX_MB:,}")
        if not 0 <= self.seed < 2**32:
            raise SettingError("seed", "must be from 0 to 4294967295", self.seed)
