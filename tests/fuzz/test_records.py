"""Tests of records and studies with invalid fields."""

import json

import pytest

from trainers.paper import study
from trainers.sweeps import protocol, records
from trainers.sweeps.errors import RunError

RECORD = {
    "key": "k", "seed": 1, "status": "done", "val_accuracy": 0.5, "val_loss": 0.5, "seconds": 1.0,
    "test_accuracy": 0.5, "train_accuracy": 1.0, "best_step": 3, "num_steps": 9,
}  # fmt: skip
ARCHITECTURE = {"version": 1, "layers": [{"powers": [1], "dims": [7]}]}
ENTRY = {"search": "naive", "seed": 0, "architecture": ARCHITECTURE, "retraining": "k"}
NAN, INF = float("nan"), float("inf")


def lines(*contents):
    return "".join(json.dumps(each) + "\n" for each in contents)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": True}, {"seed": 1.0}, {"seed": "1"}, {"seed": None}, {"seed": -1},
        {"seed": 10**30}, {"key": 5}, {"key": None}, {"key": "\ud800"}, {"key": ""},
        {"experiment": 5},
        {"val_accuracy": "0.5"}, {"val_accuracy": True}, {"val_accuracy": None},
        {"val_accuracy": NAN}, {"val_loss": INF}, {"val_loss": -INF}, {"val_loss": [0.5]},
        {"test_accuracy": "x"}, {"test_accuracy": NAN}, {"test_accuracy": False},
        {"seconds": "1"}, {"seconds": INF}, {"seconds": 10**400}, {"best_step": 1.5},
        {"num_steps": True}, {"train_accuracy": {}}, {"delta_share": "x"}, {"versions": "x"},
        {"versions": {}}, {"versions": {"mixhop": 5}}, {"hardware": 5}, {"hardware": None},
        {"config": 5}, {"config": []}, {"config": {"architecture": 5}}, {"config": {"digest": 5}},
        {"config": {"data": {"dataset": "cora", "odd": 1}}}, {"config": {"data": {"dataset": 5}}},
        {"config": {"data": {"dataset": "cora", "seed": []}}}, {"config": {"data": {}}},
        {"config": {"architecture": {"largest_eigenvalue": "2"}}}, {"other": NAN},
        {"other": [{"a": INF}]}, {"other": "\udfff"}, {"\ud800": 1}, {"machine": "x"},
        {"status": ["done"]}, {"status": None}, {"machine": {"cpu": []}},
    ],
)  # fmt: skip
def test_an_odd_field_is_refused_with_file_and_line(tmp_path, change):
    path = tmp_path / "r.jsonl"
    path.write_text(lines(RECORD, RECORD | change, RECORD | {"seed": 2}))
    with pytest.raises(RunError, match=r"r\.jsonl:2: not a run record \(.+\); fix or remove"):
        records.read(path)


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"\xff", b'"\\ud800"', b"NaN"]
)
def test_a_line_that_is_no_object(tmp_path, line):
    path = tmp_path / "r.jsonl"
    path.write_bytes(lines(RECORD).encode() + line + b"\n")
    with pytest.raises(RunError, match=r"r\.jsonl:2: not a run record"):
        records.read(path)


def test_records_without_test_nodes_and_without_a_reason_are_read(tmp_path):
    path = tmp_path / "r.jsonl"
    failed = {"key": "k", "seed": 5, "status": "failed"}
    path.write_text(lines(RECORD | {"test_accuracy": None, "val_loss": 1}, failed))
    found = records.read(path)
    assert len(found) == 2
    assert not protocol.summarize(found).has_test
    with pytest.raises(RunError, match="seed 5: the record gives no reason"):
        protocol.check_all_done(found)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": "0"}, {"seed": 1.5}, {"search": 5}, {"search": "\ud800"}, {"retraining": []},
        {"val_accuracy": "x"}, {"val_accuracy": NAN}, {"seconds": INF}, {"alive": 5},
        {"alive": [5]}, {"alive": [["x"]]}, {"architecture": None}, {"architecture": {}},
        {"architecture": ARCHITECTURE | {"layers": [{"powers": [1], "dims": "7"}]}}, {"error": 5},
    ],
)  # fmt: skip
def test_an_odd_entry_of_a_study_is_named(tmp_path, change):
    path = tmp_path / "cora.json"
    path.write_text(json.dumps([ENTRY, ENTRY | change]))
    with pytest.raises(RunError, match=r"cora\.json is not a study's file \(.+\); fix or remove"):
        study.read(path)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{}", "5", "[5]", "[{}]", "", "\ufeff[]", "9" * 5000, '[{"search": ""}]'],
)
def test_text_that_is_no_study(tmp_path, text):
    path = tmp_path / "cora.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"cora\.json is not a study's file"):
        study.read(path)


def test_an_entry_that_failed_needs_no_architecture(tmp_path):
    path = tmp_path / "cora.json"
    path.write_text(json.dumps([ENTRY, {"search": "x", "seed": 1, "error": "why"}]))
    assert [entry["search"] for entry in study.read(path)] == ["naive", "x"]
    assert study.read(tmp_path / "none.json") == []
