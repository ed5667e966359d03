"""The tables of a garden."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

plants = table(
    "plants",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("label", role="title", generation="free-form", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("remarks", role="body", generation="free-form", json=True, nullable=False),
)

ties = table(
    "ties",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("source_label", role="title", generation="free-form", nullable=False),
    column("target_label", role="title", generation="free-form", nullable=False),
    column("bond", role="kind", generation="enumerate", nullable=False),
)
