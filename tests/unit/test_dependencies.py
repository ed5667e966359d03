"""Every package that the farm imports is one that pyproject.toml declares, and the lock file pins."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("farm", "gateway", "kernels", "contexts")


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _names(requirements: list[str]) -> set[str]:
    return {_normalised(re.split(r"[\[<>=!~; ]", each)[0]) for each in requirements}


def _imported() -> set[str]:
    modules: set[str] = set()
    for path in (each for folder in FOLDERS for each in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {each.name.split(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                modules.add(node.module.split(".")[0])
    return modules - sys.stdlib_module_names - set(FOLDERS)


def test_what_the_farm_imports_is_declared_and_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = _names([*project["dependencies"], *extras["docker"], *extras["remote"]])
    # Ray is large, and only tests of harnesses install it, in an environment of their own.
    unpinned = _names(extras["ray"])
    pinned = _names((ROOT / "requirements.lock").read_text("utf-8").split())
    distributions = packages_distributions()

    # A distribution may bring its modules through another one, as fastmcp does through fastmcp-slim.
    brought = {each: {_normalised(name) for name in (each, *distributions.get(each, ()))} for each in _imported()}
    assert {each for each, names in brought.items() if not names & (declared | unpinned)} == set()
    assert declared - pinned == set()
