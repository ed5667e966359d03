"""The tables of a chat service: servers, users, roles, channels, messages, reactions."""

from farm.appkit.schema import INTEGER, MetaData, column, table

METADATA = MetaData()

guilds = table(
    "guilds",
    METADATA,
    column("guild_id", generation="random", primary_key=True),
    column("name", role="title", generation="free-form", nullable=False),
    column("owner_id", role="person", generation="authentic", nullable=False),
    column("description", role="body", format="plain", generation="free-form"),
    column("premium_tier", INTEGER, role="status", generation="enumerate", nullable=False),
    column("content_filter", role="setting", generation="enumerate", nullable=False),
    column("bot_inside", INTEGER, role="internal", generation="enumerate", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    column("name", role="person", generation="authentic", nullable=False),
    column("discriminator", role="internal", generation="random", nullable=False),
    column("is_bot", INTEGER, role="kind", generation="enumerate", nullable=False),
)

members = table(
    "members",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("guild_id", role="internal", generation="random", nullable=False),
    column("user_id", role="person", generation="random", nullable=False),
)

roles = table(
    "roles",
    METADATA,
    column("role_id", generation="random", primary_key=True),
    column("guild_id", role="internal", generation="random", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
    column("position", INTEGER, role="internal", generation="random", nullable=False),
)

member_roles = table(
    "member_roles",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("user_id", role="person", generation="random", nullable=False),
    column("role_id", role="kind", generation="random", nullable=False),
)

channels = table(
    "channels",
    METADATA,
    column("channel_id", generation="random", primary_key=True),
    column("guild_id", role="internal", generation="random", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
    column("topic", role="body", format="plain", generation="free-form"),
    column("parent_id", role="internal", generation="random"),
    column("hidden", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
    column("no_send", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
    column("no_history", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
    column("is_required", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
    column("archived", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
    column("locked", INTEGER, role="internal", generation="enumerate", nullable=False, server_default="0"),
)

messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column("channel_id", role="internal", generation="random", nullable=False),
    column("author", role="author", generation="authentic", nullable=False),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
)

emojis = table(
    "emojis",
    METADATA,
    column("emoji_id", generation="random", primary_key=True),
    column("guild_id", role="internal", generation="random", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
)

reactions = table(
    "reactions",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("message_id", role="internal", generation="random", nullable=False),
    column("emoji_key", role="kind", generation="enumerate", nullable=False),
    column("shown", role="kind", generation="enumerate", nullable=False),
    column("user_id", role="person", generation="random", nullable=False),
)

creations = table(
    "creations",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
)
