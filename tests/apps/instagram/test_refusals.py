"""Every refusal, whole: what the API answers, and what the toolkit says that it wanted to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import (
    ACCOUNT,
    BO,
    CY,
    ELSEWHERE,
    HOUR_MS,
    NOT_MINE,
    NOW_MS,
    OTHER,
    PHOTO,
    PRAISE,
    REEL,
    SITE,
    STORY,
    THEIRS,
)

Data = Callable[..., Any]
LAMP, FILM = f"{SITE}/lamp.jpg", f"{SITE}/film.mp4"
NOWHERE = "https://nowhere.example/a.jpg"


def _error(message: str, code: int, subcode: int | None = None, kind: str = "OAuthException", **more: Any) -> Any:
    beside = {} if subcode is None else {"error_subcode": subcode}
    return {"message": message, "type": kind, "code": code, **beside, **more}


def _told(title: str, words: str) -> dict[str, Any]:
    return {"is_transient": False, "error_user_title": title, "error_user_msg": words}


def _not_there(method: str, id_: str) -> Any:
    words = (
        f"Unsupported {method} request. Object with ID '{id_}' does not exist, cannot be loaded due to missing"
        " permissions, or does not support this operation"
    )
    return _error(words, 100, 33, "IGApiException")


def _draft_error(message: str, code: int, subcode: int | None, title: str, words: str) -> Any:
    return _error(message, code, subcode, **_told(title, words))


def refused(app: LocalApp, tool: str, **arguments: Any) -> tuple[str, Any]:
    """Make a call that must be refused; return what failed, and the API's error without its trace."""
    before = app.changes()
    result = app.result(f"INSTAGRAM_{tool}", **arguments)
    assert app.changes() == before
    body = json.loads(result["content"][0]["text"])
    doing, answer = body["error"].split(" Response: ")
    error = json.loads(answer)["error"]
    assert list(error)[-1] == "fbtrace_id"
    del error["fbtrace_id"]
    status = int(doing.rpartition("status ")[2].removesuffix(")."))
    assert body["data"] == {"message": body["error"], "status_code": status}
    return doing, error


DRAFT = "Failed to create media container (status 400)."
CAPTION = "The caption was too long."


