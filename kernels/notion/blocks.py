"""Blocks: what a page consists of. Pages and databases below a page are blocks of it, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors
from .access import Access, title_of
from .block_types import PARENTS, block_type, change_content, read_content
from .json_columns import dump, last_position, load, row_of
from .mcp_validation import js_truthy, require
from .pagination import page_of, shorten, walk_page
from .request_validation import RequestField, body, fault, path_id, refuse
from .request_validation import page_size as read_page_size
from .times import minute
from .users import partial

Body = dict[str, Any]
Found = tuple[str, Row]

_CHILDREN_MAX, _DEPTH_MAX, _BLOCKS_MAX = 100, 2, 1000
# What stands nowhere but below one type, and how many of it the other begins with.
_ONLY_BELOW = {"table_row": "table", "column": "column_list"}
_AT_LEAST = {"column_list": 2, "column": 1}
_KINDS = PARENTS | {"code", "divider", "equation", "bookmark", "embed", "image", "video", "file", "pdf", "audio"}
# What a change may say beside the content of a block.
_NOT_CONTENT = ("type", "object", "in_trash", "archived")
_BELOW = """
SELECT 'blocks' AS home, id, position FROM blocks WHERE parent_id = :id AND in_trash = 0
UNION ALL SELECT 'pages', id, position FROM pages WHERE parent_id = :id AND in_trash = 0
AND parent_type != 'data_source_id'
UNION ALL SELECT 'databases', id, position FROM databases WHERE parent_id = :id AND in_trash = 0
ORDER BY position, id
"""
_ONE_BELOW = f"SELECT * FROM ({_BELOW}) WHERE id = :one"
# One table for all, and a place to begin at: the next ones below a block.
_NEXT_BELOW = """
SELECT 'blocks' AS home, id, position FROM blocks
WHERE parent_id = :id AND in_trash = 0 AND (position, id) >= (:position, :from)
UNION ALL SELECT 'pages', id, position FROM pages
WHERE parent_id = :id AND in_trash = 0 AND parent_type != 'data_source_id' AND (position, id) >= (:position, :from)
UNION ALL SELECT 'databases', id, position FROM databases
WHERE parent_id = :id AND in_trash = 0 AND (position, id) >= (:position, :from)
ORDER BY position, id LIMIT :limit
"""
_BELOW_ALL = -1e308


# -- how the API shows them -------------------------------------------------------------------------------------------


def parent_view(reach: Access, row: Row) -> Body:
    """Return what something stands on."""
    kind = row["parent_type"]
    if kind == "workspace":
        return {"type": "workspace", "workspace": True}
    if kind == "data_source_id":
        source = reach.parent(row)
        return {"type": kind, "data_source_id": row["parent_id"], "database_id": source and source["database_id"]}
    return {"type": kind, kind: row["parent_id"]}


def block_view(ep: Episode, reach: Access, table: str, row: Row, *, is_old: bool = False) -> Body:
    """Return a block; ``is_old`` as the API of 2022 shows it."""
    kind, content = _content(table, row)
    if is_old and kind == "paragraph":
        content = {key: value for key, value in content.items() if key != "icon"}
    made_by = row["created_by"]
    parent, is_gone = parent_view(reach, row), reach.is_gone(row)
    trash = {"archived": is_gone, "in_trash": is_gone} if is_old else {"in_trash": is_gone}
    return {
        "object": "block",
        "id": row["id"],
        "parent": old_parent(parent) if is_old else parent,
        "created_time": minute(row["created_ms"]),
        "last_edited_time": minute(row["edited_ms"]),
        "created_by": partial(made_by),
        "last_edited_by": partial(row.get("edited_by") or made_by),
        "has_children": table != "databases" and _has_children(ep, row["id"]),
        **trash,
        "type": kind,
        kind: content,
    }


def old_parent(parent: Body) -> Body:
    """Return what something stands on as the API of 2022 has it, which knows no data sources."""
    if parent["type"] == "data_source_id":
        return {"type": "database_id", "database_id": parent["database_id"]}
    return parent


def _content(table: str, row: Row) -> tuple[str, Body]:
    if table == "blocks":
        return row["type"], load(row["content"])
    kind = "child_page" if table == "pages" else "child_database"
    return kind, {"title": title_of(row)}


def _has_children(ep: Episode, block_id: str) -> bool:
    return bool(ep.db.all(f"{_BELOW} LIMIT 1", id=block_id))


def list_children(ep: Episode, block_id: str) -> list[Found]:
    """Return what stands directly below something and is not in the trash, in order.

    Reads all blocks: those below one; with them, for the order,
    Reads all pages: that stand among them, and
    Reads all databases: that do.
    """
    return [(each["home"], row_of(ep, each["home"], each["id"])) for each in ep.db.all(_BELOW, id=block_id)]


def _next_children(ep: Episode, block_id: str, begin: str | None, size: int) -> list[Found]:
    """Return so many of what stands below something, from the one with an id on."""
    place: Row = {"position": _BELOW_ALL, "id": ""}
    if begin is not None:
        found = ep.db.one(_ONE_BELOW, id=block_id, one=begin)
        if found is None:
            return []
        place = found
    values = {"id": block_id, "position": place["position"], "from": place["id"], "limit": size}
    return [(each["home"], row_of(ep, each["home"], each["id"])) for each in ep.db.all(_NEXT_BELOW, **values)]


# -- what the API does ------------------------------------------------------------------------------------------------


def get_block(ep: Episode, block_id: Any, *, is_old: bool = False) -> Body:
    """Return one block."""
    reach = Access(ep)
    table, row = reach.require_block(path_id("block_id", block_id))
    return {**block_view(ep, reach, table, row, is_old=is_old), "request_id": ep.new_id("request")}


def get_children(ep: Episode, block_id: Any, start_cursor: Any, size: Any, *, is_old: bool = False) -> Body:
    """Return a page of what stands below a block."""
    most = read_page_size(size, "query")
    if start_cursor:
        start_cursor = RequestField(start_cursor, "query.start_cursor").or_else("`undefined`").uuid()
    reach = Access(ep)
    table, block = reach.require_block(path_id("block_id", block_id, "children"))

    def rows_from(begin: str | None) -> Iterator[Found]:
        return iter(_next_children(ep, block["id"], begin, most + 1) if table != "databases" else [])

    there, listed = walk_page(
        ep, rows_from, lambda each: str(each[1]["id"]), cursor=start_cursor, size=most, kind="block"
    )
    return {**listed, "results": [block_view(ep, reach, home, row, is_old=is_old) for home, row in there]}


def add_below(ep: Episode, block_id: Any, children: Any, position: Any, *, is_old: bool = False) -> Body:
    """Put new blocks below one, and return them with those that now follow."""
    reach = Access(ep)
    key = path_id("block_id", block_id, "children")
    sent = body(children=children, position=position)
    items = sent.at("children").a("array").most(_CHILDREN_MAX).items()
    try:
        for item in items:
            _check(ep, item, depth=0)
    except errors.InvalidAddress as wrong:
        raise errors.CreationFailed(why=wrong.message) from None
    if _count(children) > _BLOCKS_MAX:
        raise errors.Invalid(f"body failed validation: body.children should have at most {_BLOCKS_MAX} blocks in all.")
    table, parent = reach.require_block(key)
    reach.require_editable(parent)
    _require_parent(table, parent, items)
    where = _Gap(ep, parent["id"], sent.at("position"), len(items))
    page_id = parent["id"] if table == "pages" else parent["page_id"]
    writer = _Writer(ep, reach, page_id)
    new = [writer.write(item, table, parent["id"], number) for item, number in zip(items, where.numbers, strict=True)]
    if new:
        reach.touch(table, parent)
    after = [(home, row) for home, row in list_children(ep, parent["id"]) if row["position"] > where.end]
    shown = [("blocks", row_of(ep, "blocks", each)) for each in new] + (after if new else [])
    listed = page_of(ep, [], [], cursor=None, size=100, kind="block")[1]
    return {**listed, "results": [block_view(ep, reach, home, row, is_old=is_old) for home, row in shown]}


def _require_parent(table: str, parent: Row, items: list[RequestField]) -> None:
    if table == "databases":
        raise errors.NoChildren
    kind = "page" if table == "pages" else parent["type"]
    for item in items:
        _require_place(item, kind)
    if table == "pages":
        return
    if kind not in PARENTS or (kind.startswith("heading_") and not load(parent["content"])["is_toggleable"]):
        raise errors.NoChildren
    kinds = {"table": "table_row", "column_list": "column"}
    if kind in kinds and any(block_type(item) != kinds[kind] for item in items):
        raise errors.NoChildren
    if kind == "table":
        width = load(parent["content"])["table_width"]
        for item in items:
            _require_width(item.at("table_row").at("cells"), width)


def _require_place(item: RequestField, above: str) -> None:
    """Refuse a row outside of a table, and a column outside of a list of columns."""
    kind = block_type(item)
    if _ONLY_BELOW.get(kind, above) != above:
        raise item.at(kind).fault("not present")


def _require_width(cells: RequestField, width: int) -> None:
    if len(cells.value) != width:
        raise errors.Invalid("Number of cells in table row must match the table width of the parent table")


class _Gap:
    """Where new blocks go: numbers between those before and those after."""

    def __init__(self, ep: Episode, parent_id: str, position: RequestField, count: int) -> None:
        children = [row for _, row in list_children(ep, parent_id)]
        siblings = [row["position"] for row in children]
        kind = position.a("object").at("type").a("string").value if position.is_there else "end"
        last = last_position(ep, parent_id)
        before, after = last, None
        if kind == "start":
            before, after = (0.0, siblings[0]) if siblings else (last, None)
            if after is not None and after <= before:
                before = after - 1
        elif kind == "after_block":
            after_block = position.at("after_block").a("object").at("id").uuid()
            found = next((row for row in children if row["id"] == after_block), None)
            if found is None:
                raise errors.Invalid(
                    f"Block to append children after {after_block} is not a child of the parent block {parent_id}."
                )
            before = found["position"]
            after = next((number for number in siblings if number > before), None)
        step = 1.0 if after is None else (after - before) / (count + 1)
        self.numbers = [before + step * (number + 1) for number in range(count)]
        self.end = self.numbers[-1] if self.numbers else before


class _Writer:
    """Writes blocks with all below them."""

    def __init__(self, ep: Episode, reach: Access, page_id: str) -> None:
        self.ep, self.bot_id, self.page_id = ep, reach.bot["id"], page_id

    def write(self, item: RequestField, table: str, parent_id: str, position: float) -> str:
        """Write a block that was checked, and return its id."""
        kind = block_type(item)
        content = item.at(kind)
        block_id = self.ep.new_id("block")
        self.ep.db.insert(
            "blocks",
            id=block_id,
            page_id=self.page_id,
            parent_type="page_id" if table == "pages" else "block_id",
            parent_id=parent_id,
            position=position,
            type=kind,
            content=dump(read_content(self.ep, kind, content)),
            created_ms=self.ep.now_ms,
            created_by=self.bot_id,
            edited_ms=self.ep.now_ms,
            edited_by=self.bot_id,
        )
        for number, child in enumerate(_children(content), 1):
            self.write(child, "blocks", block_id, float(number))
        return block_id


def _children(content: RequestField) -> list[RequestField]:
    children = content.at("children")
    return children.items() if children.is_there else []


def _check(ep: Episode, item: RequestField, depth: int) -> None:
    """Refuse a block that cannot be made, or one of those below it."""
    kind = block_type(item.a("object"))
    content = item.at(kind)
    made = read_content(ep, kind, content)
    children = content.at("children")
    least = _AT_LEAST.get(kind, 0)
    if not children.is_there:
        if least:
            raise refuse(fault(children.path, "defined"))
        return
    if depth >= _DEPTH_MAX:
        raise children.fault("not present")
    if kind.startswith("heading_") and not made["is_toggleable"] and children.value:
        raise errors.NoChildren
    if len(children.a("array").value) < least:
        raise refuse(fault(f"{children.path}.length", f"≥ `{least}`", len(children.value)))
    for child in children.most(_CHILDREN_MAX).items():
        _check(ep, child, depth + 1)
        _require_place(child, kind)
        if kind == "table":
            child.at("table_row").given()
            _require_width(child.at("table_row").at("cells"), made["table_width"])
        elif kind == "column_list":
            child.at("column").given()


def _count(children: Any) -> int:
    if not isinstance(children, list):
        return 0
    contents = (value for each in children if isinstance(each, dict) for value in each.values())
    inner = (content.get("children") for content in contents if isinstance(content, dict))
    return len(children) + sum(_count(each) for each in inner)


def change(ep: Episode, block_id: Any, block: Any, *, is_old: bool = False) -> Body:
    """Change a block's content, or put it into the trash or take it out, and return it."""
    reach = Access(ep)
    key = path_id("block_id", block_id)
    sent = RequestField(block).a("object")
    table, row = reach.require_block(key)
    flag = _flag(sent, is_old)
    kind = _content(table, row)[0]
    if flag is None or row["in_trash"] == flag:
        reach.require_editable(row)
    if flag is not None and row["in_trash"] != flag:
        ep.db.update(table, {"id": key}, in_trash=flag)
    content = {name: value for name, value in sent.value.items() if name not in _NOT_CONTENT}
    if content or flag is None:
        _change_content(ep, table, row, kind, sent, content)
    reach.touch(table, row)
    fresh = Access(ep)
    table, row = fresh.require_block(key)
    return {**block_view(ep, fresh, table, row, is_old=is_old), "request_id": ep.new_id("request")}


