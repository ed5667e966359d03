"""Finds rows by text without reading every row: an index that narrows, never decides.

The index knows, for every row of a table with columns declared ``searched=True``, the short pieces its texts are made
of. A query's pieces give the rows that may hold it; what a service calls a match stays with the handler, which looks
at those rows only. So the index may name too many rows and must never miss one.

Pieces: texts are case-folded and cut where neither letters nor digits stand. Chinese, Japanese, Korean and emoji give
every pair of neighbours, other scripts every three letters, both with the shorter rest at a run's end; a query shorter
than that is looked up as the beginning of a piece. Any part of a word is found that way, in Chinese from one character,
in Latin from two; a query without such a part (one letter, punctuation) is not narrowed.

Nothing is paid on writes. The change journal already says which rows changed, so the index only remembers how much of
it has been read: rows changed since count as found, and when they have become many, the next search indexes them first.
The index lies in the context's own file, so snapshots, restores and forks carry it; it is in no journal and no diff.
Pieces of old texts stay until the file is built anew: they cost a look at a row, nothing else.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# More changed rows than this are indexed before a search; fewer are cheaper to look at.
PENDING_MOST = 200
# One search indexes no more than this, so that it stays far from the time a call may take.
_ROWS_AT_ONCE, _CHARACTERS_AT_ONCE = 250, 30_000
# A word that stands in more than this share of a table's rows does not narrow it, unless the table is small.
_COMMON, _FEW_ROWS = 1 / 3, 1000
# A longer text is not cut into pieces, for the same reason: it counts as found whatever is asked.
_TEXT_MOST = 20_000
_ANY = "\ue000"  # the piece such a text has instead; a private character, which no run has
# SQLite nests no deeper; the rest of a very long query would hardly narrow further.
_PIECES_MOST = 64
_PAIR, _TRIPLE = 2, 3

_WIDE = (
    "\u2600-\u27bf\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3105-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U0001f000-\U0001faff"
    "\U00020000-\U000323af"
)
_RUNS = re.compile(f"([{_WIDE}]+)|([^\\W_{_WIDE}]{{2,}})")

# No positions, sizes or texts: which rows hold a piece is all that is asked. Pieces hold nothing that 'ascii' cuts at.
DDL = """
CREATE VIRTUAL TABLE _search USING fts5(pieces, content='', columnsize=0, detail=none, tokenize='ascii');
CREATE TABLE _search_state (id INTEGER PRIMARY KEY CHECK (id = 1), journal INTEGER NOT NULL) STRICT;
INSERT INTO _search_state VALUES (1, 0);
"""


@dataclass(frozen=True)
class SearchedTable:
    """A table whose text is searched: its key, and each searched column's place in a row and whether it is JSON."""

    name: str
    key: str
    columns: Mapping[str, tuple[int, bool]]


def pieces(text: str) -> set[str]:
    """Return every piece of a text."""
    if len(text) > _TEXT_MOST:
        return {_ANY}
    found: set[str] = set()
    for wide, narrow in _RUNS.findall(text.casefold()):
        if wide:
            found.update([wide[at : at + _PAIR] for at in range(len(wide))])
        else:
            found.update([narrow[at : at + _TRIPLE] for at in range(len(narrow) - 1)])
    return found


def match(*words: str) -> str | None:
    """Return the FTS5 query for the rows that may hold all these words, or None when no word has a piece to ask for."""
    asked: dict[str, None] = {}
    for word in words:
        for wide, narrow in _RUNS.findall(word.casefold()):
            run, size = (wide, _PAIR) if wide else (narrow, _TRIPLE)
            if len(run) < size:
                asked[f'"{run}"*'] = None
            else:
                asked.update((f'"{run[at : at + size]}"', None) for at in range(len(run) - size + 1))
    return f'({" AND ".join(list(asked)[:_PIECES_MOST])}) OR "{_ANY}"' if asked else None


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _strings(each)
        case dict():
            for each in value.values():
                yield from _strings(each)


def _text(value: Any, is_json: bool) -> str:
    """Return what a handler may look for in a column: its text, and of JSON with escapes what those stand for, too."""
    text = "" if value is None else str(value)
    if is_json and "\\" in text and len(text) <= _TEXT_MOST:
        text = "\n".join((text, *_strings(json.loads(text))))
    return text


