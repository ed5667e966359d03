"""The notebook's one table."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

notes = table(
    "notes",
    METADATA,
    column("id", made="random", primary_key=True),
    column("text", made="free-form", nullable=False),
    column("made_ms", INTEGER, time="ms", made="random", nullable=False),
)
