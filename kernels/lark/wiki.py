"""Wikis: a page by its token, and the search over pages."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.cursors import encode_cursor

from . import access, errors
from .documents import AMONG, HOLDS_EVERY_WORD, candidates, like
from .envelope import NOTHING, Arguments, decode_token, endpoint, require_length

TOKEN_MOST = 999
QUERY_MOST = 50
PAGE_DEFAULT, PAGE_MOST = 20, 50
# The search says types in numbers.
TYPE_NUMBERS = {"doc": 1, "sheet": 2, "bitable": 3, "mindnote": 4, "file": 5, "slides": 6, "docx": 8, "folder": 9}

_NODE = """
SELECT n.*, f.type, f.title, f.owner_id, f.is_deleted, f.created_at AS file_created_at, f.edited_at,
       EXISTS (SELECT 1 FROM wiki_nodes c WHERE c.parent_node_token = n.node_token) AS has_child,
       o.space_id AS origin_space_id
FROM wiki_nodes n JOIN files f ON f.token = n.obj_token
LEFT JOIN wiki_nodes o ON o.node_token = n.origin_node_token
"""


@endpoint
def get_node(ep: Episode, *, params: Arguments) -> Result:
    """Return a wiki page by its own token, or by that of the file behind it.

    Args:
        params: ``token``; ``obj_type`` is wiki for a page's token and the file's type for a file's.

    Raises:
        FieldValidationFailed: the token is too long.
        InvalidWikiParameter: it is empty.
        WikiNotFound: no such page or file, or the file is in no wiki.
        WikiPermissionDenied: the person may not read it.

    Source: https://open.feishu.cn/document/server-docs/docs/wiki-v2/space-node/get_node
    """
    token, kind = params["token"], params.get("obj_type", "wiki")
    require_length("token", token, TOKEN_MOST)
    if not token:
        raise errors.InvalidWikiParameter("param err: token is required")
    node = _find(ep, token, kind)
    if access.level(ep, node["obj_token"]) < access.VIEW:
        raise errors.WikiPermissionDenied("permission denied: node permission denied")
    return {"node": _node(node)}


def _find(ep: Episode, token: str, kind: str) -> Row:
    if kind == "wiki":
        node = ep.db.one(f"{_NODE} WHERE n.node_token = ? AND NOT f.is_deleted", token)
    else:
        if access.find_file(ep, token, kind) is None:
            raise errors.WikiNotFound(f"not found: document not found by token {token}")
        node = ep.db.one(
            f"{_NODE} WHERE n.obj_token = ? AND n.node_type = 'origin' AND NOT f.is_deleted ORDER BY n.node_token",
            token,
        )
        if node is None:
            raise errors.WikiNotFound("not found: document is not in wiki")
    if node is None:
        raise errors.WikiNotFound(f"not found: document not found by token {token}")
    return node


def _node(node: Row) -> dict[str, Any]:
    return {
        "space_id": node["space_id"],
        "node_token": node["node_token"],
        "obj_token": node["obj_token"],
        "obj_type": node["type"],
        "parent_node_token": node["parent_node_token"] or "",
        "node_type": node["node_type"],
        # The documented example gives an original page as its own origin.
        "origin_node_token": node["origin_node_token"] or node["node_token"],
        "origin_space_id": node["origin_space_id"] or node["space_id"],
        "has_child": bool(node["has_child"]),
        "title": node["title"],
        "obj_create_time": str(node["file_created_at"] // 1000),
        "obj_edit_time": str(node["edited_at"] // 1000),
        "node_create_time": node["created_at"],
        "creator": node["owner_id"],
        "owner": node["owner_id"],
        "node_creator": node["creator_id"],
    }


# Pages under one page, itself included, when a search is bound to it.
_SEARCH = f"""
WITH RECURSIVE below(node_token) AS (
    SELECT node_token FROM wiki_nodes WHERE node_token = :node
    UNION
    SELECT n.node_token FROM below b JOIN wiki_nodes n ON n.parent_node_token = b.node_token
)
SELECT n.node_token, n.space_id, n.obj_token, f.type, f.title,
       NOT EXISTS (SELECT 1 FROM json_each(:words) w WHERE f.title NOT LIKE w.value ESCAPE '\\') AS in_title
FROM wiki_nodes n JOIN files f ON f.token = n.obj_token LEFT JOIN documents d ON d.document_id = f.token
WHERE NOT f.is_deleted AND (:space IS NULL OR n.space_id = :space)
  AND (:node IS NULL OR n.node_token IN (SELECT node_token FROM below))
  AND {HOLDS_EVERY_WORD}
"""
_ORDER = "ORDER BY in_title DESC, f.edited_at DESC, n.node_token"


@endpoint
def search_nodes(ep: Episode, *, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a page of the wiki pages the person may read whose title or content holds every word, titles first.

    Reads all wiki_nodes: a search may be bound to a node and all that is below it.

    Args:
        data: ``query`` of up to 50 characters; ``space_id``, and with it ``node_id``, narrow it.

    Raises:
        InvalidWikiSearch: the query is empty or too long, a node without its space, a page out of range.

    Source: https://open.feishu.cn/document/server-docs/docs/wiki-v2/search_wiki
    """
    space, node = data.get("space_id") or None, data.get("node_id") or None
    size = params.get("page_size", PAGE_DEFAULT)
    if not data["query"].strip() or len(data["query"]) > QUERY_MOST or (node is not None and space is None):
        raise errors.InvalidWikiSearch
    if not 0 < size <= PAGE_MOST or size != int(size):
        raise errors.InvalidWikiSearch
    after = decode_token("wiki", params.get("page_token"), errors.InvalidWikiSearch(), (int,))
    start, size = max(after[0], 0) if after else 0, int(size)
    words = data["query"].split()
    values = {"node": node, "space": space, "words": json.dumps([like(word) for word in words])}
    among = candidates(ep, words)
    narrowed = _SEARCH if among is None else _SEARCH + AMONG
    found = ep.db.all(narrowed + _ORDER, **values, among=among)
    visible = access.levels(ep, [row["obj_token"] for row in found])
    seen = [row for row in found if visible.get(row["obj_token"], access.NOBODY)]
    page = seen[start : start + size]
    has_more = start + len(page) < len(seen)
    home = access.url(ep, "wiki", "")
    items = [_item(row, number, home) for number, row in enumerate(page, start + 1)]
    answer: dict[str, Any] = {"has_more": has_more, "items": items}
    return {**answer, "page_token": encode_cursor("wiki", start + len(page))} if has_more else answer


def _item(row: Row, number: int, home: str) -> dict[str, Any]:
    return {
        "node_id": row["node_token"],
        "obj_token": row["obj_token"],
        "obj_type": TYPE_NUMBERS[row["type"]],
        "parent_id": "",  # documented as always empty
        "sort_id": number,
        "space_id": row["space_id"],
        "title": row["title"],
        "url": f"{home}{row['node_token']}",
    }
