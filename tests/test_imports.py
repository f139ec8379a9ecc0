"""The direction of the design, as the contracts in pyproject.toml state it."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]


def test_the_contracts_of_who_imports_whom_are_kept(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert broken == 0, capsys.readouterr().out
