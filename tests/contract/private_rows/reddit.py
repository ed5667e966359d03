"""Reddit: a private community is for its moderators and those whom they approved."""

from tests.contract.private_rows.rules import Rule

STANDING = "SELECT user_id FROM standings s WHERE s.subreddit_id = {subreddit} AND (is_moderator OR is_contributor)"
PRIVATE = "EXISTS (SELECT 1 FROM subreddits s WHERE s.subreddit_id = {subreddit} AND s.type = 'private')"
OF_COMMENT = "(SELECT subreddit_id FROM posts p WHERE p.post_id = r.post_id)"

RULES = (
    Rule(
        "posts",
        "title",
        STANDING.format(subreddit="r.subreddit_id"),
        PRIVATE.format(subreddit="r.subreddit_id"),
    ),
    Rule("posts", "text", STANDING.format(subreddit="r.subreddit_id"), PRIVATE.format(subreddit="r.subreddit_id")),
    Rule("comments", "body", STANDING.format(subreddit=OF_COMMENT), PRIVATE.format(subreddit=OF_COMMENT)),
)
