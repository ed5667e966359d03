"""Statements bind values by position or by name, not by number: Python 3.14 refuses a sequence for ``?1``.

Older versions accept it silently, or warn from 3.12 on, and a test runs each statement on one version only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from farm._content import ROOT

_NUMBERED = re.compile(r"\?[1-9]")
_SQL = re.compile(r"\b(SELECT|FROM|JOIN|WHERE|SET|VALUES|LIMIT|AND)\b")


def _numbered(source: str) -> Iterator[int]:
    """Yield the line of every text in a module that looks like SQL and has a numbered parameter."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) if _NUMBERED.search(text) and _SQL.search(text):
                yield node.lineno


def test_no_statement_numbers_its_parameters() -> None:
    modules = [path for folder in ("farm", "gateway", "kernels", "contexts") for path in (ROOT / folder).rglob("*.py")]
    assert len(modules) > 100

    found = [f"{path}:{line}" for path in modules for line in _numbered(path.read_text("utf-8"))]

    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("sql = 'SELECT a FROM t WHERE b = ?1'", [1]),
        ("sql = f'SELECT a FROM {t} WHERE b = ?2'", [1]),
        ("sql = 'SELECT a FROM t WHERE b = ?'", []),
        ("pattern = '(?:x)?1'", []),
    ],
)
def test_a_numbered_parameter_is_found(source: str, lines: list[int]) -> None:
    assert list(_numbered(source)) == lines
