"""What one account has done: conversations that the server keeps, files it has uploaded, calls it has paid for."""

from farm.appkit.schema import INTEGER, MetaData, View, column, parent, table

METADATA = MetaData()

conversations = table(
    "conversations",
    METADATA,
    column("conversation_id", generation="free-form", primary_key=True),
    view="container",
)

messages = table(
    "messages",
    METADATA,
    column("conversation_id", parent("conversations.conversation_id"), generation="free-form", primary_key=True),
    column("position", INTEGER, generation="random", primary_key=True),
    # As it was sent or came back.
    column("message", role="body", format="plain", json=True, nullable=False, visible_keys=("content",)),
    view="chat",
)

files = table(
    "files",
    METADATA,
    column("file_id", generation="random", primary_key=True),
    column("filename", role="file", nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    column("sha256", role="internal", generation="random", nullable=False),
    column("created_s", INTEGER, generation="random", time="s", nullable=False),
    column("expires_s", INTEGER, generation="random", time="s"),
    view="grid",
)

charges = table(
    "charges",
    METADATA,
    column("number", INTEGER, generation="random", primary_key=True),
    column("model", role="kind", generation="enumerate", nullable=False),
    column("prompt_tokens", INTEGER, role="amount", generation="random", nullable=False),
    column("completion_tokens", INTEGER, role="amount", generation="random", nullable=False),
    # Millionths of the account's currency.
    column("cost_micros", INTEGER, role="amount", generation="random", nullable=False),
    column("charged_ms", INTEGER, generation="random", time="ms", nullable=False),
    view=View("series", value="cost_micros"),
)
