"""A damaged or hostile store is refused with a sentence that names the file."""

import json
import shutil

import numpy as np
import pytest

import datasets
from datasets import DataError
from datasets.store import manifest as manifests
from datasets.store import open as opening
from datasets.store.open import check_store
from tests.datasets.store.test_stored_graph import NUM_NODES, random_graph

IDS = [f"n{i}" for i in range(NUM_NODES)]


@pytest.fixture(scope="module")
def intact(tmp_path_factory):
    graph = random_graph(directed=True, weighted=True, dense=False, node_ids=IDS)
    return graph.save(tmp_path_factory.mktemp("store") / "town.store")


@pytest.fixture
def store(intact, tmp_path):
    return shutil.copytree(intact, tmp_path / "town.store")


@pytest.fixture
def large(monkeypatch):
    """Treats every store as a large one, whose checksums are not compared."""
    monkeypatch.setattr(opening, "SMALL", 0)


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.suffix == ".npy")


def use(path):
    graph = datasets.load(path, directed=True, make_split=False)
    return graph.edges, graph.features, graph.node_ids, graph.neighbors_in


def put(path, array, forge=True):
    """Replaces the entries of an array; a forged manifest has the new checksum."""
    content = path.read_bytes()[:128] + np.ascontiguousarray(array).tobytes()
    path.write_bytes(content)
    if forge:
        change(path.parent, lambda it: it["files"][path.name].update(sha256=manifests.sha256(path)))


def change(folder, edit):
    path = folder / "manifest.json"
    content = json.loads(path.read_text())
    del content["seal"]
    edit(content)
    path.write_text(json.dumps({**content, "seal": manifests._seal(content)}))


def test_the_intact_store_is_accepted(store, large):
    use(store)
    check_store(store)


def test_every_flipped_byte_is_found_in_a_small_store(store):
    for name in files(store):
        path = store / name
        content = path.read_bytes()
        for place in (3, len(content) - 1):
            path.write_bytes(bytes(b ^ (i == place) for i, b in enumerate(content)))
            with pytest.raises(DataError, match=name):
                datasets.load(store, directed=True)
        path.write_bytes(content)


def test_missing_and_shortened_files_are_named_whatever_the_size(store, large):
    for name in files(store):
        path = store / name
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        with pytest.raises(DataError, match=f"{name} has .* bytes instead of"):
            datasets.load(store, directed=True)
        path.unlink()
        with pytest.raises(DataError, match=f"{name} is missing"):
            datasets.load(store, directed=True)
        path.write_bytes(content)


def test_the_check_finds_a_flipped_byte_in_a_large_store(store, large):
    path = store / "weights.npy"
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    datasets.load(store, directed=True)
    with pytest.raises(DataError, match=r"weights.npy has another checksum"):
        check_store(store)


@pytest.mark.parametrize("name", ["indices.npy", "in_indices.npy", "features_indices.npy"])
@pytest.mark.parametrize("value", [-1, NUM_NODES, 2**31 - 1])
def test_indices_outside_the_graph_never_reach_compiled_code(store, large, name, value):
    array = np.load(store / name)
    array[len(array) // 2] = value
    put(store / name, array)
    with pytest.raises(DataError, match=rf"{name} holds an index outside"):
        use(store)


@pytest.mark.parametrize("name", ["indptr.npy", "in_indptr.npy", "features_indptr.npy"])
def test_row_pointers_that_fall_are_refused(store, large, name):
    array = np.load(store / name)
    array[1], array[2] = array[-1], 0
    put(store / name, array)
    with pytest.raises(DataError, match=f"{name} does not divide"):
        use(store)


@pytest.mark.parametrize(
    ("name", "place", "value", "sentence"),
    [
        ("labels.npy", 0, 99, "99"),
        ("train.npy", 0, 99, "99"),
        ("ids_offsets.npy", 1, 10**6, "ids_offsets.npy does not divide"),
        ("ids_utf8.npy", 0, 255, "ids_utf8.npy is not UTF-8"),
    ],
)
def test_small_arrays_are_checked_by_their_values(tmp_path, large, name, place, value, sentence):
    graph = datasets.stratified_split(random_graph(node_ids=IDS))
    store = graph.save(tmp_path / "town.store")
    array = np.load(store / name)
    array[place] = value
    put(store / name, array)
    with pytest.raises(DataError, match=sentence):
        _ = datasets.load(store).node_ids


def test_the_check_looks_at_order_weights_features_and_ids(store, large):
    for name, edit, sentence in [
        ("indices.npy", lambda array: array[::-1], "not in order"),
        ("weights.npy", lambda array: -array, "not positive"),
        ("features_data.npy", lambda array: array * np.nan, "not finite"),
        ("ids_utf8.npy", lambda array: array * 0 + ord("a"), "distinct"),
    ]:
        copy = shutil.copytree(store, store.with_name(f"{name}.store"))
        put(copy / name, edit(np.load(copy / name)).astype(np.load(copy / name).dtype))
        with pytest.raises(DataError, match=sentence):
            check_store(copy)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda it: it.update(version=2), "store of version 2"),
        (lambda it: it.update(format="cake"), "manifest of something else"),
        (lambda it: it.update(num_nodes="many"), "a size is no number"),
        (lambda it: it.update(num_nodes=-1), "a size is no number"),
        (lambda it: it.update(num_nodes=7), "shape"),
        (lambda it: it.update(num_edges=7), "wrong number of entries"),
        (lambda it: it.update(num_features=3), "fit|outside|feature_names"),
        (lambda it: it.update(class_names=["a"]), "labels"),
        (lambda it: it.update(class_names=[]), "no classes"),
        (lambda it: it.update(name=3), "a name is no text"),
        (lambda it: it.update(name="a\nb"), "name"),
        (lambda it: it.update(recipe={"version": 1}), "recipe"),
        (lambda it: it.update(features="thin"), "kind of features"),
        (lambda it: it.update(more=1), "cannot be read"),
        (lambda it: it.pop("digest"), "cannot be read"),
        (lambda it: it["files"].pop("labels.npy"), "has no labels.npy"),
        (lambda it: it["files"]["labels.npy"].update(dtype="O"), "type is unknown"),
        (lambda it: it["files"]["labels.npy"].update(shape=[2**47, 2**47]), "bytes instead"),
    ],
)
def test_a_wrong_manifest_is_refused(store, large, edit, sentence):
    change(store, edit)
    with pytest.raises(DataError, match=sentence):
        use(store)


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": 3}', "[" * 10**5])
def test_a_manifest_that_is_none_is_refused(store, content):
    (store / "manifest.json").write_text(content)
    with pytest.raises(DataError, match=r"manifest.json cannot be read"):
        datasets.load(store)


def test_a_changed_manifest_has_another_seal(store):
    path = store / "manifest.json"
    path.write_text(path.read_text().replace('"town"', '"tomb"'))
    with pytest.raises(DataError, match="checksum differs"):
        datasets.load(store)


def test_a_folder_without_a_manifest_is_no_finished_store(store):
    (store / "manifest.json").unlink()
    with pytest.raises(DataError, match="not a finished store"):
        datasets.load(store)
