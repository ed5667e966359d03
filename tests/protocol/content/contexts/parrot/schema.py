"""What the parrot has heard."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

words = table(
    "words",
    METADATA,
    column("id", made="random", primary_key=True),
    column("words", made="free-form", nullable=False),
    column("heard_ms", INTEGER, time="ms", made="random", nullable=False),
)
