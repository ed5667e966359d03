"""Telegram's context tree: people with what they keep to themselves, their chats, and what was said in them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.context.schema import INTEGER, MetaData, column, parent, person, reference, table

METADATA = MetaData()

users = table(
    "users",
    METADATA,
    column("user_id", INTEGER, made="random", primary_key=True),
    person(),
    column("first_name", made="authentic", nullable=False),
    column("last_name", made="authentic"),
    column("username", made="authentic"),
    # Digits only, the country's code in front.
    column("phone", made="authentic"),
    column("about", nullable=False, server_default=""),
    column("is_bot", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_verified", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # The spam guard's limit: who has it writes to contacts only, and makes no groups.
    column("is_limited", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # Whether only contacts may put this user into groups.
    column("is_shy", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("status", made="enumerate"),
    # When an online user goes offline, or when an offline one was last here.
    column("status_s", INTEGER, time="s", made="random", automatic=True),
    # A bot's commands: [{"command", "description"}].
    column("commands", json=True, made="free-form"),
    CheckConstraint("status IN ('online', 'offline', 'recently', 'last_week', 'last_month')", name="users_status"),
    Index("users_username", text("lower(username)"), unique=True),
    Index("users_phone", "phone"),
)

contacts = table(
    "contacts",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    # What the owner calls them.
    column("first_name", made="authentic", nullable=False),
    column("last_name", made="authentic"),
)

blocks = table(
    "blocks",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("peer_id", INTEGER, made="authentic", primary_key=True),
    column("blocked_s", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    noticed=True,
)

privacy = table(
    "privacy",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("key", made="enumerate", primary_key=True),
    # In order: {"allow": null | [user ids]} or {"disallow": …}; null is everybody.
    column("rules", json=True, nullable=False),
)

chats = table(
    "chats",
    METADATA,
    # Of a private chat a number that nobody sees: there the other person's id is the chat's.
    column("chat_id", INTEGER, made="random", primary_key=True),
    column("kind", made="enumerate", nullable=False),
    column("title", nullable=False, server_default=""),
    column("username", made="authentic"),
    column("about", nullable=False, server_default=""),
    column("created_s", INTEGER, time="s", made="random", nullable=False, server_default="0"),
    column("is_verified", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_forum", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_guarded", INTEGER, made="enumerate", nullable=False, server_default="0"),  # nothing may be forwarded
    column("asks_to_join", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # What plain members may not do, by the names of ChatBannedRights.
    column("banned_rights", json=True, nullable=False, server_default="[]"),
    # The emoji that may be reacted with; null: all there are.
    column("reactions", json=True),
    column("slow_mode_s", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # Of a private chat its two people, the smaller id first.
    column("low_id", INTEGER, reference("users.user_id"), made="authentic"),
    column("high_id", INTEGER, reference("users.user_id"), made="authentic"),
    CheckConstraint("kind IN ('private', 'group', 'supergroup', 'channel')", name="chats_kind"),
    Index("chats_username", text("lower(username)"), unique=True),
    Index("chats_pair", "low_id", "high_id"),
    noticed=True,
)

members = table(
    "members",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("role", made="enumerate", nullable=False, server_default="member", gone="left"),
    # An admin's, by the names of ChatAdminRights.
    column("rights", json=True, nullable=False, server_default="[]"),
    column("rank", nullable=False, server_default=""),
    # Who brought, promoted or banned them.
    column("by_id", INTEGER, reference("users.user_id"), made="authentic"),
    column("since_s", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    CheckConstraint("role IN ('creator', 'admin', 'member', 'banned', 'left', 'asked')", name="members_role"),
    Index("members_user", "user_id"),
    noticed=True,
)

dialogs = table(
    "dialogs",
    METADATA,
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", primary_key=True),
    # The larger, the higher it stands in the list; null: not pinned.
    column("pin", INTEGER, made="random"),
    column("is_marked_unread", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_muted", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("read_id", INTEGER, made="random", nullable=False, server_default="0"),
)

drafts = table(
    "drafts",
    METADATA,
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    # As Telegram marks peers: a user's id, -id of a group, -100… of supergroups and channels.
    column("peer_id", INTEGER, made="authentic", primary_key=True),
    column("text", nullable=False),
    column("reply_to", INTEGER, made="authentic"),
    column("no_webpage", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("saved_s", INTEGER, time="s", made="random", automatic=True, nullable=False),
)

media = table(
    "media",
    METADATA,
    column("media_id", INTEGER, made="random", primary_key=True),
    column("kind", made="enumerate", nullable=False),
    column("file_name", made="authentic"),
    column("mime_type", made="enumerate"),
    column("size_bytes", INTEGER, made="random"),
    column("width", INTEGER, made="random"),
    column("height", INTEGER, made="random"),
    column("duration_s", INTEGER, made="random"),
    column("emoji", made="enumerate"),
    # A poll: question, answers, multiple, quiz, public, close_s, closed, votes.
    column("poll", json=True, shown=("question", "answers")),
    column("made_s", INTEGER, time="s", made="random", nullable=False, server_default="0"),
    CheckConstraint(
        "kind IN ('photo', 'document', 'voice', 'audio', 'video', 'sticker', 'gif', 'poll')", name="media_kind"
    ),
)

messages = table(
    "messages",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", primary_key=True),
    # One counter for all private chats and groups, one of its own for every supergroup and channel.
    column("message_id", INTEGER, made="random", primary_key=True),
    # Null: the channel itself speaks.
    column("sender_id", INTEGER, reference("users.user_id"), made="authentic"),
    # The admin who let a channel speak, where that is known; no tool shows it.
    column("author_id", INTEGER, reference("users.user_id"), made="authentic"),
    column("sent_s", INTEGER, time="s", made="random", nullable=False),
    # Null: the service says what happened.
    column("text"),
    column("action", made="enumerate"),
    column("reply_to", INTEGER, made="authentic"),
    # Whose message it was first: as in drafts.peer_id.
    column("forwarded_from", INTEGER, made="authentic"),
    column("forwarded_s", INTEGER, time="s", made="random"),
    column("media_id", INTEGER, reference("media.media_id"), made="authentic"),
    # Rows of buttons below it: {"text", "url"} or {"text", "data"}, with the bot's "answer" and whether as "alert".
    column("buttons", json=True, shown=("text",)),
    column("edited_s", INTEGER, time="s", made="random", automatic=True),
    column("is_pinned", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_deleted", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    Index("messages_sent", "chat_id", "sent_s"),
    Index("messages_id", "message_id"),
    Index("messages_sender", "sender_id", "sent_s"),
    look="thread",
    noticed=True,
)

reactions = table(
    "reactions",
    METADATA,
    column("chat_id", INTEGER, made="authentic", primary_key=True),
    column("message_id", INTEGER, made="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("emoji", made="enumerate", nullable=False),
    column("reacted_s", INTEGER, time="s", made="random", automatic=True, nullable=False, server_default="0"),
    noticed=True,
)

presses = table(
    "presses",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", primary_key=True),
    column("message_id", INTEGER, made="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("data", made="authentic", primary_key=True),
    column("pressed_s", INTEGER, time="s", made="random", automatic=True, nullable=False),
    noticed=True,
)

invites = table(
    "invites",
    METADATA,
    column("hash", made="random", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", nullable=False),
    column("admin_id", INTEGER, reference("users.user_id"), made="authentic", nullable=False),
    column("made_s", INTEGER, time="s", made="random", nullable=False),
    column("expires_s", INTEGER, time="s", made="random"),
    column("is_revoked", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
)

photos = table(
    "photos",
    METADATA,
    column("photo_id", INTEGER, made="random", primary_key=True),
    # As in drafts.peer_id; the newest is the one shown.
    column("peer_id", INTEGER, made="authentic", nullable=False),
    column("made_s", INTEGER, time="s", made="random", nullable=False),
    column("is_deleted", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    Index("photos_peer", "peer_id"),
)

sticker_sets = table(
    "sticker_sets",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), made="authentic", primary_key=True),
    column("position", INTEGER, made="random", primary_key=True),
    column("title", made="authentic", nullable=False),
)

# A chat's admin log.
events = table(
    "events",
    METADATA,
    column("event_id", INTEGER, made="random", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), made="authentic", nullable=False),
    column("user_id", INTEGER, parent("users.user_id"), made="authentic", nullable=False),
    column("happened_s", INTEGER, time="s", made="random", nullable=False),
    column("action", made="enumerate", nullable=False),
    # What it was and what it became, or whom or which message it was about.
    column("details", json=True, nullable=False, server_default="{}"),
    Index("events_chat", "chat_id"),
)

# What lies on the machine that the server runs on.
files = table(
    "files",
    METADATA,
    column("path", made="authentic", primary_key=True),
    column("kind", made="enumerate", nullable=False, server_default="file"),
    column("size_bytes", INTEGER, made="random", nullable=False, server_default="0"),
    column("width", INTEGER, made="random"),
    column("height", INTEGER, made="random"),
    column("duration_s", INTEGER, made="random"),
    column("is_readable", INTEGER, made="enumerate", nullable=False, server_default="1"),
    column("is_writable", INTEGER, made="enumerate", nullable=False, server_default="1"),
    CheckConstraint("kind IN ('file', 'folder')", name="files_kind"),
)
