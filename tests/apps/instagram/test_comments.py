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


@pytest.mark.fact("reply")
def test_what_is_kept_of_an_answer_is_under_which_comment_it_stands(instagram: LocalApp, data: Data) -> None:
    made = data("REPLY_TO_COMMENT", ig_comment_id=ANSWER, message=" To one per cent.\n")

    (change,) = instagram.changes()["comments"]
    assert change["new"] == {
        "comment_id": made["id"],
        "media_id": PHOTO,
        "parent_id": QUESTION,
        "user_id": ACCOUNT,
        "text": " To one per cent.\n",
        "like_count": 0,
        "created_ms": NOW_MS,
    }
    assert (set(made), len(made["id"]), made["id"].isdecimal()) == ({"id"}, 17, True)


@pytest.mark.fact("paging")
def test_the_next_page_of_comments_asks_for_the_same_with_a_cursor(data: Data) -> None:
    paging = data("GET_POST_COMMENTS", ig_post_id=PHOTO, limit=1, graph_api_version="v22.0")["paging"]

    asked = f"{PHOTO}/comments?fields=id%2Ctext%2Cusername%2Ctimestamp%2Clike_count%2Creplies&limit=1"
    after = paging["cursors"]["after"]
    assert paging["next"] == f"https://graph.instagram.com/v22.0/{asked}&after={after}"


@pytest.mark.fact("comments")
def test_a_page_of_comments_has_25_unless_more_are_asked_for(instagram: LocalApp, data: Data) -> None:
    own: dict[str, Any] = {"media_id": PHOTO, "user_id": BO, "text": "again", "created_ms": NOW_MS - 1}
    for number in range(60):
        instagram.episode.db.insert("comments", comment_id=f"178{number:014}", **own)

    pages = [data("GET_POST_COMMENTS", ig_post_id=PHOTO, **more) for more in ({}, {"limit": 50}, {"limit": 51})]
    assert [len(page["data"]) for page in pages] == [25, 50, 50]
    assert pages[0]["data"][0]["id"] == "17800000000000059"


@pytest.mark.fact("reply-limits")
@pytest.mark.parametrize(
    "message",
    ["a#b c#d e#f g#h i#j #k #l #m #n", "www.a.example", "me@www.a.example www.b.example", "Ö k", "…!?"],
)
def test_what_only_looks_like_too_much_is_said(data: Data, message: str) -> None:
    assert data("REPLY_TO_COMMENT", ig_comment_id=PRAISE, message=message)["id"]
