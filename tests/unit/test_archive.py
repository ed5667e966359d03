"""Files that travel: what is written where, and what is refused before anything is taken over."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.errors import Conflict, FarmError, NotFound
from farm.upkeep import archive
from farm.upkeep.travel import export_world, import_world

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
    with pytest.raises(Conflict, match="has an export already; choose another place"):
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
        "which this version does not read",
    ),
    "something else": (
        altered(lambda each: each.update(kind="world"), is_signed=True),
        "an export of kind 'world', and 'episode' is wanted",
    ),
    "a path upwards": (altered(file(name="../x"), is_signed=True), "which is none of an export"),
    "a path from the top": (altered(file(name="/etc/x"), is_signed=True), "which is none of an export"),
    "a hidden path": (altered(file(name="a/.ssh"), is_signed=True), "which is none of an export"),
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
    assert "\n" not in str(refused.value)


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
    with pytest.raises(Conflict, match="there is a world 'isle' already"):
        import_world(url, tmp_path / "second")
    monkeypatch.delenv("FARM_CONTENT")

    assert import_world(url, tmp_path / "second") == "isle"

    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "second"))
    brought = content.world_dir("isle")
    assert brought.is_relative_to(tmp_path / "second")
    assert (brought / "spec" / "note.txt").read_text() == "x"
    assert [path.name for path in brought.parent.iterdir()] == ["isle"]
    with pytest.raises(NotFound):
        export_world("nowhere", f"{tmp_path}/other")
