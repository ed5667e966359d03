"""Writing comments and replies."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import ANSWERED, ASKED, BO, EVE, LAMP, LATER, ME, MINE, NOW_MS, comment, rows

Token = Callable[[str], str]


def written(app: LocalApp) -> dict[str, Any]:
    (change,) = app.changes()["comments"]
    assert change["op"] == "insert"
    return dict(change["new"])


@pytest.mark.fact("comment")
def test_a_comment_is_stored_and_stands_first(rednote: LocalApp, token: Token) -> None:
    text = rednote.text("post_comment_to_feed", feed_id=LAMP, xsec_token=token(LAMP), content="想要 😍")

    assert text == "评论发表成功 - Feed ID: 64b1"
    row = written(rednote)
    assert (row["user_id"], row["content"], row["root_id"], row["time"]) == (ME, "想要 😍", None, NOW_MS)
    assert re.fullmatch(f"{NOW_MS // 1000:08x}" + "0{8}[0-9a-f]{8}", row["comment_id"])
    assert row["ip_location"] == "上海"
    data = rednote.call("get_feed_detail", feed_id=LAMP, xsec_token=token(LAMP))["data"]
    assert data["comments"]["list"][0]["content"] == "想要 😍"
    assert data["note"]["interactInfo"]["commentCount"] == "1"


@pytest.mark.fact("own-actions")
def test_what_i_do_notifies_nobody(rednote: LocalApp, token: Token) -> None:
    for feed_id in (LAMP, MINE):
        opened = {"feed_id": feed_id, "xsec_token": token(feed_id)}
        rednote.text("post_comment_to_feed", **opened, content="x")
        rednote.text("like_feed", **opened)
        rednote.text("favorite_feed", **opened)

    assert "notifications" not in rednote.changes()


@pytest.mark.fact("comment")
def test_empty_content_is_a_missing_argument(rednote: LocalApp, token: Token) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("post_comment_to_feed", feed_id=LAMP, xsec_token=token(LAMP), content="")

    assert refused.value.message == "发表评论失败: 缺少content参数"


@pytest.mark.fact("comment")
@pytest.mark.parametrize("content", [" \n", "长" * 301, "😍" * 151])
def test_a_comment_the_page_does_not_send_is_not_confirmed(rednote: LocalApp, token: Token, content: str) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("post_comment_to_feed", feed_id=LAMP, xsec_token=token(LAMP), content=content)

    assert refused.value.message == (
        "发表评论失败: 评论未确认成功：提交后未在评论区出现（可能账号被限制或发送失败），feed: 64b1"
    )
    assert rednote.changes() == {}


@pytest.mark.fact("comment")
def test_three_hundred_characters_are_sent(rednote: LocalApp, token: Token) -> None:
    rednote.text("post_comment_to_feed", feed_id=LAMP, xsec_token=token(LAMP), content="长" * 300)

    assert len(written(rednote)["content"]) == 300


@pytest.mark.fact("reply")
def test_a_reply_to_a_comment_sits_in_its_thread(rednote: LocalApp, token: Token) -> None:
    text = rednote.text(
        "reply_comment_in_feed", feed_id=MINE, xsec_token=token(MINE), comment_id=ASKED, content="Ember S2"
    )

    assert text == "评论回复成功 - Feed ID: 64a1, Comment ID: 65a1, User ID: "
    assert (written(rednote)["root_id"], written(rednote)["target_id"]) == (ASKED, ASKED)


@pytest.mark.fact("reply")
def test_a_reply_to_a_reply_sits_in_the_same_thread(rednote: LocalApp, token: Token) -> None:
    rednote.text("reply_comment_in_feed", feed_id=MINE, xsec_token=token(MINE), comment_id=ANSWERED, content="补充一下")

    assert (written(rednote)["root_id"], written(rednote)["target_id"]) == (ASKED, ANSWERED)


@pytest.mark.fact("reply")
@pytest.mark.parametrize(
    ("comment_id", "user_id", "target"),
    [("", BO, ASKED), (LATER, BO, LATER), ("65ff", BO, ASKED), ("", ME, ANSWERED), ("", EVE, LATER)],
)
def test_the_comment_wins_over_the_user(
    rednote: LocalApp, token: Token, comment_id: str, user_id: str, target: str
) -> None:
    text = rednote.text(
        "reply_comment_in_feed",
        feed_id=MINE,
        xsec_token=token(MINE),
        comment_id=comment_id,
        user_id=user_id,
        content="好",
    )

    assert text == f"评论回复成功 - Feed ID: 64a1, Comment ID: {comment_id}, User ID: {user_id}"
    assert written(rednote)["target_id"] == target


@pytest.mark.fact("reply")
def test_the_first_comment_of_a_user_is_the_first_on_the_page(start: Callable[..., LocalApp]) -> None:
    newer = comment("65b1", MINE, BO, "还有货吗", days=-0.5)
    app = start("rednote", rows=[*rows(), newer], me="me")
    mine = next(feed for feed in app.call("get_my_profile")["feeds"] if feed["id"] == MINE)

    app.text("reply_comment_in_feed", feed_id=MINE, xsec_token=mine["xsecToken"], user_id=BO, content="有")

    assert written(app)["target_id"] == "65b1"


@pytest.mark.fact("reply")
def test_a_reply_without_a_target_is_refused_before_anything_else(rednote: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("reply_comment_in_feed", feed_id="", xsec_token="", content="")

    assert refused.value.message == "缺少 comment_id 或 user_id"


@pytest.mark.fact("reply")
@pytest.mark.parametrize(("comment_id", "user_id"), [("65ff", ""), ("", "5f0cff"), ("65ff", "5f0cff")])
def test_a_target_that_is_not_under_the_note_is_not_found(
    rednote: LocalApp, token: Token, comment_id: str, user_id: str
) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call(
            "reply_comment_in_feed",
            feed_id=MINE,
            xsec_token=token(MINE),
            comment_id=comment_id,
            user_id=user_id,
            content="好",
        )

    assert refused.value.message == (
        f"回复评论失败: 无法找到评论: 未找到评论 (commentID: {comment_id}, userID: {user_id})"
    )
    assert rednote.changes() == {}


@pytest.mark.fact("reply")
def test_a_comment_of_another_note_or_a_deleted_one_is_no_target(rednote: LocalApp, token: Token) -> None:
    rednote.episode.db.update("comments", {"comment_id": ASKED}, status="deleted")

    for feed_id, comment_id in ((LAMP, LATER), (MINE, ASKED), (MINE, ANSWERED)):
        with pytest.raises(VendorError) as refused:
            rednote.call(
                "reply_comment_in_feed",
                feed_id=feed_id,
                xsec_token=token(feed_id),
                comment_id=comment_id,
                content="好",
            )
        assert refused.value.code == "comment_not_found"


@pytest.mark.fact("reply")
def test_a_blank_reply_is_not_confirmed(rednote: LocalApp, token: Token) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("reply_comment_in_feed", feed_id=MINE, xsec_token=token(MINE), comment_id=ASKED, content="  ")

    assert refused.value.message == ("回复评论失败: 回复未确认成功：提交后未在评论区出现（可能账号被限制或发送失败）")
