"""Search: pages and data sources by the words of their titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from heapq import merge
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.stemming import strip_plural

from . import errors
from .access import Access, title_of
from .compact_view import page_title
from .databases import old_view, source_view
from .json_columns import plain_text, row_of
from .mcp_validation import sent
from .pages import page_view, properties_of
from .pagination import shorten, walk_page
from .property_values import PageValues, cells_of
from .request_validation import RequestField, body
from .request_validation import page_size as read_page_size

Body = dict[str, Any]

# So many rows are read first, and then twice as many each time.
_CHUNK, _CHUNK_MAX = 25, 1600
_NEVER = 2**62  # minutes
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def words_of(text: str) -> set[str]:
    """Return the words of a text as the search compares them: case and a plural's s do not count.

    Chinese and Japanese have no spaces, so there each character is one.
    """
    found = set()
    for word in _WORD.findall(text.casefold()):
        found |= set(_CJK.findall(word))
        found |= set(map(strip_plural, _CJK.sub(" ", word).split()))
    return found


def finder(query: str) -> Callable[[str], bool]:
    """Return what tells whether a title has any of the words asked for; in Chinese the whole of what is asked for."""
    asked = query.casefold()
    parts, words = {*asked.split()}, words_of(asked)
    if not parts:
        return lambda title: True
    if _CJK.search(asked):
        return lambda title: any(part in title.casefold() for part in parts)
    return lambda title: not words.isdisjoint(words_of(title))


def search_all(ep: Episode, given: dict[str, Any], *, is_old: bool = False) -> Body:
    """Return a page of what the integration sees and whose title fits, last edited first."""
    asked = body(**given)
    size = read_page_size(given.get("page_size"))
    asked_words = asked.at("query").or_else("`undefined`")
    query = asked_words.a("string").value if asked_words.is_there else ""
    kinds = _kinds(asked.at("filter").or_else("`undefined`"), "database" if is_old else "data_source")
    is_up = _is_ascending(asked.at("sort").or_else("`undefined`"))
    reach, is_found = Access(ep), finder(query)

    def rows_from(begin: str | None) -> Iterator[tuple[str, Row]]:
        for table, row in _by_edit(ep, kinds, begin, is_up=is_up):
            if is_found(_title(ep, table, row)) and reach.is_seen(row) and not reach.is_gone(row):
                yield table, row

    kind = "page_or_database" if is_old else "page_or_data_source"
    there, listed = walk_page(
        ep, rows_from, lambda each: str(each[1]["id"]), cursor=given.get("start_cursor"), size=size, kind=kind
    )
    return {**listed, "results": [_view(ep, reach, table, row, is_old=is_old) for table, row in there]}


def _by_edit(ep: Episode, tables: tuple[str, ...], begin: str | None, *, is_up: bool) -> Iterator[tuple[str, Row]]:
    """Yield rows with their tables in the order of a search, from the one with an id on."""
    first: Row | None = None
    if begin is not None:
        rows = (ep.db.one(f"SELECT * FROM {table} WHERE id = ?", begin) for table in tables)
        first = next((row for row in rows if row is not None), None)
        if first is None:
            return
    walks = [_edited(ep, table, first, is_up=is_up) for table in tables]
    yield from merge(*walks, key=lambda each: _place(each[1]), reverse=not is_up)


def _place(row: Row) -> tuple[int, int, str]:
    # The API rounds the time of an edit to minutes.
    return row["edited_ms"] // 60_000, row["created_ms"], row["id"]


def _edited(ep: Episode, table: str, first: Row | None, *, is_up: bool) -> Iterator[tuple[str, Row]]:
    """Yield a table's rows, with its name, in the order of a search, some at a time, from the place of ``first`` on."""
    way, beyond, place = ("ASC", ">", (-1, 0, "")) if is_up else ("DESC", "<", (_NEVER, 0, ""))
    if first is not None:
        place = _place(first)
        if ep.db.scalar(f"SELECT 1 FROM {table} WHERE id = ?", first["id"]):
            yield table, first
    size = _CHUNK
    while True:
        rows = ep.db.all(
            f"SELECT * FROM {table} WHERE edited_ms / 60000 {beyond}= :minute"
            f" AND (edited_ms / 60000, created_ms, id) {beyond} (:minute, :created_ms, :id)"
            f" ORDER BY edited_ms / 60000 {way}, created_ms {way}, id {way} LIMIT :limit",
            minute=place[0],
            created_ms=place[1],
            id=place[2],
            limit=size,
        )
        yield from ((table, row) for row in rows)
        if len(rows) < size:
            return
        place, size = _place(rows[-1]), min(size * 2, _CHUNK_MAX)


def _title(ep: Episode, table: str, row: Row) -> str:
    if table != "data_sources" or title_of(row):
        return title_of(row)
    return title_of(row_of(ep, "databases", row["database_id"]))


def _view(ep: Episode, reach: Access, table: str, row: Row, *, is_old: bool) -> Body:
    if table == "data_sources":
        if not is_old:
            return source_view(ep, reach, row)
        return old_view(ep, reach, row_of(ep, "databases", row["database_id"]))
    values = PageValues(ep, properties_of(ep, row))
    return page_view(reach, row, values, cells_of(ep, row["id"]), is_old=is_old)


def _kinds(wanted: RequestField, source: str) -> tuple[str, ...]:
    if not wanted.is_there:
        return ("pages", "data_sources")
    wanted.a("object").only("property", "value")
    wanted.at("property").one_of(("object",))
    value = wanted.at("value").one_of(("page", source)).value
    return ("pages",) if value == "page" else ("data_sources",)


def _is_ascending(sort: RequestField) -> bool:
    if not sort.is_there:
        return False
    sort.a("object").only("direction", "timestamp")
    direction = sort.at("direction").or_else("`undefined`")
    is_up = direction.is_there and direction.one_of(("ascending", "descending")).value == "ascending"
    if sort.at("timestamp").value != "last_edited_time":
        raise errors.Invalid('body.sort.timestamp should be "last_edited_time" when sorting by timestamp.')
    return is_up


def search(
    ep: Episode,
    *,
    query: str | None = None,
    filter: dict[str, Any] | None = None,
    sort: dict[str, Any] | None = None,
    start_cursor: str | None = None,
    page_size: float | None = None,
    response_mode: str | None = None,
) -> Result:
    """List pages and data sources whose titles have a word of the query."""
    asked = sent(query=query, filter=filter, sort=sort, start_cursor=start_cursor, page_size=page_size)
    return shorten(search_all(ep, asked), response_mode)


def find(
    ep: Episode,
    *,
    query: str | None = None,
    object_type: str | None = None,
    start_cursor: str | None = None,
    page_size: float | None = None,
) -> Result:
    """List the same in short, with what to call next."""
    wanted = {"property": "object", "value": object_type} if object_type else None
    listed = search_all(ep, sent(query=query, filter=wanted, start_cursor=start_cursor, page_size=page_size))
    return {
        "object": "notion_find_results",
        **({} if query is None else {"query": query}),
        "results": [_candidate(each) for each in listed["results"]],
        "next_cursor": listed["next_cursor"],
        "has_more": listed["has_more"],
    }


def _candidate(item: Body) -> Body:
    is_page = item["object"] == "page"
    title = page_title(item) if is_page else plain_text(item["title"]) or "Untitled data source"
    return {
        "object": item["object"],
        "id": item["id"],
        "title": title,
        "url": item["url"],
        "parent": item["parent"],
        "suggested_next_tool": "notion_retrieve_page" if is_page else "notion_inspect_data_source",
    }
