"""Explains every statement that a kernel runs, and tells which of them read rows that grow with an account.

Statements are explained on a context without rows. SQLite plans by the schema and by what ``ANALYZE`` has counted,
which nobody does here, and not by how many rows there are: the plan is the one that a hundred thousand rows get.
That was seen of all statements of Slack, Lark and Gmail with that many.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

from sqlalchemy import Column

from farm import content
from farm.appkit.handler_api import Database
from farm.appkit.schema import Schema
from farm.server import pipeline

_KERNELS = f"{content.roots()[0].folder / 'kernels'}/"
# SCAN m USING INDEX i · SEARCH m USING COVERING INDEX i (a=? AND b>?) · SEARCH m USING PRIMARY KEY (a=?)
_LOOP = re.compile(r"(SCAN|SEARCH) (\w+)(?: USING (.*?)(?:(?<!PRIMARY )INDEX (\w+)|KEY))?(?: \((.*)\))?")
_SOURCE = re.compile(r"(?:\b(?:FROM|JOIN|INTO|UPDATE)|,)\s+(\w+)(?:\s+(?:AS\s+)?(?!FROM\b)(\w+))?", re.IGNORECASE)
_PAGE = re.compile(r"\bORDER BY\b.*\bLIMIT\b", re.IGNORECASE | re.DOTALL)
_EXTREME = re.compile(r"\s*SELECT\s+(?:coalesce\()?(?:max|min)\((?:\w+\.)?(\w+)\)[^(]*\bFROM\b", re.IGNORECASE)
# Why all of a table is read, in the docstring of a function: «Reads all messages: the tool has no pages.»
EXCUSED = re.compile(r"\bReads all (\w+): \S")


@dataclass(frozen=True)
class Select:
    """One SELECT of a statement, without those in brackets within it."""

    text: str
    is_exists: bool

    def reads(self, alias: str, table: str) -> bool:
        """Whether it names a table, and by this alias."""
        return any(name == table and alias in (name, given) for name, given in _SOURCE.findall(self.text))


@dataclass(frozen=True)
class Finding:
    """A line of a plan that reads all of a table that grows, or all of a part of it that does."""

    table: str
    line: str

    def __str__(self) -> str:
        return f"{self.table}: {self.line}"


def selects(sql: str) -> Iterator[Select]:
    """Yield the SELECTs of a statement, inner ones first."""
    open_texts: list[list[str]] = [[]]
    is_select: list[bool] = []
    for piece in re.findall(r"'(?:[^']|'')*'|\(\s*(?:SELECT|WITH|VALUES)\b|[()]|[^'()]+", sql, re.IGNORECASE):
        if piece[0] == "(":
            is_select.append(len(piece) > 1)
            if is_select[-1]:
                open_texts.append([])
            open_texts[-1].append(piece[1:] if is_select[-1] else piece)
        elif piece == ")" and is_select and is_select.pop():
            text = "".join(open_texts.pop())
            yield Select(text, is_exists="".join(open_texts[-1]).rstrip().upper().endswith("EXISTS"))
        else:
            open_texts[-1].append(piece)
    yield Select("".join(open_texts[0]), is_exists=False)


class Explainer:
    """Finds what the statements of one app read."""

    def __init__(self, schema: Schema) -> None:
        self._tables = schema.metadata.tables
        # Statements come from the threads of whichever servers a test starts.
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.executescript(schema.ddl())
        # With it, a plan tells where rows are looked for that go with one that is deleted.
        self._db.execute("PRAGMA foreign_keys=ON")
        self._known: dict[str, list[Finding]] = {}

    def findings(self, sql: str, parameters: Any = ()) -> list[Finding]:
        """Return the lines of a statement's plan that read too much; none for a statement of another database."""
        if sql not in self._known:
            try:
                plan = self._db.execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
            except sqlite3.OperationalError as problem:
                if not str(problem).startswith("no such table"):
                    raise
                plan = []
            self._known[sql] = list(self._walk(sql, plan))
        return self._known[sql]

    def _walk(self, sql: str, plan: list[tuple[int, int, int, str]]) -> Iterator[Finding]:
        parts = list(selects(sql))
        for _, parent, _, line in plan:
            loop = _LOOP.fullmatch(line) or _LOOP.match(line)
            if loop is None:
                continue
            verb, alias, kind, index, terms = loop.groups()
            if verb == "SEARCH" and not terms:
                continue  # one look at the end of an index, for the smallest or the largest value
            is_sorted = not any(
                each[1] == parent and each[3] in ("USE TEMP B-TREE FOR ORDER BY", "USE TEMP B-TREE FOR GROUP BY")
                for each in plan
            )
            for table in self._tables:
                if alias == table and not terms and not any(part.reads(alias, table) for part in parts):
                    yield Finding(table, line)  # for a foreign key without an index
                for part in parts:
                    if (
                        part.reads(alias, table)
                        and (index is None or index in self._indexes(table))
                        and self._is_wide(table, kind or "", terms)
                        and not (is_sorted and (part.is_exists or _PAGE.search(part.text)))
                        and not self._is_extreme(table, part, index, terms)
                    ):
                        yield Finding(table, line)

    def _is_wide(self, table: str, kind: str, terms: str | None) -> bool:
        """Whether a loop goes through as many rows of a table as an account has of it."""
        if self._tables[table].info["few"]:
            return False
        if not terms or "AUTOMATIC" in kind:
            return True
        columns = self._tables[table].columns
        named = [columns.get(term.removesuffix("=?")) for term in terms.split(" AND ")]
        # Rows that have two owners in common are few, as are those in a range.
        owners = sum(bool(column is not None and column.foreign_keys and column.info.get("many")) for column in named)
        return owners < 2 and all(column is not None and _is_shared(column) for column in named)

    def _is_extreme(self, table: str, part: Select, index: str | None, terms: str | None) -> bool:
        """Whether it only asks for the largest or the smallest value that an index leads to."""
        extreme = _EXTREME.match(part.text)
        if extreme is None:
            return False
        columns = self._indexes(table)[index] if index else list(self._tables[table].primary_key.columns.keys())
        bound = len(terms.split(" AND ")) if terms else 0
        return columns[bound : bound + 1] == [extreme[1]]

    def _indexes(self, table: str) -> dict[str, list[str]]:
        """Return the indexes of a table by name, with the names of their columns."""
        names = [row[1] for row in self._db.execute(f"PRAGMA index_list({table})")]
        return {name: [row[2] for row in self._db.execute(f"PRAGMA index_info({name})")] for name in names}


