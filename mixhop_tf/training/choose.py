"""Chooses settings for a graph by a short search; see `auto` for what is tried."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from mixhop_tf.errors import DivergedError, SettingError
from mixhop_tf.training.auto import WORK, Candidate, Choice, Score, Trial, candidates, plan
from mixhop_tf.training.graph import Graph, Resplit
from mixhop_tf.training.imbalance import suggested
from mixhop_tf.training.make_trainer import make_trainer
from mixhop_tf.training.settings import Settings
from mixhop_tf.training.standard_error import standard_error

_SPREAD_FROM = 3  # rounds from which their spread tells the error
_LOST = Score(-math.inf, -math.inf, 0.0)


def choose_settings(
    graph: Graph,
    tried: Sequence[Candidate] | None = None,
    *,
    seed: int = 0,
    scaling: str = "auto",
    work: int = WORK,
    done: Mapping[tuple[str, int], Score] | None = None,
    on_trial: Callable[[Trial], object] | None = None,
) -> Choice:
    """Tries candidates on a graph and chooses the best by validation data.

    Each round trains every candidate once. The first round uses the split of the graph; each
    further one deals training and validation nodes anew. Test nodes take no part. The best mean
    score wins, but the first candidate stays unless another is better by a standard error. Another
    one that diverges has lost.

    Args:
        graph: The graph, with training and validation nodes.
        tried: The candidates, in the order of preference; by default those of `candidates`, with
            the settings that `imbalance.suggested` gives.
        seed: Seed of the runs and of the rounds.
        scaling: Scaling of the features, as for `train`.
        work: Size of the search in multiply-adds; see `plan`.
        done: Scores of trials that were made before, by name and round.
        on_trial: Called after each trial.

    Example:
    >>> from mixhop_tf import GraphData, choose_settings
    >>> graph = GraphData(
    ...     edges=[[0, 1], [1, 2], [2, 3]], labels=[0, 0, 1, 1], train=[0, 3], val=[1, 2]
    ... )
    >>> choose_settings(graph, work=0).candidate.name
    'general'
    """
    if work < 0:
        raise SettingError("work", "must not be negative", work)
    if tried is None:
        settings = dataclasses.replace(Settings(), **suggested(graph))
        tried = candidates(graph.num_classes, settings)
    tried, num_rounds = plan(graph, tried, work)
    if len(tried) == 1:
        return Choice(candidate=tried[0], scores={}, num_rounds=0)
    scores: dict[str, list[Score]] = {each.name: [] for each in tried}
    for number in range(num_rounds):
        dealt = redealt(graph, number, seed)
        for each in tried:
            score = (done or {}).get((each.name, number))
            if score is None:
                score = _tried(each, dealt, number, seed, scaling, may_diverge=each != tried[0])
            scores[each.name].append(score)
            if on_trial:
                on_trial(Trial(each.name, number, score))
    means = {name: _mean(values) for name, values in scores.items()}
    best = _best(tried, scores, means)
    return Choice(candidate=best, scores=means, num_rounds=num_rounds)


def _tried(
    candidate: Candidate, graph: Graph, number: int, seed: int, scaling: str, *, may_diverge: bool
) -> Score:
    trainer = make_trainer(graph, candidate.architecture, candidate.settings, scaling=scaling)
    try:
        run = trainer.run(seed)
    except DivergedError:
        if may_diverge:
            return _LOST
        raise
    return Score(run.result.score, -run.best.val_loss, standard_error(run, number))


def _best(
    tried: Sequence[Candidate], scores: Mapping[str, Sequence[Score]], means: Mapping[str, Score]
) -> Candidate:
    """Returns the candidate with the best mean score; of equals the preferred one.

    The first candidate stays if it is within one standard error of the best: the difference may
    be chance. In several rounds all candidates see the same splits, so the spread of their
    differences tells the error; with fewer rounds it is that of the best score.
    """
    best = max(tried, key=lambda each: means[each.name][:2])
    pairs = zip(scores[best.name], scores[tried[0].name], strict=True)
    ahead = [one.metric - other.metric for one, other in pairs]
    error = means[best.name].error
    if len(ahead) >= _SPREAD_FROM:
        error = float(np.std(ahead, ddof=1)) / math.sqrt(len(ahead))
    return best if np.mean(ahead) > error else tried[0]


def redealt(graph: Graph, number: int, seed: int) -> Graph:
    """Deals training and validation nodes anew, class by class; round 0 keeps the split.

    Args:
        graph: The graph; its test nodes are left out.
        number: Number of the round, from 0.
        seed: Seed of the deal.
    """
    train, val = graph.train, graph.val
    if number:
        rng = np.random.default_rng([seed, number])
        both = np.sort(np.concatenate([train, val]))
        share = len(train) / len(both)
        parts: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for each in range(graph.num_classes):
            members = rng.permutation(both[graph.labels[both] == each])
            # Rounded at random, so that small classes get validation nodes in some round.
            cut = math.floor(share * len(members) + rng.random())
            for part, nodes in zip(parts, np.split(members, [cut]), strict=True):
                part.append(nodes)
        dealt = tuple(np.sort(np.concatenate(part)) for part in parts)
        if all(map(len, dealt)):
            train, val = dealt
    return Resplit(graph, train=train, val=val)


def _mean(scores: Sequence[Score]) -> Score:
    """The mean over rounds. Its error is that of as many independent validation nodes."""
    metric, loss, _ = np.mean(scores, axis=0).tolist()
    return Score(metric, loss, math.hypot(*(score.error for score in scores)) / len(scores))
