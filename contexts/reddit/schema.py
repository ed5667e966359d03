"""Reddit's context tree: communities with their flairs, what people posted there, and the comments under it."""

from sqlalchemy import CheckConstraint, Index, text

from farm.appkit.schema import INTEGER, MetaData, View, column, parent, person, reference, table

METADATA = MetaData()

# Ids are base 36 without the prefix that names their kind: t1_ a comment, t2_ an account, t3_ a post, t5_ a community.
users = table(
    "users",
    METADATA,
    column("user_id", generation="random", primary_key=True),
    person(),
    column("name", role="title", generation="authentic", nullable=False, unique=True),
    column("is_premium", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    # A deleted account: its posts and comments stay and are nobody's.
    column("is_deleted", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    view="people",
)

subreddits = table(
    "subreddits",
    METADATA,
    column("subreddit_id", generation="random", primary_key=True),
    column("name", role="title", generation="authentic", nullable=False),
    column("type", role="kind", generation="enumerate", nullable=False, server_default="public"),
    column("subscribers", INTEGER, role="amount", generation="random", nullable=False, server_default="1"),
    # What may be posted.
    column("submission_type", role="setting", generation="enumerate", nullable=False, server_default="any"),
    column("flair_required", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("title_blacklist", role="setting", json=True, generation="free-form", nullable=False, server_default="[]"),
    column("body_blacklist", role="setting", json=True, generation="free-form", nullable=False, server_default="[]"),
    # Whether members choose the flair of their posts; otherwise only moderators see the choice.
    column("flair_self_assign", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="1"),
    column("suggested_sort", role="setting", generation="enumerate"),
    column("score_hide_minutes", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    # Whether posts of more than half a year are closed.
    column("archives_posts", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("over_18", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_banned", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    CheckConstraint("type IN ('public', 'restricted', 'private')", name="subreddits_type"),
    CheckConstraint("submission_type IN ('any', 'link', 'self')", name="subreddits_submission_type"),
    Index("subreddits_name", "name", unique=True),
    Index("subreddits_any_case", text("lower(name)")),
    view="container",
)

link_flairs = table(
    "link_flairs",
    METADATA,
    column("flair_id", generation="random", primary_key=True),
    column("subreddit_id", parent("subreddits.subreddit_id"), generation="authentic", nullable=False),
    column("position", INTEGER, role="cosmetic", generation="random", nullable=False, server_default="0"),
    column("text", role="title", generation="authentic", nullable=False),
    column("text_editable", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("mod_only", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("css_class", role="cosmetic", generation="authentic", nullable=False, server_default=""),
    column("text_color", role="cosmetic", generation="enumerate", nullable=False, server_default="dark"),
    column("background_color", role="cosmetic", generation="random", nullable=False, server_default=""),
    Index("link_flairs_list", "subreddit_id", "position"),
    view="grid",
)

# What somebody is in a community: moderator, approved, banned, how much karma, which flair beside the name.
standings = table(
    "standings",
    METADATA,
    column("subreddit_id", parent("subreddits.subreddit_id"), generation="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    column("link_karma", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("comment_karma", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("is_moderator", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_contributor", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("is_banned", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("flair_text", role="title", generation="authentic"),
    sqlite_with_rowid=False,
    view="grid",
)

posts = table(
    "posts",
    METADATA,
    column("post_id", generation="random", primary_key=True),
    column("subreddit_id", parent("subreddits.subreddit_id"), many=True, generation="authentic", nullable=False),
    column("user_id", reference("users.user_id"), role="author", many=True, generation="authentic", nullable=False),
    column("kind", role="kind", generation="enumerate", nullable=False, server_default="self"),
    column("title", role="title", format="plain", nullable=False, searched=True),
    column("text", role="body", format="reddit", nullable=False, server_default="", searched=True),
    column("url", role="link", generation="authentic"),
    column("flair_id", reference("link_flairs.flair_id"), generation="enumerate"),
    column("ups", INTEGER, role="amount", generation="random", nullable=False, server_default="1"),
    column("downs", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("created_s", INTEGER, time="s", generation="random", nullable=False),
    column("edited_s", INTEGER, time="s", generation="random", server_managed=True),
    # Above everything else in its community: 1 the first such post, 2 the second.
    column("sticky", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("distinguished", role="status", generation="enumerate"),
    column("is_locked", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("over_18", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("spoiler", INTEGER, role="setting", generation="enumerate", nullable=False, server_default="0"),
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('self', 'link')", name="posts_kind"),
    # What is hot is new or has many points: of both orders the beginning is read.
    Index("posts_subreddit", "subreddit_id", "created_s", "post_id"),
    Index("posts_score", "subreddit_id", text("ups - downs"), "post_id"),
    Index("posts_sticky", "subreddit_id", "sticky", sqlite_where=text("sticky > 0")),
    Index("posts_link", "subreddit_id", "url", sqlite_where=text("url IS NOT NULL")),
    Index("posts_user", "user_id", "created_s"),
    notifies=True,
    view="feed",
)

comments = table(
    "comments",
    METADATA,
    column("comment_id", generation="random", primary_key=True),
    column("post_id", parent("posts.post_id"), many=True, generation="authentic", nullable=False),
    # The comment it answers; none: it stands under the post itself.
    column("parent_id", reference("comments.comment_id"), generation="authentic"),
    column("user_id", reference("users.user_id"), role="author", many=True, generation="authentic", nullable=False),
    column("body", role="body", format="reddit", nullable=False),
    column("ups", INTEGER, role="amount", generation="random", nullable=False, server_default="1"),
    column("downs", INTEGER, role="amount", generation="random", nullable=False, server_default="0"),
    column("created_s", INTEGER, time="s", generation="random", nullable=False),
    column("edited_s", INTEGER, time="s", generation="random", server_managed=True),
    column("sticky", INTEGER, role="status", generation="enumerate", nullable=False, server_default="0"),
    column("distinguished", role="status", generation="enumerate"),
    column("is_deleted", INTEGER, generation="enumerate", deleted_value=1, nullable=False, server_default="0"),
    Index("comments_post", "post_id", "created_s"),
    Index("comments_parent", "parent_id"),
    Index("comments_user", "user_id", "created_s"),
    notifies=True,
    view=View("comments", thread="parent_id"),
)

# Who voted how, as far as it is known by name: a vote of one's own is shown to oneself. The counts hold it, too.
votes = table(
    "votes",
    METADATA,
    column("fullname", generation="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), generation="authentic", primary_key=True),
    column("direction", INTEGER, role="status", generation="enumerate", nullable=False),
    CheckConstraint("direction IN (-1, 1)", name="votes_direction"),
    seen_by="owner",
    sqlite_with_rowid=False,
    view="grid",
)
