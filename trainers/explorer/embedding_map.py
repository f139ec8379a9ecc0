"""A map of the embeddings: nodes that the model sees alike lie close together."""

from __future__ import annotations

import numpy as np

_LEAST_FOR_TSNE = 4
_SMALL = 1e-4
_OUTSIDE = 0.002  # share of the nodes at each end of an axis


def coordinates(embeddings: np.ndarray, kind: str, seed: int) -> np.ndarray:
    """Projects embeddings to the plane.

    Args:
        embeddings: `[k, d]`.
        kind: `pca` or `tsne`.
        seed: Seed of the projection.

    Returns:
        float32 `[k, 2]`, each axis from 0 to 1. Few nodes far outside lie on the border, so that
        the others fill the map.
    """
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    points = np.asarray(embeddings, np.float64)
    found = np.zeros((len(points), 2))
    count = min(2, *points.shape)
    if len(points) > 1 and np.ptp(points, axis=0).any():
        pca = PCA(count, svd_solver="full", random_state=seed)
        found[:, :count] = pca.fit_transform(points)
        if kind == "tsne" and len(points) >= _LEAST_FOR_TSNE:
            perplexity = min(30.0, (len(points) - 1) / 3)
            start = _SMALL * found / found[:, 0].std()  # as scikit-learn's own start
            found = TSNE(perplexity=perplexity, init=start, random_state=seed).fit_transform(points)
    low, high = np.quantile(found, [_OUTSIDE, 1 - _OUTSIDE], axis=0)
    scaled = (found - low) / np.where(high > low, high - low, 1)
    return scaled.clip(0, 1).astype(np.float32)
