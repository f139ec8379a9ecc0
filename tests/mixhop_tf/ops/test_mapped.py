"""Pages of mapped arrays are dropped, not their content."""

import mmap
from pathlib import Path

import numpy as np
import pytest

from mixhop_tf.ops.mapped import release_pages


def resident(address, size):
    """Counts the resident bytes of the mapping at an address."""
    with open("/proc/self/smaps", encoding="utf-8") as file:
        lines = iter(file)
        for line in lines:
            if line.startswith(f"{address:x}-"):
                found = next(line for line in lines if line.startswith("Rss:"))
                return int(found.split()[1]) * 1024
    raise AssertionError(f"no mapping of {size} bytes")


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs Linux")
def test_pages_are_dropped_and_read_again(tmp_path):
    path = tmp_path / "array.npy"
    np.save(path, np.arange(200_000, dtype=np.float32))
    array = np.load(path, mmap_mode="r")
    start = array.ctypes.data // mmap.PAGESIZE * mmap.PAGESIZE
    total = array[100:].sum(dtype=np.float64)
    before = resident(start, array.nbytes)
    release_pages(np.asarray(array)[100:])
    assert resident(start, array.nbytes) < before / 2
    assert array[100:].sum(dtype=np.float64) == total


def test_an_array_in_memory_stays():
    array = np.arange(5)
    release_pages(array)
    assert array.tolist() == [0, 1, 2, 3, 4]
