"""Describes the classical methods that MixHop is compared with, without TensorFlow.

They are older than graph networks. Each predicts the nodes of the graph that it was fitted to, so
none has a model that could be exported.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import ClassVar

from mixhop_tf.baseline import Baseline

AGGREGATES = ("count", "share")
VARIANTS = ("t", "i")
MOST = 1_000_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class Method(Baseline):
    """The base class of the classical methods.

    Attributes:
        is_random: Whether its answers depend on the seed.
    """

    is_random: ClassVar[bool] = True


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabelPropagation(Method):
    """Describes label propagation, the harmonic function of Zhu, Ghahramani and Lafferty (2003).

    Args:
        mass_normalization: Whether each class gets the share of the nodes that it has among the
            training nodes (class mass normalization, Section 4 of their paper).
    """

    model: ClassVar[str] = "lp"
    is_random: ClassVar[bool] = False

    mass_normalization: bool = False

    def __post_init__(self) -> None:
        self._check_flags("mass_normalization")

    def num_parameters(self, num_features: int, num_classes: int) -> int:  # noqa: ARG002
        """Returns 0: nothing is trained."""
        return 0


@dataclasses.dataclass(frozen=True, kw_only=True)
class ICA(Method):
    """Describes the iterative classification algorithm (Lu and Getoor, 2003; Sen et al., 2008).

    Args:
        aggregate: What a node sees of its neighbours' classes: the `count` of each class, or the
            `share` of each class.
        iterations: Number of times that every unlabelled node is classified again.
        one_vs_rest: Whether each class has a logistic regression of its own against all others, as
            in the program behind the cited figures. Otherwise one regression has all classes.
    """

    model: ClassVar[str] = "ica"
    added_later: ClassVar[tuple[str, ...]] = ("one_vs_rest",)

    aggregate: str = "count"
    iterations: int = 10
    one_vs_rest: bool = False

    def __post_init__(self) -> None:
        self._check_choice("aggregate", AGGREGATES)
        self._check_flags("one_vs_rest")
        self._check_counts("iterations", most=MOST)

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the weights of both logistic regressions."""
        return num_classes * (2 * num_features + num_classes + 2)


@dataclasses.dataclass(frozen=True, kw_only=True)
class SkipGram(Method):
    """Holds the fields of methods that embed nodes by random walks.

    Args:
        width: Number of columns of the embedding.
        walk_length: Number of steps of a walk.
        window: Largest distance between two nodes of a walk that are each other's context.
        positive_share: Share of pairs from walks; the others are random pairs that are pushed
            apart.
        embedding_rate: Learning rate of the embedding, for each pair.
        rounds: Number of rounds in which a walk begins at every node, before any label is used.
        start_length: Length of the random vectors to begin with. Long vectors keep their noise.
    """

    width: int = 50
    walk_length: int = 10
    window: int = 3
    positive_share: float = 5 / 6
    embedding_rate: float = 0.05
    rounds: int = 10
    start_length: float = 0.1

    def __post_init__(self) -> None:
        self._check_counts("width", "walk_length", "window", "rounds", most=10_000)
        self._check_rates("positive_share")
        positive = ("positive_share", "embedding_rate", "start_length")
        self._check_numbers(*positive, positive=True)

    @property
    def num_columns(self) -> int:
        """Number of columns of the embedding, and of the vectors of contexts."""
        return 2 * self.width


@dataclasses.dataclass(frozen=True, kw_only=True)
class DeepWalk(SkipGram):
    """Describes DeepWalk (Perozzi et al., 2014): embed by walks, then classify linearly."""

    model: ClassVar[str] = "deepwalk"

    def num_parameters(self, num_features: int, num_classes: int) -> int:  # noqa: ARG002
        """Counts the weights of the classifier; the embedding grows with the graph."""
        return num_classes * (self.width + 1)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Planetoid(SkipGram):
    """Describes Planetoid (Yang, Cohen and Salakhutdinov, 2016).

    Args:
        variant: `t`: each node has an embedding of its own (transductive); `i`: the embedding is
            computed from the features (inductive).
        layer_rate: Learning rate, for each pair, of the layer that computes the embedding in
            variant `i`. All pairs share it, so it learns more slowly than the vectors.
        label_share: Share of pairs whose nodes are compared by their labels, not by walks.
        context_batches: Number of batches of pairs in each step.
        label_batches: Number of batches of training nodes in each step.
        batch_size: Number of walks in a batch of pairs, and of nodes in a batch of labels.
        inductive: Whether training leaves out the edges of the test nodes, in variant `i`. The
            paper's variant `i` does not see its test nodes in training.
    """

    model: ClassVar[str] = "planetoid"
    added_later: ClassVar[tuple[str, ...]] = ("inductive",)

    variant: str = "t"
    layer_rate: float = 0.001
    label_share: float = 0.1
    context_batches: int = 1
    label_batches: int = 10
    batch_size: int = 200
    inductive: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_flags("inductive")
        if self.inductive and self.variant != "i":
            raise ValueError(
                "`inductive` must be False in variant t, whose test nodes need their edges. "
                f"Received: inductive={self.inductive}, variant={self.variant}"
            )
        self._check_choice("variant", VARIANTS)
        self._check_rates("label_share")
        self._check_numbers("layer_rate", positive=True)
        self._check_counts("context_batches", least=0, most=10_000)
        self._check_counts("label_batches", "batch_size", most=10_000)

    def num_parameters(self, num_features: int, num_classes: int) -> int:
        """Counts the weights of the layers; an embedding of the nodes grows with the graph."""
        embedding = self.width * (num_features + 1) if self.variant == "i" else 0
        return embedding + num_classes * (num_features + self.width + 2 * num_classes + 3)


METHODS: Mapping[str, type[Method]] = {
    kind.model: kind for kind in (LabelPropagation, ICA, DeepWalk, Planetoid)
}
