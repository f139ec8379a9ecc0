"""`python -m trainers.arch_study`: searches, retrainings, and the tables they make."""

import functools
import json
import re
from pathlib import Path

import pytest
from commands import assert_one_clear_sentence, run_command

import datasets
from mixhop_tf import Architecture
from trainers import arch_study, experiments, records, study

run = functools.partial(run_command, "arch_study")
RECORDS = Path(__file__).parents[2] / "results" / "records" / "search"


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    graph = datasets.generate(0.8, num_nodes=150, num_classes=3, edges_per_node=3, seed=0)
    graph.save(folder / "small.npz")
    arguments = (
        *("--dataset", "small.npz", "--only", "scaled-norm,scaled-effect", "--searches", 1),
        *("--runs", 2, "--records_dir", "kept"),
    )
    answer = run(*arguments, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer, folder, arguments


def test_a_study_compares_what_was_found(studied):
    answer, folder, _ = studied
    assert answer.stderr == ""
    found = json.loads((folder / "kept" / "small.npz.json").read_text())
    assert [each["search"] for each in found] == ["even", "scaled-effect", "scaled-norm"]
    # Searches that differ only in the measure share the wide network.
    assert len(list((folder / "runs" / "study" / "small.npz").iterdir())) == 1
    kept = records.read(folder / "kept" / "small.npz.jsonl")
    architectures = {json.dumps(record["config"]["architecture"]) for record in kept}
    assert len(kept) == 2 * len(architectures)
    for name in ("even", "scaled-norm", "scaled-effect"):
        assert re.search(rf"^\| {name} +\| +\d+\.\d\d \|$", answer.stdout, re.MULTILINE)


def test_a_second_start_makes_nothing_twice(studied):
    answer, folder, arguments = studied
    before = {path: path.read_bytes() for path in (folder / "kept").iterdir()}
    again = run(*arguments, cwd=folder)
    assert again.stdout == answer.stdout
    assert {path: path.read_bytes() for path in (folder / "kept").iterdir()} == before


def test_an_unknown_search_is_refused(tmp_path):
    assert_one_clear_sentence(run("--only", "best", cwd=tmp_path), "--only takes naive", "'best'")


def test_a_search_that_fails_is_told_and_tried_again(tmp_path, monkeypatch):
    path = tmp_path / "g.json"
    path.write_text(json.dumps([{"search": "naive", "seed": 0, "error": "for the test's sake"}]))
    tried = []

    def run_tasks(_function, tasks, *_):
        tried.extend((task.name, task.seed) for task in tasks)
        yield from ((task, study.pool.Death(-9)) for task in tasks)

    monkeypatch.setattr(study.pool, "run_tasks", run_tasks)
    beside = study.even(experiments.LEARNING, 3)
    found = study.search_all(
        {"naive": experiments.SEARCHES["naive"]}, range(2), None, path, tmp_path, beside
    )
    assert tried == [("naive", 0), ("naive", 1)]
    assert [each.get("error") for each in found] == [None, "its process died", "its process died"]
    assert json.loads(path.read_text())[1]["error"] == "its process died"


@pytest.mark.parametrize("dataset", experiments.CITATION)
def test_what_experiments_call_searched_is_what_the_search_found(dataset):
    """Of seed 0, in the notation of an architecture."""
    (found,) = (
        each["architecture"]
        for each in study.read(RECORDS / f"{dataset}.json")
        if (each["search"], each["seed"]) == (arch_study.DEFAULT_SEARCH, 0)
    )
    layers = Architecture.from_dict(found).layers
    notation = ",".join(
        ":".join(map(str, numbers))
        for numbers in zip(layers[0].powers, *(layer.dims for layer in layers), strict=True)
    )
    assert experiments.SEARCHED[dataset] == notation
    assert experiments.SEARCHES[arch_study.DEFAULT_SEARCH] == experiments.LEARNING
