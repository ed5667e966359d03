"""What the tools answer, beside recorded bodies of the API (``tests.apps.real_bodies`` says how)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import ACCOUNT, PHOTO, SITE
from tests.apps.real_bodies import RealBodies

BODIES = RealBodies(
    Path(__file__).parent / "bodies",
    {
        "time": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+0000",
        "id": r"1[78]\d{15}",
        "insight": r"1[78]\d{15}/insights/[a-z_]+/(lifetime|day)",
    },
)
Data = Callable[..., Any]


def _draft(data: Data, **more: Any) -> Any:
    return data("CREATE_MEDIA_CONTAINER", ig_user_id="me", **more)


def _photo(data: Data) -> Any:
    return _draft(data, image_url=f"{SITE}/lamp.jpg")


def _last_page(data: Data) -> Any:
    after = data("GET_USER_MEDIA", limit=1)["paging"]["cursors"]["after"]
    return data("GET_USER_MEDIA", limit=2, after=after)


ASKED: dict[str, Callable[[Data], Any]] = {
    "INSTAGRAM_CREATE_MEDIA_CONTAINER": _photo,
    "INSTAGRAM_CREATE_MEDIA_CONTAINER.video": lambda data: _draft(data, video_url=f"{SITE}/film.mp4"),
    "INSTAGRAM_CREATE_POST": lambda data: data("CREATE_POST", ig_user_id="me", creation_id=_photo(data)["id"]),
    "INSTAGRAM_GET_POST_COMMENTS": lambda data: data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=1),
    "INSTAGRAM_GET_POST_COMMENTS.comment": lambda data: data("GET_POST_COMMENTS", ig_post_id=PHOTO),
    "INSTAGRAM_GET_POST_COMMENTS.last": lambda data: data("GET_POST_COMMENTS", ig_post_id=PHOTO),
    "INSTAGRAM_GET_POST_COMMENTS.replies": lambda data: data("GET_POST_COMMENTS", ig_post_id=PHOTO),
    "INSTAGRAM_GET_POST_INSIGHTS": lambda data: data("GET_POST_INSIGHTS", ig_post_id=PHOTO, metric=["reach", "saved"]),
    "INSTAGRAM_GET_POST_STATUS": lambda data: data("GET_POST_STATUS", creation_id=_photo(data)["id"]),
    "INSTAGRAM_GET_USER_INFO": lambda data: data("GET_USER_INFO"),
    "INSTAGRAM_GET_USER_INSIGHTS": lambda data: data("GET_USER_INSIGHTS"),
    "INSTAGRAM_GET_USER_MEDIA": lambda data: data("GET_USER_MEDIA", limit=2),
    "INSTAGRAM_GET_USER_MEDIA.last": _last_page,
}


@pytest.mark.fact("media")
def test_every_recorded_body_stands_beside_ours() -> None:
    assert BODIES.names() == sorted(ASKED)


@pytest.mark.fact("container")
@pytest.mark.fact("media")
@pytest.mark.parametrize("name", sorted(ASKED))
def test_ours_has_the_form_of_the_real_body(instagram: LocalApp, data: Data, name: str) -> None:
    instagram.episode.db.execute("UPDATE media SET caption = 'Night' WHERE caption = '' AND ig_user_id = ?", ACCOUNT)
    picture = "https://scontent.cdninstagram.com/v/me.jpg"
    instagram.episode.db.execute("UPDATE accounts SET profile_picture_url = ?", picture)
    sample = BODIES.load(name)

    assert BODIES.differences(sample, ASKED[name](data)) == set(sample.get("differences", {}))
