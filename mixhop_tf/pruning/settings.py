"""The settings of architecture learning."""

from __future__ import annotations

import dataclasses
import math

from mixhop_tf.architecture import Architecture
from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.notation import both_ways
from mixhop_tf.pruning.budget import BASELINE, Budget
from mixhop_tf.training.settings import Recipe, Settings

IMPORTANCES = ("norm", "effect", "loss")
RESTARTS = ("fresh", "surviving")
_WIDE = Recipe(settings=Settings(lasso_kind="scaled", max_steps=300, patience=100))
_RETRAIN = Recipe()
_SEARCH = Recipe(
    settings=Settings(
        optimizer="gradient_descent", learning_rate=1.0, l2=5e-3, lasso_kind="scaled"
    ),
    input_dropout=0.0,
    hidden_dropout=0.5,
)
_PLAIN = AdjacencySpec()


@dataclasses.dataclass(frozen=True, kw_only=True)
class LearnSettings:
    """Holds the settings of the five stages of Section 4.2 of the paper.

    The defaults suit many kinds of graphs.

    Args:
        powers: Powers of the adjacency, the same in every layer. With the direction `both`, the
            backward powers join them.
        num_hidden: Number of hidden layers.
        width: Number of columns of each power in each layer of the wide network.
        wide: Recipe for training the wide network. Its lasso is replaced by one of `lassos`.
        lassos: Lasso coefficients to try. The one whose retrained architecture has the best mean
            validation accuracy is selected.
        importance: Measure that decides which units are kept: `norm`, `effect` or `loss`; see
            `mixhop_tf.pruning.importance`.
        budget: Limit of the size, in the notation of `mixhop_tf.Budget.parse`.
        restart: Whether retraining starts from `fresh` or from the `surviving` weights.
        retrain: Recipe for training the learned architecture.
        runs: Number of retrainings from different seeds. The one with the best validation accuracy
            is selected.
        adjacency: How the adjacency is made from the edges.
        jumping: Whether the networks have jumping connections; see `Architecture`.
    """

    powers: tuple[int, ...] = (0, 1, 2)
    num_hidden: int = 1
    width: int = 200
    wide: Recipe = _WIDE
    lassos: tuple[float, ...] = (0.3,)
    importance: str = "loss"
    budget: str = BASELINE
    restart: str = "fresh"
    retrain: Recipe = _RETRAIN
    runs: int = 4
    adjacency: AdjacencySpec = _PLAIN
    jumping: bool = False

    def __post_init__(self) -> None:
        if not self.powers or len(set(self.powers)) != len(self.powers) or min(self.powers) < 0:
            rule = "must be distinct whole numbers, 0 or more, such as 0,1,2"
            raise SettingError("powers", rule, self.powers)
        for name in ("num_hidden", "width", "runs"):
            if getattr(self, name) < 1:
                raise SettingError(name, "must be at least 1", getattr(self, name))
        positive = all(math.isfinite(lasso) and lasso > 0 for lasso in self.lassos)
        if not self.lassos or not positive or len(set(self.lassos)) != len(self.lassos):
            raise SettingError("lassos", "must be distinct positive numbers", self.lassos)
        for name, choices in (("importance", IMPORTANCES), ("restart", RESTARTS)):
            if getattr(self, name) not in choices:
                rule = f"must be one of {', '.join(choices)}"
                raise SettingError(name, rule, getattr(self, name))
        self.parsed_budget()

    @property
    def all_powers(self) -> tuple[int, ...]:
        """The powers of the wide network, those of the backward adjacency included."""
        is_both = self.adjacency.direction == "both"
        return both_ways(self.powers) if is_both else self.powers

    def parsed_budget(self) -> Budget:
        """Returns the budget as an object."""
        return Budget.parse(self.budget, self.num_hidden)

    def wide_settings(self, lasso: float) -> Settings:
        """Returns the settings for training the wide network with a lasso coefficient."""
        return dataclasses.replace(self.wide.settings, lasso=lasso)

    def wide_architecture(self, num_classes: int) -> Architecture:
        """Makes the wide network, whose output has as many groups of `c` columns as fit."""
        groups = max(1, self.width // num_classes)
        output = groups * num_classes
        notation = ",".join(
            f"{power}{f':{self.width}' * self.num_hidden}:{output}" for power in self.all_powers
        )
        return Architecture.from_notation(
            notation,
            num_classes=num_classes,
            hidden_dims=[self.width * len(self.all_powers)] * self.num_hidden,
            input_dropout=self.wide.input_dropout,
            hidden_dropout=self.wide.hidden_dropout,
            adjacency=self.adjacency,
            jumping=self.jumping,
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class StabilitySettings:
    """Holds the settings of stability selection, beside those of `LearnSettings`.

    Args:
        recipe: Recipe of the narrow networks, with a proximal lasso. It should be gradient descent:
            Adam moves every column by about the learning rate, so that those with the smallest
            penalty would survive, whatever they are good for.
        lasso: The first coefficient. It should make hardly a column vanish, so that the network
            learns before it shrinks.
        searches: Number of narrow networks that are trained while the lasso grows.
        reach: Greatest power that the narrow networks have. The default architecture, with which
            the learned ones are compared, has the powers of `LearnSettings` alone.
        width: Columns of each power in each layer of these networks.
        first_steps: Updates with the first coefficient.
        steps: Updates with each further coefficient.
        growth: Ratio of a coefficient to the one before.
        most_points: Most coefficients of a search.
        fewest: A search ends when a hidden layer has no more columns than this.
        threshold: A power of the output goes if its share, with the interval, stays below so many
            equal shares.
        deals: Number of deals of the labelled nodes on which architectures are compared.
    """

    recipe: Recipe = _SEARCH
    lasso: float = 2e-3
    searches: int = 8
    reach: int = 4
    width: int = 36
    first_steps: int = 80
    steps: int = 30
    growth: float = 1.5
    most_points: int = 14
    fewest: int = 10
    threshold: float = 0.5
    deals: int = 10

    def __post_init__(self) -> None:
        counts = "searches", "width", "first_steps", "steps", "most_points", "fewest", "deals"
        for name in counts:
            if getattr(self, name) < 1:
                raise SettingError(name, "must be at least 1", getattr(self, name))
        if self.reach < 0:
            raise SettingError("reach", "must not be negative", self.reach)
        if not 0 < self.lasso < math.inf:
            raise SettingError("lasso", "must be a positive number", self.lasso)
        if not 1 < self.growth < math.inf:
            raise SettingError("growth", "must be more than 1", self.growth)
        if not 0 <= self.threshold <= 1:
            raise SettingError("threshold", "must be from 0 to 1", self.threshold)

    def searched(self, settings: LearnSettings) -> LearnSettings:
        """Returns the settings with the powers that are searched."""
        farther = range(max(settings.powers) + 1, self.reach + 1)
        return dataclasses.replace(settings, powers=(*settings.powers, *farther))

    def wide_architecture(self, settings: LearnSettings, num_classes: int) -> Architecture:
        """Makes the network of the searches, with the powers of `settings`."""
        narrow = dataclasses.replace(settings, width=self.width, wide=self.recipe)
        return narrow.wide_architecture(num_classes)

    @property
    def wide_settings(self) -> Settings:
        """The settings of the searches, with the first coefficient."""
        return dataclasses.replace(self.recipe.settings, lasso=self.lasso)
