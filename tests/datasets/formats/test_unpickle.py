import collections
import os
import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from datasets import DataError
from datasets.formats.planetoid import adjacency_pairs
from datasets.formats.unpickle import load_pickle


class _RunsCode:
    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_arrays_and_containers_come_back(tmp_path, protocol):
    matrix = sp.csr_matrix(np.eye(3, dtype=np.float32))
    content = {
        "a": [1, 2.5, "text", None],
        "b": (np.arange(3), np.float64(2)),
        "c": matrix,
        "d": {1, 2},
    }
    content["e"] = collections.defaultdict(list, {0: [1]})
    path = tmp_path / "file"
    path.write_bytes(pickle.dumps(content, protocol))
    back = load_pickle(path)
    assert back["a"] == content["a"]
    assert back["e"] == content["e"]
    np.testing.assert_array_equal(back["b"][0], np.arange(3))
    np.testing.assert_array_equal(back["c"].toarray(), np.eye(3))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_runs_code_is_refused_by_name_and_runs_nothing(tmp_path, protocol):
    path, trace = tmp_path / "file", tmp_path / "trace"
    path.write_bytes(pickle.dumps({"graph": _RunsCode(f"touch '{trace}'")}, protocol))
    with pytest.raises(DataError, match=r"file is refused: it names `(posix|nt)\.system`"):
        load_pickle(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    "name", [b"builtins\neval", b"__builtin__\nexec", b"numpy\nload", b"os\nsystem"]
)
def test_callables_are_refused_wherever_they_live(tmp_path, name):
    path = tmp_path / "file"
    path.write_bytes(b"c" + name + b"\n(S'1'\ntR.")
    with pytest.raises(DataError, match="neither an array nor a plain container"):
        load_pickle(path)


@pytest.mark.parametrize("content", [b"", b"\x80\x05", b"not a pickle", b"I1\n", b"(lp0\n" * 3])
def test_a_damaged_pickle_is_named(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(DataError, match="file is not a readable pickle"):
        load_pickle(path)


def pointers_from_the_file():
    """Makes an array of objects whose addresses come from the file; reading it crashes Python."""
    kind = np.dtype("V8")

    class Reduced:
        def __init__(self, *parts):
            self.parts = parts

        def __reduce__(self):
            return self.parts

    state = (3, "|", (np.dtype("O"), (1,)), None, None, 8, 8, 0)
    odd = Reduced(np.dtype, (str(kind), False, True), state)
    return Reduced(np._core.numeric._frombuffer, (b"\x41" * 8, odd, (1,), "C"))


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_file_cannot_choose_memory_addresses(tmp_path, protocol):
    path = tmp_path / "file"
    path.write_bytes(pickle.dumps({0: pointers_from_the_file()}, protocol))
    with pytest.raises(DataError, match=r"is refused: .* not plain numbers"):
        load_pickle(path)


@pytest.mark.parametrize(
    "state",
    [
        (3, "|", (np.dtype("O"), (1,)), None, None, 8, 8, 0),
        (3, "<", None, ("a",), {"a": (np.dtype("O"), 0)}, 8, 1, 27),
        (3, "<", None, None, None, -1, -1, 63),
        (3, "?", None, None, None, -1, -1, 0),
        ("x",),
        None,
    ],
)
def test_a_number_type_takes_a_byte_order_and_nothing_else(tmp_path, state):
    class Reduced:
        def __reduce__(self):
            return np.dtype, ("i8", False, True), state

    path = tmp_path / "file"
    path.write_bytes(pickle.dumps(Reduced(), 2))
    if state is None:
        assert load_pickle(path) == np.dtype("i8")
        return
    with pytest.raises(DataError, match="is refused: "):
        load_pickle(path)


@pytest.mark.parametrize(
    ("shape", "raw"), [((3,), b"\0" * 16), ((2, -1), b"\0" * 16), ((10**12,), b""), ((2,), b"\0")]
)
def test_an_array_is_as_large_as_its_bytes(tmp_path, shape, raw):
    class Reduced:
        def __reduce__(self):
            reconstruct = np._core.multiarray._reconstruct
            state = (1, shape, np.dtype("i8"), False, raw)
            return reconstruct, (np.ndarray, (0,), b"b"), state

    path = tmp_path / "file"
    path.write_bytes(pickle.dumps(Reduced(), 2))
    with pytest.raises(DataError, match="is refused: it gives an array"):
        load_pickle(path)


def test_a_large_memo_index_takes_no_memory(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes.fromhex("80024e72000000142e"))
    tracemalloc.start()
    assert load_pickle(path) is None
    assert tracemalloc.get_traced_memory()[1] < 1e6
    tracemalloc.stop()


def test_deeply_nested_and_self_containing_lists_are_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\x80\x02" + b"]" * 10**5 + b"a" * (10**5 - 1) + b".")
    with pytest.raises(DataError, match="nested too deeply"):
        load_pickle(path)
    itself = [0.5]
    itself.append(itself)
    path.write_bytes(pickle.dumps(itself))
    with pytest.raises(DataError, match="nested too deeply"):
        load_pickle(path)


def test_a_billion_laughs_take_no_time_and_no_memory(tmp_path):
    laughs = ["ha"] * 10
    for _ in range(30):
        laughs = [laughs] * 10
    path = tmp_path / "file"
    path.write_bytes(pickle.dumps(laughs))
    assert len(load_pickle(path)) == 10


def test_neighbours_are_no_more_than_the_file_can_hold(tmp_path):
    neighbours = list(range(1000))
    path = tmp_path / "ind.g.graph"
    path.write_bytes(pickle.dumps(dict.fromkeys(range(10**5), neighbours)))
    with pytest.raises(DataError, match="more neighbours than a file of its size"):
        adjacency_pairs(path)
