"""Databases, and the data sources in them: what is kept there is in which properties, and under which name."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors
from .access import Access, title_of
from .block_types import read_cover, read_icon
from .blocks import parent_view
from .json_columns import dump, last_position, load, plain_text, row_of
from .pages import address, create_item
from .property_types import SchemaWriter, find_property, list_properties, schema_view
from .request_validation import RequestField, body, fault, refuse
from .rich_texts import read_rich_text, rich
from .times import exact, minute
from .users import partial

Body = dict[str, Any]

_UNNAMED = "New database"


# -- how the API shows them -------------------------------------------------------------------------------------------


def database_view(ep: Episode, reach: Access, database: Row) -> Body:
    """Return a database, which says of its data sources only what they are called."""
    sources = ep.db.all("SELECT * FROM data_sources WHERE database_id = ? ORDER BY position, id", database["id"])
    title = load(database["title"])
    named = [{"id": each["id"], "name": title_of(each) or plain_text(title) or _UNNAMED} for each in sources]
    return {
        "object": "database",
        "id": database["id"],
        "title": title,
        "description": load(database["description"]),
        "parent": parent_view(reach, database),
        "is_inline": bool(database["is_inline"]),
        "in_trash": reach.is_gone(database),
        "is_locked": bool(database["is_locked"]),
        "created_time": exact(database["created_ms"]),
        "last_edited_time": exact(database["edited_ms"]),
        "data_sources": named,
        "icon": load(database["icon"]),
        "cover": load(database["cover"]),
        "url": address("", database["id"]),
        "public_url": None,
    }


def source_view(ep: Episode, reach: Access, source: Row) -> Body:
    """Return a data source with its schema."""
    database = row_of(ep, "databases", source["database_id"])
    return {
        "object": "data_source",
        "id": source["id"],
        "cover": load(database["cover"]),
        "icon": load(database["icon"]),
        **_made(source),
        "title": load(source["title"]),
        "description": load(database["description"]),
        "is_inline": bool(database["is_inline"]),
        "properties": _schema(ep, source["id"], is_old=False),
        "parent": {"type": "database_id", "database_id": database["id"]},
        "database_parent": parent_view(reach, database),
        "url": address("", database["id"]),
        "public_url": None,
        "in_trash": reach.is_gone(source),
    }


def old_view(ep: Episode, reach: Access, database: Row) -> Body:
    """Return a database as the API of 2022 shows it: with the schema of its only data source."""
    source = only_source(ep, database)
    is_gone = reach.is_gone(database)
    return {
        "object": "database",
        "id": database["id"],
        "cover": load(database["cover"]),
        "icon": load(database["icon"]),
        **_made(source),
        "title": load(database["title"]) or load(source["title"]),
        "description": load(database["description"]),
        "is_inline": bool(database["is_inline"]),
        "properties": _schema(ep, source["id"], is_old=True),
        "parent": parent_view(reach, database),
        "url": address("", database["id"]),
        "public_url": None,
        "archived": is_gone,
        "in_trash": is_gone,
    }


def _made(source: Row) -> Body:
    return {
        "created_time": minute(source["created_ms"]),
        "created_by": partial(source["created_by"]),
        "last_edited_by": partial(source["edited_by"]),
        "last_edited_time": minute(source["edited_ms"]),
    }


def _schema(ep: Episode, source_id: str, *, is_old: bool) -> Body:
    return {row["name"]: schema_view(row, is_old=is_old) for row in list_properties(ep, source_id)}


def only_source(ep: Episode, database: Row) -> Row:
    """Return a database's data source where there is one alone, as the API of 2022 wants it.

    Raises:
        Invalid: there are several.
    """
    sources = ep.db.all("SELECT * FROM data_sources WHERE database_id = ? ORDER BY position, id", database["id"])
    if len(sources) != 1:
        raise errors.Invalid("Databases with multiple data sources are not supported in this API version.")
    return sources[0]


def answer_source(ep: Episode, reach: Access, source_id: str) -> Body:
    """Return a data source as an answer of its own."""
    return {**source_view(ep, reach, row_of(ep, "data_sources", source_id)), "request_id": ep.new_id("request")}


# -- what the API does ------------------------------------------------------------------------------------------------


def check_schema(ep: Episode, reach: Access, properties: RequestField, *, is_old: bool = False) -> None:
    """Refuse a schema of a new data source in which something is wrong: there must be exactly one title."""
    kinds = []
    writer = SchemaWriter(ep, reach, "", is_old=is_old)
    for name in properties.a("object").value:
        kinds.append(writer.check(properties.at(name)))
    if kinds.count("title") != 1:
        if not kinds.count("title"):
            raise errors.Invalid("Title is not provided")
        raise errors.Invalid("Only one title property is allowed")


def read_parent(reach: Access, parent: RequestField) -> tuple[str, str | None]:
    """Return where a new database goes.

    Raises:
        Invalid: nowhere that a database can stand.
    """
    parent.a("object")
    for kind in ("page_id", "block_id"):
        if kind in parent.value:
            parent.only("type", kind)
            key = parent.at(kind).uuid()
            reach.require_editable(reach.require(kind.removesuffix("_id"), key))
            return kind, key
    if "workspace" in parent.value:
        raise errors.Invalid(
            "Internal integrations aren't owned by a single user, so creating workspace-level private pages is not "
            "supported."
        )
    raise refuse(fault(f"{parent.path}.page_id", "defined"), fault(f"{parent.path}.workspace", "defined"))


def make_database(
    ep: Episode, reach: Access, sent: RequestField, properties: RequestField, *, is_old: bool = False
) -> Row:
    """Store a database with one data source and its schema."""
    check_schema(ep, reach, properties, is_old=is_old)
    parent_type, parent_id = read_parent(reach, sent.at("parent"))
    named = _optional_text(ep, sent, "title")
    title = named or rich(_UNNAMED)
    database_id, bot_id = ep.new_id("database"), reach.bot["id"]
    ep.db.insert(
        "databases",
        id=database_id,
        workspace_id=reach.bot["workspace_id"],
        parent_type=parent_type,
        parent_id=parent_id,
        position=last_position(ep, parent_id) + 1.0 if parent_id else 0.0,
        title=dump(title),
        description=dump(_optional_text(ep, sent, "description") or []),
        icon=_optional(sent, "icon", read_icon),
        cover=_optional(sent, "cover", read_cover),
        is_inline=int(bool(sent.value.get("is_inline"))),
        created_ms=ep.now_ms,
        created_by=bot_id,
        edited_ms=ep.now_ms,
    )
    make_source(ep, reach, database_id, named or [], properties, is_old=is_old)
    if parent_type == "page_id":
        ep.db.update("pages", {"id": parent_id}, edited_ms=ep.now_ms, edited_by=bot_id)
    return row_of(ep, "databases", database_id)


def make_source(
    ep: Episode, reach: Access, database_id: str, title: list[Body], properties: RequestField, *, is_old: bool = False
) -> str:
    """Store a data source with its schema and return its id."""
    source_id = ep.new_id("data_source")
    last = ep.db.scalar("SELECT max(position) FROM data_sources WHERE database_id = ?", database_id)
    ep.db.insert(
        "data_sources",
        id=source_id,
        database_id=database_id,
        position=(last or 0) + 1,
        title=dump(title),
        created_ms=ep.now_ms,
        created_by=reach.bot["id"],
        edited_ms=ep.now_ms,
        edited_by=reach.bot["id"],
    )
    writer = SchemaWriter(ep, reach, source_id, is_old=is_old)
    # A rollup asks for its relation, wherever that stands.
    names = sorted(properties.value, key=lambda name: "rollup" in properties.value[name])
    for name in names:
        writer.create(name, properties.at(name))
    return source_id


def _optional_text(ep: Episode, sent: RequestField, key: str) -> list[Body] | None:
    given = sent.at(key)
    return read_rich_text(ep, given) if given.is_there else None


def _optional(sent: RequestField, key: str, read: Any) -> str | None:
    given = sent.at(key)
    return dump(read(given)) if given.is_there and given.value is not None else None


def change_source(ep: Episode, reach: Access, source: Row, sent: RequestField, *, is_old: bool = False) -> None:
    """Change a data source's title, description and schema."""
    reach.require_editable(source)
    title, description = _optional_text(ep, sent, "title"), _optional_text(ep, sent, "description")
    if "properties" in sent.value:
        _change_schema(ep, reach, source, sent.at("properties").a("object"), is_old=is_old)
    if title is not None:
        ep.db.update("data_sources", {"id": source["id"]}, title=dump(title))
        alone = ep.db.scalar("SELECT count(*) FROM data_sources WHERE database_id = ?", source["database_id"]) == 1
        if alone:
            ep.db.update("databases", {"id": source["database_id"]}, title=dump(title))
    if description is not None:
        ep.db.update("databases", {"id": source["database_id"]}, description=dump(description))
    reach.touch("data_sources", source)


