"""The clock's context tree: how the person whom the agent works for answers, and what they were asked."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

# One row, if somebody can be asked.
users = table(
    "users",
    METADATA,
    column("number", INTEGER, primary_key=True),
    column("unknown", role="body", format="plain", nullable=False),
    column("tired", role="body", format="plain", nullable=False),
    column("questions_max", INTEGER, role="setting", nullable=False),
    internal=True,
    few=True,
)

# What the person knows: told to whoever asks for it, at most ``patience`` times.
answers = table(
    "answers",
    METADATA,
    column("number", INTEGER, primary_key=True),
    column("asks", role="internal", json=True, nullable=False),
    column("says", role="body", format="plain", nullable=False),
    column("patience", INTEGER, role="setting", nullable=False),
    internal=True,
    few=True,
)

# ``told`` has the numbers of the answers that were given.
questions = table(
    "questions",
    METADATA,
    column("number", INTEGER, primary_key=True),
    column("question", role="body", format="plain", nullable=False),
    column("told", role="internal", json=True, nullable=False, server_default="[]"),
    internal=True,
    few=True,
)
