"""Tests of `.npz` files that lie about their size or contain something other than plain arrays."""

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

import datasets
from datasets import DataError, memory

GRAPH = {
    "edges": np.array([[0, 1], [1, 2]]),
    "labels": np.array([0, 1, 0, 1]),
    "features": np.eye(4),
    "train": np.array([0, 1]),
    "val": np.array([2]),
}


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def with_member(path, name, content):
    members = {f"{key}.npy": npy(array) for key, array in GRAPH.items()}
    return archive(path, (members | {name: content}).items())


def lying_header(shape, descr="|u1", rest=b"\0" * 8):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + rest


def test_a_graph_of_plain_arrays_is_read(tmp_path):
    path = archive(tmp_path / "g.npz", [(f"{k}.npy", npy(v)) for k, v in GRAPH.items()])
    assert datasets.load(path).num_nodes == 4


def test_a_bomb_is_refused_before_it_is_inflated(tmp_path, monkeypatch):
    zeros = lying_header((5000, 10_000), rest=bytes(50_000_000))
    path = with_member(tmp_path / "g.npz", "features.npy", zeros)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(memory, "free_memory", lambda: 100_000_000)
    tracemalloc.start()
    with pytest.raises(DataError, match=r"g\.npz needs .* of memory, but only 100 MB is free"):
        datasets.load(path)
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


def test_ten_thousand_million_zeros_in_ten_megabytes(tmp_path, monkeypatch):
    """Fakes the directory and the header of such a file; real zeros would take a minute."""
    path = with_member(tmp_path / "g.npz", "features.npy", lying_header((10**5, 10**5)))
    with zipfile.ZipFile(path) as file:
        where = file.getinfo("features.npy")
        sizes = struct.pack("<LL", where.compress_size, where.file_size)
    data = path.read_bytes()
    path.write_bytes(data.replace(sizes, struct.pack("<LL", where.compress_size, 2**32 - 2)))
    with pytest.raises(DataError, match="the archive's directory states a wrong size"):
        datasets.load(path)


@pytest.mark.parametrize("shape", [(10**10,), (10**9, 10**9), (2**63,), (9,), (2**62, 4)])
def test_a_header_that_asks_for_more_than_the_file_has(tmp_path, shape):
    path = with_member(tmp_path / "g.npz", "features.npy", lying_header(shape))
    with pytest.raises(DataError, match=r"'features' .*needs more than the 8 bytes"):
        datasets.load(path)


@pytest.mark.parametrize(
    ("name", "content", "culprit"),
    [
        ("features.npy", b"not an array", "the array 'features' cannot be read"),
        ("odd", b"", "the array 'odd' cannot be read"),
        ("features.npy", npy(np.array([{}, {}]), allow_pickle=True), "its dtype is object"),
        ("features.npy", npy(np.ones((4, 2), complex)), "its dtype is complex128"),
        ("features.npy", npy(np.ones(4, "M8[s]")), "its dtype is datetime64"),
        ("features.npy", npy(np.zeros(4, [("a", "f4")])), "its dtype is"),
        ("features.npy", lying_header((-4,)), "its shape is"),
        ("features.npy", lying_header("(" * 9000), "'features' cannot be read"),
        ("edges", npy(np.ones((1, 2))), "has 'edges' twice"),
        ("name.npy", npy(np.array("a\nb")), "A graph's name must be"),
        ("name.npy", npy(np.array(["x" * 900] * 9)), "A graph's name must be"),
    ],
)
def test_what_is_no_plain_array_is_named(tmp_path, name, content, culprit):
    path = with_member(tmp_path / "g.npz", name, content)
    with pytest.raises(DataError, match=culprit) as refusal:
        datasets.load(path)
    assert "\n" not in str(refusal.value)


def test_too_many_members(tmp_path):
    path = archive(tmp_path / "g.npz", [(f"k{i}.npy", b"") for i in range(1001)])
    with pytest.raises(DataError, match="has 1,001 members"):
        datasets.load(path)


@pytest.mark.parametrize("code", [0xD800, 0x110000, 0xFFFFFFFF])
@pytest.mark.parametrize("key", ["node_ids", "class_names", "labels", "name"])
def test_text_with_impossible_code_points(tmp_path, key, code):
    count = {"class_names": 2, "name": 1}.get(key, 4)
    raw = np.arange(97, 97 + count, dtype=np.uint32)
    raw[-1] = code
    path = with_member(tmp_path / "g.npz", f"{key}.npy", npy(raw.view("<U1")))
    with pytest.raises(DataError, match=f"`{key}` is not UTF-8 text"):
        datasets.load(path)


@pytest.mark.parametrize(
    "split",
    [
        np.array([0.5, 1]),
        np.array(["0", "1"]),
        np.array([b"0"]),
        np.array([0, np.nan]),
        np.array([[0, 1]]),
        np.array([[[0]]]),
        np.array(0),
        np.array([2**63], np.uint64),
        np.array([-1]),
    ],
)
def test_splits_of_odd_types_and_shapes(tmp_path, split):
    path = with_member(tmp_path / "g.npz", "train.npy", npy(split))
    with pytest.raises(DataError, match="`train`"):
        datasets.load(path)


def test_edges_alone_say_how_many_nodes_there_are_within_reason(tmp_path):
    path = tmp_path / "g.npz"
    for kind in (np.uint8, np.uint64, np.int16, np.float32):
        np.savez(path, edges=GRAPH["edges"].astype(kind))
        graph = datasets.load(path, class_names=list("ab"), make_split=False)
        assert graph.num_nodes == 3
    np.savez(path, edges=np.array([[0, 400_000_000]]))
    with pytest.raises(DataError, match="names node 400,000,000, but has only 1 edges"):
        datasets.load(path, class_names=list("ab"), make_split=False)


def test_csr_parts_of_text(tmp_path):
    parts = {
        "features_data": np.array(["a"]),
        "features_indices": np.array([0]),
        "features_indptr": np.array([0, 1, 1, 1, 1]),
        "features_shape": np.array([4, 2]),
    }
    path = tmp_path / "g.npz"
    np.savez(path, edges=GRAPH["edges"], labels=GRAPH["labels"], **parts)
    with pytest.raises(DataError, match="`features_data` must hold numbers"):
        datasets.load(path)
