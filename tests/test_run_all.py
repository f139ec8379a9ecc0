import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def clone(tmp_path):
    """A folder with a space in its name that has the script and impossible requirements."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    shutil.copy(ROOT / "run_all.sh", folder)
    (folder / "requirements.txt").write_text("no-such-package-anywhere==1.0  # a comment\n")
    (folder / "requirements.lock").write_text(
        f"no-such-package-anywhere==1.0 --hash=sha256:{'0' * 64}\n"
    )
    return folder


def program(folder, name, text):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def run(clone, *arguments, **environment):
    settings = os.environ | {"PYTHON": sys.executable, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    return subprocess.run(
        [clone / "run_all.sh", *arguments],
        cwd=clone.parent,
        env=settings | environment,
        capture_output=True,
        text=True,
    )


def test_help(clone):
    answer = run(clone, "--help")
    assert answer.returncode == 0
    for option in ("--quick", "--test", "--python", "MIXHOP_DATA"):
        assert option in answer.stdout


def test_unknown_option_and_stray_argument(clone):
    answer = run(clone, "--fast")
    assert answer.returncode == 1
    assert "unknown option --fast" in answer.stderr
    assert "unknown option x" in run(clone, "--quick", "x").stderr
    assert "unexpected argument x" in run(clone, "--python", "x").stderr
    assert "--runs needs a value" in run(clone, "--quick", "--runs").stderr


def test_python_that_has_the_requirements_is_used_as_it_is(clone):
    (clone / "requirements.txt").write_text((ROOT / "requirements.txt").read_text())
    answer = run(clone, "--python")
    assert (answer.returncode, answer.stdout.strip()) == (0, sys.executable), answer.stderr
    assert not (clone / ".venv").exists()


def test_python_that_is_too_old_is_named(clone, tmp_path):
    old = program(
        tmp_path / "bin", "old", 'if [ "$1" = --version ]; then echo Python 3.8.18; else exit 1; fi'
    )
    answer = run(clone, PYTHON=str(old))
    assert answer.returncode == 1
    assert answer.stderr.startswith(
        f"error: Python 3.11, 3.12 or 3.13 is needed, but {old} is Python 3.8.18"
    )


def test_python_that_is_none_is_named(clone):
    assert "but /nowhere/python is not a Python" in run(clone, PYTHON="/nowhere/python").stderr


def test_called_through_a_link_it_works_where_it_lives(clone, tmp_path):
    (tmp_path / "link").symlink_to("a clone/run_all.sh")
    (clone / "requirements.txt").write_text((ROOT / "requirements.txt").read_text())
    answer = subprocess.run(
        [tmp_path / "link", "--python"],
        cwd="/",
        env=os.environ | {"PYTHON": sys.executable, "CDPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert answer.stdout.strip() == sys.executable, answer.stderr


def test_full_disk_is_told_before_anything_is_installed(clone, tmp_path):
    program(tmp_path / "bin", "df", 'echo header; echo "disk 1 1 2048 99% /"')
    answer = run(clone, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert answer.returncode == 1
    assert "the disk is full: 2 MB are free" in answer.stderr
    assert not (clone / ".venv").exists()


def test_index_out_of_reach_is_told_and_the_next_try_goes_on(clone):
    for _ in range(2):
        answer = run(clone)
        assert answer.returncode == 1
        assert "error: pip cannot reach a package index" in answer.stderr
    assert "Creating .venv" not in answer.stderr


def test_a_package_with_another_hash_is_refused(clone, tmp_path):
    name = "no_such_package_anywhere-1.0"
    with zipfile.ZipFile(tmp_path / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr("no_such_package_anywhere.py", "")
        metadata = "Metadata-Version: 2.1\nName: no-such-package-anywhere\nVersion: 1.0\n"
        wheel.writestr(f"{name}.dist-info/METADATA", metadata)
        tag = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{name}.dist-info/WHEEL", tag)
        wheel.writestr(f"{name}.dist-info/RECORD", "")
    answer = run(clone, "--python", PIP_FIND_LINKS=str(tmp_path))
    assert answer.returncode == 1
    assert "its hash differs" in answer.stderr.splitlines()[-1]


def pins(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)(?:\[\w+\])?(==[^\s;\\]+)", text, re.MULTILINE)
    return {f"{name}{version}" for name, version in found}


@pytest.mark.parametrize(
    "name",
    [f"requirements{end}" for end in ("", "-dev", "-cluster", "-metis", "-serve")],
)
def test_the_lock_file_has_every_requirement_and_a_hash_for_each_package(name):
    assert pins(f"{name}.txt")
    assert pins(f"{name}.txt") <= pins(f"{name}.lock")
    lock = (ROOT / f"{name}.lock").read_text(encoding="utf-8")
    for package in re.split(r"\n(?=\w)", lock)[1:]:
        assert "--hash=sha256:" in package, package.split()[0]
