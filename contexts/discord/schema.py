"""Discord's context tree: servers with their roles, members and channels, and what was said in them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, hidden, parent, person, reference, table

METADATA = MetaData()

users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    person(),
    column("name", role="title", generation="authentic", nullable=False),
    # People have "0" since 2023, programs still four digits.
    column("discriminator", role="internal", generation="random", nullable=False, server_default="0"),
    column("is_bot", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    view="people",
)

# Whose MCP server logs in as which program.
tokens = table(
    "tokens",
    METADATA,
    column("holder_id", parent("users.user_id"), generation="authentic", primary_key=True, admits=True),
    column("bot_id", reference("users.user_id"), role="person", generation="authentic", nullable=False),
    few=True,
    view=hidden("which bot a token belongs to"),
)

guilds = table(
    "guilds",
    METADATA,
    column("guild_id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    column("owner_id", reference("users.user_id"), role="author", generation="authentic", nullable=False),
    column("description", role="body", format="plain"),
    column("premium_tier", INTEGER, role="amount", generation="enumerate", nullable=False, server_default="0"),
    column(
        "explicit_content_filter", role="setting", generation="enumerate", nullable=False, server_default="disabled"
    ),
    # A community has channels that it must keep.
    column("rules_channel_id", role="reference", generation="authentic"),
    column("updates_channel_id", role="reference", generation="authentic"),
    CheckConstraint("explicit_content_filter IN ('disabled', 'no_role', 'all_members')", name="guilds_filter"),
    few=True,
    view="container",
)

# @everyone is the role that has the server's own id.
roles = table(
    "roles",
    METADATA,
    column("role_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column(
        "position", INTEGER, role="cosmetic", usual=OPEN, generation="authentic", nullable=False, server_default="0"
    ),
    column("permissions", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    # A program's own, or that of those who boost: nobody can be given it.
    column("is_managed", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    Index("roles_guild", "guild_id", "position"),
    few=True,
    view="grid",
)

members = table(
    "members",
    METADATA,
    column("guild_id", parent("guilds.guild_id"), generation="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    # The order of the list of members, in which older accounts come first.
    Index("members_list", "guild_id", text("length(user_id)"), "user_id"),
    sqlite_with_rowid=False,
    notifies=True,
    view="part",
)

member_roles = table(
    "member_roles",
    METADATA,
    column("guild_id", generation="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    column("role_id", parent("roles.role_id"), generation="authentic", primary_key=True),
    sqlite_with_rowid=False,
    notifies=True,
    view="part",
)

# A thread's parent is the channel it hangs on, any other channel's its category.
channels = table(
    "channels",
    METADATA,
    column("channel_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False, server_default="text"),
    column("name", role="title", generation="authentic", nullable=False),
    column("topic", role="body", format="discord"),
    column("parent_id", reference("channels.channel_id"), generation="authentic"),
    column(
        "position",
        INTEGER,
        role="cosmetic",
        generation="authentic",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    # Both of threads only: an archived one wakes when somebody writes, a locked one for moderators alone.
    column(
        "is_archived",
        INTEGER,
        role="status",
        generation="enumerate",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    column("is_locked", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    CheckConstraint(
        "kind IN ('text', 'voice', 'category', 'announcement', 'stage', 'forum', 'thread')", name="channels_kind"
    ),
    Index("channels_guild", "guild_id", "position"),
    Index("channels_parent", "parent_id"),
    notifies=True,
    view=View("container", one="channel"),
)

# What a channel allows or denies a role or a member, beside what the role has anyway.
overwrites = table(
    "overwrites",
    METADATA,
    column("channel_id", parent("channels.channel_id"), generation="authentic", primary_key=True),
    column("target_id", generation="authentic", primary_key=True),
    column("allow", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("deny", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    sqlite_with_rowid=False,
    view="part",
)

emojis = table(
    "emojis",
    METADATA,
    column("emoji_id", generation="random", primary_key=True),
    column("guild_id", parent("guilds.guild_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

webhooks = table(
    "webhooks",
    METADATA,
    column("webhook_id", generation="random", primary_key=True),
    column("channel_id", parent("channels.channel_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    Index("webhooks_channel", "channel_id"),
    few=True,
    view="grid",
)

messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column("channel_id", parent("channels.channel_id"), many=True, generation="authentic", nullable=False),
    # One of the two: a person or program, or a webhook, which bears a name of its own in every message.
    column("author_id", reference("users.user_id"), role="author", usual=OPEN, generation="authentic"),
    column("username", role="author", generation="authentic"),
    column("content", role="body", format="discord", nullable=False, server_default=""),
    column("sent_ms", INTEGER, time="ms", generation="random", nullable=False),
    Index("messages_channel", "channel_id", "sent_ms", "message_id"),
    notifies=True,
    view="chat",
)

reactions = table(
    "reactions",
    METADATA,
    column("message_id", parent("messages.message_id"), generation="authentic", primary_key=True),
    # The characters, or the id of a server's own emoji.
    column("emoji", generation="enumerate", primary_key=True),
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    # What is shown of it: the characters, or the name that the emoji had then.
    column("name", role="title", generation="enumerate", nullable=False),
    column(
        "seq", INTEGER, role="cosmetic", generation="random", server_managed=True, nullable=False, server_default="0"
    ),
    sqlite_with_rowid=False,
    notifies=True,
    view="part",
)
