"""Folders of plain numbers give the arrays that earlier versions gave, so that keys stay."""

import hashlib
import random

import numpy as np
import pytest

import datasets


def write_plain(folder, kind, count=60, width=5, degree=3):
    """Writes a folder of CSV files: `dense`, `sparse` or `bare`, without features."""
    rng = random.Random(kind)
    ids = [f"n{i:03}" for i in range(count)]
    rng.shuffle(ids)
    files = {"edges.csv": ["source,target,number"], "labels.csv": ["node,label"]}
    for i in range(count * degree):
        files["edges.csv"].append(f"{rng.choice(ids)},{rng.choice(ids)},{i}")
    for node in rng.sample(ids, count * 4 // 5):
        files["labels.csv"].append(f"{node},{rng.choice(['10', '9', 'x', ''])}")
    cells = ("0", "1", "-2.5", "1e-3", " 7 ", "0.1", "123456789", "9007199254740993", "+3", ".5")
    names = [f"c{j}" for j in range(width)]
    if kind == "dense":
        files["features.csv"] = [",".join(["c0", "node", *names[1:]])]
        for node in ids:
            values = [rng.choice(cells) for _ in names]
            files["features.csv"].append(",".join([values[0], node, *values[1:]]))
    elif kind == "sparse":
        files["features.csv"] = ["feature,node,value"]
        for node in rng.sample(ids, count // 2):
            for name in rng.sample(["3", "20", "100", "w"], 2):
                files["features.csv"].append(f"{name},{node},{rng.choice(cells)}")
    folder.mkdir(parents=True)
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def digest_of(graph):
    """The digest of earlier versions: features, edges, labels and the split."""
    digest = hashlib.sha256()
    features = graph.features
    for array in (
        features.indptr, features.indices, graph.edges, graph.labels, graph.train, graph.val,
        graph.test,
    ):  # fmt: skip
        digest.update(f"{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, "<i8").data)
    digest.update(f"{features.shape} {graph.num_classes}".encode())
    digest.update(np.ascontiguousarray(features.data, "<f4").data)
    return digest.hexdigest()[:16]


# What the reader without Arrow gave.
@pytest.mark.parametrize(
    ("kind", "expected"), [("dense", "e593c76119bcd97f"), ("sparse", "8515ddc90934bbf6")]
)
def test_the_arrays_are_those_of_the_reader_without_arrow(tmp_path, kind, expected):
    assert digest_of(datasets.load(write_plain(tmp_path / kind, kind))) == expected


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_quotes_and_separators_change_nothing(tmp_path, kind, same_graph):
    plain = datasets.load(write_plain(tmp_path / "plain" / kind, kind))
    for name, change in {
        "quoted": lambda line: '"' + line.replace(",", '","') + '"',
        "semicolons": lambda line: line.replace(",", ";"),
        "tabs": lambda line: line.replace(",", "\t"),
        "bars": lambda line: line.replace(",", "|"),
    }.items():
        folder = write_plain(tmp_path / name / kind, kind)
        for path in folder.iterdir():
            path.write_text("\n".join(map(change, path.read_text().splitlines())) + "\n")
        same_graph(datasets.load(folder), plain)


def test_a_wide_table_is_read_like_a_narrow_one(tmp_path, same_graph):
    folder = write_plain(tmp_path / "wide", "dense", width=2100)
    wide = datasets.load(folder)
    lines = [line.split(",") for line in (folder / "features.csv").read_text().splitlines()]
    narrow = [",".join(cells[:6]) for cells in lines]
    (folder / "features.csv").write_text("\n".join(narrow) + "\n")
    first = datasets.load(folder)
    assert wide.num_features == 2100
    np.testing.assert_array_equal(wide.features[:, :5].toarray(), first.features.toarray())


def test_blank_lines_and_rows_without_cells_are_passed_over(tmp_path, same_graph):
    plain = datasets.load(write_plain(tmp_path / "a" / "dense", "dense"))
    folder = write_plain(tmp_path / "b" / "dense", "dense")
    for path in folder.iterdir():
        header, *lines = path.read_text().splitlines()
        empty = "," * header.count(",")
        path.write_text("\n".join([header, "", empty, *lines, empty, ""]))
    same_graph(datasets.load(folder), plain)