@pytest.mark.fact("envelope")
@pytest.mark.parametrize(
    ("tool", "arguments", "doing", "error"),
    [
        ("GET_USER_INFO", {"ig_user_id": OTHER}, "get user info", _not_there("get", OTHER)),
        ("GET_USER_MEDIA", {"ig_user_id": "lamp_co"}, "get user media", _not_there("get", "lamp_co")),
        ("GET_USER_INSIGHTS", {"ig_user_id": OTHER}, "get user insights", _not_there("get", OTHER)),
        ("LIST_ALL_CONVERSATIONS", {"ig_user_id": OTHER}, "list all conversations", _not_there("get", OTHER)),
        ("GET_POST_COMMENTS", {"ig_post_id": THEIRS}, "get post comments", _not_there("get", THEIRS)),
        ("GET_POST_INSIGHTS", {"ig_post_id": THEIRS}, "get post insights", _not_there("get", THEIRS)),
        ("GET_POST_STATUS", {"creation_id": PHOTO}, "get post status", _not_there("get", PHOTO)),
        ("GET_CONVERSATION", {"conversation_id": NOT_MINE}, "get conversation", _not_there("get", NOT_MINE)),
        ("LIST_ALL_MESSAGES", {"conversation_id": "x"}, "list all messages", _not_there("get", "x")),
        (
            "REPLY_TO_COMMENT",
            {"ig_comment_id": ELSEWHERE, "message": "hi"},
            "reply to comment",
            _not_there("post", ELSEWHERE),
        ),
        (
            "CREATE_MEDIA_CONTAINER",
            {"ig_user_id": OTHER, "image_url": LAMP},
            "create media container",
            _not_there("post", OTHER),
        ),
        (
            "CREATE_CAROUSEL_CONTAINER",
            {"ig_user_id": OTHER, "children": []},
            "create carousel container",
            _not_there("post", OTHER),
        ),
        ("CREATE_POST", {"ig_user_id": OTHER, "creation_id": "1"}, "create post", _not_there("post", OTHER)),
        (
            "SEND_TEXT_MESSAGE",
            {"ig_user_id": OTHER, "recipient_id": BO, "text": "hi"},
            "send message",
            _not_there("post", OTHER),
        ),
        (
            "SEND_TEXT_MESSAGE",
            {"recipient_id": BO, "text": ""},
            "send message",
            _error("(#100) param message must be non-empty.", 100),
        ),
        (
            "SEND_TEXT_MESSAGE",
            {"recipient_id": BO, "text": "x" * 1001},
            "send message",
            _error("(#100) Length of param message[text] must be less than or equal to 1000", 100),
        ),
        (
            "SEND_TEXT_MESSAGE",
            {"recipient_id": BO, "text": "hi", "reply_to_message_id": "m4"},
            "send message",
            _error("Invalid parameter", 100, 2534002, "IGApiException")
            | _told("Invalid Message ID", "The message that is answered does not exist."),
        ),
        (
            "SEND_TEXT_MESSAGE",
            {"recipient_id": "bo.reads", "text": "hi"},
            "send message",
            _error("The requested user cannot be found.", 100, 2534014, "IGApiException"),
        ),
        (
            "SEND_IMAGE",
            {"recipient_id": BO, "image_url": FILM},
            "send image",
            _error("(#100) Upload attachment failure.", 100, 2018047, "IGApiException"),
        ),
        (
            "SEND_IMAGE",
            {"recipient_id": BO, "image_url": LAMP, "caption": "灯" * 334},
            "send image",
            _error("(#100) Length of param message[text] must be less than or equal to 1000", 100),
        ),
        (
            "REPLY_TO_COMMENT",
            {"ig_comment_id": PRAISE, "message": " \n"},
            "reply to comment",
            _error("The parameter message is required.", 100),
        ),
        ("GET_USER_MEDIA", {"limit": 0}, "get user media", _error("(#100) param limit must be greater than zero", 100)),
        ("GET_USER_MEDIA", {"after": "nonsense"}, "get user media", _error("Invalid cursors values", 100)),
        (
            "GET_POST_INSIGHTS",
            {"ig_post_id": STORY, "metric": ["reach"]},
            "get post insights",
            _error("(#10) Not enough viewers for the media to show insights", 10),
        ),
        (
            "GET_USER_INSIGHTS",
            {"metric": ["impressions"]},
            "get user insights",
            _error(
                "(#100) Starting from version 22 and above, the impressions metric is no longer supported for the"
                " queried user. Please refer to the documentation at"
                " https://developers.facebook.com/docs/instagram-api/reference/ig-user/insights for a list of supported"
                " metrics.",
                100,
            ),
        ),
    ],
)
def test_a_refusal_says_what_failed_and_repeats_the_api(
    instagram: LocalApp, tool: str, arguments: dict[str, Any], doing: str, error: Any
) -> None:
    assert refused(instagram, tool, **arguments) == (f"Failed to {doing} (status 400).", error)


@pytest.mark.fact("window")
@pytest.mark.parametrize(
    ("tool", "arguments", "doing"),
    [
        ("SEND_TEXT_MESSAGE", {"text": "hi"}, "send message"),
        ("SEND_IMAGE", {"image_url": LAMP}, "send image"),
        ("MARK_SEEN", {}, "mark seen"),
    ],
)
def test_outside_of_the_window_the_status_is_403(
    instagram: LocalApp, tool: str, arguments: dict[str, str], doing: str
) -> None:
    words = "This message is sent outside of allowed window."

    said = refused(instagram, tool, recipient_id=CY, **arguments)

    assert said == (f"Failed to {doing} (status 403).", _error(words, 10, 2534022, "IGApiException"))


