"""One note: its page, its comments, and when it does not open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.rednote.conftest import (
    ANSWERED,
    ASKED,
    BO,
    CLIP,
    EVE,
    FRIENDS,
    GONE,
    LAMP,
    LATER,
    ME,
    MINE,
    PRIVATE,
    comment,
    notification_row,
    rows,
)

Token = Callable[[str], str]


@pytest.mark.fact("detail")
def test_a_note_shows_its_text_tags_and_counters(rednote: LocalApp, token: Token) -> None:
    body = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))
    note = body["data"]["note"]

    assert list(body["data"]) == ["note", "comments"]
    assert note["desc"] == "每天都在这里 <写字> #书桌[话题]# #台灯[话题]#"
    assert (note["xsecToken"], note["ipLocation"], note["imageList"]) == (token(MINE), "上海", [])
    assert (note["interactInfo"]["likedCount"], note["interactInfo"]["commentCount"]) == ("1", "3")
    assert "video" not in note


@pytest.mark.fact("detail")
def test_pictures_stand_in_order_and_only_live_ones_say_so(rednote: LocalApp, token: Token) -> None:
    first, second = rednote.call("get_feed_detail", feed_id=LAMP, xsec_token=token(LAMP))["data"]["note"]["imageList"]

    assert list(first) == ["width", "height", "urlDefault", "urlPre"]
    assert (first["width"], second["width"], second["livePhoto"]) == (3, 5, True)
    assert "1040ga" in first["urlDefault"]


@pytest.mark.fact("detail-video")
def test_a_video_note_carries_its_streams(rednote: LocalApp, token: Token) -> None:
    video = rednote.call("get_feed_detail", feed_id=CLIP, xsec_token=token(CLIP))["data"]["note"]["video"]

    assert list(video) == ["image", "capa", "media"]
    assert list(video["media"]["stream"]) == ["av1", "h264", "h265", "h266"]
    (stream,) = video["media"]["stream"]["h264"]
    assert (stream["width"], stream["height"], stream["duration"]) == (720, 1280, 37_000)
    # The stream's kind is a number that three places name.
    assert video["media"]["video"]["streamTypes"] == [stream["streamType"]]
    assert f"_{stream['streamType']}.mp4?" in stream["masterUrl"]


@pytest.mark.fact("comment-lists")
@pytest.mark.fact("comments")
def test_threads_stand_newest_first_with_their_first_reply(rednote: LocalApp, token: Token) -> None:
    listed = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))["data"]["comments"]
    later, asked = listed["list"]

    assert (later["id"], asked["id"], listed["hasMore"], listed["cursor"]) == (LATER, ASKED, False, "")
    assert (later["subCommentCount"], later["subComments"], later["showTags"]) == ("0", [], [])
    (answer,) = asked["subComments"]
    assert (asked["likeCount"], asked["subCommentCount"], answer["showTags"]) == ("2", "1", ["is_author"])
    assert (answer["subCommentCount"], answer["subComments"]) == ("", None)
    assert list(answer) == list(asked) == [
        "id", "noteId", "content", "likeCount", "createTime", "ipLocation", "liked", "userInfo", "subCommentCount",
        "subComments", "showTags",
    ]  # fmt: skip


def busy(start: Callable[..., LocalApp], threads: int, replies: int) -> tuple[LocalApp, dict[str, str]]:
    more = [
        comment(f"70{number:02}", LAMP, EVE, f"第{number}条", days=-0.5 - number / 100) for number in range(threads)
    ]
    more += [
        comment(f"71{number:02}", LAMP, BO, "回", days=-0.4 + number / 100, root_id="7000", target_id="7000")
        for number in range(replies)
    ]
    app = start("rednote", rows=[*rows(), *more], me="me")
    feed = next(feed for feed in app.call("list_feeds")["feeds"] if feed["id"] == LAMP)
    return app, {"feed_id": LAMP, "xsec_token": feed["xsecToken"]}


@pytest.mark.fact("comments")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, 10),
        ({"limit": 3}, 10),  # means nothing without load_all_comments
        ({"load_all_comments": True}, 20),
        ({"load_all_comments": True, "limit": 0}, 20),
        ({"load_all_comments": True, "limit": -4}, 20),
        ({"load_all_comments": True, "limit": 3}, 3),
        ({"load_all_comments": True, "limit": 9_000_000_000}, 25),
        ({"load_all_comments": True, "scroll_speed": "warp"}, 20),
    ],
)
def test_the_limit_counts_only_with_load_all_comments(
    start: Callable[..., LocalApp], arguments: dict[str, Any], shown: int
) -> None:
    app, opened = busy(start, threads=25, replies=0)

    listed = app.call("get_feed_detail", **opened, **arguments)["data"]["comments"]

    assert len(listed["list"]) == shown
    assert listed["hasMore"] == (shown < 25)
    assert listed["cursor"] == (listed["list"][-1]["id"] if shown < 25 else "")


@pytest.mark.fact("comments")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"click_more_replies": True}, 1),
        ({"load_all_comments": True}, 1),
        ({"load_all_comments": True, "click_more_replies": True}, 1),  # twelve are more than the usual ten
        ({"load_all_comments": True, "click_more_replies": True, "reply_limit": 11}, 1),
        ({"load_all_comments": True, "click_more_replies": True, "reply_limit": 12}, 12),
    ],
)
def test_threads_unfold_up_to_the_reply_limit(
    start: Callable[..., LocalApp], arguments: dict[str, Any], shown: int
) -> None:
    app, opened = busy(start, threads=2, replies=12)

    first = app.call("get_feed_detail", **opened, **arguments)["data"]["comments"]["list"][0]

    assert (first["id"], first["subCommentCount"], len(first["subComments"])) == ("7000", "12", shown)
    assert first["subComments"][0]["id"] == "7100"


@pytest.mark.fact("comments")
def test_deleted_comments_are_gone_and_not_counted(rednote: LocalApp, token: Token) -> None:
    rednote.episode.db.update("comments", {"comment_id": LATER}, status="deleted")

    data = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE))["data"]

    assert [each["id"] for each in data["comments"]["list"]] == [ASKED]
    assert data["note"]["interactInfo"]["commentCount"] == "2"


@pytest.mark.fact("comment-count")
@pytest.mark.parametrize("gone", [None, ASKED, ANSWERED])
def test_as_many_comments_are_counted_as_can_be_read(rednote: LocalApp, token: Token, gone: str | None) -> None:
    rednote.episode.db.update("comments", {"comment_id": gone}, status="deleted")
    everything = {"load_all_comments": True, "limit": 100, "click_more_replies": True, "reply_limit": 100}

    data = rednote.call("get_feed_detail", feed_id=MINE, xsec_token=token(MINE), **everything)["data"]
    found = rednote.call("search_feeds", keyword="书桌")["feeds"][0]["noteCard"]["interactInfo"]

    read = sum(1 + len(each["subComments"]) for each in data["comments"]["list"])
    assert data["note"]["interactInfo"]["commentCount"] == found["commentCount"] == str(read)


@pytest.mark.fact("comment-count")
def test_every_note_of_the_world_shows_as_many_comments_as_it_has(start: Callable[..., LocalApp]) -> None:
    app = start("rednote", world="harbor")
    feeds = [*app.call("list_feeds")["feeds"], *app.call("get_my_profile")["feeds"]]
    everything = {"load_all_comments": True, "limit": 10_000, "click_more_replies": True, "reply_limit": 10_000}

    for feed in feeds:
        data = app.call("get_feed_detail", feed_id=feed["id"], xsec_token=feed["xsecToken"], **everything)["data"]
        listed = data["comments"]["list"]
        assert data["comments"]["hasMore"] is False
        assert data["note"]["interactInfo"]["commentCount"] == str(sum(1 + len(each["subComments"]) for each in listed))
        assert all(each["subCommentCount"] == str(len(each["subComments"])) for each in listed)


@pytest.mark.fact("detail-shares")
def test_a_notes_page_tells_no_shares_and_a_search_does(rednote: LocalApp, token: Token) -> None:
    note = rednote.call("get_feed_detail", feed_id=LAMP, xsec_token=token(LAMP))["data"]["note"]
    found = rednote.call("search_feeds", keyword="护眼台灯")["feeds"][0]["noteCard"]

    assert (note["interactInfo"]["sharedCount"], found["interactInfo"]["sharedCount"]) == ("", "7")


@pytest.mark.fact("no-access")
@pytest.mark.parametrize(
    ("feed_id", "xsec_token", "message"),
    [
        ("", "ABx=", "缺少feed_id参数"),
        (MINE, "", "缺少xsec_token参数"),
        ("64ff", "ABx=", "笔记不可访问: 当前笔记暂时无法浏览"),
        (MINE, "ABx=", "笔记不可访问: 当前笔记暂时无法浏览"),
    ],
)
def test_a_note_does_not_open_without_id_and_token(
    rednote: LocalApp, feed_id: str, xsec_token: str, message: str
) -> None:
    for tool, verb, more in (
        ("get_feed_detail", "获取Feed详情", {}),
        ("post_comment_to_feed", "发表评论", {"content": "x"}),
        ("reply_comment_in_feed", "回复评论", {"content": "x", "comment_id": ASKED}),
    ):
        with pytest.raises(VendorError) as refused:
            rednote.call(tool, feed_id=feed_id, xsec_token=xsec_token, **more)
        assert refused.value.message == f"{verb}失败: {message}"


@pytest.mark.fact("tokens")
def test_the_token_of_another_note_or_viewer_opens_nothing(
    rednote: LocalApp, token: Token, start: Callable[..., LocalApp]
) -> None:
    for row in (as_bo := rows()):
        if row["table"] == "users":
            row["person"] = "me" if row["user_id"] == BO else None
        if row["table"] == "sessions":
            row["user_id"] = BO
    bos = start("rednote", rows=as_bo, me="me").call("list_feeds")["feeds"]
    foreign = next(feed["xsecToken"] for feed in bos if feed["id"] == CLIP)

    assert foreign != token(CLIP)
    for wrong in (foreign, token(LAMP)):
        with pytest.raises(VendorError) as refused:
            rednote.call("get_feed_detail", feed_id=CLIP, xsec_token=wrong)
        assert refused.value.code == "note_inaccessible"


def mentioned(app: LocalApp, note_id: str) -> dict[str, str]:
    """Return id and token of a note as a notification about it gives them; the note may be anyone's."""
    row = notification_row("9", "mentions", EVE, note_id=note_id)
    app.episode.db.insert(row.pop("table"), **row)
    items = app.call("list_notifications")["items"]
    item = next(item for item in items if item.get("feed_id") == note_id)
    return {"feed_id": note_id, "xsec_token": item["feed_xsec_token"]}


