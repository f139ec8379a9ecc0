"""`MixHopClassifier`: scikit-learn's conventions, and every form of a graph."""

import json
import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score
from sklearn.utils.estimator_checks import check_estimator

from mixhop_tf import Architecture, MixHopClassifier, SettingError, Settings
from mixhop_tf.baselines import GCN

RNG = np.random.default_rng(0)
NUM_NODES = 90
TRUTH = np.repeat([3, 5, 8], NUM_NODES // 3)
FEATURES = (RNG.normal(size=(NUM_NODES, 4)) + np.eye(9, 4)[TRUTH]).astype(np.float32)
PAIRS = RNG.integers(NUM_NODES, size=(400, 2))
EDGES = PAIRS[(TRUTH[PAIRS[:, 0]] == TRUTH[PAIRS[:, 1]]) & (PAIRS[:, 0] != PAIRS[:, 1])]
KNOWN = np.where(RNG.random(NUM_NODES) < 0.7, TRUTH, -1)
SHORT = Settings(max_steps=25)

# scikit-learn's checks that cannot hold here, and why.
EXPECTED = {
    "check_classifiers_classes": "a label of -1 is unknown, as in sklearn.semi_supervised",
    "check_class_weight_classifiers": "validation accuracy, without weights, selects the best step",
}


@pytest.fixture(scope="module")
def fitted():
    return MixHopClassifier(settings=SHORT).fit(FEATURES, KNOWN, EDGES)


def test_scikit_learn_finds_nothing_wrong_but_what_a_graph_cannot():
    classifier = MixHopClassifier(settings=Settings(max_steps=40))
    results = check_estimator(
        classifier, expected_failed_checks=EXPECTED, on_fail=None, on_skip=None
    )
    failed = {
        each["check_name"]: each["exception"] for each in results if each["status"] == "failed"
    }
    assert not failed
    assert {each["check_name"] for each in results if each["status"] == "xfail"} == set(EXPECTED)


def test_it_predicts_the_classes_that_it_was_given(fitted):
    assert fitted.classes_.tolist() == [3, 5, 8]
    shares = fitted.predict_proba()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-6)
    assert (fitted.predict() == fitted.classes_[shares.argmax(axis=1)]).all()
    assert accuracy_score(TRUTH, fitted.predict()) > 0.8
    assert fitted.embed().shape == (NUM_NODES, 60)


def test_the_score_is_that_of_known_labels(fitted):
    test = fitted.split_["test"]
    right = fitted.predict()[test] == KNOWN[test]
    assert fitted.score() == fitted.evaluation_.accuracy == right.mean()
    known = KNOWN != -1
    assert fitted.score(None, KNOWN) == (fitted.predict()[known] == KNOWN[known]).mean()
    weights = np.arange(NUM_NODES)
    expected = np.average(fitted.predict() == TRUTH, weights=weights)
    assert fitted.score(FEATURES, TRUTH, EDGES, weights) == pytest.approx(expected)


def test_unknown_labels_take_no_part(fitted):
    used = np.concatenate(list(fitted.split_.values()))
    assert sorted(used) == np.flatnonzero(KNOWN != -1).tolist()


@pytest.mark.parametrize(
    "labels",
    [
        np.where(KNOWN == -1, np.nan, KNOWN.astype(float)),
        np.array([None if each == -1 else str(each) for each in KNOWN], object),
        np.array(["" if each == -1 else str(each) for each in KNOWN]),
    ],
)
def test_unknown_labels_may_be_written_in_other_ways(fitted, labels):
    other = MixHopClassifier(settings=SHORT).fit(FEATURES, labels, EDGES)
    np.testing.assert_array_equal(other.predict_proba(), fitted.predict_proba())


def frames():
    pd = pytest.importorskip("pandas")
    ids = [f"p{i}" for i in range(NUM_NODES)]
    features = pd.DataFrame(FEATURES, index=ids, columns=list("abcd"))
    edges = pd.DataFrame(np.array(ids)[EDGES], columns=["from", "to"])
    return features, edges


def forms_of_edges():
    adjacency = sp.coo_array((np.ones(len(EDGES)), EDGES.T), shape=(NUM_NODES, NUM_NODES))
    graph = nx.Graph()
    graph.add_nodes_from(range(NUM_NODES))
    graph.add_edges_from(EDGES.tolist())
    return {"list": EDGES.tolist(), "adjacency": adjacency, "networkx": graph, "frame": frames}


@pytest.mark.parametrize("form", ["list", "adjacency", "networkx", "frame"])
def test_the_form_of_the_graph_does_not_matter(fitted, form):
    features, edges = FEATURES, forms_of_edges()[form]
    if form == "frame":
        features, edges = frames()
    other = MixHopClassifier(settings=SHORT).fit(features, KNOWN, edges)
    np.testing.assert_array_equal(other.predict_proba(), fitted.predict_proba())
    np.testing.assert_array_equal(other.predict_proba(features, edges), fitted.predict_proba())


