import dataclasses

import numpy as np
import pytest

import datasets
from datasets import DataError

DENSE = {
    "edges.csv": "source,target\na,b\nb,a\nb,c\nc,c\n",
    "features.csv": "node,f1,f2\na,1,0\nb,0.5,2\nc,0,0\n",
    "labels.csv": "node,label\na,yes\nb,no\nc,\n",
    "split.csv": "node,split\na,train\nb,test\n",
}
SPARSE = DENSE | {"features.csv": "node,feature,value\nb,10,2\na,9,1\nb,9,0.5\n"}


def write(folder, files, encoding="utf-8"):
    for name, text in files.items():
        if text is not None:
            (folder / name).write_bytes(text.encode(encoding))
    return folder


def test_dense_folder(tmp_path):
    graph = datasets.load(write(tmp_path, DENSE))
    assert graph.name == tmp_path.name
    assert graph.node_ids.tolist() == ["a", "b", "c"]
    assert graph.class_names == ("no", "yes")
    assert graph.labels.tolist() == [1, 0, -1]
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.features.toarray().tolist() == [[1, 0], [0.5, 2], [0, 0]]
    assert (graph.train.tolist(), graph.val.tolist(), graph.test.tolist()) == ([0], [], [1])


def test_sparse_folder_equals_the_dense_one(tmp_path, same_graph):
    (tmp_path / "dense").mkdir()
    (tmp_path / "sparse").mkdir()
    dense = datasets.load(write(tmp_path / "dense", DENSE))
    sparse = datasets.load(write(tmp_path / "sparse", SPARSE))
    same_graph(dense, sparse)
    assert sparse.node_ids.tolist() == ["a", "b", "c"]


def test_sparse_folder_takes_nodes_that_only_edges_mention(tmp_path):
    files = SPARSE | {"edges.csv": "source,target\nc,new\n", "labels.csv": "node,label\nc,x\na,y\n"}
    graph = datasets.load(write(tmp_path, files | {"split.csv": None}), make_split=False)
    assert graph.node_ids.tolist() == ["c", "a", "b", "new"]
    assert graph.features[[3]].nnz == 0


@pytest.mark.parametrize(
    ("change", "encoding"),
    [
        (lambda text: text.replace("\n", "\r\n"), "utf-8"),
        (lambda text: text, "utf-8-sig"),
        (lambda text: text.replace("\n", "\n\n") + "\n", "utf-8"),
        (lambda text: text.replace(",", " , "), "utf-8"),
        (lambda text: text.rstrip("\n"), "utf-8"),
        (lambda text: text.replace("a", '"a"', 1) if text.startswith("x") else text, "utf-8"),
    ],
    ids=["Windows line ends", "BOM", "blank lines", "spaces", "no last line end", "quotes"],
)
def test_harmless_variations_are_read(tmp_path, change, encoding, same_graph):
    (tmp_path / "plain").mkdir()
    (tmp_path / "varied").mkdir()
    varied = {name: change(text) for name, text in DENSE.items()}
    same_graph(
        datasets.load(write(tmp_path / "plain", DENSE)),
        datasets.load(write(tmp_path / "varied", varied, encoding)),
    )


def test_columns_may_stand_in_any_order_and_further_ones_are_passed_over(tmp_path, same_graph):
    (tmp_path / "plain").mkdir()
    (tmp_path / "varied").mkdir()
    varied = DENSE | {
        "edges.csv": "colour,target,source\n1,b,a\n2,c,b\n",
        "labels.csv": "label,node,comment\nyes,a,\nno,b,sure\n",
        "features.csv": "f1,node,f2\n1,a,0\n0.5,b,2\n0,c,0\n",
    }
    same_graph(
        datasets.load(write(tmp_path / "plain", DENSE)),
        datasets.load(write(tmp_path / "varied", varied)),
    )


def test_ids_and_labels_are_any_text(tmp_path):
    files = {
        "edges.csv": 'source,target\n"Möbius, A.",007\n',
        "features.csv": 'node,f\n"Möbius, A.",1\n007,2\n',
        "labels.csv": 'node,label\n"Möbius, A.",数学\n007,spy\n',
    }
    graph = datasets.load(write(tmp_path, files), make_split=False)
    assert graph.node_ids.tolist() == ["Möbius, A.", "007"]
    assert graph.class_names == ("spy", "数学")


