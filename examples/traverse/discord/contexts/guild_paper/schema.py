"""The tables of Discord as a bot sees it: servers with members, roles and channels, and messages with reactions."""

from farm.appkit.schema import INTEGER, MetaData, column, parent, reference, table

METADATA = MetaData()

counters = table(
    "counters",
    METADATA,
    column("name", generation="enumerate", primary_key=True),
    column("last_value", INTEGER, role="internal", generation="random", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    column("name", role="person", generation="authentic", nullable=False),
    column("discriminator", role="kind", generation="enumerate", nullable=False),
    column("is_bot", INTEGER, role="kind", generation="enumerate", nullable=False),
    column("is_self", INTEGER, role="internal", generation="enumerate", nullable=False),
)

guilds = table(
    "guilds",
    METADATA,
    column("guild_id", generation="random", primary_key=True),
    column("name", role="title", generation="free-form", nullable=False),
    column("owner_id", reference("users.user_id"), generation="authentic", nullable=False),
    column("description", role="body", format="plain", generation="free-form"),
    column("premium_tier", INTEGER, role="setting", generation="enumerate", nullable=False),
    column("explicit_content_filter", role="setting", generation="enumerate", nullable=False),
)

roles = table(
    "roles",
    METADATA,
    column("role_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
    column("position", INTEGER, role="internal", generation="random", nullable=False),
)

members = table(
    "members",
    METADATA,
    column("member_key", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("user_id", reference("users.user_id"), generation="authentic", nullable=False),
    column("silent_until_ms", INTEGER, generation="random", time="ms"),
)

member_roles = table(
    "member_roles",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("member_key", parent("members.member_key"), generation="authentic", nullable=False),
    column("role_id", reference("roles.role_id"), generation="authentic", nullable=False),
)

emojis = table(
    "emojis",
    METADATA,
    column("emoji_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
)

channels = table(
    "channels",
    METADATA,
    column("channel_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="free-form", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("topic", role="body", format="plain", generation="free-form"),
)

messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column("channel_id", parent("channels.channel_id"), generation="authentic", nullable=False),
    column("author_id", reference("users.user_id"), generation="authentic"),
    column("webhook_name", role="author", generation="free-form"),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
)

reactions = table(
    "reactions",
    METADATA,
    column("row_id", INTEGER, generation="random", primary_key=True),
    column("message_id", parent("messages.message_id"), generation="authentic", nullable=False),
    column("emoji_id", role="internal", generation="random"),
    column("emoji_name", role="kind", generation="enumerate", nullable=False),
    column("total", INTEGER, role="amount", generation="random", nullable=False),
    column("mine", INTEGER, role="internal", generation="enumerate", nullable=False),
)
