"""The account and what it has published."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import ACCOUNT, ALBUM, OTHER, PHOTO, REEL, STORY, THEIRS, Refusal

Data = Callable[..., Any]


@pytest.mark.fact("profile")
def test_the_account_shows_its_profile_and_counts(data: Data) -> None:
    told = data("GET_USER_INFO")

    assert told == data("GET_USER_INFO", ig_user_id="me") == data("GET_USER_INFO", ig_user_id=ACCOUNT)
    assert told == {
        "id": ACCOUNT,
        "username": "lamp_co",
        "name": "lamp_co",
        "account_type": "BUSINESS",
        "biography": "Lamps.",
        "website": "https://lamp.example",
        "followers_count": 1200,
        "follows_count": 30,
        "media_count": 3,
    }


@pytest.mark.fact("foreign")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("GET_USER_INFO", {"ig_user_id": OTHER}),
        ("GET_USER_MEDIA", {"ig_user_id": "lamp_co"}),
        ("GET_USER_INSIGHTS", {"ig_user_id": OTHER}),
        ("LIST_ALL_CONVERSATIONS", {"ig_user_id": OTHER}),
        ("GET_POST_COMMENTS", {"ig_post_id": THEIRS}),
        ("GET_POST_INSIGHTS", {"ig_post_id": "17900000000000021"}),
        ("GET_POST_STATUS", {"creation_id": PHOTO}),
        ("CREATE_MEDIA_CONTAINER", {"ig_user_id": OTHER, "image_url": "https://files.example/lamp.jpg"}),
        ("CREATE_CAROUSEL_CONTAINER", {"ig_user_id": OTHER, "children": []}),
        ("CREATE_POST", {"ig_user_id": OTHER, "creation_id": "1"}),
        ("SEND_TEXT_MESSAGE", {"ig_user_id": OTHER, "recipient_id": "1", "text": "hi"}),
    ],
)
def test_what_is_somebody_elses_is_not_there(refusal: Refusal, tool: str, arguments: dict[str, Any]) -> None:
    assert refusal(tool, **arguments) == (100, 33, 400)


@pytest.mark.fact("media")
def test_posts_come_newest_first_each_with_what_its_kind_has(data: Data) -> None:
    reel, album, photo = data("GET_USER_MEDIA")["data"]

    assert [reel["id"], album["id"], photo["id"]] == [REEL, ALBUM, PHOTO]
    assert photo == {
        "id": PHOTO,
        "caption": "New lamp #lamp",
        "media_type": "IMAGE",
        "media_product_type": "FEED",
        "media_url": f"https://scontent.cdninstagram.com/v/t51.2885-15/{PHOTO}.jpg",
        "permalink": "https://www.instagram.com/p/D0000000001/",
        "timestamp": "2026-03-06T23:00:00+0000",
        "username": "lamp_co",
        "like_count": 9,
        "comments_count": 3,
    }
    assert album["children"] == {"data": [{"id": "17900000000000021"}, {"id": "17900000000000022"}]}
    assert "caption" not in reel
    assert reel["thumbnail_url"] == "https://scontent.cdninstagram.com/t.jpg"
    assert reel["permalink"] == "https://www.instagram.com/reel/D0000000003/"


@pytest.mark.fact("stories-apart")
def test_a_story_is_not_among_the_posts(data: Data) -> None:
    assert STORY not in [each["id"] for each in data("GET_USER_MEDIA")["data"]]


@pytest.mark.fact("paging")
def test_pages_of_posts_follow_one_another(data: Data) -> None:
    whole = [each["id"] for each in data("GET_USER_MEDIA")["data"]]
    first = data("GET_USER_MEDIA", limit=2)
    second = data("GET_USER_MEDIA", limit=2, after=first["paging"]["cursors"]["after"])

    assert [each["id"] for each in first["data"] + second["data"]] == whole
    assert set(first["paging"]) == {"cursors", "next"}
    assert set(second["paging"]) == {"cursors", "previous"}
    asked = parse_qs(urlsplit(first["paging"]["next"]).query)
    assert (asked["limit"], asked["after"]) == (["2"], [first["paging"]["cursors"]["after"]])
    assert "access_token" not in asked


@pytest.mark.fact("paging")
@pytest.mark.parametrize("arguments", [{"limit": 0}, {"limit": -3}, {"after": "nonsense"}, {"after": "QVFIUé"}])
def test_a_page_that_there_cannot_be_is_refused(refusal: Refusal, arguments: dict[str, Any]) -> None:
    assert refusal("GET_USER_MEDIA", **arguments) == (100, None, 400)


@pytest.mark.fact("paging")
def test_a_cursor_is_good_for_its_own_list_alone(data: Data, refusal: Refusal) -> None:
    cursor = data("LIST_ALL_CONVERSATIONS", limit=1)["paging"]["cursors"]["after"]

    assert refusal("GET_USER_MEDIA", after=cursor) == (100, None, 400)


@pytest.mark.fact("media")
def test_an_account_without_posts_has_an_empty_list(instagram: LocalApp, data: Data) -> None:
    instagram.episode.db.execute("DELETE FROM media WHERE ig_user_id = ?", ACCOUNT)

    assert data("GET_USER_MEDIA") == {"data": []}
