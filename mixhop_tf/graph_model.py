"""What all node classifiers have in common: how they are called, trained, saved."""

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.layers import RowNormalize, Standardize
from mixhop_tf.propagation import normalized_adjacency

SCALINGS = ("rows", "standardize", "none")


class GraphModel(keras.Model):
    """A node classifier: from features and a graph to logits.

    Subclasses name the class of their architecture and make their layers.

    Args:
        architecture: What the model is made of, but for the sizes of input and output.
        num_features: Width of the input `s`.
        num_classes: Number of classes `c`.
        kernel_regularizer: Of the kernels, for example `GroupLasso(l2=5e-4)`.
        scaling: What is done to the features first: `rows` (each row is scaled to length one),
            `standardize` (each column, by statistics that `adapt` takes from the training graph) or
            `none`.
        frozen: Whether batch norm uses stored statistics; see `freeze_statistics`.
        seed: Of weights and dropout; None draws one.

    Call arguments:
        inputs: A pair `(features, operator)`: features dense or `tf.SparseTensor`; the operator,
            what the model multiplies by, is what the method `operator` makes of the edges.
        training: Whether to drop.
        normalized: The features have been through `normalize` already. The result is the same,
            sooner.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.
    """

    architecture_class = None
    row_order = 2  # of `RowNormalize`

    def __init__(
        self,
        architecture,
        num_features,
        num_classes,
        *,
        kernel_regularizer=None,
        scaling="rows",
        frozen=False,
        seed=None,
        **kwargs,
    ):
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
        self.scale_features = None
        if scaling == "rows":
            self.scale_features = RowNormalize(order=self.row_order, **self.named("normalize"))
        elif scaling == "standardize":
            self.scale_features = Standardize(num_features, **self.named("standardize"))

    @property
    def hops(self):
        """How many products with the operator away a node's logits depend on features.

        None if there is no limit, as with batch norm, whose statistics are of all nodes.
        """
        return None

    def operator(self, edges, num_nodes):
        """The sparse `[n, n]` that the model multiplies by; here `normalized_adjacency`."""
        return normalized_adjacency(edges, num_nodes, self.compute_dtype)

    def adapt(self, features):
        """Takes the statistics of the training graph's features, if the model standardises."""
        if self.scaling == "standardize":
            self.scale_features.adapt(features)

    def normalize(self, features):
        """The features as the model scales them, in inference."""
        features = self.as_floats(features)
        return features if self.scale_features is None else self.scale_features(features)

    def training_logits(self, inputs, normalized=False):
        """The logits that each have a cross-entropy of their own in training: a list."""
        return [self(inputs, training=True, normalized=normalized)]

    def as_floats(self, features):
        """Binary features often are integers, and dense ones arrays."""
        if not isinstance(features, tf.SparseTensor):
            features = tf.convert_to_tensor(features)
        return features if features.dtype.is_floating else tf.cast(features, self.compute_dtype)

    def named(self, name):
        """Arguments that every layer of the model takes."""
        return {"name": name, "dtype": self.dtype_policy}

    def draw_seeds(self, count):
        """An iterator over seeds for the layers, far apart from each other."""
        if self.seed is None:
            return iter([None] * count)
        return iter(np.random.SeedSequence(self.seed).generate_state(count).tolist())

    def fit(self, x=None, *args, **kwargs):
        """`keras.Model.fit` on a `tf.data.Dataset` whose one element is the graph."""
        return super().fit(_one_graph(x), *args, **kwargs)

    def evaluate(self, x=None, *args, **kwargs):
        """`keras.Model.evaluate` on a `tf.data.Dataset` whose one element is the graph."""
        return super().evaluate(_one_graph(x), *args, **kwargs)

    def predict(self, x, *args, **kwargs):
        """`keras.Model.predict` on a `tf.data.Dataset` whose one element is the graph."""
        return super().predict(_one_graph(x), *args, **kwargs)

    def compute_output_shape(self, input_shape):
        """`[n, c]`."""
        return (input_shape[0][0], self.num_classes)

    def get_config(self):
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
    def from_config(cls, config):
        """A model from `get_config`."""
        architecture = cls.architecture_class.from_dict(config["architecture"])
        return cls(**config | {"architecture": architecture})


def _one_graph(x):
    """Keras cuts arrays into batches of rows, and shuffles them: both would scramble the graph."""
    if not isinstance(x, tf.data.Dataset):
        raise ValueError(
            "A graph must stay whole: pass tf.data.Dataset.from_tensors(((features, operator), "
            f"labels, sample_weight)). Received: x of type {type(x).__name__}"
        )
    return x
