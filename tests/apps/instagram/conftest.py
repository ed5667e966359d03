"""A lamp maker's account with four posts, a story, three people who write, and some files of the web."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

NOW_MS = 1_773_018_000_000  # 2026-03-09T01:00:00Z
HOUR_MS = 3_600_000
ACCOUNT, OTHER = "17841400000000001", "17841400000000002"
BO, CY, DI, NEW = "90870000000000001", "90870000000000002", "90870000000000003", "90870000000000004"
PHOTO, ALBUM, REEL, STORY, THEIRS = (f"1790000000000000{number}" for number in range(1, 6))
QUESTION, ANSWER, PRAISE, ELSEWHERE = (f"1785000000000000{number}" for number in range(1, 5))
WITH_BO, WITH_CY, NOT_MINE = "aWdfZAG06Bo", "aWdfZAG06Cy", "aWdfZAG06Not"
SITE = "https://files.example"


def rows() -> list[dict[str, Any]]:
    def user(user_id: str, username: str, person: str | None = None) -> dict[str, Any]:
        return {"table": "users", "user_id": user_id, "username": username, "name": username, "person": person}

    def post(media_id: str, hours: int, **more: Any) -> dict[str, Any]:
        kind = {"media_type": "IMAGE", "shortcode": f"D{media_id[-10:]}", "created_ms": NOW_MS - hours * HOUR_MS}
        address = f"https://scontent.cdninstagram.com/v/t51.2885-15/{media_id}.jpg"
        return {"table": "media", "media_id": media_id, "ig_user_id": ACCOUNT, "media_url": address, **kind, **more}

    def comment(comment_id: str, user_id: str, text: str, hours: int, **more: Any) -> dict[str, Any]:
        said = {"comment_id": comment_id, "media_id": PHOTO, "user_id": user_id, "text": text}
        return {"table": "comments", **said, "created_ms": NOW_MS - hours * HOUR_MS, **more}

    def talk(conversation_id: str, user_id: str, owner: str = ACCOUNT) -> dict[str, Any]:
        two = {"conversation_id": conversation_id, "ig_user_id": owner, "user_id": user_id}
        return {"table": "conversations", **two}

    def message(message_id: str, conversation_id: str, from_id: str, text: str, hours: int) -> dict[str, Any]:
        said = {"message_id": message_id, "conversation_id": conversation_id, "from_id": from_id, "text": text}
        return {"table": "messages", **said, "created_ms": NOW_MS - hours * HOUR_MS}

    def file(name: str, form: str = "jpeg", width: int = 1080, height: int = 1350, **more: Any) -> dict[str, Any]:
        size = {"width": width, "height": height, "size_bytes": 400_000, **more}
        return {"table": "files", "url": f"{SITE}/{name}", "format": form, **size}

    def figure(metric: str, period: str, date: str, value: int) -> dict[str, Any]:
        key = {"ig_user_id": ACCOUNT, "metric": metric, "period": period, "date": date}
        return {"table": "account_insights", **key, "value": value}

    kept = {"reach": 120, "views": 300, "saved": 4, "shares": 2, "follows": 1, "profile_visits": 5}
    return [
        user("90870000000000009", "me.private", "me"),
        user(ACCOUNT, "lamp_co"),
        user(OTHER, "chair_co"),
        user(BO, "bo.reads", "bo"),
        user(CY, "cy_at_night"),
        user(DI, "di"),
        user(NEW, "never.wrote"),
        {
            "table": "accounts",
            "ig_user_id": ACCOUNT,
            "biography": "Lamps.",
            "website": "https://lamp.example",
            "followers_count": 1200,
            "follows_count": 30,
        },
        {"table": "accounts", "ig_user_id": OTHER},
        {"table": "connections", "user_id": "90870000000000009", "ig_user_id": ACCOUNT},
        post(PHOTO, 50, caption="New lamp #lamp", like_count=9),
        post(ALBUM, 40, media_type="CAROUSEL_ALBUM", caption="Three rooms", like_count=3),
        {
            "table": "media_children",
            "media_id": ALBUM,
            "position": 0,
            "child_id": "17900000000000021",
            "media_type": "IMAGE",
            "media_url": "https://scontent.cdninstagram.com/v/t51.2885-15/21.jpg",
        },
        {
            "table": "media_children",
            "media_id": ALBUM,
            "position": 1,
            "child_id": "17900000000000022",
            "media_type": "IMAGE",
            "media_url": "https://scontent.cdninstagram.com/v/t51.2885-15/22.jpg",
        },
        post(
            REEL, 30, media_type="VIDEO", product_type="REELS", thumbnail_url="https://scontent.cdninstagram.com/t.jpg"
        ),
        post(STORY, 3, product_type="STORY"),
        post(THEIRS, 20, ig_user_id=OTHER),
        *[
            {"table": "media_insights", "media_id": PHOTO, "metric": metric, "value": value}
            for metric, value in kept.items()
        ],
        comment(QUESTION, BO, "Does it dim?", 40),
        comment(ANSWER, ACCOUNT, "@bo.reads It does.", 39, parent_id=QUESTION),
        comment(PRAISE, CY, "Beautiful!", 38, like_count=2),
        {**comment(ELSEWHERE, BO, "Nice chair", 5), "media_id": THEIRS},
        talk(WITH_BO, BO),
        talk(WITH_CY, CY),
        talk(NOT_MINE, DI, OTHER),
        message("m1", WITH_BO, BO, "Hi, is it waterproof?", 5),
        message("m2", WITH_BO, ACCOUNT, "Not quite.", 4),
        message("m3", WITH_BO, BO, "And the cable?", 2),
        message("m4", WITH_CY, CY, "It hums", 25),
        message("m5", NOT_MINE, DI, "hello", 1),
        file("lamp.jpg"),
        file("room.jpg"),
        file("tall.jpg", width=1000, height=1600),
        file("lamp.png", "png"),
        file("huge.jpg", size_bytes=8 * 1024 * 1024),
        file("film.mp4", "mp4", 1080, 1920, size_bytes=9_000_000, duration_ms=15_000),
        file("blink.mp4", "mp4", 1080, 1920, size_bytes=90_000, duration_ms=1_000),
        figure("reach", "day", "2026-03-06", 66),
        figure("reach", "day", "2026-03-07", 41),
        figure("reach", "week", "2026-03-07", 230),
        figure("follower_count", "day", "2026-03-07", 3),
    ]


@pytest.fixture
def instagram(start: Callable[..., LocalApp]) -> LocalApp:
    return start("instagram", rows=rows(), me="me", now="2026-03-09T01:00:00+00:00")


Refusal = Callable[..., tuple[int, int | None, int]]


@pytest.fixture
def refusal(instagram: LocalApp) -> Refusal:
    """Make a call that must be refused and change nothing; return the error's code, subcode and status."""

    def refuse(tool: str, **arguments: Any) -> tuple[int, int | None, int]:
        before = instagram.changes()
        with pytest.raises(VendorError) as refused:
            instagram.call(f"INSTAGRAM_{tool}", **arguments)
        assert instagram.changes() == before
        error: Any = refused.value
        return error.code, error.body["error"].get("error_subcode"), error.status

    return refuse


@pytest.fixture
def data(instagram: LocalApp) -> Callable[..., Any]:
    """Make a call and return what stands in ``data`` of its answer."""

    def read(tool: str, **arguments: Any) -> Any:
        return instagram.call(f"INSTAGRAM_{tool}", **arguments)["data"]

    return read
