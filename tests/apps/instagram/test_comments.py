"""Comments on posts, and answers to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import (
    ACCOUNT,
    ANSWER,
    BO,
    ELSEWHERE,
    NOW_MS,
    PHOTO,
    PRAISE,
    QUESTION,
    REEL,
    Refusal,
)

Data = Callable[..., Any]


@pytest.mark.fact("comments")
def test_comments_come_newest_first_with_their_answers(data: Data) -> None:
    assert data("GET_POST_COMMENTS", ig_post_id=PHOTO) == {
        "data": [
            {
                "id": PRAISE,
                "text": "Beautiful!",
                "username": "cy_at_night",
                "timestamp": "2026-03-07T11:00:00+0000",
                "like_count": 2,
            },
            {
                "id": QUESTION,
                "text": "Does it dim?",
                "username": "bo.reads",
                "timestamp": "2026-03-07T09:00:00+0000",
                "like_count": 0,
                "replies": {
                    "data": [{"timestamp": "2026-03-07T10:00:00+0000", "text": "@bo.reads It does.", "id": ANSWER}]
                },
            },
        ]
    }
    assert data("GET_POST_COMMENTS", ig_post_id=REEL) == {"data": []}


@pytest.mark.fact("paging")
def test_pages_of_comments_tell_only_what_follows(data: Data) -> None:
    first = data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=1)
    second = data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=1, after=first["paging"]["cursors"]["after"])

    assert set(first["paging"]) == {"cursors", "next"}
    assert set(first["paging"]["cursors"]) == {"after"}
    assert [each["id"] for each in second["data"]] == [QUESTION]
    assert "paging" not in second


@pytest.mark.fact("reply")
@pytest.mark.parametrize("answered", [QUESTION, ANSWER])
def test_an_answer_stands_under_the_comment_that_began_it(instagram: LocalApp, data: Data, answered: str) -> None:
    made = data("REPLY_TO_COMMENT", ig_comment_id=answered, message="To one per cent.")

    (question,) = [each for each in data("GET_POST_COMMENTS", ig_post_id=PHOTO)["data"] if each["id"] == QUESTION]
    assert [each["id"] for each in question["replies"]["data"]] == [ANSWER, made["id"]]
    kept = instagram.episode.db.one("SELECT user_id, parent_id FROM comments WHERE comment_id = ?", made["id"])
    assert kept == {"user_id": ACCOUNT, "parent_id": QUESTION}
    assert set(instagram.changes()) == {"comments"}


@pytest.mark.fact("reply-limits")
@pytest.mark.parametrize(
    ("fitting", "too_much"),
    [
        ("x" * 300, "x" * 301),
        ("#a #b #c #d", "#a #b #c #d #e"),
        ("see https://a.example", "see https://a.example and https://b.example"),
        ("OK, thanks", "THANKS 2"),
        ("谢谢 OK", "OK 2!"),
        ("12:30", ""),
    ],
)
def test_an_answer_has_limits(data: Data, refusal: Refusal, fitting: str, too_much: str) -> None:
    assert refusal("REPLY_TO_COMMENT", ig_comment_id=PRAISE, message=too_much) == (100, None, 400)
    assert data("REPLY_TO_COMMENT", ig_comment_id=PRAISE, message=fitting)["id"]


@pytest.mark.fact("foreign")
@pytest.mark.parametrize("comment", [ELSEWHERE, PHOTO, "", "1"])
def test_a_comment_on_another_accounts_post_cannot_be_answered(refusal: Refusal, comment: str) -> None:
    assert refusal("REPLY_TO_COMMENT", ig_comment_id=comment, message="hi") == (100, 33, 400)


@pytest.mark.fact("comments")
def test_a_page_of_comments_has_fifty_at_most(instagram: LocalApp, data: Data) -> None:
    own: dict[str, Any] = {"media_id": PHOTO, "user_id": BO, "text": "again", "created_ms": NOW_MS - 1}
    for number in range(60):
        instagram.episode.db.insert("comments", comment_id=f"178{number:014}", **own)

    first = data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=100)
    assert len(first["data"]) == 50
    rest = data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=100, after=first["paging"]["cursors"]["after"])
    assert (len(rest["data"]), "paging" in rest) == (12, False)
