"""The rooms of ``farm/``: which there are, and that each imports only what stands below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

FARM = Path(__file__).resolve().parents[2] / "farm"
# From the ground up: a room may import itself and any room before it. ``errors``, ``content`` and ``client`` are files.
ORDER = (
    *("errors", "_util", "appkit", "content", "context", "client", "server", "runtime", "world", "benchmark"),
    *("traverse", "testing", "connect", "cli", "__main__"),
)
LOOSE_FILES_MAX = 5


def test_every_folder_and_file_of_farm_is_a_declared_room() -> None:
    found = {path.name for path in FARM.iterdir() if (path / "__init__.py").is_file()} - {"_content"}
    files = {path.stem for path in FARM.glob("*.py")}

    assert found | files == {*ORDER, "__init__"}
    assert len(files) <= LOOSE_FILES_MAX


def test_no_room_imports_a_room_above_it() -> None:
    height = {name: at for at, name in enumerate(ORDER)}
    upward = [
        f"{path.relative_to(FARM.parent)}:{line} imports farm.{room}"
        for path in sorted(FARM.rglob("*.py"))
        if (own := path.relative_to(FARM).parts[0].removesuffix(".py")) in height
        for line, room in _imported_rooms(path)
        if height[room] > height[own]
    ]

    assert upward == []


@pytest.mark.parametrize("room", ["runtime", "server"])
def test_the_folders_of_a_room_import_each_other_in_no_circle(room: str) -> None:
    below: dict[Path, set[Path]] = {}
    for path in (FARM / room).rglob("*.py"):
        found = {_folder(module) for _, module in _imported_modules(path)}
        below.setdefault(path.parent, set()).update(each for each in found if each.is_relative_to(FARM / room))

    order = TopologicalSorter({folder: others - {folder} for folder, others in below.items()})
    order.prepare()  # CycleError names the folders of a circle


def _folder(module: str) -> Path:
    """Return the folder that an imported module, or the module of an imported name, is in."""
    path = FARM.parent.joinpath(*module.split("."))
    while not path.is_dir():
        path = path.parent
    return path


def _imported_rooms(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the room of every import of ``farm``."""
    for line, module in _imported_modules(path):
        package, _, rest = module.partition(".")
        room = rest.partition(".")[0]
        if package == "farm" and room in ORDER:
            yield line, room


def _imported_modules(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the module of every import, also those inside functions and for types alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively; rooms are named in full"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
