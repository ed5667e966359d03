"""Medical's context tree: nothing but what the server keeps for itself, its cache. What it knows is a reference."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

cache_entries = table(
    "cache_entries",
    METADATA,
    column("key", made="random", primary_key=True),
    column("size_bytes", INTEGER, made="random", nullable=False),
    column("made_ms", INTEGER, made="random", time="ms", nullable=False),
    column("expires_ms", INTEGER, made="random", time="ms", nullable=False),
    column("accessed_ms", INTEGER, made="random", time="ms", nullable=False),
    bookkeeping=True,
)

cache_counts = table(
    "cache_counts",
    METADATA,
    column("id", INTEGER, made="random", primary_key=True),
    column("hits", INTEGER, made="random", nullable=False),
    column("misses", INTEGER, made="random", nullable=False),
    bookkeeping=True,
)
