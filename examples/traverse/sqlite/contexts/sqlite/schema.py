"""The tables of a server that executes its client's SQL: the client's database as a whole, its journal's mode, and the memo's insights."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

snapshots = table(
    "snapshots",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
)

journals = table(
    "journals",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("mode", role="setting", generation="enumerate", nullable=False),
)

insights = table(
    "insights",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("insight", role="body", format="plain", generation="free-form", nullable=False),
)
