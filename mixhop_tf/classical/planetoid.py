"""Planetoid (Yang, Cohen and Salakhutdinov, 2016): labels and contexts shape one embedding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
import scipy.sparse as sp
import scipy.special
import tensorflow as tf

from mixhop_tf.classical.adjacency import plain_adjacency, without_edges_of
from mixhop_tf.classical.contexts import Batch, draw_batch, start_batches
from mixhop_tf.classical.skip_gram import context_slopes, first_vectors
from mixhop_tf.classical.walks import Walker
from mixhop_tf.methods import Planetoid
from mixhop_tf.ops.sparse import matmul, sparse_tensor
from mixhop_tf.tensors import Matrix

# Share of entries from which dense products are faster.
_DENSE = 0.05


class PlanetoidNetwork:
    """The weights of Planetoid and the steps on its two losses.

    With the features `x` and the embedding `e` of a node, the logits are
    `[softmax(x W_x + b_x), softmax(e W_e + b_e)] W + b`. The embedding is a vector of the node
    (variant `t`) or `relu(x V + v)` (variant `i`). As in the authors' code, both hidden softmaxes
    are trained to predict the label, too.

    Args:
        features: Scaled features `[n, s]`.
        num_classes: Number of classes `c`.
        method: The description.
        learning_rate: Learning rate of the labels' loss.
        rng: Draws the first weights.
    """

    def __init__(
        self,
        features: sp.csr_array,
        num_classes: int,
        method: Planetoid,
        learning_rate: float,
        rng: np.random.Generator,
    ) -> None:
        rows, width = features.shape
        is_dense = features.nnz > _DENSE * rows * width
        self._features: Any = features.toarray() if is_dense else features
        self._method, self._rate = method, learning_rate
        self.vectors, self.partners = first_vectors(rows, method, rng)

        def layer(rows: int, columns: int) -> tuple[tf.Variable, tf.Variable]:
            drawn = keras.initializers.GlorotUniform(int(rng.integers(2**31)))([rows, columns])
            return tf.Variable(drawn), tf.Variable(tf.zeros([columns]))

        self.of_features = layer(width, num_classes)
        self.of_embedding = layer(method.width, num_classes)
        self.output = layer(2 * num_classes, num_classes)
        # The layer that computes the embedding in variant `i`.
        self.layer = layer(width, method.width) if method.variant == "i" else ()
        spec = tf.TensorSpec if is_dense else tf.SparseTensorSpec
        signature = (
            spec([None, width], tf.float32),
            tf.TensorSpec([None, method.width], tf.float32),
            tf.TensorSpec([None], tf.int32),
        )
        self._step = tf.function(self._label_step, input_signature=signature, autograph=False)

    def embedding(self, nodes: Any) -> np.ndarray:
        """Computes the embedding of some nodes `[k, width]`."""
        if not self.layer:
            return self.vectors[nodes]
        return np.maximum(self._features[nodes] @ self.layer[0].numpy() + self.layer[1].numpy(), 0)

    def logits(self) -> np.ndarray:
        """Computes the logits of all nodes `[n, c]`."""
        hidden = [
            scipy.special.softmax(rows @ kernel.numpy() + bias.numpy(), axis=1)
            for rows, (kernel, bias) in (
                (self._features, self.of_features),
                (self.embedding(slice(None)), self.of_embedding),
            )
        ]
        kernel, bias = self.output
        return np.concatenate(hidden, axis=1) @ kernel.numpy() + bias.numpy()

    def rows(self, nodes: np.ndarray) -> Matrix:
        """Returns the features of some nodes `[k, s]` for `learn_labels`."""
        rows = self._features[nodes]
        return sparse_tensor(rows) if sp.issparse(rows) else tf.constant(rows)

    def learn_labels(self, nodes: np.ndarray, rows: Matrix, labels: tf.Tensor) -> float:
        """Makes a step on the labels of some nodes; returns the loss before it."""
        vectors = self.vectors[nodes]
        loss, slopes = self._step(rows, tf.constant(vectors), labels)
        if not self.layer:
            self.vectors[nodes] = vectors - self._rate * slopes.numpy()
        return float(loss)

    def _label_step(
        self, rows: Matrix, vectors: tf.Tensor, labels: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Changes the layers; returns the loss and its gradient by the vectors."""
        weights = [*self.of_features, *self.of_embedding, *self.output, *self.layer]
        with tf.GradientTape() as tape:
            tape.watch(vectors)
            embedding = vectors
            if self.layer:
                embedding = tf.nn.relu(matmul(rows, self.layer[0]) + self.layer[-1])
            by_features = matmul(rows, self.of_features[0]) + self.of_features[1]
            by_embedding = embedding @ self.of_embedding[0] + self.of_embedding[1]
            hidden = tf.concat([tf.nn.softmax(by_features), tf.nn.softmax(by_embedding)], axis=1)
            losses = [
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                for logits in (by_features, by_embedding, hidden @ self.output[0] + self.output[1])
            ]
            loss = tf.add_n([tf.reduce_mean(each) for each in losses])
        *slopes, of_vectors = tape.gradient(
            loss, [*weights, vectors], unconnected_gradients=tf.UnconnectedGradients.ZERO
        )
        for weight, slope in zip(weights, slopes, strict=True):
            weight.assign_sub(self._rate * slope)
        return loss, of_vectors

    def learn_contexts(self, batch: Batch) -> None:
        """Makes a step on the loss `context_loss` of a batch of pairs."""
        nodes = batch.nodes
        embedding = self.embedding(nodes)
        own, other = context_slopes(batch, embedding, self.partners[nodes])
        self.partners[nodes] -= self._method.embedding_rate * other
        if not self.layer:
            self.vectors[nodes] -= self._method.embedding_rate * own
            return
        own = own * (embedding > 0)
        for weight, slope in zip(
            self.layer, (self._features[nodes].T @ own, own.sum(axis=0)), strict=True
        ):
            weight.assign_sub(self._method.layer_rate * np.asarray(slope))


