"""Every tool of the toolkit, in its order, with the tables a call may change.

Both deleting tools ask the same address of Reddit, which takes posts and comments alike.
"""

from farm.appkit import Tool

from . import comments, flairs, posts, searches, things

TOOLS = (
    Tool("REDDIT_CREATE_REDDIT_POST", posts.create_post, writes=("posts",)),
    Tool("REDDIT_DELETE_REDDIT_COMMENT", things.delete, writes=("posts", "comments")),
    Tool("REDDIT_DELETE_REDDIT_POST", things.delete, writes=("posts", "comments")),
    Tool("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", things.edit, writes=("posts", "comments")),
    Tool("REDDIT_GET_USER_FLAIR", flairs.get_flairs),
    Tool("REDDIT_POST_REDDIT_COMMENT", comments.post_comment, writes=("comments",)),
    Tool("REDDIT_RETRIEVE_POST_COMMENTS", comments.get_comments),
    Tool("REDDIT_RETRIEVE_REDDIT_POST", posts.get_posts),
    Tool("REDDIT_RETRIEVE_SPECIFIC_COMMENT", things.get_things),
    Tool("REDDIT_SEARCH_ACROSS_SUBREDDITS", searches.search),
)