class SearchIndex:
    """The index of one open context.

    Attributes:
        tables: the searched tables; their order is part of the index.
    """

    def __init__(self, connection: sqlite3.Connection, tables: Mapping[str, SearchedTable]) -> None:
        self.tables = tables
        self._connection = connection
        self._execute = connection.execute
        # Rows as plain tuples: a common word has tens of thousands.
        cursor = connection.cursor()
        cursor.row_factory = None
        self._keys = cursor.execute
        self._queries: dict[str, str] = {}
        self._known: bool | None = None

    def _query(self, name: str) -> str:
        """Return the statement for the keys of rows that match or have changed since they were indexed.

        A row's number in the index is its rowid times the number of tables plus the number of its table.
        """
        table, number, count = self.tables[name], list(self.tables).index(name), len(self.tables)
        return (
            f'SELECT * FROM (SELECT t."{table.key}" '
            f'FROM _search s CROSS JOIN "{table.name}" t ON t.rowid = s.rowid / {count} '
            f"WHERE s._search MATCH ?1 AND s.rowid % {count} = {number} LIMIT ?2) "
            f"UNION ALL SELECT j.key FROM _journal j {_changed_text(table)} "
            f"WHERE j.id > (SELECT journal FROM _search_state)"
        )

    def candidates(self, table: str, *words: str, most: int | None = None) -> set[str] | None:
        """Return the keys of the rows that may hold all these words, or None when reading every row is as good.

        Args:
            table: a table with searched columns.
            words: each stands in any one of the searched columns, whatever the case.
            most: None as well when there are more, for those who stop after a page anyway; otherwise only when the
                words are in a great share of a large table.
        """
        query = match(*words)
        if query is None or not self._is_there():
            return None
        self._catch_up()
        if most is None and self._is_common(table, query):
            return None
        if table not in self._queries:
            self._queries[table] = self._query(table)
        rows = self._keys(self._queries[table], (query, -1 if most is None else most + 1)).fetchall()
        found = {key for (key,) in rows}
        return None if most is not None and len(found) > most else found

    def _is_common(self, table: str, query: str) -> bool:
        """Whether the index names so many rows that narrowing by them would cost more than it spares."""
        (last,) = self._execute(f'SELECT max(rowid) FROM "{table}"').fetchone()
        most = max(_FEW_ROWS, int((last or 0) * _COMMON))
        # Counting looks at no row: a hundred thousand take milliseconds.
        (named,) = self._execute("SELECT count(*) FROM _search WHERE _search MATCH ?", (query,)).fetchone()
        return bool(named > most)

    def _is_there(self) -> bool:
        """Whether the context has an index; one made before there was any has not."""
        if self._known is None:
            named = self._execute("SELECT 1 FROM sqlite_master WHERE name = '_search'").fetchone()
            self._known = named is not None
        return self._known

    def _catch_up(self) -> None:
        """Index the rows changed since the last time, if they are many; in the call's transaction when it has one."""
        (last,) = self._execute("SELECT max(id) FROM _journal").fetchone()
        (read,) = self._execute("SELECT journal FROM _search_state").fetchone()
        if (last or 0) - read <= PENDING_MOST:
            return
        if self._connection.in_transaction:
            self._index_changes(read, last)
            return
        self._execute("BEGIN")
        try:
            self._index_changes(read, last)
        except BaseException:
            # A cut arrives here too, and has ended the transaction already when it came in the middle of a write.
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise
        self._execute("COMMIT")

    def _index_changes(self, read: int, last: int) -> None:
        """Index the next changed rows, up to the last one or as many as one search can bear."""
        each = (
            f"SELECT j.id AS id, '{table.name}', j.key FROM _journal j {_changed_text(table)} WHERE j.id > ?1"
            for table in self.tables.values()
        )
        sql = f"{' UNION ALL '.join(each)} ORDER BY id LIMIT {_ROWS_AT_ONCE}"
        changes = self._execute(sql, (read,)).fetchall()
        done = changes[-1][0] if len(changes) == _ROWS_AT_ONCE else last
        rows: dict[int, str] = {}
        characters = 0
        for id_, name, key in changes:
            for number, text in self._rows(name, f'WHERE "{self.tables[name].key}" = ?', key):
                rows[number] = text
                characters += min(len(text), _TEXT_MOST)
            if characters > _CHARACTERS_AT_ONCE:
                done = id_
                break
        self._add(rows)
        self._execute("UPDATE _search_state SET journal = ?", (done,))

    def build(self) -> None:
        """Index every row of a context that nobody has changed yet."""
        # As much memory as it takes, so that the index is written once and leaves no gaps in the file.
        self._configure("hashsize", 1 << 28)
        self._execute("BEGIN")
        rows: dict[int, str] = {}
        for name in self.tables:
            rows.update(self._rows(name, ""))
        self._add(rows)
        self._execute("COMMIT")
        self._configure("hashsize", 1 << 20)

    def _configure(self, option: str, value: int) -> None:
        self._execute("INSERT INTO _search (_search, rank) VALUES (?, ?)", (option, value))

    def _rows(self, name: str, where: str, *values: str) -> Iterator[tuple[int, str]]:
        """Yield number and text of the rows a condition selects."""
        table, tables = self.tables[name], list(self.tables)
        columns = ", ".join(f'"{column}"' for column in table.columns)
        shapes = [is_json for _, is_json in table.columns.values()]
        for rowid, *texts in self._execute(f'SELECT rowid, {columns} FROM "{name}" {where}', values):
            yield rowid * len(tables) + tables.index(name), "\n".join(map(_text, texts, shapes))

    def _add(self, rows: Mapping[int, str]) -> None:
        # In order of number, or FTS5 starts a segment for each; pieces sorted, so that every process writes one file.
        found = ((number, " ".join(sorted(pieces(rows[number])))) for number in sorted(rows))
        self._connection.executemany("INSERT INTO _search (rowid, pieces) VALUES (?, ?)", found)


def _changed_text(table: SearchedTable) -> str:
    """Return the join that leaves of the journal's rows those of one table whose text is not what it was then.

    Should a text come back, some entries between count as well; that costs a look at a row, nothing else.
    """
    moved = " OR ".join(
        f"json_extract(j.old, '$[{place}]') IS NOT t.\"{name}\"" for name, (place, _) in table.columns.items()
    )
    return (
        f'CROSS JOIN "{table.name}" t ON j."table" = \'{table.name}\' AND t."{table.key}" = j.key '
        f"AND (j.old IS NULL OR {moved})"
    )
