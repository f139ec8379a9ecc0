"""From an `Architecture` to a Keras model."""

import warnings

import keras
import numpy as np
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.collapsed_output import can_collapse, collapsed_logits
from mixhop_tf.layers import GraphNorm, MixHopLayer, PsumOutput, SparseDropout


def build_model(architecture, num_features, num_classes, **options):
    """A built `MixHopModel`; see there for the options."""
    return MixHopModel(architecture, num_features, num_classes, **options)


@keras.saving.register_keras_serializable("mixhop_tf")
class MixHopModel(keras.Model):
    """A node classifier: MixHop layers on row-normalised features, then the output; gives logits.

    Each layer of the architecture is `dropout → MixHopLayer → GraphNorm → activation`, as far as
    its specification has them.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import Architecture, build_model, normalized_adjacency
    >>> model = build_model(Architecture.default(num_classes=3), num_features=5, num_classes=3)
    >>> adjacency = normalized_adjacency([[0, 1]], num_nodes=4)
    >>> model((tf.ones([4, 5]), adjacency)).shape
    TensorShape([4, 3])

    Args:
        architecture: An `Architecture`.
        num_features: Width of the input `s`.
        num_classes: Number of classes `c`.
        kernel_regularizer: Of every kernel, for example `GroupLasso(l2=5e-4)`.
        normalize_rows: Whether the input's rows are scaled to unit length.
        shared_first_kernel: One kernel for all powers of the first layer.
        frozen: Whether batch norm uses stored statistics; see `freeze_statistics`.
        seed: Of weights and dropout; None draws one.

    Call arguments:
        inputs: A pair `(features, adjacency)`: features dense or `tf.SparseTensor`, adjacency from
            `normalized_adjacency`.
        training: Whether to drop.
        unit_rows: The rows of `features` have unit length already, so that inference need not scale
            them (training does, after the dropout). The result is the same, sooner.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.

    Reference: Sections 3 to 5 of the paper.
    """

    def __init__(
        self,
        architecture,
        num_features,
        num_classes,
        *,
        kernel_regularizer=None,
        normalize_rows=True,
        shared_first_kernel=False,
        frozen=False,
        seed=None,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if architecture.output == "psum" and architecture.layers[-1].width < num_classes:
            raise ValueError(
                f"The last layer needs at least a column for each of the {num_classes} classes. "
                f"Received: architecture=\n{architecture}"
            )
        self.architecture = architecture
        self.num_features = num_features
        self.num_classes = num_classes
        self.kernel_regularizer = keras.regularizers.get(kernel_regularizer)
        self.normalize_rows = normalize_rows
        self.shared_first_kernel = shared_first_kernel
        self.frozen = frozen
        self.seed = seed
        self.steps = self._make_steps()
        self._collapses = len(architecture.layers) > 1 and can_collapse(*self.steps[-2:])
        self.built = True

    def _make_steps(self):
        """The layers in the order in which they are applied, built."""
        # A MixHop layer uses its seed and the few that follow, one a power: draw them far apart.
        num_seeds = 2 * len(self.architecture.layers) + 2
        seeds = iter(
            [None] * num_seeds
            if self.seed is None
            else np.random.SeedSequence(self.seed).generate_state(num_seeds).tolist()
        )

        def named(name):
            return {"name": name, "dtype": self.dtype_policy}

        steps, width = [], self.num_features
        for i, spec in enumerate(self.architecture.layers):
            steps.append(SparseDropout(spec.dropout, seed=next(seeds), **named(f"dropout_{i}")))
            mixhop = MixHopLayer(
                spec.powers,
                spec.dims,
                shared_kernel=self.shared_first_kernel and i == 0,
                normalize_rows=self.normalize_rows and i == 0,
                kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
                kernel_regularizer=self.kernel_regularizer,
                **named(f"mixhop_{i}"),
            )
            mixhop.build([(None, width), (None, None)])
            steps.append(mixhop)
            width = spec.width
            if spec.batch_norm:
                steps.append(GraphNorm(frozen=self.frozen, **named(f"norm_{i}")))
            if spec.activation:
                steps.append(keras.layers.Activation(spec.activation, **named(f"activation_{i}")))
        if self.architecture.output == "psum":
            steps.append(PsumOutput(self.num_classes, **named("psum")))
        else:
            steps.append(
                SparseDropout(
                    self.architecture.output_dropout, seed=next(seeds), **named("dropout_out")
                )
            )
            steps.append(
                keras.layers.Dense(
                    self.num_classes,
                    use_bias=False,
                    kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
                    kernel_regularizer=self.kernel_regularizer,
                    **named("dense"),
                )
            )
        shape = (None, self.num_features)
        for step in steps:
            if not step.built:
                step.build(shape)
            shape = step.compute_output_shape([shape] if isinstance(step, MixHopLayer) else shape)
        return steps

    def call(self, inputs, training=False, unit_rows=False):
        """Logits of every node."""
        h, adjacency = inputs
        h = self.as_floats(h)
        for step in self.steps[:-2] if self._collapses else self.steps:
            h = apply_step(step, h, adjacency, training, unit_rows and not training)
        return collapsed_logits(*self.steps[-2:], h, adjacency) if self._collapses else h

    def as_floats(self, features):
        """Binary features often are integers."""
        return features if features.dtype.is_floating else tf.cast(features, self.compute_dtype)

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
            "normalize_rows": self.normalize_rows,
            "shared_first_kernel": self.shared_first_kernel,
            "frozen": self.frozen,
            "seed": self.seed,
        }

    @classmethod
    def from_config(cls, config):
        """A model from `get_config`."""
        return cls(**config | {"architecture": Architecture.from_dict(config["architecture"])})


def _one_graph(x):
    """Keras cuts arrays into batches of rows, and shuffles them: both would scramble the graph."""
    if not isinstance(x, tf.data.Dataset):
        raise ValueError(
            "A graph must stay whole: pass tf.data.Dataset.from_tensors(((features, adjacency), "
            f"labels, sample_weight)). Received: x of type {type(x).__name__}"
        )
    return x


def freeze_statistics(model, inputs):
    """A copy of `model` whose batch norm uses the statistics of one graph, whatever it is sent.

    On that graph the copy gives the model's own logits. Without it, an answer for a node depends on
    all the nodes it is sent with.

    Args:
        model: A `MixHopModel`.
        inputs: The pair `(features, adjacency)` of the training graph.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of wasted columns the model has warned already
        copy = type(model).from_config(model.get_config() | {"frozen": True})
    copy.set_weights(model.get_weights())
    h, adjacency = inputs
    h = model.as_floats(tf.convert_to_tensor(h) if isinstance(h, np.ndarray) else h)
    for step, twin in zip(model.steps, copy.steps, strict=True):
        if isinstance(step, GraphNorm) and not step.frozen:
            twin.store_statistics(h)
        h = apply_step(step, h, adjacency)
    return copy


def apply_step(step, h, adjacency, training=False, unit_rows=False):
    """What one of a model's `steps` makes of its input."""
    if isinstance(step, MixHopLayer):
        return step((h, adjacency), unit_rows=unit_rows)
    if isinstance(step, SparseDropout):
        return step(h, training=training)
    return step(h)
