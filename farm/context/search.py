"""A text index that narrows a search to candidate rows; the handler decides which of them match.

For every row of a table with columns declared ``searched=True``, the index holds the n-grams ("pieces") of its texts.
The pieces of a query select the rows that may match; the handler applies the service's own rule to these rows. So the
index may return too many rows but must never miss one.

Pieces: texts are case-folded and split at all but letters and digits. Chinese, Japanese, Korean and emoji give every
pair of neighbours, other scripts every three letters, both with the shorter rest at the end of a run. A shorter query
is looked up as a prefix of a piece. So any part of a word is found, in Chinese from one character, in Latin from two.
A query without such a part (one letter, punctuation) is not narrowed.

Writes cost nothing. The index remembers up to which entry it has read the change journal. Rows changed since then count
as candidates; if there are many, the next search indexes them first. The index is part of the context's file, so
snapshots, restores and forks include it; journal and diffs do not. Pieces of old texts stay until the file is rebuilt;
they cost only an extra look at a row.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from farm._util.json_strings import strings_in
from farm.appkit.table_info import SearchedTable

# If more rows than this have changed, a search indexes them first; fewer are cheaper to scan.
PENDING_MOST = 200
# One search indexes at most this much, to stay far below the time limit of a call.
_ROWS_AT_ONCE, _CHARACTERS_AT_ONCE = 250, 30_000
# A word in more than this share of a table's rows is not used for narrowing, unless the table is small.
_COMMON, _FEW_ROWS = 1 / 3, 1000
# A longer text is not indexed, for the same reason: it is a candidate for every query.
_TEXT_MOST = 20_000
_ANY = "\ue000"  # the piece of such a text; a private character that no run contains
# SQLite's limit of nesting; the rest of a very long query would hardly narrow further.
_PIECES_MOST = 64
_PAIR, _TRIPLE = 2, 3

_WIDE = (
    "\u2600-\u27bf\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3105-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U0001f000-\U0001faff"
    "\U00020000-\U000323af"
)
_RUNS = re.compile(f"([{_WIDE}]+)|([^\\W_{_WIDE}]{{2,}})")

# No positions, sizes or texts: only the rows of a piece are needed. Pieces contain nothing that 'ascii' splits at.
DDL = """
CREATE VIRTUAL TABLE _search USING fts5(pieces, content='', columnsize=0, detail=none, tokenize='ascii');
CREATE TABLE _search_state (id INTEGER PRIMARY KEY CHECK (id = 1), journal INTEGER NOT NULL) STRICT;
INSERT INTO _search_state VALUES (1, 0);
"""


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
    """Return the FTS5 query for the rows that may contain all these words, or None if no word has a piece."""
    asked: dict[str, None] = {}
    for word in words:
        for wide, narrow in _RUNS.findall(word.casefold()):
            run, size = (wide, _PAIR) if wide else (narrow, _TRIPLE)
            if len(run) < size:
                asked[f'"{run}"*'] = None
            else:
                asked.update((f'"{run[at : at + size]}"', None) for at in range(len(run) - size + 1))
    return f'({" AND ".join(list(asked)[:_PIECES_MOST])}) OR "{_ANY}"' if asked else None


def _text(value: Any, is_json: bool) -> str:
    """Return the searchable text of a column; for JSON with escapes, also the decoded text."""
    text = "" if value is None else str(value)
    if is_json and "\\" in text and len(text) <= _TEXT_MOST:
        text = "\n".join((text, *strings_in(json.loads(text))))
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

        A row's id in the index is its rowid times the number of tables plus the number of its table.
        """
        table, number, count = self.tables[name], list(self.tables).index(name), len(self.tables)
        return (
            f'SELECT * FROM (SELECT t."{table.key}" '
            f'FROM _search s CROSS JOIN "{table.name}" t ON t.rowid = s.rowid / {count} '
            f"WHERE s._search MATCH ? AND s.rowid % {count} = {number} LIMIT ?) "
            f"UNION ALL SELECT j.key FROM _journal j {_changed_text(table)} "
            f"WHERE j.id > (SELECT journal FROM _search_state)"
        )

    def candidates(self, table: str, *words: str, most: int | None = None) -> set[str] | None:
        """Return the keys of the rows that may contain all these words, or None if a full scan is as good.

        Args:
            table: a table with searched columns.
            words: each is in any one of the searched columns, in any case.
            most: return None also if there are more rows, for lists that stop after a page. Without it, None means
                that the words are in a large share of a large table.
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
        """Return whether the query matches so many rows that narrowing would cost more than it saves."""
        (last,) = self._execute(f'SELECT max(rowid) FROM "{table}"').fetchone()
        most = max(_FEW_ROWS, int((last or 0) * _COMMON))
        # Counting reads no row: a hundred thousand take milliseconds.
        (named,) = self._execute("SELECT count(*) FROM _search WHERE _search MATCH ?", (query,)).fetchone()
        return bool(named > most)

    def _is_there(self) -> bool:
        """Return whether the context has an index; one made before its tables were searched does not."""
        if self._known is None:
            named = self._execute("SELECT 1 FROM sqlite_master WHERE name = '_search'").fetchone()
            self._known = named is not None
        return self._known

    def _catch_up(self) -> None:
        """Index the rows changed since the last time, if they are many; in the call's transaction if it has one."""
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
            # A time-out also arrives here; one in the middle of a write has ended the transaction already.
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise
        self._execute("COMMIT")

    def _index_changes(self, read: int, last: int) -> None:
        """Index the next changed rows, up to the last one or the limit of one search."""
        each = (
            f"SELECT j.id AS id, '{table.name}', j.key FROM _journal j {_changed_text(table)} WHERE j.id > :read"
            for table in self.tables.values()
        )
        sql = f"{' UNION ALL '.join(each)} ORDER BY id LIMIT {_ROWS_AT_ONCE}"
        changes = self._execute(sql, {"read": read}).fetchall()
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
        """Index every row of an unchanged context."""
        # Enough memory to write the index in one pass, without gaps in the file.
        self._configure("hashsize", 1 << 28)
        self._execute("BEGIN")
        rows: dict[int, str] = {}
        for name in self.tables:
            rows.update(self._rows(name, ""))
        self._add(rows)
        self._execute("COMMIT")
        self._configure("hashsize", 1 << 20)

    def rowids(self) -> Mapping[str, frozenset[int]]:
        """Return table → the rowids of its rows."""
        return {name: frozenset(id_ for (id_,) in self._execute(f'SELECT rowid FROM "{name}"')) for name in self.tables}

    def add_rows_besides(self, known: Mapping[str, frozenset[int]]) -> None:
        """Index the rows of an unchanged context whose rowids are not known."""
        rows: dict[int, str] = {}
        for name, now in self.rowids().items():
            for rowid in sorted(now - known[name]):
                rows.update(self._rows(name, "WHERE rowid = ?", str(rowid)))
        self._add(rows)

    def _configure(self, option: str, value: int) -> None:
        self._execute("INSERT INTO _search (_search, rank) VALUES (?, ?)", (option, value))

    def _rows(self, name: str, where: str, *values: str) -> Iterator[tuple[int, str]]:
        """Yield id and text of the rows that a condition selects."""
        table, tables = self.tables[name], list(self.tables)
        columns = ", ".join(f'"{column}"' for column in table.columns)
        shapes = [is_json for _, is_json in table.columns.values()]
        for rowid, *texts in self._execute(f'SELECT rowid, {columns} FROM "{name}" {where}', values):
            yield rowid * len(tables) + tables.index(name), "\n".join(map(_text, texts, shapes))

    def _add(self, rows: Mapping[int, str]) -> None:
        # In order of id, else FTS5 starts a segment for each; pieces are sorted, so that all files are equal.
        found = ((number, " ".join(sorted(pieces(rows[number])))) for number in sorted(rows))
        self._connection.executemany("INSERT INTO _search (rowid, pieces) VALUES (?, ?)", found)


def _changed_text(table: SearchedTable) -> str:
    """Return the join that selects the journal's rows of one table whose text has changed since.

    If a text changes back, some entries in between count as well; that costs only an extra look at a row.
    """
    moved = " OR ".join(
        f"json_extract(j.old, '$[{place}]') IS NOT t.\"{name}\"" for name, (place, _) in table.columns.items()
    )
    return (
        f'CROSS JOIN "{table.name}" t ON j."table" = \'{table.name}\' AND t."{table.key}" = j.key '
        f"AND (j.old IS NULL OR {moved})"
    )
