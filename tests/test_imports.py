"""The direction of the design: trainers → mixhop_tf, trainers → datasets, never back or across."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = {
    "datasets": {"tensorflow", "keras", "mixhop_tf", "trainers", "absl", "matplotlib"},
    "mixhop_tf": {"datasets", "trainers", "absl", "matplotlib"},
}
FILES = [path for package in FORBIDDEN for path in sorted((ROOT / package).rglob("*.py"))]


def imported_packages(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_libraries_import_neither_each_other_nor_the_command_lines(path):
    found = set(imported_packages(path.read_text(encoding="utf-8")))
    assert not found & FORBIDDEN[path.relative_to(ROOT).parts[0]]


def test_the_check_sees_imports_inside_functions():
    assert set(
        imported_packages("def f():\n    import keras.layers\n    from absl import app")
    ) == {
        "keras",
        "absl",
    }


def test_nothing_imports_a_command_line():
    modules = {
        path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "trainers").glob("*.py")
    }
    commands = {name for name, text in modules.items() if "command_line.run(main" in text}
    assert {"train", "reproduce", "stats", "tune"} <= commands
    for name, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module == "trainers":
                assert not commands & {alias.name for alias in node.names}, name
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trainers."):
                assert node.module.split(".")[1] not in commands, name