def steps(
    graph: Any, features: sp.csr_array, method: Planetoid, learning_rate: float, seed: int
) -> Iterator[np.ndarray]:
    """Trains, and yields the logits of all nodes after each step, float32 `[n, c]`.

    At first, `rounds` walks from every node shape the embedding. Then a step makes
    `context_batches` updates by pairs and `label_batches` updates by the training labels.

    Args:
        graph: The graph.
        features: Its features, scaled `[n, s]`.
        method: The description.
        learning_rate: Learning rate of the labels' loss.
        seed: Seed of weights, walks and pairs.
    """
    rng = np.random.default_rng(seed)
    network = PlanetoidNetwork(features, graph.num_classes, method, learning_rate, rng)
    adjacency = plain_adjacency(graph)
    if method.inductive:
        adjacency = without_edges_of(adjacency, graph.test)
    walker = Walker(adjacency)
    for starts in start_batches(graph.num_nodes, method.batch_size, method.rounds, rng):
        network.learn_contexts(draw_batch(walker, starts, method, rng))
    batches = start_batches(graph.num_nodes, method.batch_size, None, rng)
    train = np.asarray(graph.train, np.int64)
    labels = np.asarray(graph.labels[train], np.int32)
    labelled, share = (train, labels), method.label_share
    few = len(train) <= method.batch_size
    chosen: Any = slice(None)
    rows = network.rows(train) if few else None
    while True:
        for _ in range(method.context_batches):
            network.learn_contexts(draw_batch(walker, next(batches), method, rng, labelled, share))
        for _ in range(method.label_batches):
            if not few:
                chosen = rng.permutation(len(train))[: method.batch_size]
                rows = network.rows(train[chosen])
            network.learn_labels(train[chosen], rows, tf.constant(labels[chosen]))
        yield network.logits()
