"""A stand-in for Context7's API: the rows of our reference, in the shape of the real answers.

Which libraries and pieces are nearest to a question is nobody's to compare, as the real order is a model's: that it
asks of our app, and reads ids and titles back. Everything that is shown of them, and what is refused, comes from the
rows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from farm.appkit.handler_api import Database, Row
from farm.testing import LocalApp
from tests.apps.context7.conftest import ids, said, titles
from tests.upstream.real import Asked, Reply

_SEPARATOR = "-" * 32
# The API's OpenAPI document has these messages and lengths, but for the words of Query, Library ID and the length.
_LENGTH_MAX = 500
_FORM = (
    "Invalid library ID format. Expected: `/owner/repo` for GitHub repositories, or `/<source>/<id>` for other sources"
    " (the URL path of the library on context7.com)"
)


def backend(latest: LocalApp, older: LocalApp) -> Callable[[Asked], Reply]:
    """Return what answers the API's requests of both versions."""
    rows = latest.episode.reference

    def answer(asked: Asked) -> Reply:
        query, parts = asked.query, asked.path.split("/")[1:]
        if parts == ["v2", "libs", "search"]:
            name = query["libraryName"]
            wanted = {"query": query["query"], "libraryName": name}
            if refused := _misfit({"Library name": name, "Query": query["query"]}) or _refused(rows, name):
                return refused
            shown = said(latest, "resolve-library-id", **wanted)
            nothing = f'No libraries found for "{name}". Try a different search term.'
            return _libraries(rows, shown) if ids(shown) else _error(404, nothing)
        if parts == ["v2", "search"]:
            name = query["query"]
            return _refused(rows, name) or _libraries(rows, older.text("resolve-library-id", libraryName=name))
        if parts == ["v2", "context"]:
            library_id = query["libraryId"]
            refused = _misfit({"Library ID": library_id, "Query": query["query"]})
            refused = refused or _refused(rows, library_id) or _absent(rows, library_id)
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
    return _error(found["status"], found["message"]) if found["message"] else Reply(b"", found["status"])


def _error(status: int, message: str) -> Reply:
    return Reply(json.dumps({"error": "refused", "message": message}).encode(), status)


def _misfit(given: Mapping[str, str]) -> Reply | None:
    for what, text in given.items():
        if not text:
            return _error(400, f"{what} is required")
        if len(text) > _LENGTH_MAX:
            return _error(400, f"{what} must be at most {_LENGTH_MAX} characters")
    return None


def _library_of(rows: Database, library_id: str) -> str | None:
    listed = {row["library_id"]: row["library_id"] for row in rows.all("SELECT library_id FROM libraries")}
    for row in rows.all("SELECT library_id, tag FROM versions"):
        listed |= {f"{row['library_id']}{between}{row['tag']}": row["library_id"] for between in "/@"}
    return listed.get(library_id)


def _absent(rows: Database, library_id: str) -> Reply | None:
    if _library_of(rows, library_id) is not None:
        return None
    if not re.fullmatch("/[^/]+/[^/]+([/@][^/]+)?", library_id):
        return _error(400, _FORM)
    owner, _, rest = library_id[1:].partition("/")
    name, _, tag = rest.replace("@", "/").partition("/")
    tags = [
        each["tag"]
        for each in rows.all("SELECT tag FROM versions WHERE library_id = ? ORDER BY position", f"/{owner}/{name}")
    ]
    if _library_of(rows, f"/{owner}/{name}") is None:
        return _error(
            404, f'Library "/{owner}/{name}" not found. Please check the library ID or your access permissions.'
        )
    return _error(404, f'Tag "{tag}" not found for library "/{owner}/{name}". Available tags: {", ".join(tags)}')


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
