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


FIELDS = (
    "id%2Ccaption%2Cmedia_type%2Cmedia_product_type%2Cmedia_url%2Cpermalink%2Cthumbnail_url%2Ctimestamp%2Cusername"
    "%2Clike_count%2Ccomments_count%2Cchildren"
)


@pytest.mark.fact("paging")
def test_the_addresses_of_other_pages_ask_for_the_same_with_a_cursor(data: Data) -> None:
    first = data("GET_USER_MEDIA", limit=1, graph_api_version="v22.0")["paging"]
    middle = data("GET_USER_MEDIA", limit=1, after=first["cursors"]["after"])["paging"]
    last = data("GET_USER_MEDIA", limit=1, after=middle["cursors"]["after"])["paging"]
    path = f"{ACCOUNT}/media?fields={FIELDS}&limit=1"

    assert first["cursors"]["before"] == first["cursors"]["after"]
    assert len({page["cursors"]["after"] for page in (first, middle, last)}) == 3
    assert first["next"] == f"https://graph.instagram.com/v22.0/{path}&after={first['cursors']['after']}"
    assert middle["next"] == f"https://graph.instagram.com/v21.0/{path}&after={middle['cursors']['after']}"
    assert middle["previous"] == f"https://graph.instagram.com/v21.0/{path}&before={middle['cursors']['before']}"
    assert (set(first), set(last)) == ({"cursors", "next"}, {"cursors", "previous"})
    whole = data("GET_USER_MEDIA")["paging"]
    assert whole == {"cursors": {"before": first["cursors"]["before"], "after": last["cursors"]["after"]}}


@pytest.mark.fact("paging")
def test_a_page_has_25_rows_unless_more_are_asked_for_and_a_hundred_at_most(instagram: LocalApp, data: Data) -> None:
    # Two of each moment: the later id stands first.
    for number in range(120):
        own: dict[str, Any] = {"ig_user_id": ACCOUNT, "media_type": "IMAGE", "media_url": "x", "shortcode": "D"}
        instagram.episode.db.insert("media", media_id=f"18{number:03}", created_ms=number // 2, **own)

    def listed(**more: Any) -> list[str]:
        return [each["id"] for each in data("GET_USER_MEDIA", **more)["data"]]

    whole = [REEL, ALBUM, PHOTO, *(f"18{number:03}" for number in reversed(range(120)))]
    assert [len(listed(**more)) for more in ({}, {"limit": 1}, {"limit": 100}, {"limit": 101}, {"limit": 500})] == [
        *(25, 1, 100, 100, 100)
    ]
    first = data("GET_USER_MEDIA", limit=500)
    assert [each["id"] for each in first["data"]] == whole[:100]
    assert "&limit=100&" in first["paging"]["next"]
    assert listed(limit=500, after=first["paging"]["cursors"]["after"]) == whole[100:]
    # A page that ends with the last row is the last.
    assert "next" not in data("GET_USER_MEDIA", limit=23, after=first["paging"]["cursors"]["after"])["paging"]


@pytest.mark.fact("paging")
@pytest.mark.parametrize("text", ["QVFIU", "QVFIU!!!", "QVFIU_w", "QVFIUMTc", "x"])
def test_a_cursor_that_names_nothing_is_refused(refusal: Refusal, text: str) -> None:
    assert refusal("GET_USER_MEDIA", after=text) == (100, None, 400)
    assert refusal("LIST_ALL_CONVERSATIONS", after=text) == (100, None, 400)


@pytest.mark.fact("media")
def test_an_album_and_a_reel_are_shown_whole(data: Data) -> None:
    reel, album, _ = data("GET_USER_MEDIA")["data"]

    assert reel == {
        "id": REEL,
        "media_type": "VIDEO",
        "media_product_type": "REELS",
        "media_url": f"https://scontent.cdninstagram.com/v/t51.2885-15/{REEL}.jpg",
        "permalink": "https://www.instagram.com/reel/D0000000003/",
        "thumbnail_url": "https://scontent.cdninstagram.com/t.jpg",
        "timestamp": "2026-03-07T19:00:00+0000",
        "username": "lamp_co",
        "like_count": 0,
        "comments_count": 0,
    }
    assert list(album.items()) == [
        ("id", ALBUM),
        ("caption", "Three rooms"),
        ("media_type", "CAROUSEL_ALBUM"),
        ("media_product_type", "FEED"),
        ("media_url", f"https://scontent.cdninstagram.com/v/t51.2885-15/{ALBUM}.jpg"),
        ("permalink", "https://www.instagram.com/p/D0000000002/"),
        ("timestamp", "2026-03-07T09:00:00+0000"),
        ("username", "lamp_co"),
        ("like_count", 3),
        ("comments_count", 0),
        ("children", {"data": [{"id": "17900000000000021"}, {"id": "17900000000000022"}]}),
    ]


@pytest.mark.fact("profile")
def test_what_was_never_filled_in_is_absent_from_a_profile(instagram: LocalApp, data: Data) -> None:
    instagram.episode.db.execute("UPDATE accounts SET biography = '', website = '', followers_count = 0")
    instagram.episode.db.execute("UPDATE users SET name = '' WHERE user_id = ?", ACCOUNT)

    assert data("GET_USER_INFO", ig_user_id="") == {
        "id": ACCOUNT,
        "username": "lamp_co",
        "account_type": "BUSINESS",
        "followers_count": 0,
        "follows_count": 30,
        "media_count": 3,
    }
