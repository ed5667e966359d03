"""Exported files: what is written where, and what is refused before anything is imported."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import pytest

from farm import content
from farm.errors import ConflictError, FarmError, NotFoundError, QuotaExceededError
from farm.runtime.maintenance import archive
from farm.runtime.maintenance.export_import import export_world, import_world

CONTENT = {"a.0.db": b"rows", "a.0.log": b"calls", "b.0.db": b"rows"}


@pytest.fixture(params=["folder", "file", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder, by its path and by a URL; and something that only fsspec reaches."""
    names = {"folder": "", "file": "file://", "memory": "memory://"}
    return f"{names[request.param]}{tmp_path}/out/"


def write(folder: Path) -> list[tuple[str, Path, int]]:
    folder.mkdir(exist_ok=True)
    for name, data in CONTENT.items():
        (folder / name).write_bytes(data + b" and more, of later")
    return [(name, folder / name, len(data)) for name, data in CONTENT.items()]


def test_what_is_saved_is_fetched_to_the_byte_and_equal_files_are_kept_once(url: str, tmp_path: Path) -> None:
    saved = archive.save(url, "episode", {"id": "x"}, write(tmp_path / "in"))

    manifest = archive.load(url, "episode")
    archive.fetch(url, manifest, tmp_path / "back")

    assert manifest == saved
    assert {path.name: path.read_bytes() for path in (tmp_path / "back").iterdir()} == CONTENT
    assert len({each.sha256 for each in manifest.files}) == 2
    if not url.startswith("memory"):
        blobs = tmp_path / "out" / "blobs"
        assert {path.name for path in blobs.iterdir()} == {
            hashlib.sha256(each).hexdigest() for each in CONTENT.values()
        }
        assert not list((tmp_path / "out").rglob("*.part"))
    with pytest.raises(ConflictError, match="has an export already; choose another place"):
        archive.save(url, "episode", {}, [])


def altered(change: Callable[[dict[str, Any]], object], *, is_signed: bool) -> Callable[[Path], None]:
    """Change the manifest; signed: as somebody would who makes one, and not as a broken disk does."""

    def spoil(folder: Path) -> None:
        content = json.loads((folder / "manifest.json").read_bytes())
        told = content.pop("sha256")
        change(content)
        content["sha256"] = archive._digest(content) if is_signed else told
        (folder / "manifest.json").write_text(json.dumps(content))

    return spoil


def blob(data: bytes) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        (folder / "blobs" / hashlib.sha256(b"rows").hexdigest()).write_bytes(data)

    return spoil


def without_blob(folder: Path) -> None:
    (folder / "blobs" / hashlib.sha256(b"calls").hexdigest()).unlink()


