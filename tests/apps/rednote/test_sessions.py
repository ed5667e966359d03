"""The login, and what every tool does without it."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import CLIP, LAMP, MINE, rows


@pytest.mark.fact("login")
def test_the_signed_in_account_is_named(rednote: LocalApp) -> None:
    assert rednote.text("check_login_status") == "✅ 已登录\n用户名: 晚灯\n\n你可以使用其他功能了。"


@pytest.mark.fact("login")
def test_nobody_signed_in_is_told_without_an_error(rednote: LocalApp) -> None:
    rednote.text("delete_cookies")

    assert rednote.result("check_login_status") == {
        "content": [{"type": "text", "text": "❌ 未登录\n\n请使用 get_login_qrcode 工具获取二维码进行登录。"}]
    }


@pytest.mark.fact("logout")
def test_deleting_cookies_names_the_file_and_succeeds_a_second_time(rednote: LocalApp) -> None:
    told = "Cookies 已成功删除，登录状态已重置。\n\n删除的文件路径: {}\n\n下次操作时，需要重新登录。"

    assert rednote.text("delete_cookies") == told.format("/home/wan/cookies.json")
    assert rednote.text("delete_cookies") == told.format("cookies.json")
    assert [(change["op"], change["call"]) for change in rednote.changes()["sessions"]] == [("delete", 1)]


@pytest.mark.fact("qrcode")
def test_a_signed_in_account_gets_no_code(rednote: LocalApp) -> None:
    assert rednote.text("get_login_qrcode") == "你当前已处于登录状态"


@pytest.mark.fact("qrcode")
def test_a_signed_out_account_gets_a_text_and_a_png_and_stays_signed_out(rednote: LocalApp) -> None:
    rednote.text("delete_cookies")

    text, image = rednote.result("get_login_qrcode")["content"]

    assert text["text"] == "请用小红书 App 在 2026-03-09 09:04:00 前扫码登录 👇"
    assert (image["type"], image["mimeType"]) == ("image", "image/png")
    picture = base64.b64decode(image["data"])
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (148, 148)
    assert rednote.text("check_login_status").startswith("❌")


PUBLISH = {"title": "t", "content": "c"}
NO_PAGE = "发布失败: 导航到发布页面失败: context deadline exceeded"
NO_TAB = "页面状态里没有分区 mentions，可能未登录或页面结构已变化"
OUT = [
    ("search_feeds", {"keyword": "台灯"}, "搜索Feeds失败: 没有捕获到 feeds 数据"),
    ("publish_content", {**PUBLISH, "images": ["/home/wan/desk.jpg"]}, NO_PAGE),
    ("publish_with_video", {**PUBLISH, "video": "/home/wan/hike.mp4"}, NO_PAGE),
    (
        "get_my_profile",
        {},
        "工具 get_my_profile 执行时发生内部错误: context deadline exceeded\n\n请查看服务端日志获取详细信息。",
    ),
    ("get_unread_count", {}, "获取未读数失败: 页面状态里没有未读数，可能未登录或页面结构已变化"),
    ("list_notifications", {}, f"获取通知列表失败: {NO_TAB}"),
    ("reply_notification", {"comment_id": "65a1", "content": "x"}, f"回复失败: {NO_TAB}"),
    ("like_notification", {"comment_id": "65a1"}, f"点赞失败: {NO_TAB}"),
]  # fmt: skip


@pytest.mark.fact("signed-out")
@pytest.mark.parametrize(("tool", "arguments", "message"), OUT)
def test_signed_out_a_tool_refuses_in_its_own_way(
    rednote: LocalApp, tool: str, arguments: dict[str, Any], message: str
) -> None:
    rednote.text("delete_cookies")

    assert rednote.result(tool, **arguments) == {"content": [{"type": "text", "text": message}], "isError": True}


@pytest.mark.fact("signed-out")
def test_a_visitor_reads_notes_but_not_their_comments_and_cannot_act(rednote: LocalApp) -> None:
    rednote.text("delete_cookies")
    feed = next(each for each in rednote.call("list_feeds")["feeds"] if each["id"] == MINE)
    opened = {"feed_id": MINE, "xsec_token": feed["xsecToken"]}

    assert rednote.call("get_feed_detail", **opened)["data"]["comments"] == {"list": [], "cursor": "", "hasMore": False}
    for tool, more, code in (
        ("like_feed", {}, "state_unchanged"),
        ("favorite_feed", {}, "state_unchanged"),
        ("post_comment_to_feed", {"content": "x"}, "comment_box_missing"),
        ("reply_comment_in_feed", {"content": "x", "comment_id": "65a1"}, "comment_not_found"),
        ("user_profile", {"user_id": "5f0c000000000001"}, "profile_missing"),
    ):
        arguments = {**opened, **more} if tool != "user_profile" else {"xsec_token": feed["xsecToken"], **more}
        with pytest.raises(VendorError) as refused:
            rednote.call(tool, **arguments)
        assert refused.value.code == code
    assert set(rednote.changes()) == {"sessions"}


@pytest.mark.fact("signed-out")
def test_an_account_without_a_cookie_file_is_a_visitor(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", rows=[row for row in rows() if row["table"] != "sessions"], me="me")

    assert app.text("check_login_status").startswith("❌")
    assert [feed["id"] for feed in app.call("list_feeds")["feeds"]] == [LAMP, MINE, CLIP]


@pytest.mark.fact("go-json")
def test_bodies_are_printed_as_go_prints_them(rednote: LocalApp, token: Callable[[str], str]) -> None:
    text = rednote.text("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))

    assert text.startswith('{\n  "feed_id": "64a1",\n  "data": {\n    "note": {\n      "noteId": "64a1",\n')
    assert "\\u003c写字\\u003e" in text
    assert json.loads(text)["feed_id"] == MINE


@pytest.mark.fact("signed-out")
@pytest.mark.parametrize(("tool", "flag"), [("like_feed", "unlike"), ("favorite_feed", "unfavorite")])
def test_a_visitor_may_take_back_what_they_never_gave(rednote: LocalApp, tool: str, flag: str) -> None:
    rednote.text("delete_cookies")
    feed = next(each for each in rednote.call("list_feeds")["feeds"] if each["id"] == MINE)

    done = rednote.result(tool, feed_id=MINE, xsec_token=feed["xsecToken"], **{flag: True})

    assert "isError" not in done
    assert set(rednote.changes()) == {"sessions"}
