"""The tables of a file system below one allowed directory."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

nodes = table(
    "nodes",
    METADATA,
    column("path", generation="free-form", primary_key=True),
    column("parent_path", role="file", generation="free-form", nullable=False),
    column("name", role="file", generation="free-form", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("content", role="body", format="plain", generation="free-form"),
    column("created_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("modified_ms", INTEGER, generation="random", time="ms", nullable=False),
)