@pytest.mark.parametrize(
    ("files", "culprit"),
    [
        ({"edges.csv": None}, r"edges\.csv is missing or not a file; .* source,target"),
        ({"labels.csv": None}, r"labels\.csv is missing"),
        ({"edges.csv": ""}, r"edges\.csv is empty"),
        ({"features.csv": "node,f1\n"}, r"the graph is empty"),
        ({"edges.csv": "left,right\na,b\n"}, r"edges\.csv:1: the column 'source' is missing"),
        ({"labels.csv": "who;label\na;x\n"}, r"labels\.csv:1: the column 'node' is missing"),
        ({"features.csv": "node,f,f\na,1,2\n"}, r"features\.csv:1: the column 'f' appears twice"),
        (
            {"features.csv": "node,f\na,1\nb\n"},
            r"features\.csv:3: the line has 1 cells, but the header has 2",
        ),
        ({"edges.csv": "source,target\na,b\na,b,c\n"}, r"edges\.csv:3: the line has 3 cells"),
        (
            {"features.csv": "node,f\na,one\nb,2\nc,3\n"},
            r"features\.csv:2: 'one' in column 'f' is not a num",
        ),
        ({"features.csv": "node,f\na,1\n\nb,inf\n"}, r"features\.csv:4: inf is not a finite"),
        ({"features.csv": "node,f\na,1e39\n"}, r"features\.csv:2: 1e\+39 is not a finite float32"),
        ({"features.csv": "node,f\na,1\na,2\n"}, r"features\.csv:3: duplicate node id 'a'"),
        ({"features.csv": "node,f\n,1\n"}, r"features\.csv:2: the node id is empty"),
        (
            {"features.csv": "node,feature,value\na,f,x\n"},
            r"features\.csv:2: 'x' in column 'value'",
        ),
        ({"features.csv": "node,feature,value\na,f,inf\n"}, r"csv:2: inf is not a finite"),
        (
            {"features.csv": "node,feature,value\na,f,1\na,f,2\n"},
            r"csv:3: feature 'f' of node 'a' is listed twice",
        ),
        (
            {"features.csv": "node,feature,value\na,,1\n"},
            r"features\.csv:2: the feature has no name",
        ),
        ({"edges.csv": "source,target\na,z\n"}, r"edges\.csv:2: node 'z' is not in features\.csv"),
        ({"labels.csv": "node,label\nz,x\n"}, r"labels\.csv:2: node 'z' is not in features\.csv"),
        ({"labels.csv": "node,label\na,x\na,y\n"}, r"labels\.csv:3: duplicate node id 'a'"),
        ({"labels.csv": "node,label\na,\n", "split.csv": None}, r"labels\.csv has no labels"),
        (
            {"split.csv": "node,split\na,train\na,val\n"},
            r"split\.csv:3: the splits overlap: node 'a'",
        ),
        ({"split.csv": "node,split\na,tain\n"}, r"split\.csv:2: 'tain' is not a split"),
        ({"split.csv": "node,split\nc,val\n"}, r"split\.csv:2: the label of node 'c' is unknown"),
        ({"edges.csv": 'source,target\na,"b\n'}, r"edges\.csv:\d: the CSV is malformed"),
        (
            {"features.csv": "node,f\na,1_0\nb,1\nc,2\n"},
            r"features\.csv:2: '1_0' in column 'f' is not a num",
        ),
        ({"labels.csv": "node,label\na,1\nb,1.0\n"}, r"csv:3: the labels '1' and '1\.0' are the"),
        (
            {"labels.csv": "node,label\na,01\nb,1\nc,05x\n"},
            r"labels\.csv:3: the labels '01' and '1' are the same number",
        ),
        ({"labels.csv": "node,label\na,x\x07\n"}, r"csv:2: the label 'x\\x07' contains an inv"),
        ({"features.csv": "node,f\na\x00,1\n"}, r"csv:2: the node id 'a\\x00' contains an inv"),
        ({"edges.csv": f"source,target\na,{'b' * 2000}\n"}, r"edges\.csv:2: the node id 'bbb"),
    ],
)
def test_broken_folder_is_refused_with_file_and_line(tmp_path, files, culprit):
    with pytest.raises(DataError, match=culprit) as refusal:
        datasets.load(write(tmp_path, DENSE | files))
    assert "\n" not in str(refusal.value)


def test_wrong_encoding_is_named(tmp_path):
    write(tmp_path, DENSE)
    (tmp_path / "labels.csv").write_bytes("node,label\na,x\nb,Möbius\n".encode("latin1"))
    with pytest.raises(
        DataError, match=r"labels\.csv:3: the line is not UTF-8 text; save the file"
    ):
        datasets.load(tmp_path)