@pytest.mark.fact("download")
@pytest.mark.fact("picture")
@pytest.mark.fact("caption")
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, _error("The parameter image_url is required.", 100)),
        ({"media_type": "STORIES"}, _error("The parameter image_url is required.", 100)),
        ({"image_url": LAMP, "media_type": "REELS"}, _error("The parameter video_url is required.", 100)),
        ({"video_url": FILM, "media_type": "IMAGE"}, _error("The parameter image_url is required.", 100)),
        ({"image_url": LAMP, "content_type": "video"}, _error("The parameter video_url is required.", 100)),
        ({"media_type": "VIDEO", "is_carousel_item": True}, _error("The parameter video_url is required.", 100)),
        ({"media_type": "CAROUSEL"}, _error("The parameter children is required.", 100)),
        (
            {"image_url": LAMP, "media_type": "PHOTO"},
            _draft_error(
                *("Invalid parameter", 100, 2207023, "Unknown media type", "The media type PHOTO is unknown.")
            ),
        ),
        (
            {"video_url": FILM, "media_type": "VIDEO"},
            _draft_error(
                *("Invalid parameter", 100, 2207067, "Media type is no longer supported"),
                "The VIDEO value for media_type is no longer supported. Use the REELS media type to publish a video.",
            ),
        ),
        (
            {"video_url": FILM, "media_type": "REELS", "is_carousel_item": True},
            _draft_error(
                *("Invalid parameter", 100, None, "Invalid carousel item"),
                "Media of the type REELS cannot be an item of a carousel.",
            ),
        ),
        (
            {"image_url": NOWHERE},
            _draft_error(
                *("Only photo or video can be accepted as media type.", 9004, 2207052),
                "Media download has failed. The media URI doesn't meet our requirements.",
                f"The media could not be fetched from this URI: {NOWHERE}.",
            ),
        ),
        (
            {"video_url": NOWHERE},
            _draft_error(
                *("Only photo or video can be accepted as media type.", 9004, 2207052),
                "Media download has failed. The media URI doesn't meet our requirements.",
                f"The media could not be fetched from this URI: {NOWHERE}.",
            ),
        ),
        (
            {"video_url": FILM, "cover_url": f"{SITE}/blink.mp4"},
            _draft_error(
                *("Only photo or video can be accepted as media type.", 9004, 2207052),
                "Media download has failed. The media URI doesn't meet our requirements.",
                f"The media could not be fetched from this URI: {SITE}/blink.mp4.",
            ),
        ),
        (
            {"image_url": f"{SITE}/lamp.png"},
            _draft_error(
                *("The image format is not supported.", 36001, 2207005, "Invalid Image Format"),
                "The image format is not supported. Supported formats are JPEG.",
            ),
        ),
        (
            {"image_url": f"{SITE}/huge.jpg"},
            _draft_error(
                *("The image size is too large.", 36000, 2207004, "Image size too large"),
                "The image is too large to download. It should be less than 8 MiB.",
            ),
        ),
        (
            {"image_url": f"{SITE}/tall.jpg"},
            _draft_error(
                *("The aspect ratio is not supported.", 36003, 2207009, "Invalid aspect ratio"),
                "The submitted image with aspect ratio 0.62 cannot be published."
                " Please submit an image with a valid aspect ratio.",
            ),
        ),
        (
            {"image_url": LAMP, "caption": "x" * 2201},
            _draft_error(
                *(CAPTION, 36004, 2207010, "Caption too long"),
                "The submitted image's caption was 2201 characters long. The maximum number of characters permitted"
                " for a caption is 2200. Please submit media with a shorter caption.",
            ),
        ),
        (
            {"image_url": LAMP, "caption": "#a " * 31},
            _draft_error(
                *("Invalid parameter", 100, 2207040, "Too many tags"),
                "Cannot use more than 30 tags per created media.",
            ),
        ),
        (
            {"image_url": LAMP, "caption": "@a " * 21},
            _draft_error(
                *("Invalid parameter", 100, 2207040, "Too many tags"),
                "Cannot use more than 20 tags per created media.",
            ),
        ),
    ],
)
def test_what_becomes_no_draft_is_told_in_the_api_s_words(
    instagram: LocalApp, arguments: dict[str, Any], error: Any
) -> None:
    assert refused(instagram, "CREATE_MEDIA_CONTAINER", ig_user_id="me", **arguments) == (DRAFT, error)


