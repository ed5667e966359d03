"""The rooms of ``farm/``: which there are, and that each imports only what stands below it, as do a room's folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("rooms")  # each file is parsed once

FARM = Path(__file__).resolve().parents[2] / "farm"
# From the ground up: a room may import itself and any room before it. ``errors``, ``content`` and ``client`` are files.
ORDER = (
    *("errors", "_util", "appkit", "content", "context", "client", "server", "runtime", "benchmark"),
    *("world", "play", "traverse", "testing", "connect", "cli", "__main__"),
)
# Inside a room, its folders and files are ordered alike.
INNER_ORDERS: Mapping[str, Sequence[str]] = {
    "benchmark": (
        *("claim_kinds", "run_files", "tasks", "scoring", "agents", "runner", "papers", "audit", "failures", "export"),
        *("generate", "imports"),
    ),
    "traverse": (
        *("recordings", "transport", "capture", "consent", "proxy", "seeds", "discriminate", "perturb", "pool"),
        *("redact", "tree", "reconstruct", "scaffold", "fidelity", "synth"),
    ),
}
LOOSE_FILES_MAX = 5
# ``farm._content`` holds the kernels and the gateway, which import ``farm``. Only the finder of the content names it;
# the supervisor names the gateway, which it starts as a process.
CONTENT_IMPORTS = {
    ("content.py", "farm._content"),
    ("runtime/supervisor/app_process.py", "farm._content.gateway"),
}
# A module that ``import_module`` or ``python -m`` gets by its name. Names of loggers look like this as well, and are
# those of existing modules.
_MODULE_NAME = re.compile(r"farm(?:\.\w+)+")
# The old names in this file are there to be recognised, not to be imported.
_OLD_NAMES = FARM / "_util" / "renamed_words.py"


def test_every_folder_and_file_of_farm_is_a_declared_room() -> None:
    # The wheel puts the content into ``_content``; in the sources it is empty.
    found = _entries(FARM) - {"_content"}

    assert found == set(ORDER)
    assert len(list(FARM.glob("*.py"))) <= LOOSE_FILES_MAX
    assert [path.name for path in (FARM / "_content").glob("*.py")] == ["__init__.py"]


def test_no_room_imports_a_room_above_it() -> None:
    assert _upward_imports(FARM, "farm", ORDER) == []


def test_the_content_in_the_wheel_and_the_package_itself_import_no_room() -> None:
    importing = [
        f"{path.relative_to(FARM.parent)}:{line} imports {module}"
        for path in (FARM / "__init__.py", FARM / "_content" / "__init__.py")
        for line, module in _imported_modules(path)
    ]

    assert importing == []


def test_only_declared_modules_name_the_content() -> None:
    naming = {
        (path.relative_to(FARM).as_posix(), module)
        for path in sorted(FARM.rglob("*.py"))
        for _, module in _imported_modules(path)
        if f"{module}.".startswith("farm._content.")
    }

    assert naming == CONTENT_IMPORTS


@pytest.mark.parametrize("room", INNER_ORDERS)
def test_every_folder_and_file_of_a_room_is_in_its_order(room: str) -> None:
    assert _entries(FARM / room) == set(INNER_ORDERS[room])


@pytest.mark.parametrize("room", INNER_ORDERS)
def test_no_folder_of_a_room_imports_a_folder_above_it(room: str) -> None:
    assert _upward_imports(FARM / room, f"farm.{room}", INNER_ORDERS[room]) == []


@pytest.mark.parametrize("room", ["runtime", "server"])
def test_the_folders_of_a_room_import_each_other_in_no_circle(room: str) -> None:
    below: dict[Path, set[Path]] = {}
    for path in (FARM / room).rglob("*.py"):
        # The room itself is named by its loggers only: its ``__init__.py`` is empty.
        found = {_folder(module) for _, module in _imported_modules(path) if module != f"farm.{room}"}
        below.setdefault(path.parent, set()).update(each for each in found if each.is_relative_to(FARM / room))

    order = TopologicalSorter({folder: others - {folder} for folder, others in below.items()})
    order.prepare()  # CycleError names the folders of a circle


def test_the_table_of_the_architecture_names_exactly_the_rooms() -> None:
    page = (FARM.parent / "ARCHITECTURE.md").read_text("utf-8")
    table = page.partition("| room | holds |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name.removesuffix("/").removesuffix(".py") for cell in cells for name in re.findall(r"`(.+?)`", cell)]

    assert sorted(named) == sorted(set(ORDER) - {"__main__"})


@pytest.mark.parametrize(
    "source",
    [
        "import farm.cli.up",
        "from farm import cli",
        "from farm.cli import up",
        "def later():\n    from farm.cli.up import register",
        "import_module('farm.cli.up')",
        "run([sys.executable, '-m', 'farm.cli'])",
    ],
)
def test_an_import_is_found_in_every_form(source: str, tmp_path: Path) -> None:
    (tmp_path / "context").mkdir()
    (tmp_path / "context" / "files.py").write_text(source)

    assert len(_upward_imports(tmp_path, "farm", ORDER)) == 1


def _folder(module: str) -> Path:
    """Return the folder that an imported module, or the module of an imported name, is in."""
    path = FARM.parent.joinpath(*module.split("."))
    while not path.is_dir():
        path = path.parent
    return path


def _entries(folder: Path) -> set[str]:
    """Return the packages and modules directly in a package's folder."""
    packages = {path.name for path in folder.iterdir() if (path / "__init__.py").is_file()}
    return packages | {path.stem for path in folder.glob("*.py")} - {"__init__"}


def _upward_imports(folder: Path, package: str, order: Sequence[str]) -> list[str]:
    """Return a sentence for each import, in a package's modules, of a module that stands above the importing one."""
    height = {name: at for at, name in enumerate(order)}
    return [
        f"{path.relative_to(folder.parent)}:{line} imports {package}.{name}"
        for path in sorted(folder.rglob("*.py"))
        if (own := path.relative_to(folder).parts[0].removesuffix(".py")) in height
        for line, module in _imported_modules(path)
        if module.startswith(f"{package}.")
        and height.get(name := module.removeprefix(f"{package}.").partition(".")[0], -1) > height[own]
    ]


@cache
def _imported_modules(path: Path) -> tuple[tuple[int, str], ...]:
    """Return the line and the name of every imported module of ``farm``.

    Imports inside functions and for types alone count, and so does a text that is a module's name.
    """
    return (*_imports_in(path),)


def _imports_in(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} imports relatively; rooms are named in full"
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and path != _OLD_NAMES:
            modules = [node.value] if _MODULE_NAME.fullmatch(node.value) else []
        else:
            continue
        yield from ((node.lineno, module) for module in modules if f"{module}.".startswith("farm."))
