"""Likes and favourites."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import CLIP, LAMP, ME, MINE, NOW_MS

Token = Callable[[str], str]


def counts(app: LocalApp, feed_id: str, token: str) -> dict[str, Any]:
    return dict(app.call("get_feed_detail", feed_id=feed_id, xsec_token=token)["data"]["note"]["interactInfo"])


@pytest.mark.fact("like")
def test_a_like_is_one_row_and_is_seen(rednote: LocalApp, token: Token) -> None:
    text = rednote.text("like_feed", feed_id=MINE, xsec_token=token(MINE))

    assert text == "点赞成功 - Feed ID: 64a1"
    assert {name: len(changes) for name, changes in rednote.changes().items()} == {"likes": 1}
    assert rednote.changes()["likes"][0]["new"] == {"note_id": MINE, "user_id": ME, "time": NOW_MS}
    assert counts(rednote, MINE, token(MINE))["liked"] is True
    assert counts(rednote, MINE, token(MINE))["likedCount"] == "2"


@pytest.mark.fact("like")
@pytest.mark.parametrize(
    ("tool", "flag", "feed_id", "text"),
    [
        ("like_feed", "unlike", CLIP, "取消点赞成功 - Feed ID: 64b2"),
        ("favorite_feed", "unfavorite", LAMP, "取消收藏成功 - Feed ID: 64b1"),
    ],
)
def test_taking_back_removes_the_row_once_and_is_silent_afterwards(
    rednote: LocalApp, token: Token, tool: str, flag: str, feed_id: str, text: str
) -> None:
    opened = {"feed_id": feed_id, "xsec_token": token(feed_id), flag: True}

    assert rednote.text(tool, **opened) == text
    assert rednote.text(tool, **opened) == text
    ((change,),) = rednote.changes().values()
    assert (change["op"], change["call"]) == ("delete", 3)  # after the two calls that found the token


@pytest.mark.fact("like")
@pytest.mark.parametrize(
    ("tool", "feed_id", "text"),
    [
        ("like_feed", CLIP, "点赞成功 - Feed ID: 64b2"),
        ("favorite_feed", LAMP, "收藏成功 - Feed ID: 64b1"),
    ],
)
def test_what_is_so_already_is_a_silent_success(
    rednote: LocalApp, token: Token, tool: str, feed_id: str, text: str
) -> None:
    assert rednote.text(tool, feed_id=feed_id, xsec_token=token(feed_id)) == text
    assert rednote.changes() == {}


@pytest.mark.fact("like")
def test_a_favourite_is_one_row_and_leads_my_favourites(rednote: LocalApp, token: Token) -> None:
    rednote.text("favorite_feed", feed_id=CLIP, xsec_token=token(CLIP))

    assert set(rednote.changes()) == {"favorites"}
    assert [feed["id"] for feed in rednote.call("get_my_profile", tab="fav")["feeds"]] == [CLIP, LAMP]


@pytest.mark.fact("like-missing")
@pytest.mark.parametrize("tool", ["like_feed", "favorite_feed"])
@pytest.mark.parametrize(("arguments", "name"), [(("", "ABx="), "feed_id"), ((MINE, ""), "xsec_token")])
def test_an_empty_argument_is_refused_as_an_operation(
    rednote: LocalApp, tool: str, arguments: tuple[str, str], name: str
) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call(tool, feed_id=arguments[0], xsec_token=arguments[1])

    assert refused.value.message == f"操作失败: 缺少{name}参数"


@pytest.mark.fact("like-missing")
@pytest.mark.parametrize(
    ("tool", "flag", "verb", "selector"),
    [
        ("like_feed", {}, "点赞", ".interact-container .left .like-lottie"),
        ("like_feed", {"unlike": True}, "取消点赞", ".interact-container .left .like-lottie"),
        ("favorite_feed", {}, "收藏", ".interact-container .left .reds-icon.collect-icon"),
        ("favorite_feed", {"unfavorite": True}, "取消收藏", ".interact-container .left .reds-icon.collect-icon"),
    ],
)
def test_a_note_that_does_not_open_has_no_button(
    rednote: LocalApp, tool: str, flag: dict[str, bool], verb: str, selector: str
) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call(tool, feed_id=MINE, xsec_token="ABx=", **flag)

    assert refused.value.message == f"{verb}失败: {verb}点击失败: 未找到交互元素 {selector}: context deadline exceeded"
    assert rednote.changes() == {}
