"""Counts the delta operators of a trained model: differences between neighbourhoods."""

from __future__ import annotations

import dataclasses

import numpy as np

import mixhop_tf
from mixhop_tf.layers import MixHopLayer


@dataclasses.dataclass(frozen=True)
class DeltaCount:
    """Says how often a feature of one layer gets opposite signs in the next.

    Attributes:
        count: Number of pairs of a feature and a column of the next layer with opposite signs.
        total: Number of all such pairs.
    """

    count: int
    total: int

    @property
    def share(self) -> float:
        """Share of the pairs that are delta operators, `count / total`."""
        return self.count / self.total


def opposite_signs(kernel: np.ndarray, num_powers: int) -> np.ndarray:
    """Finds features that get large weights of opposite signs at different powers.

    The kernel reads `concat over j of Â^j H W`, so each of the `d` features of `H W` has one row
    for each power. A column with opposite signs at two powers of a feature computes a difference of
    its neighbourhoods, `Â^j - Â^k`. A weight counts only if its magnitude is larger than the median
    magnitude of its column.

    Args:
        kernel: Kernel of the second layer, `[num_powers · d, c]`.
        num_powers: Number of powers of the first layer.

    Returns:
        Booleans `[d, c]`.

    >>> opposite_signs(np.array([[1.0, 1.0], [0.1, 0.1], [-1.0, 1.0], [0.1, 0.1]]), 2).tolist()
    [[True, False], [False, False]]
    """
    if kernel.ndim != 2 or len(kernel) % num_powers:
        raise ValueError(
            "`kernel` must have one row for each power and feature. "
            f"Received: shape={kernel.shape}, num_powers={num_powers}"
        )
    magnitudes = np.abs(kernel)
    large = magnitudes > np.median(magnitudes, axis=0)
    signs = np.where(large, np.sign(kernel), 0).reshape(num_powers, -1, kernel.shape[1])
    return np.logical_and((signs > 0).any(axis=0), (signs < 0).any(axis=0))


def count_deltas(model: mixhop_tf.MixHopModel) -> DeltaCount:
    """Counts the delta operators in the second layer of a model with a shared first kernel.

    Args:
        model: A trained `MixHopModel` with `shared_first_kernel=True`. The first layer's features
            are then the same for all powers, so their weights can be compared.

    Returns:
        A `DeltaCount` over all kernels of the second layer.

    >>> from mixhop_tf import Architecture, build_model
    >>> model = build_model(Architecture.default(3), 5, 3, shared_first_kernel=True, seed=0)
    >>> 0 < count_deltas(model).share < 1
    True

    Reference: Section 6.1 of the paper.
    """
    layers = [step for step in model.steps if isinstance(step, MixHopLayer)]
    if len(layers) < 2 or not layers[0].shared_kernel:
        raise ValueError(
            "Delta operators can only be counted in a model with two layers and a shared first "
            "kernel; build it with `shared_first_kernel=True`. Received: "
            f"shared_first_kernel={model.shared_first_kernel}, {len(layers)} layers"
        )
    num_powers = len(layers[0].powers)
    deltas = [opposite_signs(kernel.numpy(), num_powers) for kernel in layers[1].kernels]
    return DeltaCount(
        count=int(sum(each.sum() for each in deltas)), total=sum(each.size for each in deltas)
    )
