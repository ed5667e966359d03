"""Archives at a folder or URL: each file under the hash of its bytes, and a manifest that lists the files.

``URL/manifest.json`` is written last, so an interrupted export has none; ``URL/blobs/<sha256>`` are the files. The
manifest carries a hash of itself, and nothing is imported before it and every file have been verified.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

import orjson

from farm import __version__
from farm._util.sizes import files_below, format_size
from farm.errors import ConflictError, FarmError, NotFoundError

# Incremented with data_format.DATA_FORMAT if files of an episode change, so that an import misreads none.
# 1: farms up to 0.1.0.
FORMAT = 2
_MANIFEST = "manifest.json"
_MANIFEST_BYTES_MAX = 16 << 20
_BLOCK_BYTES = 1 << 20
_CHECKED_BYTES = 64 << 20  # free space is checked again after so many bytes
_SIZE_MAX = 1 << 50
_FILES_MAX = 10_000  # an episode has two for each app, and one for each earlier restore and fork
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,199}/){0,20}[A-Za-z0-9_][A-Za-z0-9._-]{0,199}")


@dataclass(frozen=True)
class Entry:
    """One file: its name, its size in bytes, and the hash of its bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The manifest of an archive.

    Attributes:
        kind: ``episode`` or ``world``.
        about: its description, as JSON.
        files: its files.
    """

    kind: str
    about: dict[str, Any]
    files: tuple[Entry, ...]

    @property
    def key(self) -> str:
        """The archive's key, by which an interrupted import finds its folder again."""
        files = [[each.name, each.size, each.sha256] for each in self.files]
        return _digest({"kind": self.kind, "about": self.about, "files": files})[:32]

    def dump(self) -> bytes:
        """Return the manifest as bytes."""
        files = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in self.files]
        content = {"format": FORMAT, "made_by": __version__, "kind": self.kind, "about": self.about, "files": files}
        return orjson.dumps({**content, "sha256": _digest(content)}, option=orjson.OPT_INDENT_2)

    @staticmethod
    def load(raw: bytes, url: str) -> Manifest:
        """Parse a manifest.

        Raises:
            FarmError: it was modified, or has another version.
        """
        try:
            content = orjson.loads(raw)
            told = content.pop("sha256")
            if told != _digest(content):
                raise FarmError(f"{url}/{_MANIFEST} is not what was exported; export it again")
            if content["format"] != FORMAT:
                made_by, number = one_line(content["made_by"]), one_line(content["format"])
                problem = f"{url} has export format {number}, and this mcp-farm reads {FORMAT}"
                raise FarmError(f"{problem}; import it with the mcp-farm that exported it ({made_by})")
            kind, about = content["kind"], content["about"]
            if type(kind) is not str or type(about) is not dict:
                raise TypeError("it does not say what it is of")
            files = tuple(Entry(each["name"], each["size"], each["sha256"]) for each in content["files"])
            _require_valid_entries(f"{url}/{_MANIFEST}", files)
            return Manifest(kind, about, files)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise FarmError(f"{url}/{_MANIFEST} is no manifest of an export ({problem})") from problem


def one_line(told: object) -> str:
    """Return text from an archive as one line for a terminal."""
    return repr(told)[:64]


