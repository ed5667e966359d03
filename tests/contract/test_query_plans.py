"""No statement of a kernel reads all of a table that grows, unless a docstring says why.

What stands in a kernel as a constant is explained here, whoever calls it. What is put together in a call is explained
when the tests of the app make that call (``tests/apps/conftest.py``).
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from sqlalchemy import Index

from farm import content
from farm.appkit.schema import INTEGER, MetaData, Schema, column, parent, table
from tests.query_plans import EXCUSED, Explainer, explainer

from ._own import OWN

_METHODS = frozenset({"one", "all", "scalar", "execute"})


@pytest.mark.parametrize("app", OWN)
def test_no_constant_statement_reads_all_of_what_grows(app: str) -> None:
    found = []
    for module in _modules(app):
        excused = set(EXCUSED.findall(Path(str(module.__file__)).read_text("utf-8")))
        for line, sql in _statements(module):
            wide = explainer(app).findings(sql, _values(sql))
            found += [f"{module.__name__}:{line} reads all of {each}" for each in wide if each.table not in excused]

    assert not found, "\n".join(found)


def _modules(app: str) -> Iterator[ModuleType]:
    """Yield the modules of a kernel that are loaded."""
    folder = content.load_app(app).folder
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) and Path(str(module.__file__)).parent == folder:
            yield module


def _statements(module: ModuleType) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every statement that a module runs and that its own names make up."""
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="db"), attr=method), args=[sql, *_]) if (
                method in _METHODS
            ):
                try:
                    text = eval(compile(ast.Expression(sql), "<statement>", "eval"), vars(module))
                except NameError:
                    continue  # a name of the function
                yield node.lineno, text


def _values(sql: str) -> dict[str, None] | list[None]:
    """Return a value for each place of a statement."""
    named = dict.fromkeys(re.findall(r":([a-z_]\w*)", sql))
    numbers = [int(number) for number in re.findall(r"\?(\d+)", sql)]
    return named or [None] * (max(numbers) if numbers else sql.count("?"))


METADATA = MetaData()
table("accounts", METADATA, column("account_id", generation="random", primary_key=True), few=True)
table(
    "channels",
    METADATA,
    column("channel_id", generation="random", primary_key=True),
    column("account_id", parent("accounts.account_id"), generation="authentic"),
    Index("channels_account", "account_id"),
)
table(
    "messages",
    METADATA,
    column("channel_id", parent("channels.channel_id"), many=True, generation="random", primary_key=True),
    column("sent_ms", INTEGER, generation="random", time="ms", primary_key=True),
    column("root_ms", INTEGER, generation="random", time="ms"),
    column("text"),
    Index("messages_root", "channel_id", "root_ms"),
    sqlite_with_rowid=False,
)


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT * FROM accounts", []),
        ("SELECT * FROM messages", ["messages"]),
        ("SELECT * FROM messages m ORDER BY m.channel_id", ["messages"]),
        ("SELECT count(*) FROM channels WHERE account_id = ?", ["channels"]),
        ("SELECT * FROM messages WHERE channel_id = ?", ["messages"]),
        # SQLite would rather have the primary key, and go through the whole channel.
        ("SELECT * FROM messages WHERE channel_id = ? AND root_ms = ?", ["messages"]),
        ("SELECT * FROM messages INDEXED BY messages_root WHERE channel_id = ? AND root_ms = ?", []),
        ("SELECT * FROM messages WHERE channel_id = ? AND sent_ms > ?", []),
        ("SELECT * FROM messages WHERE channel_id = ? ORDER BY sent_ms DESC LIMIT ?", []),
        ("SELECT * FROM messages WHERE channel_id = ? ORDER BY text LIMIT ?", ["messages"]),
        ("SELECT 1 FROM messages WHERE channel_id = ? AND text = ? LIMIT 1", ["messages"]),
        ("SELECT coalesce(max(sent_ms), 0) + 1 FROM messages WHERE channel_id = ?", []),
        ("SELECT max(text) FROM messages WHERE channel_id = ?", ["messages"]),
        (
            "SELECT * FROM channels c WHERE EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = c.channel_id)",
            ["channels"],
        ),
        (
            "SELECT channel_id, (SELECT count(*) FROM messages m WHERE m.channel_id = c.channel_id AND text = 'a, (b')"
            " FROM channels c WHERE channel_id = ?",
            ["messages"],
        ),
        ("DELETE FROM messages WHERE text = ?", ["messages"]),
    ],
)
def test_a_statement_that_reads_all_of_what_grows_is_found(sql: str, tables: list[str]) -> None:
    found = Explainer(Schema(METADATA)).findings(sql, [None] * sql.count("?"))

    assert sorted({each.table for each in found}) == tables


def test_a_reason_in_a_docstring_names_its_table() -> None:
    assert EXCUSED.findall("Return all.\n\nReads all notes: there are no pages.\nReads all tags:\n") == ["notes"]
