"""Checks that Python and the command line give the same numbers for the same graph and seed."""

import csv
import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from fork_server import run_module

import datasets
import mixhop_tf

ROOT = Path(__file__).parents[1]
TRAIN = """
import csv, dataclasses, sys
import datasets, mixhop_tf
graph = datasets.load(sys.argv[1])
chosen = mixhop_tf.choose_settings(graph, seed=3, work=2 * 10**9).candidate
run = mixhop_tf.train(graph, chosen.architecture, chosen.settings, seed=3)
rows = [dataclasses.asdict(point) for point in run.curve]
writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\\n")
writer.writeheader()
writer.writerows(rows)
"""
LEARN = """
import sys
import datasets, mixhop_tf
settings = mixhop_tf.LearnSettings(width=30, runs=1, budget="columns=12")
learned = mixhop_tf.learn_architecture(datasets.load(sys.argv[1]), settings, seed=3)
sys.stdout.write(learned.architecture.to_json())
"""


def run(module, *arguments, cwd=ROOT):
    answer = run_module(
        [module, *map(str, arguments)],
        cwd=cwd,
        environment={"PYTHONPATH": str(ROOT)},
        pictures=["svg"],
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def run_script(text, *arguments, folder):
    """Runs Python code in a process of its own."""
    (folder / "script_of_a_test.py").write_text(text, encoding="utf-8")
    return run("script_of_a_test", *arguments, cwd=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of CSV files without a split."""
    graph = datasets.generate(0.3, num_nodes=400, num_classes=4, edges_per_node=4, seed=1)
    unsplit = dataclasses.replace(graph, train=[], val=[], test=[])
    return unsplit.save(tmp_path_factory.mktemp("graph") / "town")


def test_a_run_is_the_same(folder, tmp_path):
    options = ["--seed", 3, "--search", 0.05, "--out", tmp_path / "run"]
    run("trainers.train", "--dataset", folder, *options)
    command = (tmp_path / "run" / "curve.csv").read_text(encoding="utf-8")
    python = run_script(TRAIN, folder, folder=tmp_path)
    assert len(list(csv.reader(python.splitlines()))) > 100
    assert python == command


CLASSIFY = """
import json, sys
import numpy as np
import datasets, mixhop_tf
graph = datasets.load(sys.argv[1], make_split=False)
names = np.array(graph.class_names + ("",), object)
classifier = mixhop_tf.MixHopClassifier(
    settings=mixhop_tf.Settings(max_steps=60), scaling=sys.argv[2]
)
classifier.fit(graph.features, names[graph.labels], graph.edges)
np.save(sys.argv[3], classifier.predict_proba())
for part in ("train", "val", "test"):
    assert (classifier.split_[part] == getattr(datasets.stratified_split(graph), part)).all()
print(json.dumps(classifier.evaluation_.to_dict()))
"""


@pytest.mark.parametrize("scaling", ["standardize", "rows"])
def test_the_classifier_gives_the_same_bits(folder, tmp_path, scaling):
    out, predictions = tmp_path / "run", tmp_path / "predictions.csv"
    options = ["--preset", "general", "--max_steps", 60, "--scaling", scaling, "--out", out]
    run("trainers.train", "--dataset", folder, *options)
    run("trainers.predict", "--dataset", folder, "--model", out, "--out", predictions)
    found = json.loads(
        run_script(CLASSIFY, folder, scaling, tmp_path / "shares.npy", folder=tmp_path)
    )
    with open(predictions, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name.startswith("p_")]
    served = np.array([[row[name] for name in names] for row in rows]).astype(np.float32)
    np.testing.assert_array_equal(np.load(tmp_path / "shares.npy"), served)
    trained = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    assert found == {name: trained[name] for name in found}
    # The command `predict` scores the file's numbers.
    graph = datasets.load(folder)
    scored = mixhop_tf.evaluate(graph.labels[graph.test], served[graph.test])
    assert (scored.log_loss, scored.pr_auc) == (found["log_loss"], found["pr_auc"])


def test_a_learned_architecture_is_the_same(folder, tmp_path):
    options = ["--width", "30", "--runs", "1", "--budget", "columns=12", "--nosave_model"]
    out = tmp_path / "learned"
    run("trainers.learn_arch", "--dataset", folder, "--seed", 3, "--out", out, *options)
    command = (out / "architecture.json").read_text(encoding="utf-8")
    assert json.loads(command)["layers"][0]["dims"] != [4, 4, 4]
    assert run_script(LEARN, folder, folder=tmp_path) == command
