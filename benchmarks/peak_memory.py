"""Measures the peak memory of this process."""

import resource


def peak_megabytes():
    """Returns the peak resident memory in MB (Linux reports KB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
