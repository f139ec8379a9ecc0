"""The code in README.md and docs/: found, shortened where it takes long, and run.

Every line of a ```bash block and every ```python block is run. A command that is in no table below
is an error, so that nobody can add one that is not tested.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import io
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import served_pages
from absl import flags

from trainers.cli import flag_help

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

# Commands that another check runs.
COVERED = {
    "pip install .": (".ci/wheel", "-m pip wheel"),
    "python -m pip install --require-hashes -r requirements-cluster.lock": (
        ".ci/ray",
        "-r requirements-cluster.lock",
    ),
    "export RAY_AUTH_MODE=token": ("examples/cluster.py", '"RAY_AUTH_MODE": "token"'),
    "ray get-auth-token --generate": ("examples/cluster.py", "RAY_AUTH_TOKEN"),
    "ray start --head --port 6379 --disable-usage-stats": (
        "examples/cluster.py",
        '("--head", "--port", port',
    ),
    "ray start --address 10.0.0.1:6379 --disable-usage-stats": (
        "examples/cluster.py",
        '"--address", self.address',
    ),
    # It works with large graphs alone.
    "python -m trainers.predict --model runs/town --dataset town.store --out predictions.csv "
    "--engine ray": ("tests/trainers/runs/test_block_prediction.py", "def test_parts_on_ray"),
    "python -m trainers.train --dataset cora --engine ray --workers 2": (
        "tests/trainers/cluster/test_on_ray.py",
        '"--engine", "ray", "--workers", "2"',
    ),
    "python examples/cluster.py": ("tests/test_cluster_example.py", '"cluster.py"'),
    "python -m pip install --require-hashes -r requirements-serve.lock": (
        ".ci/run",
        "-r requirements-serve.lock",
    ),
}
# Commands that need a package of an extra.
PACKAGES = {"trainers.export": "tensorflow_serving", "trainers.serve": "uvicorn"}


@dataclasses.dataclass(frozen=True)
class Shorter:
    """How a command that takes long is shortened: flags added at its end, constants replaced.

    Each figure is drawn, but written to one file, not three.
    """

    flags: str = ""
    constants: dict[str, Any] = dataclasses.field(default_factory=dict)


_FEW_STEPS = Shorter("--max_steps 2 --search 0")
_SMALL_SEARCH = Shorter(
    "--width 12 --budget columns=6 --lasso 1e-6 --runs 1 --wide_max_steps 2 --retrain_max_steps 2"
)
_ONE_LEVEL = {"trainers.cli.homophily_flags.QUICK_LEVELS": (0.9,)}

# By command: the first entry whose words all occur in the command. Runs that are on record are not
# made again, so `reproduce`, `arch_study` and `tune` on the citation graphs only read records.
SHORTER: dict[str, dict[str, Shorter]] = {
    "trainers.arch_study": {"": Shorter()},
    "trainers.atlas": {"": Shorter()},
    "trainers.convert": {"": Shorter()},
    "trainers.export": {"": Shorter()},
    "trainers.delta_ops": {"--quick": Shorter("--only synthetic --workers 1", _ONE_LEVEL)},
    "trainers.explain": {"": Shorter()},
    "trainers.explore": {"tsne": Shorter("--points 20 --explanation_mb 0.01"), "": Shorter()},
    "trainers.learn_arch": {"": _SMALL_SEARCH},
    "trainers.predict": {"": Shorter()},
    "trainers.report": {"": Shorter()},
    "trainers.reproduce": {"": Shorter()},
    "trainers.run_all": {"--quick": Shorter("--only table2")},
    "trainers.serve": {
        "": Shorter("--port 0", {"trainers.serving.server.serve": served_pages.serve_for_a_page})
    },
    "trainers.stable_arch": {"": Shorter("--searches 2 --deals 2")},
    "trainers.stats": {"": Shorter()},
    "trainers.synthetic": {
        "--quick": Shorter("--only mlp --workers 1", _ONE_LEVEL),
        "summed": Shorter(),
        "lp,deepwalk,ica": Shorter("--levels 0.2 --graphs 1 --workers 1"),
    },
    "trainers.theorem": {"": Shorter("--steps 3 --depths 1,2")},
    "trainers.train": {
        "--dataset town --out runs/town": Shorter(),  # its predictions are compared
        "--runs": Shorter("--runs 2 --workers 1 --max_steps 2 --search 0"),
        "": _FEW_STEPS,
    },
    "trainers.tune": {
        "town": Shorter("--workers 1", {"trainers.tune.ROUNDS": ((2, 1), (1, 2))}),
        "": Shorter(),
    },
    "benchmarks.batches": {"--help": Shorter()},
    "benchmarks.explain": {"--help": Shorter()},
    "benchmarks.large_graph": {"--help": Shorter()},
    "benchmarks.landscape": {"--help": Shorter()},
    "benchmarks.serving": {"--help": Shorter()},
    "benchmarks.stability": {"--help": Shorter()},
    "benchmarks.step": {"--help": Shorter()},
    "benchmarks.throughput": {"--help": Shorter()},
}

_CITATION = re.compile(r"\b(cora|citeseer|pubmed)\b")
_NEEDS_DATA = ("trainers.report", "trainers.run_all", "-m trainers.stats\n")
_BLOCK = re.compile(
    r"^(?:<!-- (?P<note>output|file: \S+) -->\n)?```(?P<language>\w+)\n(?P<code>.*?)^```",
    re.M | re.S,
)


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    `note` is `output` for what the block before prints, `file: NAME` for how a file begins.
    """

    language: str
    code: str
    note: str | None = None

    @property
    def needs_ray(self) -> bool:
        """Whether it needs the package ray."""
        return self.language == "bash" and "--engine ray" in self.code

    @property
    def needs_data(self) -> bool:
        """Whether it needs the citation graphs."""
        code = f"{self.code}\n"
        if self.language == "bash" and "--list" in code:
            return False
        return bool(_CITATION.search(code)) or any(word in code for word in _NEEDS_DATA)


