"""Counts in sentences, and that the command line has no other way to say them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from farm._util.plurals import pluralize

ROOT = Path(__file__).resolve().parents[3]
NOUNS = ("app", "call", "checkpoint", "container", "episode", "file", "line", "row", "task", "tool", "trial")


@pytest.mark.parametrize(("count", "said"), [(0, "0 calls"), (1, "1 call"), (2, "2 calls"), (1000, "1000 calls")])
def test_one_is_said_of_one_thing(count: int, said: str) -> None:
    assert pluralize(count, "call") == said


@pytest.mark.parametrize("path", sorted((ROOT / "farm" / "cli").glob("*.py")), ids=lambda path: path.name)
def test_no_command_puts_a_plural_behind_a_figure_that_may_be_one(path: Path) -> None:
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        for figure, words in zip(node.values, node.values[1:], strict=False):
            if isinstance(figure, ast.FormattedValue) and isinstance(words, ast.Constant):
                word = str(words.value).lstrip().partition(" ")[0].rstrip(".,;:)")
                if str(words.value).startswith(" ") and word.removesuffix("s") in NOUNS and word.endswith("s"):
                    found.append(ast.unparse(node))

    assert found == []
