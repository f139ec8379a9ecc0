"""What all node classifiers have in common: how they are called, trained and saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

import keras
import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.layers import GraphNorm, RowNormalize, Standardize
from mixhop_tf.ops.adjacency import Count, normalized_adjacency
from mixhop_tf.tensors import Matrix, Pair, Regularizer, Shape

SCALINGS = ("rows", "standardize", "none")


class GraphModel(keras.Model):
    """A node classifier: from features and a graph to logits.

    Subclasses name the class of their architecture and make their layers.

    Args:
        architecture: The layers of the model, without the sizes of input and output.
        num_features: Width of the input `s`.
        num_classes: Number of classes `c`.
        kernel_regularizer: Regularizer of the kernels, for example `GroupLasso(l2=5e-4)`.
        scaling: How the model scales the features first. `rows` scales each row to length one,
            `standardize` scales each column by statistics of the training graph, `none` does
            nothing. With `standardize`, call `adapt` before the model.
        frozen: Whether batch norm uses stored statistics; see `freeze_statistics`.
        seed: Seed of weights and dropout; None draws one.

    Call arguments:
        inputs: A pair `(features, operator)`. The features are dense or a `tf.SparseTensor`. The
            operator is the matrix that the model multiplies by; the method `operator` makes it from
            the edges.
        training: Whether to drop.
        normalized: Whether the features have been through `normalize` already. This saves time and
            gives the same result.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.
    """

    architecture_class: ClassVar[type[Any]]
    row_order: ClassVar[int] = 2  # of `RowNormalize`

    architecture: Any

    def __init__(
        self,
        architecture: Any,
        num_features: int,
        num_classes: int,
        *,
        kernel_regularizer: Regularizer = None,
        scaling: str = "rows",
        frozen: bool = False,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if scaling not in SCALINGS:
            raise ValueError(f"`scaling` must be one of {SCALINGS}. Received: scaling={scaling!r}")
        self.architecture = architecture
        self.num_features = num_features
        self.num_classes = num_classes
        self.kernel_regularizer = keras.regularizers.get(kernel_regularizer)
        self.frozen = frozen
        self.seed = seed
        self.scaling = scaling
        self.scale_features: RowNormalize | Standardize | None = None
        if scaling == "rows":
            self.scale_features = RowNormalize(order=self.row_order, **self.named("normalize"))
        elif scaling == "standardize":
            self.scale_features = Standardize(num_features, **self.named("standardize"))

    @property
    def hops(self) -> int | None:
        """How many products with the operator away a node's logits depend on features.

        None means that there is no limit, as with batch norm: its statistics are of all nodes.
        """
        return None

    @property
    def norms(self) -> list[GraphNorm]:
        """The batch-norm layers, first to last."""
        return [layer for layer in self.layers if isinstance(layer, GraphNorm)]

    def operator(self, edges: Any, num_nodes: Count) -> tf.SparseTensor:
        """The sparse `[n, n]` that the model multiplies by; here `normalized_adjacency`."""
        return normalized_adjacency(edges, num_nodes, self.compute_dtype)

    def adapt(self, features: np.ndarray | sp.csr_array) -> None:
        """Stores the statistics of the training graph's features, if the model standardises."""
        if isinstance(self.scale_features, Standardize):
            self.scale_features.adapt(features)

    def normalize(self, features: Any) -> Matrix:
        """The features as the model scales them in inference."""
        features = self.as_floats(features)
        return features if self.scale_features is None else self.scale_features(features)

    def training_logits(self, inputs: Pair, normalized: bool = False) -> list[tf.Tensor]:
        """A list of logits; training adds up the cross-entropies of all of them."""
        return [self(inputs, training=True, normalized=normalized)]

    def as_floats(self, features: Any) -> Matrix:
        """Features as a tensor of floats. Binary features often are integers, dense ones arrays."""
        if not isinstance(features, tf.SparseTensor):
            features = tf.convert_to_tensor(features)
        return features if features.dtype.is_floating else tf.cast(features, self.compute_dtype)

    def named(self, name: str) -> dict[str, Any]:
        """Arguments that every layer of the model takes."""
        return {"name": name, "dtype": self.dtype_policy}

    def draw_seeds(self, count: int) -> Iterator[int | None]:
        """An iterator over seeds for the layers, far apart from each other."""
        if self.seed is None:
            return iter([None] * count)
        return iter(np.random.SeedSequence(self.seed).generate_state(count).tolist())

    def fit(self, x: tf.data.Dataset = None, *args: Any, **kwargs: Any) -> keras.callbacks.History:
        """`keras.Model.fit` on a `tf.data.Dataset` whose one element is the graph."""
        return super().fit(self._whole_graph(x), *args, **kwargs)

    def evaluate(self, x: tf.data.Dataset = None, *args: Any, **kwargs: Any) -> Any:
        """`keras.Model.evaluate` on a `tf.data.Dataset` whose one element is the graph."""
        return super().evaluate(self._whole_graph(x), *args, **kwargs)

    def predict(self, x: tf.data.Dataset, *args: Any, **kwargs: Any) -> np.ndarray:
        """`keras.Model.predict` on a `tf.data.Dataset` whose one element is the graph."""
        return super().predict(self._whole_graph(x), *args, **kwargs)

    def _whole_graph(self, x: Any) -> tf.data.Dataset:
        """Returns a data set and refuses arrays: Keras would cut them up and shuffle them."""
        if not isinstance(x, tf.data.Dataset):
            raise ValueError(
                "A graph must stay whole: pass tf.data.Dataset.from_tensors(((features, operator), "
                f"labels, sample_weight)). Received: x of type {type(x).__name__}"
            )
        if isinstance(self.scale_features, Standardize):
            self.scale_features.check_adapted()  # here, so that Keras compiles nothing in vain
        return x

    def compute_output_shape(self, input_shape: Sequence[Shape]) -> Shape:
        """`[n, c]`."""
        return (input_shape[0][0], self.num_classes)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            **super().get_config(),
            "architecture": self.architecture.to_dict(),
            "num_features": self.num_features,
            "num_classes": self.num_classes,
            "kernel_regularizer": keras.regularizers.serialize(self.kernel_regularizer),
            "scaling": self.scaling,
            "frozen": self.frozen,
            "seed": self.seed,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """A model from `get_config`."""
        architecture = cls.architecture_class.from_dict(config["architecture"])
        return cls(**config | {"architecture": architecture})
