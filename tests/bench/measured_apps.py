"""What is measured: with ``largest_lists.py`` the one place where the bench names apps, their tools and a world.

Figures are compared over time, so their subject is fixed: one small app for calls, the app with the longest list of
tools for lists, and one whose rows are searched. All but ``python -m tests.bench`` takes apps as they come.
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


# Bodies of nearly 4 MiB: as many values as fit, far more than are taken; and as many as are taken, of the kind that
# needs the most memory, beside a text that is four times as long there.
_MANY, _TAKEN, _TEXT_LENGTH = 2_000_000, 24_900, 3_800_000


def too_many_arguments(share: float = 1.0) -> dict[str, object]:
    """Return arguments for ``HEAVY_TOOL`` with more values than are taken, all of the wrong type."""
    return {"path": {"chat_id": "oc_x"}, "data": {"id_list": [1] * int(_MANY * share)}}


def heavy_arguments(share: float = 1.0) -> dict[str, object]:
    """Return arguments for ``HEAVY_TOOL`` that are as heavy as any that are taken; all items are of the wrong type."""
    text = "\N{FACE WITH TEARS OF JOY}" + "x" * int(_TEXT_LENGTH * share)
    return {"path": {"chat_id": text}, "data": {"id_list": [{"a": 1}] * int(_TAKEN * share)}}


# Judging: a task whose verdict rests on two apps, and one whose text an agent may make 3.6 MB long, of what a reader of
# HTML likes least.
JUDGED_TASK = "demo/cross-cupping-address"
HOSTILE_TASK, HOSTILE_APP, HOSTILE_TOOL = "demo/obsidian-best-beans", "obsidian", "obsidian_append_content"
HOSTILE_TEXT = {"filepath": "收件箱.md", "content": "<!--" * 900_000}

SEARCHED = "rednote"

# Apps whose largest list grows (largest_lists.py): all with data of a person's own but WeCom, whose tools only send.
LISTED = (
    *("slack", "lark", "rednote", "notion", "gmail", "email163"),
    *("obsidian", "telegram", "discord", "reddit", "instagram"),
)

# A test of somebody's agent: what it makes, one call in it, and what that changes.
TEST_WORLD, TEST_APPS = "mini", ["lark", "slack"]
TEST_CALL = (APP, WRITE_TOOL, {"channel_id": "#general", "text": "hello"})
TEST_TABLE = "slack.messages"
