"""The short form of a list, which the server makes where the API's own objects would be many or long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .json_columns import plain_text

Body = dict[str, Any]

_HINT = "If raw Notion API objects are required, call the same tool with response_mode: 'full'."
# What stays as it is, and what is empty where it is false or empty.
_AS_IT_IS = ("number", "checkbox", "created_time", "last_edited_time")
_OR_NULL = ("date", "url", "email", "phone_number")


def compact(listed: Body) -> Body:
    """Return the short form of a list."""
    return {
        "object": "notion_compact_list",
        "source_object": "list",
        "source_type": listed["type"],
        "result_count": len(listed["results"]),
        "has_more": listed["has_more"],
        "next_cursor": listed["next_cursor"],
        "response_mode": "compact",
        "results": [_MAKERS[each["object"]](each) for each in listed["results"]],
        "full_response_hint": _HINT,
    }


def page_title(page: Mapping[str, Any]) -> str:
    """Return the words of a page's title, or what stands for none."""
    titles = (each["title"] for each in page["properties"].values() if each["type"] == "title")
    return plain_text(next(titles, [])) or "Untitled page"


def _page(page: Body) -> Body:
    properties = {name: _value(value) for name, value in page["properties"].items()}
    kept = {key: page[key] for key in ("url", "parent", "last_edited_time")}
    made = {"object": "page", "id": page["id"], "title": page_title(page), **kept, "in_trash": page["in_trash"]}
    return {**made, "properties": properties} if properties else made


def _value(value: Body) -> Any:
    kind, held = value["type"], value[value["type"]]
    if kind in ("title", "rich_text"):
        return plain_text(held)
    if kind in _AS_IT_IS:
        return held
    if kind in _OR_NULL:
        return held or None
    if kind in ("select", "status"):
        return held["name"] if held and held["name"] else None
    if kind == "multi_select":
        return [each["name"] for each in held]
    if kind in ("people", "relation"):
        return [each["id"] for each in held]
    if kind == "files":
        return [each["name"] or each.get("url") for each in held]
    return {"type": kind}


def _data_source(source: Body) -> Body:
    properties = [{key: each[key] for key in ("name", "id", "type")} for each in source["properties"].values()]
    return {
        "object": "data_source",
        "id": source["id"],
        "title": plain_text(source["title"]) or "Untitled data source",
        "url": source["url"],
        "parent_database_id": source["parent"]["database_id"],
        "property_count": len(properties),
        "properties": properties,
        "in_trash": source["in_trash"],
    }


def _block(block: Body) -> Body:
    kept = {key: block[key] for key in ("object", "id", "type")}
    text = _block_text(block[block["type"]])
    return {**kept, "text": text, "has_children": block["has_children"], "in_trash": block["in_trash"]}


def _block_text(content: Body) -> str:
    if content.get("rich_text"):
        return plain_text(content["rich_text"])
    texts = (content[key] for key in ("title", "url") if isinstance(content.get(key), str))
    return next(texts, "")


def _user(user: Body) -> Body:
    return {key: user[key] for key in ("object", "id", "name", "type")}


def _comment(comment: Body) -> Body:
    text = plain_text(comment["rich_text"])
    kept = {key: comment[key] for key in ("object", "id", "discussion_id", "parent")}
    return {
        **kept,
        "text": text,
        "created_time": comment["created_time"],
        "last_edited_time": comment["last_edited_time"],
    }


_MAKERS = {"page": _page, "data_source": _data_source, "block": _block, "user": _user, "comment": _comment}
