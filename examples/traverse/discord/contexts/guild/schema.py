"""The tables of a Discord guild as a bot sees it."""

from farm.appkit.schema import INTEGER, MetaData, column, parent, reference, table

METADATA = MetaData()

guilds = table(
    "guilds",
    METADATA,
    column("guild_id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    column("owner_id", role="internal", generation="random", nullable=False),
    column("description", role="body", format="plain", generation="free-form"),
    column("premium_tier", INTEGER, role="setting", generation="enumerate", nullable=False),
    column("content_filter", role="setting", generation="enumerate", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    column("name", role="person", generation="authentic", nullable=False),
    column("discriminator", role="internal", generation="random", nullable=False),
    column("bot", INTEGER, role="kind", generation="enumerate", nullable=False),
)

roles = table(
    "roles",
    METADATA,
    column("role_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("height", INTEGER, role="setting", generation="enumerate", nullable=False),
)

members = table(
    "members",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("user_id", reference("users.user_id"), generation="authentic", nullable=False),
)

member_roles = table(
    "member_roles",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("user_id", reference("users.user_id"), generation="authentic", nullable=False),
    column("role_id", parent("roles.role_id"), generation="authentic", nullable=False),
)

emojis = table(
    "emojis",
    METADATA,
    column("emoji_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
)

channels = table(
    "channels",
    METADATA,
    column("channel_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
    column("topic", role="body", format="plain", generation="free-form"),
    column("above_id", role="internal", generation="random"),
)

messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column("channel_id", parent("channels.channel_id"), generation="authentic", nullable=False),
    column("author", role="author", generation="authentic", nullable=False),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
)

reactions = table(
    "reactions",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("message_id", parent("messages.message_id"), generation="authentic", nullable=False),
    column("emoji", role="internal", generation="authentic", nullable=False),
    column("shown", role="kind", generation="enumerate", nullable=False),
    column("by_people", INTEGER, role="amount", generation="enumerate", nullable=False),
    column("by_bot", INTEGER, role="amount", generation="enumerate", nullable=False),
)

drawn = table(
    "drawn",
    METADATA,
    column("drawn_id", INTEGER, generation="random", primary_key=True),
    column("purpose", role="internal", generation="enumerate", nullable=False),
)
