"""A small piece of the site: me, Bo whom I follow, Ada who is a friend, and Eve; now is Monday 9 March, 09:00."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

NOW_MS = 1773018000000
HOUR_MS = 3600 * 1000
DAY_MS = 24 * HOUR_MS

ME, BO, ADA, EVE = "5f0c000000000001", "5f0c000000000002", "5f0c000000000003", "5f0c000000000004"
MINE, PRIVATE, LAMP, CLIP, FRIENDS, GONE = "64a1", "64a2", "64b1", "64b2", "64c1", "64d1"
ASKED, ANSWERED, LATER = "65a1", "65a2", "65a3"


def user(user_id: str, nickname: str, **more: Any) -> dict[str, Any]:
    return {"table": "users", "user_id": user_id, "red_id": f"9{user_id[-1]}", "nickname": nickname, **more}


def note(note_id: str, user_id: str, title: str, *, days: float = -1, **more: Any) -> dict[str, Any]:
    return {
        "table": "notes",
        "note_id": note_id,
        "user_id": user_id,
        "type": "normal",
        "title": title,
        "body": "",
        "time": NOW_MS + int(days * DAY_MS),
        **more,
    }


def comment(
    comment_id: str, note_id: str, user_id: str, content: str, *, days: float = -1, **more: Any
) -> dict[str, Any]:
    time = NOW_MS + int(days * DAY_MS)
    row = {"comment_id": comment_id, "note_id": note_id, "user_id": user_id, "content": content, "time": time}
    return {"table": "comments", **row, **more}


def notification_row(id_: str, tab: str, by: str, **more: Any) -> dict[str, Any]:
    time = NOW_MS // 1000 - 60 * int(id_)
    kind = {"mentions": "comment/item", "likes": "liked/item", "connections": "follow/you"}[tab]
    row = {"id": id_, "user_id": ME, "tab": tab, "type": kind, "title": "…", "from_id": by, "time": time, "unread": 1}
    return {"table": "notifications", **row, **more}


def link(table: str, note_id: str, user_id: str, days: float = -1) -> dict[str, Any]:
    return {"table": table, "note_id": note_id, "user_id": user_id, "time": NOW_MS + int(days * DAY_MS)}


def follow(user_id: str, target_id: str) -> dict[str, Any]:
    return {"table": "follows", "user_id": user_id, "target_id": target_id, "time": NOW_MS - DAY_MS}


def media(path: str, kind: str = "image", **more: Any) -> dict[str, Any]:
    return {"table": "media", "user_id": ME, "path": path, "kind": kind, "width": 1080, "height": 1440, **more}


def rows() -> list[dict[str, Any]]:
    return [
        user(ME, "晚灯", person="me", gender=1, ip_location="上海", bio="台灯和山", follows_base=8, fans_base=19_998),
        user(BO, "波波", ip_location="上海", favorites_public=1),
        user(ADA, "艾达", ip_location="新加坡"),
        user(EVE, "伊芙", ip_location="北京"),
        {"table": "sessions", "user_id": ME, "cookies_path": "/home/wan/cookies.json"},
        follow(ME, BO),
        follow(ME, ADA),
        follow(ADA, ME),
        note(MINE, ME, "我的书桌", days=-3, body="每天都在这里 <写字>", tags='["书桌","台灯"]', ip_location="上海"),
        note(PRIVATE, ME, "没写完的信", days=-2, visibility="仅自己可见"),
        note(LAMP, BO, "护眼台灯测评", days=-1, liked_base=12_345, shared_count=7, ip_location="上海"),
        note(CLIP, EVE, "莫干山徒步", days=-10, type="video", body="一盏台灯也没有", ip_location="北京"),
        note(FRIENDS, ADA, "给朋友的照片", days=-0.5, visibility="仅互关好友可见"),
        note(GONE, EVE, "删掉的笔记", days=-5, status="deleted"),
        {"table": "note_images", "note_id": LAMP, "position": 0, "file_id": "1040ga", "width": 3, "height": 4},
        {"table": "note_images", "note_id": LAMP, "position": 1, "file_id": "1040gb", "width": 5, "height": 6,
         "live_photo": 1},
        {"table": "note_images", "note_id": CLIP, "position": 0, "file_id": "1040gc", "width": 7, "height": 8},
        {"table": "videos", "note_id": CLIP, "duration": 37, "width": 720, "height": 1280},
        link("likes", MINE, BO),
        link("likes", CLIP, ME, days=-4),
        link("favorites", LAMP, ME),
        link("favorites", CLIP, BO),
        comment(ASKED, MINE, BO, "灯是哪款？", days=-2.5, liked_base=2),
        comment(ANSWERED, MINE, ME, "Ember", days=-2.4, root_id=ASKED, target_id=ASKED),
        comment(LATER, MINE, EVE, "好看", days=-1),
        notification_row("1", "mentions", EVE, note_id=MINE, comment_id=LATER, title="评论了你的笔记"),
        notification_row("2", "mentions", BO, note_id=MINE, comment_id=ASKED, title="评论了你的笔记"),
        notification_row("3", "likes", BO, note_id=MINE, type="liked/item", title="赞了你的笔记"),
        notification_row("4", "connections", ADA, type="follow/you", title="开始关注你了", unread=0),
        media("/home/wan/desk.jpg"),
        media("/home/wan/hike.mp4", "video", duration=42),
        media("https://img.example/lamp.png"),
    ]  # fmt: skip


@pytest.fixture
def rednote(start: Callable[..., LocalApp]) -> LocalApp:
    return start("rednote", rows=rows(), me="me")


@pytest.fixture
def token(rednote: LocalApp) -> Callable[[str], str]:
    """Return what a listing gives out for a note: looked up in the home feed and on my profile."""

    def find(note_id: str) -> str:
        feeds = [*rednote.call("list_feeds")["feeds"], *rednote.call("get_my_profile")["feeds"]]
        return next(str(feed["xsecToken"]) for feed in feeds if feed["id"] == note_id)

    return find
