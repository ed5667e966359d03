"""What the parrot has heard."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

words = table(
    "words",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("words", generation="free-form", nullable=False),
    column("heard_ms", INTEGER, time="ms", generation="random", nullable=False),
)
