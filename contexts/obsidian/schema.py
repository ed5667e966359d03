"""Obsidian's context tree: a vault, the files in it, its periodic notes' settings, and folders that are empty.

Headings, blocks, tags and frontmatter are what a note's text says: they are read from it, never stored.
"""

from sqlalchemy import CheckConstraint

from farm.context.schema import INTEGER, MetaData, column, parent, person, table

METADATA = MetaData()

# One vault a person: the one that is open in Obsidian while the REST API plugin listens.
vaults = table(
    "vaults",
    METADATA,
    column("vault_id", made="random", primary_key=True),
    person(),
    column("name", made="authentic", nullable=False),
    # Of the machine that Obsidian runs on: where its days begin. Empty: the world's.
    column("time_zone", made="enumerate", nullable=False, server_default=""),
    # 0: nothing listens, every call is a refused connection.
    column("is_running", INTEGER, made="enumerate", nullable=False, server_default="1"),
    # 0: the MCP server was given another key than the plugin's.
    column("is_key_right", INTEGER, made="enumerate", nullable=False, server_default="1"),
    column("has_dataview", INTEGER, made="enumerate", nullable=False, server_default="1"),
)

# A period without a row is switched off.
periods = table(
    "periods",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), made="authentic", primary_key=True),
    column("period", made="enumerate", primary_key=True),
    column("is_enabled", INTEGER, made="enumerate", nullable=False, server_default="1"),
    column("folder", made="authentic", nullable=False, server_default=""),
    # As moment.js writes dates; empty: the period's own.
    column("format", made="authentic", nullable=False, server_default=""),
    CheckConstraint("period IN ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')", name="periods_period"),
)

# Folders of which no file tells: what a deleted file leaves behind. The API shows none of them.
folders = table(
    "folders",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), made="authentic", primary_key=True),
    column("path", made="authentic", primary_key=True),
    bookkeeping=True,
)

files = table(
    "files",
    METADATA,
    column("vault_id", parent("vaults.vault_id"), made="authentic", primary_key=True),
    column("path", made="authentic", primary_key=True),
    column("content", nullable=False, server_default=""),
    # The bytes of a file that is no text; its content is empty then.
    column("base64", made="authentic"),
    # Where it stands among the vault's files, which is the order of what a search finds; new ones come last.
    column("seq", INTEGER, made="random", automatic=True, nullable=False, server_default="0"),
    column("made_ms", INTEGER, made="random", time="ms", automatic=True, nullable=False),
    column("changed_ms", INTEGER, made="random", time="ms", automatic=True, nullable=False),
)
