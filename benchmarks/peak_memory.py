"""The most memory that this process has had."""

import resource


def peak_megabytes():
    """Resident, in MB (Linux counts in KB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
