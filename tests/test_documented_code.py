"""Every command and every Python block of README.md and docs/ runs, and prints what is shown.

The examples of `examples/` run here, too: one of them makes the search that two pages repeat.
"""

import itertools
import os
import re
import runpy
import shutil
import subprocess
import sys

import markdown_blocks
import pytest
import served_pages
from crm import write_crm
from markdown_blocks import PAGES, ROOT, Block
from refresh_outputs import refreshed

TEXTS = {path.name: path.read_text(encoding="utf-8") for path in PAGES}
BLOCKS = {name: markdown_blocks.blocks(text) for name, text in TEXTS.items()}
CODE = ("bash", "python")
SCORES = "runs/town/auto.json"


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """The folder of examples/csv_folder.py, before anybody moves in."""
    folder = tmp_path_factory.mktemp("example")
    source = (ROOT / "examples" / "csv_folder.py").read_text(encoding="utf-8")
    start = source.partition("\ndef run(")[0]
    (folder / "town.py").write_text(start, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["town.py", str(folder)])
        runpy.run_path(str(folder / "town.py"))
    return folder / "town"


def run_example(name, *arguments, cwd):
    """Runs an example as a user does: the project is not on the path."""
    return subprocess.run(
        [sys.executable, name, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """What examples/csv_folder.py, unchanged, prints, and its folder."""
    folder = tmp_path_factory.mktemp("town")
    script = ROOT / "examples" / "csv_folder.py"
    return run_example(script, folder / "out", cwd=folder), folder / "out"


@pytest.fixture
def world(town, example, tmp_path, monkeypatch):
    """An empty folder, except for what the pages assume: `town`, `crm`, and the records.

    The folder of the first training has the scores of the example, which makes the same search, so
    the pages do not make it again.
    """
    folder = tmp_path / "world"
    shutil.copytree(town, folder / "town")
    (folder / SCORES).parent.mkdir(parents=True)
    shutil.copy(example[1] / "model" / "auto.json", folder / SCORES)
    write_crm(folder / "crm")
    shutil.copytree(ROOT / "results" / "records", folder / "results" / "records")
    monkeypatch.chdir(folder)
    return folder


def is_slow(command):
    """Whether a command whose output is shown takes minutes."""
    return "learn_arch" in command.code


def run_page(name, world, needs_data, needs_ray=False):
    """Runs the blocks that need the citation graphs, or Ray, or those that do not."""
    printed = None
    for block, follower in itertools.pairwise([*BLOCKS[name], None]):
        shows_output = follower is not None and follower.note == "output"
        if block.language in CODE:
            printed = None
            if shows_output and block.language == "bash" and not is_slow(block):
                continue  # test_a_command_prints_what_the_page_shows runs it in full
            if block.needs_data is needs_data and block.needs_ray is needs_ray:
                printed = markdown_blocks.run(block)
            if is_slow(block):
                printed = None  # it ran shortened, so it printed something else
        elif printed is not None and block.note == "output":
            assert markdown_blocks.similar_output(block.code, printed), printed
        elif printed is not None and block.note and block.note.startswith("file: "):
            content = (world / block.note.removeprefix("file: ")).read_text(encoding="utf-8")
            assert markdown_blocks.same_start(block.code, content), content[:500]


def pages_with(needs_data, needs_ray=False):
    return [
        name
        for name, found in BLOCKS.items()
        if any(
            block.language in CODE
            and block.needs_data is needs_data
            and block.needs_ray is needs_ray
            for block in found
        )
    ]


@pytest.mark.parametrize("name", pages_with(False))
def test_the_code_of_a_page_runs(name, world):
    if missing := markdown_blocks.missing_packages(BLOCKS[name]):
        pytest.skip(f"the page needs {', '.join(missing)}")
    before = (world / SCORES).read_bytes()
    try:
        run_page(name, world, needs_data=False)
    finally:
        served_pages.stop()
    assert (world / SCORES).read_bytes() == before  # those of the same search


def test_the_karate_club(tmp_path):
    answer = run_example(ROOT / "examples" / "karate_club.py", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    shares = [int(line.split("%")[0]) for line in answer.stdout.splitlines() if "%" in line]
    assert len(shares) == 2
    assert min(shares) >= 80
    assert answer.stdout.splitlines()[-1] == "member 16 follows Mr. Hi"


def test_a_folder_of_csv_files(example):
    answer, folder = example
    assert answer.returncode == 0, answer.stderr
    assert "1 of 201 nodes are new to the model: newcomer" in answer.stdout
    assert answer.stdout.splitlines()[-1].startswith("The newcomer: newcomer,bicycle,,0.")
    assert (folder / "predictions_confusion.png").is_file()


def test_serving_needs_tensorflow_alone(example, tmp_path):
    shutil.copy(ROOT / "examples" / "serve.py", tmp_path)
    answer = run_example("serve.py", example[1] / "model" / "saved_model", cwd=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert [line.split(":")[0] for line in answer.stdout.splitlines()] == [
        f"node {i}" for i in range(4)
    ]


@pytest.mark.network
@pytest.mark.parametrize("name", pages_with(True))
def test_the_code_of_a_page_runs_on_the_citation_graphs(name, world):
    run_page(name, world, needs_data=True)


@pytest.mark.ray
@pytest.mark.parametrize(
    ("name", "needs_data"),
    [
        *((name, False) for name in pages_with(False, True)),
        *(pytest.param(name, True, marks=pytest.mark.network) for name in pages_with(True, True)),
    ],
)
@pytest.mark.usefixtures("ray_here")
def test_the_code_of_a_page_runs_on_ray(name, needs_data, world):
    run_page(name, world, needs_data, needs_ray=True)


def outputs():
    """The commands whose output is shown, with what is shown."""
    for name, found in BLOCKS.items():
        for command, shown in itertools.pairwise(found):
            if command.language == "bash" and shown.note == "output":
                slow = [pytest.mark.slow] if is_slow(command) else []
                marks = [pytest.mark.network, *slow]
                yield pytest.param(command, shown, marks=marks, id=f"{name}: {command.code}")


@pytest.mark.parametrize(("command", "shown"), list(outputs()))
def test_a_command_prints_what_the_page_shows(command, shown, world):
    printed = markdown_blocks.run(command, whole=True)
    assert markdown_blocks.similar_output(shown.code, printed), printed


def test_every_block_is_of_a_known_kind():
    kinds = {block.language for found in BLOCKS.values() for block in found}
    assert kinds <= {"bash", "python", "text", "bibtex"}
    fences = sum(len(re.findall(r"^```", text, re.MULTILINE)) for text in TEXTS.values())
    code = sum(len(re.findall(r"^```\w+$", text, re.MULTILINE)) for text in TEXTS.values())
    assert fences == 2 * code, "a block without a language is not checked"


@pytest.mark.parametrize(
    "command", ["python -m trainers.nothing", "rm -r x", "./run_all.sh --fast"]
)
def test_a_command_that_no_test_knows_is_an_error(command):
    with pytest.raises(AssertionError, match=r"no test knows|unknown option"):
        markdown_blocks.run(Block("bash", command))


def test_outputs_are_refreshed_where_they_differ():
    def page(shown):
        code = "```python\nprint('two', 2, 's')\n```"
        return f"{code}\n\n<!-- output -->\n```text\n{shown}\n```\n"

    assert refreshed(page("one 1 s")) == page("two 2 s")
    assert refreshed(page("two 3.5 s")) == page("two 3.5 s")  # only the seconds differ


def test_outputs_are_similar_if_only_measured_numbers_differ():
    shown = "9 nodes\nseed 0: test 81.5%, at step 213 of 400 (3.4 s), loss 0.61"
    similar = "9 nodes\nseed 0: test 82.1%, at step 9 of 210 (1 s), loss 0.63"
    assert markdown_blocks.similar_output(shown, similar)
    for other in (similar.replace("82.1", "71.5"), similar.replace("9 nodes", "8 nodes")):
        assert not markdown_blocks.similar_output(shown, other)


def test_the_example_of_the_readme_needs_the_library_alone():
    (example,) = (block for block in BLOCKS["README.md"] if block.language == "python")
    assert len(example.code.splitlines()) <= 15
    imported = set(re.findall(r"^(?:import|from) (\w+)", example.code, re.MULTILINE))
    assert imported == {"numpy", "mixhop_tf"}


def test_every_flag_that_a_page_names_exists():
    script = (ROOT / "run_all.sh").read_text(encoding="utf-8")
    known = markdown_blocks.flag_names() | set(re.findall(r"--(\w+)", script))
    for name, text in TEXTS.items():
        for flag in re.findall(r"`--(\w+)", text):
            assert flag in known, f"{name}: --{flag}"