def _change_schema(ep: Episode, reach: Access, source: Row, properties: RequestField, *, is_old: bool) -> None:
    writer = SchemaWriter(ep, reach, source["id"], is_old=is_old)
    for name in properties.value:
        rows = list_properties(ep, source["id"])
        row, wanted = find_property(rows, name), properties.at(name)
        if wanted.value is None:
            if row is None:
                raise errors.Invalid(f"Could not find property with name or id: {name}")
            _drop(ep, row)
        elif row is None:
            if "title" in wanted.a("object").value:
                raise errors.Invalid("Cannot create new title property.")
            writer.create(name, wanted)
        else:
            _change_property(ep, writer, row, wanted, rows)


def _drop(ep: Episode, row: Row) -> None:
    if row["type"] == "title":
        raise errors.Invalid("Cannot delete title property.")
    ep.db.delete("properties", data_source_id=row["data_source_id"], id=row["id"])
    _empty(ep, row)


def _empty(ep: Episode, row: Row) -> None:
    """Take what stands in a property out of every page.

    Reads all pages: each page of the data source loses its cell.
    """
    sql = "DELETE FROM cells WHERE property_id = ? AND page_id IN (SELECT id FROM pages WHERE parent_id = ?)"
    ep.db.execute(sql, row["id"], row["data_source_id"])