def test_a_graph_that_grew_is_predicted_without_training(fitted):
    features = np.vstack([FEATURES, FEATURES[:1]])
    edges = np.vstack([EDGES, [[0, NUM_NODES]]])
    assert fitted.predict(features, edges).shape == (NUM_NODES + 1,)
    alone = fitted.predict_proba(np.vstack([FEATURES, FEATURES[:1]]), EDGES)
    np.testing.assert_allclose(alone[:NUM_NODES], fitted.predict_proba(), atol=1e-5)


def test_it_is_the_same_after_save_and_load_and_pickle(fitted, tmp_path):
    fitted.save(tmp_path / "classifier")
    for other in (
        MixHopClassifier.load(tmp_path / "classifier"),
        pickle.loads(pickle.dumps(fitted)),
    ):
        np.testing.assert_array_equal(other.predict_proba(), fitted.predict_proba())
        np.testing.assert_array_equal(other.predict(), fitted.predict())
        assert other.evaluation_ == fitted.evaluation_
        assert other.architecture_ == fitted.architecture_
        assert clone(other).get_params().keys() == fitted.get_params().keys()
    fitted.save(tmp_path / "classifier")  # replaced


def test_text_classes_and_a_threshold_survive_save_and_load(tmp_path):
    labels = np.where(TRUTH == 3, "leaves", "stays")
    classifier = MixHopClassifier(settings=SHORT, threshold="auto", calibrate=True)
    classifier.fit(FEATURES, labels, EDGES)
    assert classifier.settings_.threshold == "auto"
    assert classifier.model_decision.threshold is not None
    classifier.save(tmp_path / "classifier")
    other = MixHopClassifier.load(tmp_path / "classifier")
    assert other.model_decision == classifier.model_decision
    assert (other.predict() == classifier.predict()).all()
    assert set(other.predict()) <= {"leaves", "stays"}


def test_damaged_folders_are_refused(fitted, tmp_path):
    with pytest.raises(ValueError, match="cannot be read as a classifier"):
        MixHopClassifier.load(tmp_path)
    path = fitted.save(tmp_path / "classifier") / "classifier.json"
    content = json.loads(path.read_text())
    for damaged in ({}, [], content | {"version": 9}, content | {"settings": {"l2": -1}}):
        path.write_text(json.dumps(damaged))
        with pytest.raises(ValueError, match="cannot be read as a classifier"):
            MixHopClassifier.load(tmp_path / "classifier")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match="will not be replaced"):
        fitted.save(tmp_path / "mine")


@pytest.mark.parametrize(
    "architecture",
    ["0,1", Architecture.default(3, hidden_dims=[6]), GCN(hidden_width=8)],
)
def test_any_architecture_can_be_trained(architecture):
    classifier = MixHopClassifier(architecture, SHORT).fit(FEATURES, KNOWN, EDGES)
    assert classifier.predict().shape == (NUM_NODES,)
    if not isinstance(architecture, str):
        assert classifier.architecture_ == architecture


def test_options_reach_the_settings():
    classifier = MixHopClassifier(
        settings=SHORT, select_by="macro_f1", class_weight={3: 2.0, 5: 1.0, 8: 1.0}
    ).fit(FEATURES, KNOWN, EDGES)
    assert classifier.settings_.select_by == "macro_f1"
    assert dict(classifier.settings_.class_weight)["3"] == 2.0


@pytest.mark.parametrize(
    ("change", "culprit"),
    [
        ({"y": KNOWN[:5]}, "`y` must have 90 labels"),
        ({"y": np.full(NUM_NODES, 3)}, "holds 1 class"),
        ({"y": np.full(NUM_NODES, -1)}, "holds 0 classes"),
        ({"edges": [[0, NUM_NODES]]}, "`edges` must join nodes"),
        ({"edges": sp.eye_array(3)}, "must be an adjacency"),
        ({"edges": [[0.5, 1.5]]}, "`edges` must be whole numbers"),
    ],
)
def test_bad_arguments_of_fit_are_named(change, culprit):
    arguments = {"X": FEATURES, "y": KNOWN, "edges": EDGES} | change
    with pytest.raises(ValueError, match=culprit):
        MixHopClassifier(settings=SHORT).fit(**arguments)


@pytest.mark.parametrize(
    "parameters",
    [{"settings": "fast"}, {"random_state": None}, {"train_share": 0.9, "val_share": 0.2}],
)
def test_bad_parameters_are_named(parameters):
    with pytest.raises(SettingError, match=next(iter(parameters))):
        MixHopClassifier(**{"settings": SHORT, **parameters}).fit(FEATURES, KNOWN, EDGES)


def test_edges_are_not_forgotten_silently(fitted):
    with pytest.raises(SettingError, match="`edges` must be given"):
        fitted.predict(FEATURES)
    assert fitted.predict(FEATURES, []).shape == (NUM_NODES,)
    with pytest.raises(NotFittedError):
        MixHopClassifier().predict()
