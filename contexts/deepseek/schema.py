"""What one account has done: conversations that the server keeps, files it has uploaded, calls it has paid for."""

from farm.context.schema import INTEGER, MetaData, column, parent, table

METADATA = MetaData()

conversations = table(
    "conversations",
    METADATA,
    column("conversation_id", made="free-form", primary_key=True),
)

messages = table(
    "messages",
    METADATA,
    column("conversation_id", parent("conversations.conversation_id"), made="free-form", primary_key=True),
    column("position", INTEGER, made="random", primary_key=True),
    # As it was sent or came back.
    column("message", json=True, nullable=False, shown=("content",)),
    look="thread",
)

files = table(
    "files",
    METADATA,
    column("file_id", made="random", primary_key=True),
    column("filename", nullable=False),
    column("size_bytes", INTEGER, made="random", nullable=False),
    column("sha256", made="random", nullable=False),
    column("created_s", INTEGER, made="random", time="s", nullable=False),
    column("expires_s", INTEGER, made="random", time="s"),
)

charges = table(
    "charges",
    METADATA,
    column("number", INTEGER, made="random", primary_key=True),
    column("model", made="enumerate", nullable=False),
    column("prompt_tokens", INTEGER, made="random", nullable=False),
    column("completion_tokens", INTEGER, made="random", nullable=False),
    # Millionths of the account's currency.
    column("cost_micros", INTEGER, made="random", nullable=False),
    column("charged_ms", INTEGER, made="random", time="ms", nullable=False),
)
