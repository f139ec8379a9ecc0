"""The command line: flags, help, errors in one sentence, progress."""