def missing_packages(found: list[Block]) -> list[str]:
    """Packages that commands of a page need and that are not installed."""
    needed = {PACKAGES[name] for name in PACKAGES for block in found if name in block.code}
    return [name for name in sorted(needed) if importlib.util.find_spec(name) is None]


def blocks(page: str) -> list[Block]:
    """All blocks of a page; a bash block is divided into its commands."""
    found = []
    for match in _BLOCK.finditer(page):
        if match["language"] != "bash":
            found.append(Block(match["language"], match["code"], match["note"]))
            continue
        for line in match["code"].splitlines():
            words = shlex.split(line, comments=True)
            if words:
                found.append(Block("bash", shlex.join(words)))
    return found


def run(block: Block, *, whole: bool = False) -> str:
    """Runs a block in the current folder; what it prints. `whole` shortens nothing."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if block.language == "python":
            exec(compile(block.code, "<page>", "exec"), {"__name__": "page"})
        else:
            _run_command(shlex.split(block.code), whole)
    return printed.getvalue()


def _run_command(words: list[str], whole: bool) -> None:
    text = " ".join(words)
    if text in COVERED:
        path, part = COVERED[text]
        assert part in (ROOT / path).read_text(encoding="utf-8")
    elif words[0] == "./run_all.sh":
        check_run_all(words[1:])
    elif words[0] == "alias":
        inner = re.fullmatch(r"alias python=\$\(\./run_all\.sh (.*)\)", text)
        assert inner, f"unknown alias: {text}"
        check_run_all(inner[1].split())
    elif text == "python -m trainers":
        importlib.import_module("trainers.__main__").main([])
    elif words[0] == "curl":
        served_pages.curl(words[1:])
    elif words[0] == "saved_model_cli":
        served_pages.saved_model_cli(words)
    else:
        assert words[:2] == ["python", "-m"], f"no test knows this command: {text}"
        how = Shorter() if whole else shorter(words[2], text)
        if "--address" in words:  # that of somebody's cluster
            place = words.index("--address")
            words = [*words[:place], *words[place + 2 :]]
        with (
            contextlib.nullcontext() if whole else _replaced("trainers.plots.style.KINDS", ("svg",))
        ):
            _run_module(words[2], words[3:], how)


def shorter(module: str, text: str) -> Shorter:
    """The entry of a command in the table above."""
    for needed, entry in SHORTER.get(module, {}).items():
        if needed in text:
            return entry
    raise AssertionError(f"no test knows this command: {text}")


def check_run_all(arguments: list[str]) -> None:
    """The script accepts these arguments; tests/test_run_all.py runs it."""
    answer = subprocess.run(
        [ROOT / "run_all.sh", *arguments],
        env=os.environ | {"PYTHON": "/nowhere/python"},
        capture_output=True,
        text=True,
    )
    accepted = "--help" in arguments or "/nowhere/python is not a Python" in answer.stderr
    assert accepted, answer.stderr


def _run_module(name: str, arguments: list[str], how: Shorter) -> None:
    """Runs a command in this process, where TensorFlow has started already."""
    module = importlib.import_module(name)
    with contextlib.ExitStack() as stack:
        for constant, value in how.constants.items():
            stack.enter_context(_replaced(constant, value))
        stack.enter_context(_defined_flags(module))
        if "--help" in arguments:
            print(flag_help.help_text(module.__doc__ or ""))
            return
        flags.FLAGS([name, *arguments, *how.flags.split()])
        module.main()


def flag_names() -> set[str]:
    """The flags of all commands."""
    return {flag for name in SHORTER for flag in _flags_of(importlib.import_module(name))}


def _flags_of(module: Any) -> set[str]:
    with _defined_flags(module) as names:
        return names


@contextlib.contextmanager
def _defined_flags(module: Any):
    """Defines a command's flags for a while: absl knows each name once."""
    before = set(flags.FLAGS)
    module.define_flags()
    names = set(flags.FLAGS) - before
    try:
        yield names
    finally:
        for name in names:
            delattr(flags.FLAGS, name)
        flags.FLAGS.unparse_flags()


