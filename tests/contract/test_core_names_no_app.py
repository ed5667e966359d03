"""The farm serves whatever apps there are: its own code says the name of none."""

from __future__ import annotations

import ast
from pathlib import Path

from farm import content

ROOT = Path(__file__).resolve().parents[2]
# The bench measures named apps.
CORE = [path for part in ("farm", "gateway") for path in (ROOT / part).rglob("*.py") if "bench" not in path.parts]


def test_no_text_of_the_core_is_an_app_s_name() -> None:
    apps = set(content.app_names())

    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path in CORE
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in apps
    ]

    assert named == []
