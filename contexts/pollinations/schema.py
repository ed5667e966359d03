"""What the tools leave on the machine they run on: picture files, and what was played there."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

files = table(
    "files",
    METADATA,
    column("path", generation="free-form", primary_key=True),
    column("tool", generation="enumerate", nullable=False),
    column("prompt", nullable=False),
    # As JSON: the caller may have sent anything.
    column("model", generation="enumerate", json=True, nullable=False),
    column("seed", generation="random", json=True, nullable=False),
    column("images", generation="authentic", json=True, nullable=False),
    column("size_bytes", INTEGER, generation="random", nullable=False),
    column("sha256", generation="random", nullable=False),
    column("saved_ms", INTEGER, generation="random", time="ms", nullable=False),
)

sounds = table(
    "sounds",
    METADATA,
    column("number", INTEGER, generation="random", primary_key=True),
    column("prompt", nullable=False),
    column("voice", generation="enumerate", nullable=False),
    column("instructions", nullable=False),
    column("played_ms", INTEGER, generation="random", time="ms", nullable=False),
)
