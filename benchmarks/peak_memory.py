"""Measures seconds and peak memory of this process."""

import resource
import time


def peak_megabytes():
    """Returns the peak resident memory in MB (Linux reports KB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _cpu_seconds():
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, both))


class Meter:
    """Measures what a piece of work costs, from the making of the meter on.

    Start-up is not part of it: make the meter after all imports.
    """

    def __init__(self):
        self._megabytes = peak_megabytes()
        self.restart()

    def restart(self):
        """Starts the seconds anew."""
        self._wall, self._cpu = time.perf_counter(), _cpu_seconds()

    def result(self, share=1.0):
        """Returns seconds, CPU seconds of all threads, peak GB, and GB after start-up.

        Args:
            share: Share of the work that was done; the seconds are extrapolated to all of it.
        """
        return {
            "seconds": (time.perf_counter() - self._wall) / share,
            "cpu": (_cpu_seconds() - self._cpu) / share,
            "gb": peak_megabytes() * 2**20 / 1e9,
            "start_gb": self._megabytes * 2**20 / 1e9,
        }
