"""The Keras model of an `Architecture`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

import keras
import tensorflow as tf

from mixhop_tf.architecture import Architecture
from mixhop_tf.layers import (
    AttentiveMixHopLayer,
    GraphNorm,
    MixHopLayer,
    PsumOutput,
    SparseDropout,
)
from mixhop_tf.models.apply_step import apply_step
from mixhop_tf.models.collapsed_output import can_collapse, collapsed_logits
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.models.lean import is_lean, lean_logits, lean_propagated
from mixhop_tf.ops.adjacency import Count, spec_adjacencies
from mixhop_tf.tensors import Matrix, Operator, Pair, Shape

Seeds = Iterator[int | None]
Before = Callable[[keras.layers.Layer, Matrix], Matrix]


@keras.saving.register_keras_serializable("mixhop_tf")
class MixHopModel(GraphModel):
    """Classifies nodes with MixHop layers and an output layer.

    Each layer of the architecture is `dropout → MixHopLayer → GraphNorm → activation`. Batch norm
    and activation are left out if the layer's specification has none. The outputs are logits.

    Example:
    >>> import tensorflow as tf
    >>> from mixhop_tf import Architecture, build_model, normalized_adjacency
    >>> model = build_model(Architecture.default(num_classes=3), num_features=5, num_classes=3)
    >>> adjacency = normalized_adjacency([[0, 1]], num_nodes=4)
    >>> model((tf.ones([4, 5]), adjacency)).shape
    TensorShape([4, 3])

    Args:
        architecture: The layers of the model.
        num_features: Number of feature columns `s`.
        num_classes: Number of classes `c`.
        shared_first_kernel: Whether all powers of the first layer share one kernel.
        **kwargs: `kernel_regularizer`, `scaling`, `frozen` and `seed`, as for `GraphModel`. The
            model scales rows after the dropout, or before it if it has attention.

    Call arguments:
        inputs: A pair `(features, adjacency)`. The features are a dense tensor or a
            `tf.SparseTensor`. The adjacency comes from `normalized_adjacency`.
        training: Whether to apply dropout.
        normalized: Whether the rows of `features` already have unit length. Inference then skips
            the scaling; training still scales rows after the dropout. This saves time and gives the
            same result.

    Input shape: `([n, s], [n, n])`. Output shape: `[n, c]`.

    Reference: Sections 3 to 5 of the paper.
    """

    architecture_class: ClassVar[type[Architecture]] = Architecture
    architecture: Architecture

    def __init__(
        self,
        architecture: Architecture,
        num_features: int,
        num_classes: int,
        *,
        shared_first_kernel: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(architecture, num_features, num_classes, **kwargs)
        if architecture.output == "psum" and architecture.layers[-1].width < num_classes:
            raise ValueError(
                f"The last layer must have a column for each of the {num_classes} classes. "
                f"Received: architecture=\n{architecture}"
            )
        if shared_first_kernel and architecture.layers[0].heads:
            heads = architecture.layers[0].heads
            raise ValueError(f"`shared_first_kernel` needs no attention. Received: heads={heads}")
        self.shared_first_kernel = shared_first_kernel
        self.steps = self._make_steps()
        self._collapses = len(architecture.layers) > 1 and can_collapse(*self.steps[-2:])
        self.built = True

    @property
    def row_order(self) -> int:
        """Rows are scaled to length one; with attention their magnitudes add up to one."""
        return 1 if self.architecture.has_attention else 2

    @property
    def _scales_late(self) -> bool:
        """Whether rows are scaled after the dropout; with attention before it, as GAT does."""
        return self.scaling == "rows" and not self.architecture.has_attention

    @property
    def hops(self) -> int | None:
        """Sum of the highest powers of all layers; None with batch norm."""
        if any(spec.batch_norm for spec in self.architecture.layers):
            return None
        if self.architecture.adjacency.direction == "both":
            return None  # a receptive field has one operator
        return self.reach

    @property
    def reach(self) -> int:
        """Sum of the highest powers of all layers, in either direction."""
        layers = [step for step in self.steps if isinstance(step, MixHopLayer)]
        return sum(max(map(abs, layer.live_powers)) for layer in layers)

    def _make_steps(self) -> list[keras.layers.Layer]:
        """Makes and builds the layers, in the order in which the model applies them."""
        # A MixHop layer uses its seed and the next few, one for each power, so the seeds of the
        # layers must be far apart.
        seeds = self.draw_seeds(3 * len(self.architecture.layers) + 2)
        steps: list[keras.layers.Layer] = []
        widths = self.architecture.read_widths(self.num_features)
        shape: Shape = (None, self.num_features)
        for i, width in enumerate(widths):
            is_last = i == len(self.architecture.layers)
            made = self._output_steps(seeds) if is_last else self._hidden_steps(i, width, seeds)
            shape = (None, width)
            for step in made:
                if not step.built:
                    step.build(shape)
                is_mixing = isinstance(step, MixHopLayer)
                shape = step.compute_output_shape([shape] if is_mixing else shape)
                steps.append(step)
        return steps

    def _hidden_steps(self, i: int, width: int, seeds: Seeds) -> Iterator[keras.layers.Layer]:
        """Makes layer `i` of the architecture for an input of this width."""
        spec, named = self.architecture.layers[i], self.named
        yield SparseDropout(spec.dropout, seed=next(seeds), **named(f"dropout_{i}"))
        options = {
            "normalize_rows": self._scales_late and i == 0,
            "kernel_initializer": keras.initializers.GlorotUniform(next(seeds)),
            "kernel_regularizer": self.kernel_regularizer,
            **named(f"mixhop_{i}"),
        }
        if spec.heads:
            options |= {"heads": spec.heads, "attention_dropout": spec.attention_dropout}
            mixhop = AttentiveMixHopLayer(
                spec.powers,
                spec.dims,
                value_dropout=spec.dropout if spec.drop_values else 0.0,
                use_bias=spec.has_bias,
                seed=next(seeds),
                **options,
            )
        else:
            shared = self.shared_first_kernel and i == 0
            mixhop = MixHopLayer(spec.powers, spec.dims, shared_kernel=shared, **options)
        mixhop.build([(None, width), (None, None)])
        yield mixhop
        if spec.batch_norm:
            yield GraphNorm(frozen=self.frozen, **named(f"norm_{i}"))
        if spec.activation:
            yield keras.layers.Activation(spec.activation, **named(f"activation_{i}"))

    def _output_steps(self, seeds: Seeds) -> Iterator[keras.layers.Layer]:
        """Makes the psum, or a dense layer and its dropout."""
        if self.architecture.output == "psum":
            yield PsumOutput(self.num_classes, **self.named("psum"))
            return
        rate = self.architecture.output_dropout
        yield SparseDropout(rate, seed=next(seeds), **self.named("dropout_out"))
        yield keras.layers.Dense(
            self.num_classes,
            use_bias=False,
            kernel_initializer=keras.initializers.GlorotUniform(next(seeds)),
            kernel_regularizer=self.kernel_regularizer,
            **self.named("dense"),
        )

    def operator(self, edges: Any, num_nodes: Count, weights: Any = None) -> Operator:
        """Makes the adjacency that the architecture describes.

        Args:
            edges: Pairs of node indices `[m, 2]`. If directions matter, an edge leads from its
                first node to its second.
            num_nodes: Number of nodes `n`.
            weights: Weights of the edges `[m]`, if the model is `weighted`.

        Returns:
            A `tf.SparseTensor` `[n, n]`, or a pair of them for the direction `both`.
        """
        made = spec_adjacencies(
            self.architecture.adjacency, edges, num_nodes, self.compute_dtype, weights
        )
        return (made[0], made[1]) if len(made) == 2 else made[0]

    def embed(self, inputs: Pair) -> tf.Tensor:
        """Computes the last hidden layer `[n, d]` of every node, as inference sees it.

        It is what the output is computed from: the columns that enter the last MixHop layer before
        a psum, or the dense layer. A model of a single layer and a psum gives that layer's columns.
        """
        h, adjacency = inputs
        h = self.normalize(h)
        mixing = [i for i, step in enumerate(self.steps) if isinstance(step, MixHopLayer)]
        is_psum = self.architecture.output == "psum"
        end = mixing[-1] if is_psum and len(mixing) > 1 else len(self.steps) - 1
        return self.walk(h, adjacency, end, unit_rows=True)

    def walk(
        self,
        h: Matrix,
        adjacency: Operator,
        end: int | None = None,
        *,
        start: int = 0,
        training: bool = False,
        unit_rows: bool = False,
        before: Before | None = None,
    ) -> Matrix:
        """Applies the `steps`, with the jumping connections between them.

        Args:
            h: Features, `[n, s]`.
            adjacency: The adjacency.
            end: Number of steps to apply; by default all.
            start: Number of steps that have been applied to `h` before.
            training: Whether to apply dropout.
            unit_rows: Whether the rows of `h` already have unit length.
            before: Function that is called with each step and its input, before jumping
                connections join it. It returns the input to use.
        """
        starts = [i for i, step in enumerate(self.steps) if isinstance(step, SparseDropout)]
        outputs = []  # of the layers that have ended
        for i, step in enumerate(self.steps[:end][start:], start):
            h = before(step, h) if before else h
            if self.architecture.jumping and i in starts[1:]:
                outputs.append(h)
                if i == starts[-1]:
                    h = tf.concat(outputs, axis=1)
            h = apply_step(step, h, adjacency, training, unit_rows)
        return h

    def call(self, inputs: Pair, training: bool = False, normalized: bool = False) -> tf.Tensor:
        """Returns the logits of every node."""
        h, adjacency = inputs
        # In training the first layer scales the rows, after the dropout. In inference they are
        # scaled here, so that the bits are the same whether or not the caller has done so.
        in_layer = training and self._scales_late
        h = self.as_floats(h) if normalized or in_layer else self.normalize(h)
        if is_lean(self, h, adjacency):
            return lean_logits(self, h, adjacency, training)
        return self._finished(h, adjacency, training=training)

    @property
    def first_layer(self) -> MixHopLayer:
        """The first MixHop layer, which follows the dropout of the features."""
        return self.steps[1]

    def propagated_logits(
        self,
        hops: Sequence[tf.Tensor],
        adjacency: Operator,
        training: bool = False,
        before: Before | None = None,
    ) -> tf.Tensor:
        """Returns the logits of every node from features that are already propagated.

        Args:
            hops: `Â^j X` with scaled features for each live power of the first layer, `[n, s]`.
            adjacency: The adjacency of all other layers.
            training: Whether to apply dropout; each of the hops has its own.
            before: Function that is called with each later step and its input; see `walk`.
        """
        if before is None and is_lean(self, hops[0], adjacency):
            return lean_propagated(self, hops, adjacency, training)
        h = self.first_layer.mix([self.steps[0](hop, training=training) for hop in hops])
        return self._finished(h, adjacency, start=2, training=training, before=before)

    def _finished(
        self, h: Matrix, adjacency: Operator, training: bool, **options: Any
    ) -> tf.Tensor:
        """Applies the steps that are left; the options are those of `walk`."""
        options |= {"training": training, "unit_rows": not training}
        h = self.walk(h, adjacency, -2 if self._collapses else None, **options)
        if self._collapses:
            mixhop, psum = self.steps[-2:]
            return collapsed_logits(mixhop, psum, h, adjacency)
        return h

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments of the constructor."""
        return {**super().get_config(), "shared_first_kernel": self.shared_first_kernel}
