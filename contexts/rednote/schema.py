"""The context tree of Rednote: one account's view of a small piece of the site.

Counters are split: a ``*_base`` column holds what the rest of the site did, rows (likes, favourites, comments, follows)
hold what the people of the world did, and a tool shows the sum. A like therefore changes exactly one row. Comments have
no base: as many are shown as can be read.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, Column, Index, text

from farm.appkit.schema import INTEGER, OPEN, TEXT, MetaData, View, column, hidden, parent, person, reference, table

METADATA = MetaData()


def _one_of(name: str, *values: str) -> CheckConstraint:
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{name} IN ({listed})")


def _flag(name: str, **more: Any) -> Column[Any]:
    is_flag = CheckConstraint(f"{name} IN (0, 1)")
    return column(name, INTEGER, is_flag, generation="enumerate", nullable=False, server_default="0", **more)


users = table(
    "users",
    METADATA,
    # The second the account was made in eight hex digits, eight zeros, eight hex digits; notes and comments likewise.
    column("user_id", primary_key=True, generation="random"),
    person(),
    column(
        "red_id", role="key", generation="random", nullable=False, unique=True
    ),  # digits, or a handle of the user's choice
    column("nickname", role="title", generation="authentic", nullable=False, searched=True),
    column("bio", role="body", format="plain", generation="free-form", nullable=False, server_default=""),
    column(
        "gender", INTEGER, role="kind", generation="enumerate", nullable=False, server_default="2"
    ),  # 0 male, 1 female, 2 not said
    column(
        "ip_location", role="place", generation="authentic", nullable=False, server_default=""
    ),  # province or country: 上海, 新加坡
    column(
        "district", role="place", generation="authentic"
    ),  # where the phone is, 徐汇区; only 附近 in a search looks at it
    column(
        "avatar", role="cosmetic", generation="random", nullable=False, server_default=""
    ),  # file name; empty: made from the user id
    column("banner", role="cosmetic", generation="random", nullable=False, server_default=""),
    column("follows_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("fans_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column(
        "liked_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"
    ),  # 获赞与收藏 beyond the world's notes
    _flag("favorites_public", role="setting"),
    _flag("likes_public", role="setting"),
    _flag("has_shop", role="setting"),  # may bind goods to a note,
    view=View("people", title="nickname"),
)

# The cookie file of the server that is logged in as this user. No row: not logged in.
sessions = table(
    "sessions",
    METADATA,
    column("user_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("cookies_path", role="internal", generation="authentic", nullable=False, server_default="cookies.json"),
    seen_by="owner",
    view=hidden("where the server keeps a login"),
)

follows = table(
    "follows",
    METADATA,
    column("user_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("target_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("time", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("follows_by_target", "target_id"),
    notifies=True,
    view="grid",
)

notes = table(
    "notes",
    METADATA,
    column("note_id", primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), role="author", many=True, generation="random", nullable=False),
    column("type", TEXT, _one_of("type", "normal", "video"), role="kind", generation="enumerate", nullable=False),
    column("title", role="title", format="plain", generation="free-form", nullable=False, searched=True),
    column(
        "body", role="body", format="plain", generation="free-form", nullable=False, searched=True
    ),  # without the tags, which the site shows after it
    column(
        "tags", role="title", generation="free-form", json=True, nullable=False, searched=True, server_default="[]"
    ),  # ["咖啡", …], no '#'
    # When it is or was published. A scheduled note carries its future time here and is hidden until then.
    column("time", INTEGER, generation="random", time="ms", nullable=False),
    column("schedule_at", INTEGER, generation="random", time="ms"),  # set only when it was scheduled
    column("ip_location", role="place", usual=OPEN, generation="authentic", nullable=False, server_default=""),
    column("district", role="place", usual=OPEN, generation="authentic"),
    column(
        "visibility",
        TEXT,
        _one_of("visibility", "公开可见", "仅自己可见", "仅互关好友可见"),
        role="setting",
        generation="enumerate",
        nullable=False,
        server_default="公开可见",
    ),
    _flag("is_original", role="setting"),
    column(
        "status",
        TEXT,
        _one_of("status", "NORMAL", "deleted", "illegal"),
        generation="enumerate",
        deleted_value="deleted",
        nullable=False,
        server_default="NORMAL",
    ),
    column("liked_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("collected_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("shared_count", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    Index("notes_by_user", "user_id", "time"),
    Index("notes_by_time", "time"),
    notifies=True,
    view="feed",
)

# Pictures in order; position 0 is the cover, of a video too.
note_images = table(
    "note_images",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("position", INTEGER, primary_key=True, generation="random"),
    column("file_id", role="internal", generation="random", nullable=False),
    column("width", INTEGER, role="file", generation="random", nullable=False),
    column("height", INTEGER, role="file", generation="random", nullable=False),
    _flag("live_photo", role="file"),
    column(
        "source", role="file", generation="authentic"
    ),  # the path or URL it was uploaded from, when published in the episode,
    view="part",
)

videos = table(
    "videos",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("duration", INTEGER, role="file", generation="random", nullable=False),  # seconds
    column("width", INTEGER, role="file", generation="random", nullable=False),
    column("height", INTEGER, role="file", generation="random", nullable=False),
    column("source", role="file", generation="authentic"),
    view="part",
)

likes = table(
    "likes",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), primary_key=True, many=True, generation="random"),
    column("time", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("likes_by_user", "user_id", "time"),
    notifies=True,
    view="part",
)

favorites = table(
    "favorites",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), primary_key=True, many=True, generation="random"),
    column("time", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("favorites_by_user", "user_id", "time"),
    notifies=True,
    view="part",
)

# What a user has opened before the episode: 已看过 and 未看过 in a search. No tool changes it.
views = table(
    "views",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("time", INTEGER, generation="random", time="ms", nullable=False),
    Index("views_by_user", "user_id"),
    seen_by="owner",
    view="part",
)

comments = table(
    "comments",
    METADATA,
    column("comment_id", primary_key=True, generation="random"),
    column("note_id", parent("notes.note_id"), many=True, generation="random", nullable=False),
    column("user_id", parent("users.user_id"), role="author", many=True, generation="random", nullable=False),
    # The top-level comment of the thread; empty on a top-level comment. Threads are one level deep.
    column("root_id", parent("comments.comment_id"), usual=OPEN, many=True, generation="random"),
    # The comment that was answered: the root itself or another reply of the thread; empty on a top-level comment.
    column("target_id", parent("comments.comment_id"), generation="random"),
    column("content", role="body", format="plain", generation="free-form", nullable=False),
    column("time", INTEGER, generation="random", time="ms", nullable=False),
    column("ip_location", role="place", usual=OPEN, generation="authentic", nullable=False, server_default=""),
    column("liked_base", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column(
        "status",
        TEXT,
        _one_of("status", "NORMAL", "deleted"),
        generation="enumerate",
        deleted_value="deleted",
        nullable=False,
        server_default="NORMAL",
    ),
    Index("comments_by_note", "note_id", "root_id", "time"),
    Index("comments_by_root", "root_id", "time"),
    Index("comments_by_user", "user_id", "note_id"),
    Index("comments_by_target", "target_id"),
    notifies=True,
    view=View("comments", thread="root_id"),
)

comment_likes = table(
    "comment_likes",
    METADATA,
    column("comment_id", parent("comments.comment_id"), primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("time", INTEGER, generation="random", time="ms", server_managed=True, nullable=False),
    Index("comment_likes_by_user", "user_id"),
    notifies=True,
    view="part",
)

# What an account was told. tab, type and title go together:
#   mentions     comment/item     评论了你的笔记     comment_id and note_id set
#   mentions     comment/comment  回复了你的评论     comment_id and note_id set
#   mentions     mention/comment  在评论中@了你      comment_id and note_id set
#   mentions     mention/item     在笔记中@了你      note_id set
#   likes        liked/item       赞了你的笔记       note_id set
#   likes        faved/item       收藏了你的笔记     note_id set
#   likes        liked/comment    赞了你的评论       comment_id and note_id set
#   connections  follow/you       开始关注你了       neither
_TYPES = (
    *("comment/item", "comment/comment", "mention/comment", "mention/item"),
    *("liked/item", "faved/item", "liked/comment", "follow/you"),
)
notifications = table(
    "notifications",
    METADATA,
    column("id", primary_key=True, generation="random"),  # 19 digits
    column(
        "user_id", parent("users.user_id"), role="person", many=True, generation="random", nullable=False
    ),  # who was told
    column(
        "tab",
        TEXT,
        _one_of("tab", "mentions", "likes", "connections"),
        role="kind",
        many=True,
        generation="enumerate",
        nullable=False,
    ),
    column("type", TEXT, _one_of("type", *_TYPES), role="kind", generation="enumerate", nullable=False),
    column("title", role="title", generation="enumerate", nullable=False),
    column("from_id", parent("users.user_id"), role="author", generation="random", nullable=False),  # who did it
    column("note_id", reference("notes.note_id"), generation="random"),
    column("comment_id", reference("comments.comment_id"), generation="random"),
    column("time", INTEGER, generation="random", time="s", nullable=False),
    _flag("unread", role="status", server_managed=True),  # the site clears it when its tab is opened
    Index("notifications_by_tab", "user_id", "tab", "time"),
    Index("notifications_unread", "user_id", "tab", sqlite_where=text("unread")),
    Index("notifications_by_from", "from_id"),
    Index("notifications_by_note", "note_id"),
    Index("notifications_by_comment", "comment_id"),
    seen_by="owner",
    view=View("list", unread="unread"),
)

# The camera roll: everything publish_content and publish_with_video can upload. There is no other file system.
media = table(
    "media",
    METADATA,
    column("user_id", parent("users.user_id"), primary_key=True, generation="random"),
    column("path", primary_key=True, generation="authentic"),  # absolute path, or an http(s) address of an image
    column("kind", TEXT, _one_of("kind", "image", "video"), role="kind", generation="enumerate", nullable=False),
    column("width", INTEGER, role="file", generation="random", nullable=False),
    column("height", INTEGER, role="file", generation="random", nullable=False),
    column("duration", INTEGER, role="file", generation="random"),  # seconds; videos only
    column(
        "caption", role="internal", generation="free-form", nullable=False, server_default=""
    ),  # for people; no tool shows it
    seen_by="owner",
    view="grid",
)

# Goods a user with a shop can bind to a note.
products = table(
    "products",
    METADATA,
    column("product_id", primary_key=True, generation="random"),
    column("user_id", parent("users.user_id"), generation="random", nullable=False),
    column("name", role="title", generation="authentic", nullable=False),
    Index("products_by_user", "user_id"),
    view="grid",
)

note_products = table(
    "note_products",
    METADATA,
    column("note_id", parent("notes.note_id"), primary_key=True, generation="random"),
    column("position", INTEGER, primary_key=True, generation="random"),
    column("product_id", parent("products.product_id"), generation="random", nullable=False),
    Index("note_products_by_product", "product_id"),
    view="part",
)
