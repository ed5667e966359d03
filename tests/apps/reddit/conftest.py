"""Me, Bo, Cy who moderates, and an account that is gone; communities of every kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

ME, BO, CY, GONE = "1a2b", "1a2c", "1a2d", "1a2e"
LAMPS, CLUB, SECRET, OLD, LINKS, STRICT = "2lamps", "2club", "2hid", "2old", "2link", "2rule"
NOW_S = 1773018000  # the clock of an app that starts on rows
DISCUSSION, NEWS, ELSEWHERE = (f"{n * 8}-520c-11e7-8073-0ef8adb5ef68" for n in "123")
FIRST, SECOND, LINK, HIDDEN = "1rfirst", "1rsecnd", "1rlinkx", "1rhiddn"
TOP, ANSWER, LONELY = "o1aaaaa", "o1bbbbb", "o1ccccc"


def post(post_id: str, title: str, *, user: str = BO, subreddit: str = LAMPS, **more: Any) -> dict[str, Any]:
    row = {"table": "posts", "post_id": post_id, "subreddit_id": subreddit, "user_id": user, "title": title}
    return {**row, "created_s": NOW_S - 7200, **more}


def comment(comment_id: str, body: str, *, user: str = BO, under: str = FIRST, **more: Any) -> dict[str, Any]:
    row = {"table": "comments", "comment_id": comment_id, "post_id": under, "user_id": user, "body": body}
    return {**row, "created_s": NOW_S - 3600, **more}


def rows() -> list[dict[str, Any]]:
    def user(user_id: str, name: str, **more: Any) -> dict[str, Any]:
        return {"table": "users", "user_id": user_id, "name": name, **more}

    def subreddit(subreddit_id: str, name: str, **more: Any) -> dict[str, Any]:
        return {"table": "subreddits", "subreddit_id": subreddit_id, "name": name, "subscribers": 1200, **more}

    def flair(flair_id: str, text: str, position: int, subreddit_id: str = LAMPS, **more: Any) -> dict[str, Any]:
        row = {"table": "link_flairs", "flair_id": flair_id, "subreddit_id": subreddit_id, "text": text}
        return {**row, "position": position, **more}

    def standing(subreddit_id: str, user_id: str = ME, **more: Any) -> dict[str, Any]:
        return {"table": "standings", "subreddit_id": subreddit_id, "user_id": user_id, **more}

    return [
        user(ME, "me_here", person="me"),
        user(BO, "bo_lights", person="bo"),
        user(CY, "cy_keeps", is_premium=1),
        user(GONE, "was_here", is_deleted=1),
        subreddit(LAMPS, "Lamps"),
        subreddit(CLUB, "LampClub", type="restricted"),
        subreddit(SECRET, "LampMakers", type="private"),
        subreddit(OLD, "BadLamps", is_banned=1),
        subreddit(LINKS, "LampNews", submission_type="link", flair_self_assign=0),
        subreddit(
            STRICT,
            "LampHelp",
            submission_type="self",
            flair_required=1,
            title_blacklist=json.dumps(["help me"]),
            body_blacklist=json.dumps(["coupon"]),
        ),
        flair(DISCUSSION, "Discussion", 1, css_class="talk", text_color="light", background_color="#dadada"),
        flair(NEWS, "Announcement", 2, mod_only=1),
        flair(ELSEWHERE, "Link", 1, LINKS),
        standing(LAMPS, link_karma=40, comment_karma=60, flair_text="night owl"),
        standing(LAMPS, CY, is_moderator=1),
        standing(LINKS, link_karma=40, comment_karma=60),
        standing(STRICT, link_karma=40, comment_karma=60),
        post(FIRST, "Which lamp for a desk?", text="It should **not** flicker.", ups=50, downs=5, flair_id=DISCUSSION),
        post(SECOND, "My own lamp", user=ME, text="Oak.", ups=3),
        post(LINK, "A test of ten lamps", kind="link", url="https://www.lamptests.example/ten", ups=12, downs=2),
        post(HIDDEN, "For makers only", subreddit=SECRET, text="lamp"),
        comment(TOP, "Mine hums.", ups=9, downs=1),
        comment(ANSWER, "So does mine, see [here](https://lamps.example/hum).", user=ME, parent_id=TOP),
        comment(LONELY, "first", user=GONE, ups=1, downs=2),
    ]


@pytest.fixture
def reddit(start: Callable[..., LocalApp]) -> LocalApp:
    return start("reddit", rows=rows(), me="me")


Refusal = Callable[..., tuple[Any, str, str | None]]


@pytest.fixture
def refusal(reddit: LocalApp) -> Refusal:
    """Make a call that must be refused and change nothing; return code, message and field."""

    def refuse(tool: str, **arguments: Any) -> tuple[Any, str, str | None]:
        with pytest.raises(VendorError) as refused:
            reddit.call(tool, **arguments)
        assert reddit.changes() == {}
        return refused.value.code, refused.value.message, getattr(refused.value, "field", None)

    return refuse
