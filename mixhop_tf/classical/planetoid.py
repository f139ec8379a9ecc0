"""Planetoid (Yang, Cohen and Salakhutdinov, 2016): labels and contexts shape one embedding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import keras
import numpy as np
import scipy.sparse as sp
import tensorflow as tf

from mixhop_tf.classical.adjacency import plain_adjacency
from mixhop_tf.classical.contexts import (
    Contexts,
    contexts,
    joined,
    label_contexts,
    start_batches,
)
from mixhop_tf.classical.skip_gram import first_vectors
from mixhop_tf.classical.walks import Walker
from mixhop_tf.methods import Planetoid
from mixhop_tf.ops.sparse import matmul, sparse_tensor

_INDICES = tf.TensorSpec([None], tf.int64)
_SIGNS = tf.TensorSpec([None], tf.float32)


class PlanetoidNetwork:
    """The weights of Planetoid and the gradients of its two losses.

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
        self._features = sparse_tensor(features)
        self._method, self._rate = method, learning_rate
        num_nodes, width = features.shape[0], features.shape[1]
        vectors, partners = first_vectors(num_nodes, method.width, rng)
        self.partners = tf.Variable(partners)
        glorot = keras.initializers.GlorotUniform

        def layer(rows: int, columns: int) -> tuple[tf.Variable, tf.Variable]:
            drawn = glorot(int(rng.integers(2**31)))([rows, columns])
            return tf.Variable(drawn), tf.Variable(tf.zeros([columns]))

        self.of_features = layer(width, num_classes)
        self.of_embedding = layer(method.width, num_classes)
        self.output = layer(2 * num_classes, num_classes)
        # The vectors of the nodes, or the layer that computes them.
        self.embedding = (
            (tf.Variable(vectors),) if method.variant == "t" else layer(width, method.width)
        )

    def embed(self) -> tf.Tensor:
        """Computes the embedding of all nodes `[n, width]`."""
        if self._method.variant == "t":
            return self.embedding[0]
        kernel, bias = self.embedding[0], self.embedding[-1]
        return tf.nn.relu(matmul(self._features, kernel) + bias)

    def _logits(self) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """Computes the logits of both hidden layers and of the output, `[n, c]` each."""
        kernel, bias = self.of_features
        by_features = matmul(self._features, kernel) + bias
        by_embedding = self.embed() @ self.of_embedding[0] + self.of_embedding[1]
        hidden = tf.concat([tf.nn.softmax(by_features), tf.nn.softmax(by_embedding)], axis=1)
        return by_features, by_embedding, hidden @ self.output[0] + self.output[1]

    @tf.function(autograph=False)
    def logits(self) -> tf.Tensor:
        """Computes the logits `[n, c]`."""
        return self._logits()[-1]

    @tf.function(input_signature=[_INDICES, _INDICES], autograph=False)
    def learn_labels(self, nodes: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """Makes a step on the labels of some nodes; returns the loss before it."""
        weights = [*self.of_features, *self.of_embedding, *self.output, *self.embedding]
        with tf.GradientTape() as tape:
            losses = [
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.gather(each, nodes))
                for each in self._logits()
            ]
            loss = tf.add_n([tf.reduce_mean(each) for each in losses])
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(self._rate * tf.convert_to_tensor(slope))
        return loss

    @tf.function(input_signature=[_INDICES, _INDICES, _SIGNS], autograph=False)
    def learn_contexts(self, nodes: tf.Tensor, partners: tf.Tensor, signs: tf.Tensor) -> tf.Tensor:
        """Makes a step on pairs, `- sum log sigmoid(sign * e_i · c_j)`; returns that loss."""
        weights = [*self.embedding, self.partners]
        with tf.GradientTape() as tape:
            own, other = tf.gather(self.embed(), nodes), tf.gather(self.partners, partners)
            products = tf.reduce_sum(own * other, axis=1)
            loss = tf.reduce_sum(tf.nn.softplus(-signs * products))
        *own_slopes, partner_slopes = tape.gradient(loss, weights)
        # A vector learns from its own pairs; a layer, which all pairs share, from their mean.
        own_rate = self._method.embedding_rate
        if self._method.variant == "i":
            own_rate = self._rate / tf.cast(tf.maximum(tf.size(nodes), 1), tf.float32)
        for weight, slope in zip(self.embedding, own_slopes, strict=True):
            weight.assign_sub(own_rate * tf.convert_to_tensor(slope))
        self.partners.assign_sub(self._method.embedding_rate * tf.convert_to_tensor(partner_slopes))
        return loss


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
    walker = Walker(plain_adjacency(graph))
    for starts in start_batches(graph.num_nodes, method.batch_size, method.rounds, rng):
        _learn(network, contexts(walker, starts, method, rng))
    batches = start_batches(graph.num_nodes, method.batch_size, None, rng)
    train = np.asarray(graph.train, np.int64)
    labels = np.asarray(graph.labels[train], np.int64)
    while True:
        for _ in range(method.context_batches):
            pairs = contexts(walker, next(batches), method, rng)
            by_labels = round(len(pairs.nodes) * method.label_share / (1 - method.label_share))
            compared = label_contexts(train, labels, by_labels, method.positive_share, rng)
            _learn(network, joined(pairs, compared))
        for _ in range(method.label_batches):
            chosen = rng.permutation(len(train))[: method.batch_size]
            network.learn_labels(tf.constant(train[chosen]), tf.constant(labels[chosen]))
        yield network.logits().numpy()


def _learn(network: PlanetoidNetwork, pairs: Contexts) -> None:
    network.learn_contexts(*(tf.constant(each) for each in pairs))
