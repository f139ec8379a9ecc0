"""Griffe extension: docstrings as this project writes them become Markdown that the site shows.

Doctests stand in docstrings without a fence and would be read as quotations; `Call arguments` is
Keras's section for the arguments of `layer(...)`, which Griffe does not know. A dataclass may keep
the help of its fields in their metadata; they become its `Args`.
"""

from __future__ import annotations

import dataclasses
import importlib
import re
from typing import Any

from griffe import Class, Docstring, Extension, Object

_DOCTEST = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)
_CALL = re.compile(r"^Call arguments:\n(?P<body>(?: +.*\n?|\n(?= ))+)", re.MULTILINE)
_ARGUMENT = re.compile(r"^    (?P<name>\w+): ", re.MULTILINE)


class PlainDocstrings(Extension):
    """Rewrites each docstring before it is parsed."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:  # noqa: ARG002 - Griffe's signature
        """Replaces the text of the docstring."""
        if isinstance(obj.docstring, Docstring):
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_class(self, *, cls: Class, **kwargs: Any) -> None:  # noqa: ARG002 - Griffe's signature
        """Describes the fields that carry their own help."""
        if not any(str(each.value).startswith("_field(") for each in cls.attributes.values()):
            return
        lines = []
        source = getattr(importlib.import_module(cls.module.path), cls.name)
        for field in dataclasses.fields(source):
            cls.parameters[field.name].default = repr(field.default)
            lines.append(f"    {field.name}: {field.metadata['help']}")
        if cls.docstring:
            cls.docstring.value += "\n\nArgs:\n" + "\n".join(lines)


def as_markdown(text: str) -> str:
    """The docstring with fenced doctests and the call arguments as a list."""
    text = re.sub(r"^Example:\n(?=>>> )", "**Example**\n\n", text, flags=re.MULTILINE)
    text = _CALL.sub(_call_arguments, text)
    return _DOCTEST.sub(_fenced, text)


def _fenced(match: re.Match[str]) -> str:
    indent = match["indent"]
    return f"{indent}```pycon\n{match[0]}\n{indent}```"


def _call_arguments(match: re.Match[str]) -> str:
    return "**Call arguments**\n\n" + _ARGUMENT.sub(r"- `\g<name>`: ", match["body"])
