"""Code that every command shares: errors in one sentence, plain messages, clean exits."""

import logging
import os
import sys
from collections.abc import Callable

import absl.logging
from absl import app, flags

from mixhop_tf import SplitError
from mixhop_tf.errors import WorkerError
from trainers.cli import flag_help
from trainers.cli.settings_flags import OF_CLASSES
from trainers.cluster.joining import LOST, is_launched
from trainers.sweeps.errors import explain

_LONGEST = 2000  # characters of a message


def run(main: Callable[[], None], define_flags: Callable[[], None]) -> None:
    """Defines and parses the flags and runs `main`; bad input gives one sentence and exit code 1.

    Flags are defined here and not when a command is imported, because absl allows each name once.
    """
    define_flags()

    def guarded(argv: list[str]) -> None:
        if len(argv) > 1:
            sys.exit(f"error: unexpected argument {argv[1]!r}; every option starts with --")
        absl.logging.get_absl_handler().setFormatter(logging.Formatter("%(message)s"))
        for name in ("datasets", "trainers.cluster", "trainers.runs", "trainers.text"):
            logging.getLogger(name).setLevel(logging.INFO)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # "?" beats a crash
        try:
            _to_reader(main)
        except KeyboardInterrupt:
            print("interrupted; finished work is kept", file=sys.stderr)
            sys.exit(130)
        except Exception as error:
            sentence = _sentence(error)
            if sentence is None:
                raise
            if not isinstance(error, WorkerError):
                sys.exit(f"error: {printable(sentence)}")
            if not is_launched():
                print(f"error: {printable(sentence)}", file=sys.stderr)
            sys.exit(LOST)

    if {"-h", "-help", "--help", "-?"} & set(sys.argv[1:]):
        _to_reader(lambda: print(flag_help.help_text(sys.modules["__main__"].__doc__ or "")))
        return
    app.run(guarded, flags_parser=_parse)


def _sentence(error: Exception) -> str | None:
    """The message for the user, with the names of flags; None for a bug."""
    if isinstance(error, SplitError):
        return (
            f"{error.graph} has no {error.part} nodes; give it a split that has some, or use "
            "--split stratified, or --split random with --num_val and --num_test."
        )
    return explain(error, flag_of)


def flag_of(argument: str) -> str:
    """The flag of an argument.

    >>> flag_of("learning_rate"), flag_of("wide.learning_rate"), flag_of("lassos")
    ('--learning_rate', '--wide_learning_rate', '--lasso')
    """
    renamed = {"lassos": "lasso", "wide.lasso": "lasso"}
    stage, _, name = argument.rpartition(".")
    if stage and name in OF_CLASSES:  # one flag for all stages
        return f"--{name}"
    return f"--{renamed.get(argument, argument).replace('.', '_')}"


def printable(text: str) -> str:
    r"""A message that is safe to print: no control characters, limited length.

    >>> printable("a\x1b[31mb"), len(printable("x" * 10**6)) < 3000
    ('a?[31mb', True)
    """
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)


def _to_reader(function: Callable[[], None]) -> None:
    """Calls a function that prints; stops quietly if the reader (head, less) closes the pipe."""
    try:
        function()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse(argv: list[str]) -> list[str]:
    try:
        return flags.FLAGS(argv)
    except flags.Error as error:
        sys.exit(f"error: {error} (--help lists the flags)")
