"""Notion's context tree: a workspace with its people, pages, blocks, databases and what is said about them."""

from sqlalchemy import CheckConstraint, Index

from farm.context.schema import INTEGER, REAL, MetaData, column, parent, person, reference, table

METADATA = MetaData()

# Of rich text, what is read; of a file and a link, what is seen; and the keys that lead there.
_TEXT = ("plain_text", "rich_text", "caption", "cells")
_SHOWN = (*_TEXT, "expression", "url", "external", "name", "title")

workspaces = table(
    "workspaces",
    METADATA,
    column("id", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("id", made="random", primary_key=True),
    person(),
    column("workspace_id", parent("workspaces.id"), made="authentic", nullable=False),
    column("type", made="enumerate", nullable=False, server_default="person"),
    column("name", made="authentic", nullable=False),
    column("avatar_url", made="random"),
    column("email", made="authentic"),
    # The integration whose token the MCP server holds: whatever the tools do, it does.
    column("is_self", INTEGER, made="enumerate", nullable=False, server_default="0"),
    CheckConstraint("type IN ('person', 'bot')", name="users_type"),
)

databases = table(
    "databases",
    METADATA,
    column("id", made="random", primary_key=True),
    column("workspace_id", parent("workspaces.id"), made="authentic", nullable=False),
    column("parent_type", made="enumerate", nullable=False, server_default="workspace"),
    column("parent_id", made="authentic"),
    # The order among what stands below the same parent; what is put in between gets a number in between.
    column("position", REAL, made="random", nullable=False, server_default="0"),
    column("title", json=True, shown=_SHOWN, nullable=False, server_default="[]"),
    column("description", json=True, shown=_SHOWN, nullable=False, server_default="[]"),
    column("icon", made="random", json=True),
    column("cover", made="random", json=True),
    column("is_inline", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_locked", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("in_trash", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    # Whether its owner has shared it, with all below it, with the integration.
    column("is_shared", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("created_by", reference("users.id"), made="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", made="random", automatic=True, nullable=False),
    CheckConstraint("parent_type IN ('workspace', 'page_id', 'block_id')", name="databases_parent"),
    Index("databases_parent", "parent_id", "position"),
)

data_sources = table(
    "data_sources",
    METADATA,
    column("id", made="random", primary_key=True),
    column("database_id", parent("databases.id"), made="authentic", nullable=False),
    column("position", INTEGER, made="random", nullable=False, server_default="1"),
    column("title", json=True, shown=_SHOWN, nullable=False, server_default="[]"),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("created_by", reference("users.id"), made="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", made="random", automatic=True, nullable=False),
    column("edited_by", reference("users.id"), made="authentic", automatic=True, nullable=False),
    Index("data_sources_database", "database_id", "position"),
)

properties = table(
    "properties",
    METADATA,
    column("data_source_id", parent("data_sources.id"), made="authentic", primary_key=True),
    column("id", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("type", made="enumerate", nullable=False),
    column("config", json=True, nullable=False, server_default="{}"),
    column("description"),
    look="table",
)

pages = table(
    "pages",
    METADATA,
    column("id", made="random", primary_key=True),
    column("workspace_id", parent("workspaces.id"), made="authentic", nullable=False),
    column("parent_type", made="enumerate", nullable=False, server_default="workspace"),
    column("parent_id", made="authentic"),
    # As of databases; of a data source's pages, the order in which they were made.
    column("position", REAL, made="random", nullable=False, server_default="0"),
    column("title", json=True, shown=_SHOWN, nullable=False, server_default="[]"),
    column("icon", made="random", json=True),
    column("cover", made="random", json=True),
    column("is_locked", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("in_trash", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    column("is_shared", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # What a property of type unique_id shows.
    column("number", INTEGER, made="random"),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("created_by", reference("users.id"), made="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", made="random", automatic=True, nullable=False),
    column("edited_by", reference("users.id"), made="authentic", automatic=True, nullable=False),
    CheckConstraint("parent_type IN ('workspace', 'page_id', 'block_id', 'data_source_id')", name="pages_parent"),
    Index("pages_parent", "parent_id", "position"),
)

# What a data source's page holds in one property; one that is empty has no row. The title stands in the page.
cells = table(
    "cells",
    METADATA,
    column("page_id", parent("pages.id"), made="authentic", primary_key=True),
    column("property_id", made="authentic", primary_key=True),
    column("value", json=True, shown=(*_SHOWN, "start", "end", "id"), nullable=False),
    look="table",
)

blocks = table(
    "blocks",
    METADATA,
    column("id", made="random", primary_key=True),
    # The page it stands on, however deep.
    column("page_id", parent("pages.id"), made="authentic", nullable=False),
    column("parent_type", made="enumerate", nullable=False, server_default="page_id"),
    column("parent_id", made="authentic", nullable=False),
    column("position", REAL, made="random", nullable=False),
    column("type", made="enumerate", nullable=False),
    column("content", json=True, shown=_SHOWN, nullable=False, server_default="{}"),
    column("in_trash", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("created_by", reference("users.id"), made="authentic", nullable=False),
    column("edited_ms", INTEGER, time="ms", made="random", automatic=True, nullable=False),
    column("edited_by", reference("users.id"), made="authentic", automatic=True, nullable=False),
    CheckConstraint("parent_type IN ('page_id', 'block_id')", name="blocks_parent"),
    Index("blocks_parent", "parent_id", "position"),
    Index("blocks_page", "page_id"),
)

comments = table(
    "comments",
    METADATA,
    column("id", made="random", primary_key=True),
    column("discussion_id", made="authentic", nullable=False),
    column("page_id", parent("pages.id"), made="authentic", nullable=False),
    # The block that an inline discussion hangs on; without one it is the page's.
    column("block_id", parent("blocks.id"), made="authentic"),
    column("rich_text", json=True, shown=_SHOWN, nullable=False),
    column("is_resolved", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("created_by", reference("users.id"), made="authentic", nullable=False),
    Index("comments_discussion", "discussion_id"),
    Index("comments_page", "page_id"),
    noticed=True,
)