@pytest.mark.fact("no-container")
@pytest.mark.fact("not-ready")
@pytest.mark.fact("carousel")
def test_what_cannot_be_published_is_told_in_the_api_s_words(instagram: LocalApp, data: Data) -> None:
    def draft(**more: Any) -> str:
        return str(data("CREATE_MEDIA_CONTAINER", ig_user_id="me", **more)["id"])

    def published(creation_id: str) -> Any:
        doing, error = refused(instagram, "CREATE_POST", ig_user_id="me", creation_id=creation_id)
        assert doing == "Failed to create post (status 400)."
        return error

    def album(*children: str) -> Any:
        doing, error = refused(instagram, "CREATE_CAROUSEL_CONTAINER", ig_user_id="me", children=list(children))
        assert doing == "Failed to create carousel container (status 400)."
        return error

    item, alone, film = draft(image_url=LAMP, is_carousel_item=True), draft(image_url=LAMP), draft(video_url=FILM)
    gone = "The requested resource does not exist"

    assert published(item) == _error("(#100) A carousel item cannot be published by itself", 100)
    assert published("1") == _draft_error(
        *(gone, 24, 2207008, "Media Builder Not Found"),
        "The media builder with creation id = 1 does not exist or has been expired.",
    )
    waiting = _draft_error(
        *("Media ID is not available", 9007, 2207027, "Cannot Publish"),
        "The media is not ready for publishing, please wait for a moment",
    )
    assert published(film) == album(item, film) == waiting
    assert album(item, alone) == _draft_error(
        *("Invalid parameter", 100, None, "Invalid carousel item"),
        f"The container {alone} was not created as an item of a carousel.",
    )
    assert (
        album(item)
        == album()
        == _draft_error(
            *("Invalid parameter", 100, 2207028, "Carousel not supported"),
            "Your post won't work as a carousel. Carousels need at least 2 photos/videos and no more than"
            " 10 photos/videos.",
        )
    )
    data("CREATE_POST", ig_user_id="me", creation_id=alone)
    assert published(alone) == _draft_error(
        *(gone, 24, 2207006, "Media Not Found"), f"The media with {alone} cannot be found"
    )
    assert data("GET_POST_STATUS", creation_id=alone) == {
        "id": alone,
        "status_code": "PUBLISHED",
        "status": "Published: Media has been successfully published.",
    }
    assert data("GET_POST_STATUS", creation_id=film) == {
        "id": film,
        "status_code": "IN_PROGRESS",
        "status": "In Progress: Media is still being processed.",
    }
    instagram.episode.db.execute("UPDATE containers SET created_ms = ?", NOW_MS - 24 * HOUR_MS)
    assert data("GET_POST_STATUS", creation_id=item) == {
        "id": item,
        "status_code": "EXPIRED",
        "status": "Expired: The container was not published within 24 hours and has expired.",
    }
    # A post stays published, however long its draft would have lived.
    assert data("GET_POST_STATUS", creation_id=alone)["status_code"] == "PUBLISHED"


@pytest.mark.fact("limit")
def test_too_many_posts_of_a_day_are_told_in_the_api_s_words(instagram: LocalApp, data: Data) -> None:
    creation = data("CREATE_MEDIA_CONTAINER", ig_user_id="me", image_url=LAMP)["id"]
    own: dict[str, Any] = {"ig_user_id": ACCOUNT, "media_type": "IMAGE", "media_url": LAMP, "created_ms": NOW_MS}
    for number in range(99):
        instagram.episode.db.insert("media", media_id=f"1{number}", shortcode=f"D{number}", **own)

    doing, error = refused(instagram, "CREATE_POST", ig_user_id="me", creation_id=creation)

    assert doing == "Failed to create post (status 400)."
    assert error == _draft_error(
        *("Application request limit reached", 9, 2207042, "Publishing limit reached"),
        "You reached maximum number of posts that is allowed to be published by Content Publishing API.",
    )


@pytest.mark.fact("reply-limits")
@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("x" * 301, "The comment is longer than 300 characters."),
        ("#a #b #c #d #e", "The comment has more than 4 hashtags."),
        ("https://a.example www.b.example", "The comment has more than 1 URL."),
        ("THANKS", "The comment consists of capital letters only."),
        ("#A #B #C #D #E " + "X" * 300, "The comment is longer than 300 characters."),
    ],
)
def test_an_answer_that_does_not_fit_is_told_why(instagram: LocalApp, message: str, problem: str) -> None:
    said = refused(instagram, "REPLY_TO_COMMENT", ig_comment_id=PRAISE, message=message)

    error = _draft_error("Invalid parameter", 100, None, "Comment not allowed", problem)
    assert said == ("Failed to reply to comment (status 400).", error)


@pytest.mark.fact("unconnected")
@pytest.mark.parametrize(
    ("tool", "arguments", "doing"),
    [
        ("GET_USER_INFO", {}, "get user info"),
        ("CREATE_POST", {"ig_user_id": "me", "creation_id": "1"}, "create post"),
        ("REPLY_TO_COMMENT", {"ig_comment_id": PRAISE, "message": "hi"}, "reply to comment"),
        ("SEND_IMAGE", {"recipient_id": BO, "image_url": LAMP}, "send image"),
        ("GET_POST_INSIGHTS", {"ig_post_id": REEL}, "get post insights"),
    ],
)
def test_without_a_token_nothing_can_be_parsed(
    instagram: LocalApp, tool: str, arguments: dict[str, str], doing: str
) -> None:
    instagram.episode.db.execute("DELETE FROM connections")

    error = _error("Invalid OAuth access token - Cannot parse access token", 190)
    assert refused(instagram, tool, **arguments) == (f"Failed to {doing} (status 400).", error)
