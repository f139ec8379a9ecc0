"""Decides how the features of a graph are scaled before training."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from mixhop_tf.errors import SettingError

AUTO = "auto"
SCALINGS = (AUTO, "rows", "standardize", "none")
_FEW = 1 / 3  # largest share of non-zero entries in features that are like words


def resolve_scaling(scaling: str, features: np.ndarray | sp.csr_array) -> str:
    """Decides on the scaling of a model: `rows`, `standardize` or `none`; see `GraphModel`.

    `auto` becomes `rows` if the features look like words of a text: most of them are zero and none
    is negative. Otherwise it becomes `standardize`.

    Args:
        scaling: One of `auto`, `rows`, `standardize` and `none`.
        features: Features of the graph `[n, s]`, an array or a SciPy sparse array.

    Returns:
        One of `rows`, `standardize` and `none`.

    >>> import scipy.sparse
    >>> resolve_scaling("auto", scipy.sparse.eye_array(5, format="csr"))
    'rows'
    """
    if scaling not in SCALINGS:
        raise SettingError("scaling", f"must be one of {', '.join(SCALINGS)}", scaling)
    if scaling != AUTO:
        return scaling
    cells = features.shape[0] * features.shape[1]
    count = features.nnz if sp.issparse(features) else np.count_nonzero(features)
    like_words = count <= _FEW * cells and features.min() >= 0
    return "rows" if like_words else "standardize"
