"""Makes the Keras model of a SavedModel anew, from its assets and its variables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tensorflow as tf

from mixhop_tf.models.build import build_model
from mixhop_tf.models.graph_model import SCALINGS, GraphModel
from mixhop_tf.models.saved_files import Assets, first_line

_KEY = "_variables/{}/.ATTRIBUTES/VARIABLE_VALUE"


def restore_model(folder: Path, assets: Assets) -> GraphModel | None:
    """Makes the model whose signatures a SavedModel serves.

    Args:
        folder: The SavedModel.
        assets: Its assets.

    Returns:
        The model, with frozen statistics; None if an earlier version exported it, which did not say
        how the model scales its features.

    Raises:
        ValueError: The variables cannot be read, or are those of another model.
    """
    if assets.scaling is None:
        return None
    if assets.scaling not in SCALINGS:
        raise ValueError(f"its scaling must be one of {', '.join(SCALINGS)}")
    shared = {"shared_first_kernel": True} if assets.shared_first_kernel else {}
    model = build_model(
        assets.architecture,
        assets.num_features,
        len(assets.class_names),
        scaling=assets.scaling,
        weighted=assets.weighted,
        decision=assets.decision,
        frozen=True,
        seed=0,
        **shared,
    )
    try:
        reader = tf.train.load_checkpoint(str(folder / "variables" / "variables"))
        values = [reader.get_tensor(_KEY.format(i)) for i in range(len(model.variables))]
    except MemoryError:
        raise
    except Exception as error:  # TensorFlow raises many kinds
        raise ValueError(f"its variables cannot be read: {first_line(error)}") from None
    for variable, value in zip(model.variables, values, strict=True):
        if np.shape(value) != tuple(variable.shape):
            raise ValueError("its variables are those of another model")
        variable.assign(value)
    return model
