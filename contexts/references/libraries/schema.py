"""The libraries: what is documented, in which versions, the pieces of documentation, and what is refused instead."""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, REAL, MetaData, column, reference, table

METADATA = MetaData()

libraries = table(
    "libraries",
    METADATA,
    column("library_id", generation="authentic", primary_key=True),  # /facebook/react
    column("title", generation="authentic", nullable=False),
    column("description", nullable=False),
    column("code_snippets", INTEGER, generation="random"),
    column("trust_score", REAL, generation="random"),  # 0 to 10
    column("benchmark_score", REAL, generation="random"),  # up to 100
    column("source", generation="authentic"),
    column("also_called", generation="authentic", nullable=False, server_default=""),  # between commas: k8s
)

# The newest first.
versions = table(
    "versions",
    METADATA,
    column("library_id", reference("libraries.library_id"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", primary_key=True),
    column("tag", generation="authentic", nullable=False),  # v19.2.0
)

snippets = table(
    "snippets",
    METADATA,
    column("library_id", reference("libraries.library_id"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", primary_key=True),
    column("kind", generation="enumerate", nullable=False),
    column("tag", generation="authentic"),  # of the only version it holds for
    column("title", nullable=False),
    column("source_url", generation="authentic", nullable=False),
    column("text", nullable=False),
    column("language", generation="enumerate"),
    column("code"),
    column("keywords", nullable=False, server_default=""),  # other words people ask with
    CheckConstraint("kind IN ('code', 'info')", name="snippets_kind"),
    CheckConstraint("(kind = 'code') = (code IS NOT NULL)", name="snippets_code"),
    Index("snippets_kind_of", "library_id", "kind"),
)

# What the API answers to a library's name or id instead of anything else.
refusals = table(
    "refusals",
    METADATA,
    column("asked", generation="authentic", primary_key=True),
    column("status", INTEGER, generation="enumerate", nullable=False),
    column("message"),  # none: the server words the status itself
)