def _flag(sent: RequestField, is_old: bool) -> int | None:
    for key in ("in_trash", "archived"):
        if key in sent.value:
            if key == "archived" and not is_old:
                raise sent.at(key).fault("not present")
            return int(sent.at(key).a("boolean").value)
    return None


def _change_content(ep: Episode, table: str, row: Row, kind: str, sent: RequestField, content: Body) -> None:
    if type(sent.value.get("type", "")) is not str:
        raise refuse(fault(f"body.{kind}", "defined"), fault("body.type", "not present", sent.value["type"]))
    if "type" in sent.value:
        sent.at("type").one_of((kind,))
    if kind not in content:
        if content:
            name = next(iter(content))
            if name in _KINDS:
                raise errors.Invalid(f"Expected block type {kind} in request body")
            raise refuse(fault(f"body.{kind}", "defined"), fault(f"body.{name}", "not present", content[name]))
        raise refuse(fault(f"body.{kind}", "defined"))
    sent.only(kind, *_NOT_CONTENT)
    if table != "blocks":
        raise errors.Invalid(f"Updating {kind} blocks is not supported. Use the update page endpoint instead.")
    changed = change_content(ep, kind, sent.at(kind), load(row["content"]))
    ep.db.update("blocks", {"id": row["id"]}, content=dump(changed))


