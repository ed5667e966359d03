"""Queries: the pages of a data source that fit, in the order asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from farm.appkit import Episode, Result, Row

from .access import Access
from .filters import Filters, sort_pages
from .json_columns import load
from .mcp_validation import require, sent
from .pages import page_view
from .pagination import page_of, shorten, walk_page
from .property_types import list_properties
from .property_values import PageValues
from .request_validation import body, path_id
from .request_validation import page_size as read_page_size
from .simple_queries import build_query, check_query

Body = dict[str, Any]
Found = tuple[Row, dict[str, str]]

_PAGES = """
SELECT p.*, (SELECT json_group_object(property_id, value) FROM cells WHERE page_id = p.id) AS cells FROM pages p
"""
_BELOW = "parent_id = :source AND parent_type = 'data_source_id' AND in_trash = 0"
# Later positions first, and at one position the smaller ids.
_NEXT = f"""
{_PAGES} WHERE {_BELOW} AND position <= :position AND (position < :position OR id > :id)
ORDER BY position DESC, id LIMIT :limit
"""
_ABOVE_ALL = 1e308
_CHUNK_MAX = 1600


def run_query(ep: Episode, reach: Access, source: Row, given: dict[str, Any], *, is_old: bool = False) -> Body:
    """Return a page of a data source's pages; without sorts the newest come first."""
    asked = body(**given)
    size = read_page_size(given.get("page_size"))
    values = PageValues(ep, list_properties(ep, source["id"]))
    is_fitting = None
    if asked.at("filter").is_there:
        is_fitting = Filters(ep, values, is_old=is_old).read(asked.at("filter"))

    def rows_from(begin: str | None) -> Iterator[Found]:
        for row, held in _newest(ep, source["id"], begin, size + 1):
            if is_fitting is None or is_fitting(row, held):
                yield row, held

    # The first part of a cursor stands for the query; what it is made of is not known.
    prefix = "" if is_old else f"s:{_snapshot(source['id'])}:"
    kind = "page_or_database" if is_old else "page_or_data_source"
    cursor = given.get("start_cursor")
    there: Sequence[Found]
    if asked.at("sorts").is_there:
        pages = sort_pages(asked.at("sorts"), list(rows_from(None)), values)
        keys = [row["id"] for row, _ in pages]
        there, listed = page_of(ep, pages, keys, cursor=cursor, size=size, kind=kind, prefix=prefix)
    else:
        there, listed = walk_page(
            ep, rows_from, lambda each: str(each[0]["id"]), cursor=cursor, size=size, kind=kind, prefix=prefix
        )
    return {**listed, "results": [page_view(reach, row, values, held, is_old=is_old) for row, held in there]}


def _newest(ep: Episode, source_id: str, begin: str | None, size: int) -> Iterator[Found]:
    """Yield a data source's pages with what stands in their cells, the newest first, from the one with an id on.

    Args:
        size: so many are read first, and then twice as many each time.
    """
    place: Row = {"position": _ABOVE_ALL, "id": ""}
    if begin is not None:
        first = ep.db.one(f"{_PAGES} WHERE {_BELOW} AND id = :id", source=source_id, id=begin)
        if first is None:
            return
        yield first, load(first["cells"])
        place = first
    while rows := ep.db.all(_NEXT, source=source_id, position=place["position"], id=place["id"], limit=size):
        yield from ((row, load(row["cells"])) for row in rows)
        if len(rows) < size:
            return
        place, size = rows[-1], min(size * 2, _CHUNK_MAX)


def _snapshot(source_id: str) -> str:
    return source_id[::-1].replace("-", "")[:8] + source_id[8:]


def query_data_source(
    ep: Episode,
    *,
    data_source_id: str,
    filter: dict[str, Any] | None = None,
    sorts: list[Any] | None = None,
    start_cursor: str | None = None,
    page_size: float | None = None,
    response_mode: str | None = None,
) -> Result:
    """List the pages of a data source that fit a filter of the API's own form."""
    require(data_source_id=data_source_id)
    reach = Access(ep)
    source = reach.require_source(data_source_id, "query")
    asked = sent(filter=filter, sorts=sorts, start_cursor=start_cursor, page_size=page_size)
    return shorten(run_query(ep, reach, source, asked), response_mode)


def query_data_source_by_values(
    ep: Episode,
    *,
    data_source_id: str,
    filters: list[Any] | None = None,
    match: str | None = None,
    sorts: list[Any] | None = None,
    start_cursor: str | None = None,
    page_size: float | None = None,
    response_mode: str | None = None,
) -> Result:
    """List the pages of a data source that fit simple filters, which the server turns into the API's."""
    require(data_source_id=data_source_id)
    check_query(filters or [], sorts or [])
    reach = Access(ep)
    source = reach.require_source(data_source_id)
    rows = {row["name"]: row for row in list_properties(ep, source["id"])}
    query = build_query(rows, filters or [], match, sorts or [])
    path_id("data_source_id", data_source_id, "query")
    asked = sent(**query, start_cursor=start_cursor, page_size=page_size)
    return shorten(run_query(ep, reach, source, asked), response_mode)