@pytest.mark.fact("no-access")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"status": "deleted"}, "该笔记已被删除"),
        ({"status": "illegal"}, "该内容因违规已被删除"),
        ({"visibility": "仅自己可见"}, "仅作者可见"),
        ({"visibility": "仅互关好友可见"}, "因用户设置，你无法查看"),
        ({"time": 1773018000000 + 3_600_000}, "当前笔记暂时无法浏览"),
    ],
)
def test_a_note_that_vanished_after_its_token_was_issued_says_why(
    rednote: LocalApp, token: Token, change: dict[str, Any], reason: str
) -> None:
    opened = {"feed_id": LAMP, "xsec_token": token(LAMP)}
    rednote.episode.db.update("notes", {"note_id": LAMP}, **change)

    with pytest.raises(VendorError) as refused:
        rednote.call("get_feed_detail", **opened)

    assert refused.value.message == f"获取Feed详情失败: 笔记不可访问: {reason}"


@pytest.mark.fact("visibility")
def test_a_friends_note_opens_for_friends(rednote: LocalApp) -> None:
    opened = mentioned(rednote, FRIENDS)

    assert rednote.call("get_feed_detail", **opened)["data"]["note"]["title"] == "给朋友的照片"

    rednote.episode.db.delete("follows", user_id=ME)
    with pytest.raises(VendorError) as refused:
        rednote.call("get_feed_detail", **opened)
    assert refused.value.details == {"reason": "因用户设置，你无法查看"}


@pytest.mark.fact("visibility")
def test_a_private_note_opens_for_its_author(rednote: LocalApp, token: Token) -> None:
    body = rednote.call("get_feed_detail", feed_id=PRIVATE, xsec_token=token(PRIVATE))

    assert body["data"]["note"]["title"] == "没写完的信"
    assert GONE not in {feed["id"] for feed in rednote.call("list_feeds")["feeds"]}
