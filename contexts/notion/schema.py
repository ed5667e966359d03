"""Notion's context tree: a workspace with its people, pages, blocks, databases and what is said about them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, OPEN, REAL, MetaData, View, column, parent, person, reference, table

METADATA = MetaData()

# Of rich text, what is read; of a file and a link, what is seen; and the keys that lead there.
_TEXT = ("plain_text", "rich_text", "caption", "cells")
_VISIBLE_KEYS = (*_TEXT, "expression", "url", "external", "name", "title")

workspaces = table(
    "workspaces",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

users = table(
    "users",
    METADATA,
    column("id", generation="random", primary_key=True),
    person(),
    column("workspace_id", parent("workspaces.id"), generation="authentic", nullable=False),
    column("type", role="kind", generation="enumerate", nullable=False, server_default="person"),
    column("name", role="title", generation="authentic", nullable=False),
    column("avatar_url", role="cosmetic", generation="random"),
    column("email", role="person", generation="authentic"),
    # The integration whose token the MCP server holds: whatever the tools do, it does.
    column("is_self", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    CheckConstraint("type IN ('person', 'bot')", name="users_type"),
    few=True,
    view="people",
)

databases = table(
    "databases",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("workspace_id", parent("workspaces.id"), generation="authentic", nullable=False),
    column("parent_type", role="kind", usual=OPEN, generation="enumerate", nullable=False, server_default="workspace"),
    column("parent_id", role="reference", many=True, generation="authentic"),
    # The order among what stands below the same parent; what is put in between gets a number in between.
    column("position", REAL, role="cosmetic", generation="random", nullable=False, server_default="0"),
    column(
        "title",
        role="title",
        format="notion_rich_text",
        json=True,
        visible_keys=_VISIBLE_KEYS,
        nullable=False,
        server_default="[]",
    ),
    column(
        "description",
        role="body",
        format="notion_rich_text",
        json=True,
        visible_keys=_VISIBLE_KEYS,
        nullable=False,
        server_default="[]",
    ),
    column("icon", role="cosmetic", generation="random", json=True),
    column("cover", role="cosmetic", generation="random", json=True),
    column("is_inline", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_locked", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("in_trash", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    # Whether its owner has shared it, with all below it, with the integration.
    column(
        "is_shared", INTEGER, role="setting", usual=OPEN, generation="enumerate", nullable=False, server_default="0"
    ),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("created_by", reference("users.id"), role="author", generation="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", generation="random", server_managed=True, nullable=False),
    CheckConstraint("parent_type IN ('workspace', 'page_id', 'block_id')", name="databases_parent"),
    Index("databases_parent", "parent_id", "position"),
    view="container",
)

data_sources = table(
    "data_sources",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("database_id", parent("databases.id"), generation="authentic", nullable=False),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False, server_default="1"),
    column(
        "title",
        role="title",
        format="notion_rich_text",
        json=True,
        visible_keys=_VISIBLE_KEYS,
        nullable=False,
        server_default="[]",
    ),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("created_by", reference("users.id"), role="author", generation="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", generation="random", server_managed=True, nullable=False),
    column(
        "edited_by", reference("users.id"), role="author", generation="authentic", server_managed=True, nullable=False
    ),
    Index("data_sources_database", "database_id", "position"),
    Index("data_sources_edited", text("edited_ms / 60000"), "created_ms", "id"),
    view="part",
)

properties = table(
    "properties",
    METADATA,
    column("data_source_id", parent("data_sources.id"), generation="authentic", primary_key=True),
    column("id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    column("type", role="kind", generation="enumerate", nullable=False),
    column("config", role="setting", json=True, nullable=False, server_default="{}"),
    column("description", role="body", format="plain"),
    view="grid",
)

pages = table(
    "pages",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("workspace_id", parent("workspaces.id"), generation="authentic", nullable=False),
    column("parent_type", role="kind", usual=OPEN, generation="enumerate", nullable=False, server_default="workspace"),
    column("parent_id", role="reference", many=True, generation="authentic"),
    # As of databases; of a data source's pages, the order in which they were made.
    column("position", REAL, role="cosmetic", generation="random", nullable=False, server_default="0"),
    column(
        "title",
        role="title",
        format="notion_rich_text",
        json=True,
        visible_keys=_VISIBLE_KEYS,
        nullable=False,
        server_default="[]",
    ),
    column("icon", role="cosmetic", generation="random", json=True),
    column("cover", role="cosmetic", generation="random", json=True),
    column("is_locked", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("in_trash", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    column(
        "is_shared", INTEGER, role="setting", usual=OPEN, generation="enumerate", nullable=False, server_default="0"
    ),
    # What a property of type unique_id shows.
    column("number", INTEGER, role="key", usual=OPEN, generation="random"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("created_by", reference("users.id"), role="author", generation="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", generation="random", server_managed=True, nullable=False),
    column(
        "edited_by", reference("users.id"), role="author", generation="authentic", server_managed=True, nullable=False
    ),
    CheckConstraint("parent_type IN ('workspace', 'page_id', 'block_id', 'data_source_id')", name="pages_parent"),
    Index("pages_parent", "parent_id", "position"),
    Index("pages_number", "parent_id", "number", sqlite_where=text("number IS NOT NULL")),
    # The order of a search.
    Index("pages_edited", text("edited_ms / 60000"), "created_ms", "id"),
    view=View("tree", parent="parent_id"),
)

# What a data source's page holds in one property; one that is empty has no row. The title stands in the page.
cells = table(
    "cells",
    METADATA,
    column("page_id", parent("pages.id"), generation="authentic", primary_key=True),
    column("property_id", generation="authentic", primary_key=True),
    column(
        "value",
        role="body",
        format="notion_value",
        json=True,
        visible_keys=(*_VISIBLE_KEYS, "start", "end", "id"),
        nullable=False,
    ),
    view=View("part", one="property"),
)

blocks = table(
    "blocks",
    METADATA,
    column("id", generation="random", primary_key=True),
    # The page it stands on, however deep.
    column("page_id", parent("pages.id"), generation="authentic", nullable=False),
    column("parent_type", role="kind", usual=OPEN, generation="enumerate", nullable=False, server_default="page_id"),
    column("parent_id", role="reference", many=True, generation="authentic", nullable=False),
    column("position", REAL, role="cosmetic", generation="random", nullable=False),
    column("type", role="kind", generation="enumerate", nullable=False),
    column(
        "content",
        role="body",
        format="notion_block",
        json=True,
        visible_keys=_VISIBLE_KEYS,
        nullable=False,
        server_default="{}",
    ),
    column("in_trash", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("created_by", reference("users.id"), role="author", generation="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", generation="random", server_managed=True, nullable=False),
    column(
        "edited_by", reference("users.id"), role="author", generation="authentic", server_managed=True, nullable=False
    ),
    CheckConstraint("parent_type IN ('page_id', 'block_id')", name="blocks_parent"),
    Index("blocks_parent", "parent_id", "position"),
    Index("blocks_page", "page_id"),
    view="text",
)

comments = table(
    "comments",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("discussion_id", role="reference", generation="authentic", nullable=False),
    column("page_id", parent("pages.id"), generation="authentic", nullable=False),
    # The block that an inline discussion hangs on; without one it is the page's.
    column("block_id", parent("blocks.id"), generation="authentic"),
    column("rich_text", role="body", format="notion_rich_text", json=True, visible_keys=_VISIBLE_KEYS, nullable=False),
    column("is_resolved", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("created_by", reference("users.id"), role="author", generation="authentic", nullable=False),
    Index("comments_discussion", "discussion_id"),
    Index("comments_page", "page_id"),
    Index("comments_block", "block_id"),
    notifies=True,
    view="comments",
)
