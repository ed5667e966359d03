"""Deep research keeps nothing; what it finds is a reference. Its server may be without a key."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

# The running MCP server: none is as one with a key.
servers = table(
    "servers",
    METADATA,
    column("server_id", INTEGER, generation="enumerate", primary_key=True),
    column("has_key", INTEGER, role="setting", generation="enumerate", nullable=False),
    few=True,
    view="list",
)
