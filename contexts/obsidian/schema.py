"""Obsidian's context tree: a vault, the files in it, its periodic notes' settings, and folders that are empty.

Headings, blocks, tags and frontmatter are what a note's text says: they are read from it, never stored.
"""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, MetaData, View, column, parent, person, table

METADATA = MetaData()

# One vault a person: the one that is open in Obsidian while the REST API plugin listens.
vaults = table(
    "vaults",
    METADATA,
    column("vault_id", generation="random", primary_key=True),
    person(),
    column("name", role="title", generation="authentic", nullable=False),
    # Of the machine that Obsidian runs on: where its days begin. Empty: the world's.
    column("time_zone", role="setting", generation="enumerate", nullable=False, server_default=""),
    # 0: nothing listens, every call is a refused connection.
    column("is_running", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    # 0: the MCP server was given another key than the plugin's.
    column("is_key_right", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    column("has_dataview", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    few=True,
    view="container",
)

# A period without a row is switched off.
periods = table(
    "periods",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), generation="authentic", primary_key=True),
    column("period", generation="enumerate", primary_key=True),
    column("is_enabled", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    column("folder", role="setting", generation="authentic", nullable=False, server_default=""),
    # As moment.js writes dates; empty: the period's own.
    column("format", role="setting", generation="authentic", nullable=False, server_default=""),
    CheckConstraint("period IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')", name="periods_period"),
    few=True,
    view="grid",
)

# Folders of which no file tells: what a deleted file leaves behind. The API shows none of them.
folders = table(
    "folders",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), generation="authentic", primary_key=True),
    column("path", generation="authentic", primary_key=True),
    internal=True,
)

files = table(
    "files",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), generation="authentic", primary_key=True),
    column("path", generation="authentic", primary_key=True),
    column("content", role="body", format="obsidian", nullable=False, server_default=""),
    # The bytes of a file that is no text; its content is empty then.
    column("base64", role="file", generation="authentic"),
    # Where it stands among the vault's files, which is the order of what a search finds; new ones come last.
    column(
        "seq", INTEGER, role="cosmetic", generation="random", server_managed=True, nullable=False, server_default="0"
    ),
    column("made_ms", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    column("changed_ms", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("files_order", "vault_id", "seq"),
    Index("files_changed", "vault_id", "changed_ms"),
    view=View("tree", title="path"),
)
