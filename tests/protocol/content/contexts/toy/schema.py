"""The notebook's one table."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

notes = table(
    "notes",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("text", generation="free-form", nullable=False),
    column("made_ms", INTEGER, time="ms", generation="random", nullable=False),
)
