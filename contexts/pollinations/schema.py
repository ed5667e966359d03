"""What the tools leave on the machine they run on: picture files, and what was played there."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

files = table(
    "files",
    METADATA,
    column("path", generation="free-form", primary_key=True),
    column("tool", role="kind", generation="enumerate", nullable=False),
    column("prompt", role="body", format="plain", nullable=False),
    # As JSON: the caller may have sent anything.
    column("model", role="setting", generation="enumerate", json=True, nullable=False),
    column("seed", role="setting", generation="random", json=True, nullable=False),
    column("images", role="setting", generation="authentic", json=True, nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    column("sha256", role="internal", generation="random", nullable=False),
    column("saved_ms", INTEGER, generation="random", time="ms", nullable=False),
    view="list",
)

sounds = table(
    "sounds",
    METADATA,
    column("number", INTEGER, generation="random", primary_key=True),
    column("prompt", role="body", format="plain", nullable=False),
    column("voice", role="setting", generation="enumerate", nullable=False),
    column("instructions", role="body", format="plain", nullable=False),
    column("played_ms", INTEGER, generation="random", time="ms", nullable=False),
    view="list",
)
