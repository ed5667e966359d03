"""WeCom's context tree: a corp with its people, its group chats and their robots; and the MCP server of one robot."""

from sqlalchemy import CheckConstraint, Index

from farm.context.schema import INTEGER, MetaData, column, parent, person, reference, table

METADATA = MetaData()

corps = table(
    "corps",
    METADATA,
    column("corp_id", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
)

users = table(
    "users",
    METADATA,
    column("userid", made="authentic", primary_key=True),
    person(),
    column("corp_id", parent("corps.corp_id"), made="authentic", nullable=False),
    column("name", made="authentic", nullable=False),
    column("mobile", made="authentic", nullable=False, server_default=""),
)

chats = table(
    "chats",
    METADATA,
    column("chat_id", made="random", primary_key=True),
    column("corp_id", parent("corps.corp_id"), made="authentic", nullable=False),
    column("name", made="authentic", nullable=False),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False, server_default="0"),
    noticed=True,
)

members = table(
    "members",
    METADATA,
    column("chat_id", parent("chats.chat_id"), made="authentic", primary_key=True),
    column("userid", parent("users.userid"), made="authentic", primary_key=True),
    noticed=True,
)

robots = table(
    "robots",
    METADATA,
    # Who knows it may post.
    column("webhook_key", made="random", primary_key=True),
    column("chat_id", parent("chats.chat_id"), made="authentic", nullable=False),
    column("name", made="authentic", nullable=False),
    column("created_by", reference("users.userid"), made="authentic"),
)

# Append-only. Of content, the four of a card, and the two of a picture, a message has what its type has.
messages = table(
    "messages",
    METADATA,
    column("webhook_key", parent("robots.webhook_key"), made="authentic", primary_key=True),
    column("seq", INTEGER, made="random", primary_key=True),
    column("msgtype", made="enumerate", nullable=False),
    column("content"),
    column("title"),
    column("description"),
    column("url", made="authentic"),
    column("picurl", made="authentic"),
    column("md5", made="random"),
    column("size_bytes", INTEGER, made="random"),
    # As they were posted: a name that is nobody's in the group is shown and highlights nobody.
    column("mentioned_userids", json=True, nullable=False, server_default="[]"),
    column("mentioned_mobiles", json=True, nullable=False, server_default="[]"),
    column("sent_ms", INTEGER, time="ms", made="random", nullable=False),
    CheckConstraint("msgtype IN ('text', 'markdown', 'image', 'news')", name="messages_msgtype"),
    Index("messages_sent", "webhook_key", "sent_ms"),
    look="thread",
    noticed=True,
)

media = table(
    "media",
    METADATA,
    column("media_id", made="random", primary_key=True),
    column("webhook_key", parent("robots.webhook_key"), made="authentic", nullable=False),
    column("filename", made="authentic", nullable=False),
    column("size_bytes", INTEGER, made="random", nullable=False),
    column("type", made="enumerate", nullable=False),
    column("created_ms", INTEGER, time="ms", made="random", nullable=False),
    column("expires_ms", INTEGER, time="ms", made="random", nullable=False),
)

# The running MCP server: one row. Its key is a setting, so it may be that of a robot that is gone.
servers = table(
    "servers",
    METADATA,
    column("webhook_key", made="random", primary_key=True),
    column("folder", made="authentic", nullable=False, server_default="/"),
    # Turned by most tools, whatever they are told and even when they refuse.
    column("posts_to", made="enumerate", automatic=True, nullable=False, server_default="send"),
    CheckConstraint("posts_to IN ('send', 'upload_media')", name="servers_posts_to"),
)

# What lies on the server's machine; a call of upload_file reads nothing else.
files = table(
    "files",
    METADATA,
    column("webhook_key", parent("servers.webhook_key"), made="authentic", primary_key=True),
    column("path", made="authentic", primary_key=True),
    column("size_bytes", INTEGER, made="random", nullable=False),
)
