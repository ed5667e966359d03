"""The tables of a knowledge graph."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

entities = table(
    "entities",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("name", role="title", generation="free-form", nullable=False),
    column("entity_type", role="kind", generation="enumerate", nullable=False),
    column("observations", role="body", generation="free-form", json=True, nullable=False),
)

relations = table(
    "relations",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("from_name", role="title", generation="free-form", nullable=False),
    column("to_name", role="title", generation="free-form", nullable=False),
    column("relation_type", role="kind", generation="enumerate", nullable=False),
)
