"""`python -m trainers.explain`: tables, JSON, pictures and files of many nodes."""

import csv
import dataclasses
import functools
import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from commands import assert_one_clear_sentence, run_command, run_with_fewer_pictures

import datasets
import mixhop_tf
from mixhop_tf import Architecture, Explainer, Settings
from trainers.runs import explaining, trained
from trainers.sweeps.data_config import DataConfig

explain = functools.partial(run_command, "explain")


@pytest.fixture(scope="module")
def town(small_graph, tmp_path_factory):
    """A folder with a graph, and the SavedModel that was trained on it."""
    folder = tmp_path_factory.mktemp("world")
    graph = dataclasses.replace(
        small_graph,
        name="town",
        node_ids=np.array(["=1+1", *(f"person {i}" for i in range(1, small_graph.num_nodes))]),
        feature_names=("east", "north"),
        class_names=tuple("abcdef"),
    )
    graph.save(folder / "town")
    graph = datasets.load(folder / "town")
    architecture = Architecture.default(6, hidden_dims=(6,))
    run = mixhop_tf.train(graph, architecture, Settings(max_steps=5))
    run.export(folder / "model")
    return folder


def flags_of(folder):
    return "--model", folder / "model", "--dataset", folder / "town"


@pytest.fixture(scope="module")
def found(town):
    return trained.load(town / "model", DataConfig(dataset=str(town / "town")))


def test_one_node_gets_tables_json_and_a_picture(town, found, tmp_path):
    answer = run_with_fewer_pictures(
        "explain",
        *flags_of(town),
        *("--node", "person 3", "--why_not", "runner_up", "--counterfactual", "features"),
        cwd=tmp_path,
    )
    assert answer.returncode == 0, answer.stderr
    content = json.loads((tmp_path / "explanation.json").read_text())
    expected = Explainer(found.model, found.graph).explain(3, contrast="runner_up")
    assert content["logit"] == pytest.approx(expected.logit)
    assert content["counterfactual"]["kind"] == "features"
    lines = answer.stdout.splitlines()
    assert lines[0].startswith(f"person 3 is answered {expected.class_names[expected.answer]}, ")
    assert f"is {expected.logit:.3f}: " in lines[1]
    assert f"| the node itself |     1 | {expected.by_distance[0]:+12.3f} |" in lines
    (picture,) = (path for path in tmp_path.iterdir() if path.suffix != ".json")
    assert picture.stem == "explanation"
    assert picture.stat().st_size > 1000


def test_without_a_node_the_model_is_explained(town, tmp_path):
    answer = explain(*flags_of(town), "--out", "why.json", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    content = json.loads((tmp_path / "why.json").read_text())
    assert content["nodes"] == 150
    assert content["sentences"][0] in answer.stdout


def test_listed_nodes_become_a_table_that_no_spreadsheet_runs(town, found, tmp_path):
    (tmp_path / "ids.txt").write_text("person 7\n\n=1+1\n")
    answer = explain(*flags_of(town), "--ids", "ids.txt", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    with open(tmp_path / "explanations.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["node"] for row in rows] == ["person 7", "'=1+1"]
    expected = Explainer(found.model, found.graph).explain(7)
    assert float(rows[0]["hops_1"]) == pytest.approx(expected.by_distance[1])
    parts = [float(rows[0][name]) for name in rows[0] if name.startswith("hops_")]
    assert sum(parts) + float(rows[0]["constant"]) == pytest.approx(float(rows[0]["logit"]))


class KillError(Exception):
    """Stands for a kill."""


def test_a_killed_table_continues(found, tmp_path, monkeypatch):
    monkeypatch.setattr(explaining, "_PART", 10)
    explainer = Explainer(found.model, found.graph)
    calls, real = [], explainer.explain

    def counted(node, *asked):
        if len(calls) == 25:
            raise KillError
        calls.append(node)
        return real(node, *asked)

    monkeypatch.setattr(explainer, "explain", counted)
    out = tmp_path / "all.parquet"

    def table(contrast=None):
        nodes = range(40)
        return explaining.TableOfExplanations(explainer, found, nodes, out, None, contrast)

    with pytest.raises(KillError):
        table().write()
    assert not out.exists()
    calls.clear()
    table().write()
    assert calls == list(range(20, 40))  # two parts of ten had been finished
    assert pq.read_table(out)["node"].to_pylist() == found.graph.node_ids[:40].tolist()
    assert [path.name for path in tmp_path.iterdir()] == ["all.parquet"]
    # Parts of another question are not used.
    calls.clear()
    with pytest.raises(KillError):
        table().write()
    calls[:] = []
    with pytest.raises(KillError):
        table("runner_up").write()
    assert calls[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--node", "zoe"], "--node must be an id of town, such as =1+1. Received: 'zoe'"),
        (["--node", "person 1", "--all"], "--all cannot be given with --node"),
        (["--node", "person 1", "--why", "z"], "--why must be a class from 0 to 5, or its name"),
        (["--node", "person 1", "--out", "x.csv"], "--out must be a file that ends in .json"),
        (["--all", "--out", "x.json"], "--out must be a file that ends in .csv or .parquet"),
        (["--ids", "missing.txt"], "--ids must be a text file with an id in each line"),
    ],
)
def test_bad_input_gets_one_sentence(town, tmp_path, arguments, sentence):
    answer = explain(*flags_of(town), *arguments, cwd=tmp_path)
    assert_one_clear_sentence(answer, sentence)
    assert list(tmp_path.iterdir()) == []
