"""Rednote (小红书), as the xiaohongshu-mcp server shows it: eighteen tools over one logged-in account."""

from farm.appkit import App, Envelope, GoJson, StartFiles
from farm.appkit.dialects import GoSdk
from farm.appkit.formats.pictures import is_picture

from . import publications
from .tools import TOOLS

APP = App(
    name="rednote",
    title="Rednote",
    called=("小红书", "Xiaohongshu"),
    category="social",
    dialect=GoSdk(
        structs={"get_feed_detail": "main.FeedDetailArgs", "list_notifications": "main.ListNotificationsArgs"}
    ),
    tools=TOOLS,
    files=StartFiles(publications.rows_of_file, is_of_machine=True, takes=is_picture),
    ids={
        # The second it was made, a gap, and what tells apart those of one second; the first digits are put in later.
        "user": "{hex:8}00000000{hex:2}0{hex:5}",
        "red": "9{digit:9}",
        "note": "{hex:8}00000000{hex:2}0{hex:5}",
        "comment": "{hex:8}00000000{hex:2}0{hex:5}",
        "notification": "7{digit:18}",
        "file": "1040g008{base36:24}",
        "product": "{hex:24}",
    },
    envelope=Envelope(json=GoJson()),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "search_feeds",
            "get_feed_detail",
            "list_feeds",
            "get_my_profile",
            "list_notifications",
            "post_comment_to_feed",
            "reply_comment_in_feed",
            "user_profile",
            "like_feed",
            "publish_content",
        ),
        "reading": (
            "check_login_status",
            "list_feeds",
            "search_feeds",
            "get_feed_detail",
            "user_profile",
            "get_my_profile",
            "get_unread_count",
            "list_notifications",
        ),
    },
)
