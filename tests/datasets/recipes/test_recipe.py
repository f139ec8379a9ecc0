"""What columns become, and that a new table becomes the same features."""

import copy
import json
import logging

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import datasets
from datasets import DataError, Recipe

EDGES = {"from": ["a", "b"], "to": ["b", "c"]}


def graph_of(**columns):
    count = len(next(iter(columns.values())))
    ids = [chr(97 + i) for i in range(count)]
    nodes = {"id": ids, "label": ["x", "y"] * (count // 2) + ["x"] * (count % 2)}
    return datasets.from_tables(nodes | columns, EDGES)


def kind_of(*values):
    (column,) = graph_of(c=list(values)).recipe.columns
    return column.kind


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (("1", "2.5", "-3e2", "4"), "number"),
        (("1", "", "NA", "4"), "number"),
        ((1, 2, None, 4), "number"),
        ((True, False, None, True), "true/false"),
        (("True", "False", "", "TRUE"), "true/false"),
        (("yes", "no", "yes", "no"), "true/false"),
        (("0", "1", "1", "0"), "number"),
        (("DE", "AT", "DE", "AT"), "category"),
        (("DE", "DE", "DE", ""), "category"),
        (("DE", "DE", "DE", "DE"), "left out"),
        (("", "", "NA", ""), "left out"),
        (("anna@x", "bela@x", "cleo@x", "dora@x"), "left out"),
        (([1], [2], [], [3]), "left out"),
    ],
)
def test_kinds(values, kind):
    assert kind_of(*values) == kind


def test_gaps_become_the_mean_and_are_marked():
    graph = graph_of(age=["1", "", "3", "NaN"])
    assert graph.feature_names == ("age", "age missing")
    assert graph.features.toarray().tolist() == [[1, 0], [2, 1], [3, 0], [2, 1]]


def test_categories_rare_words_and_gaps():
    words = ["DE"] * 300 + ["AT"] * 200 + ["LI"] + [""] * 3
    nodes = {"id": range(504), "label": ["x", "y"] * 252, "country": words}
    graph = datasets.from_tables(nodes, {"from": [0], "to": [1]})
    assert graph.feature_names == ("country=DE", "country=AT", "country other", "country missing")
    rows = graph.features.toarray()
    assert rows[[0, 300, 500, 501]].tolist() == np.eye(4).tolist()
    assert rows.sum(axis=1).tolist() == [1] * 504
    assert str(graph.recipe.columns[0]) == (
        "category; 2 words: DE, AT; 1 rare word together; 3 gaps as a category"
    )


def test_a_new_table_becomes_the_same_features(caplog):
    recipe = graph_of(
        age=["1", "", "3", "5"], vip=["yes", "no", "no", "no"], town=["x", "y", "x", "y"]
    ).recipe
    caplog.set_level(logging.INFO)
    nodes = {"id": ["a", "b", "c"], "town": ["y", "new", None], "vip": ["", "True", "no"],
             "extra": [1, 2, 3], "age": [None, 7, 9]}  # fmt: skip
    graph = datasets.from_tables(nodes, EDGES, recipe=recipe, class_names=["x", "y"])
    assert graph.feature_names == ("age", "age missing", "vip", "town=x", "town=y")
    expected = [[3, 1, 0.25, 0, 1], [7, 0, 1, 0, 0], [9, 0, 0, 0, 0]]
    assert graph.features.toarray().tolist() == expected
    assert "columns that the model does not have are not used: extra" in caplog.text
    assert "words in 'town' that count as none: new" in caplog.text


def test_names_of_features_are_distinct():
    columns = {"age": ["1", "", "3", "5"], "age missing": ["1", "2", "3", "4"]}
    assert graph_of(**columns).feature_names == ("age", "age missing (2)", "age missing")


@pytest.mark.parametrize(
    "dates",
    [
        ["2024-05-31", "2023-01-01", "", "2020-02-02"],
        ["31.5.2024", "1.1.2023", "2.2.2020", "3.3.2021"],
        ["5/31/24 12:00", "1/1/23 1:30", "2/2/20 0:00", "3/3/21 9:59"],
        pd.to_datetime(["2024-05-31"] * 4),
    ],
)
def test_dates_are_refused_with_advice(dates):
    with pytest.raises(DataError, match=r"'since' holds dates; .* days since .* ignore=since"):
        graph_of(since=dates)


