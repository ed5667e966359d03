"""The complete DDL of a context: the engine's own tables, whose names begin with ``_``, then the app's."""

from __future__ import annotations

from typing import Protocol

from farm.appkit.table_info import SearchedTable
from farm.context import journal, scheduled_rows, search

_META = """
CREATE TABLE _meta (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seed INTEGER,
    clock_ms INTEGER,
    live INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO _meta (id) VALUES (1);
"""


class _Schema(Protocol):
    @property
    def searched(self) -> dict[str, SearchedTable]: ...

    def ddl(self) -> str: ...


def context_ddl(schema: _Schema) -> str:
    """Return the script that creates every table and index of a context; ``_search`` only if a table is searched."""
    return "\n".join(
        [_META, journal.DDL, scheduled_rows.DDL, search.DDL if schema.searched else "", schema.ddl()],
    )
