"""`python -m trainers.arch_study`: searches, retrainings, and the tables they make."""

import dataclasses
import functools
import json
import re
from pathlib import Path

import pytest
from commands import assert_one_clear_sentence, run_with_fewer_pictures

import datasets
from mixhop_tf import Architecture
from trainers.paper import study
from trainers.paper.learn_settings import (
    CITATION_GRAPHS,
    DEFAULT_WAY,
    LEARNED_HERE,
    STUDY_SEEDS,
    WAYS,
)
from trainers.paper.presets import CITATION
from trainers.sweeps import records
from trainers.sweeps.data_config import DataConfig
from trainers.sweeps.errors import RunError

run = functools.partial(run_with_fewer_pictures, "arch_study")
RECORDS = Path(__file__).parents[3] / "results" / "records" / "search"


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
    assert_one_clear_sentence(
        run("--only", "best", cwd=tmp_path), "--only takes naive", "Received: best"
    )


@pytest.fixture
def search_again(studied, monkeypatch):
    """Repeats the searches of a study; returns the entries and the searches that were tried."""
    _, folder, _ = studied
    graph = datasets.load(folder / "small.npz")

    def search(path, graph=graph, **changes):
        tried = []

        def run_tasks(_function, tasks, *_):
            tried.extend((name, task.seed) for task in tasks for name in sorted(task.ways))
            yield from ((task, study.pool.Death(-9)) for task in tasks)

        monkeypatch.setattr(study.pool, "run_tasks", run_tasks)
        names = ("scaled-norm", "scaled-effect")
        ways = {name: dataclasses.replace(WAYS[name], **changes) for name in names}
        data = DataConfig(dataset="small.npz")
        return study.Study(ways, data, graph, path, folder).run(range(1)), tried

    return search, graph


def test_only_the_searches_of_this_graph_and_these_settings_are_taken_over(
    studied, search_again, tmp_path
):
    _, folder, _ = studied
    search, graph = search_again
    both = [("scaled-effect", 0), ("scaled-norm", 0)]

    def fresh_copy():
        path = tmp_path / "small.npz.json"
        path.write_bytes((folder / "kept" / "small.npz.json").read_bytes())
        return path

    assert search(fresh_copy())[1] == []
    assert search(fresh_copy(), width=100)[1] == both
    assert search(fresh_copy(), budget="columns=30")[1] == both
    other = dataclasses.replace(graph, train=graph.train[1:])
    assert search(fresh_copy(), graph=other)[1] == both


def test_a_search_whose_process_died_is_told_and_tried_again(search_again, tmp_path):
    search, _ = search_again
    path = tmp_path / "g.json"
    for _ in range(2):
        found, tried = search(path)
        assert tried == [("scaled-effect", 0), ("scaled-norm", 0)]
        assert [each.get("error") for each in found] == [None] + ["its process died"] * 2
        assert json.loads(path.read_text())[1]["error"] == "its process died"
        with pytest.raises(RunError, match=r"2 searches failed; .*effect with seed 0: its process"):
            study.check_all_learned(found)


def test_a_run_that_diverged_is_left_out_of_the_tables(studied, tmp_path):
    _, folder, _ = studied
    for name in ("small.npz.json", "small.npz.jsonl"):
        (tmp_path / name).write_bytes((folder / "kept" / name).read_bytes())
    before = study.outcomes(tmp_path / "small.npz.json")
    path = tmp_path / "small.npz.jsonl"
    record = records.read(path)[0]
    failed = {name: record[name] for name in ("key", "config")}
    records.append(path, failed | {"seed": 99, "status": records.DIVERGED, "error": "x"})
    assert study.outcomes(tmp_path / "small.npz.json") == before


@pytest.mark.parametrize(
    ("content", "sentence"), [(None, "There is no study in kept"), ("[{", "is not a study's file")]
)
def test_a_report_of_nothing_is_refused(tmp_path, content, sentence):
    (tmp_path / "kept").mkdir()
    if content:
        (tmp_path / "kept" / "g.json").write_text(content)
    answer = run("--report", "--records_dir", "kept", cwd=tmp_path)
    assert_one_clear_sentence(answer, sentence)


@pytest.mark.parametrize(("table", "split"), [("table1", ""), ("table3", "-random")])
@pytest.mark.parametrize("dataset", CITATION)
def test_what_experiments_call_searched_is_the_best_of_the_searches(dataset, table, split):
    """The best by validation accuracy after retraining; the default one is not listed."""
    path = RECORDS / f"{dataset}{split}.json"
    kinds = (DEFAULT_WAY, study.DEFAULT_ENTRY)
    mine = [each for each in study.outcomes(path) if each.way in kinds]
    assert len(mine) == STUDY_SEEDS + 1
    best = max(mine, key=lambda each: each.retrained)
    if best.way == study.DEFAULT_ENTRY:
        assert dataset not in LEARNED_HERE[table]
        return
    (found,) = (
        each["architecture"]
        for each in study.read(path)
        if (each["search"], each["seed"]) == (best.way, best.seed)
    )
    layers = Architecture.from_dict(found).layers
    notation = ",".join(
        ":".join(map(str, numbers))
        for numbers in zip(layers[0].powers, *(layer.dims for layer in layers), strict=True)
    )
    assert LEARNED_HERE[table][dataset] == notation


def test_the_default_way_is_how_architectures_are_learned():
    assert WAYS[DEFAULT_WAY] == CITATION_GRAPHS
