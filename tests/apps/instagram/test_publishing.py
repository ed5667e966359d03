"""Drafts: what can become one, how long it lives, and how it becomes a post."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import EPISODE, LocalApp
from tests.apps.instagram.conftest import ACCOUNT, HOUR_MS, NOW_MS, SITE, Refusal

Data = Callable[..., Any]
LAMP, ROOM, FILM = f"{SITE}/lamp.jpg", f"{SITE}/room.jpg", f"{SITE}/film.mp4"


def draft(data: Data, **more: Any) -> str:
    made = data("CREATE_MEDIA_CONTAINER", ig_user_id="me", **more)
    assert set(made) == {"id"}
    return str(made["id"])


def status(data: Data, creation_id: str) -> str:
    return str(data("GET_POST_STATUS", creation_id=creation_id)["status_code"])


@pytest.mark.fact("container")
def test_a_picture_is_a_draft_at_once_and_nobody_sees_it(data: Data, instagram: LocalApp) -> None:
    before = data("GET_USER_MEDIA")
    creation = draft(data, image_url=LAMP, caption="Soon")

    assert data("GET_POST_STATUS", creation_id=creation) == {
        "id": creation,
        "status_code": "FINISHED",
        "status": "Finished: Media has been uploaded and it is ready to be published.",
    }
    assert data("GET_USER_MEDIA") == before
    assert set(instagram.changes()) == {"containers"}


@pytest.mark.fact("publishing")
def test_publishing_makes_a_post_of_a_draft(data: Data, instagram: LocalApp) -> None:
    creation = draft(data, image_url=LAMP, caption="Here it is")
    post = data("CREATE_POST", ig_user_id=ACCOUNT, creation_id=creation)

    first = data("GET_USER_MEDIA", limit=1)["data"][0]
    assert (first["id"], first["caption"], first["media_type"]) == (post["id"], "Here it is", "IMAGE")
    assert (first["like_count"], first["comments_count"]) == (0, 0)
    assert data("GET_USER_INFO")["media_count"] == 4
    assert status(data, creation) == "PUBLISHED"
    assert {name: len(rows) for name, rows in instagram.changes().items()} == {"containers": 1, "media": 1}


@pytest.mark.fact("processing")
@pytest.mark.fact("not-ready")
def test_a_video_is_processed_before_it_can_be_published(data: Data, refusal: Refusal) -> None:
    creation = draft(data, video_url=FILM, media_type="REELS", caption="Dusk")

    assert refusal("CREATE_POST", ig_user_id="me", creation_id=creation) == (9007, 2207027, 400)
    assert [status(data, creation), status(data, creation)] == ["IN_PROGRESS", "FINISHED"]
    data("CREATE_POST", ig_user_id="me", creation_id=creation)
    first = data("GET_USER_MEDIA", limit=1)["data"][0]
    assert (first["media_type"], first["media_product_type"]) == ("VIDEO", "REELS")
    assert first["media_url"].endswith(".mp4")
    assert first["thumbnail_url"].endswith(".jpg")


@pytest.mark.fact("processing")
def test_a_video_that_cannot_be_shown_fails_when_it_was_processed(data: Data, refusal: Refusal) -> None:
    creation = draft(data, video_url=f"{SITE}/blink.mp4", content_type="reel")
    status(data, creation)

    told = data("GET_POST_STATUS", creation_id=creation)
    assert told["status_code"] == "ERROR"
    assert told["status"] == "Error: Media upload has failed with error code 2207026"
    assert refusal("CREATE_POST", ig_user_id="me", creation_id=creation) == (9007, 2207027, 400)


@pytest.mark.fact("expiry")
@pytest.mark.fact("no-container")
def test_a_draft_is_gone_after_a_day(data: Data, instagram: LocalApp, refusal: Refusal) -> None:
    creation = draft(data, image_url=LAMP)
    instagram.episode.db.execute("UPDATE containers SET created_ms = ?", NOW_MS - 24 * HOUR_MS)

    assert status(data, creation) == "EXPIRED"
    assert refusal("CREATE_POST", ig_user_id="me", creation_id=creation) == (24, 2207008, 400)


@pytest.mark.fact("no-container")
def test_a_draft_is_published_once(data: Data, refusal: Refusal) -> None:
    creation = draft(data, image_url=LAMP)
    data("CREATE_POST", ig_user_id="me", creation_id=creation)

    assert refusal("CREATE_POST", ig_user_id="me", creation_id=creation) == (24, 2207006, 400)
    assert refusal("CREATE_POST", ig_user_id="me", creation_id="17800000000000000") == (24, 2207008, 400)


@pytest.mark.fact("limit")
def test_a_hundred_posts_a_day_are_enough(data: Data, instagram: LocalApp, refusal: Refusal) -> None:
    creation = draft(data, image_url=LAMP)
    own: dict[str, Any] = {
        "ig_user_id": ACCOUNT,
        "media_type": "IMAGE",
        "media_url": LAMP,
        "created_ms": NOW_MS - HOUR_MS,
    }
    for number in range(99):  # beside the story of three hours ago
        instagram.episode.db.insert("media", media_id=f"1{number}", shortcode=f"D{number}", **own)

    assert refusal("CREATE_POST", ig_user_id="me", creation_id=creation) == (9, 2207042, 400)
    instagram.episode.db.execute("UPDATE media SET created_ms = created_ms - ? WHERE media_id = '17'", 24 * HOUR_MS)
    assert data("CREATE_POST", ig_user_id="me", creation_id=creation)["id"]


@pytest.mark.fact("limit")
def test_four_hundred_drafts_a_day_are_enough(data: Data, instagram: LocalApp, refusal: Refusal) -> None:
    items = [draft(data, image_url=LAMP, is_carousel_item=True) for _ in range(2)]
    for number in range(398):
        row: dict[str, Any] = {"ig_user_id": ACCOUNT, "media_type": "IMAGE", "created_ms": NOW_MS - HOUR_MS}
        instagram.episode.db.insert("containers", container_id=f"1{number}", ready_ms=NOW_MS, **row)

    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=LAMP) == (9, 2207042, 400)
    assert refusal("CREATE_CAROUSEL_CONTAINER", ig_user_id="me", children=items) == (9, 2207042, 400)
    instagram.episode.db.execute(
        "UPDATE containers SET created_ms = created_ms - ? WHERE container_id = '17'", 24 * HOUR_MS
    )
    assert draft(data, image_url=LAMP)


@pytest.mark.fact("caption")
@pytest.mark.parametrize(
    ("caption", "code"),
    [
        ("x" * 2201, (36004, 2207010, 400)),
        (" ".join(f"#tag{number}" for number in range(31)), (100, 2207040, 400)),
        (" ".join(f"@person{number}" for number in range(21)), (100, 2207040, 400)),
    ],
)
def test_a_caption_has_limits(refusal: Refusal, data: Data, caption: str, code: tuple[int, int, int]) -> None:
    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=LAMP, caption=caption) == code
    shorter = caption[:-1] if "x" in caption[:2] else caption.rsplit(" ", 1)[0]
    assert draft(data, image_url=LAMP, caption=shorter)


@pytest.mark.fact("caption")
def test_a_mail_address_in_a_caption_is_no_mention(data: Data) -> None:
    assert draft(data, image_url=LAMP, caption=" ".join(f"a{number}@mail.example" for number in range(25)))


@pytest.mark.fact("download")
@pytest.mark.parametrize(
    "arguments",
    [
        {"image_url": "https://nowhere.example/a.jpg"},
        {"image_url": "lamp.jpg"},
        {"image_url": FILM},
        {"video_url": LAMP, "media_type": "REELS"},
        {"video_url": FILM, "cover_url": "https://nowhere.example/a.jpg"},
    ],
)
def test_what_cannot_be_fetched_becomes_no_draft(refusal: Refusal, arguments: dict[str, Any]) -> None:
    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", **arguments) == (9004, 2207052, 400)


@pytest.mark.fact("picture")
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("lamp.png", (36001, 2207005, 400)),
        ("huge.jpg", (36000, 2207004, 400)),
        ("tall.jpg", (36003, 2207009, 400)),
    ],
)
def test_a_picture_must_fit(refusal: Refusal, name: str, code: tuple[int, int, int]) -> None:
    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=f"{SITE}/{name}") == code


@pytest.mark.fact("picture")
@pytest.mark.fact("stories-apart")
def test_a_story_may_have_any_shape(data: Data) -> None:
    creation = draft(data, image_url=f"{SITE}/tall.jpg", media_type="STORIES")
    data("CREATE_POST", ig_user_id="me", creation_id=creation)

    assert data("GET_USER_INFO")["media_count"] == 3


@pytest.mark.fact("carousel")
def test_items_become_one_album(data: Data, refusal: Refusal) -> None:
    film = draft(data, video_url=FILM, is_carousel_item=True)
    items = [
        draft(data, image_url=LAMP, is_carousel_item=True),
        draft(data, image_url=ROOM, content_type="carousel_item"),
    ]
    made = {"ig_user_id": "me", "children": [*items, film], "caption": "Dusk"}

    assert refusal("CREATE_CAROUSEL_CONTAINER", **made) == (9007, 2207027, 400)
    status(data, film)
    album = data("CREATE_CAROUSEL_CONTAINER", **made)["id"]
    post = data("CREATE_POST", ig_user_id="me", creation_id=album)["id"]

    first = data("GET_USER_MEDIA", limit=1)["data"][0]
    assert (first["id"], first["media_type"], first["caption"]) == (post, "CAROUSEL_ALBUM", "Dusk")
    assert len(first["children"]["data"]) == 3


@pytest.mark.fact("carousel")
def test_an_album_is_of_two_to_ten_items_made_as_such(data: Data, refusal: Refusal) -> None:
    item, alone = draft(data, image_url=LAMP, is_carousel_item=True), draft(data, image_url=LAMP)

    def refused(*children: str) -> tuple[int, int | None, int]:
        return refusal("CREATE_CAROUSEL_CONTAINER", ig_user_id="me", children=list(children))

    assert refused(item) == refused(*[item] * 11) == (100, 2207028, 400)
    assert refused(item, alone) == (100, None, 400)
    assert refused(item, "17800000000000000") == (24, 2207008, 400)
    assert refusal("CREATE_POST", ig_user_id="me", creation_id=item) == (100, None, 400)


@pytest.mark.fact("carousel")
@pytest.mark.parametrize(
    "arguments",
    [
        {"video_url": FILM, "media_type": "REELS", "is_carousel_item": True},
        {"video_url": FILM, "content_type": "reel", "is_carousel_item": True},
        {"image_url": LAMP, "media_type": "STORIES", "is_carousel_item": True},
        {"image_url": LAMP, "media_type": "STORIES", "content_type": "carousel_item"},
    ],
)
def test_reels_and_stories_are_no_items_of_an_album(
    refusal: Refusal, instagram: LocalApp, arguments: dict[str, Any]
) -> None:
    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", **arguments) == (100, None, 400)
    assert instagram.changes() == {}


@pytest.mark.fact("carousel")
def test_the_word_video_makes_an_item_of_an_album_where_it_is_one(data: Data) -> None:
    film = draft(data, video_url=FILM, content_type="video", is_carousel_item=True)
    assert [status(data, film), status(data, film)] == ["IN_PROGRESS", "FINISHED"]
    album = data(
        "CREATE_CAROUSEL_CONTAINER",
        ig_user_id="me",
        children=[film, draft(data, image_url=LAMP, is_carousel_item=True)],
    )
    data("CREATE_POST", ig_user_id="me", creation_id=album["id"])

    assert data("GET_USER_MEDIA")["data"][0]["media_type"] == "CAROUSEL_ALBUM"


@pytest.mark.fact("media-type")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"image_url": LAMP, "media_type": "PHOTO"}, (100, 2207023, 400)),
        ({"video_url": FILM, "media_type": "VIDEO"}, (100, 2207067, 400)),
        ({}, (100, None, 400)),
        ({"image_url": LAMP, "media_type": "REELS"}, (100, None, 400)),
        ({"image_url": LAMP, "content_type": "reel"}, (100, None, 400)),
        ({"image_url": LAMP, "media_type": "CAROUSEL"}, (100, None, 400)),
    ],
)
def test_a_kind_and_its_file_go_together(
    refusal: Refusal, arguments: dict[str, Any], code: tuple[int, int | None, int]
) -> None:
    assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", **arguments) == code


@pytest.mark.fact("media-type")
def test_an_album_is_made_of_children_which_this_tool_does_not_take(instagram: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        instagram.call("INSTAGRAM_CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=LAMP, media_type="CAROUSEL")

    assert refused.value.message == "The parameter children is required."


@pytest.mark.fact("content-type")
@pytest.mark.parametrize("word", ["hologram", "PHOTO", "story", ""])
def test_a_word_for_a_kind_that_the_toolkit_does_not_know_is_refused(instagram: LocalApp, word: str) -> None:
    given = {"ig_user_id": "me", "image_url": LAMP, "media_type": "IMAGE", "content_type": word}
    said = instagram.result("INSTAGRAM_CREATE_MEDIA_CONTAINER", **given)

    assert json.loads(said["content"][0]["text"]) == {
        "successful": False,
        "data": {},
        "error": "Invalid request data provided\n- Input should be 'photo', 'video', 'reel' or 'carousel_item'"
        " on parameter `content_type`",
    }
    assert instagram.changes() == {}


@pytest.mark.fact("picture")
@pytest.mark.parametrize(
    ("size", "code"),
    [
        ({"width": 1080, "height": 1350}, None),  # 4:5
        ({"width": 1080, "height": 1080}, None),
        ({"width": 1910, "height": 1000}, None),  # 1.91:1
        ({"width": 1080, "height": 1400}, (36003, 2207009, 400)),
        ({"width": 2000, "height": 1000}, (36003, 2207009, 400)),
        ({"size_bytes": 8 * 1024 * 1024 - 1}, None),
        ({"size_bytes": 8 * 1024 * 1024}, (36000, 2207004, 400)),
        ({"format": "webp"}, (36001, 2207005, 400)),
        ({"format": "mov"}, (9004, 2207052, 400)),
    ],
)
def test_a_picture_is_a_jpeg_below_eight_mebibytes_from_four_to_five_to_191_to_100(
    instagram: LocalApp,
    data: Data,
    refusal: Refusal,
    size: dict[str, Any],
    code: tuple[int, int, int] | None,
) -> None:
    instagram.episode.db.update("files", {"url": LAMP}, **size)

    for more in ({}, {"media_type": "IMAGE"}, {"is_carousel_item": True}):
        if code is None:
            assert draft(data, image_url=LAMP, **more)
        else:
            assert refusal("CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=LAMP, **more) == code


@pytest.mark.fact("processing")
@pytest.mark.parametrize(
    ("kind", "film", "told"),
    [
        ("REELS", {"duration_ms": 3_000}, "FINISHED"),
        ("REELS", {"duration_ms": 2_999}, "ERROR"),
        ("REELS", {"duration_ms": 900_000}, "FINISHED"),
        ("REELS", {"duration_ms": 900_001}, "ERROR"),
        ("REELS", {"duration_ms": None}, "ERROR"),
        ("REELS", {"size_bytes": 300 * 1024 * 1024}, "FINISHED"),
        ("REELS", {"size_bytes": 300 * 1024 * 1024 + 1}, "ERROR"),
        ("REELS", {"format": "mov"}, "FINISHED"),
        ("STORIES", {"duration_ms": 60_000}, "FINISHED"),
        ("STORIES", {"duration_ms": 60_001}, "ERROR"),
        ("STORIES", {"size_bytes": 100 * 1024 * 1024}, "FINISHED"),
        ("STORIES", {"size_bytes": 100 * 1024 * 1024 + 1}, "ERROR"),
    ],
)
def test_a_reel_has_up_to_fifteen_minutes_and_a_story_one(
    instagram: LocalApp, data: Data, kind: str, film: dict[str, Any], told: str
) -> None:
    instagram.episode.db.update("files", {"url": FILM}, **film)
    creation = draft(data, video_url=FILM, media_type=kind)

    assert [status(data, creation), status(data, creation)] == ["IN_PROGRESS", told]


@pytest.mark.fact("processing")
@pytest.mark.parametrize(("seconds", "told"), [(29, "IN_PROGRESS"), (30, "FINISHED"), (31, "FINISHED")])
def test_a_video_is_processed_after_thirty_seconds(instagram: LocalApp, data: Data, seconds: int, told: str) -> None:
    creation = draft(data, video_url=FILM)
    made_ms = instagram.episode.db.scalar("SELECT created_ms FROM containers")

    instagram.store.open(EPISODE).set_clock(made_ms + seconds * 1000)

    assert status(data, creation) == told


@pytest.mark.fact("expiry")
def test_a_draft_lives_for_24_hours_to_the_millisecond(instagram: LocalApp, data: Data) -> None:
    creation = draft(data, image_url=LAMP)
    made_ms = instagram.episode.db.scalar("SELECT created_ms FROM containers")

    instagram.store.open(EPISODE).set_clock(made_ms + 24 * HOUR_MS - 1)
    assert status(data, creation) == "FINISHED"
    instagram.store.open(EPISODE).set_clock(made_ms + 24 * HOUR_MS)
    assert status(data, creation) == "EXPIRED"


@pytest.mark.fact("container")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"image_url": LAMP, "caption": "a"}, {"media_type": "IMAGE", "caption": "a", "url": LAMP}),
        ({"image_url": LAMP, "content_type": "photo"}, {"media_type": "IMAGE", "url": LAMP}),
        ({"video_url": FILM, "caption": "a"}, {"media_type": "REELS", "caption": "a", "url": FILM}),
        ({"video_url": FILM, "content_type": "video"}, {"media_type": "REELS", "url": FILM}),
        ({"video_url": FILM, "content_type": "reel"}, {"media_type": "REELS", "url": FILM}),
        (
            {"video_url": FILM, "media_type": "REELS", "cover_url": LAMP},
            {"media_type": "REELS", "url": FILM, "cover_url": LAMP},
        ),
        ({"video_url": FILM, "media_type": "REELS", "cover_url": ""}, {"media_type": "REELS", "url": FILM}),
        ({"image_url": LAMP, "video_url": FILM}, {"media_type": "REELS", "url": FILM}),
        ({"image_url": LAMP, "video_url": FILM, "media_type": "IMAGE"}, {"media_type": "IMAGE", "url": LAMP}),
        ({"image_url": LAMP, "media_type": "STORIES"}, {"media_type": "STORIES", "url": LAMP}),
        ({"video_url": FILM, "media_type": "STORIES"}, {"media_type": "STORIES", "url": FILM}),
        (
            {"image_url": LAMP, "is_carousel_item": True, "caption": "a"},
            {"media_type": "IMAGE", "url": LAMP, "is_carousel_item": 1},
        ),
        (
            {"image_url": LAMP, "content_type": "carousel_item"},
            {"media_type": "IMAGE", "url": LAMP, "is_carousel_item": 1},
        ),
        (
            {"video_url": FILM, "content_type": "carousel_item"},
            {"media_type": "VIDEO", "url": FILM, "is_carousel_item": 1},
        ),
        (
            {"video_url": FILM, "media_type": "VIDEO", "is_carousel_item": True},
            {"media_type": "VIDEO", "url": FILM, "is_carousel_item": 1},
        ),
    ],
)
def test_what_is_kept_of_a_draft_is_its_kind_and_its_file(
    instagram: LocalApp, data: Data, given: dict[str, Any], kept: dict[str, Any]
) -> None:
    creation = draft(data, **given)

    (change,) = instagram.changes()["containers"]
    assert change["new"] == {
        "container_id": creation,
        "ig_user_id": ACCOUNT,
        "caption": "",
        "cover_url": None,
        "is_carousel_item": 0,
        "children": "[]",
        "created_ms": NOW_MS,
        "ready_ms": NOW_MS + (30_000 if kept["url"] == FILM else 0),
        "asked_count": 0,
        "error_subcode": None,
        "published_media_id": None,
        **kept,
    }


@pytest.mark.fact("publishing")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"image_url": LAMP}, ("IMAGE", "FEED")),
        ({"video_url": FILM}, ("VIDEO", "REELS")),
        ({"image_url": LAMP, "media_type": "STORIES"}, ("IMAGE", "STORY")),
        ({"video_url": FILM, "media_type": "STORIES"}, ("VIDEO", "STORY")),
    ],
)
def test_a_post_is_what_its_draft_was(
    instagram: LocalApp, data: Data, given: dict[str, Any], shown: tuple[str, str]
) -> None:
    creation = draft(data, **given, caption="Dusk")
    status(data, creation)
    post = data("CREATE_POST", ig_user_id="me", creation_id=creation)

    (change,) = instagram.changes()["media"]
    kept = change["new"]
    is_video = shown[0] == "VIDEO"
    folder, end = ("t50.2886-16", "mp4") if is_video else ("t51.2885-15", "jpg")
    assert re.fullmatch(rf"https://scontent\.cdninstagram\.com/v/{re.escape(folder)}/\w+\.{end}", kept["media_url"])
    thumbnail = r"https://scontent\.cdninstagram\.com/v/t51\.2885-15/\w+\.jpg"
    assert bool(re.fullmatch(thumbnail, kept["thumbnail_url"] or "")) == is_video
    assert re.fullmatch(r"\d{17}", post["id"])
    assert re.fullmatch(r"D[\w-]{10}", kept["shortcode"])
    assert {key: kept[key] for key in kept if key not in ("media_url", "thumbnail_url", "shortcode")} == {
        "media_id": post["id"],
        "ig_user_id": ACCOUNT,
        "media_type": shown[0],
        "product_type": shown[1],
        "caption": "Dusk",
        "file_url": given.get("video_url") or given["image_url"],
        "created_ms": instagram.episode.db.scalar("SELECT max(created_ms) FROM media"),
        "like_count": 0,
    }


@pytest.mark.fact("carousel")
def test_an_album_keeps_its_items_in_their_order(instagram: LocalApp, data: Data) -> None:
    items = [
        draft(data, video_url=FILM, is_carousel_item=True),
        draft(data, image_url=ROOM, is_carousel_item=True),
        draft(data, image_url=LAMP, is_carousel_item=True),
    ]
    status(data, items[0])
    album = data("CREATE_CAROUSEL_CONTAINER", ig_user_id="me", children=items, caption="Dusk")["id"]
    kept = instagram.episode.db.one("SELECT * FROM containers WHERE container_id = ?", album)
    assert kept is not None
    assert (kept["media_type"], kept["caption"], json.loads(kept["children"])) == ("CAROUSEL", "Dusk", items)
    assert (kept["url"], kept["ready_ms"], kept["is_carousel_item"]) == (None, kept["created_ms"], 0)

    post = data("CREATE_POST", ig_user_id="me", creation_id=album)["id"]

    rows = "SELECT * FROM media_children WHERE media_id = ? ORDER BY position"
    children = instagram.episode.db.all(rows, post)
    assert [(row["position"], row["media_type"], row["file_url"]) for row in children] == [
        (0, "VIDEO", FILM),
        (1, "IMAGE", ROOM),
        (2, "IMAGE", LAMP),
    ]
    assert [row["media_url"].rpartition(".")[2] for row in children] == ["mp4", "jpg", "jpg"]
    shown = data("GET_USER_MEDIA", limit=1)["data"][0]
    assert shown["children"] == {"data": [{"id": row["child_id"]} for row in children]}
    # An album shows the file of its first item, and is no video itself.
    assert (shown["media_url"].rpartition(".")[2], "thumbnail_url" in shown) == ("mp4", False)
    assert [status(data, each) for each in (album, *items)] == ["PUBLISHED", "FINISHED", "FINISHED", "FINISHED"]


@pytest.mark.fact("carousel")
@pytest.mark.parametrize("count", [2, 10])
def test_two_items_are_enough_for_an_album_and_ten_not_too_many(data: Data, count: int) -> None:
    items = [draft(data, image_url=LAMP, is_carousel_item=True) for _ in range(count)]

    assert data("CREATE_CAROUSEL_CONTAINER", ig_user_id=ACCOUNT, children=items)["id"]


@pytest.mark.fact("caption")
def test_an_album_s_caption_has_the_same_limits(data: Data, refusal: Refusal) -> None:
    items = [draft(data, image_url=LAMP, is_carousel_item=True) for _ in range(2)]
    made = {"ig_user_id": "me", "children": items}

    assert refusal("CREATE_CAROUSEL_CONTAINER", **made, caption="x" * 2201) == (36004, 2207010, 400)
    assert refusal("CREATE_CAROUSEL_CONTAINER", **made, caption="#a " * 31) == (100, 2207040, 400)
    assert data("CREATE_CAROUSEL_CONTAINER", **made, caption="x" * 2200)["id"]
