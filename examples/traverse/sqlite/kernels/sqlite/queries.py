"""The client's SQL: each call opens the database anew, executes one statement and closes it."""

import re
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.sqlite import ClientDatabase, SqlError

from . import errors

JOURNAL = re.compile(r"pragma\s+(?:main\s*\.\s*)?journal_mode\s*(?:=\s*(\S+?)|\(\s*(\S+?)\s*\))?\s*;?\s*", re.IGNORECASE)
CHECKPOINT = re.compile(r"pragma\s+(?:main\s*\.\s*)?wal_checkpoint\b.*", re.IGNORECASE | re.DOTALL)
MAPPING = re.compile(r"pragma\s+(?:main\s*\.\s*)?mmap_size\s*(?:=\s*(-?\d+)|\(\s*(-?\d+)\s*\))?\s*;?\s*", re.IGNORECASE)
NAME = r"('(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|[^\s;]+)"
DATABASE_LIST = re.compile(r"pragma\s+(?:main\s*\.\s*)?database_list\s*;?\s*", re.IGNORECASE)
DATABASE_FILE = "/tmp/farm-traverse/state/shop.db"
FOLDERS = ("", ".", "..", "/", "/tmp")
JOURNAL_MODES = ("delete", "persist", "off", "truncate", "memory", "wal")
WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER")


def read_query(ep: Episode, *, query: str) -> Result:
    """Show the rows of a SELECT.

    Raises:
        OnlySelect: the text begins with something else.
        DatabaseFailed: SQLite refuses it.
    """
    if not query.strip().upper().startswith("SELECT"):
        raise errors.OnlySelect()
    return _execute(ep, query)


def write_query(ep: Episode, *, query: str) -> Result:
    """Execute any statement but a SELECT.

    Raises:
        NoSelect: the text begins with SELECT.
        DatabaseFailed: SQLite refuses it.
    """
    if query.strip().upper().startswith("SELECT"):
        raise errors.NoSelect()
    return _execute(ep, query)


def create_table(ep: Episode, *, query: str) -> Result:
    """Create a table.

    Raises:
        OnlyCreateTable: the text begins with something else.
        DatabaseFailed: SQLite refuses it.
    """
    if not query.strip().upper().startswith("CREATE TABLE"):
        raise errors.OnlyCreateTable()
    _execute(ep, query)
    return "Table created successfully"


def list_tables(ep: Episode) -> Result:
    """Show the names of all tables."""
    return _execute(ep, "SELECT name FROM sqlite_master WHERE type='table'")


def describe_table(ep: Episode, *, table_name: str) -> Result:
    """Show the columns of a table; the name is put into the statement as it is.

    Raises:
        DatabaseFailed: SQLite refuses the statement.
    """
    return _execute(ep, f"PRAGMA table_info({table_name})")


def append_insight(ep: Episode, *, insight: str) -> Result:
    """Add an insight to the memo."""
    ep.db.insert("insights", row_id=ep.next_number("insights", "row_id"), insight=insight)
    return "Insight added to memo"


def _execute(ep: Episode, query: str) -> str:
    if "\x00" in query:
        raise errors.DatabaseFailed(reason="the query contains a null character")
    stored = ep.db.scalar("SELECT content FROM snapshots WHERE row_id = 1")
    client = ClientDatabase(stored or "")
    first_words = _without_comments(query)
    journal = JOURNAL.fullmatch(first_words)
    if journal:
        return _journal_mode(ep, _unquoted(journal.group(1) or journal.group(2) or ""))
    mapping = MAPPING.fullmatch(first_words)
    if mapping:
        size = int(mapping.group(1) or mapping.group(2) or 0)
        return str([{"mmap_size": min(max(size, 0), 2147418112)}])
    try:
        done = client.run(query)
    except SqlError as error:
        if str(error) in ("not authorized", "authorization denied"):
            return _beyond_one_database(ep, client, stored, str(error), first_words)
        raise errors.DatabaseFailed(reason=str(error)) from error
    opens_transaction = first_words.lower().startswith(("insert", "update", "delete", "replace"))
    if query.strip().upper().startswith(WRITES):
        # The server commits before it has read what RETURNING gives.
        if opens_transaction and done.columns is not None and len(done.rows) > 0:
            raise errors.DatabaseFailed(reason="cannot commit transaction - SQL statements in progress")
        _keep(ep, client, stored)
        return str([{"affected_rows": done.rowcount if opens_transaction else -1}])
    # An open transaction that nobody commits is lost when the connection is closed; all else has committed itself.
    if not opens_transaction and not query.strip().upper().startswith("SELECT"):
        _keep(ep, client, stored)
    if done.columns is None:
        return "[]"
    if DATABASE_LIST.fullmatch(first_words):
        return str([{"seq": 0, "name": "main", "file": DATABASE_FILE}])
    if CHECKPOINT.fullmatch(first_words) and ep.db.scalar("SELECT mode FROM journals WHERE row_id = 1") == "wal":
        return str([{"busy": 0, "log": 0, "checkpointed": 0}])
    return str([_as_dictionary(list(done.columns), list(row)) for row in done.rows])


