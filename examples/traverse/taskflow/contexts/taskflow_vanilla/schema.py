"""The tables of a simple task list."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

tasks = table(
    "tasks",
    METADATA,
    column("task_id", INTEGER, generation="random", primary_key=True),
    column("title", role="title", generation="free-form", nullable=False),
    column("priority", role="kind", generation="enumerate", nullable=False),
    column("status", role="status", generation="enumerate", nullable=False),
    column("created_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("completed_ms", INTEGER, generation="random", time="ms"),
)
