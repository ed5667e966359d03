"""The tables of a garden of nodes and ties."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

nodes = table(
    "nodes",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("label", role="title", generation="free-form", nullable=False),
    column("kind", role="kind", generation="free-form", nullable=False),
    column("remarks", role="body", generation="free-form", json=True, nullable=False),
)

ties = table(
    "ties",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("source", role="title", generation="free-form", nullable=False),
    column("target", role="title", generation="free-form", nullable=False),
    column("bond", role="kind", generation="free-form", nullable=False),
)
