"""Makes the files that cases start from: `python -m tests.fuzz.make_corpus`."""

from __future__ import annotations

import collections
import json
import pickle
import shutil
import zipfile
from typing import Any

import numpy as np
import scipy.sparse as sp

from mixhop_tf import Architecture
from mixhop_tf.baselines import BASELINES
from tests.fuzz import hostile_pickles, table_corpus
from tests.fuzz.corpus import CORPUS

_EDGES = np.array([[0, 1], [1, 2], [2, 3], [4, 5], [0, 5]])
_FEATURES = np.array([[1, 0, 0.5], [0, 0, 2], [0, 0, 0], [-1, 0, 0], [0, 1, 3], [2, 0, 0]])
_LABELS = np.array([0, 0, 1, 1, 0, -1])
_TIME = (2020, 1, 1, 0, 0, 0)  # so that the files are the same each time


def main() -> None:
    """Writes the whole corpus again."""
    if CORPUS.exists():
        shutil.rmtree(CORPUS)
    for make in (_csv, _npz, _graphml, _planetoid, _pickle, _architecture, _records):
        make()
    table_corpus.make(_put)


def _put(name: str, content: bytes | str) -> None:
    path = CORPUS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _csv() -> None:
    edges = "source,target\n" + "".join(f"n{u},n{v}\n" for u, v in _EDGES)
    labels = "node,label\n" + "".join(
        f"n{i},{'ab'[c] if c >= 0 else ''}\n" for i, c in enumerate(_LABELS)
    )
    dense = "node,x,y,z\n" + "".join(
        f"n{i},{','.join(map(str, row))}\n" for i, row in enumerate(_FEATURES)
    )
    sparse = "node,feature,value\nn0,x,1\nn0,z,0.5\nn1,z,2\nn3,x,-1\nn4,y,1\nn5,x,2\n"
    split = "node,split\nn0,train\nn2,train\nn1,val\nn3,test\n"
    weighted = "weight,target,source\n" + "".join(f"0.5,{u},{v}\n" for u, v in _EDGES)
    strong = "source,target,kind,Weight\n" + "".join(
        f"n{u},n{v},road,{2.5 * i + 1:g}\nn{v},n{u},path,1e-{i}\n"
        for i, (u, v) in enumerate(_EDGES)
    )
    numbered = "node,label\r\n" + "".join(f"{i},{i % 3}\r\n" for i in range(6))
    for folder, files in {
        "dense": {"edges": edges, "labels": labels, "features": dense, "split": split},
        "sparse": {"edges": edges, "labels": labels, "features": sparse},
        "structural": {"edges": weighted, "labels": "\ufeff" + numbered},
        "weighted": {"edges": strong, "labels": labels, "split": split},
    }.items():
        for name, text in files.items():
            _put(f"csv/{folder}/{name}.csv", text)


def _npz() -> None:
    matrix = sp.csr_array(_FEATURES.astype(np.float32))
    csr = {part: getattr(matrix, part) for part in ("data", "indices", "indptr")}
    csr["shape"] = np.array(matrix.shape)
    adjacency = sp.csr_array((np.ones(len(_EDGES)), _EDGES.T), shape=(6, 6))
    masks = np.array([[1, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0]], bool)
    names = np.array(["a", "b"])
    _archive("ours", edges=_EDGES, labels=_LABELS, features=_FEATURES, class_names=names,
             train=[0, 2], val=[1], test=[3], node_ids=np.array(list("uvwxyz")), name="ours",
             feature_names=np.array(["x", "y", "z"]))  # fmt: skip
    _archive("csr", edges=_EDGES, labels=np.array(["a", "a", "b", "b", "a", ""]),
             **{f"features_{part}": value for part, value in csr.items()})  # fmt: skip
    _archive("pyg", x=_FEATURES, edge_index=_EDGES.T, y=_LABELS, train_mask=masks[0],
             edge_attr=np.ones(5), num_nodes=np.array(6))  # fmt: skip
    _archive("shchur", node_labels=_LABELS, attr_matrix=_FEATURES, adj_data=adjacency.data,
             adj_indices=adjacency.indices, adj_indptr=adjacency.indptr,
             adj_shape=np.array([6, 6]), node_names=np.array(list("uvwxyz")))  # fmt: skip
    _archive("masks", edges=_EDGES, labels=_LABELS, train_masks=masks)
    _archive("edges", edges=_EDGES)
    _archive("weighted", edges=_EDGES, labels=_LABELS, edge_weights=np.arange(1, 6) / 4,
             directed=True, features=_FEATURES)  # fmt: skip


def _archive(name: str, /, **arrays: Any) -> None:
    path = CORPUS / "npz" / f"{name}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for key, array in arrays.items():
            with archive.open(zipfile.ZipInfo(f"{key}.npy", _TIME), "w") as file:
                np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)


