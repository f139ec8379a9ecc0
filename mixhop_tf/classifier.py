"""`MixHopClassifier`: MixHop with the conventions of scikit-learn."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from mixhop_tf import estimator_data, estimator_files
from mixhop_tf.architecture import Architecture
from mixhop_tf.baseline import Baseline
from mixhop_tf.errors import SettingError
from mixhop_tf.layer_spec import AdjacencySpec
from mixhop_tf.models.freeze import freeze_statistics
from mixhop_tf.models.graph_model import GraphModel
from mixhop_tf.ops.sparse import sparse_tensor
from mixhop_tf.training import auto
from mixhop_tf.training.choose import choose_settings
from mixhop_tf.training.graph_data import GraphData
from mixhop_tf.training.imbalance import suggested
from mixhop_tf.training.make_trainer import make_trainer
from mixhop_tf.training.run import Run
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.splits import TRAIN_SHARE, VAL_SHARE, stratified_split


class MixHopClassifier(estimator_files.Picklable, ClassifierMixin, BaseEstimator):
    """Classifies the nodes of a graph, some of whose labels are known.

    The labelled nodes are split class by class: most train, some select the best step, the rest
    tell how good the model is. The split, the scaling of the features, the settings and the
    numbers are those of the command `trainers.train`.

    Args:
        architecture: An `Architecture`, one of `mixhop_tf.baselines`, or a text such as `0,1,2`
            or `0:24:0,1:18:7,2:18:7`. None leaves the choice to the settings.
        settings: `auto` searches for settings by validation data; see `choose_settings`. A
            `Settings` is used as it is.
        scaling: Scaling of the features: `auto`, `rows`, `standardize` or `none`.
        select_by: Metric on validation nodes that selects; None takes that of the settings.
        class_weight: Weights of the classes in the loss: `balanced`, or a dictionary; None takes
            those of the settings.
        calibrate: Whether to fit a temperature on validation nodes; None as in the settings.
        threshold: With two classes, the smallest probability at which the rarer class is the
            answer, or `auto`.
        train_share: Share of the labelled nodes of each class that train.
        val_share: Share that validates. The rest is for the test.
        direction: Which neighbours a node reads: `undirected`, `in`, `out` or `both`; see
            `AdjacencySpec`. An `Architecture` has its own.
        random_state: Seed of the split, the weights and dropout.

    Attributes:
        classes_: The classes, sorted.
        architecture_: The architecture that was trained.
        settings_: The settings that were used.
        choice_: What the search chose; None without a search.
        evaluation_: Every metric on the test nodes; None without test nodes.
        split_: Indices of the `train`, `val` and `test` nodes.
        model_: The trained Keras model, with the statistics of the training graph.
        n_features_in_: Number of feature columns.
        feature_names_in_: Names of the columns, if the features were a data frame.

    Example:
    >>> import numpy as np
    >>> from mixhop_tf import MixHopClassifier, Settings
    >>> rng, y = np.random.default_rng(0), np.repeat([0, 1], 20)
    >>> X = rng.normal(size=(40, 3)) + y[:, None]
    >>> edges = [[i, j] for i in range(40) for j in range(i) if y[i] == y[j] and rng.random() < 0.1]
    >>> known = np.where(rng.random(40) < 0.8, y, -1)
    >>> classifier = MixHopClassifier(settings=Settings(max_steps=20)).fit(X, known, edges)
    >>> classifier.predict_proba().shape
    (40, 2)
    """

    def __init__(
        self,
        architecture: Any = None,
        settings: Any = "auto",
        *,
        scaling: str = "auto",
        select_by: str | None = None,
        class_weight: Any = None,
        calibrate: bool | None = None,
        threshold: Any = None,
        train_share: float = TRAIN_SHARE,
        val_share: float = VAL_SHARE,
        direction: str = "undirected",
        random_state: int = 0,
    ) -> None:
        self.architecture = architecture
        self.settings = settings
        self.scaling = scaling
        self.select_by = select_by
        self.class_weight = class_weight
        self.calibrate = calibrate
        self.threshold = threshold
        self.train_share = train_share
        self.val_share = val_share
        self.direction = direction
        self.random_state = random_state

    def fit(self, X: Any, y: Any, edges: Any = None) -> Self:  # noqa: N803  # scikit-learn's name
        """Trains on a graph.

        Args:
            X: Features `[n, s]`: an array, a SciPy sparse matrix or a data frame.
            y: Labels `[n]`; -1, None, NaN or an empty text is unknown.
            edges: Whole numbers `[m, 2]`, a SciPy adjacency `[n, n]`, a networkx graph, a data
                frame with the ends in its first two columns, or None. Where the features are a data
                frame, the last two name nodes as its index does. Values of an adjacency other than
                1, the attribute `weight` and the column `weight` are weights of the edges.
        """
        graph = self._graph(X, y, edges)
        architecture, settings = self._architecture(graph), self.settings
        self.choice_ = None
        if settings == "auto":
            settings = dataclasses.replace(Settings(), **suggested(graph))
            if not isinstance(architecture, Baseline):
                options = estimator_data.with_options(settings, self)
                self.choice_ = self._choice(graph, architecture, options)
                architecture = self.choice_.candidate.architecture
                settings = self.choice_.candidate.settings
        settings = estimator_data.with_options(settings, self)
        tried = auto.candidates(graph.num_classes, adjacency=self._adjacency)
        architecture = architecture or tried[0].architecture
        run = make_trainer(graph, architecture, settings, scaling=self.scaling).run(self._seed)
        self._keep(run, settings)
        return self

    def predict(self, X: Any = None, edges: Any = None) -> np.ndarray:  # noqa: N803
        """Predicts the class of every node, `[n]`.

        Args:
            X: Features of a graph; None for the graph of `fit`.
            edges: Its edges, as for `fit`.
        """
        shares = self.predict_proba(X, edges)
        return np.asarray(self.classes_[self.model_decision.labels(shares)])

    def predict_proba(self, X: Any = None, edges: Any = None) -> np.ndarray:  # noqa: N803
        """Predicts the probability of every class for every node, `[n, c]`.

        Args:
            X: Features of a graph; None for the graph of `fit`.
            edges: Its edges, as for `fit`.
        """
        inputs = self._inputs(X, edges)
        return self.model_decision.probabilities(self.model_(inputs).numpy())

    def embed(self, X: Any = None, edges: Any = None) -> np.ndarray:  # noqa: N803
        """Computes the last hidden layer `[n, d]` of every node.

        Args:
            X: Features of a graph; None for the graph of `fit`.
            edges: Its edges, as for `fit`.
        """
        return np.asarray(self.model_.embed(self._inputs(X, edges)).numpy())

    def score(
        self,
        X: Any = None,  # noqa: N803
        y: Any = None,
        edges: Any = None,
        sample_weight: Any = None,
    ) -> float:
        """Computes the accuracy on the nodes whose label is known.

        Without arguments it is the accuracy on the test nodes of `fit`.

        Args:
            X: Features of a graph; None for the graph of `fit`.
            y: Labels `[n]`; unknown ones do not count.
            edges: Its edges, as for `fit`.
            sample_weight: Weights of the nodes `[n]`.
        """
        check_is_fitted(self)
        if y is None:
            if X is not None or edges is not None or self.evaluation_ is None:
                raise SettingError("y", "must be given, unless `fit` kept test nodes")
            return float(self.evaluation_.accuracy)
        labels = column_or_1d(y)
        known = estimator_data.known_labels(labels)
        right = (self.predict(X, edges) == labels)[known]
        weights = None if sample_weight is None else np.asarray(sample_weight)[known]
        return float(np.average(right, weights=weights))

    def save(self, path: str | Path) -> Path:
        """Writes the classifier into a new folder, from which `load` makes it again.

        Args:
            path: The folder.
        """
        check_is_fitted(self)
        return estimator_files.write(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Loads what `save` wrote into a folder.

        Raises:
            ValueError: The folder holds no classifier, or it is damaged.
        """
        return estimator_files.read(cls(), Path(path))

    @property
    def model_decision(self) -> Any:
        """The `Decision` by which logits become probabilities and classes."""
        check_is_fitted(self)
        return self.model_.decision

    def _graph(self, features: Any, labels: Any, edges: Any) -> GraphData:
        """Checks what `fit` was given and splits it."""
        ids = estimator_data.node_ids(features)
        matrix = validate_data(
            self, features, accept_sparse="csr", dtype=np.float32, ensure_min_samples=2
        )
        self.classes_, codes = estimator_data.targets(labels, matrix.shape[0])
        shares = {"train_share": self.train_share, "val_share": self.val_share}
        split = stratified_split(codes, seed=self._seed, **shares)
        self.split_ = dict(zip(("train", "val", "test"), split, strict=True))
        pairs, weights = estimator_data.edge_array(
            edges, len(codes), ids, self._adjacency.is_directed
        )
        return GraphData(
            edges=pairs,
            edge_weights=weights,
            directed=self._adjacency.is_directed,
            labels=codes,
            class_names=[str(each) for each in self.classes_],
            features=matrix,
            feature_names=getattr(self, "feature_names_in_", None),
            node_ids=None if ids is None else [str(each) for each in ids],
            **self.split_,  # type: ignore[arg-type]  # these are the splits
        )

    def _architecture(self, graph: GraphData) -> Architecture | Baseline | None:
        if isinstance(self.architecture, str):
            return Architecture.from_notation(
                self.architecture, num_classes=graph.num_classes, adjacency=self._adjacency
            )
        return self.architecture

    @property
    def _adjacency(self) -> AdjacencySpec:
        if isinstance(self.architecture, Architecture):
            return self.architecture.adjacency
        return AdjacencySpec(direction=self.direction)

    @property
    def _seed(self) -> int:
        return estimator_data.checked_seed(self.random_state)

    def _choice(
        self, graph: GraphData, architecture: Architecture | None, settings: Settings
    ) -> auto.Choice:
        """Searches for settings, and for an architecture unless it is given."""
        given = None if architecture is None else lambda *_: architecture
        tried = auto.candidates(graph.num_classes, settings, given, self._adjacency)
        return choose_settings(graph, tried, seed=self._seed, scaling=self.scaling)

    def _keep(self, run: Run, settings: Settings) -> None:
        self.model_: GraphModel = freeze_statistics(run.model, run.inputs)
        self.architecture_, self.settings_ = run.model.architecture, settings
        self.evaluation_ = run.evaluation("test")
        self.graph_features_ = run.graph.features
        self.graph_edges_ = estimator_data.Edges(run.graph.edges, run.graph.edge_weights)

    def _inputs(self, features: Any, edges: Any) -> tuple[Any, Any]:
        """The model's inputs for a graph."""
        check_is_fitted(self)
        if features is None:
            if edges is not None:
                raise SettingError("X", "must be given with edges")
            matrix, found = self.graph_features_, self.graph_edges_
        else:
            ids = estimator_data.node_ids(features)
            matrix = validate_data(
                self, features, accept_sparse="csr", dtype=np.float32, reset=False
            )
            if edges is None and len(self.graph_edges_.pairs):
                raise SettingError("edges", "must be given, for `fit` had some; [] stands for none")
            found = estimator_data.checked_edges(
                edges, matrix.shape[0], ids, self._adjacency.is_directed
            )
        matrix = sp.csr_array(matrix)
        if self.model_.weighted and found.weights is None:
            raise SettingError("edges", "must have weights, for those of `fit` had some")
        weights = found.weights if self.model_.weighted else None
        return sparse_tensor(matrix), self.model_.operator(found.pairs, matrix.shape[0], weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.non_deterministic = False
        return tags
