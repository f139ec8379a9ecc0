"""Trains a model on a graph in one call."""

from __future__ import annotations

from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.training.graph import Graph
from mixhop_tf.training.make_trainer import make_trainer
from mixhop_tf.training.run import Run
from mixhop_tf.training.settings import Recipe, Settings
from mixhop_tf.training.trainer import OnStep


def train(
    graph: Graph,
    architecture: Architecture | Baseline | None = None,
    settings: Settings | None = None,
    *,
    seed: int = 0,
    scaling: str = "auto",
    shared_first_kernel: bool = False,
    on_step: OnStep | None = None,
) -> Run:
    """Trains a model on a graph and selects the best step by validation nodes.

    The metric is the accuracy, unless `Settings.select_by` names another.

    Args:
        graph: The graph, with training and validation nodes, such as a `GraphData`.
        architecture: The architecture to train. By default the powers 0, 1 and 2 share 60 columns
            equally.
        settings: The hyper-parameters; see `Settings` for the defaults.
        seed: Seed of the weights and of dropout.
        scaling: Scaling of the features: `rows`, `standardize`, `none` or `auto`; see
            `mixhop_tf.training.scaling.resolve_scaling`.
        shared_first_kernel: Whether all powers of MixHop's first layer share one kernel.
        on_step: Function that is called after each step with its point of the curve and the best
            point so far.

    Returns:
        The run, with its curve, its best step and the trained model.

    Raises:
        SplitError: The graph has no training or no validation nodes.
        DivergedError: The loss has become infinite or NaN.

    Example:
    >>> from mixhop_tf import GraphData, Settings, train
    >>> graph = GraphData(
    ...     edges=[[0, 1], [1, 2], [2, 3]], labels=[0, 0, 1, 1], train=[0, 3], val=[1], test=[2]
    ... )
    >>> train(graph, settings=Settings(max_steps=5)).num_steps
    5
    """
    recipe = Recipe()
    architecture = architecture or Architecture.default(
        graph.num_classes,
        input_dropout=recipe.input_dropout,
        hidden_dropout=recipe.hidden_dropout,
    )
    trainer = make_trainer(
        graph, architecture, settings, scaling=scaling, shared_first_kernel=shared_first_kernel
    )
    return trainer.run(seed, on_step)
