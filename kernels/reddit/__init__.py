"""Reddit, as Composio's hosted toolkit shows it: ten tools for one account."""

from farm.appkit import App, Envelope, composio_success
from farm.appkit.dialects import Composio

from . import errors
from .tools import TOOLS

APP = App(
    name="reddit",
    title="Reddit",
    category="social",
    dialect=Composio(),
    tools=TOOLS,
    envelope=Envelope(is_error=False, wrap=composio_success, refusal=errors.answer),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "REDDIT_SEARCH_ACROSS_SUBREDDITS",
            "REDDIT_RETRIEVE_POST_COMMENTS",
            "REDDIT_POST_REDDIT_COMMENT",
            "REDDIT_RETRIEVE_REDDIT_POST",
            "REDDIT_CREATE_REDDIT_POST",
            "REDDIT_GET_USER_FLAIR",
            "REDDIT_EDIT_REDDIT_COMMENT_OR_POST",
            "REDDIT_RETRIEVE_SPECIFIC_COMMENT",
            "REDDIT_DELETE_REDDIT_COMMENT",
            "REDDIT_DELETE_REDDIT_POST",
        ),
    },
)