def _require_valid_entries(source: str, files: Iterable[Entry]) -> None:
    """Require that files are plain names in one folder.

    Raises:
        FarmError: they are not.
    """
    sizes: dict[str, int] = {}
    names: set[str] = set()
    for each in files:
        if not (_NAME.fullmatch(each.name) and _SHA256.fullmatch(each.sha256)):
            raise FarmError(f"{source} names a file {one_line(each.name)}, which is none of an export")
        if type(each.size) is not int or not 0 <= each.size <= _SIZE_MAX:
            raise FarmError(f"{source} gives {each.name} the size {one_line(each.size)}, which no file has")
        if sizes.setdefault(each.sha256, each.size) != each.size:
            raise FarmError(f"{source} gives one file two sizes ({each.name})")
        if each.name in names:
            raise FarmError(f"{source} names {each.name} twice")
        names.add(each.name)
    if len(names) > _FILES_MAX:
        raise FarmError(f"{source} names {len(names)} files, and one export has at most {_FILES_MAX}")
    for name in names:
        above = name.rpartition("/")[0]
        while above:
            if above in names:
                raise FarmError(f"{source} has {above} as a file and as a folder")
            above = above.rpartition("/")[0]


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Storage(Protocol):
    """A location of archives: a folder, or any URL that fsspec supports."""

    def exists(self, name: str) -> bool:
        """Return whether there is a file of this name."""

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading."""

    def write(self, name: str, blocks: Iterable[bytes], *, is_new: bool = False) -> None:
        """Write a file atomically. If it must be new and exists, raise FileExistsError."""


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def exists(self, name: str) -> bool:
        return (self._path / name).is_file()

    def open(self, name: str) -> IO[bytes]:
        path = self._path / name
        if path.exists() and not path.is_file():  # opening a pipe would block forever
            raise OSError(errno.EINVAL, f"{name} is no file")
        return path.open("rb")

    def write(self, name: str, blocks: Iterable[bytes], *, is_new: bool = False) -> None:
        path = self._path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Two exports may write to one place, and neither must publish the other's unfinished file.
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.writelines(blocks)
            if is_new:
                os.link(part, path)
            else:
                os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


class _Remote:
    def __init__(self, url: str) -> None:
        try:
            import fsspec  # type: ignore[import-untyped] # it has no types
        except ImportError:
            raise FarmError(f"'{url}' needs a library; install it with: pip install 'mcp-farm[remote]'") from None
        try:
            self._files, self._path = fsspec.core.url_to_fs(url)
        except (ValueError, ImportError) as problem:
            raise FarmError(f"'{url}' cannot be reached: {problem}") from None

    def exists(self, name: str) -> bool:
        return bool(self._files.isfile(f"{self._path}/{name}"))

    def open(self, name: str) -> IO[bytes]:
        opened: IO[bytes] = self._files.open(f"{self._path}/{name}", "rb")
        return opened

    def write(self, name: str, blocks: Iterable[bytes], *, is_new: bool = False) -> None:
        """Write a file: object stores show it when it is complete; ``is_new`` is checked by this process only."""
        path = f"{self._path}/{name}"
        if is_new and self.exists(name):
            raise FileExistsError(name)
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        with self._files.open(path, "wb") as file:
            file.writelines(blocks)


def place(url: str) -> Storage:
    """Return the place of a folder, or of a URL such as ``s3://bucket/path``."""
    if "://" in url and not url.startswith("file://"):
        return _Remote(url)
    return _Folder(Path(url.removeprefix("file://")).expanduser())


def require_outside(url: str, folders: Iterable[Path]) -> None:
    """Reject a place within folders that other processes use and clean up.

    Raises:
        ConflictError: it is in one.
    """
    for folder in folders if "://" not in url or url.startswith("file://") else ():
        if Path(url.removeprefix("file://")).expanduser().resolve().is_relative_to(folder.resolve()):
            raise ConflictError(f"{url} is where the farm itself works; choose a place outside of {folder}")


