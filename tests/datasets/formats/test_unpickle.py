import collections
import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from datasets import DataError
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
    with pytest.raises(DataError, match=r"file is refused: it asks for `(posix|nt)\.system`"):
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
