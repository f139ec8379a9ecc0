"""The text of --help: what the command does, then its flags by subject."""

from __future__ import annotations

import contextlib
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

from absl import flags

_INDENT = 26
_GROUP = "group: "  # marks the title of a group among absl's names of modules


@contextlib.contextmanager
def group(title: str) -> Iterator[None]:
    """Puts the flags that are defined within under this title."""
    before = set(flags.FLAGS)
    yield
    for name in flags.FLAGS:
        if name not in before:
            flags.FLAGS.register_flag_by_module(f"{_GROUP}{title}", flags.FLAGS[name])


def _groups() -> dict[str, list[str]]:
    """Names of flags by title."""
    return {
        module.removeprefix(_GROUP): [flag.name for flag in defined]
        for module, defined in flags.FLAGS.flags_by_module_dict().items()
        if module.startswith(_GROUP)
    }


def help_text(description: str, width: int | None = None) -> str:
    """The description, then the flags of the command, group by group."""
    width = width or min(100, shutil.get_terminal_size().columns)
    key_flags = {flag.name: flag for flag in flags.FLAGS.get_key_flags_for_module(sys.argv[0])}
    groups = _groups()
    grouped = {name for names in groups.values() for name in names}
    rest = sorted(set(key_flags) - grouped)
    sections = [description.strip()]
    for title, names in {**groups, "Options" if not groups else "Other": rest}.items():
        if names:
            lines = [_flag_text(flags.FLAGS[name], width) for name in names]
            sections.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(sections)


def _flag_text(flag: flags.Flag, width: int) -> str:
    head = f"  --{'[no]' if flag.boolean else ''}{flag.name}"
    values = getattr(flag.parser, "enum_values", None)
    if values:
        head = _with_choices(head, values, width)
    elif not flag.boolean:
        head += {"float": " NUMBER", "int": " N"}.get(flag.flag_type(), " TEXT")
    text = (flag.help or "").removeprefix(f"<{'|'.join(values or ())}>: ")
    if flag.default is not None:
        text += f" [{_default(flag)}]"
    body = textwrap.wrap(text, width - _INDENT)
    if len(head) > _INDENT - 2:
        body.insert(0, head)
    else:
        body[0] = f"{head:<{_INDENT}}{body[0]}"
    return "\n".join([body[0], *(" " * _INDENT + line for line in body[1:])])


def _with_choices(head: str, values: Sequence[str], width: int) -> str:
    """The flag and its values, on several lines if there are too many."""
    lines = [f"{head} {values[0]}"]
    for value in values[1:]:
        lines[-1] += "|"
        if len(lines[-1]) + len(value) + 1 > width:
            lines.append(" " * (len(head) + 1))
        lines[-1] += value
    return "\n".join(lines)


def _default(flag: flags.Flag) -> str:
    if flag.boolean:
        return "yes" if flag.default else "no"
    return (flag.default_as_str or "").strip("'")
