"""The base class of all node classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import keras
import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.decision import Decision
from mixhop_tf.layers import GraphNorm, RowNormalize, Standardize
from mixhop_tf.ops.adjacency import Count, normalized_adjacency
from mixhop_tf.tensors import Matrix, Operator, Pair, Regularizer, Shape

SCALINGS = ("rows", "standardize", "none")


class GraphModel(keras.Model):
    """Classifies the nodes of a graph.

    This is the base class. Subclasses name the class of their architecture and make their layers.

    Args:
        architecture: The layers of the model, without the sizes of input and output.
        num_features: Number of feature columns `s`.
        num_classes: Number of classes `c`.
        kernel_regularizer: Regularizer of the kernels, for example `GroupLasso(l2=5e-4)`.
        scaling: How the model scales the features first. `rows` scales each row to norm one,
            `standardize` scales each column by statistics of the training graph, and `none` leaves
            them unchanged. With `standardize`, call `adapt` before you call the model.
        frozen: Whether batch norm uses stored statistics; see `freeze_statistics`.
        weighted: Whether the operator is made with the weights of the edges. Serving then asks for
            them, too. A model whose architecture does not use weights ignores this.
        decision: How logits become probabilities and answers, as a `Decision` or its fields. The
            model itself gives logits; the SavedModel applies it.
        seed: Seed of the weights and of dropout. None draws a random seed.

    Call arguments:
        inputs: A pair `(features, operator)`. The features are a dense tensor or a
            `tf.SparseTensor`. The operator is the matrix that the model multiplies by; the method
            `operator` makes it from the edges.
        training: Whether to apply dropout.
        normalized: Whether `normalize` has already scaled the features. This saves time and gives
            the same result.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.
    """

    architecture_class: ClassVar[type[Any]]

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
        weighted: bool = False,
        decision: Decision | Mapping[str, Any] | None = None,
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
        self.weighted = weighted and architecture.uses_weights
        given = decision if isinstance(decision, Decision) else Decision.from_dict(decision or {})
        self.decision = given
        self.seed = seed
        self.scaling = scaling
        self.scale_features: RowNormalize | Standardize | None = None
        if scaling == "rows":
            self.scale_features = RowNormalize(order=self.row_order, **self.named("normalize"))
        elif scaling == "standardize":
            self.scale_features = Standardize(num_features, **self.named("standardize"))

    @property
    def row_order(self) -> int:
        """Order of `RowNormalize`, which scales the rows."""
        return 2

    @property
    def hops(self) -> int | None:
        """Number of products with the operator that the model makes one after the other.

        A node's logits depend only on nodes that are at most so many steps away. None means that
        they depend on all nodes. This is the case with batch norm, whose statistics use all nodes.
        """
        return None

    @property
    def reach(self) -> int | None:
        """What `hops` is if batch norm uses stored statistics, for any number of operators."""
        return self.hops

    @property
    def norms(self) -> list[GraphNorm]:
        """The batch-norm layers, from first to last."""
        return [layer for layer in self.layers if isinstance(layer, GraphNorm)]

    def operator(self, edges: Any, num_nodes: Count, weights: Any = None) -> Operator:
        """Makes the sparse `[n, n]` that the model multiplies by.

        Here it is `normalized_adjacency`.

        Args:
            edges: Pairs of node indices `[m, 2]`; either direction of an edge stands for both.
            num_nodes: Number of nodes `n`.
            weights: Weights of the edges `[m]`, if the model is `weighted`.
        """
        return normalized_adjacency(edges, num_nodes, self.compute_dtype, weights=weights)

    def adapt(self, features: np.ndarray | sp.csr_array) -> None:
        """Stores the statistics of the training graph's features, if the model needs them.

        Args:
            features: Features of the training graph `[n, s]`, an array or a SciPy sparse array.
        """
        if isinstance(self.scale_features, Standardize):
            self.scale_features.adapt(features)

    def normalize(self, features: Any) -> Matrix:
        """Scales the features as the model does in inference."""
        features = self.as_floats(features)
        return features if self.scale_features is None else self.scale_features(features)

    def training_logits(self, inputs: Pair, normalized: bool = False) -> list[tf.Tensor]:
        """Returns a list of logits; training adds up the cross-entropies of all of them."""
        return [self(inputs, training=True, normalized=normalized)]

    def embed(self, inputs: Pair) -> tf.Tensor:
        """Computes the last hidden layer `[n, d]` of every node, as inference sees it.

        A model without a hidden layer gives its scaled features.

        Args:
            inputs: A pair `(features, operator)`, as for a call.
        """
        return self.normalize(inputs[0])

    def as_floats(self, features: Any) -> Matrix:
        """Converts features to a tensor of floats: they may be arrays, and binary ones integers."""
        if not isinstance(features, tf.SparseTensor):
            features = tf.convert_to_tensor(features)
        return features if features.dtype.is_floating else tf.cast(features, self.compute_dtype)

    def named(self, name: str) -> dict[str, Any]:
        """Returns the arguments that every layer of the model takes."""
        return {"name": name, "dtype": self.dtype_policy}

    def draw_seeds(self, count: int) -> Iterator[int | None]:
        """Returns an iterator over seeds for the layers, which are far apart from each other."""
        if self.seed is None:
            return iter([None] * count)
        return iter(np.random.SeedSequence(self.seed).generate_state(count).tolist())

    def fit(self, x: tf.data.Dataset = None, *args: Any, **kwargs: Any) -> keras.callbacks.History:
        """Calls `keras.Model.fit` with a `tf.data.Dataset` whose only element is the graph."""
        return super().fit(self._whole_graph(x), *args, **kwargs)

    def evaluate(self, x: tf.data.Dataset = None, *args: Any, **kwargs: Any) -> Any:
        """Calls `keras.Model.evaluate` with a `tf.data.Dataset` whose only element is the graph."""
        return super().evaluate(self._whole_graph(x), *args, **kwargs)

    def predict(self, x: tf.data.Dataset, *args: Any, **kwargs: Any) -> np.ndarray:
        """Calls `keras.Model.predict` with a `tf.data.Dataset` whose only element is the graph."""
        return super().predict(self._whole_graph(x), *args, **kwargs)

    def _whole_graph(self, x: Any) -> tf.data.Dataset:
        """Returns a data set, and refuses arrays, because Keras would split and shuffle them."""
        if not isinstance(x, tf.data.Dataset):
            raise ValueError(
                "A graph must stay whole; pass tf.data.Dataset.from_tensors(((features, operator), "
                f"labels, sample_weight)). Received: x of type {type(x).__name__}"
            )
        if isinstance(self.scale_features, Standardize):
            self.scale_features.check_adapted()  # before Keras compiles
        return x

    def compute_output_shape(self, input_shape: Sequence[Shape]) -> Shape:
        """Returns `[n, c]`."""
        return (input_shape[0][0], self.num_classes)

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor, without a plain decision or absent weights."""
        decision = {} if self.decision.is_plain else {"decision": self.decision.to_dict()}
        return {
            **super().get_config(),
            **decision,
            **({"weighted": True} if self.weighted else {}),
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
        """Makes a model from what `get_config` returned."""
        architecture = cls.architecture_class.from_dict(config["architecture"])
        return cls(**config | {"architecture": architecture})