@contextmanager
def _as_farm_errors(url: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as gone:
        raise NotFoundError(f"{url} has no {gone.filename or gone}") from None
    except OSError as problem:
        raise FarmError(f"{url} cannot be used: {problem.strerror or problem}") from None


def save(url: str, kind: str, about: dict[str, Any], files: Iterable[tuple[str, Path, int]]) -> Manifest:
    """Write files and their manifest to a place.

    Args:
        url: a folder or URL.
        kind: the kind of archive.
        about: its description.
        files: for each file its name, its path, and the number of its bytes that count.

    Raises:
        ConflictError: the place has an export already.
        FarmError: the place cannot be written.
    """
    url = url.rstrip("/")
    with _as_farm_errors(url):
        target = place(url)
        if target.exists(_MANIFEST):
            raise ConflictError(f"{url} has an export already; choose another place, or remove it")
        entries = tuple(_put(target, name, path, size) for name, path, size in files)
        _require_valid_entries(url, entries)
        manifest = Manifest(kind, about, entries)
        try:
            target.write(_MANIFEST, [manifest.dump()], is_new=True)
        except FileExistsError:
            raise ConflictError(f"somebody else has exported to {url} meanwhile; choose another place") from None
    return manifest


def _put(target: Storage, name: str, path: Path, size: int) -> Entry:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in _blocks(file, size):
            digest.update(block)
        entry = Entry(name, size, digest.hexdigest())
        blob = f"blobs/{entry.sha256}"
        if not target.exists(blob):
            file.seek(0)
            target.write(blob, _blocks(file, size))
    return entry


def _blocks(file: IO[bytes], size: int) -> Iterator[bytes]:
    while size:
        block = file.read(min(size, _BLOCK_BYTES))
        if not block:
            raise FarmError(f"{file.name} became shorter while it was read; export it again")
        size -= len(block)
        yield block


def load(url: str, kind: str) -> Manifest:
    """Read the manifest at a place.

    Raises:
        NotFoundError: there is no manifest.
        FarmError: it was modified, or is of another kind.
    """
    url = url.rstrip("/")
    with _as_farm_errors(url):
        source = place(url)
        if not source.exists(_MANIFEST):
            raise NotFoundError(f"{url} has no {_MANIFEST}; nothing was exported there, or the export broke off")
        with source.open(_MANIFEST) as file:
            manifest = Manifest.load(file.read(_MANIFEST_BYTES_MAX), url)
    if manifest.kind != kind:
        ways = "'farm episode import' and 'farm world import' read one each"
        raise FarmError(f"{url} is an export of kind {one_line(manifest.kind)}, and '{kind}' is wanted; {ways}")
    return manifest


CapacityCheck = Callable[[int], None]


def fetch(url: str, manifest: Manifest, folder: Path, check: CapacityCheck | None = None) -> None:
    """Download all files of a manifest into a folder and verify each hash; existing files are not downloaded again.

    Args:
        url: the place.
        manifest: the manifest of the files.
        folder: the target; other files in it are removed.
        check: called with the number of missing bytes, at first and from time to time; raises if there are too many.

    Raises:
        FarmError: a file is missing or was modified, or they do not all fit; complete files stay.
    """
    url = url.rstrip("/")
    with _as_farm_errors(str(folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        missing = _missing(manifest, folder)
        left = sum(each.size for same in missing.values() for each in same)
        checks = (partial(_require_free, folder), *((check,) if check else ()))
        for require in checks:
            require(left)
        for same in missing.values():
            left = _take(_fetched(url, same[0]), folder / same[0].name, same[0], checks, left)
            for entry in same[1:]:
                left = _take(_read_blocks(folder / same[0].name), folder / entry.name, entry, checks, left)


def _fetched(url: str, entry: Entry) -> Iterator[bytes]:
    """Yield a file's bytes after their hash is verified; never more than its size."""
    told, digest, size = f"{url}/blobs/{entry.sha256}", hashlib.sha256(), 0
    with _as_farm_errors(url), place(url).open(f"blobs/{entry.sha256}") as blob:
        # One extra byte suffices to detect a file that is too long.
        while size <= entry.size and (block := blob.read(min(_BLOCK_BYTES, entry.size - size + 1))):
            digest.update(block)
            size += len(block)
            yield block[: len(block) - max(size - entry.size, 0)]
    if size != entry.size or digest.hexdigest() != entry.sha256:
        raise FarmError(f"{told} ({entry.name}) is not what was exported; export it again")


def _read_blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            yield block


def _missing(manifest: Manifest, folder: Path) -> dict[str, list[Entry]]:
    """Return hash → its files that are missing in a folder; remove all other files from the folder."""
    wanted = {str(folder / each.name): each for each in manifest.files}
    for found in files_below(folder):
        entry = wanted.get(found.path)
        if entry is not None and found.is_file(follow_symlinks=False) and found.stat().st_size == entry.size:
            with open(found.path, "rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256:
                    del wanted[found.path]
                    continue
        os.unlink(found.path)
    missing: dict[str, list[Entry]] = {}
    for entry in wanted.values():
        missing.setdefault(entry.sha256, []).append(entry)
    return missing


def _require_free(folder: Path, size: int) -> None:
    free = shutil.disk_usage(folder).free
    if size > free:
        raise FarmError(f"{format_size(size)} are to come, and the disk of {folder} has {format_size(free)} left")


def _take(blocks: Iterator[bytes], path: Path, entry: Entry, checks: Iterable[CapacityCheck], left: int) -> int:
    """Write a file atomically; return how many bytes are still missing after it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{entry.sha256}.part")  # no name of a file begins with a dot
    next_check = left - _CHECKED_BYTES
    try:
        with part.open("wb") as file:
            for block in blocks:
                file.write(block)
                left -= len(block)
                if left < next_check:
                    next_check = left - _CHECKED_BYTES
                    for require in checks:
                        require(left)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return left
