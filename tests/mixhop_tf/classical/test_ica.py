"""The iterative classification algorithm against a plain loop with scikit-learn."""

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from mixhop_tf.classical.ica import classify
from mixhop_tf.classical.linear import IMPOSSIBLE, Linear, OneVsRest
from mixhop_tf.methods import ICA

RNG = np.random.default_rng(1)
N, S, C, L2 = 40, 6, 3, 0.02
LABELS = np.repeat(np.arange(C), [14, 13, 13])
FEATURES = sp.csr_array(np.eye(C)[LABELS] @ RNG.uniform(size=(C, S)) + RNG.normal(size=(N, S)))
TRAIN = np.array([0, 1, 2, 14, 15, 27, 28, 29])


def adjacency():
    a = (RNG.random((N, N)) < np.where(LABELS[:, None] == LABELS, 0.2, 0.05)).astype(float)
    a = np.triu(a, 1)
    return a + a.T


ADJACENCY = adjacency()


def plain_loop(method, seed):
    """The same, with a new vector of features for every node, every time."""

    def regression(x):
        c = 1 / (2 * L2 * len(TRAIN))
        if method.one_vs_rest:
            each = LogisticRegression(C=c, solver="liblinear")
            return OneVsRestClassifier(each).fit(x[TRAIN], LABELS[TRAIN])
        return LogisticRegression(C=c, max_iter=1000).fit(x[TRAIN], LABELS[TRAIN])

    def seen(node, current):
        counts = np.zeros(C)
        for other in np.flatnonzero(ADJACENCY[node]):
            counts[current[other]] += 1
        if method.aggregate == "share" and counts.any():
            counts /= counts.sum()
        return np.concatenate([FEATURES.toarray()[node], counts])

    current = regression(FEATURES.toarray()).predict(FEATURES.toarray())
    current[TRAIN] = LABELS[TRAIN]
    relational = regression(np.array([seen(node, current) for node in range(N)]))
    others = np.setdiff1d(np.arange(N), TRAIN)
    rng = np.random.default_rng(seed)
    for _ in range(method.iterations):
        for node in rng.permutation(others):
            current[node] = relational.predict(seen(node, current)[None])[0]
    return relational.decision_function(np.array([seen(node, current) for node in range(N)]))


@pytest.mark.parametrize("aggregate", ["count", "share"])
@pytest.mark.parametrize("one_vs_rest", [False, True])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_plain_loop(aggregate, one_vs_rest, seed):
    method = ICA(aggregate=aggregate, iterations=3, one_vs_rest=one_vs_rest)
    found = classify(FEATURES, sp.csr_array(ADJACENCY), LABELS, TRAIN, C, method, L2, seed)
    expected = plain_loop(method, seed)
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_labels_of_other_nodes_are_not_read():
    hidden = LABELS.copy()
    hidden[np.setdiff1d(np.arange(N), TRAIN)] = -1
    sparse = sp.csr_array(ADJACENCY)
    found = classify(FEATURES, sparse, hidden, TRAIN, C, ICA(), L2, 0)
    np.testing.assert_array_equal(found, classify(FEATURES, sparse, LABELS, TRAIN, C, ICA(), L2, 0))


def test_a_regression_for_each_class_minimises_its_own_loss():
    features, labels = FEATURES.toarray()[TRAIN], LABELS[TRAIN]
    fitted = OneVsRest(features, labels, C, L2)

    def loss(column, weights):
        signs = np.where(labels == column, 1, -1)
        margins = signs * (features @ weights[:-1] + weights[-1])
        return np.mean(np.log1p(np.exp(-margins))) + L2 * np.sum(weights**2)

    for column in range(C):
        found = np.append(fitted.kernel[:, column], fitted.bias[column])
        best = scipy.optimize.minimize(lambda w, j=column: loss(j, w), np.zeros(S + 1), tol=1e-10)
        np.testing.assert_allclose(found, best.x, atol=2e-3)


@pytest.mark.parametrize("kind", [Linear, OneVsRest])
@pytest.mark.parametrize("present", [[1], [0, 2], [0, 1, 2]])
def test_a_class_without_training_nodes_is_never_the_answer(present, kind):
    nodes = np.flatnonzero(np.isin(LABELS, present))
    linear = kind(FEATURES[nodes], LABELS[nodes], C, L2)
    answers = linear(FEATURES)
    assert set(answers.argmax(axis=1)) <= set(present)
    for missing in set(range(C)) - set(present):
        assert (answers[:, missing] == IMPOSSIBLE).all()
