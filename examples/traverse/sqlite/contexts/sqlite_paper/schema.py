"""The tables: the client's own database, and the memo."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

stores = table(
    "stores",
    METADATA,
    column("store_id", INTEGER, generation="random", primary_key=True),
    column("dump_text", role="body", format="plain", generation="free-form", nullable=False),
)

insights = table(
    "insights",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("insight", role="body", format="plain", generation="free-form", nullable=False),
)