def _beyond_one_database(ep: Episode, client: ClientDatabase, stored: str | None, refusal: str, statement: str) -> str:
    """Answer what only a database in a file can do: of attached databases, nothing outlasts the connection."""
    into = re.fullmatch(r"vacuum\b.*?\binto\s+(.+?)\s*;?\s*", statement, re.IGNORECASE | re.DOTALL)
    if into:
        _require_file(_unquoted(into.group(1)))
        return "[]"
    if re.fullmatch(r"vacuum(\s+(main|'main'|\"main\"|\[main\]))?\s*;?\s*", statement, re.IGNORECASE):
        _number_anew(client)
        _keep(ep, client, stored)
        return "[]"
    if re.match(r"vacuum\b", statement, re.IGNORECASE):
        return "[]"
    attached = re.fullmatch(rf"attach\b\s*(?:database\b)?\s*(.*?)\s*\bas\s*{NAME}\s*;?\s*", statement, re.IGNORECASE | re.DOTALL)
    if attached:
        name = _unquoted(attached.group(2))
        if name.lower() in ("main", "temp"):
            raise errors.DatabaseFailed(reason=f"database {name} is already in use")
        _require_file(_unquoted(attached.group(1)))
        return "[]"
    detached = re.fullmatch(rf"detach\b\s*(?:database\b)?\s*{NAME}\s*;?\s*", statement, re.IGNORECASE)
    if detached:
        name = _unquoted(detached.group(1))
        if name.lower() in ("main", "temp"):
            raise errors.DatabaseFailed(reason=f"cannot detach database {name}")
        raise errors.DatabaseFailed(reason=f"no such database: {name}")
    raise errors.DatabaseFailed(reason=refusal)


def _require_file(file: str) -> None:
    """Refuse what no file can be made of: folders, and files in folders that are not there."""
    folder, slash, last = file.rpartition("/")
    if (file and file in FOLDERS) or (slash and (not last or folder not in FOLDERS)):
        raise errors.DatabaseFailed(reason=f"unable to open database: {file}")


def _number_anew(client: ClientDatabase) -> None:
    """Number the rows as VACUUM does: in tables that have neither an integer primary key nor an index."""
    found = client.run(
        "SELECT name FROM sqlite_master AS t WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        " AND NOT EXISTS (SELECT 1 FROM sqlite_master AS i WHERE i.type IN ('index', 'trigger') AND i.tbl_name = t.name)"
    )
    for row in found.rows:
        quoted = '"' + row[0].replace('"', '""') + '"'
        columns = [list(column) for column in client.run(f"PRAGMA table_info({quoted})").rows]
        if any(column[5] and column[2].upper() == "INTEGER" for column in columns):
            continue
        if any(column[1].lower() == "_rowid_" for column in columns):
            continue
        try:
            client.run(f"UPDATE {quoted} SET _rowid_ = (SELECT count(*) FROM {quoted} AS o WHERE o._rowid_ <= {quoted}._rowid_)")
        except SqlError:
            # A table WITHOUT ROWID has nothing to number.
            continue


def _journal_mode(ep: Episode, wanted: str) -> str:
    """Set the journal's mode and show it; "wal" alone outlasts the connection."""
    kept = ep.db.scalar("SELECT mode FROM journals WHERE row_id = 1") or "delete"
    mode = wanted.lower()
    if mode not in JOURNAL_MODES:
        return str([{"journal_mode": kept}])
    lasting = "wal" if mode == "wal" else "delete"
    if lasting != kept:
        ep.db.delete("journals", row_id=1)
        ep.db.insert("journals", row_id=1, mode=lasting)
    return str([{"journal_mode": mode}])


def _unquoted(name: str) -> str:
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"`":
        return name[1:-1].replace(name[0] * 2, name[0])
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1]
    return name


def _keep(ep: Episode, client: ClientDatabase, stored: str | None) -> None:
    try:
        content = client.dump()
    except Exception:
        # A database without any page cannot be serialized: nothing is to be kept.
        return
    if stored is None:
        ep.db.insert("snapshots", row_id=1, content=content)
    elif content != stored:
        ep.db.update("snapshots", {"row_id": 1}, content=content)


def _as_dictionary(columns: list[str], row: list[Any]) -> dict[str, Any]:
    """Return dict(sqlite3.Row): each name gives the first column that has it in any case."""
    return {name: row[_first(columns, name)] for name in columns}


def _first(columns: list[str], name: str) -> int:
    for position, other in enumerate(columns):
        if other == name or (other.isascii() and name.isascii() and other.lower() == name.lower()):
            return position
    return 0


def _without_comments(query: str) -> str:
    """Return the text from its first word on, as Python's sqlite3 looks at it."""
    rest = query
    while True:
        rest = rest.lstrip(" \t\f\n\r")
        if rest.startswith("--"):
            end = rest.find("\n")
            if end < 0:
                return ""
            rest = rest[end + 1 :]
        elif rest.startswith("/*"):
            end = rest.find("*/", 2)
            if end < 0:
                return ""
            rest = rest[end + 2 :]
        else:
            return rest