def delete(ep: Episode, block_id: Any, *, is_old: bool = False) -> Body:
    """Put a block with all below it into the trash, and return it."""
    reach = Access(ep)
    table, row = reach.require_block(path_id("block_id", block_id))
    reach.require_editable(row)
    ep.db.update(table, {"id": row["id"]}, in_trash=1)
    reach.touch(table, row)
    fresh = Access(ep)
    table, row = fresh.require_block(row["id"])
    return {**block_view(ep, fresh, table, row, is_old=is_old), "request_id": ep.new_id("request")}


# -- the tools --------------------------------------------------------------------------------------------------------


def retrieve_block(ep: Episode, *, block_id: str) -> Result:
    """Return a block."""
    require(block_id=block_id)
    return get_block(ep, block_id)


def retrieve_block_children(
    ep: Episode,
    *,
    block_id: str,
    start_cursor: str | None = None,
    page_size: float | None = None,
    response_mode: str | None = None,
) -> Result:
    """List what stands directly below a block or a page."""
    require(block_id=block_id)
    return shorten(get_children(ep, block_id, start_cursor, page_size), response_mode)


def append_block_children(
    ep: Episode, *, block_id: str, children: list[Any], position: dict[str, Any] | None = None
) -> Result:
    """Put new blocks below a block or a page."""
    require(block_id=block_id, children=children)
    return add_below(ep, block_id, children, check_position(position))


def check_position(position: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return where new blocks go, as given.

    Raises:
        ServerError: after a block that is not named.
    """
    if position is not None and position["type"] == "after_block" and "after_block" not in position:
        raise errors.ServerError(
            "position.after_block.id must be a block ID string when position.type is 'after_block'."
        )
    return position


def delete_block(ep: Episode, *, block_id: str) -> Result:
    """Put a block, a page or a database into the trash."""
    require(block_id=block_id)
    return delete(ep, block_id)


def update_block(ep: Episode, *, block_id: str, block: dict[str, Any]) -> Result:
    """Change a block's content, or restore it from the trash."""
    if not js_truthy(block) or not block_id:
        require(block_id=block_id, block=block)
    return change(ep, block_id, block)
