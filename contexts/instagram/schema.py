"""Instagram's context tree: people, the professional accounts they connected, and what such an account owns."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, OPEN, MetaData, View, column, parent, person, reference, table

METADATA = MetaData()

# Everybody, professional accounts too, by the id that such an account knows them by.
users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    person(),
    column("username", role="title", generation="authentic", nullable=False, unique=True),
    column("name", role="title", generation="authentic", nullable=False, server_default=""),
    view="people",
)

accounts = table(
    "accounts",
    METADATA,
    column("ig_user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    column("account_type", role="kind", generation="enumerate", nullable=False, server_default="BUSINESS"),
    column("biography", role="body", format="plain", nullable=False, server_default=""),
    column("website", role="link", generation="authentic", nullable=False, server_default=""),
    column("profile_picture_url", role="link", generation="authentic", nullable=False, server_default=""),
    column("followers_count", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("follows_count", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    CheckConstraint("account_type IN ('BUSINESS', 'MEDIA_CREATOR')", name="accounts_type"),
    few=True,
    view="list",
)

# Which account the toolkit acts as for somebody: several may have connected the same one.
connections = table(
    "connections",
    METADATA,
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True, admits=True),
    column("ig_user_id", reference("accounts.ig_user_id"), role="reference", generation="authentic", nullable=False),
    few=True,
    view="grid",
)

# What the web serves: no other address can be fetched.
files = table(
    "files",
    METADATA,
    column("url", generation="authentic", primary_key=True),
    column("format", role="kind", generation="enumerate", nullable=False),
    column("width", INTEGER, role="file", generation="random", nullable=False),
    column("height", INTEGER, role="file", generation="random", nullable=False),
    column("size_bytes", INTEGER, role="file", generation="random", nullable=False),
    column("duration_ms", INTEGER, role="file", generation="random"),
    view="grid",
)

# A draft: it lives for a day, and nobody but the account sees it.
containers = table(
    "containers",
    METADATA,
    column("container_id", generation="random", primary_key=True),
    column("ig_user_id", parent("accounts.ig_user_id"), generation="authentic", nullable=False),
    column("media_type", role="kind", generation="enumerate", nullable=False),
    column("caption", role="body", format="plain", nullable=False, server_default=""),
    column("url", reference("files.url"), role="file", generation="authentic"),
    column("cover_url", role="file", generation="authentic"),
    column("is_carousel_item", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("children", role="reference", json=True, nullable=False, server_default="[]"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    # When a video is done, unless somebody asked for it before; with which error it failed.
    column("ready_ms", INTEGER, time="ms", generation="random", nullable=False),
    column(
        "asked_count",
        INTEGER,
        role="internal",
        generation="random",
        server_managed=True,
        nullable=False,
        server_default="0",
    ),
    column("error_subcode", INTEGER, role="status", usual=OPEN, generation="enumerate"),
    column("published_media_id", role="reference", usual=OPEN, generation="authentic"),
    CheckConstraint("media_type IN ('IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL')", name="containers_type"),
    Index("containers_made", "ig_user_id", "created_ms"),
    seen_by="owner",
    view="list",
)

media = table(
    "media",
    METADATA,
    column("media_id", generation="random", primary_key=True),
    column("ig_user_id", parent("accounts.ig_user_id"), generation="authentic", nullable=False),
    column("media_type", role="kind", generation="enumerate", nullable=False),
    column("product_type", role="kind", generation="enumerate", nullable=False, server_default="FEED"),
    column("caption", role="body", format="plain", nullable=False, server_default=""),
    column("media_url", role="file", generation="authentic", nullable=False),
    column("thumbnail_url", role="file", usual=OPEN, generation="authentic"),
    # What it was made of; no tool shows it.
    column("file_url", role="file", seen_by="nobody", generation="authentic"),
    column("shortcode", role="internal", generation="random", nullable=False),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    column("like_count", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    CheckConstraint("media_type IN ('IMAGE', 'VIDEO', 'CAROUSEL_ALBUM')", name="media_type"),
    CheckConstraint("product_type IN ('FEED', 'REELS', 'STORY')", name="media_product_type"),
    Index("media_created", "ig_user_id", "created_ms"),
    notifies=True,
    view=View("feed", one="post"),
)

# The pictures and videos of an album, in their order.
media_children = table(
    "media_children",
    METADATA,
    column("media_id", parent("media.media_id"), generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", primary_key=True),
    column("child_id", role="key", generation="random", nullable=False, unique=True),
    column("media_type", role="kind", generation="enumerate", nullable=False),
    column("media_url", role="file", generation="authentic", nullable=False),
    column("file_url", role="file", seen_by="nobody", generation="authentic"),
    view="part",
)

# What cannot be counted from other rows; likes, comments and their sum can.
media_insights = table(
    "media_insights",
    METADATA,
    column("media_id", parent("media.media_id"), generation="authentic", primary_key=True),
    column("metric", generation="enumerate", primary_key=True),
    column("value", INTEGER, role="amount", generation="random", nullable=False),
    seen_by="owner",
    view="part",
)

comments = table(
    "comments",
    METADATA,
    column("comment_id", generation="random", primary_key=True),
    column("media_id", parent("media.media_id"), many=True, generation="authentic", nullable=False),
    # The comment that it answers; never itself an answer.
    column("parent_id", reference("comments.comment_id"), generation="authentic"),
    column("user_id", reference("users.user_id"), role="author", generation="authentic", nullable=False),
    column("text", role="body", format="plain", nullable=False),
    column("like_count", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    Index("comments_media", "media_id", "created_ms"),
    Index("comments_answers", "parent_id", "created_ms", sqlite_where=text("parent_id IS NOT NULL")),
    notifies=True,
    view=View("comments", thread="parent_id"),
)

conversations = table(
    "conversations",
    METADATA,
    column("conversation_id", generation="random", primary_key=True),
    column("ig_user_id", parent("accounts.ig_user_id"), generation="authentic", nullable=False),
    column("user_id", reference("users.user_id"), role="person", generation="authentic", nullable=False),
    # Up to when the other side was shown that its messages are seen.
    column("seen_ms", INTEGER, role="time", server_managed=True, time="ms", generation="random"),
    Index("conversations_two", "ig_user_id", "user_id", unique=True),
    view="container",
)

messages = table(
    "messages",
    METADATA,
    column("message_id", generation="random", primary_key=True),
    column(
        "conversation_id", parent("conversations.conversation_id"), many=True, generation="authentic", nullable=False
    ),
    column("from_id", reference("users.user_id"), role="author", generation="authentic", nullable=False),
    # Empty where there is nothing but a picture.
    column("text", role="body", format="plain", nullable=False, server_default=""),
    column("image_url", role="file", generation="authentic"),
    column("reply_to_id", reference("messages.message_id"), generation="authentic"),
    column("created_ms", INTEGER, time="ms", generation="random", nullable=False),
    Index("messages_conversation", "conversation_id", "created_ms"),
    notifies=True,
    view=View("chat", thread="reply_to_id"),
)

# A value of the account for the day, the week or the 28 days that end with a date.
account_insights = table(
    "account_insights",
    METADATA,
    column("ig_user_id", parent("accounts.ig_user_id"), generation="authentic", primary_key=True),
    column("metric", generation="enumerate", primary_key=True),
    column("period", generation="enumerate", primary_key=True),
    column("date", time="date", generation="random", primary_key=True),
    column("value", INTEGER, role="amount", generation="random", nullable=False),
    seen_by="owner",
    view=View("series", value="value", when="date"),
)
