"""A stand-in for Notion's API that answers with what our own app has, by the tools that do one request each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from farm.testing import LocalApp
from tests.upstream.real import Asked, Reply

Arguments = dict[str, Any]

_REFUSED = re.compile(r"Notion API request failed \((\d+) (\w+)\): (.*)", re.DOTALL)
_NUMBERS = ("page_size",)
_LISTS = (
    "notion_retrieve_block_children",
    "notion_query_data_source",
    "notion_list_all_users",
    "notion_retrieve_comments",
    "notion_search",
)


def _create_page(key: str, body: Arguments) -> tuple[str, Arguments]:
    source = {"data_source_id": body["parent"]["data_source_id"]}
    return "notion_create_data_source_item", {**source, "properties": body["properties"]}


# Method and form of the path → what is called, given the id in the path and the body or query.
_ROUTES: tuple[tuple[str, str, Callable[[str, Arguments], tuple[str, Arguments]]], ...] = (
    (
        "GET",
        r"/blocks/([^/]*)/children",
        lambda key, sent: ("notion_retrieve_block_children", {"block_id": key, **sent}),
    ),
    (
        "PATCH",
        r"/blocks/([^/]*)/children",
        lambda key, sent: ("notion_append_block_children", {"block_id": key, **sent}),
    ),
    ("GET", r"/blocks/([^/]*)", lambda key, sent: ("notion_retrieve_block", {"block_id": key})),
    ("DELETE", r"/blocks/([^/]*)", lambda key, sent: ("notion_delete_block", {"block_id": key})),
    ("PATCH", r"/blocks/([^/]*)", lambda key, sent: ("notion_update_block", {"block_id": key, "block": sent})),
    ("GET", r"/pages/([^/]*)", lambda key, sent: ("notion_retrieve_page", {"page_id": key})),
    ("PATCH", r"/pages/([^/]*)", lambda key, sent: ("notion_update_page_properties", {"page_id": key, **sent})),
    ("POST", r"/pages()", _create_page),
    ("GET", r"/users/me()", lambda key, sent: ("notion_retrieve_bot_user", {})),
    ("GET", r"/users/([^/]*)", lambda key, sent: ("notion_retrieve_user", {"user_id": key})),
    ("GET", r"/users()", lambda key, sent: ("notion_list_all_users", sent)),
    ("POST", r"/databases()", lambda key, sent: ("notion_create_database", sent)),
    ("GET", r"/databases/([^/]*)", lambda key, sent: ("notion_retrieve_database", {"database_id": key})),
    ("POST", r"/data_sources()", lambda key, sent: ("notion_create_data_source", sent)),
    (
        "POST",
        r"/data_sources/([^/]*)/query",
        lambda key, sent: ("notion_query_data_source", {"data_source_id": key, **sent}),
    ),
    ("GET", r"/data_sources/([^/]*)", lambda key, sent: ("notion_retrieve_data_source", {"data_source_id": key})),
    (
        "PATCH",
        r"/data_sources/([^/]*)",
        lambda key, sent: ("notion_update_data_source", {"data_source_id": key, **sent}),
    ),
    ("POST", r"/comments()", lambda key, sent: ("notion_create_comment", sent)),
    ("GET", r"/comments()", lambda key, sent: ("notion_retrieve_comments", sent)),
    ("POST", r"/search()", lambda key, sent: ("notion_search", sent)),
)
_OLD_ROUTES: tuple[tuple[str, str, Callable[[str, Arguments], tuple[str, Arguments]]], ...] = (
    ("POST", r"/databases/([^/]*)/query", lambda key, sent: ("notion_query_database", {"database_id": key, **sent})),
    ("PATCH", r"/databases/([^/]*)", lambda key, sent: ("notion_update_database", {"database_id": key, **sent})),
    (
        "POST",
        r"/pages()",
        lambda key, sent: (
            "notion_create_database_item",
            {**sent["parent"], **{name: value for name, value in sent.items() if name == "properties"}},
        ),
    ),
)


def backend(app: LocalApp, *, is_old: bool = False) -> Callable[[Asked], Reply]:
    """Return what answers requests of the API, of 2022 where the app plays its older profile."""
    routes = (*_OLD_ROUTES, *_ROUTES) if is_old else _ROUTES

    def answer(asked: Asked) -> Reply:
        sent = json.loads(asked.body) if asked.body else _query(asked)
        path = asked.path.removeprefix("/v1")
        for method, form, route in routes:
            found = re.fullmatch(form, path)
            if method == asked.method and found:
                tool, arguments = route(found[1], sent)
                if tool in _LISTS and not is_old:
                    arguments = {**arguments, "response_mode": "full"}
                return _reply(app.result(tool, **arguments), is_old=is_old)
        return _refused(400, "invalid_request_url", "Invalid request URL.")

    return answer


def _query(asked: Asked) -> Arguments:
    is_number = re.compile(r"-?\d+(\.\d*)?(e[-+]?\d+)?").fullmatch
    return {
        name: float(value) if name in _NUMBERS and is_number(value) else value for name, value in asked.query.items()
    }


def _reply(result: dict[str, Any], *, is_old: bool) -> Reply:
    text = result["content"][0]["text"]
    if not result.get("isError"):
        body = json.loads(text)
        status = body["status"] if is_old and body["object"] == "error" else 200
        return Reply(text.encode(), status)
    found = _REFUSED.fullmatch(
        result["structuredContent"]["error"]["message"] if "structuredContent" in result else text
    )
    assert found is not None, text
    return _refused(int(found[1]), found[2], found[3])


def _refused(status: int, code: str, message: str) -> Reply:
    body = {"object": "error", "status": status, "code": code, "message": message, "request_id": "0"}
    return Reply(json.dumps(body).encode(), status)
