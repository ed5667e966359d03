"""The tables of a file system below one allowed directory."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

nodes = table(
    "nodes",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("path", role="file", generation="free-form", nullable=False, unique=True),
    column("node_kind", role="kind", generation="enumerate", nullable=False),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
    column("created_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("modified_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("accessed_ms", INTEGER, generation="random", time="ms", nullable=False),
)
