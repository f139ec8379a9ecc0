"""Lists the commands, or runs one.

python -m trainers                          the list
python -m trainers train --dataset cora     the same as python -m trainers.train --dataset cora
"""

from __future__ import annotations

import ast
import difflib
import pkgutil
import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def commands() -> dict[str, str]:
    """The first line of each command's docstring by its name; nothing is imported."""
    names = [each.name for each in pkgutil.iter_modules([str(FOLDER)]) if not each.ispkg]
    return {name: _summary(FOLDER / f"{name}.py") for name in names if name != "__main__"}


def _summary(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def listing() -> str:
    """A line for each command."""
    lines = commands()
    width = max(map(len, lines))
    return "\n".join(
        [
            "Usage: python -m trainers.COMMAND [--help]\n",
            *(f"  {name:<{width}}  {text}" for name, text in lines.items()),
        ]
    )


def unknown(name: str) -> str:
    """What to say about a name that is not a command."""
    near = difflib.get_close_matches(name, commands(), 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"error: there is no command {name!r}; {hint}`python -m trainers` lists them all."


def main(arguments: list[str]) -> None:
    """Runs the command that the first argument names, or prints the list."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(listing())
        return
    name = arguments[0].removeprefix("trainers.")
    if name not in commands():
        sys.exit(unknown(arguments[0]))
    sys.argv = sys.argv[:1] + arguments[1:]
    runpy.run_module(f"trainers.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
