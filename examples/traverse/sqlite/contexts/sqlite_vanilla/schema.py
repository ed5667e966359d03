"""The tables behind a client's own SQLite database and its memo."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

stores = table(
    "stores",
    METADATA,
    column("store_id", INTEGER, generation="random", primary_key=True),
    column("dump_text", role="internal", generation="free-form", nullable=False),
    column("table_names", role="internal", generation="free-form", json=True, nullable=False),
)

insights = table(
    "insights",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("insight", role="body", generation="free-form", json=True, nullable=False),
)