@contextlib.contextmanager
def _replaced(constant: str, value: Any):
    module, _, name = constant.rpartition(".")
    holder = importlib.import_module(module)
    kept = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, kept)


def same_output(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed, whatever the seconds."""
    hide = re.compile(r"\d+(\.\d+)? s\b")
    return hide.sub("… s", shown).strip() == hide.sub("… s", printed).strip()


def similar_output(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed, up to what differs between kinds of CPUs.

    Another CPU rounds in another way, so a run may end at another step, some points better or
    worse. All other words and numbers must be the same.
    """
    measured = re.compile(r"\d+\.\d+ ?%|\b0\.\d+|\bsteps? \d+( of \d+)?|\d+(\.\d+)? s\b")
    texts = [measured.sub("#", text).strip() for text in (shown, printed)]
    found = [
        [float(each) for each in re.findall(r"(\d+\.\d+) ?%", text)] for text in (shown, printed)
    ]
    return texts[0] == texts[1] and np.allclose(*found, atol=5.0)


def same_start(shown: str, content: str) -> bool:
    """Whether a file begins as shown; numbers may differ in their last digits."""
    start = "\n".join(content.splitlines()[: len(shown.splitlines())])
    number = re.compile(r"\d+\.\d+(?:e-?\d+)?|\d+e-\d+")
    values = [np.array([float(x) for x in number.findall(text)]) for text in (shown, start)]
    same_words = number.sub("#", shown).strip() == number.sub("#", start).strip()
    return same_words and np.allclose(values[0], values[1], atol=1e-3)