def _change_property(ep: Episode, writer: SchemaWriter, row: Row, wanted: RequestField, rows: list[Row]) -> None:
    key = {"data_source_id": row["data_source_id"], "id": row["id"]}
    sent = wanted.a("object")
    changes: dict[str, Any] = {}
    if "name" in sent.value:
        name = sent.at("name").a("string").value
        if any(each["name"] == name and each["id"] != row["id"] for each in rows):
            raise errors.Invalid(f'Property name "{name}" is already in use.')
        changes["name"] = name
    if "description" in sent.value:
        changes["description"] = sent.value["description"]
    if not sent.value.keys() <= {"name", "description", "type"}:
        kind = writer.check(sent)
        if kind != row["type"] and "title" in (kind, row["type"]):
            raise errors.Invalid("Cannot change the type of the title property.")
        old = row["config"] if kind == row["type"] else None
        config = writer.read(kind, sent.at(kind), str(changes.get("name", row["name"])), row["id"], old)
        changes |= {"type": kind, "config": dump(config)}
        if kind != row["type"]:
            # What stood there does not fit; the real service converts some of it, as FIDELITY.md says.
            _empty(ep, row)
    ep.db.update("properties", key, **changes)


# -- the tools --------------------------------------------------------------------------------------------------------


def retrieve_database(ep: Episode, *, database_id: str) -> Result:
    """Return a database with the names of its data sources."""
    reach = Access(ep)
    database = reach.require_database(database_id)
    return {**database_view(ep, reach, database), "request_id": ep.new_id("request")}


def create_database(
    ep: Episode,
    *,
    parent: dict[str, Any],
    initial_data_source: dict[str, Any],
    title: list[Any] | None = None,
    description: list[Any] | None = None,
    is_inline: bool | None = None,
    icon: dict[str, Any] | None = None,
    cover: dict[str, Any] | None = None,
) -> Result:
    """Make a database with one data source below a page."""
    members = {"title": title, "description": description, "is_inline": is_inline, "icon": icon, "cover": cover}
    sent = body(parent=parent, initial_data_source=initial_data_source, **members)
    reach = Access(ep)
    properties = sent.at("initial_data_source").at("properties")
    database = make_database(ep, reach, sent, properties)
    return {**database_view(ep, Access(ep), database), "request_id": ep.new_id("request")}


def create_data_source(
    ep: Episode, *, parent: dict[str, Any], properties: dict[str, Any], title: list[Any] | None = None
) -> Result:
    """Add a data source to a database."""
    sent = body(parent=parent, properties=properties, title=title)
    reach = Access(ep)
    check_schema(ep, reach, sent.at("properties"))
    place = sent.at("parent")
    place.only("type", "database_id")
    database_id = place.at("database_id").uuid()
    reach.require_editable(reach.require("database", database_id))
    source_id = make_source(ep, reach, database_id, _optional_text(ep, sent, "title") or [], sent.at("properties"))
    return answer_source(ep, Access(ep), source_id)


def retrieve_data_source(ep: Episode, *, data_source_id: str) -> Result:
    """Return a data source with its schema."""
    reach = Access(ep)
    return answer_source(ep, reach, reach.require_source(data_source_id)["id"])


def update_data_source(
    ep: Episode,
    *,
    data_source_id: str,
    title: list[Any] | None = None,
    description: list[Any] | None = None,
    properties: dict[str, Any] | None = None,
) -> Result:
    """Change a data source's title, description and schema."""
    reach = Access(ep)
    source = reach.require_source(data_source_id)
    change_source(ep, reach, source, body(title=title, description=description, properties=properties))
    return answer_source(ep, Access(ep), source["id"])


def create_data_source_item(ep: Episode, *, data_source_id: str, properties: dict[str, Any]) -> Result:
    """Make a page in a data source."""
    reach = Access(ep)
    return create_item(ep, reach, parent_source(reach, data_source_id), properties)


def parent_source(reach: Access, data_source_id: Any) -> Row:
    """Return the data source that a request names as the parent of a new page."""
    return reach.require("data_source", RequestField(data_source_id, "body.parent.data_source_id").uuid())
