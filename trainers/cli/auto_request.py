"""What the preset `auto` tries, with the flags that were given, and what it chose."""

from __future__ import annotations

import dataclasses
import shlex
from typing import cast

from absl import flags

import datasets
from mixhop_tf import Architecture, SettingError, Settings
from mixhop_tf.training import auto
from mixhop_tf.training.auto import Candidate, Choice
from mixhop_tf.training.imbalance import suggested
from trainers.cli import settings_flags
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
        "Size of the search of the preset auto: 1 takes about a minute on a small graph, 2 up to "
        "twice as long; 0 uses the general settings without a search. Counts of nodes, edges and "
        "steps bound the search, not the clock, so the same seed gives the same choice.",
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

    def architecture_of(notation: str, dropout: float | None) -> Architecture:
        wanted = request
        if not is_fixed:
            rates = {} if dropout is None else dict.fromkeys(_DROPOUTS, dropout)
            fields = rates | dict(request.fields)
            wanted = dataclasses.replace(request, name=notation, fields=fields)
        resolved = wanted.resolve(dataset, graph.num_classes, preset, lambda: 0.0)
        return cast(Architecture, resolved)  # the preset is MixHop's alone

    base = dataclasses.replace(preset.settings, **suggested(graph))
    return [
        dataclasses.replace(each, settings=settings_flags.given(each.settings))
        for each in auto.candidates(graph.num_classes, base, architecture_of)
    ]


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
    scores = ", ".join(f"{name} {abs(score.metric):.3f}" for name, score in choice.scores.items())
    rounds = "" if choice.num_rounds == 1 else f", the mean of {choice.num_rounds} splits"
    metric = choice.candidate.settings.select_by.replace("_", " ")
    best = max(choice.scores, key=lambda name: choice.scores[name])
    verdict = "is best" if choice.candidate.name == best else "stays, no other is clearly better"
    return (
        f"auto: {choice.candidate.name} {verdict} by validation {metric}{rounds}: {scores}\n"
        f"the same without a search: {_repeating(choice.candidate, arguments, preset)}"
    )


def _repeating(chosen: Candidate, arguments: list[str], preset: Preset) -> str:
    named = {each.split("=")[0].lstrip("-") for each in arguments if each.startswith("-")}
    words = [*_without_preset(arguments), "--preset", "general"]
    if not {"architecture", "hidden_dims"} & named:
        words += ["--architecture", chosen.notation]
    if chosen.dropout is not None:
        for name in _DROPOUTS:
            words += [] if name in named else _flag(name, chosen.dropout)
    for field in dataclasses.fields(Settings):
        value = getattr(chosen.settings, field.name)
        if value != getattr(preset.settings, field.name) and field.name not in named:
            words += _flag(field.name, value)
    return f"python -m trainers.train {shlex.join(words)}"


def _flag(name: str, value: object) -> list[str]:
    """The words of a flag; absl writes a flag of yes or no without a value."""
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no{name}"]
    return [f"--{name}", f"{value}"]


def _without_preset(arguments: list[str]) -> list[str]:
    kept, skip = [], False
    for each in arguments:
        if skip:
            skip = False
        elif each.lstrip("-") in ("preset", "search"):
            skip = True
        elif not each.lstrip("-").startswith(("preset=", "search=")):
            kept.append(each)
    return kept