def _is_shared(column: Column[Any]) -> bool:
    """Whether so many rows may have one value of a column as an account has of its table."""
    return bool(column.info.get("many") or any(key.column.table.info["few"] for key in column.foreign_keys))


@cache
def explainer(app: str) -> Explainer:
    """Return what explains the statements of an app."""
    return Explainer(content.load_app(app).schema)


def _frames() -> list[FrameType]:
    """Return the frames of kernels that led here, the innermost first."""
    found, frame = [], sys._getframe(1)
    while (above := frame.f_back) is not None:
        frame = above
        path = frame.f_code.co_filename
        if path.startswith(_KERNELS):
            found.append(frame)
        elif path == pipeline.__file__:
            break  # what calls handlers; above it are a server or a test, of many frames
    return found


def _excused(frames: list[FrameType]) -> set[str]:
    """Return the tables of which a docstring of these functions says why all of them is read."""
    docstrings = [frame.f_code.co_consts[0] for frame in frames if frame.f_code.co_consts]
    return {table for text in docstrings if isinstance(text, str) for table in EXCUSED.findall(text)}


def watch(note: Callable[[str], None]) -> Callable[..., None]:
    """Return a ``Database.__init__`` that has every statement of a kernel explained, and what reads too much noted."""
    original = Database.__init__

    def watched(run: Callable[..., Any]) -> Callable[..., Any]:
        def explained(sql: str, parameters: Any = ()) -> Any:
            if frames := _frames():
                path = frames[0].f_code.co_filename.removeprefix(_KERNELS)
                wide = explainer(path.split("/")[0]).findings(sql, parameters)
                excused = _excused(frames) if wide else set()
                for each in wide:
                    if each.table not in excused:
                        note(f"kernels/{path}:{frames[0].f_lineno} reads all of {each}")
            return run(sql, parameters)

        return explained

    def start(self: Database, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        self._execute = watched(self._execute)
        self._query = watched(self._query)

    return start
