"""From an `Architecture` to a Keras model."""

import keras

from mixhop_tf.architecture import Architecture
from mixhop_tf.collapsed_output import can_collapse, collapsed_logits
from mixhop_tf.graph_model import GraphModel
from mixhop_tf.layers import GraphNorm, MixHopLayer, PsumOutput, SparseDropout


@keras.saving.register_keras_serializable("mixhop_tf")
class MixHopModel(GraphModel):
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
        scaling: Of the features, see `GraphModel`; rows are scaled after the dropout.
        shared_first_kernel: One kernel for all powers of the first layer.
        frozen: Whether batch norm uses stored statistics; see `freeze_statistics`.
        seed: Of weights and dropout; None draws one.

    Call arguments:
        inputs: A pair `(features, adjacency)`: features dense or `tf.SparseTensor`, adjacency from
            `normalized_adjacency`.
        training: Whether to drop.
        normalized: The rows of `features` have unit length already, so that inference need not
            scale them (training does, after the dropout). The result is the same, sooner.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.

    Reference: Sections 3 to 5 of the paper.
    """

    architecture_class = Architecture

    def __init__(
        self,
        architecture,
        num_features,
        num_classes,
        *,
        shared_first_kernel=False,
        **kwargs,
    ):
        super().__init__(architecture, num_features, num_classes, **kwargs)
        if architecture.output == "psum" and architecture.layers[-1].width < num_classes:
            raise ValueError(
                f"The last layer needs at least a column for each of the {num_classes} classes. "
                f"Received: architecture=\n{architecture}"
            )
        self.shared_first_kernel = shared_first_kernel
        self.steps = self._make_steps()
        self._collapses = len(architecture.layers) > 1 and can_collapse(*self.steps[-2:])
        self.built = True

    @property
    def hops(self):
        """The highest powers of all layers added up; None with batch norm."""
        if any(spec.batch_norm for spec in self.architecture.layers):
            return None
        return sum(max(step.live_powers) for step in self.steps if isinstance(step, MixHopLayer))

    def _make_steps(self):
        """The layers in the order in which they are applied, built."""
        # A MixHop layer uses its seed and the few that follow, one a power: draw them far apart.
        seeds, named = self.draw_seeds(2 * len(self.architecture.layers) + 2), self.named
        steps, width = [], self.num_features
        for i, spec in enumerate(self.architecture.layers):
            steps.append(SparseDropout(spec.dropout, seed=next(seeds), **named(f"dropout_{i}")))
            mixhop = MixHopLayer(
                spec.powers,
                spec.dims,
                shared_kernel=self.shared_first_kernel and i == 0,
                normalize_rows=self.scaling == "rows" and i == 0,
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

    def call(self, inputs, training=False, normalized=False):
        """Logits of every node."""
        h, adjacency = inputs
        # Rows are scaled by the first layer: in training after the dropout, whatever they were.
        h = self.as_floats(h) if normalized or self.scaling == "rows" else self.normalize(h)
        unit_rows = normalized and not training
        for step in self.steps[:-2] if self._collapses else self.steps:
            h = apply_step(step, h, adjacency, training, unit_rows)
        return collapsed_logits(*self.steps[-2:], h, adjacency) if self._collapses else h

    def get_config(self):
        """The constructor's arguments."""
        return {
            **super().get_config(),
            "shared_first_kernel": self.shared_first_kernel,
        }


def apply_step(step, h, adjacency, training=False, unit_rows=False):
    """What one of a model's `steps` makes of its input."""
    if isinstance(step, MixHopLayer):
        return step((h, adjacency), unit_rows=unit_rows)
    if isinstance(step, SparseDropout):
        return step(h, training=training)
    return step(h)
