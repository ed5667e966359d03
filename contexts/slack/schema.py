"""Slack's context tree: a team with its users, apps, channels and what was said in them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.context.schema import INTEGER, MetaData, column, parent, person, reference, table

METADATA = MetaData()

teams = table(
    "teams",
    METADATA,
    column("id", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("domain", made="authentic", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("id", made="random", primary_key=True),
    person(),
    column("team_id", parent("teams.id"), made="authentic", nullable=False),
    column("name", made="authentic", nullable=False),
    column("real_name", made="authentic", nullable=False),
    column("display_name", made="authentic", nullable=False, server_default=""),
    column("first_name", made="authentic", nullable=False, server_default=""),
    column("last_name", made="authentic", nullable=False, server_default=""),
    column("title", made="authentic", nullable=False, server_default=""),
    column("email", made="authentic"),
    column("phone", made="random", nullable=False, server_default=""),
    column("status_text", nullable=False, server_default=""),
    column("status_emoji", made="enumerate", nullable=False, server_default=""),
    column("status_expiration", INTEGER, time="s", nullable=False, server_default="0"),
    column("fields", made="free-form", json=True),
    column("avatar_hash", made="random", nullable=False, server_default=""),
    column("color", made="random", nullable=False, server_default="9f69e7"),
    column("tz", made="authentic", nullable=False, server_default="Asia/Shanghai"),
    column("tz_label", made="authentic", nullable=False, server_default="China Standard Time"),
    column("tz_offset", INTEGER, made="authentic", nullable=False, server_default="28800"),
    column("deleted", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_bot", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_admin", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_owner", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_primary_owner", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_restricted", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("updated", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    Index("users_name", "team_id", "name"),
    # The order of the list of members, so that a page reads no more than itself.
    Index("users_list", text("id != 'USLACKBOT'"), text("length(id)"), "id"),
)

bots = table(
    "bots",
    METADATA,
    column("id", made="random", primary_key=True),
    column("app_id", made="random", nullable=False),
    # An incoming webhook posts under a name of its own and has no user.
    column("user_id", reference("users.id"), made="authentic"),
    column("name", made="authentic", nullable=False),
    column("updated", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    # The app whose token the MCP server holds: posts made through the tools carry its profile.
    column("is_self", INTEGER, made="enumerate", nullable=False, server_default="0"),
    Index("bots_user", "user_id"),
)

emoji = table("emoji", METADATA, column("name", made="authentic", primary_key=True))

channels = table(
    "channels",
    METADATA,
    column("id", made="random", primary_key=True),
    column("team_id", parent("teams.id"), made="authentic", nullable=False),
    column("kind", made="enumerate", nullable=False, server_default="channel"),
    column("name", made="authentic", nullable=False, server_default=""),
    column("is_private", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_archived", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_general", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("creator", reference("users.id"), made="authentic"),
    column("created", INTEGER, time="s", made="random", nullable=False, server_default="0"),
    column("updated", INTEGER, time="ms", made="random", automatic=True, nullable=False, server_default="0"),
    column("topic", nullable=False, server_default=""),
    column("topic_creator", made="authentic", automatic=True, nullable=False, server_default=""),
    column("topic_last_set", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    column("purpose", nullable=False, server_default=""),
    column("purpose_creator", made="authentic", automatic=True, nullable=False, server_default=""),
    column("purpose_last_set", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    column("previous_names", json=True, automatic=True, nullable=False, server_default="[]"),
    # The other person of a direct message; the key of "the conversation with this user".
    column("im_user_id", reference("users.id"), made="authentic"),
    CheckConstraint("kind IN ('channel', 'group', 'im', 'mpim')", name="channels_kind"),
    Index("channels_name", "team_id", "name"),
    Index("channels_list", text("length(id)"), "id"),
    Index("channels_im", "im_user_id"),
    noticed=True,
)

members = table(
    "members",
    METADATA,
    column("channel_id", parent("channels.id"), made="authentic", primary_key=True),
    column("user_id", parent("users.id"), made="authentic", primary_key=True),
    Index("members_user", "user_id"),
    sqlite_with_rowid=False,
    noticed=True,
)

messages = table(
    "messages",
    METADATA,
    column("channel_id", parent("channels.id"), made="authentic", primary_key=True),
    column("ts", time="ts", made="random", primary_key=True),
    column("thread_ts", time="ts", made="authentic"),
    column("user_id", reference("users.id"), made="authentic"),
    column("text", nullable=False),
    column("subtype", made="enumerate"),
    column("client_msg_id", made="random"),
    column("bot_id", reference("bots.id"), made="authentic"),
    column("username", made="authentic"),
    # The picture of a webhook's post: {"emoji": ":zap:"}.
    column("icons", json=True, made="authentic"),
    # What was attached: id, name, title, types, size and, of images, width and height; the rest is shown from those.
    column("files", json=True, shown=("title",)),
    # What an app sent as attachments, and as blocks of its own; other blocks are made of the text.
    column("attachments", json=True, shown=("fallback",)),
    column("blocks", json=True),
    column("edited_by", reference("users.id"), made="authentic", automatic=True),
    column("edited_ts", time="ts", made="random", automatic=True),
    # No index by user: nobody is ever deleted, and every post would pay for it.
    # With the author, so that a page counts its threads without reading the replies themselves.
    Index("messages_thread", "channel_id", "thread_ts", "ts", "user_id", sqlite_where=text("thread_ts IS NOT NULL")),
    look="thread",
    # Kept in the order of channel and ts: a page lies together.
    sqlite_with_rowid=False,
    noticed=True,
)

reactions = table(
    "reactions",
    METADATA,
    column("channel_id", made="authentic", primary_key=True),
    column("ts", time="ts", made="authentic", primary_key=True),
    column("name", made="enumerate", primary_key=True),
    column("user_id", parent("users.id"), made="authentic", primary_key=True),
    column("reacted_ms", INTEGER, time="ms", made="random", automatic=True, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
    noticed=True,
)

subscriptions = table(
    "subscriptions",
    METADATA,
    column("channel_id", parent("channels.id"), made="authentic", primary_key=True),
    column("thread_ts", time="ts", made="authentic", primary_key=True),
    column("user_id", parent("users.id"), made="authentic", primary_key=True),
    column("last_read", time="ts", made="random", automatic=True, nullable=False),
    Index("subscriptions_user", "user_id"),
    sqlite_with_rowid=False,
)
