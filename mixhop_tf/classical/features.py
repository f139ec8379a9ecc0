"""Scales features for methods that have no Keras model to do it."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


def scaled(features: sp.csr_array | np.ndarray, scaling: str) -> sp.csr_array:
    """Returns the features as the networks scale them, float32 `[n, s]`.

    Args:
        features: Features `[n, s]`, dense or sparse.
        scaling: `rows` divides each row by the sum of its magnitudes, `standardize` gives each
            column the mean 0 and the variance 1, `none` changes nothing.
    """
    # Not at the top: every training imports this module, and this takes 60 MB.
    from sklearn.preprocessing import StandardScaler, normalize

    if scaling == "rows":
        return sp.csr_array(normalize(features, norm="l1"))
    if scaling == "standardize":
        dense = features.toarray() if sp.issparse(features) else np.asarray(features)
        return sp.csr_array(StandardScaler().fit_transform(dense).astype(np.float32))
    return sp.csr_array(features)
