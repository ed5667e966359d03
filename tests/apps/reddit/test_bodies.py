"""What the tools answer, beside bodies of the real service (``tests.apps.real_bodies`` says how)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.testing import LocalApp
from tests.apps.real_bodies import RealBodies
from tests.apps.reddit.conftest import ANSWER, BO, FIRST, LAMPS, ME, SECOND, TOP

BODIES = RealBodies(
    Path(__file__).parent / "bodies",
    {
        "fullname": r"(?P<prefix>t[1-6])_[0-9a-z]{4,8}",
        "id": r"(?=[a-z]*\d)[0-9a-z]{4,8}",
        "frame": r'(?s)(?P<prefix>(<!-- SC_OFF -->)?<div class="md">).*',
        "permalink": r"/r/\w+/comments/[0-9a-z]+/\w+/([0-9a-z]+/)?",
        "colour": r"#[0-9a-f]{6}",
    },
)


def listed(reddit: LocalApp, post_id: str) -> Any:
    reddit.episode.db.execute("DELETE FROM posts WHERE post_id <> ?", post_id)
    reddit.episode.db.update("posts", {"post_id": post_id}, user_id=BO, text="A text.")
    return reddit.call("REDDIT_RETRIEVE_REDDIT_POST", subreddit="Lamps")


def searched(reddit: LocalApp) -> Any:
    reddit.episode.db.update("posts", {"post_id": SECOND}, user_id=BO)
    reddit.episode.db.execute("DELETE FROM posts WHERE post_id <> ?", SECOND)
    body = reddit.call("REDDIT_SEARCH_ACROSS_SUBREDDITS", search_query="lamp")
    # The recorded page is the first of several.
    assert body["data"]["search_results"]["data"]["after"] is None
    body["data"]["search_results"]["data"]["after"] = f"t3_{SECOND}"
    return body


def tree(reddit: LocalApp) -> Any:
    for comment in (TOP, ANSWER):
        reddit.episode.db.update("comments", {"comment_id": comment}, user_id=ME, ups=1, downs=0)
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, flair_text=None)
    body = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=FIRST)
    body["data"]["comments"] = body["data"]["comments"][:1]
    return body


def deleted(reddit: LocalApp) -> Any:
    reddit.episode.db.update("comments", {"comment_id": ANSWER}, parent_id=None)
    reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f"t1_{ANSWER}", text="x")
    reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{ANSWER}")
    return reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=f"t1_{ANSWER}")


def edited(reddit: LocalApp, fullname: str) -> Any:
    reddit.episode.db.update("comments", {"comment_id": ANSWER}, parent_id=None)
    return reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=fullname, text="New text")


CALLS: dict[str, Callable[[LocalApp], Any]] = {
    "REDDIT_CREATE_REDDIT_POST": lambda reddit: reddit.call(
        "REDDIT_CREATE_REDDIT_POST", subreddit="Lamps", title="Test Title", flair_id="", kind="self"
    ),
    "REDDIT_DELETE_REDDIT_COMMENT": lambda reddit: reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{ANSWER}"),
    "REDDIT_DELETE_REDDIT_POST": lambda reddit: reddit.call("REDDIT_DELETE_REDDIT_POST", id=f"t3_{SECOND}"),
    "REDDIT_EDIT_REDDIT_COMMENT_OR_POST": lambda reddit: edited(reddit, f"t1_{ANSWER}"),
    "REDDIT_EDIT_REDDIT_COMMENT_OR_POST.post": lambda reddit: edited(reddit, f"t3_{SECOND}"),
    "REDDIT_GET_USER_FLAIR": lambda reddit: reddit.call("REDDIT_GET_USER_FLAIR", subreddit="Lamps"),
    "REDDIT_POST_REDDIT_COMMENT": lambda reddit: reddit.call(
        "REDDIT_POST_REDDIT_COMMENT", thing_id=f"t1_{TOP}", text="Comment reply"
    ),
    "REDDIT_RETRIEVE_POST_COMMENTS": tree,
    "REDDIT_RETRIEVE_REDDIT_POST": lambda reddit: listed(reddit, FIRST),
    "REDDIT_RETRIEVE_REDDIT_POST.plain": lambda reddit: listed(reddit, SECOND),
    "REDDIT_RETRIEVE_SPECIFIC_COMMENT": deleted,
    "REDDIT_SEARCH_ACROSS_SUBREDDITS": searched,
}


@pytest.mark.fact("bodies")
@pytest.mark.parametrize("name", CALLS)
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(reddit: LocalApp, name: str) -> None:
    sample = BODIES.load(name)

    ours = CALLS[name](reddit)

    assert BODIES.differences(sample, ours) == set(sample["differences"])


@pytest.mark.fact("bodies")
def test_every_tool_stands_beside_a_real_body() -> None:
    assert set(CALLS) == set(BODIES.names())
    assert {BODIES.load(name)["tool"] for name in CALLS} == {tool.name for tool in load_app("reddit").app.tools}
