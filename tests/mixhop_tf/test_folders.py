"""Folders are replaced atomically."""

import pytest

from mixhop_tf.folders import leftovers, replacing_folder


def test_a_folder_takes_the_place_of_what_was_there(tmp_path):
    path = tmp_path / "deep" / "served"
    for text in ("old", "new"):
        with replacing_folder(path) as folder:
            (folder / "file.txt").write_text(text)
            assert leftovers(path) == [folder.parent]
        assert (path / "file.txt").read_text() == text
    assert [each.name for each in path.parent.iterdir()] == ["served"]
    assert leftovers(path) == []


def fail_halfway(path):
    with replacing_folder(path) as folder:
        (folder / "file.txt").write_text("half")
        raise RuntimeError("halfway")


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "served"
    path.mkdir()
    (path / "file.txt").write_text("old")
    with pytest.raises(RuntimeError, match="halfway"):
        fail_halfway(path)
    assert (path / "file.txt").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["served"]
