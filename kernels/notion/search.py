"""Search: pages and data sources by the words of their titles."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from farm.formats.words import singular
from farm.kernel import Episode, Result, Row

from . import errors
from .access import Reach, title_of
from .bodies import Place, body
from .bodies import page_size as read_page_size
from .compact import page_title
from .databases import old_view, source_view
from .lists import page_of, shorten
from .pages import page_view, properties_of
from .property_values import PageValues, cells_of
from .server import sent
from .stored import plain, row_of

Body = dict[str, Any]

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def words_of(text: str) -> set[str]:
    """Return the words of a text as the search compares them: case and a plural's s do not count.

    Chinese and Japanese have no spaces, so there each character is one.
    """
    found = set()
    for word in _WORD.findall(text.casefold()):
        found |= set(_CJK.findall(word))
        found |= set(map(singular, _CJK.sub(" ", word).split()))
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
    reach, is_found = Reach(ep), finder(query)
    found: list[tuple[str, Row]] = []
    for table in kinds:
        rows = ep.db.all(f"SELECT * FROM {table} ORDER BY id")
        found += [
            (table, row)
            for row in rows
            if is_found(_title(ep, table, row)) and reach.is_seen(row) and not reach.is_gone(row)
        ]
    found.sort(
        key=lambda each: (each[1]["edited_ms"] // 60_000, each[1]["created_ms"], each[1]["id"]), reverse=not is_up
    )
    keys = [row["id"] for _, row in found]
    kind = "page_or_database" if is_old else "page_or_data_source"
    there, listed = page_of(ep, found, keys, cursor=given.get("start_cursor"), size=size, kind=kind)
    return {**listed, "results": [_view(ep, reach, table, row, is_old=is_old) for table, row in there]}


def _title(ep: Episode, table: str, row: Row) -> str:
    if table != "data_sources" or title_of(row):
        return title_of(row)
    return title_of(row_of(ep, "databases", row["database_id"]))


def _view(ep: Episode, reach: Reach, table: str, row: Row, *, is_old: bool) -> Body:
    if table == "data_sources":
        if not is_old:
            return source_view(ep, reach, row)
        return old_view(ep, reach, row_of(ep, "databases", row["database_id"]))
    values = PageValues(ep, properties_of(ep, row))
    return page_view(ep, reach, row, values, cells_of(ep, row["id"]), is_old=is_old)


def _kinds(wanted: Place, source: str) -> tuple[str, ...]:
    if not wanted.is_there:
        return ("pages", "data_sources")
    wanted.a("object").only("property", "value")
    wanted.at("property").one_of(("object",))
    value = wanted.at("value").one_of(("page", source)).value
    return ("pages",) if value == "page" else ("data_sources",)


def _is_ascending(sort: Place) -> bool:
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
    title = page_title(item) if is_page else plain(item["title"]) or "Untitled data source"
    return {
        "object": item["object"],
        "id": item["id"],
        "title": title,
        "url": item["url"],
        "parent": item["parent"],
        "suggested_next_tool": "notion_retrieve_page" if is_page else "notion_inspect_data_source",
    }
