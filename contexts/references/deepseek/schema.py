"""The service behind the tools: its models, an account's balance, and what stands in for a language model says."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

models = table(
    "models",
    METADATA,
    column("id", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False, unique=True),
    column("owned_by", generation="authentic", nullable=False),
    # Others are still taken and listed no more.
    column("is_listed", INTEGER, generation="enumerate", nullable=False),
)

# What an account had when the episode began; one row.
accounts = table(
    "accounts",
    METADATA,
    column("currency", generation="enumerate", primary_key=True),
    column("granted_cents", INTEGER, generation="authentic", nullable=False),
    column("topped_up_cents", INTEGER, generation="authentic", nullable=False),
    # Of a million tokens.
    column("prompt_price_cents", INTEGER, generation="authentic", nullable=False),
    column("completion_price_cents", INTEGER, generation="authentic", nullable=False),
)

# ``kind`` is chat, completion or response. With {model}, {words} (how many, and the noun) and {quoted} in them; each
# says what is speaking.
replies = table(
    "replies",
    METADATA,
    column("kind", generation="enumerate", primary_key=True),
    column("text", generation="authentic", primary_key=True),
    column("reasoning", generation="authentic", nullable=False),
)

# What is said to exactly this, in the place of a reply; for recordings and tasks that need a certain text.
canned = table(
    "canned",
    METADATA,
    column("kind", generation="enumerate", primary_key=True),
    column("asked", generation="authentic", primary_key=True),
    column("text", generation="authentic", nullable=False),
    column("reasoning", generation="authentic", nullable=False),
    column("prompt_tokens", INTEGER, generation="authentic"),
    column("completion_tokens", INTEGER, generation="authentic"),
    column("id", generation="random"),
)
