"""The messages in docs/messages.md are those that the commands print."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown_blocks import ROOT, Block, run

import datasets
from mixhop_tf import DivergedError, SettingError, SplitError
from trainers.cli import app
from trainers.runs import prediction
from trainers.sweeps.errors import RunError

PAGE = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^\| `(.+?)` \| ", PAGE, re.MULTILINE)


def message_about(start):
    (found,) = (each for each in MESSAGES if each.startswith(start))
    return found


@pytest.fixture
def town(tmp_path, monkeypatch):
    """A folder `town` with three people in each file."""
    monkeypatch.chdir(tmp_path)
    folder = Path("town")
    folder.mkdir()
    people = ["anna", "bela", "chris"]
    (folder / "edges.csv").write_text("source,target\n" + "anna,bela\n" * 15 + "bela,chris\n")
    (folder / "features.csv").write_text("node,f\n" + "".join(f"{each},1\n" for each in people))
    (folder / "labels.csv").write_text("node,label\nanna,bicycle\nbela,car\nchris,car\n")
    return folder


@pytest.mark.parametrize(
    ("start", "name", "text"),
    [
        ("edges.csv:17", "edges.csv", "source,target\n" + "anna,bela\n" * 15 + "zoe,anna\n"),
        (
            "edges.csv:3",
            "edges.csv",
            "source,target,weight\nanna,bela,2\nbela,chris,0\nanna,chris,1\nchris,anna,\n",
        ),
        ("labels.csv:1", "labels.csv", "who;label\nanna;car\n"),
        ("labels.csv:3", "labels.csv", "node,label\nanna,car\nbela,\xe9\n"),
        ("features.csv:2", "features.csv", "node,f\nanna,x\nbela,1\nchris,y\nd,2\ne,3\n"),
        ("features.csv:1", "features.csv", "node,since\nanna,2024-05-31\nbela,\nchris,\n"),
        ("labels.csv:4", "labels.csv", "node,label\nanna,1\nbela,2\nchris,1.0\n"),
    ],
)
def test_messages_about_files(start, name, text, town):
    (town / name).write_bytes(text.encode("latin-1"))
    with pytest.raises(datasets.DataError) as error:
        datasets.load("town")
    assert app._sentence(error.value).endswith(message_about(start))


def test_message_about_missing_columns(town):
    model = SimpleNamespace(feature_names=("f", "income"), num_features=2)
    with pytest.raises(RunError) as error:
        prediction.aligned_features(datasets.load("town"), model)
    assert app._sentence(error.value) == message_about("town lacks columns")


def test_message_about_a_folder_of_other_settings(town):
    (town / "split.csv").write_text("node,split\nanna,train\nbela,val\nchris,test\n")
    command = "python -m trainers.train --dataset town --nosave_model --out runs/town"
    run(Block("bash", f"{command} --max_steps 1"), whole=True)
    with pytest.raises(SettingError) as error:
        run(Block("bash", f"{command} --max_steps 1 --learning_rate 0.5"), whole=True)
    assert app._sentence(error.value) == message_about("--out must be another folder")


def test_message_about_a_split():
    error = SplitError("town", "val")
    assert app._sentence(error) == message_about("town has no val")


def test_message_about_divergence():
    error = DivergedError(float("nan"), 12, {"learning_rate": 1.0})
    assert app._sentence(error) == message_about("The loss is nan")