def test_text_among_numbers_is_refused_with_all_rows():
    with pytest.raises(DataError) as refusal:
        graph_of(
            age=["1", "x", "3", "4", "5", "y", "7"], size=["1", "2", "3", "4", "inf", "6", "7"]
        )
    message = str(refusal.value)
    assert "nodes, row 2: 'x' in column 'age' is not a number; write one" in message
    assert "Also row 5: inf is not a finite float32; row 6: 'y' in column 'age'" in message


def test_many_faults_are_counted():
    cells = ["1"] * 100 + ["x"] * 47
    nodes = {"id": range(147), "label": ["a"] * 147, "age": cells}
    with pytest.raises(DataError, match=r"row 101: .* row 110: .*; and 37 more\.$"):
        datasets.from_tables(nodes, {"from": [0], "to": [1]})


def test_a_decimal_comma_counts_where_commas_do_not_separate(tmp_path):
    (tmp_path / "edges.csv").write_text("source;target\na;b\n")
    (tmp_path / "nodes.csv").write_text("id;size;label\na;1,5;x\nb;-2,25;y\n")
    graph = datasets.load(tmp_path, make_split=False)
    assert graph.features.toarray().tolist() == [[1.5], [-2.25]]


def test_a_recipe_survives_json():
    graph = graph_of(
        age=["1", "", "3", "5"],
        vip=["yes", "no", "", "no"],
        town=["x", "y", "x", "y"],
        name=list("abcd"),
    )
    text = json.dumps(graph.recipe.to_dict())
    assert Recipe.from_dict(json.loads(text)) == graph.recipe


GOOD = {
    "version": 1, "stand_ins": None, "edges": None,
    "columns": [{"kind": "category", "name": "t", "mean": 0.0, "gaps": 0, "outputs": ["t=x", "t=y"],
                 "words": ["x", "y"], "other": 0}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["version"], 2),
        (["columns"], 5),
        (["columns", 0, "kind"], "pickle"),
        (["columns", 0, "name"], None),
        (["columns", 0, "outputs"], ["t=x"]),
        (["columns", 0, "outputs"], ["t=x", "t=x"]),
        (["columns", 0, "words"], "xy"),
        (["columns", 0, "words"], ["x", "\ud800"]),
        (["columns", 0, "gaps"], -1),
        (["columns", 0, "mean"], float("nan")),
        (["columns", 0, "extra"], 1),
        (["stand_ins"], "other"),
        (["edges"], 5),
    ],
)
def test_a_damaged_recipe_is_refused(path, value):
    content = copy.deepcopy(GOOD)
    assert Recipe.from_dict(content).feature_names == ("t=x", "t=y")
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(DataError, match="The recipe"):
        Recipe.from_dict(content)


def test_data_frames_and_arrow_tables_are_read_alike():
    columns = {
        "id": [7, 8, 9, 10],
        "age": [1.0, None, 3.0, 5.0],
        "town": ["x", None, "y", "x"],
        "vip": [True, False, True, True],
        "label": ["p", "q", None, "q"],
    }
    links = {"src": [7, 8], "dst": [8, 9]}
    frame, arrow = pd.DataFrame(columns), pa.table(columns)
    first = datasets.from_tables(frame, pd.DataFrame(links))
    second = datasets.from_tables(arrow, pa.table(links))
    third = datasets.from_tables(frame.set_index("id"), [pd.DataFrame(links)])
    for graph in (second, third):
        assert graph.node_ids.tolist() == first.node_ids.tolist() == ["7", "8", "9", "10"]
        assert graph.feature_names == first.feature_names
        np.testing.assert_array_equal(graph.features.toarray(), first.features.toarray())
        assert graph.labels.tolist() == first.labels.tolist() == [0, 1, -1, 1]


def test_ids_that_pandas_made_floats_still_match():
    nodes = pd.DataFrame({"id": [1, 2], "label": ["x", "y"], "f": [1, 2]})
    links = pd.DataFrame({"from": [1.0, 2.0, np.nan], "to": [2.0, 1.0, 1.0]})[:2]
    assert datasets.from_tables(nodes, links).num_edges == 1
