"""The flag for fields of a baseline that have no flag of their own."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any

from absl import flags

from mixhop_tf import SettingError
from mixhop_tf.baselines import BASELINES

# In --help, the flag below belongs to the command that calls `define`.
flags.disclaim_key_flags()

NAME = "options"
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def define() -> None:
    """Defines the flag."""
    flags.DEFINE_list(
        NAME,
        None,
        "manireg, semiemb, lp, deepwalk, ica, planetoid: fields of the method, such as "
        "walk_length=20,window=5; docs/classical.md has them all.",
    )


def given(model: str) -> dict[str, Any]:
    """The fields that the flag has for a model, by name.

    Raises:
        SettingError: A field does not exist, or its value is of another kind.
    """
    texts = flags.FLAGS[NAME].value or []
    kind = BASELINES.get(model)
    types = {} if kind is None else typing.get_type_hints(kind)
    names = [] if kind is None else [field.name for field in dataclasses.fields(kind)]
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in names:
            known = f"takes {', '.join(names)}" if names else "must be left out"
            raise SettingError(NAME, f"{known} with --model {model}, each as name=value", text)
        values[name] = _parsed(name, value, types[name])
    return values


def _parsed(name: str, text: str, kind: type) -> Any:
    try:
        return _WORDS[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        word = {bool: "yes or no", int: "a whole number", float: "a number"}.get(kind, "a word")
        raise SettingError(NAME, f"must have {word} for {name}", text) from None


def shown(fields: dict[str, Any]) -> str:
    """The text that gives these fields."""
    words = {True: "yes", False: "no"}
    return ",".join(
        f"{name}={words[value] if isinstance(value, bool) else value}"
        for name, value in fields.items()
    )
