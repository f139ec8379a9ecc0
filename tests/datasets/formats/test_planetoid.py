import pickle
import shutil

import numpy as np
import pytest
import scipy.sparse as sp

import datasets
from datasets import DataError
from datasets.formats import planetoid


@pytest.fixture
def golden(data):
    return np.load(data / "tiny" / "golden.npz")


@pytest.fixture
def tiny(data):
    return planetoid.read(data / "tiny", "tiny", num_train=12, num_val=20)


@pytest.fixture
def copy(data, tmp_path):
    return shutil.copytree(data / "tiny", tmp_path / "tiny")


def test_splits_and_labels_are_the_originals(tiny, golden):
    for split in ("train", "val", "test"):
        np.testing.assert_array_equal(getattr(tiny, split), np.sort(golden[split]))
    known = tiny.labels >= 0
    np.testing.assert_array_equal(tiny.labels[known], golden["y"][known])
    assert np.flatnonzero(~known).tolist() == [50]


def test_edges_give_the_originals_adjacency(tiny, golden):
    adjacency = np.eye(60)
    adjacency[tuple(tiny.edges.T)] = adjacency[tuple(tiny.edges.T[::-1])] = 1
    scale = 1 / np.sqrt(adjacency.sum(axis=1))
    expected = np.zeros((60, 60))
    expected[tuple(golden["adj_indices"].T)] = golden["adj_values"]
    np.testing.assert_allclose(scale[:, None] * adjacency * scale, expected, atol=1e-7)


def test_rows_of_tx_go_where_test_index_says_and_holes_stay_empty(tiny, data):
    rows = pickle.loads((data / "tiny" / "ind.tiny.tx").read_bytes())
    order = np.loadtxt(data / "tiny" / "ind.tiny.test.index", dtype=int)
    assert not np.array_equal(order, np.sort(order))
    np.testing.assert_array_equal(tiny.features[order].toarray(), (rows != 0).toarray())
    assert tiny.features[[50]].nnz == 0


def test_features_are_binary_unless_raw_values_are_asked_for(copy):
    path = copy / "ind.tiny.allx"
    path.write_bytes(pickle.dumps(sp.csr_matrix(pickle.loads(path.read_bytes()) * 0.25)))
    binary = planetoid.read(copy, "tiny", num_train=12)
    raw = planetoid.read(copy, "tiny", num_train=12, raw_features=True)
    assert set(binary.features.data) == {1}
    assert 0.25 in raw.features.data
    np.testing.assert_array_equal(binary.features.indices, raw.features.indices)


def test_a_folder_in_this_form_loads_by_its_path(data, tiny, same_graph):
    graph = datasets.load(data / "tiny")
    same_graph(graph.with_split(tiny.train, tiny.val, tiny.test), tiny)
    assert graph.train.tolist() == list(range(12))


def test_missing_part_is_named(copy):
    (copy / "ind.tiny.ally").unlink()
    with pytest.raises(DataError, match=r"ind\.tiny\.ally is missing"):
        datasets.load(copy)


def test_malformed_index_names_the_line(copy):
    path = copy / "ind.tiny.test.index"
    path.write_text(path.read_text().replace("41\n", "forty-one\n"))
    with pytest.raises(DataError, match=r"test\.index:\d+: 'forty-one' is not a node index"):
        datasets.load(copy)


@pytest.mark.parametrize(
    ("part", "content", "culprit"),
    [
        ("allx", [1, 2], "must hold a SciPy CSR matrix"),
        ("ally", [1, 2], "must hold a NumPy array of one-hot labels"),
        ("graph", [[1], [0]], "must hold a dictionary"),
        ("graph", {0: ["a"]}, "must hold a dictionary"),
        ("graph", {0: [99]}, "edge 0 joins 0 and 99"),
        ("graph", {0: [1.5]}, "must hold a dictionary"),
        ("ally", np.full((40, 3), 0.5), "must hold one-hot labels"),
        ("ty", np.eye(3), "differ in the number of rows"),
        ("tx", sp.csr_matrix((19, 7)), "differ in the number of columns"),
    ],
)
def test_wrong_content_is_refused(copy, part, content, culprit):
    (copy / f"ind.tiny.{part}").write_bytes(pickle.dumps(content))
    with pytest.raises(DataError, match=culprit):
        datasets.load(copy)


@pytest.mark.parametrize(
    ("index", "culprit"),
    [
        ("40\n40\n", "lists a node twice"),
        ("-1\n", "'-1' is not a node index"),
        ("9" * 23 + "\n", "is not a node index"),
        ("\u00e9\n", "is not a node index"),
        ("39\n" + "".join(f"{i}\n" for i in range(41, 59)), "node 39 is already a row"),
    ],
)
def test_test_index_that_makes_no_sense(copy, index, culprit):
    (copy / "ind.tiny.test.index").write_text(index, encoding="utf-8")
    with pytest.raises(DataError, match=culprit):
        datasets.load(copy)


def test_a_name_with_dots(copy):
    for path in list(copy.glob("ind.tiny.*")):
        path.rename(copy / path.name.replace("tiny", "tiny.v2"))
    assert datasets.load(copy).name == "tiny.v2"


def test_a_matrix_that_points_outside_itself_is_refused(copy):
    path = copy / "ind.tiny.allx"
    matrix = pickle.loads(path.read_bytes())
    matrix.indices[0] = 10**6
    path.write_bytes(pickle.dumps(matrix))
    with pytest.raises(DataError, match="a matrix whose parts do not fit"):
        datasets.load(copy)
