"""Dense NumPy reference: every formula is written out in the simplest way."""

import numpy as np


def adjacency(edges, num_nodes):
    """Computes `D^-½ (A + I) D^-½`, dense."""
    a = np.eye(num_nodes)
    for u, v in edges:
        a[u, v] = a[v, u] = 1
    scale = 1 / np.sqrt(a.sum(axis=1))
    return scale[:, None] * a * scale


def mixhop(x, a, kernels):
    """Concatenates `A^j X W_j` over `j`; `kernels` maps each power to its kernel or None."""
    outputs = [
        np.linalg.matrix_power(a, power) @ x @ kernel
        for power, kernel in kernels.items()
        if kernel is not None
    ]
    return np.concatenate(outputs, axis=1)


def row_normalize(x, epsilon=1e-12):
    return x / np.sqrt(np.maximum((x**2).sum(axis=1, keepdims=True), epsilon))


def graph_norm(x, beta, epsilon=1e-3):
    return (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + epsilon) + beta


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def psum(x, q, num_classes):
    weights = softmax(q)
    return sum(
        weights[k] * x[:, k * num_classes : (k + 1) * num_classes] for k in range(len(weights))
    )


def cross_entropy(logits, labels):
    return -np.log(softmax(logits)[np.arange(len(labels)), labels]).mean()


def group_lasso(kernel, lasso, l2):
    return lasso * np.sqrt((kernel**2).sum(axis=0)).sum() + l2 * (kernel**2).sum()


def rescaled_laplacian(edges, num_nodes, largest_eigenvalue):
    """Computes `2 (I - D^-½ A D^-½) / λ - I`, dense."""
    a = np.zeros((num_nodes, num_nodes))
    for u, v in edges:
        if u != v:
            a[u, v] = a[v, u] = 1
    scale = 1 / np.sqrt(np.maximum(a.sum(axis=1), 1))
    laplacian = np.eye(num_nodes) - scale[:, None] * a * scale
    return 2 / largest_eigenvalue * laplacian - np.eye(num_nodes)


def chebyshev(x, laplacian, kernels):
    """Computes `Σ_k T_k(L) X W_k` with explicit polynomials."""
    polynomials = [np.eye(len(x)), laplacian]
    for _ in kernels[2:]:
        polynomials.append(2 * laplacian @ polynomials[-1] - polynomials[-2])
    return sum(t @ x @ kernel for t, kernel in zip(polynomials, kernels, strict=False))


def attention(x, neighbours, kernel, own, neighbour, slope=0.2):
    """Computes a head's coefficients `[n, n]`, zero wherever `neighbours` is zero, and `X W`."""
    z = x @ kernel
    scores = (z @ own)[:, None] + (z @ neighbour)[None, :]
    scores = np.where(scores > 0, scores, slope * scores)
    weights = np.where(neighbours > 0, np.exp(scores - scores.max()), 0)
    return weights / weights.sum(axis=1, keepdims=True), z


def attentive_operator(z, a, own, neighbour, slope=0.2):
    """Computes `T[u, v] = a_uv exp(e_uv) / Σ_w a_uw exp(e_uw)` of a head; empty rows stay zero."""
    scores = (z @ own)[:, None] + (z @ neighbour)[None, :]
    scores = np.where(scores > 0, scores, slope * scores)
    weights = a * np.exp(scores - scores.max(axis=1, keepdims=True))
    sums = weights.sum(axis=1, keepdims=True)
    return weights / np.where(sums > 0, sums, 1)


def attentive_mixhop(x, a, backward, kernels, heads):
    """Concatenates `T_j^j X W_j`; `heads[j]` lists the columns and the vectors of each head."""
    outputs = []
    for power, kernel in kernels.items():
        z = x @ kernel
        if not power:
            outputs.append(z)
        for columns, own, neighbour in heads.get(power, []):
            used = a if power > 0 else backward
            t = attentive_operator(z[:, columns], used, own, neighbour)
            outputs.append(np.linalg.matrix_power(t, abs(power)) @ z[:, columns])
    return np.concatenate(outputs, axis=1)


def finite_differences(function, at, step=1e-6):
    """Computes the gradient of a function of an array, entry by entry."""
    at = np.asarray(at, np.float64)
    result = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        moved = at.copy()
        moved[index] += step
        above = function(moved)
        moved[index] -= 2 * step
        result[index] = (above - function(moved)) / (2 * step)
    return result
