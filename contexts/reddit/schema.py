"""Reddit's context tree: communities with their flairs, what people posted there, and the comments under it."""

from sqlalchemy import CheckConstraint, Index

from farm.context.schema import INTEGER, MetaData, column, parent, person, reference, table

METADATA = MetaData()

# Ids are base 36 without the prefix that names their kind: t1_ a comment, t2_ an account, t3_ a post, t5_ a community.
users = table(
    "users",
    METADATA,
    column("user_id", made="random", primary_key=True),
    person(),
    column("name", made="authentic", nullable=False, unique=True),
    column("is_premium", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # A deleted account: its posts and comments stay and are nobody's.
    column("is_deleted", INTEGER, made="enumerate", nullable=False, server_default="0"),
)

subreddits = table(
    "subreddits",
    METADATA,
    column("subreddit_id", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("type", made="enumerate", nullable=False, server_default="public"),
    column("subscribers", INTEGER, made="random", nullable=False, server_default="1"),
    # What may be posted.
    column("submission_type", made="enumerate", nullable=False, server_default="any"),
    column("flair_required", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("title_blacklist", json=True, made="free-form", nullable=False, server_default="[]"),
    column("body_blacklist", json=True, made="free-form", nullable=False, server_default="[]"),
    # Whether members choose the flair of their posts; otherwise only moderators see the choice.
    column("flair_self_assign", INTEGER, made="enumerate", nullable=False, server_default="1"),
    column("suggested_sort", made="enumerate"),
    column("score_hide_minutes", INTEGER, made="enumerate", nullable=False, server_default="0"),
    # Whether posts of more than half a year are closed.
    column("archives_posts", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("over_18", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_banned", INTEGER, made="enumerate", nullable=False, server_default="0"),
    CheckConstraint("type IN ('public', 'restricted', 'private')", name="subreddits_type"),
    CheckConstraint("submission_type IN ('any', 'link', 'self')", name="subreddits_submission_type"),
    Index("subreddits_name", "name", unique=True),
)

link_flairs = table(
    "link_flairs",
    METADATA,
    column("flair_id", made="random", primary_key=True),
    column("subreddit_id", parent("subreddits.subreddit_id"), made="authentic", nullable=False),
    column("position", INTEGER, made="random", nullable=False, server_default="0"),
    column("text", made="authentic", nullable=False),
    column("text_editable", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("mod_only", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("css_class", made="authentic", nullable=False, server_default=""),
    column("text_color", made="enumerate", nullable=False, server_default="dark"),
    column("background_color", made="random", nullable=False, server_default=""),
    Index("link_flairs_list", "subreddit_id", "position"),
)

# What somebody is in a community: moderator, approved, banned, how much karma, which flair beside the name.
standings = table(
    "standings",
    METADATA,
    column("subreddit_id", parent("subreddits.subreddit_id"), made="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), made="authentic", primary_key=True),
    column("link_karma", INTEGER, made="random", nullable=False, server_default="0"),
    column("comment_karma", INTEGER, made="random", nullable=False, server_default="0"),
    column("is_moderator", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_contributor", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_banned", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("flair_text", made="authentic"),
    sqlite_with_rowid=False,
)

posts = table(
    "posts",
    METADATA,
    column("post_id", made="random", primary_key=True),
    column("subreddit_id", parent("subreddits.subreddit_id"), made="authentic", nullable=False),
    column("user_id", reference("users.user_id"), made="authentic", nullable=False),
    column("kind", made="enumerate", nullable=False, server_default="self"),
    column("title", nullable=False, searched=True),
    column("text", nullable=False, server_default="", searched=True),
    column("url", made="authentic"),
    column("flair_id", reference("link_flairs.flair_id"), made="enumerate"),
    column("ups", INTEGER, made="random", nullable=False, server_default="1"),
    column("downs", INTEGER, made="random", nullable=False, server_default="0"),
    column("created_s", INTEGER, time="s", made="random", nullable=False),
    column("edited_s", INTEGER, time="s", made="random", automatic=True),
    # Above everything else in its community: 1 the first such post, 2 the second.
    column("sticky", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("distinguished", made="enumerate"),
    column("is_locked", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("over_18", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("spoiler", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("is_deleted", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    CheckConstraint("kind IN ('self', 'link')", name="posts_kind"),
    Index("posts_subreddit", "subreddit_id", "created_s"),
    Index("posts_user", "user_id", "created_s"),
    look="feed",
    noticed=True,
)

comments = table(
    "comments",
    METADATA,
    column("comment_id", made="random", primary_key=True),
    column("post_id", parent("posts.post_id"), made="authentic", nullable=False),
    # The comment it answers; none: it stands under the post itself.
    column("parent_id", reference("comments.comment_id"), made="authentic"),
    column("user_id", reference("users.user_id"), made="authentic", nullable=False),
    column("body", nullable=False),
    column("ups", INTEGER, made="random", nullable=False, server_default="1"),
    column("downs", INTEGER, made="random", nullable=False, server_default="0"),
    column("created_s", INTEGER, time="s", made="random", nullable=False),
    column("edited_s", INTEGER, time="s", made="random", automatic=True),
    column("sticky", INTEGER, made="enumerate", nullable=False, server_default="0"),
    column("distinguished", made="enumerate"),
    column("is_deleted", INTEGER, made="enumerate", gone=1, nullable=False, server_default="0"),
    Index("comments_post", "post_id", "created_s"),
    Index("comments_parent", "parent_id"),
    Index("comments_user", "user_id", "created_s"),
    look="thread",
    noticed=True,
)

# Who voted how, as far as it is known by name: a vote of one's own is shown to oneself. The counts hold it, too.
votes = table(
    "votes",
    METADATA,
    column("fullname", made="authentic", primary_key=True),
    column("user_id", parent("users.user_id"), made="authentic", primary_key=True),
    column("direction", INTEGER, made="enumerate", nullable=False),
    CheckConstraint("direction IN (-1, 1)", name="votes_direction"),
    sqlite_with_rowid=False,
)
