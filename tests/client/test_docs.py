"""The script on docs/harnesses.md runs as it stands there, and the client needs nothing but the standard library."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "plugins" / "client"


def test_the_script_of_the_page_runs(address: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "harnesses.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (script,) = [each for each in blocks if "mcp_farm_client" in each]
    monkeypatch.setenv("FARM_URL", address["url"])
    monkeypatch.setenv("FARM_TOKEN", address["token"])
    names: dict[str, Any] = {}

    exec(script, names)

    assert names["line"]["task"] == names["cards"][0].task.removeprefix("demo/")
    assert names["line"]["usage"]["prompt_tokens"] == 900


def test_the_client_needs_nothing_else() -> None:
    declared = tomllib.loads((CLIENT / "pyproject.toml").read_text("utf-8"))["project"]
    imported = set()
    for path in (CLIENT / "mcp_farm_client").glob("*.py"):
        for each in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(each, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in each.names}
            elif isinstance(each, ast.ImportFrom) and not each.level:
                imported.add((each.module or "").partition(".")[0])

    assert declared["dependencies"] == []
    assert imported <= sys.stdlib_module_names
