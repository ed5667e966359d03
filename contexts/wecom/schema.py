"""WeCom's context tree: a corp with its people, its group chats and their robots; and the MCP server of one robot."""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, OPEN, MetaData, column, parent, person, reference, table

METADATA = MetaData()

corps = table(
    "corps",
    METADATA,
    column("corp_id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    few=True,
)

users = table(
    "users",
    METADATA,
    column("userid", generation="authentic", primary_key=True),
    person(),
    column("corp_id", parent("corps.corp_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("mobile", role="person", generation="authentic", nullable=False, server_default=""),
    few=True,
)

chats = table(
    "chats",
    METADATA,
    column("chat_id", generation="random", primary_key=True),
    column("corp_id", parent("corps.corp_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("created_ms", INTEGER, usual=OPEN, time="ms", generation="random", nullable=False, server_default="0"),
    notifies=True,
    few=True,
)

members = table(
    "members",
    METADATA,
    column("chat_id", parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("userid", parent("users.userid"), generation="authentic", primary_key=True),
    notifies=True,
    few=True,
)

robots = table(
    "robots",
    METADATA,
    # Who knows it may post.
    column("webhook_key", generation="random", primary_key=True),
    column("chat_id", parent("chats.chat_id"), generation="authentic", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    column("created_by", reference("users.userid"), role="author", usual=OPEN, generation="authentic"),
    few=True,
)

# Append-only. Of content, the four of a card, and the two of a picture, a message has what its type has.
messages = table(
    "messages",
    METADATA,
    column("webhook_key", parent("robots.webhook_key"), generation="authentic", primary_key=True),
    column("seq", INTEGER, generation="random", primary_key=True),
    column("msgtype", role="kind", generation="enumerate", nullable=False),
    column("content", role="body", format="wecom"),
    column("title", role="title", format="plain"),
    column("description", role="body", format="plain"),
    column("url", role="link", generation="authentic"),
    column("picurl", role="link", generation="authentic"),
    column("md5", role="internal", generation="random"),
    column("size_bytes", INTEGER, role="file", usual=OPEN, generation="random"),
    # As they were posted: a name that is nobody's in the group is shown and highlights nobody.
    column("mentioned_userids", role="person", json=True, nullable=False, server_default="[]"),
    column("mentioned_mobiles", role="person", json=True, nullable=False, server_default="[]"),
    column("sent_ms", INTEGER, time="ms", generation="random", nullable=False),
    CheckConstraint("msgtype IN ('text', 'markdown', 'image', 'news')", name="messages_msgtype"),
    Index("messages_sent", "webhook_key", "sent_ms"),
    look="thread",
    notifies=True,
)

media = table(
    "media",
    METADATA,
    column("media_id", generation="random", primary_key=True),
    column("webhook_key", parent("robots.webhook_key"), generation="authentic", nullable=False),
    column("filename", role="file", generation="authentic", nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    column("type", role="kind", generation="enumerate", nullable=False),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("expires_ms", INTEGER, time="ms", generation="random", nullable=False),
)

# The running MCP server: one row. Its key is a setting, so it may be that of a robot that is gone.
servers = table(
    "servers",
    METADATA,
    column("webhook_key", generation="random", primary_key=True),
    column("folder", role="setting", generation="authentic", nullable=False, server_default="/"),
    # Turned by most tools, whatever they are told and even when they refuse.
    column(
        "posts_to", role="internal", generation="enumerate", server_managed=True, nullable=False, server_default="send"
    ),
    CheckConstraint("posts_to IN ('send', 'upload_media')", name="servers_posts_to"),
    few=True,
)

# What lies on the server's machine; a call of upload_file reads nothing else.
files = table(
    "files",
    METADATA,
    column("webhook_key", parent("servers.webhook_key"), generation="authentic", primary_key=True),
    column("path", generation="authentic", primary_key=True),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    few=True,
)
