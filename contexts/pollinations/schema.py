"""What the tools leave on the machine they run on: picture files, and what was played there."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

files = table(
    "files",
    METADATA,
    column("path", made="free-form", primary_key=True),
    column("tool", made="enumerate", nullable=False),
    column("prompt", nullable=False),
    # As JSON: the caller may have sent anything.
    column("model", made="enumerate", json=True, nullable=False),
    column("seed", made="random", json=True, nullable=False),
    column("images", made="authentic", json=True, nullable=False),
    column("size_bytes", INTEGER, made="random", nullable=False),
    column("sha256", made="random", nullable=False),
    column("saved_ms", INTEGER, made="random", time="ms", nullable=False),
)

sounds = table(
    "sounds",
    METADATA,
    column("number", INTEGER, made="random", primary_key=True),
    column("prompt", nullable=False),
    column("voice", made="enumerate", nullable=False),
    column("instructions", nullable=False),
    column("played_ms", INTEGER, made="random", time="ms", nullable=False),
)
