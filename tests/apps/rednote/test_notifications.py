"""The notification page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import ADA, ANSWERED, ASKED, BO, EVE, LATER, ME, MINE, NOW_MS, notification_row


@pytest.mark.fact("unread")
def test_counting_marks_nothing_and_listing_marks_its_tab(rednote: LocalApp) -> None:
    assert rednote.call("get_unread_count") == {"mentions": 2, "likes": 1, "connections": 0, "unread": 3}
    assert rednote.changes() == {}

    rednote.call("list_notifications", limit=1)

    assert rednote.call("get_unread_count") == {"mentions": 0, "likes": 1, "connections": 0, "unread": 1}
    assert {change["op"] for change in rednote.changes()["notifications"]} == {"update"}
    assert len(rednote.changes()["notifications"]) == 2


@pytest.mark.fact("notifications")
def test_mentions_stand_newest_first_with_comment_and_note(rednote: LocalApp) -> None:
    body = rednote.call("list_notifications")

    assert (body["tab"], body["filtered"]) == ("mentions", 0)
    first, second = body["items"]
    assert list(first) == [
        "id", "type", "title", "time", "from", "comment_id", "comment_text", "liked", "feed_id", "feed_xsec_token",
        "feed_title",
    ]  # fmt: skip
    assert (first["comment_id"], first["comment_text"], first["feed_id"]) == (LATER, "好看", MINE)
    assert (first["time"], first["from"]["user_id"]) == (NOW_MS // 1000 - 60, EVE)
    assert second["from"]["nickname"] == "波波"


@pytest.mark.fact("notifications")
def test_a_notification_opens_its_note(rednote: LocalApp) -> None:
    item = rednote.call("list_notifications")["items"][0]

    body = rednote.call("get_feed_detail", feed_id=item["feed_id"], xsec_token=item["feed_xsec_token"])

    assert body["data"]["note"]["title"] == item["feed_title"] == "我的书桌"


@pytest.mark.fact("notifications")
def test_empty_fields_are_left_out(rednote: LocalApp) -> None:
    (follow,) = rednote.call("list_notifications", tab=" Connections ")["items"]

    assert list(follow) == ["id", "type", "title", "time", "from", "liked"]
    assert follow["from"]["user_id"] == ADA


@pytest.mark.fact("notifications")
def test_vanished_entries_are_counted_and_do_not_use_up_the_limit(rednote: LocalApp) -> None:
    rednote.episode.db.update("comments", {"comment_id": LATER}, status="deleted")

    body = rednote.call("list_notifications", limit=1)

    assert body["filtered"] == 1
    assert [item["comment_id"] for item in body["items"]] == [ASKED]


@pytest.mark.fact("notifications")
@pytest.mark.parametrize(("limit", "shown"), [(0, 20), (-3, 20), (5, 5), (10**15, 32)])
def test_no_limit_is_twenty(rednote: LocalApp, limit: int, shown: int) -> None:
    for number in range(10, 40):
        row = notification_row(str(number), "mentions", BO, note_id=MINE)
        rednote.episode.db.insert(row.pop("table"), **row)

    assert len(rednote.call("list_notifications", limit=limit)["items"]) == shown


@pytest.mark.fact("notifications")
def test_an_unknown_tab_is_refused_and_marks_nothing(rednote: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("list_notifications", tab="all")

    assert refused.value.message == '获取通知列表失败: 未知的通知分区 "all"，可选：mentions / likes / connections'
    assert rednote.changes() == {}


@pytest.mark.fact("notification-reply")
def test_a_reply_from_the_page_sits_under_the_comment(rednote: LocalApp) -> None:
    body = rednote.call("reply_notification", comment_id=ASKED, content="Ember S2")

    assert body == {"comment_id": ASKED, "nickname": "波波", "feed_id": MINE, "content": "Ember S2"}
    (change,) = rednote.changes()["comments"]
    assert (change["new"]["root_id"], change["new"]["target_id"], change["new"]["user_id"]) == (ASKED, ASKED, ME)
    assert set(rednote.changes()) == {"comments"}


@pytest.mark.fact("notification-reply")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"comment_id": " ", "content": "x"}, "缺少 comment_id"),
        ({"comment_id": ASKED, "content": "\n "}, "回复内容不能为空"),
        ({"comment_id": "65ff", "content": "x"}, "未找到评论 65ff，它可能不在「评论和@」里或已被清理"),
        ({"comment_id": ANSWERED, "content": "x"}, "未找到评论 65a2，它可能不在「评论和@」里或已被清理"),
        ({"comment_id": ASKED, "content": "x" * 301}, "回复未确认成功：发送后输入框仍未收起（可能被限制或发送失败）"),
    ],
)
def test_a_reply_that_cannot_be_sent_is_refused(rednote: LocalApp, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("reply_notification", **arguments)

    assert refused.value.message == f"回复失败: {message}"
    assert rednote.changes() == {}


@pytest.mark.fact("notification-reply")
def test_a_deleted_comment_can_be_neither_answered_nor_liked(rednote: LocalApp) -> None:
    rednote.episode.db.update("comments", {"comment_id": ASKED}, status="deleted")

    with pytest.raises(VendorError) as refused:
        rednote.call("reply_notification", comment_id=ASKED, content="x")
    assert refused.value.message == "回复失败: 该评论已删除或不可见，不能回复: 65a1"
    with pytest.raises(VendorError) as refused:
        rednote.call("like_notification", comment_id=ASKED)
    assert refused.value.message == "点赞失败: 该评论已删除或不可见，不能回复: 65a1"


@pytest.mark.fact("notification-like")
def test_liking_tells_whether_it_was_so_already(rednote: LocalApp) -> None:
    def like(**more: bool) -> tuple[bool, bool]:
        body = rednote.call("like_notification", comment_id=ASKED, **more)
        assert list(body) == ["comment_id", "nickname", "liked", "skipped"]
        return body["liked"], body["skipped"]

    assert like(unlike=True) == (False, True)
    assert like() == (True, False)
    assert like() == (True, True)
    assert [change["new"]["user_id"] for change in rednote.changes()["comment_likes"]] == [ME]
    assert [item["liked"] for item in rednote.call("list_notifications")["items"]] == [False, True]
    assert like(unlike=True) == (False, False)
    assert "comment_likes" not in rednote.changes()


@pytest.mark.fact("notification-like")
@pytest.mark.parametrize(
    ("comment_id", "message"),
    [(" ", "缺少 comment_id"), ("65ff", "未找到评论 65ff，它可能不在「评论和@」里或已被清理")],
)
def test_an_unknown_comment_cannot_be_liked(rednote: LocalApp, comment_id: str, message: str) -> None:
    with pytest.raises(VendorError) as refused:
        rednote.call("like_notification", comment_id=comment_id)

    assert refused.value.message == f"点赞失败: {message}"


@pytest.mark.fact("notification-types")
def test_what_happened_has_the_types_and_words_of_the_site(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", world="harbor")

    expected = {
        (item["type"], item["title"])
        for tab in ("mentions", "likes", "connections")
        for item in app.call("list_notifications", tab=tab, limit=10_000)["items"]
    }

    assert expected == {
        ("comment/item", "评论了你的笔记"),
        ("comment/comment", "回复了你的评论"),
        ("mention/comment", "在评论中@了你"),
        ("mention/item", "在笔记中@了你"),
        ("liked/item", "赞了你的笔记"),
        ("liked/comment", "赞了你的评论"),
        ("faved/item", "收藏了你的笔记"),
        ("follow/you", "开始关注你了"),
    }
