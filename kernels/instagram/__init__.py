"""Instagram, as Composio's hosted toolkit shows it: sixteen tools for one professional account."""

from farm.appkit import App, Envelope, StartFiles, composio_success
from farm.appkit.dialects import Composio

from . import errors, files
from .tools import TOOLS

APP = App(
    name="instagram",
    title="Instagram",
    called=("Ins", "IG"),
    category="social",
    dialect=Composio(),
    tools=TOOLS,
    files=StartFiles(files.rows_of_file),
    ids={
        "container": "178{digit:14}",
        "media": "180{digit:14}",
        "comment": "179{digit:14}",
        "message": "aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQx{alnum:80}ZD",
        "file": "{digit:9}_{digit:17}_{digit:19}_n",
    },
    envelope=Envelope(is_error=False, wrap=composio_success, refusal=errors.answer),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "INSTAGRAM_LIST_ALL_CONVERSATIONS",
            "INSTAGRAM_LIST_ALL_MESSAGES",
            "INSTAGRAM_GET_USER_MEDIA",
            "INSTAGRAM_GET_POST_COMMENTS",
            "INSTAGRAM_SEND_TEXT_MESSAGE",
            "INSTAGRAM_REPLY_TO_COMMENT",
            "INSTAGRAM_GET_POST_INSIGHTS",
            "INSTAGRAM_CREATE_MEDIA_CONTAINER",
            "INSTAGRAM_CREATE_POST",
            "INSTAGRAM_GET_USER_INFO",
        ),
    },
)
