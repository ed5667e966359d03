"""Version 1 of the server: eighteen tools over the API of 2022, which knows databases and no data sources.

It checks nothing but that a few arguments are there, and shows the API's refusals as if they were answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import js_string

from . import blocks, comments, databases, pages, queries, users
from . import search as searches
from .access import Access
from .errors import ApiError, ServerError
from .mcp_validation import js_truthy
from .request_validation import RequestField, body

Arguments = dict[str, Any]
Handler = Callable[..., Result]

_NUMBER = re.compile(r"-?\d+(\.\d*)?(e[-+]?\d+)?")


def _tool(*needed: str) -> Callable[[Callable[[Episode, Arguments], Result]], Handler]:
    """Make a handler that takes whatever comes, and refuses where one of those needed is missing or empty."""

    def wrap(answer: Callable[[Episode, Arguments], Result]) -> Handler:
        def handler(ep: Episode, /, **arguments: Any) -> Result:
            if not all(js_truthy(arguments.get(name)) for name in needed):
                plural = "s" if len(needed) > 1 else ""
                raise ServerError(f"Missing required argument{plural}: {' and '.join(needed)}")
            try:
                shown: Result = _as_in_2025(answer(ep, arguments))
                return shown
            except ApiError as refused:
                refused.details["request_id"] = ep.new_id("request")
                raise

        handler.__name__, handler.__doc__ = answer.__name__, answer.__doc__
        return handler

    return wrap


def _as_in_2025(shown: Any) -> Any:
    """Return an answer without what people have had since 2026."""
    if isinstance(shown, dict):
        return {name: _as_in_2025(value) for name, value in shown.items() if name != "email_verified"}
    return [_as_in_2025(each) for each in shown] if isinstance(shown, list) else shown


def _path(arguments: Arguments, name: str) -> str:
    """Return what JavaScript puts into an address."""
    return js_string(arguments[name]) if name in arguments else "undefined"


def _sent(arguments: Arguments, *names: str) -> Arguments:
    return {name: arguments[name] for name in names if js_truthy(arguments.get(name))}


def _size(arguments: Arguments) -> Any:
    """Return the size that stands in the query of an address, where all is text and the API reads a number of it."""
    given = arguments.get("page_size")
    if not js_truthy(given):
        return None
    text = js_string(given)
    return float(text) if _NUMBER.fullmatch(text) else text


@_tool("block_id", "children")
def append_block_children(ep: Episode, arguments: Arguments) -> Result:
    """Append blocks; where to is taken and never sent, so they always go to the end."""
    return blocks.add_below(ep, _path(arguments, "block_id"), arguments["children"], None, is_old=True)


@_tool("block_id")
def retrieve_block(ep: Episode, arguments: Arguments) -> Result:
    """Return a block."""
    return blocks.get_block(ep, _path(arguments, "block_id"), is_old=True)


@_tool("block_id")
def retrieve_block_children(ep: Episode, arguments: Arguments) -> Result:
    """List what stands below a block."""
    cursor = arguments.get("start_cursor")
    return blocks.get_children(ep, _path(arguments, "block_id"), cursor, _size(arguments), is_old=True)


@_tool("block_id")
def delete_block(ep: Episode, arguments: Arguments) -> Result:
    """Put a block into the trash."""
    return blocks.delete(ep, _path(arguments, "block_id"), is_old=True)


@_tool("block_id", "block")
def update_block(ep: Episode, arguments: Arguments) -> Result:
    """Change a block."""
    return blocks.change(ep, _path(arguments, "block_id"), arguments["block"], is_old=True)


@_tool("page_id")
def retrieve_page(ep: Episode, arguments: Arguments) -> Result:
    """Return a page."""
    return pages.get_page(ep, _path(arguments, "page_id"), is_old=True)


@_tool("page_id", "properties")
def update_page_properties(ep: Episode, arguments: Arguments) -> Result:
    """Write properties of a page."""
    return pages.change_page(ep, _path(arguments, "page_id"), arguments["properties"], is_old=True)


@_tool()
def list_all_users(ep: Episode, arguments: Arguments) -> Result:
    """List the users of the workspace."""
    return users.list_users(ep, arguments.get("start_cursor"), _size(arguments))


@_tool("user_id")
def retrieve_user(ep: Episode, arguments: Arguments) -> Result:
    """Return a user."""
    return users.find_user(ep, _path(arguments, "user_id"))


@_tool()
def retrieve_bot_user(ep: Episode, arguments: Arguments) -> Result:
    """Return the integration itself."""
    return users.retrieve_bot_user(ep)


@_tool()
def create_database(ep: Episode, arguments: Arguments) -> Result:
    """Make a database below a page."""
    sent = body(**{name: arguments.get(name) for name in ("parent", "title", "properties")})
    reach = Access(ep)
    database = databases.make_database(ep, reach, sent, sent.at("properties"), is_old=True)
    return {**databases.old_view(ep, Access(ep), database), "request_id": ep.new_id("request")}


@_tool("database_id")
def query_database(ep: Episode, arguments: Arguments) -> Result:
    """List the pages of a database that fit a filter."""
    reach = Access(ep)
    source = databases.only_source(ep, reach.require_database(_path(arguments, "database_id"), "query"))
    sent = _sent(arguments, "filter", "sorts", "start_cursor", "page_size")
    return queries.run_query(ep, reach, source, sent, is_old=True)


@_tool()
def retrieve_database(ep: Episode, arguments: Arguments) -> Result:
    """Return a database with its schema."""
    reach = Access(ep)
    database = reach.require_database(_path(arguments, "database_id"))
    return {**databases.old_view(ep, reach, database), "request_id": ep.new_id("request")}


@_tool()
def update_database(ep: Episode, arguments: Arguments) -> Result:
    """Change a database's title, description and schema."""
    reach = Access(ep)
    database = reach.require_database(_path(arguments, "database_id"))
    source = databases.only_source(ep, database)
    sent = body(**_sent(arguments, "title", "description", "properties"))
    databases.change_source(ep, reach, source, sent, is_old=True)
    again = Access(ep)
    changed = again.require_database(database["id"])
    return {**databases.old_view(ep, again, changed), "request_id": ep.new_id("request")}


