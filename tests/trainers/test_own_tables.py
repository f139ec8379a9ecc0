"""Data as people have it, read in one command: a CRM export, Gephi, a list of edges, Parquet."""

import csv
import functools
import json

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures
from crm import FLAGS, write_crm

import datasets

train = functools.partial(run_with_fewer_pictures, "train")
predict = functools.partial(run_with_fewer_pictures, "predict")
stats = functools.partial(run_with_fewer_pictures, "stats")
SHORT = ("--preset", "general", "--max_steps", 30, "--hidden_dims", 12)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A folder with a CRM export, and a model trained on it by one command."""
    folder = tmp_path_factory.mktemp("shop")
    write_crm(folder / "crm")
    answer = train(*FLAGS, *SHORT, "--out", "model", cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return folder


def test_a_crm_export_is_read_in_one_command_and_its_recipe_travels(shop):
    recipe = json.loads((shop / "model/saved_model/assets/recipe.json").read_text())
    kinds = {column["name"]: column["kind"] for column in recipe["columns"]}
    assert kinds == {
        "Name": "left out",
        "Country": "category",
        "Age": "number",
        "Revenue": "number",
        "Newsletter": "true/false",
        "Customer since": "left out",
    }


def test_a_grown_table_with_a_new_country_and_gaps_is_predicted(shop, tmp_path):
    write_crm(tmp_path / "crm", new=20)
    answer = predict("--model", shop / "model", "--dataset", "crm", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "words in 'Country' that count as none: Liechtenstein" in answer.stderr
    assert "20 of 140 nodes are new to the model" in answer.stdout
    rows = rows_of(tmp_path / "predictions.csv")
    assert len(rows) == 140
    assert {row["label"] for row in rows} <= {"yes", "no"}


def test_the_model_alone_needs_the_flags_again(shop, tmp_path):
    (shop / "model/saved_model").rename(tmp_path / "alone")
    try:
        write_crm(tmp_path / "crm", new=3)
        answer = predict("--model", "alone", *FLAGS, cwd=tmp_path)
    finally:
        (tmp_path / "alone").rename(shop / "model/saved_model")
    assert answer.returncode == 0, answer.stderr
    assert len(rows_of(tmp_path / "predictions.csv")) == 123


def test_means_are_those_of_the_training_table(shop, tmp_path):
    write_crm(tmp_path / "crm", count=3)
    assets = json.loads((shop / "model/saved_model/assets/recipe.json").read_text())
    recipe = datasets.Recipe.from_dict(assets)
    options = {"id": "E-Mail", "label": "Churned", "source": "Referrer", "target": "Customer"}
    few = datasets.load(
        tmp_path / "crm", recipe=recipe, class_names=["no", "yes"], make_split=False, **options
    )
    (age,) = (column for column in recipe.columns if column.name == "Age")
    first = dict(zip(few.feature_names, few.features.toarray()[0], strict=True))
    assert first["Age"] == np.float32(age.mean)
    assert first["Age missing"] == 1
    assert few.recipe == recipe


def test_a_table_without_a_column_of_the_model_is_refused(shop, tmp_path):
    write_crm(tmp_path / "crm")
    path = tmp_path / "crm" / "customers.csv"
    path.write_text(path.read_text("utf-8").replace(";Age;", ";Years;", 1), "utf-8")
    answer = predict("--model", shop / "model", "--dataset", "crm", cwd=tmp_path)
    assert_one_clear_sentence(answer, "customers.csv lacks columns that the model takes", "Age")


def test_stats_says_what_each_column_became(shop):
    answer = stats(*FLAGS, cwd=shop)
    assert answer.returncode == 0, answer.stderr
    text = " ".join(answer.stdout.split())
    assert "Country | category; 4 words: " in text
    assert "Age | number; 18 gaps become the mean" in text
    assert "Newsletter | true/false; 10 gaps" in text
    assert "Name | left out: nearly every text is different" in text
    assert "adjusted homophily" in text


def test_dates_are_refused_with_advice(tmp_path):
    write_crm(tmp_path / "crm")
    answer = stats(*FLAGS[:-2], cwd=tmp_path)
    assert_one_clear_sentence(
        answer, "column 'Customer since' holds dates", "days since", "ignore=Customer since"
    )


def club(count=40):
    """A graph of two groups, whose attributes are a number, a word and a class."""
    graph = nx.Graph()
    for i in range(count):
        team = "red" if i % 2 else "blue"
        graph.add_node(
            f"p{i}", label=f"Person {i}", team=team, town="abc"[i % 3], age=20 + i + 30 * (i % 2)
        )
    graph.add_edges_from((f"p{i}", f"p{(i + 2) % count}") for i in range(count))
    return graph


def test_a_gephi_file_is_trained_on(tmp_path):
    graph = club()
    for i, node in enumerate(graph):
        graph.nodes[node]["viz"] = {"size": 2.0, "position": {"x": float(i), "y": 1.0, "z": 0.0}}
    nx.write_gexf(graph, tmp_path / "club.gexf")
    answer = train("--dataset", "club.gexf", "--label", "team", *SHORT, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    read = datasets.load(tmp_path / "club.gexf", label="team")
    assert set(read.feature_names) == {"town=a", "town=b", "town=c", "age"}
    assert "how nodes are drawn is not used: viz" in answer.stderr


def test_a_gephi_file_without_the_flag_is_refused_with_its_attributes(tmp_path):
    nx.write_gexf(club(), tmp_path / "club.gexf")
    answer = stats("--dataset", "club.gexf", cwd=tmp_path)
    assert_one_clear_sentence(
        answer, "nearly every node has another 'label'", "the attributes are team, town, age"
    )


def test_a_list_of_edges_without_a_header_is_trained_on(tmp_path):
    lines = [f"{i}\t{(i + 2) % 40}" for i in range(40)]
    (tmp_path / "links.txt").write_text("# a comment\n" + "\n".join(lines) + "\n")
    labels = ["id,label", *(f"{i},{'odd' if i % 2 else 'even'}" for i in range(30))]
    (tmp_path / "who.csv").write_text("\n".join(labels) + "\n")
    answer = train("--dataset", "links.txt", "--nodes", "who.csv", *SHORT, cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    graph = datasets.load(tmp_path / "links.txt", nodes="who.csv")
    assert (graph.num_nodes, graph.num_edges, (graph.labels < 0).sum()) == (40, 40, 10)


def test_parquet_tables_are_trained_on(tmp_path):
    count = 40
    people = {
        "customer": list(range(count)),
        "vip": [bool(i % 3) for i in range(count)],
        "age": [None if i % 5 == 0 else 20.0 + i for i in range(count)],
        "team": ["red" if i % 2 else "blue" for i in range(count)],
    }
    pa.parquet.write_table(pa.table(people), tmp_path / "people.parquet")
    for name, step in (("calls", 2), ("mails", 4)):
        links = {"from": list(range(count)), "to": [(i + step) % count for i in range(count)]}
        pa.parquet.write_table(pa.table(links), tmp_path / f"{name}.parquet")
    answer = train(
        *("--dataset", "people.parquet", "--edges", "calls.parquet,mails.parquet", "--id"),
        *("customer", "--label", "team", *SHORT),
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    graph = datasets.load(
        tmp_path / "people.parquet",
        edges=["calls.parquet", "mails.parquet"],
        id="customer",
        label="team",
    )
    assert graph.num_edges == 80
    assert graph.feature_names == ("vip", "age", "age missing")


def lonely(folder, count=40, step=2):
    folder.mkdir()
    links = ["source,target", *(f"{i},{(i + step) % count}" for i in range(count))]
    (folder / "edges.csv").write_text("\n".join(links) + "\n")
    labels = ["node,label", *(f"{i},{'odd' if i % 2 else 'even'}" for i in range(40))]
    (folder / "labels.csv").write_text("\n".join(labels) + "\n")


def test_a_model_without_features_refuses_a_changed_graph(tmp_path):
    lonely(tmp_path / "town")
    lonely(tmp_path / "grown", count=44)
    answer = train("--dataset", "town", *SHORT, "--out", "model", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert predict("--model", "model", "--dataset", "town", cwd=tmp_path).returncode == 0
    answer = predict("--model", "model", "--dataset", "grown", cwd=tmp_path)
    assert_one_clear_sentence(answer, "grown is not the graph that the model was trained on")
    answer = predict(
        "--model", "model", "--dataset", "grown", "--allow_changed_graph", cwd=tmp_path
    )
    assert answer.returncode == 0, answer.stderr


def test_local_stand_ins_fit_a_grown_graph(tmp_path):
    lonely(tmp_path / "town")
    lonely(tmp_path / "grown", count=44)
    answer = train(
        *("--dataset", "town", "--stand_ins", "local", *SHORT, "--out", "model"), cwd=tmp_path
    )
    assert answer.returncode == 0, answer.stderr
    answer = predict("--model", "model", "--dataset", "grown", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "4 of 44 nodes are new" in answer.stdout


def test_files_of_the_training_are_not_read_again_for_another_graph(tmp_path):
    write_crm(tmp_path / "crm")
    write_crm(tmp_path / "new", new=5)
    (tmp_path / "crm/customers.csv").rename(tmp_path / "customers.csv")
    answer = train(*FLAGS, "--nodes", "customers.csv", *SHORT, "--out", "model", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    (tmp_path / "new/customers.csv").rename(tmp_path / "later.csv")
    answer = predict("--model", "model", "--dataset", "new", cwd=tmp_path)
    assert_one_clear_sentence(answer, "trained with --nodes customers.csv, which is not in new")
    answer = predict("--model", "model", "--dataset", "new", "--nodes", "later.csv", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
