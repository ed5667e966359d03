"""Files that travel: at a folder or URL, each under the hash of its bytes, and a manifest of which belong together.

``URL/manifest.json`` is written last, so what broke off has none; ``URL/blobs/<sha256>`` are the files. The manifest
carries a hash of itself, and nothing is taken over before it and every file have been proved.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import orjson

from farm import __version__
from farm.errors import Conflict, FarmError, NotFound

FORMAT = 1
_MANIFEST = "manifest.json"
_MANIFEST_BYTES_MAX = 16 << 20
_BLOCK_BYTES = 1 << 20
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._-]*/)*[A-Za-z0-9_][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Entry:
    """One file: its name where it belongs, its size in bytes, the hash of them."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What belongs together.

    Attributes:
        kind: what it is: ``episode`` or ``world``.
        about: what is to be known of it, as JSON.
        files: its files.
    """

    kind: str
    about: dict[str, Any]
    files: tuple[Entry, ...]

    def dump(self) -> bytes:
        """Return the manifest as it is kept."""
        files = [{"name": each.name, "size": each.size, "sha256": each.sha256} for each in self.files]
        content = {"format": FORMAT, "made_by": __version__, "kind": self.kind, "about": self.about, "files": files}
        return orjson.dumps({**content, "sha256": _digest(content)}, option=orjson.OPT_INDENT_2)

    @staticmethod
    def load(raw: bytes, url: str) -> Manifest:
        """Read a manifest.

        Raises:
            FarmError: it is not what was written, or of another version.
        """
        try:
            content = orjson.loads(raw)
            told = content.pop("sha256")
            if told != _digest(content):
                raise FarmError(f"{url}/{_MANIFEST} is not what was exported; export it again")
            if content["format"] != FORMAT:
                raise FarmError(
                    f"{url} was exported by mcp-farm {content['made_by']}, which this version does not read"
                )
            files = tuple(Entry(each["name"], each["size"], each["sha256"]) for each in content["files"])
            for each in files:
                if not (_NAME.fullmatch(each.name) and _SHA256.fullmatch(each.sha256) and type(each.size) is int):
                    raise FarmError(f"{url}/{_MANIFEST} names a file '{each.name[:64]}', which is none of an export")
            return Manifest(content["kind"], content["about"], files)
        except (ValueError, KeyError, TypeError, AttributeError) as problem:
            raise FarmError(f"{url}/{_MANIFEST} is no manifest of an export ({problem})") from problem


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Place(Protocol):
    """Where exports are: a folder, or anything that fsspec reaches."""

    def exists(self, name: str) -> bool:
        """Say whether there is a file of this name."""

    def open(self, name: str, mode: str) -> IO[bytes]:
        """Open a file for reading (``rb``) or make one (``wb``)."""

    def finish(self, name: str) -> None:
        """Give a file that was written under ``NAME.part`` its name."""


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def exists(self, name: str) -> bool:
        return (self._path / name).is_file()

    def open(self, name: str, mode: str) -> IO[bytes]:
        path = self._path / name
        if mode == "wb":
            path.parent.mkdir(parents=True, exist_ok=True)
            return path.with_name(f"{path.name}.part").open("wb")
        if path.exists() and not path.is_file():  # a pipe would be waited for, for ever
            raise OSError(errno.EINVAL, f"{name} is no file")
        return path.open("rb")

    def finish(self, name: str) -> None:
        os.replace(self._path / f"{name}.part", self._path / name)


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

    def open(self, name: str, mode: str) -> IO[bytes]:
        path = f"{self._path}/{name}"
        if mode == "wb":
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        opened: IO[bytes] = self._files.open(path, mode)
        return opened

    def finish(self, name: str) -> None:
        """Do nothing: object stores show a file once it is whole."""


def place(url: str) -> Place:
    """Return a folder, or what a URL such as ``s3://bucket/path`` leads to."""
    if "://" in url and not url.startswith("file://"):
        return _Remote(url)
    return _Folder(Path(url.removeprefix("file://")).expanduser())


@contextmanager
def _as_farm_errors(url: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as gone:
        raise NotFound(f"{url} has no {gone.filename or gone}") from None
    except OSError as problem:
        raise FarmError(f"{url} cannot be used: {problem.strerror or problem}") from None


def save(url: str, kind: str, about: dict[str, Any], files: Iterable[tuple[str, Path, int]]) -> Manifest:
    """Write files and their manifest to a place.

    Args:
        url: a folder or URL.
        kind: what they are.
        about: what is to be known of them.
        files: of each its name, where it is, and how many of its bytes count.

    Raises:
        Conflict: there is an export already.
        FarmError: the place cannot be written.
    """
    url = url.rstrip("/")
    with _as_farm_errors(url):
        target = place(url)
        if target.exists(_MANIFEST):
            raise Conflict(f"{url} has an export already; choose another place, or remove it")
        entries = tuple(_put(target, name, path, size) for name, path, size in files)
        manifest = Manifest(kind, about, entries)
        _write(target, _MANIFEST, io.BytesIO(manifest.dump()))
    return manifest


def _put(target: Place, name: str, path: Path, size: int) -> Entry:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in _blocks(file, size):
            digest.update(block)
        entry = Entry(name, size, digest.hexdigest())
        blob = f"blobs/{entry.sha256}"
        if not target.exists(blob):
            file.seek(0)
            _write(target, blob, file, size)
    return entry


def _write(target: Place, name: str, source: IO[bytes], size: int | None = None) -> None:
    with target.open(name, "wb") as file:
        if size is None:
            shutil.copyfileobj(source, file)
        else:
            for block in _blocks(source, size):
                file.write(block)
    target.finish(name)


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
        NotFound: there is none.
        FarmError: it is not what was exported, or of something else.
    """
    url = url.rstrip("/")
    with _as_farm_errors(url):
        source = place(url)
        if not source.exists(_MANIFEST):
            raise NotFound(f"{url} has no {_MANIFEST}; nothing was exported there, or the export broke off")
        with source.open(_MANIFEST, "rb") as file:
            manifest = Manifest.load(file.read(_MANIFEST_BYTES_MAX), url)
    if manifest.kind != kind:
        raise FarmError(f"{url} is an export of kind '{manifest.kind}', and '{kind}' is wanted")
    return manifest


def fetch(url: str, manifest: Manifest, folder: Path) -> None:
    """Bring all files of a manifest into an empty folder, each proved by its hash.

    Raises:
        FarmError: one is missing, or not what was exported.
    """
    url = url.rstrip("/")
    with _as_farm_errors(url):
        source = place(url)
        for entry in manifest.files:
            path = folder / entry.name
            path.parent.mkdir(parents=True, exist_ok=True)
            digest, left = hashlib.sha256(), entry.size
            with source.open(f"blobs/{entry.sha256}", "rb") as blob, path.open("xb") as file:
                # One byte more than there should be is enough to know.
                while left >= 0 and (block := blob.read(min(_BLOCK_BYTES, left + 1))):
                    digest.update(block)
                    left -= len(block)
                    file.write(block)
            if left or digest.hexdigest() != entry.sha256:
                raise FarmError(f"{url}/blobs/{entry.sha256} ({entry.name}) is not what was exported; export it again")