@_tool()
def create_database_item(ep: Episode, arguments: Arguments) -> Result:
    """Make a page in a database."""
    reach = Access(ep)
    key = RequestField({name: arguments[name] for name in ("database_id",) if name in arguments}, "body.parent")
    database_id = key.at("database_id").uuid()
    source = databases.only_source(ep, reach.require("database", database_id))
    sent = body(properties=arguments.get("properties")).at("properties").given()
    return pages.create_item(ep, reach, source, sent.value, is_old=True)


@_tool()
def create_comment(ep: Episode, arguments: Arguments) -> Result:
    """Comment on a page, or answer in a discussion."""
    if not js_truthy(arguments.get("parent")) and not js_truthy(arguments.get("discussion_id")):
        raise ServerError("Either parent.page_id or discussion_id must be provided")
    rich_text = {"rich_text": arguments.get("rich_text")}
    return comments.add_comment(ep, {**rich_text, **_sent(arguments, "parent", "discussion_id")}, is_old=True)


@_tool("block_id")
def retrieve_comments(ep: Episode, arguments: Arguments) -> Result:
    """List the comments of a page or a block."""
    cursor = arguments.get("start_cursor")
    return comments.list_comments(ep, _path(arguments, "block_id"), cursor, _size(arguments), is_old=True)


@_tool()
def search(ep: Episode, arguments: Arguments) -> Result:
    """List pages and databases whose titles have a word of the query."""
    sent = _sent(arguments, "query", "filter", "sort", "start_cursor", "page_size")
    return searches.search_all(ep, sent, is_old=True)
