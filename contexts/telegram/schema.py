"""Telegram's context tree: people with what they keep to themselves, their chats, and what was said in them."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, hidden, parent, person, reference, table

METADATA = MetaData()

users = table(
    "users",
    METADATA,
    column("user_id", INTEGER, generation="random", primary_key=True),
    person(),
    column("first_name", role="title", generation="authentic", nullable=False),
    column("last_name", role="title", generation="authentic"),
    column("username", role="title", generation="authentic"),
    # Digits only, the country's code in front.
    column("phone", role="person", generation="authentic"),
    column("about", role="body", format="plain", nullable=False, server_default=""),
    column("is_bot", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="0"),
    column("is_verified", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    # The spam guard's limit: who has it writes to contacts only, and makes no groups.
    column("is_limited", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    # Whether only contacts may put this user into groups.
    column("is_shy", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("status", role="status", generation="enumerate"),
    # When an online user goes offline, or when an offline one was last here.
    column("status_s", INTEGER, time="s", generation="random", server_managed=True),
    # A bot's commands: [{"command", "description"}].
    column("commands", role="setting", json=True, generation="free-form"),
    CheckConstraint("status IN ('online', 'offline', 'recently', 'last_week', 'last_month')", name="users_status"),
    Index("users_username", text("lower(username)"), unique=True),
    Index("users_phone", "phone"),
    view=View("people", title="first_name"),
)

contacts = table(
    "contacts",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    # What the owner calls them.
    column("first_name", role="title", generation="authentic", nullable=False),
    column("last_name", role="title", generation="authentic"),
    # Not so of whom the owner added by username: their number shows once they have the owner among their contacts.
    column("is_phone_known", INTEGER, role="status", generation="enumerate", nullable=False, server_default="1"),
    seen_by="owner",
    view="grid",
)

blocks = table(
    "blocks",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("peer_id", INTEGER, generation="authentic", primary_key=True),
    column(
        "blocked_s", INTEGER, time="s", generation="random", server_managed=True, nullable=False, server_default="0"
    ),
    seen_by="owner",
    notifies=True,
    view="grid",
)

privacy = table(
    "privacy",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("key", generation="enumerate", primary_key=True),
    # In order: {"allow": null | [user ids]} or {"disallow": …}; null is everybody.
    column("rules", role="setting", json=True, nullable=False),
    seen_by="owner",
    few=True,
    view="grid",
)

chats = table(
    "chats",
    METADATA,
    # Of a private chat a number that nobody sees: there the other person's id is the chat's.
    column("chat_id", INTEGER, generation="random", primary_key=True),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("title", role="title", nullable=False, server_default=""),
    column("username", role="title", generation="authentic"),
    column("about", role="body", format="plain", nullable=False, server_default=""),
    column("created_s", INTEGER, usual=OPEN, time="s", generation="random", nullable=False, server_default="0"),
    column("is_verified", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_forum", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column(
        "is_guarded", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"
    ),  # nothing may be forwarded
    column("asks_to_join", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    # What plain members may not do, by the names of ChatBannedRights.
    column("banned_rights", role="setting", json=True, nullable=False, server_default="[]"),
    # The emoji that may be reacted with; null: all there are.
    column("reactions", role="setting", json=True),
    column("slow_mode_s", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    # Members beside those of table members: of a public channel's subscribers most are no more than a count.
    column("more_members", INTEGER, role="amount", generation="authentic", nullable=False, server_default="0"),
    # Of a private chat its two people, the smaller id first.
    column("low_id", INTEGER, reference("users.user_id"), role="person", usual=OPEN, generation="authentic"),
    column("high_id", INTEGER, reference("users.user_id"), role="person", usual=OPEN, generation="authentic"),
    CheckConstraint("kind IN ('private', 'group', 'supergroup', 'channel')", name="chats_kind"),
    Index("chats_username", text("lower(username)"), unique=True),
    Index("chats_pair", "low_id", "high_id"),
    notifies=True,
    view="container",
)

members = table(
    "members",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), many=True, generation="authentic", primary_key=True),
    column("role", generation="enumerate", nullable=False, server_default="member", deleted_value="left"),
    # An admin's, by the names of ChatAdminRights.
    column("rights", role="setting", json=True, nullable=False, server_default="[]"),
    column("rank", role="title", nullable=False, server_default=""),
    # Who brought, promoted or banned them.
    column("by_id", INTEGER, reference("users.user_id"), role="author", usual=OPEN, generation="authentic"),
    column("since_s", INTEGER, time="s", generation="random", server_managed=True, nullable=False, server_default="0"),
    CheckConstraint("role IN ('creator', 'admin', 'member', 'banned', 'left', 'asked')", name="members_role"),
    Index("members_user", "user_id"),
    notifies=True,
    view="part",
)

dialogs = table(
    "dialogs",
    METADATA,
    column("user_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    # The larger, the higher it stands in the list; null: not pinned.
    column("pin", INTEGER, role="cosmetic", generation="random"),
    column(
        "is_marked_unread",
        INTEGER,
        role="status",
        read_mark=True,
        generation="enumerate",
        nullable=False,
        server_default="0",
    ),
    column("is_muted", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_archived", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column(
        "read_id",
        INTEGER,
        role="status",
        read_mark=True,
        generation="random",
        nullable=False,
        server_default="0",
    ),
    # When it was read that far, where that is known.
    column("read_s", INTEGER, time="s", generation="random", server_managed=True),
    seen_by="owner",
    view=View("read_mark", of="messages", within="chat_id", value="read_id"),
)

drafts = table(
    "drafts",
    METADATA,
    column("user_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    # As Telegram marks peers: a user's id, -id of a group, -100… of supergroups and channels.
    column("peer_id", INTEGER, generation="authentic", primary_key=True),
    column("text", role="body", format="plain", nullable=False),
    column("reply_to", INTEGER, role="reference", generation="authentic"),
    column("no_webpage", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("saved_s", INTEGER, time="s", generation="random", server_managed=True, nullable=False),
    seen_by="owner",
    view="list",
)

media = table(
    "media",
    METADATA,
    column("media_id", INTEGER, generation="random", primary_key=True),
    column("kind", role="kind", generation="enumerate", nullable=False),
    column("file_name", role="file", generation="authentic"),
    column("mime_type", role="file", usual=OPEN, generation="enumerate"),
    column("size_bytes", INTEGER, role="file", usual=OPEN, generation="random"),
    column("width", INTEGER, role="file", usual=OPEN, generation="random"),
    column("height", INTEGER, role="file", usual=OPEN, generation="random"),
    column("duration_s", INTEGER, role="file", usual=OPEN, generation="random"),
    column("emoji", role="title", generation="enumerate"),
    # A poll: question, answers, multiple, quiz, public, close_s, closed, votes.
    column("poll", role="body", json=True, visible_keys=("question", "answers")),
    # A contact: phone, first_name, last_name, vcard.
    column("contact", role="body", json=True, visible_keys=("phone", "first_name", "last_name")),
    column("made_s", INTEGER, usual=OPEN, time="s", generation="random", nullable=False, server_default="0"),
    CheckConstraint(
        "kind IN ('photo', 'document', 'voice', 'audio', 'video', 'sticker', 'gif', 'poll', 'contact')",
        name="media_kind",
    ),
    view="grid",
)

messages = table(
    "messages",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), many=True, generation="authentic", primary_key=True),
    # One counter for all private chats and groups, one of its own for every supergroup and channel.
    column("message_id", INTEGER, generation="random", primary_key=True),
    # Null: the channel itself speaks.
    column(
        "sender_id", INTEGER, reference("users.user_id"), role="author", usual=OPEN, many=True, generation="authentic"
    ),
    # The admin who let a channel speak, where that is known; no tool shows it.
    column(
        "author_id",
        INTEGER,
        reference("users.user_id"),
        role="author",
        seen_by="nobody",
        usual=OPEN,
        generation="authentic",
    ),
    column("sent_s", INTEGER, time="s", generation="random", nullable=False),
    # Null: the service says what happened.
    column("text", role="body", format="plain"),
    # The same as HTML where a part is struck out, hidden or linked: people see it, and no tool shows it.
    column("html", role="body", format="html", seen_by="nobody"),
    column("action", role="kind", generation="enumerate"),
    column("reply_to", INTEGER, role="reference", generation="authentic"),
    # Whose message it was first: as in drafts.peer_id.
    column("forwarded_from", INTEGER, role="reference", generation="authentic"),
    column("forwarded_s", INTEGER, usual=OPEN, time="s", generation="random"),
    # Of what a channel said first, the number it has there.
    column("forwarded_post", INTEGER, role="reference", usual=OPEN, generation="authentic"),
    # The topic of a forum that it stands in; null: the general one, or no forum.
    column("topic_id", INTEGER, role="reference", generation="authentic"),
    # Files that were sent together have one number.
    column("album_id", INTEGER, role="reference", usual=OPEN, generation="random"),
    column("media_id", INTEGER, reference("media.media_id"), generation="authentic"),
    # Rows of buttons below it: {"text", "url"} or {"text", "data"}, with the bot's "answer" and whether as "alert".
    column("buttons", role="body", json=True, visible_keys=("text",)),
    column("edited_s", INTEGER, time="s", generation="random", server_managed=True),
    column("is_pinned", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    Index("messages_sent", "chat_id", "sent_s"),
    Index("messages_id", "message_id"),
    Index("messages_sender", "sender_id", "sent_s"),
    Index("messages_pinned", "chat_id", sqlite_where=text("is_pinned = 1")),
    notifies=True,
    view=View("chat", thread="reply_to"),
)

reactions = table(
    "reactions",
    METADATA,
    column("chat_id", INTEGER, generation="authentic", primary_key=True),
    column("message_id", INTEGER, generation="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("emoji", role="title", generation="enumerate", nullable=False),
    column(
        "reacted_s", INTEGER, time="s", generation="random", server_managed=True, nullable=False, server_default="0"
    ),
    notifies=True,
    view=View("part", of="messages"),
)

presses = table(
    "presses",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("message_id", INTEGER, generation="authentic", primary_key=True),
    column("user_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("data", generation="authentic", primary_key=True),
    column("pressed_s", INTEGER, time="s", generation="random", server_managed=True, nullable=False),
    notifies=True,
    view=View("part", of="messages"),
)

invites = table(
    "invites",
    METADATA,
    column("hash", generation="random", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", nullable=False),
    column("admin_id", INTEGER, reference("users.user_id"), role="author", generation="authentic", nullable=False),
    column("made_s", INTEGER, time="s", generation="random", nullable=False),
    column("expires_s", INTEGER, time="s", generation="random"),
    column("is_revoked", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    view="grid",
)

photos = table(
    "photos",
    METADATA,
    column("photo_id", INTEGER, generation="random", primary_key=True),
    # As in drafts.peer_id; the newest is the one shown.
    column("peer_id", INTEGER, role="reference", generation="authentic", nullable=False),
    column("made_s", INTEGER, time="s", generation="random", nullable=False),
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    Index("photos_peer", "peer_id"),
    view="grid",
)

sticker_sets = table(
    "sticker_sets",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", primary_key=True),
    column("title", role="title", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

# Topics of a forum; its general topic is 1.
topics = table(
    "topics",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    # The number of the message that says that it was made.
    column("topic_id", INTEGER, generation="random", primary_key=True),
    column("title", role="title", nullable=False),
    column("icon_color", INTEGER, role="cosmetic", usual=OPEN, generation="enumerate"),
    column("icon_emoji_id", INTEGER, role="cosmetic", generation="random"),
    column("creator_id", INTEGER, reference("users.user_id"), role="author", usual=OPEN, generation="authentic"),
    column("made_s", INTEGER, time="s", generation="random", nullable=False, server_default="0"),
    column("is_closed", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_hidden", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    notifies=True,
    view="grid",
)

# Messages that Telegram sends later. They have a counter of their own.
scheduled_messages = table(
    "scheduled_messages",
    METADATA,
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("message_id", INTEGER, generation="random", primary_key=True),
    column("sender_id", INTEGER, reference("users.user_id"), role="author", usual=OPEN, generation="authentic"),
    column("text", role="body", format="plain", nullable=False),
    column("due_s", INTEGER, time="s", due=True, generation="free-form", nullable=False),
    seen_by="owner",
    few=True,
    view="list",
)

# Folders of an account's list of chats.
folders = table(
    "folders",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    # From 2 on: what is below belongs to Telegram.
    column("folder_id", INTEGER, generation="random", primary_key=True),
    column("position", INTEGER, role="cosmetic", usual=OPEN, generation="random", nullable=False),
    column("title", role="title", nullable=False),
    column("emoticon", role="cosmetic", generation="enumerate"),
    # Whether others were given it as a list of chats.
    column("is_shared", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    # What it takes in and leaves out, by the names of DialogFilter.
    column("filters", role="setting", json=True, nullable=False, server_default="[]"),
    # Ids of peers as in drafts.peer_id.
    column("included", role="setting", json=True, nullable=False, server_default="[]"),
    column("excluded", role="setting", json=True, nullable=False, server_default="[]"),
    column("pinned", role="setting", json=True, nullable=False, server_default="[]"),
    seen_by="owner",
    few=True,
    view="list",
)

# What the user calls people and chats, in a file on the machine of their server.
aliases = table(
    "aliases",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    # Small letters, without a mark in front.
    column("alias", role="title", generation="authentic", primary_key=True),
    # As in drafts.peer_id.
    column("peer_id", INTEGER, role="reference", generation="authentic", nullable=False),
    # What Telegram called them when it was saved.
    column("name", role="title", usual=OPEN, generation="authentic"),
    column("account", role="setting", usual=OPEN, generation="enumerate"),
    column("position", INTEGER, role="internal", generation="random", nullable=False, server_default="0"),
    seen_by="owner",
    few=True,
    view="grid",
)

# How an account's server listens for what comes in.
listeners = table(
    "listeners",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    # Since when; null: it has heard nothing yet.
    column("started_s", INTEGER, time="s", generation="random", server_managed=True),
    column("is_feed_on", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("settle_ms", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="6000"),
    seen_by="owner",
    few=True,
    view=hidden("whether the server listens for new messages"),
)

# Up to which message of a private chat an account's server has told of what came in.
bursts = table(
    "bursts",
    METADATA,
    column("owner_id", INTEGER, parent("users.user_id"), generation="authentic", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("message_id", INTEGER, role="internal", generation="random", nullable=False),
    internal=True,
    few=True,
)

# A chat's admin log.
events = table(
    "events",
    METADATA,
    column("event_id", INTEGER, generation="random", primary_key=True),
    column("chat_id", INTEGER, parent("chats.chat_id"), many=True, generation="authentic", nullable=False),
    column("user_id", INTEGER, parent("users.user_id"), role="author", generation="authentic", nullable=False),
    column("happened_s", INTEGER, time="s", generation="random", nullable=False),
    column("action", role="kind", generation="enumerate", nullable=False),
    # What it was and what it became, or whom or which message it was about.
    column("details", role="body", json=True, nullable=False, server_default="{}"),
    Index("events_chat", "chat_id"),
    log=True,
    view="list",
)

# What lies on the machines that the accounts' servers run on, one machine an account.
files = table(
    "files",
    METADATA,
    # The account of the server; 0 where nobody is logged in.
    column("owner_id", INTEGER, generation="authentic", primary_key=True, server_default="0"),
    column("path", generation="authentic", primary_key=True),
    column("kind", role="kind", generation="enumerate", nullable=False, server_default="file"),
    column("size_bytes", INTEGER, role="file", usual=OPEN, generation="random", nullable=False, server_default="0"),
    column("width", INTEGER, role="file", usual=OPEN, generation="random"),
    column("height", INTEGER, role="file", usual=OPEN, generation="random"),
    column("duration_s", INTEGER, role="file", usual=OPEN, generation="random"),
    column("is_readable", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    column("is_writable", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    CheckConstraint("kind IN ('file', 'folder')", name="files_kind"),
    seen_by="owner",
    view="grid",
)
