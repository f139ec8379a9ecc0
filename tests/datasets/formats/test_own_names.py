"""Files and columns with names of their own, and lists of edges without a header."""

import numpy as np
import pytest

import datasets
from datasets import DataError

PEOPLE = "mail;age;churn\na@x;1;yes\nb@x;2;no\nc@x;3;no\n"
LINKS = "who;whom\na@x;b@x\nb@x;c@x\n"
NAMES = {"id": "mail", "label": "churn", "source": "who", "target": "whom"}


def folder_of(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return tmp_path


def test_roles_are_found_by_the_named_columns(tmp_path):
    folder = folder_of(tmp_path, people__csv=PEOPLE, links__csv=LINKS)
    graph = datasets.load(folder, make_split=False, **NAMES)
    assert graph.feature_names == ("age",)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.class_names == ("no", "yes")


def test_several_files_of_edges_are_united(tmp_path):
    more = "who;whom\na@x;c@x\na@x;b@x\n"
    folder = folder_of(tmp_path, people__csv=PEOPLE, links__csv=LINKS, more__csv=more)
    assert datasets.load(folder, make_split=False, **NAMES).num_edges == 3
    one = datasets.load(folder, make_split=False, edges="more.csv", **NAMES)
    assert one.edges.tolist() == [[0, 1], [0, 2]]


def test_usual_names_need_no_option(tmp_path):
    people = "Id,Size,Class\n1,5,x\n2,6,y\n"
    folder = folder_of(tmp_path, who__csv=people, calls__csv="From,To\n1,2\n")
    graph = datasets.load(folder, make_split=False)
    assert (graph.feature_names, graph.num_edges) == (("Size",), 1)


def test_two_tables_that_may_list_the_nodes_are_named(tmp_path):
    folder = folder_of(tmp_path, people__csv=PEOPLE, old__csv=PEOPLE, links__csv=LINKS)
    with pytest.raises(DataError, match=r"old\.csv, people\.csv could all list the nodes; .*nodes"):
        datasets.load(folder, **NAMES)
    assert datasets.load(folder, nodes="old.csv", make_split=False, **NAMES).num_nodes == 3


@pytest.mark.parametrize(
    ("options", "culprit"),
    [
        ({"id": "email"}, r"people\.csv: the column 'email' is missing; .* mail, age, churn"),
        ({"label": "left"}, r"people\.csv has no column 'left' for the label; .* mail, age, churn"),
        ({"source": "x"}, r"links\.csv:1: the column 'x' is missing; the header is 'who,whom'"),
        ({"ignore": ["sine"]}, r"has no column sine; its columns are mail, age, churn"),
        ({"nodes": "nobody.csv"}, r"nobody\.csv is not a file"),
    ],
)
def test_a_name_that_is_nowhere_is_refused_with_those_that_are(tmp_path, options, culprit):
    folder = folder_of(tmp_path, people__csv=PEOPLE, links__csv=LINKS)
    given = {"nodes": "people.csv", "edges": "links.csv"} | NAMES | options
    with pytest.raises(DataError, match=culprit):
        datasets.load(folder, **given)


def test_features_and_ignore_choose_columns(tmp_path):
    text = "node,a,b,c,label\n1,5,6,7,x\n2,7,8,9,y\n"
    folder = folder_of(tmp_path, features__csv=text, edges__csv="source,target\n1,2\n")
    assert datasets.load(folder, make_split=False, ignore=["b"]).feature_names == ("a", "c")
    assert datasets.load(folder, make_split=False, features=["b"]).feature_names == ("b",)


def test_labels_may_be_a_column_of_the_features(tmp_path):
    text = "node,a,label,split\n1,5,x,train\n2,7,,\n3,1,y,test\n"
    folder = folder_of(tmp_path, features__csv=text, edges__csv="source,target\n1,2\n")
    graph = datasets.load(folder)
    assert graph.labels.tolist() == [0, -1, 1]
    assert graph.feature_names == ("a",)
    assert (graph.train.tolist(), graph.test.tolist()) == ([0], [2])


@pytest.mark.parametrize(
    "text",
    [
        "a b\nb c\nc a\n",
        "# comment\n% another\na\tb\nb\tc\n\nc\ta\n",
        "a b 0.5\nb c 1\nc a 2\n",
        "a,b\nb,c\nc,a\n",
        "a  b\n b c\nc\ta\n# end\n",
        "a b\r\nb c\r\nc a\r\n",
    ],
)
@pytest.mark.parametrize("ending", ["txt", "edges", "tsv"])
def test_lists_of_edges(tmp_path, text, ending):
    folder_of(tmp_path, who__csv="id,label\na,x\nb,y\n")
    (tmp_path / f"links.{ending}").write_bytes(text.encode())
    graph = datasets.load(tmp_path / f"links.{ending}", nodes="who.csv", make_split=False)
    assert graph.node_ids.tolist() == ["a", "b", "c"]
    assert graph.edges.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert graph.labels.tolist() == [0, 1, -1]


def test_all_lines_of_a_list_without_a_second_id_are_named(tmp_path):
    folder_of(tmp_path, who__csv="id,label\na,x\nb,y\n", links__txt="a b\n#\nb\na\na b\n")
    with pytest.raises(DataError, match=r"links\.txt:3: 'b' has no other end; .*Also line 4: 'a'"):
        datasets.load(tmp_path / "links.txt", nodes="who.csv")


def test_all_unknown_nodes_of_a_file_are_named(tmp_path):
    lines = "".join(f"z{i},1\n" for i in range(47))
    folder = folder_of(
        tmp_path, features__csv="node,a,label\n1,5,x\n", edges__csv=f"source,target\n{lines}"
    )
    with pytest.raises(DataError) as refusal:
        datasets.load(folder)
    message = str(refusal.value)
    assert "edges.csv:2: node 'z0' is not in features.csv; add it there" in message
    assert "line 11: node 'z9' is not in features.csv; and 37 more." in message


def test_adjusted_homophily_equals_the_formula():
    rng = np.random.default_rng(0)
    edges = datasets.canonical_edges(rng.integers(0, 30, (80, 2)), 30)
    labels = rng.choice(4, 30, p=[0.6, 0.2, 0.1, 0.1])
    graph = datasets.Graph(
        name="g", num_nodes=30, num_classes=4, features=np.eye(30), edges=edges, labels=labels,
        train=[], val=[], test=[],
    )  # fmt: skip
    degrees = np.bincount(edges.ravel(), minlength=30)
    chance = sum(degrees[labels == k].sum() ** 2 for k in range(4)) / (2 * len(edges)) ** 2
    same = (labels[edges[:, 0]] == labels[edges[:, 1]]).mean()
    assert graph.adjusted_homophily() == pytest.approx((same - chance) / (1 - chance))


def test_a_column_called_label_is_the_label_for_a_trained_model_too(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\n")
    (tmp_path / "nodes.csv").write_text("id,age,label\na,1,x\nb,2,y\n")
    trained = datasets.load(tmp_path, make_split=False)
    known = {"class_names": trained.class_names, "recipe": trained.recipe}
    again = datasets.load(tmp_path, make_split=False, **known)
    assert again.labels.tolist() == trained.labels.tolist()
    assert again.feature_names == trained.feature_names == ("age",)
