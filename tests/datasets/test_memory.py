import resource
import subprocess
import sys

import pytest

from datasets import DataError, memory


def test_what_fits_passes_and_what_does_not_is_refused_with_both_sizes():
    assert memory.free_memory() > 10**6
    memory.check_fits("a.npz", 10**6)
    with pytest.raises(
        DataError, match=r"^a\.npz needs 9,000\.0 GB of memory, but only .* is free; "
    ):
        memory.check_fits("a.npz", 9 * 10**12)
    with pytest.raises(DataError, match="needs more than 1,000,000 GB"):
        memory.check_fits("a.npz", 10**400)


def test_the_limit_of_the_process_counts():
    limit = 3 * 2**30
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}));"
        "from datasets.memory import free_memory; print(free_memory())"
    )
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert 0 < int(answer.stdout) < limit
    assert resource.getrlimit(resource.RLIMIT_AS)[0] != limit


def test_a_container_counts_and_without_any_word_a_bound_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    (tmp_path / "memory.max").write_text("1000\n")
    (tmp_path / "memory.current").write_text("400\n")
    assert memory.free_memory() == 600
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_memory() > 10**6
    monkeypatch.setattr(memory, "_bounds", lambda: iter(()))
    assert memory.free_memory() == 4 * 2**30