def test_saved_folder_loads_back(tmp_path, path_graph, same_graph):
    back = datasets.load(path_graph.save(tmp_path / "new"))
    same_graph(path_graph, back)
    assert back.node_ids.tolist() == path_graph.node_ids.tolist()


def test_save_replaces_no_folder_with_something_in_it(tmp_path, path_graph):
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(DataError, match="already exists"):
        path_graph.save(tmp_path)
    assert (tmp_path / "diary.txt").read_text() == "mine"


def test_class_that_csv_cannot_tell_of_is_refused(tmp_path, path_graph):
    graph = dataclasses.replace(path_graph, num_classes=3, class_names=("left", "right", "up"))
    with pytest.raises(
        DataError, match=r"cannot hold the class 'up', which has no nodes; .* ends in \.npz"
    ):
        graph.save(tmp_path / "new")


def test_split_that_is_no_file_is_not_taken_for_none(tmp_path):
    write(tmp_path, DENSE | {"split.csv": None})
    (tmp_path / "split.csv").mkdir()
    with pytest.raises(DataError, match=r"split\.csv is missing or not a file"):
        datasets.load(tmp_path)


def test_interrupted_save_leaves_nothing(tmp_path, path_graph, monkeypatch):
    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("datasets.formats.csv_writer._write_features", full_disk)
    with pytest.raises(DataError, match=r"cannot be written \(No space"):
        path_graph.save(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_empty_columns_survive_sparse_files(tmp_path):
    graph = datasets.Graph(
        name="wide", num_nodes=2, num_classes=1, features=np.eye(2, 9, k=3), edges=[],
        labels=[0, 0], train=[], val=[], test=[],
    )  # fmt: skip
    back = datasets.load(graph.save(tmp_path / "new"))
    assert (tmp_path / "new" / "features.csv").read_text().startswith("node,feature,value\n")
    np.testing.assert_array_equal(back.features.toarray(), np.eye(2, 9, k=3))


def test_sparse_features_may_have_their_columns_in_any_order(tmp_path, same_graph):
    triplets = "node,feature,value\na,1,3\nb,2,4\nc,1,5\n"
    turned = "feature,node,value\n1,a,3\n2,b,4\n1,c,5\n"
    graphs = []
    for name, features in (("plain", triplets), ("turned", turned)):
        (tmp_path / name).mkdir()
        graphs.append(datasets.load(write(tmp_path / name, DENSE | {"features.csv": features})))
    same_graph(*graphs)
    assert graphs[0].feature_names == ("1", "2")


def test_a_file_that_only_lists_the_nodes_gives_no_features(tmp_path):
    graph = datasets.load(write(tmp_path, DENSE | {"features.csv": "node\na\nb\nc\n"}))
    assert graph.node_ids.tolist() == ["a", "b", "c"]
    assert graph.feature_names[0] == "log_degree"


def test_other_columns_of_edges_are_not_used_and_it_is_said(tmp_path, caplog):
    caplog.set_level("INFO", "datasets")
    datasets.load(write(tmp_path, DENSE | {"edges.csv": "source,target,colour,\na,b,2,\n"}))
    assert "columns of edges that are not used: colour" in caplog.text
    assert "a column without a name is not used" in caplog.text


@pytest.mark.parametrize("names", [("NA", "x"), ("1", "1.0")])
def test_class_names_that_would_not_be_read_back_are_not_written(tmp_path, path_graph, names):
    graph = dataclasses.replace(path_graph, class_names=names)
    with pytest.raises(
        DataError, match=r"CSV files cannot hold a class called .*; save to .*\.npz"
    ):
        graph.save(tmp_path / "new")


def test_columns_that_would_be_read_as_triplets_are_not_written(tmp_path, path_graph):
    ones = np.ones((path_graph.num_nodes, 2))
    graph = dataclasses.replace(path_graph, features=ones, feature_names=("feature", "value"))
    with pytest.raises(DataError, match="would be read as sparse features"):
        graph.save(tmp_path / "new")


def test_odd_labels_do_not_matter_where_the_classes_are_known(tmp_path):
    files = DENSE | {"labels.csv": "node,label\na,NA\nb,yes\n", "split.csv": None}
    graph = datasets.load(write(tmp_path, files), class_names=["no", "yes"], make_split=False)
    assert graph.labels.tolist() == [-1, 1, -1]
