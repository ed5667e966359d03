"""Posts, comments and flairs whole, as they are shown to whom: what is usual stands in the recorded bodies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.reddit.conftest import (
    ANSWER,
    BO,
    CY,
    DISCUSSION,
    FIRST,
    LAMPS,
    LINK,
    LONELY,
    ME,
    NEWS,
    NOW_S,
    SECOND,
    TOP,
    comment,
    post,
    rows,
)

Start = Callable[..., LocalApp]
BODIES = Path(__file__).parent / "bodies"
OF_AUTHOR = (
    "author_fullname",
    "author_flair_template_id",
    "author_flair_richtext",
    "author_flair_type",
    "author_premium",
    "author_patreon_flair",
)


def recorded_post() -> dict[str, Any]:
    body = json.loads((BODIES / "REDDIT_RETRIEVE_REDDIT_POST.plain.json").read_text("utf-8"))["body"]
    post: dict[str, Any] = body["data"]["posts_list"][0]["data"]
    return post


def seen(reddit: LocalApp, *fullnames: str) -> list[dict[str, Any]]:
    things = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=",".join(fullnames))["data"]["things"]
    return [each["data"] for each in things]


def add(reddit: LocalApp, row: dict[str, Any]) -> None:
    reddit.episode.db.insert(row["table"], **{name: value for name, value in row.items() if name != "table"})


def without(view: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name not in names}


def text_post() -> dict[str, Any]:
    path = f"/r/Lamps/comments/{FIRST}/which_lamp_for_a_desk/"
    html = '<!-- SC_OFF --><div class="md"><p>It should <strong>not</strong> flicker.</p>\n</div><!-- SC_ON -->'
    return recorded_post() | {
        "subreddit": "Lamps",
        "selftext": "It should **not** flicker.",
        "author_fullname": f"t2_{BO}",
        "title": "Which lamp for a desk?",
        "subreddit_name_prefixed": "r/Lamps",
        "link_flair_css_class": "talk",
        "name": f"t3_{FIRST}",
        "link_flair_text_color": "light",
        "upvote_ratio": 0.91,
        "ups": 45,
        "link_flair_text": "Discussion",
        "score": 45,
        "created": float(NOW_S - 7200),
        "domain": "self.Lamps",
        "selftext_html": html,
        "link_flair_template_id": DISCUSSION,
        "subreddit_id": f"t5_{LAMPS}",
        "link_flair_background_color": "#dadada",
        "id": FIRST,
        "author": "bo_lights",
        "num_comments": 3,
        "permalink": path,
        "url": f"https://www.reddit.com{path}",
        "subreddit_subscribers": 1200,
        "created_utc": float(NOW_S - 7200),
    }


@pytest.mark.fact("bodies")
def test_a_text_post_is_shown_whole(reddit: LocalApp) -> None:
    (thing,) = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=f"t3_{FIRST}")["data"]["things"]

    assert thing == {"kind": "t3", "data": text_post()}
    listed = reddit.call("REDDIT_RETRIEVE_REDDIT_POST", subreddit="lamps", size=1)["data"]["posts_list"]
    found = reddit.call("REDDIT_SEARCH_ACROSS_SUBREDDITS", search_query="flicker")["data"]["search_results"]
    assert listed == found["data"]["children"] == [thing]
    names = list(thing["data"])
    assert names.index("link_flair_template_id") == names.index("media_only") + 1


@pytest.mark.fact("bodies")
def test_a_link_and_one_s_own_post_have_what_others_have_not(reddit: LocalApp) -> None:
    link, own = seen(reddit, f"t3_{LINK}", f"t3_{SECOND}")

    path = f"/r/Lamps/comments/{LINK}/a_test_of_ten_lamps/"
    plain = {
        "link_flair_css_class": None,
        "link_flair_text_color": "dark",
        "link_flair_text": None,
        "link_flair_background_color": "",
        "num_comments": 0,
    }
    assert link == without(text_post(), "link_flair_template_id") | plain | {
        "selftext": "",
        "title": "A test of ten lamps",
        "name": f"t3_{LINK}",
        "upvote_ratio": 0.86,
        "ups": 10,
        "score": 10,
        "thumbnail": "default",
        "is_self": False,
        "domain": "lamptests.example",
        "selftext_html": None,
        "url_overridden_by_dest": "https://www.lamptests.example/ten",
        "id": LINK,
        "permalink": path,
        "url": "https://www.lamptests.example/ten",
    }
    path = f"/r/Lamps/comments/{SECOND}/my_own_lamp/"
    assert own == without(text_post(), "link_flair_template_id") | plain | {
        "selftext": "Oak.",
        "author_fullname": f"t2_{ME}",
        "title": "My own lamp",
        "name": f"t3_{SECOND}",
        "upvote_ratio": 1.0,
        "ups": 3,
        "score": 3,
        "selftext_html": '<!-- SC_OFF --><div class="md"><p>Oak.</p>\n</div><!-- SC_ON -->',
        "likes": True,
        "author_flair_text": "night owl",
        "rte_mode": "markdown",
        "id": SECOND,
        "author": "me_here",
        "permalink": path,
        "url": f"https://www.reddit.com{path}",
    }


@pytest.mark.fact("bodies")
def test_what_moderators_set_is_shown_on_a_post(reddit: LocalApp) -> None:
    reddit.episode.db.update(
        "posts",
        {"post_id": FIRST},
        user_id=CY,
        edited_s=NOW_S - 60,
        sticky=2,
        distinguished="moderator",
        is_locked=1,
        spoiler=1,
        ups=1,
        downs=4,
        created_s=NOW_S - 180 * 86_400,
    )
    reddit.episode.db.update(
        "subreddits", {"subreddit_id": LAMPS}, type="restricted", suggested_sort="new", archives_posts=1
    )
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": CY}, flair_text="keeper")
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)

    changed: dict[str, Any] = {
        "author_fullname": f"t2_{CY}",
        "author": "cy_keeps",
        "author_premium": True,
        "author_flair_text": "keeper",
        "edited": float(NOW_S - 60),
        "stickied": True,
        "distinguished": "moderator",
        "locked": True,
        "spoiler": True,
        "thumbnail": "spoiler",
        # More votes against than for are nought points.
        "upvote_ratio": 0.2,
        "ups": 0,
        "score": 0,
        "no_follow": True,
        "created": float(NOW_S - 180 * 86_400),
        "created_utc": float(NOW_S - 180 * 86_400),
        "subreddit_type": "restricted",
        "pwls": None,
        "wls": None,
        "is_crosspostable": False,
        "suggested_sort": "new",
        "can_mod_post": True,
    }
    assert seen(reddit, f"t3_{FIRST}") == [text_post() | changed]
    reddit.episode.db.update("posts", {"post_id": FIRST}, created_s=NOW_S - 180 * 86_400 - 1, over_18=1)
    (older,) = seen(reddit, f"t3_{FIRST}")
    assert (older["archived"], older["over_18"], older["thumbnail"], older["pwls"]) == (True, True, "nsfw", None)


@pytest.mark.fact("bodies")
def test_a_community_for_adults_makes_its_posts_so(reddit: LocalApp) -> None:
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, over_18=1)

    changed = {"pwls": None, "wls": None, "over_18": True, "thumbnail": "nsfw"}
    assert seen(reddit, f"t3_{FIRST}") == [text_post() | changed]


@pytest.mark.fact("deleted")
def test_a_deleted_post_is_shown_without_its_author_and_text(reddit: LocalApp) -> None:
    reddit.episode.db.update("posts", {"post_id": FIRST}, user_id=ME)
    reddit.call("REDDIT_DELETE_REDDIT_POST", id=f"t3_{FIRST}")

    assert seen(reddit, f"t3_{FIRST}") == [
        without(text_post(), *OF_AUTHOR)
        | {
            "selftext": "[deleted]",
            "selftext_html": '<!-- SC_OFF --><div class="md"><p>[deleted]</p>\n</div><!-- SC_ON -->',
            "author": "[deleted]",
            "likes": True,
            "removed_by_category": "deleted",
            "is_crosspostable": False,
            "is_robot_indexable": False,
        }
    ]
    reddit.episode.db.update("posts", {"post_id": LINK}, is_deleted=1)
    (link,) = seen(reddit, f"t3_{LINK}")
    assert (link["selftext"], link["selftext_html"], link["domain"]) == ("", None, "lamptests.example")


@pytest.mark.fact("bodies")
@pytest.mark.parametrize(("ups", "downs", "ratio", "is_quiet"), [(0, 0, 1.0, True), (1, 0, 1.0, True),
                                                                 (2, 0, 1.0, False), (2, 1, 0.67, True)])  # fmt: skip
def test_what_a_post_s_votes_come_to(reddit: LocalApp, ups: int, downs: int, ratio: float, is_quiet: bool) -> None:
    reddit.episode.db.update("posts", {"post_id": FIRST}, ups=ups, downs=downs)

    (post,) = seen(reddit, f"t3_{FIRST}")
    assert (post["score"], post["upvote_ratio"], post["no_follow"]) == (ups - downs, ratio, is_quiet)


@pytest.mark.fact("submit")
@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Which lamp?", "which_lamp"),
        ("A - B", "a_b"),
        ("__a__b__", "a_b"),
        ("It's 5 o'clock", "its_5_oclock"),
        ("Ärger über 灯", "ärger_über_灯"),
        ("?!", "_"),
        ("x" * 50, "x" * 50),
        ("x" * 51, "x" * 50),
        (f"{'x' * 49} y", f"{'x' * 49}"),
        (f"{'x' * 50} y", "x" * 50),
        ("ab " * 20, "ab_" * 15 + "ab"),
    ],
)
def test_the_words_of_an_address_are_those_of_the_title(reddit: LocalApp, title: str, words: str) -> None:
    reddit.episode.db.update("posts", {"post_id": FIRST}, title=title)

    assert seen(reddit, f"t3_{FIRST}")[0]["permalink"] == f"/r/Lamps/comments/{FIRST}/{words}/"


def plain_comment() -> dict[str, Any]:
    """Return what is usual of a comment: what the recorded tree has of one that no moderator sees."""
    return {
        "author_flair_background_color": None,
        "subreddit_id": f"t5_{LAMPS}",
        "approved_at_utc": None,
        "author_is_blocked": False,
        "comment_type": None,
        "awarders": [],
        "mod_reason_by": None,
        "banned_by": None,
        "author_flair_type": "text",
        "total_awards_received": 0,
        "subreddit": "Lamps",
        "author_flair_template_id": None,
        "likes": None,
        "replies": "",
        "user_reports": [],
        "saved": False,
        "id": TOP,
        "banned_at_utc": None,
        "mod_reason_title": None,
        "gilded": 0,
        "archived": False,
        "collapsed_reason_code": None,
        "no_follow": False,
        "author": "bo_lights",
        "can_mod_post": False,
        "send_replies": True,
        "parent_id": f"t3_{FIRST}",
        "score": 8,
        "author_fullname": f"t2_{BO}",
        "removal_reason": None,
        "approved_by": None,
        "mod_note": None,
        "all_awardings": [],
        "collapsed": False,
        "body": "Mine hums.",
        "edited": False,
        "top_awarded_type": None,
        "author_flair_css_class": None,
        "name": f"t1_{TOP}",
        "is_submitter": True,
        "downs": 0,
        "author_flair_richtext": [],
        "author_patreon_flair": False,
        "body_html": '<div class="md"><p>Mine hums.</p>\n</div>',
        "gildings": {},
        "collapsed_reason": None,
        "distinguished": None,
        "associated_award": None,
        "stickied": False,
        "author_premium": False,
        "can_gild": False,
        "link_id": f"t3_{FIRST}",
        "unrepliable_reason": None,
        "author_flair_text_color": None,
        "score_hidden": False,
        "permalink": f"/r/Lamps/comments/{FIRST}/which_lamp_for_a_desk/{TOP}/",
        "subreddit_type": "public",
        "locked": False,
        "report_reasons": None,
        "created": float(NOW_S - 3600),
        "author_flair_text": None,
        "treatment_tags": [],
        "created_utc": float(NOW_S - 3600),
        "subreddit_name_prefixed": "r/Lamps",
        "controversiality": 0,
        "collapsed_because_crowd_control": None,
        "mod_reports": [],
        "num_reports": None,
        "ups": 8,
    }


def own_comment() -> dict[str, Any]:
    here = '<a href="https://lamps.example/hum">here</a>'
    return plain_comment() | {
        "likes": True,
        "id": ANSWER,
        "no_follow": True,
        "author": "me_here",
        "rte_mode": "markdown",
        "parent_id": f"t1_{TOP}",
        "score": 1,
        "author_fullname": f"t2_{ME}",
        "body": "So does mine, see [here](https://lamps.example/hum).",
        "name": f"t1_{ANSWER}",
        "is_submitter": False,
        "body_html": f'<div class="md"><p>So does mine, see {here}.</p>\n</div>',
        "permalink": f"/r/Lamps/comments/{FIRST}/which_lamp_for_a_desk/{ANSWER}/",
        "author_flair_text": "night owl",
        "ups": 1,
    }


@pytest.mark.fact("tree")
def test_a_tree_is_shown_whole(reddit: LocalApp) -> None:
    body = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=FIRST.upper())

    answers = {
        "kind": "Listing",
        "data": {
            "after": None,
            "dist": None,
            "modhash": None,
            "geo_filter": "",
            "children": [{"kind": "t1", "data": own_comment() | {"depth": 1}}],
            "before": None,
        },
    }
    gone = without(plain_comment(), *OF_AUTHOR) | {
        "id": LONELY,
        "no_follow": True,
        "author": "[deleted]",
        "score": -1,
        "body": "first",
        "name": f"t1_{LONELY}",
        "is_submitter": False,
        "body_html": '<div class="md"><p>first</p>\n</div>',
        "permalink": f"/r/Lamps/comments/{FIRST}/which_lamp_for_a_desk/{LONELY}/",
        "depth": 0,
        "ups": -1,
    }
    assert body["data"] == {
        "comments": [
            {"kind": "t1", "data": plain_comment() | {"replies": answers, "depth": 0}},
            {"kind": "t1", "data": gone},
        ]
    }
    assert seen(reddit, f"t1_{ANSWER}", f"t1_{TOP}") == [own_comment(), plain_comment()]


@pytest.mark.fact("bodies")
def test_what_moderators_set_and_voters_say_is_shown_on_a_comment(reddit: LocalApp) -> None:
    reddit.episode.db.update(
        "comments",
        {"comment_id": TOP},
        user_id=CY,
        edited_s=NOW_S - 60,
        sticky=1,
        distinguished="moderator",
        ups=2,
        downs=7,
    )
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": CY}, flair_text="keeper")
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)
    reddit.episode.db.insert("votes", fullname=f"t1_{TOP}", user_id=ME, direction=-1)

    assert seen(reddit, f"t1_{TOP}") == [
        plain_comment()
        | {
            "likes": False,
            "author": "cy_keeps",
            "author_fullname": f"t2_{CY}",
            "author_premium": True,
            "author_flair_text": "keeper",
            "is_submitter": False,
            "can_mod_post": True,
            "edited": float(NOW_S - 60),
            "stickied": True,
            "distinguished": "moderator",
            "score": -5,
            "ups": -5,
            "no_follow": True,
            "collapsed": True,
            "collapsed_reason": "comment score below threshold",
            "collapsed_reason_code": "LOW_SCORE",
        }
    ]
    reddit.episode.db.update("comments", {"comment_id": TOP}, downs=6)
    (higher,) = seen(reddit, f"t1_{TOP}")
    assert (higher["score"], higher["collapsed"], higher["collapsed_reason"]) == (-4, False, None)


@pytest.mark.fact("bodies")
@pytest.mark.parametrize(
    ("ups", "downs", "told"),
    [(3, 3, 0), (4, 3, 1), (6, 4, 1), (4, 6, 1), (61, 39, 0), (39, 61, 0), (7, 0, 0), (0, 0, 0)],
)
def test_a_comment_is_controversial_where_seven_are_divided(reddit: LocalApp, ups: int, downs: int, told: int) -> None:
    reddit.episode.db.update("comments", {"comment_id": TOP}, ups=ups, downs=downs)

    (shown,) = seen(reddit, f"t1_{TOP}")
    assert (shown["controversiality"], shown["no_follow"]) == (told, ups - downs < 3)


@pytest.mark.fact("deleted")
def test_a_deleted_comment_is_shown_without_its_author_and_text(reddit: LocalApp) -> None:
    reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{ANSWER}")

    assert seen(reddit, f"t1_{ANSWER}") == [
        without(own_comment(), *OF_AUTHOR, "rte_mode")
        | {
            "author": "[deleted]",
            "body": "[deleted]",
            "body_html": '<div class="md"><p>[deleted]</p>\n</div>',
            "author_flair_text": None,
            "collapsed": True,
            "collapsed_reason_code": "DELETED",
        }
    ]


@pytest.mark.fact("hidden-score")
@pytest.mark.parametrize(("age_s", "is_hidden"), [(3599, True), (3600, False)])
def test_scores_are_hidden_for_as_many_minutes_as_the_community_says(
    reddit: LocalApp, age_s: int, is_hidden: bool
) -> None:
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, score_hide_minutes=60)
    reddit.episode.db.update("comments", {"comment_id": TOP}, created_s=NOW_S - age_s)

    (shown,) = seen(reddit, f"t1_{TOP}")
    assert (shown["score_hidden"], shown["score"]) == (is_hidden, 1 if is_hidden else 8)
    # What follows from the score is told all the same.
    assert shown["no_follow"] is False


@pytest.mark.fact("flairs")
def test_a_flair_is_shown_whole(reddit: LocalApp) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)
    reddit.episode.db.update("link_flairs", {"flair_id": NEWS}, text_editable=1)

    flairs = reddit.call("REDDIT_GET_USER_FLAIR", subreddit="LAMPS")["data"]["flair_list"]

    usual = {"type": "text", "allowable_content": "all", "max_emojis": 10, "richtext": []}
    assert flairs == [
        {
            **usual,
            "text_editable": False,
            "text": "Discussion",
            "text_color": "light",
            "mod_only": False,
            "css_class": "talk",
            "background_color": "#dadada",
            "id": DISCUSSION,
        },
        {
            **usual,
            "text_editable": True,
            "text": "Announcement",
            "text_color": "dark",
            "mod_only": True,
            "css_class": "",
            "background_color": "",
            "id": NEWS,
        },
    ]


@pytest.mark.fact("flairs")
def test_who_moderates_sees_flairs_where_members_do_not_choose(reddit: LocalApp) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": "2link", "user_id": ME}, is_moderator=1)

    flairs = reddit.call("REDDIT_GET_USER_FLAIR", subreddit="LampNews")["data"]["flair_list"]

    assert [each["text"] for each in flairs] == ["Link"]


@pytest.mark.fact("best")
@pytest.mark.parametrize(
    ("sort", "order"),
    [
        # Votes for and against: a 60/40, b 9/1, c 2/0, d 1/0, e 0/0, f 10/90.
        (None, "bcadfe"),
        ("confidence", "bcadfe"),
        ("qa", "bcadfe"),
        ("top", "abcdef"),
        ("new", "fedcba"),
        ("old", "abcdef"),
        ("controversial", "afbcde"),
    ],
)
def test_comments_come_as_the_community_suggests(start: Start, sort: str | None, order: str) -> None:
    votes = {"a": (60, 40), "b": (9, 1), "c": (2, 0), "d": (1, 0), "e": (0, 0), "f": (10, 90)}
    made = [
        comment(f"o9{name}", name, under=SECOND, ups=ups, downs=downs, created_s=NOW_S - 600 + ord(name))
        for name, (ups, downs) in votes.items()
    ]
    reddit = start("reddit", rows=[*rows(), *made], me="me")
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, suggested_sort=sort)

    things = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=SECOND)["data"]["comments"]

    assert "".join(each["data"]["body"] for each in things) == order


@pytest.mark.fact("deleted")
def test_deleted_comments_go_from_below_until_one_is_left(start: Start) -> None:
    chain = [
        comment(f"o8{n}", f"c{n}", under=SECOND, parent_id=f"o8{n - 1}" if n else None, is_deleted=int(n > 0))
        for n in range(4)
    ]
    reddit = start("reddit", rows=[*rows(), *chain], me="me")

    (first,) = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=SECOND)["data"]["comments"]
    assert (first["data"]["body"], first["data"]["replies"]) == ("c0", "")
    reddit.episode.db.update("comments", {"comment_id": "o83"}, is_deleted=0)
    (first,) = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=SECOND)["data"]["comments"]
    bodies = []
    while first:
        bodies.append(first["data"]["body"])
        first = first["data"]["replies"]["data"]["children"][0] if first["data"]["replies"] else None
    assert bodies == ["c0", "[deleted]", "[deleted]", "c3"]


@pytest.mark.fact("more")
def test_answers_that_are_not_shown_are_counted_with_all_below_them(start: Start) -> None:
    many = [comment(f"o2{n:05}", f"c{n}", under=SECOND, ups=1000 - n, downs=0) for n in range(199)]
    low: dict[str, Any] = {"under": SECOND, "ups": 0, "downs": 50}
    below = [
        comment("o3a", "a", **low),
        comment("o3b", "b", parent_id="o3a", **low),
        comment("o3c", "c", parent_id="o3b", **low),
        comment("o3d", "d", parent_id="o3a", **low),
        comment("o3e", "e", **low),
    ]
    reddit = start("reddit", rows=[*rows(), *many, *below], me="me")

    things = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=SECOND)["data"]["comments"]

    # One of the low ones has the two hundredth place.
    assert len(things) == 201
    assert things[199]["data"]["id"] == "o3a"
    assert things[199]["data"]["replies"]["data"]["children"] == [
        {
            "kind": "more",
            "data": {
                "count": 3,
                "name": "t1_o3b",
                "id": "o3b",
                "parent_id": "t1_o3a",
                "depth": 1,
                "children": ["o3b", "o3d"],
            },
        }
    ]
    assert things[200] == {
        "kind": "more",
        "data": {
            "count": 1,
            "name": "t1_o3e",
            "id": "o3e",
            "parent_id": f"t3_{SECOND}",
            "depth": 0,
            "children": ["o3e"],
        },
    }


@pytest.mark.fact("pace")
@pytest.mark.parametrize(
    ("ago_s", "left"),
    [(0, "10 minutes"), (1, "9 minutes"), (480, "2 minutes"), (539, "1 minute"), (540, "1 minute"),
     (541, "59 seconds"), (598, "2 seconds"), (599, "1 second"), (600, None), (601, None)],
)  # fmt: skip
def test_how_long_to_wait_is_told_in_words(start: Start, ago_s: int, left: str | None) -> None:
    mine = comment("o7a", "x", user=ME, under=SECOND, created_s=NOW_S - ago_s)
    newcomer = [row for row in rows() if row["table"] != "standings" or row["user_id"] != ME]
    reddit = start("reddit", rows=[*newcomer, mine], me="me")

    said = reddit.result("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{FIRST}", text="hi")["content"][0]["text"]

    body = json.loads(said)
    if left is None:
        assert body["successful"]
        return
    words = f"Looks like you've been doing that a lot. Take a break for {left} before trying again."
    assert body == {
        "successful": False,
        "data": {"json": {"ratelimit": float(600 - ago_s), "errors": [["RATELIMIT", words, "ratelimit"]]}},
        "error": f"RATELIMIT: {words}",
    }


@pytest.mark.fact("pace")
@pytest.mark.parametrize(
    ("standing", "waits"),
    [({}, True), ({"comment_karma": 1}, False), ({"comment_karma": 0, "link_karma": 99}, True),
     ({"is_moderator": 1}, False), ({"is_contributor": 1}, False)],
)  # fmt: skip
def test_who_is_known_in_a_community_comments_at_once(start: Start, standing: dict[str, int], waits: bool) -> None:
    mine = comment("o7a", "x", user=ME, under=SECOND, created_s=NOW_S - 5)
    others = [row for row in rows() if row["table"] != "standings" or row["user_id"] != ME]
    own = {"table": "standings", "subreddit_id": LAMPS, "user_id": ME, **standing}
    reddit = start("reddit", rows=[*others, own, mine], me="me")

    body = json.loads(
        reddit.result("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{FIRST}", text="hi")["content"][0]["text"]
    )

    assert body["successful"] is not waits


@pytest.mark.fact("pace")
def test_what_others_wrote_and_what_is_in_communities_where_one_is_known_does_not_count(start: Start) -> None:
    theirs = comment("o7a", "x", user=BO, under=SECOND, created_s=NOW_S - 5)
    known = [
        post("1rclub1", "Club", subreddit="2club"),
        comment("o7b", "x", user=ME, under="1rclub1", created_s=NOW_S - 5),
        {"table": "standings", "subreddit_id": "2club", "user_id": ME, "comment_karma": 5},
    ]
    others = [row for row in rows() if row["table"] != "standings" or row["user_id"] != ME]
    reddit = start("reddit", rows=[*others, theirs, *known], me="me")

    made = reddit.call("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{FIRST}", text="hi")["data"]["json"]

    assert made["errors"] == []


@pytest.mark.fact("comment")
def test_what_is_kept_of_a_comment_and_a_post(reddit: LocalApp) -> None:
    made = reddit.call("REDDIT_POST_REDDIT_COMMENT", thing_id=f" t1_{ANSWER} ", text=" Yes.\n")["data"]["json"]
    post_id = reddit.call(
        "REDDIT_CREATE_REDDIT_POST",
        subreddit="Lamps",
        title="A  title ",
        flair_id=DISCUSSION,
        kind="link",
        text="x",
        url=" HTTPS://oak.example ",
    )["data"]["json"]["data"]["id"]

    usual: dict[str, Any] = {"user_id": ME, "ups": 1, "downs": 0, "edited_s": None, "sticky": 0, "distinguished": None}
    assert [change["new"] for change in reddit.changes()["comments"]] == [
        {
            **usual,
            "comment_id": made["data"]["things"][0]["data"]["id"],
            "post_id": FIRST,
            "parent_id": ANSWER,
            "body": " Yes.\n",
            "created_s": NOW_S,
            "is_deleted": 0,
        }
    ]
    assert [change["new"] for change in reddit.changes()["posts"]] == [
        {
            **usual,
            "post_id": post_id,
            "subreddit_id": LAMPS,
            "kind": "link",
            "title": "A title",
            "text": "x",
            "url": "HTTPS://oak.example",
            "flair_id": DISCUSSION,
            "created_s": NOW_S,
            "is_locked": 0,
            "over_18": 0,
            "spoiler": 0,
            "is_deleted": 0,
        }
    ]
