"""WeCom's context tree: a corp with its people, what they and robots say in group chats, and people's MCP servers."""

from sqlalchemy import CheckConstraint, Index

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, hidden, parent, person, reference, table

METADATA = MetaData()

corps = table(
    "corps",
    METADATA,
    column("corp_id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    few=True,
    view="grid",
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
    view="people",
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
    view="container",
)

members = table(
    "members",
    METADATA,
    column("chat_id", parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("userid", parent("users.userid"), generation="authentic", primary_key=True),
    notifies=True,
    few=True,
    view="part",
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
    view="people",
)

# What members write in a group themselves. No tool of the robot's server shows it; in the group everybody sees it.
member_messages = table(
    "member_messages",
    METADATA,
    column("chat_id", parent("chats.chat_id"), generation="authentic", primary_key=True),
    column("seq", INTEGER, generation="random", primary_key=True),
    column("userid", parent("users.userid"), role="author", generation="authentic", nullable=False),
    column("msgtype", role="kind", generation="enumerate", nullable=False, server_default="text"),
    # Of a text; a mention stands there as @ and the name, and a space.
    column("content", role="body", format="plain"),
    # The members who are mentioned; "@all" is everybody.
    column("mentioned_userids", role="person", json=True, nullable=False, server_default="[]"),
    # The message that is quoted above it.
    column("reply_to", INTEGER, role="reference", generation="authentic"),
    column("filename", role="file", generation="authentic"),
    column("size_bytes", INTEGER, role="file", usual=OPEN, generation="random"),
    column("sent_ms", INTEGER, time="ms", generation="random", nullable=False),
    CheckConstraint("msgtype IN ('text', 'image', 'file')", name="member_messages_msgtype"),
    Index("member_messages_sent", "chat_id", "sent_ms"),
    notifies=True,
    view=View("chat", thread="reply_to", many="messages"),
)

# What robots say. Append-only. Of content, the four of a card, and the two of a picture, it has what its type has.
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
    notifies=True,
    view=View("chat", author="webhook_key", many="messages of robots"),
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
    view="grid",
)

# The running MCP servers, one a person. The key is a setting: several people may hold that of one robot, and it may be
# that of a robot that is gone.
servers = table(
    "servers",
    METADATA,
    column("userid", parent("users.userid"), generation="authentic", primary_key=True, admits=True),
    column("webhook_key", role="setting", generation="random", nullable=False),
    column("folder", role="setting", generation="authentic", nullable=False, server_default="/"),
    # Turned by most tools, whatever they are told and even when they refuse.
    column(
        "posts_to", role="internal", generation="enumerate", server_managed=True, nullable=False, server_default="send"
    ),
    CheckConstraint("posts_to IN ('send', 'upload_media')", name="servers_posts_to"),
    seen_by="owner",
    few=True,
    view=hidden("where the server sends a robot's messages"),
)

# What lies on the machine of a person's server; a call of upload_file reads nothing else.
files = table(
    "files",
    METADATA,
    column("userid", parent("servers.userid"), generation="authentic", primary_key=True),
    column("path", generation="authentic", primary_key=True),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    seen_by="owner",
    few=True,
    view="grid",
)