def file(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: content["files"][0].update(values)


def again(values: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    return lambda content: content["files"].append({**content["files"][0], **values})


REFUSED = {
    "a changed byte": (blob(b"r0ws"), "is not what was exported; export it again"),
    "a byte too many": (blob(b"rows1"), "is not what was exported; export it again"),
    "a byte too few": (blob(b"row"), "is not what was exported; export it again"),
    "no blob": (without_blob, "has no "),
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "nothing was exported there"),
    "no JSON": (lambda folder: (folder / "manifest.json").write_text("{"), "is no manifest of an export"),
    "no object": (lambda folder: (folder / "manifest.json").write_text("[]"), "is no manifest of an export"),
    "another size": (altered(file(size=3), is_signed=False), "is not what was exported; export it again"),
    "another version": (
        altered(lambda each: each.update(format=9), is_signed=True),
        "has export format 9, and this mcp-farm reads 2",
    ),
    "something else": (
        altered(lambda each: each.update(kind="world"), is_signed=True),
        "an export of kind 'world', and 'episode' is wanted; 'farm episode import' and 'farm world import'",
    ),
    "a path upwards": (altered(file(name="../x"), is_signed=True), "which is none of an export"),
    "a path from the top": (altered(file(name="/etc/x"), is_signed=True), "which is none of an export"),
    "a hidden path": (altered(file(name="a/.ssh"), is_signed=True), "which is none of an export"),
    "a path with another script's letters": (
        altered(file(name="а.0.db"), is_signed=True),
        "which is none of an export",
    ),
    "a name that clears the screen": (altered(file(name="\x1b[2J"), is_signed=True), "which is none of an export"),
    "a line in a name": (altered(file(name="a\nb"), is_signed=True), "which is none of an export"),
    "a name longer than a disk takes": (altered(file(name="x" * 300), is_signed=True), "which is none of an export"),
    "no name": (altered(file(name=None), is_signed=True), "is no manifest of an export"),
    "a size below nothing": (altered(file(size=-(1 << 40)), is_signed=True), "the size -1099511627776, which no file"),
    "a size beyond every disk": (altered(file(size=1 << 62), is_signed=True), "which no file has"),
    "half a byte": (altered(file(size=0.5), is_signed=True), "which no file has"),
    "a name twice": (altered(again({}), is_signed=True), "names a.0.db twice"),
    "one file of two sizes": (altered(again({"name": "c.0.db", "size": 5}), is_signed=True), "one file two sizes"),
    "more files than anybody has": (
        altered(
            lambda each: each["files"].extend({**each["files"][0], "name": f"a.part{n}.log"} for n in range(10_000)),
            is_signed=True,
        ),
        "names 10003 files, and one export has at most 10000",
    ),
    "a file that is a folder": (altered(again({"name": "a.0.db/x"}), is_signed=True), "as a file and as a folder"),
    "an age that never was": (
        altered(lambda each: each.update(format=1, made_by="\x1b[2J\n1"), is_signed=True),
        r"import it with the mcp-farm that exported it ('\x1b[2J\n1')",
    ),
    "a kind that is no word": (altered(lambda each: each.update(kind=["episode"]), is_signed=True), "is no manifest"),
    "files that are none": (altered(lambda each: each.update(files=7), is_signed=True), "is no manifest of an export"),
    "JSON without a bottom": (
        lambda folder: (folder / "manifest.json").write_text('{"sha256": 1, "about": ' + "[" * 900 + "]" * 900 + "}"),
        "is no manifest of an export",
    ),
    "a hash that is a path": (altered(file(sha256="../../x"), is_signed=True), "which is none of an export"),
}


@pytest.mark.parametrize(("spoil", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_what_was_exported_is_refused(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    folder = tmp_path / "out"
    archive.save(str(folder), "episode", {}, write(tmp_path / "in"))
    spoil(folder)

    with pytest.raises(FarmError) as refused:
        archive.fetch(str(folder), archive.load(str(folder), "episode"), tmp_path / "back")

    assert message in str(refused.value)
    assert not {"\n", "\x1b"} & {*str(refused.value)}
    assert not list(tmp_path.glob("back/.*"))


class Fetches:
    """Counts what is opened at a place."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[str] = []
        self._open = archive._Folder.open
        monkeypatch.setattr(archive._Folder, "open", lambda place, name: self._opened(place, name))

    def _opened(self, place: archive._Folder, name: str) -> IO[bytes]:
        self.opened.append(name)
        return self._open(place, name)


def many(folder: Path, content: bytes, count: int) -> archive.Manifest:
    """Make a manifest that names one file many times."""
    folder.mkdir()
    (folder / "x").write_bytes(content)
    return archive.save(
        f"{folder}-out", "episode", {}, [(f"a.part{n}.log", folder / "x", len(content)) for n in range(count)]
    )


def test_what_is_named_many_times_is_fetched_once_and_counted_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest, asked = many(tmp_path / "in", b"x" * 1000, 50), list[int]()
    fetches = Fetches(monkeypatch)

    archive.fetch(f"{tmp_path}/in-out", manifest, tmp_path / "back", asked.append)

    assert fetches.opened == [f"blobs/{hashlib.sha256(b'x' * 1000).hexdigest()}"]
    assert asked[0] == 50_000
    back = [*(tmp_path / "back").iterdir()]
    assert [path.read_bytes() for path in back] == [b"x" * 1000] * 50
    # A context is written to where it lies: two must never be one file.
    assert {path.stat().st_nlink for path in back} == {1}


def test_the_limit_is_asked_before_anything_is_fetched_and_again_while_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_BLOCK_BYTES", 100)
    monkeypatch.setattr(archive, "_CHECKED_BYTES", 1000)
    manifest, asked = many(tmp_path / "in", bytes(5000), 2), list[int]()
    fetches = Fetches(monkeypatch)

    def room(size: int) -> None:
        asked.append(size)
        if len(asked) == limit:
            raise QuotaExceededError("enough")

    for limit in (1, 4):
        asked.clear()
        with pytest.raises(QuotaExceededError):
            archive.fetch(f"{tmp_path}/in-out", manifest, tmp_path / "back", room)
        assert list((tmp_path / "back").iterdir()) == []
        assert len(fetches.opened) == (limit > 1)
    assert asked == [10_000, 8900, 7800, 6700]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=9999))
    with pytest.raises(FarmError, match=r"9\.8 KiB are to come, and the disk of .*/back has 9\.8 KiB left"):
        archive.fetch(f"{tmp_path}/in-out", manifest, tmp_path / "back")


def test_a_file_that_is_longer_than_was_said_is_read_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_BLOCK_BYTES", 100)
    manifest = many(tmp_path / "in", bytes(150), 1)
    (path,) = (tmp_path / "in-out" / "blobs").iterdir()
    path.write_bytes(bytes(1 << 20))
    read: list[int] = []

    class Counted(io.FileIO):
        def read(self, size: int | None = -1, /) -> bytes:
            data = super().read(size)
            read.append(len(data))
            return data

    monkeypatch.setattr(archive._Folder, "open", lambda place, name: Counted(place._path / name))

    with pytest.raises(FarmError, match="is not what was exported"):
        archive.fetch(f"{tmp_path}/in-out", manifest, tmp_path / "back")

    assert sum(read) == 151


def test_what_is_there_and_right_is_not_fetched_again_and_what_does_not_belong_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, back, outside = f"{tmp_path}/out", tmp_path / "back", tmp_path / "outside"
    manifest = archive.save(url, "episode", {}, write(tmp_path / "in"))
    archive.fetch(url, manifest, back)
    outside.mkdir()
    (outside / "kept").touch()
    (back / "b.0.db").write_bytes(b"r0ws")
    (back / "episode.json").touch()
    (back / ".x.part").touch()
    (back / "link").symlink_to(outside)
    fetches = Fetches(monkeypatch)

    archive.fetch(url, manifest, back)

    assert fetches.opened == [f"blobs/{hashlib.sha256(b'rows').hexdigest()}"]
    assert {path.name: path.read_bytes() for path in back.iterdir()} == CONTENT
    assert (outside / "kept").exists()
    (back / "a.0.db").unlink()
    (back / "a.0.db").symlink_to(back / "b.0.db")
    archive.fetch(url, manifest, back)
    assert not (back / "a.0.db").is_symlink()


def test_two_who_export_to_one_place_at_once_never_leave_half_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, files = str(tmp_path / "out"), write(tmp_path / "in")
    put, others = archive._put, list[archive.Manifest]()

    def meanwhile(*given: Any) -> archive.Entry:
        monkeypatch.setattr(archive, "_put", put)
        others.append(archive.save(url, "episode", {"id": "theirs"}, files))
        return put(*given)

    monkeypatch.setattr(archive, "_put", meanwhile)

    with pytest.raises(ConflictError, match=r"somebody else has exported to .* meanwhile; choose another place"):
        archive.save(url, "episode", {"id": "mine"}, files)

    assert [archive.load(url, "episode")] == others
    assert not list((tmp_path / "out").rglob("*.part"))


def test_a_file_that_no_import_would_take_is_not_exported(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    with pytest.raises(FarmError, match=r"names a file '\.swp', which is none of an export"):
        archive.save(str(tmp_path / "out"), "world", {}, [(".swp", tmp_path / "x", 0)])
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_place_that_cannot_be_used_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FarmError, match=r"/file/below cannot be used: "):
        archive.save(f"{tmp_path}/file/below", "episode", {}, write(tmp_path / "in"))
    with pytest.raises(FarmError, match=r"'nothing://x' cannot be reached: "):
        archive.load("nothing://x", "episode")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(FarmError, match=r"needs a library; install it with: pip install 'mcp-farm\[remote\]'"):
        archive.load("s3://bucket/path", "episode")


def test_a_world_travels_and_is_taken_over_once(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = tmp_path / "first" / "contexts" / "worlds"
    whole = content.world_dir("harbor")
    (worlds / "isle" / "spec").mkdir(parents=True)
    (worlds / "isle" / "world.toml").write_bytes((whole / "world.toml").read_bytes())
    (worlds / "isle" / "spec" / "note.txt").write_text("x")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "first"))
    export_world("isle", url)
    with pytest.raises(ConflictError, match="there is a world 'isle' already"):
        import_world(url, tmp_path / "second")
    monkeypatch.delenv("FARM_CONTENT")

    assert import_world(url, tmp_path / "second") == "isle"

    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "second"))
    brought = content.world_dir("isle")
    assert brought.is_relative_to(tmp_path / "second")
    assert (brought / "spec" / "note.txt").read_text() == "x"
    assert [path.name for path in brought.parent.iterdir()] == ["isle"]
    with pytest.raises(NotFoundError):
        export_world("nowhere", f"{tmp_path}/other")
