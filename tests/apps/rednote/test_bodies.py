"""What the tools answer, beside bodies of the real service (``tests.apps.real_bodies`` says how).

A tool that answers with a sentence stands beside the server's format, whose ``%s`` takes any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.testing import LocalApp
from tests.apps.real_bodies import RealBodies
from tests.apps.rednote.conftest import ASKED, BO, CLIP, LAMP, MINE, NOW_MS

BODIES = RealBodies(
    Path(__file__).parent / "bodies",
    {
        "id": r"[0-9a-f]{24}",
        "token": r"AB[\w-]{42,47}=",
        "count": r"\d+|\d+(\.\d)?万\+?",
        "avatar": r"https://sns-avatar-qc\.xhscdn\.com/avatar/[0-9a-f]{24}\.jpg",
        "picture": r"http://sns-webpic-qc\.xhscdn\.com/20\d{10}/[0-9a-f]{32}/\w+!nc_n_webp_prv_1",
    },
)
Token = Callable[[str], str]


def _pictured(rednote: LocalApp) -> None:
    rednote.episode.db.insert("note_images", note_id=MINE, position=0, file_id="1040gd", width=3, height=4)


def _detail(rednote: LocalApp, token: Token, note_id: str) -> Any:
    if note_id == MINE:
        _pictured(rednote)
    return rednote.call("get_feed_detail", feed_id=note_id, xsec_token=token(note_id), load_all_comments=True)


def _on(tool: str, note_id: str, **more: str) -> Callable[[LocalApp, Token], Any]:
    return lambda rednote, token: rednote.call(tool, feed_id=note_id, xsec_token=token(note_id), **more)


def _calling(tool: str, **arguments: Any) -> Callable[[LocalApp, Token], Any]:
    return lambda rednote, _: rednote.call(tool, **arguments)


def recorded_feeds(rednote: LocalApp, _: Token) -> Any:
    """Return the home feed with one note, whose ids are as long as the site's; the fixture's are short."""
    db, user, note = rednote.episode.db, "611cd6da0000000001006a89", "69a46708000000002602df46"
    db.execute("UPDATE notes SET status = 'deleted'")
    db.insert("users", user_id=user, red_id="95", nickname="小赵")
    db.insert("notes", note_id=note, user_id=user, type="normal", title="灯", body="", time=NOW_MS - 1, liked_base=52)
    db.insert("note_images", note_id=note, position=0, file_id="1040ga", width=3, height=4)
    return rednote.call("list_feeds")


def video(rednote: LocalApp, token: Token) -> Any:
    """Return a video note with a comment and its answer."""
    rednote.episode.db.execute("UPDATE comments SET note_id = ?", CLIP)
    return _detail(rednote, token, CLIP)


def my_profile(rednote: LocalApp, _: Token) -> Any:
    _pictured(rednote)
    return rednote.call("get_my_profile")


CALLS: dict[str, Callable[[LocalApp, Token], Any]] = {
    "check_login_status": _calling("check_login_status"),
    "get_login_qrcode": _calling("get_login_qrcode"),
    "delete_cookies": _calling("delete_cookies"),
    "list_feeds": recorded_feeds,
    "list_feeds.documented": _calling("list_feeds"),
    "search_feeds": _calling("search_feeds", keyword="台灯"),
    "get_feed_detail": lambda rednote, token: _detail(rednote, token, MINE),
    "get_feed_detail.video": video,
    "user_profile": lambda rednote, token: rednote.call("user_profile", user_id=BO, xsec_token=token(LAMP)),
    "get_my_profile": my_profile,
    "get_unread_count": _calling("get_unread_count"),
    "list_notifications": _calling("list_notifications"),
    "reply_notification": _calling("reply_notification", comment_id=ASKED, content="谢谢"),
    "like_notification": _calling("like_notification", comment_id=ASKED),
    "post_comment_to_feed": _on("post_comment_to_feed", LAMP, content="好"),
    "reply_comment_in_feed": _on("reply_comment_in_feed", MINE, comment_id=ASKED, user_id=BO, content="好"),
    "like_feed": _on("like_feed", LAMP),
    "favorite_feed": _on("favorite_feed", MINE),
    "publish_content": _calling("publish_content", title="灯", content="亮", images=["/home/wan/desk.jpg"]),
    "publish_with_video": _calling("publish_with_video", title="山", content="走", video="/home/wan/hike.mp4"),
}


@pytest.mark.fact("bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(
    rednote: LocalApp, token: Token, name: str
) -> None:
    sample = BODIES.load(name)

    ours = CALLS[name](rednote, token)

    if isinstance(sample["body"], str):
        assert re.fullmatch(re.escape(sample["body"]).replace("%s", "(?s:.+)"), ours)
    else:
        assert BODIES.differences(sample, ours) == set(sample["differences"])


@pytest.mark.fact("bodies")
def test_every_tool_stands_beside_a_real_body() -> None:
    assert set(CALLS) == set(BODIES.names())
    assert {BODIES.load(name)["tool"] for name in CALLS} == {tool.name for tool in load_app("rednote").app.tools}
