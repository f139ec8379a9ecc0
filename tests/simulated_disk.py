"""Simulates a disk that loses unsynced data, for tests of power cuts.

While a `SimulatedDisk` is active, file calls in its folder really happen, and the process sees
their effect. The disk also remembers what has been synced: `fsync` of a file syncs its content, and
`fsync` of a folder syncs the names in it. After every call that changes or syncs something, it
notes what a power cut at that moment could leave:

strict: only what was synced;
names: all names, but only the synced content of files;
torn: all names, and half of what was written to the files since the last sync.
"""

import builtins
import contextlib
import dataclasses
import io
import os
from pathlib import Path
from unittest import mock

WAYS = ("strict", "names", "torn")


class File:
    """A file, with the part of its content that is on the disk."""

    def __init__(self):
        self.synced = b""


class Folder:
    """A folder, with its names and the names that are on the disk."""

    def __init__(self):
        self.names, self.synced = {}, {}


@dataclasses.dataclass
class Cut:
    """What a power cut may leave: the content of each file by name, and None for a folder."""

    call: str
    way: str
    files: dict
    done: int

    def restore(self, folder):
        """Writes the files into an empty folder."""
        for name, content in sorted(self.files.items()):
            path = Path(folder, name)
            if content is None:
                path.mkdir()
            else:
                path.write_bytes(content)


class SimulatedDisk:
    """Simulates a disk as the module describes.

    The test sets `done`, the number of steps that have been reported as done.
    """

    def __init__(self, root):
        self.root, self.folder, self.cuts, self.done = Path(root), Folder(), [], 0

    @contextlib.contextmanager
    def active(self):
        real = {name: getattr(os, name) for name in ("replace", "unlink", "mkdir", "rmdir", "open")}
        real |= {"fsync": os.fsync, "ftruncate": os.ftruncate, "io_open": io.open}

        def move(source, target, **_):
            real["replace"](source, target)
            self._move(Path(source), Path(target))

        def unlink(path, *, dir_fd=None):
            real["unlink"](path, dir_fd=dir_fd)
            self._forget(_path(path, dir_fd), "unlink")

        def rmdir(path, *, dir_fd=None):
            real["rmdir"](path, dir_fd=dir_fd)
            self._forget(_path(path, dir_fd), "rmdir")

        def mkdir(path, mode=0o777, **_):
            real["mkdir"](path, mode)
            self._add(Path(path), Folder(), "mkdir")

        def fsync(handle):
            real["fsync"](handle)
            self._sync(Path(f"/proc/self/fd/{handle}").readlink())

        def ftruncate(handle, size):
            real["ftruncate"](handle, size)
            self._note("truncate")

        def opened(file, mode="r", *arguments, **options):
            result = real["io_open"](file, mode, *arguments, **options)
            if isinstance(file, int) or set(mode).isdisjoint("wax") or not self._has(Path(file)):
                return result
            if self._find(Path(file)) is None:
                self._add(Path(file), File(), "create")
            return _Watched(result, self._note)

        functions = {"replace": move, "rename": move, "unlink": unlink, "remove": unlink}
        functions |= {"rmdir": rmdir, "mkdir": mkdir, "fsync": fsync, "ftruncate": ftruncate}
        with contextlib.ExitStack() as stack:
            for name, function in functions.items():
                stack.enter_context(mock.patch.object(os, name, function))
            stack.enter_context(mock.patch.object(builtins, "open", opened))
            stack.enter_context(mock.patch.object(io, "open", opened))
            yield self

    def _has(self, path):
        return path.resolve().is_relative_to(self.root)

    def _find(self, path):
        """Finds a file or folder by name, as the process sees it; None if it does not exist."""
        found = self.folder
        for name in path.resolve().relative_to(self.root).parts:
            found = found.names.get(name)
            if found is None:
                return None
        return found

    def _add(self, path, node, call):
        if self._has(path):
            self._find(path.parent).names[path.name] = node
            self._note(f"{call} {path.name}")

    def _forget(self, path, call):
        if self._has(path.parent / "x"):
            self._find(path.parent).names.pop(path.name)
            self._note(f"{call} {path.name}")

    def _move(self, source, target):
        if self._has(target.parent / "x"):
            node = self._find(source.parent).names.pop(source.name)
            self._find(target.parent).names[target.name] = node
            self._note(f"rename {source.name} {target.name}")

    def _sync(self, path):
        if not self._has(path):
            return
        node = self._find(path)
        if isinstance(node, Folder):
            node.synced = dict(node.names)
        else:
            node.synced = path.read_bytes()
        self._note(f"fsync {path.name}")

    def _note(self, call):
        for way in WAYS:
            left = {}
            self._collect(self.folder, way, Path(), left, dict(_paths(self.folder, self.root)))
            self.cuts.append(Cut(call, way, left, self.done))

    def _collect(self, folder, way, at, left, seen):
        for name, node in (folder.synced if way == "strict" else folder.names).items():
            if isinstance(node, Folder):
                left[str(at / name)] = None
                self._collect(node, way, at / name, left, seen)
                continue
            content = node.synced
            if way == "torn" and node in seen:
                written = seen[node].read_bytes()
                if written.startswith(content):
                    content = written[: (len(content) + len(written)) // 2]
                elif written != content:
                    content = written[: len(written) // 2]
            left[str(at / name)] = content


class _Watched:
    """Wraps an open file and notes every write."""

    def __init__(self, file, note):
        self._file, self._note = file, note

    def write(self, content):
        count = self._file.write(content)
        self._note("write")
        return count

    def truncate(self, *size):
        count = self._file.truncate(*size)
        self._note("truncate")
        return count

    def close(self):
        self._file.close()
        self._note("close")

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __iter__(self):
        return iter(self._file)


def _path(path, dir_fd):
    return Path(path if dir_fd is None else Path(f"/proc/self/fd/{dir_fd}").readlink() / path)


def _paths(folder, at):
    """Yields each file with the path where the process sees it."""
    for name, node in folder.names.items():
        if isinstance(node, Folder):
            yield from _paths(node, at / name)
        else:
            yield node, at / name
