"""Slack's context tree: a team with its users, apps, channels and what was said in them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, parent, person, reference, table

METADATA = MetaData()

teams = table(
    "teams",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    column("domain", role="link", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

users = table(
    "users",
    METADATA,
    column("id", generation="random", primary_key=True),
    person(),
    column("team_id", parent("teams.id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("real_name", role="title", generation="authentic", nullable=False),
    column("display_name", role="title", generation="authentic", nullable=False, server_default=""),
    column("first_name", role="title", generation="authentic", nullable=False, server_default=""),
    column("last_name", role="title", generation="authentic", nullable=False, server_default=""),
    column("title", role="title", generation="authentic", nullable=False, server_default=""),
    column("email", role="person", generation="authentic"),
    column("phone", role="person", generation="random", nullable=False, server_default=""),
    column("status_text", role="body", format="slack", nullable=False, server_default=""),
    column("status_emoji", role="cosmetic", generation="enumerate", nullable=False, server_default=""),
    column("status_expiration", INTEGER, time="s", nullable=False, server_default="0"),
    column("fields", role="body", generation="free-form", json=True),
    column("avatar_hash", role="cosmetic", generation="random", nullable=False, server_default=""),
    column("color", role="cosmetic", generation="random", nullable=False, server_default="9f69e7"),
    column("tz", role="place", generation="authentic", nullable=False, server_default="Asia/Shanghai"),
    column("tz_label", role="place", generation="authentic", nullable=False, server_default="China Standard Time"),
    column("tz_offset", INTEGER, role="place", generation="authentic", nullable=False, server_default="28800"),
    column("deleted", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_bot", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    column("is_admin", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_owner", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_primary_owner", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_restricted", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("updated", INTEGER, time="s", generation="random", server_managed=True, nullable=False, server_default="0"),
    Index("users_name", "team_id", "name"),
    # The order of the list of members, so that a page reads no more than itself.
    Index("users_list", text("id != 'USLACKBOT'"), text("length(id)"), "id"),
    view=View("people", title="real_name"),
)

bots = table(
    "bots",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("app_id", role="key", generation="random", nullable=False),
    # An incoming webhook posts under a name of its own and has no user.
    column("user_id", reference("users.id"), role="person", generation="authentic"),
    column("name", role="title", generation="authentic", nullable=False),
    column("updated", INTEGER, time="s", generation="random", server_managed=True, nullable=False, server_default="0"),
    # The app whose token the MCP server holds: posts made through the tools carry its profile.
    column("is_self", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    Index("bots_user", "user_id"),
    few=True,
    view="people",
)

emoji = table("emoji", METADATA, column("name", generation="authentic", primary_key=True), few=True, view="grid")

channels = table(
    "channels",
    METADATA,
    column("id", generation="random", primary_key=True),
    column("team_id", parent("teams.id"), generation="authentic", nullable=False),
    column("kind", role="kind", usual=OPEN, generation="enumerate", nullable=False, server_default="channel"),
    column("name", role="title", generation="authentic", nullable=False, server_default=""),
    column(
        "is_private", INTEGER, role="setting", usual=OPEN, generation="enumerate", nullable=False, server_default="0"
    ),
    column("is_archived", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_general", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    column("creator", reference("users.id"), role="author", usual=OPEN, generation="authentic"),
    column("created", INTEGER, usual=OPEN, time="s", generation="random", nullable=False, server_default="0"),
    column("updated", INTEGER, time="ms", generation="random", server_managed=True, nullable=False, server_default="0"),
    column("topic", role="body", format="slack", nullable=False, server_default=""),
    column(
        "topic_creator", role="author", generation="authentic", server_managed=True, nullable=False, server_default=""
    ),
    column(
        "topic_last_set",
        INTEGER,
        time="s",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    column("purpose", role="body", format="slack", nullable=False, server_default=""),
    column(
        "purpose_creator", role="author", generation="authentic", server_managed=True, nullable=False, server_default=""
    ),
    column(
        "purpose_last_set",
        INTEGER,
        time="s",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    column("previous_names", role="title", json=True, server_managed=True, nullable=False, server_default="[]"),
    # The other person of a direct message; the key of "the conversation with this user".
    column("im_user_id", reference("users.id"), role="person", generation="authentic"),
    CheckConstraint("kind IN ('channel', 'group', 'im', 'mpim')", name="channels_kind"),
    Index("channels_name", "team_id", "name"),
    Index("channels_list", text("length(id)"), "id"),
    Index("channels_im", "im_user_id"),
    notifies=True,
    view="container",
)

members = table(
    "members",
    METADATA,
    column("channel_id", parent("channels.id"), generation="authentic", primary_key=True),
    column("user_id", parent("users.id"), generation="authentic", primary_key=True),
    Index("members_user", "user_id"),
    sqlite_with_rowid=False,
    notifies=True,
    view="part",
)

messages = table(
    "messages",
    METADATA,
    column("channel_id", parent("channels.id"), many=True, generation="authentic", primary_key=True),
    column("ts", time="ts", generation="random", primary_key=True),
    column("thread_ts", time="ts", generation="authentic"),
    column("user_id", reference("users.id"), role="author", usual=OPEN, generation="authentic"),
    column("text", role="body", format="slack", nullable=False),
    column("subtype", role="kind", generation="enumerate"),
    column("client_msg_id", role="internal", generation="random"),
    column("bot_id", reference("bots.id"), role="author", usual=OPEN, generation="authentic"),
    column("username", role="author", generation="authentic"),
    # The picture of a webhook's post: {"emoji": ":zap:"}.
    column("icons", role="cosmetic", json=True, generation="authentic"),
    # What was attached: id, name, title, types, size and, of images, width, height and alt_txt, of clips the
    # transcription; the rest is shown from those.
    column("files", role="file", json=True, visible_keys=("title", "alt_txt", "transcription")),
    # What an app sent as attachments, and as blocks of its own; other blocks are made of the text.
    column("attachments", role="body", format="slack_blocks", json=True, visible_keys=("fallback",)),
    column("blocks", role="body", format="slack_blocks", json=True),
    column("edited_by", reference("users.id"), role="author", generation="authentic", server_managed=True),
    column("edited_ts", time="ts", generation="random", server_managed=True),
    # No index by user: nobody is ever deleted, and every post would pay for it.
    # With the author, so that a page counts its threads without reading the replies themselves.
    Index(
        "messages_thread",
        "channel_id",
        "thread_ts",
        "ts",
        "user_id",
        "bot_id",
        sqlite_where=text("thread_ts IS NOT NULL"),
    ),
    # Kept in the order of channel and ts: a page lies together.
    sqlite_with_rowid=False,
    notifies=True,
    view=View("chat", thread="thread_ts", when="ts"),
)

reactions = table(
    "reactions",
    METADATA,
    column("channel_id", generation="authentic", primary_key=True),
    column("ts", time="ts", generation="authentic", primary_key=True),
    column("name", generation="enumerate", primary_key=True),
    column("user_id", parent("users.id"), generation="authentic", primary_key=True),
    column(
        "reacted_ms", INTEGER, time="ms", generation="random", server_managed=True, nullable=False, server_default="0"
    ),
    sqlite_with_rowid=False,
    notifies=True,
    view=View("part", of="messages"),
)

subscriptions = table(
    "subscriptions",
    METADATA,
    column("channel_id", parent("channels.id"), generation="authentic", primary_key=True),
    column("thread_ts", time="ts", generation="authentic", primary_key=True),
    column("user_id", parent("users.id"), many=True, generation="authentic", primary_key=True),
    column("last_read", time="ts", generation="random", server_managed=True, nullable=False),
    Index("subscriptions_user", "user_id"),
    seen_by="owner",
    sqlite_with_rowid=False,
    view=View("read_mark", of="messages", within="channel_id", thread="thread_ts", value="last_read"),
)
