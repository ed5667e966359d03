"""A stand-in for Context7's API: the rows of our reference, in the shape of the real answers.

Which libraries and pieces are nearest to a question is nobody's to compare, as the real order is a model's: that it
asks of our app, and reads ids and titles back. Everything that is shown of them, and what is refused, comes from the
rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from farm.appkit.handler_api import Database, Row
from farm.testing import LocalApp
from tests.apps.context7.conftest import ids, titles
from tests.upstream.real import Asked, Reply

_SEPARATOR = "-" * 32


def backend(latest: LocalApp, older: LocalApp) -> Callable[[Asked], Reply]:
    """Return what answers the API's requests of both versions."""
    rows = latest.episode.reference

    def answer(asked: Asked) -> Reply:
        query, parts = asked.query, asked.path.split("/")[1:]
        if parts == ["v2", "libs", "search"]:
            name = query["libraryName"]
            wanted = {"query": query["query"], "libraryName": name}
            return _refused(rows, name) or _libraries(rows, latest.text("resolve-library-id", **wanted))
        if parts == ["v2", "search"]:
            name = query["query"]
            return _refused(rows, name) or _libraries(rows, older.text("resolve-library-id", libraryName=name))
        if parts == ["v2", "context"]:
            library_id = query["libraryId"]
            refused = _refused(rows, library_id) or _absent(rows, library_id)
            return refused or _documents(rows, library_id, latest.text("query-docs", **query))
        assert parts[:2] == ["v2", "docs"]
        assert (query["limit"], query["type"]) == ("10", "txt")
        library_id = "/" + "/".join(part for part in parts[3:] if part)
        wanted = {"context7CompatibleLibraryID": library_id, "mode": parts[2], "topic": query.get("topic", "")}
        refused = _refused(rows, library_id) or _absent(rows, library_id)
        return refused or _documents(
            rows, library_id, older.text("get-library-docs", page=int(query["page"]), **wanted)
        )

    return answer


def _refused(rows: Database, asked: str) -> Reply | None:
    found = rows.one("SELECT status, message FROM refusals WHERE asked = ?", asked)
    if found is None:
        return None
    said = {"error": "refused", "message": found["message"]}
    return Reply(json.dumps(said).encode() if found["message"] else b"", found["status"])


def _library_of(rows: Database, library_id: str) -> str | None:
    listed = {row["library_id"]: row["library_id"] for row in rows.all("SELECT library_id FROM libraries")}
    for row in rows.all("SELECT library_id, tag FROM versions"):
        listed |= {f"{row['library_id']}{between}{row['tag']}": row["library_id"] for between in "/@"}
    return listed.get(library_id)


def _absent(rows: Database, library_id: str) -> Reply | None:
    return Reply(b"", 404, "text/plain") if _library_of(rows, library_id) is None else None


def _libraries(rows: Database, text: str) -> Reply:
    return Reply(json.dumps({"results": [_library(rows, library_id) for library_id in ids(text)]}).encode())


def _library(rows: Database, library_id: str) -> Row:
    row = rows.one("SELECT * FROM libraries WHERE library_id = ?", library_id)
    assert row is not None
    tags = rows.all("SELECT tag FROM versions WHERE library_id = ? ORDER BY position", library_id)
    snippets = -1 if row["code_snippets"] is None else row["code_snippets"]
    shown = {"id": library_id, "title": row["title"], "description": row["description"], "totalSnippets": snippets}
    shown |= {"trustScore": row["trust_score"], "benchmarkScore": row["benchmark_score"] or 0}
    return shown | {"versions": [each["tag"] for each in tags], "state": "finalized"}


def _documents(rows: Database, library_id: str, text: str) -> Reply:
    pieces = []
    for title in titles(text):
        sql = "SELECT * FROM snippets WHERE library_id = ? AND title = ? ORDER BY position"
        found = rows.all(sql, _library_of(rows, library_id), title)
        newest = next((tag for tag in (each["tag"] for each in found) if tag and library_id.endswith(tag)), None)
        row = next(each for each in found if each["tag"] == newest or newest is None)
        lines = [f"### {title}", "", f"Source: {row['source_url']}", "", row["text"], ""]
        if row["code"] is not None:
            lines += [f"```{row['language']}", row["code"], "```", ""]
        pieces.append("\n".join([*lines, _SEPARATOR, ""]))
    return Reply("\n".join(pieces).encode(), content_type="text/plain; charset=utf-8")
