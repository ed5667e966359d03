"""The service behind the tools: its models, an account's balance, and what stands in for a language model says."""

from farm.context.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

models = table(
    "models",
    METADATA,
    column("id", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False, unique=True),
    column("owned_by", made="authentic", nullable=False),
    # Others are still taken and listed no more.
    column("is_listed", INTEGER, made="enumerate", nullable=False),
)

# What an account had when the episode began; one row.
accounts = table(
    "accounts",
    METADATA,
    column("currency", made="enumerate", primary_key=True),
    column("granted_cents", INTEGER, made="authentic", nullable=False),
    column("topped_up_cents", INTEGER, made="authentic", nullable=False),
    # Of a million tokens.
    column("prompt_price_cents", INTEGER, made="authentic", nullable=False),
    column("completion_price_cents", INTEGER, made="authentic", nullable=False),
)

# ``kind`` is chat, completion or response. With {model}, {words} (how many, and the noun) and {quoted} in them; each
# says what is speaking.
replies = table(
    "replies",
    METADATA,
    column("kind", made="enumerate", primary_key=True),
    column("text", made="authentic", primary_key=True),
    column("reasoning", made="authentic", nullable=False),
)

# What is said to exactly this, in the place of a reply; for recordings and tasks that need a certain text.
canned = table(
    "canned",
    METADATA,
    column("kind", made="enumerate", primary_key=True),
    column("asked", made="authentic", primary_key=True),
    column("text", made="authentic", nullable=False),
    column("reasoning", made="authentic", nullable=False),
    column("prompt_tokens", INTEGER, made="authentic"),
    column("completion_tokens", INTEGER, made="authentic"),
    column("id", made="random"),
)
