"""Which code may import which libraries, and what the repository promises of itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Agent frameworks pin other versions of these: whoever writes tasks or drives a farm must not need them.
FREE_OF_MCP = (
    "farm.benchmark.tasks",
    "farm.benchmark.scoring.grade",
    "farm.benchmark.scoring.metrics",
    "farm.benchmark.audit.audit",
    "farm.world",
    "farm.client",
    "farm.content",
    "farm.context.store",
    "farm.testing",
    "gateway.judge_process",  # speaks to apps' control endpoints only; with the library it takes twice as long to start
)


@pytest.mark.parametrize("module", FREE_OF_MCP)
def test_task_world_and_client_code_imports_no_mcp_library(module: str) -> None:
    code = (
        f"import sys, {module}; print([m for m in sys.modules if m.split('.')[0] in ('mcp', 'mcp_types', 'fastmcp')])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    code = "import sys, farm.cli; print([m for m in ('mcp', 'fastmcp', 'sqlalchemy', 'aiohttp') if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def modules() -> dict[str, Path]:
    """Return the modules of the farm and the gateway."""
    found = {}
    for package in ("farm", "gateway"):
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(name: str, path: Path, known: Collection[str]) -> Iterator[str]:
    """Yield the modules that a module imports, in its functions, too; what only type checkers read is left out."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    tests = (each for each in nodes if isinstance(each, ast.If))
    for_types = {id(line) for each in tests if ast.unparse(each.test) == "TYPE_CHECKING" for line in each.body}
    for each in nodes:
        if id(each) in for_types:
            continue
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names if alias.name in known)
        elif isinstance(each, ast.ImportFrom):
            above = ".".join(package.split(".")[: len(package.split(".")) + 1 - each.level]) if each.level else ""
            base = ".".join(filter(None, (above, each.module)))
            for alias in each.names:
                inner = f"{base}.{alias.name}"
                yield from (module for module in [inner if inner in known else base] if module in known)


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = modules()
    graph = {name: {*imported(name, path, known)} - {name} for name, path in known.items()}

    assert graph["farm.benchmark.scoring.grade"] >= {"farm.benchmark.tasks", "farm.benchmark.scoring.damage"}
    assert graph["gateway.episodes"] >= {"gateway.merge_trace", "farm.context.trace"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_what_a_task_is_knows_nothing_of_how_it_is_judged() -> None:
    known = modules()
    below = {
        name: {*imported(name, path, known)} for name, path in known.items() if name.startswith("farm.benchmark.tasks")
    }

    assert {name for name, found in below.items() if any(_judges(each) for each in found)} == set()


def _judges(module: str) -> bool:
    """Whether a module is part of judging; the kinds of claims are declared beside what reads them."""
    return module.startswith("farm.benchmark.scoring") and not module.startswith("farm.benchmark.scoring.claims")
