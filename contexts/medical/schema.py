"""Medical's context tree: nothing but what the server keeps for itself, its cache. What it knows is a reference."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

# The server keeps a thousand entries at most.
cache_entries = table(
    "cache_entries",
    METADATA,
    column("key", generation="random", primary_key=True),
    column("size_bytes", INTEGER, role="internal", generation="random", nullable=False),
    column("made_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("expires_ms", INTEGER, generation="random", time="ms", nullable=False),
    column("accessed_ms", INTEGER, generation="random", time="ms", nullable=False),
    internal=True,
    few=True,
)

cache_counts = table(
    "cache_counts",
    METADATA,
    column("id", INTEGER, generation="random", primary_key=True),
    column("hits", INTEGER, role="internal", generation="random", nullable=False),
    column("misses", INTEGER, role="internal", generation="random", nullable=False),
    internal=True,
    few=True,
)
