"""Queries: the pages of a data source that fit, in the order asked for."""

from __future__ import annotations

from typing import Any

from farm.kernel import Episode, Result, Row

from .access import Reach
from .bodies import body
from .bodies import page_size as read_page_size
from .filters import Filters, sort_pages
from .lists import page_of, shorten
from .pages import page_view
from .property_types import list_properties
from .property_values import PageValues, cells_below
from .server import require, sent
from .simple_queries import build_query, check_query

Body = dict[str, Any]


def run_query(ep: Episode, reach: Reach, source: Row, given: dict[str, Any], *, is_old: bool = False) -> Body:
    """Return a page of a data source's pages; without sorts the newest come first."""
    asked = body(**given)
    size = read_page_size(given.get("page_size"))
    values = PageValues(ep, list_properties(ep, source["id"]))
    rows = ep.db.all(
        "SELECT * FROM pages WHERE parent_id = ? AND parent_type = 'data_source_id' AND in_trash = 0"
        " ORDER BY position DESC, id",
        source["id"],
    )
    cells = cells_below(ep, source["id"])
    pages: list[tuple[Row, Any]] = [(row, cells.get(row["id"], {})) for row in rows]
    if asked.at("filter").is_there:
        test = Filters(ep, values, is_old=is_old).read(asked.at("filter"))
        pages = [(row, held) for row, held in pages if test(row, held)]
    if asked.at("sorts").is_there:
        pages = sort_pages(asked.at("sorts"), pages, values)
    keys = [row["id"] for row, _ in pages]
    # The first part of a cursor stands for the query; what it is made of is not known.
    prefix = f"s:{_snapshot(source['id'])}:"
    kind = "page_or_database" if is_old else "page_or_data_source"
    there, listed = page_of(
        ep, pages, keys, cursor=given.get("start_cursor"), size=size, kind=kind, prefix="" if is_old else prefix
    )
    return {**listed, "results": [page_view(ep, reach, row, values, held, is_old=is_old) for row, held in there]}


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
    reach = Reach(ep)
    source = reach.require_source(data_source_id)
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
    reach = Reach(ep)
    source = reach.require_source(data_source_id)
    rows = {row["name"]: row for row in list_properties(ep, source["id"])}
    query = build_query(rows, filters or [], match, sorts or [])
    asked = sent(**query, start_cursor=start_cursor, page_size=page_size)
    return shorten(run_query(ep, reach, source, asked), response_mode)
