"""The tables of a directory of files."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

# The allowed directory itself gets its row with the first use of it.
nodes = table(
    "nodes",
    METADATA,
    column("path", generation="authentic", primary_key=True),
    column("parent_path", role="file", generation="authentic", nullable=False),
    column("name", role="file", generation="authentic", nullable=False),
    # file or directory
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
    column("created_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("modified_ms", INTEGER, generation="random", time="ms", nullable=False),
    # The last change of the entry itself: of its content, or a renaming.
    column("changed_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("accessed_ms", INTEGER, generation="random", time="ms", nullable=False),
)
