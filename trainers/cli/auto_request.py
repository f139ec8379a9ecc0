"""What the preset `auto` tries, with the flags that were given, and what it chose."""

from __future__ import annotations

import dataclasses
import functools
import math
import shlex
from typing import cast

from absl import flags

import datasets
from mixhop_tf import Architecture, SettingError, Settings
from mixhop_tf.architecture import HIDDEN_WIDTH
from mixhop_tf.training import auto
from mixhop_tf.training.auto import Candidate, Choice, Shape
from mixhop_tf.training.imbalance import suggested
from trainers.cli import adjacency_flags, settings_flags
from trainers.paper.architectures import ArchitectureRequest
from trainers.paper.preset import Preset

_DROPOUTS = "input_dropout", "hidden_dropout"

# In --help, the flags below belong to the command that calls `define`.
flags.disclaim_key_flags()


def define() -> None:
    """Defines the flag for the size of the search."""
    flags.DEFINE_float(
        "search",
        1.0,
        "Size of the search of the preset auto: 1 takes about a minute on a small graph, or three "
        "with --direction both, and 2 up to twice as long; 0 uses the general settings without a "
        "search. Counts of nodes, edges and steps bound the search, not the clock, "
        "so the same seed gives the same choice.",
    )


def work() -> int:
    """The multiply-adds that the search may take."""
    size = flags.FLAGS.search
    if not 0 <= size <= 1e6:
        raise SettingError("search", "must be from 0 to 1,000,000", size)
    return int(size * auto.WORK)


def candidates(
    request: ArchitectureRequest, dataset: str, graph: datasets.Graph, preset: Preset
) -> list[Candidate]:
    """Lists the candidates. Flags override their settings; a named architecture, their own."""
    is_fixed = request.name is not None or len(request.hidden_dims or (1,)) > 1

    def architecture_of(shape: Shape) -> Architecture:
        wanted = request if is_fixed else _shaped(request, shape)
        resolved = wanted.resolve(dataset, graph.num_classes, preset, lambda: 0.0)
        return cast(Architecture, resolved)  # the preset is MixHop's alone

    base = dataclasses.replace(preset.settings, **suggested(graph))
    return [
        dataclasses.replace(each, settings=settings_flags.given(each.settings))
        for each in auto.candidates(graph.num_classes, base, architecture_of)
    ]


def _shaped(request: ArchitectureRequest, shape: Shape) -> ArchitectureRequest:
    """The request for a shape, except for what the user asked for."""
    rates = {} if shape.dropout is None else dict.fromkeys(_DROPOUTS, shape.dropout)
    adjacency = request.adjacency
    if shape.direction is not None or shape.sums:
        adjacency = functools.partial(
            adjacency_flags.adjacency, direction=shape.direction, sums=shape.sums
        )
    return dataclasses.replace(
        request,
        name=shape.notation,
        hidden_dims=(request.hidden_dims or (HIDDEN_WIDTH,)) * shape.num_hidden,
        fields=rates | dict(request.fields),
        adjacency=adjacency,
        jumping=(shape.jumping or None) if request.jumping is None else request.jumping,
    )


def lines(choice: Choice, arguments: list[str], preset: Preset) -> str:
    """Says what was chosen, and the command that trains the same without a search.

    Args:
        choice: What was chosen.
        arguments: The flags of this command.
        preset: The preset that the search started from.
    """
    if not choice.scores:
        why = "without a search" if flags.FLAGS.search == 0 else "the graph is large for a search"
        return f"auto: {choice.candidate.name} settings ({why})"
    scores = ", ".join(f"{name} {_shown(score.metric)}" for name, score in choice.scores.items())
    rounds = "" if choice.num_rounds == 1 else f", the mean of {choice.num_rounds} splits"
    metric = choice.candidate.settings.select_by.replace("_", " ")
    best = max(choice.scores, key=lambda name: choice.scores[name])
    verdict = "is best" if choice.candidate.name == best else "stays, no other is clearly better"
    return (
        f"auto: {choice.candidate.name} {verdict} by validation {metric}{rounds}: {scores}\n"
        f"the same without a search: {_repeating(choice.candidate, arguments, preset)}"
    )


def _shown(metric: float) -> str:
    """A metric without its sign, which only says that less of it is better."""
    return f"{abs(metric):.3f}" if math.isfinite(metric) else "diverged"


def _repeating(chosen: Candidate, arguments: list[str], preset: Preset) -> str:
    named = {each.split("=")[0].lstrip("-") for each in arguments if each.startswith("-")}
    is_fixed = "architecture" in named or len(flags.FLAGS.hidden_dims or ()) > 1
    replaced = {} if is_fixed else _replaced(chosen)
    words = [*_without(arguments, ["preset", "search", *replaced]), "--preset", "general"]
    for name, value in replaced.items():
        words += _flag(name, value)
    if not is_fixed:
        for name, added in _added(chosen.shape).items():
            words += [] if {name, f"no{name}"} & named else _flag(name, added)
    for field in dataclasses.fields(Settings):
        value = getattr(chosen.settings, field.name)
        if value != getattr(preset.settings, field.name) and field.name not in named:
            words += _flag(field.name, value)
    return f"python -m trainers.train {shlex.join(words)}"


def _replaced(chosen: Candidate) -> dict[str, str]:
    """The flags whose values the candidate replaces."""
    flagged = {"architecture": chosen.shape.notation}
    if chosen.shape.direction is not None:
        flagged["direction"] = chosen.shape.direction
    if chosen.shape.num_hidden > 1:
        widths = (layer.width for layer in chosen.architecture.layers[:-1])
        flagged["hidden_dims"] = ",".join(map(str, widths))
    return flagged


def _added(shape: Shape) -> dict[str, object]:
    """The flags whose values the candidate sets, unless they were given."""
    flagged: dict[str, object] = {}
    if shape.dropout is not None:
        flagged |= dict.fromkeys(_DROPOUTS, shape.dropout)
    if shape.jumping:
        flagged["jumping"] = True
    if shape.sums:
        flagged["normalization"] = "none"
    return flagged


def _flag(name: str, value: object) -> list[str]:
    """The words of a flag; absl writes a flag of yes or no without a value."""
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no{name}"]
    return [f"--{name}", f"{value}"]


def _without(arguments: list[str], names: list[str]) -> list[str]:
    kept, skip = [], False
    for each in arguments:
        if skip:
            skip = False
        elif each.lstrip("-") in names:
            skip = True
        elif each.split("=")[0].lstrip("-") not in names:
            kept.append(each)
    return kept
