"""What is measured: the one place where the bench names apps, their tools and a world.

Figures are compared over time, so their subject is fixed: one small app for calls, the app with the longest list of
tools for lists, and one whose rows are searched. All but ``farm bench`` takes apps as they come.
"""

WORLD = "harbor"

# Calls: one row by its key, a page of rows, one thread, one row written.
APP = "slack"
READ_TOOL = "slack_get_user_profile"
PAGE_TOOL = "slack_get_channel_history"
THREAD_TOOL = "slack_get_thread_replies"
WRITE_TOOL = "slack_post_message"

LONGEST = "lark"
# An ordinary call of it, and the dearest known for its size: a list in which every item is refused.
SHORT_TOOL = "calendar_v4_calendar_primary"
HEAVY_TOOL = "im_v1_chatMembers_create"


def heavy_arguments(items: int) -> dict[str, object]:
    """Return arguments for ``HEAVY_TOOL`` with so many items of the wrong type."""
    return {"path": {"chat_id": "oc_x"}, "data": {"id_list": [1] * items}}


SEARCHED = "rednote"
