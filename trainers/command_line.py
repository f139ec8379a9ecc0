"""What every command line shares: errors in one sentence, plain messages, clean exits."""

import logging
import os
import sys
from collections.abc import Callable

import absl.logging
from absl import app

from datasets import DataError
from trainers.errors import RunError


def run(main: Callable[[], None]) -> None:
    """Parses the flags and runs `main`; bad input ends with one sentence and exit code 1."""

    def guarded(argv: list[str]) -> None:
        if len(argv) > 1:
            raise app.UsageError(f"unexpected argument {argv[1]!r}; every option starts with --")
        absl.logging.get_absl_handler().setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("datasets").setLevel(logging.INFO)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # "?" beats a crash
        try:
            main()
            sys.stdout.flush()
        except (DataError, RunError) as error:
            sys.exit(f"error: {error}")
        except BrokenPipeError:  # the reader (head, less) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            sys.exit(f"error: {error.filename or 'system'}: {error.strerror or error}")
        except MemoryError as error:
            sys.exit(f"error: out of memory ({error}); close other programs or use a smaller graph")
        except KeyboardInterrupt:
            print("interrupted; what is finished is kept", file=sys.stderr)
            sys.exit(130)

    app.run(guarded)