def _graphml() -> None:
    keys = (
        '<key id="d0" for="node" attr.name="label" attr.type="string"/>'
        '<key id="d1" for="node" attr.name="x" attr.type="double"><default>1</default></key>'
        '<key id="d2" for="node" attr.name="split" attr.type="string"/>'
        '<key id="d3" for="edge" attr.name="weight" attr.type="int"/>'
    )
    nodes = "".join(
        f'<node id="n{i}"><data key="d0">{"ab"[i % 2]}</data><data key="d1">{i}.5</data></node>\n'
        for i in range(5)
    )
    edges = "".join(f'<edge source="n{i}" target="n{i + 1}"/>\n' for i in range(4))
    head = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for kind in ("undirected", "directed"):
        text = f'{head}{keys}<graph edgedefault="{kind}">{nodes}{edges}</graph></graphml>'
        _put(f"graphml/{kind}.graphml", f'<?xml version="1.0" encoding="utf-8"?>\n{text}')
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    document = f'<!DOCTYPE lolz [<!ENTITY l0 "ha">{laughs}]>'
    bomb = f'{head}{keys}<graph><node id="a"><data key="d0">&l9;</data></node></graph></graphml>'
    _put("graphml/laughs.graphml", document + bomb)


def _planetoid() -> None:
    one_hot = np.eye(2, dtype=np.int32)[[0, 1, 0, 1, 0, 1]]
    lists = collections.defaultdict(list, {u: [v] for u, v in _EDGES.tolist()})
    for protocol in (0, 2, 4):
        parts = {
            "allx": sp.csr_matrix(_FEATURES[:4].astype(np.float32)), "ally": one_hot[:4],
            "tx": sp.csr_matrix(_FEATURES[4:].astype(np.float32)), "ty": one_hot[4:],
            "x": sp.csr_matrix(_FEATURES[:2].astype(np.float32)), "y": one_hot[:2],
            "graph": lists,
        }  # fmt: skip
        for part, content in parts.items():
            _put(f"planetoid/p{protocol}/ind.g.{part}", pickle.dumps(content, protocol))
        _put(f"planetoid/p{protocol}/ind.g.test.index", "6\n4\n")


def _pickle() -> None:
    content = {
        "a": [1, 2.5, "text", None, True], "b": (np.arange(3), np.float64(2)), "d": {1, 2},
        "c": sp.csr_matrix(np.eye(3, dtype=np.float32)), 0: collections.defaultdict(list, {0: [1]}),
        "e": np.asfortranarray(np.ones((2, 3), ">i4")), "f": b"bytes", "g": bytearray(b"more"),
    }  # fmt: skip
    for protocol in range(6):
        _put(f"pickle/real{protocol}", pickle.dumps(content, protocol))
    for name, program in hostile_pickles.PROGRAMS.items():
        _put(f"pickle/{name}", program)


def _architecture() -> None:
    mixhop = Architecture.from_notation("0:24:0,1:18:7,2:18:7", num_classes=7)
    _put("architecture/mixhop.json", mixhop.to_json())
    for name, kind in BASELINES.items():
        _put(f"architecture/{name}.json", kind(hidden_width=16).to_json())
    layers = [
        {"fn": "sparse_dropout", "args": [0.5], "kwargs": {}},
        {"fn": "mixhop_layer", "args": [[0, 1, 2], [17, 22, 21]], "kwargs": {}},
        {"fn": "batch_norm", "args": []}, {"fn": "tanh", "args": []},
        {"fn": "dropout", "args": [0.7]}, {"fn": "dense", "args": [3]},
    ]  # fmt: skip
    _put("architecture/layers.json", json.dumps(layers))


def _records() -> None:
    architecture = Architecture.from_notation("0:2:0,1:2:3", num_classes=3).to_dict()
    numbers = {"val_accuracy": 0.5, "test_accuracy": 0.75, "val_loss": 0.5, "train_accuracy": 1.0,
               "best_step": 3, "num_steps": 9, "seconds": 1.5}  # fmt: skip
    config = {"data": {"dataset": "cora", "seed": 1}, "digest": "5bd1", "settings": {},
              "architecture": {"model": "chebyshev", "largest_eigenvalue": 1.5}}  # fmt: skip
    head = {"experiment": "a/b", "key": "k", "status": "done"}
    tail = {"config": config, "versions": {"mixhop": "1", "python": "3"}, "hardware": "2 cores",
            "machine": {"cpu": "x", "onednn": True, "intra_op_threads": 1}}  # fmt: skip
    lines = [head | {"seed": seed} | numbers | tail for seed in range(3)]
    lines[1]["test_accuracy"] = None
    lines.append({"experiment": None, "key": "k", "seed": 9, "status": "failed", "error": "why"})
    _put("records/study/study.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    entry = {"search": "naive", "seed": 0, "key": "q", "importance": "norm", "budget": "b",
             "lasso": 0.1, "val_accuracy": 0.5, "best_step": 3, "num_steps": 4, "seconds": 2.0,
             "alive": [[2, 2], [3, 3]], "retraining": "k",
             "architecture": architecture}  # fmt: skip
    even = {"search": "even", "seed": 0, "architecture": architecture, "retraining": "k"}
    failed = {"search": "other", "seed": 1, "error": "why"}
    _put("records/study/study.json", json.dumps([even, entry, failed], indent=1))


if __name__ == "__main__":
    main()
