"""Deep research keeps nothing; what it finds is a reference. Its server may be without a key."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

# The running MCP server: none is as one with a key.
servers = table(
    "servers",
    METADATA,
    column("server_id", INTEGER, made="enumerate", primary_key=True),
    column("has_key", INTEGER, made="enumerate", nullable=False),
)
