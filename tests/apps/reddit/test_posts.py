"""A community's front page, its flairs, and submitting."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.reddit.conftest import (
    BO,
    CLUB,
    DISCUSSION,
    ELSEWHERE,
    FIRST,
    HIDDEN,
    LAMPS,
    LINK,
    ME,
    NEWS,
    NOW_S,
    OLD,
    SECOND,
    SECRET,
    Refusal,
    post,
    rows,
)

Start = Callable[..., LocalApp]


def listed(reddit: LocalApp, subreddit: str = "Lamps", **arguments: Any) -> list[str]:
    found = reddit.call("REDDIT_RETRIEVE_REDDIT_POST", subreddit=subreddit, **arguments)["data"]["posts_list"]
    return [each["data"]["id"] for each in found]


def submit(reddit: LocalApp, **arguments: Any) -> Any:
    given = {"subreddit": "Lamps", "title": "A title", "flair_id": "", "kind": "self", **arguments}
    return reddit.call("REDDIT_CREATE_REDDIT_POST", **given)["data"]["json"]["data"]


def thing_data(reddit: LocalApp, fullname: str) -> Any:
    (thing,) = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=fullname)["data"]["things"]
    return thing["data"]


@pytest.mark.fact("envelope")
def test_a_success_is_one_text_with_data_and_a_refusal_one_with_an_error(reddit: LocalApp) -> None:
    done = reddit.result("REDDIT_DELETE_REDDIT_POST", id=f"t3_{SECOND}")
    refused = reddit.result("REDDIT_RETRIEVE_REDDIT_POST", subreddit="nowhere")

    assert json.loads(done["content"][0]["text"]) == {
        "successful": True,
        "successfull": True,
        "error": None,
        "data": {},
    }
    assert json.loads(refused["content"][0]["text"]) == {
        "successful": False,
        "data": {"message": "Not Found", "error": 404},
        "error": "404 Not Found",
    }
    assert (done["isError"], refused["isError"]) == (False, False)


@pytest.mark.fact("arguments")
def test_arguments_that_do_not_fit_are_told_in_one_sentence(reddit: LocalApp) -> None:
    said = reddit.result("REDDIT_CREATE_REDDIT_POST", subreddit=1, title="t", kind="self")

    assert json.loads(said["content"][0]["text"]) == {
        "successful": False,
        "data": {},
        "error": "Invalid request data provided\n- Following fields are missing: {'flair_id'}"
        "\n- Input should be a valid string on parameter `subreddit`",
    }


@pytest.mark.fact("hot")
def test_hot_posts_come_by_score_and_age_with_those_on_top_first(reddit: LocalApp) -> None:
    insert = reddit.episode.db.insert
    old = post("1rolder", "Much liked, a week ago", ups=4000, created_s=NOW_S - 7 * 86_400)
    pinned = post("1rrules", "Rules", sticky=1, created_s=NOW_S - 90 * 86_400)
    for row in (old, pinned):
        insert(row.pop("table"), **row)

    # Ten times the score weighs as much as 12.5 hours.
    assert listed(reddit, "lamps") == ["1rrules", FIRST, LINK, SECOND, "1rolder"]


@pytest.mark.fact("size")
def test_a_page_has_five_posts_or_as_many_as_asked_for(start: Start) -> None:
    many = [post(f"1rm{n:04}", f"Post {n}", created_s=NOW_S - 10 * n) for n in range(120)]
    reddit = start("reddit", rows=[*rows(), *many], me="me")

    assert [len(listed(reddit, size=size)) for size in (3, 0, 500, -2)] == [3, 100, 100, 1]
    assert len(listed(reddit)) == 5


@pytest.mark.fact("everywhere")
def test_popular_lists_every_public_community_and_a_plus_joins_two(reddit: LocalApp) -> None:
    row = post("1rnews1", "News", subreddit="2link", kind="link", url="https://a.example/")
    reddit.episode.db.insert(row.pop("table"), **row)

    assert set(listed(reddit, "popular")) == {FIRST, SECOND, LINK, "1rnews1"}
    assert set(listed(reddit, "lamps+lampnews")) == {FIRST, SECOND, LINK, "1rnews1"}
    assert listed(reddit, "lampnews") == ["1rnews1"]
    assert set(listed(reddit, "lampnews+all")) == {FIRST, SECOND, LINK, "1rnews1"}


@pytest.mark.fact("everywhere")
def test_a_plus_passes_over_what_cannot_be_read_and_names_nothing_twice(reddit: LocalApp) -> None:
    alone = listed(reddit, "lamps")

    assert listed(reddit, "Lamps+lamps") == alone
    assert sorted(listed(reddit, "lamps+lampmakers+badlamps+nowhere")) == sorted(alone)
    assert "404" in reddit.result("REDDIT_RETRIEVE_REDDIT_POST", subreddit="nowhere+neither")["content"][0]["text"]
    assert "403" in reddit.result("REDDIT_RETRIEVE_REDDIT_POST", subreddit="nowhere+lampmakers")["content"][0]["text"]


@pytest.mark.fact("private")
@pytest.mark.parametrize("tool", ["REDDIT_RETRIEVE_REDDIT_POST", "REDDIT_GET_USER_FLAIR"])
def test_communities_that_are_not_there_or_not_for_the_caller_are_refused(
    reddit: LocalApp, refusal: Refusal, tool: str
) -> None:
    assert refusal(tool, subreddit="nowhere") == (404, "Not Found", None)
    assert refusal(tool, subreddit="r/Lamps") == (404, "Not Found", None)
    assert refusal(tool, subreddit="BadLamps") == (404, "Not Found", None)
    assert refusal(tool, subreddit="lampmakers") == (403, "Forbidden", None)


@pytest.mark.fact("private")
def test_members_see_their_private_community(reddit: LocalApp) -> None:
    reddit.episode.db.insert("standings", subreddit_id=SECRET, user_id=ME, is_contributor=1)

    assert listed(reddit, "LampMakers") == [HIDDEN]
    assert thing_data(reddit, f"t3_{HIDDEN}")["subreddit_type"] == "private"


@pytest.mark.fact("flairs")
def test_flairs_are_listed_in_order_without_those_of_moderators(reddit: LocalApp) -> None:
    def flairs(subreddit: str) -> list[str]:
        answer = reddit.call("REDDIT_GET_USER_FLAIR", subreddit=subreddit)
        return [each["id"] for each in answer["data"]["flair_list"]]

    assert flairs("lamps") == [DISCUSSION]
    assert flairs("LampNews") == []
    assert flairs("LampClub") == []
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)
    assert flairs("Lamps") == [DISCUSSION, NEWS]


@pytest.mark.fact("submit")
def test_a_new_post_is_answered_with_its_address(reddit: LocalApp) -> None:
    title = "  A lamp,\n and   a desk: it's 40 years old — and the switch still works!  "
    made = submit(reddit, title=title, text="Yes.", flair_id=DISCUSSION)

    path = f"/r/Lamps/comments/{made['id']}/a_lamp_and_a_desk_its_40_years_old_and_the_switch/"
    assert made == {
        "url": f"https://www.reddit.com{path}",
        "drafts_count": 0,
        "id": made["id"],
        "name": f"t3_{made['id']}",
    }
    seen = thing_data(reddit, made["name"])
    assert seen["title"] == "A lamp, and a desk: it's 40 years old — and the switch still works!"
    assert (seen["permalink"], seen["url"]) == (path, made["url"])
    assert (seen["link_flair_text"], seen["link_flair_template_id"]) == ("Discussion", DISCUSSION)


@pytest.mark.fact("new-post")
def test_a_new_post_has_its_author_s_vote_and_may_have_no_text(reddit: LocalApp) -> None:
    seen = thing_data(reddit, submit(reddit)["name"])

    assert (seen["score"], seen["ups"], seen["likes"], seen["upvote_ratio"]) == (1, 1, True, 1.0)
    assert (seen["selftext"], seen["selftext_html"], seen["num_comments"]) == ("", None, 0)
    assert (seen["domain"], seen["thumbnail"], seen["edited"]) == ("self.Lamps", "self", False)
    assert seen["created_utc"] == seen["created"] == float(NOW_S)
    assert "link_flair_template_id" not in seen
    assert [change["op"] for change in reddit.changes()["posts"]] == ["insert"]


@pytest.mark.fact("where")
def test_posts_go_only_where_the_caller_may_post_them(refusal: Refusal) -> None:
    def said(subreddit: str, kind: str = "self") -> tuple[Any, str, str | None]:
        given = {"title": "t", "flair_id": "", "kind": kind, "url": "https://a.example"}
        return refusal("REDDIT_CREATE_REDDIT_POST", subreddit=subreddit, **given)

    assert said("") == ("SUBREDDIT_REQUIRED", "you must specify a subreddit", "sr")
    assert said("nowhere") == ("SUBREDDIT_NOEXIST", "that subreddit doesn't exist", "sr")
    assert said("BadLamps") == ("SUBREDDIT_NOEXIST", "that subreddit doesn't exist", "sr")
    assert said("lampclub") == ("SUBREDDIT_NOTALLOWED", "you aren't allowed to post there.", "sr")
    assert said("LampMakers") == ("SUBREDDIT_NOTALLOWED", "you aren't allowed to post there.", "sr")
    assert said("lampnews") == ("NO_SELFS", "that subreddit doesn't allow text posts", "sr")
    assert said("LampHelp", "link") == ("NO_LINKS", "that subreddit only allows text posts", "sr")
    assert said("Lamps", "image") == ("INVALID_OPTION", "that option is not valid", "kind")


@pytest.mark.fact("where")
def test_a_banned_account_posts_nowhere_and_an_approved_one_where_it_is_approved(
    reddit: LocalApp, refusal: Refusal
) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_banned=1)
    reddit.episode.db.insert("standings", subreddit_id="2club", user_id=ME, is_contributor=1)

    given = {"title": "t", "flair_id": "", "kind": "self"}
    with pytest.raises(Exception, match="you aren't allowed to post there"):
        reddit.call("REDDIT_CREATE_REDDIT_POST", subreddit="Lamps", **given)
    assert submit(reddit, subreddit="/r/LampClub")["url"].startswith("https://www.reddit.com/r/LampClub/comments/")


@pytest.mark.fact("title")
def test_a_title_has_up_to_three_hundred_characters(reddit: LocalApp, refusal: Refusal) -> None:
    given = {"subreddit": "Lamps", "flair_id": "", "kind": "self"}

    said = refusal("REDDIT_CREATE_REDDIT_POST", title=" \n", **given)
    assert said == ("NO_TEXT", "we need something here", "title")
    said = refusal("REDDIT_CREATE_REDDIT_POST", title="x" * 301, **given)
    assert said == ("TOO_LONG", "this is too long (max: 300)", "title")
    assert submit(reddit, title="x" * 300)["url"].endswith(f"/{'x' * 50}/")


@pytest.mark.fact("text")
def test_a_post_s_text_has_up_to_forty_thousand_characters(reddit: LocalApp, refusal: Refusal) -> None:
    given = {"subreddit": "Lamps", "title": "t", "flair_id": "", "kind": "self"}

    said = refusal("REDDIT_CREATE_REDDIT_POST", text="x" * 40_001, **given)
    assert said == ("TOO_LONG", "this is too long (max: 40000)", "text")
    assert len(thing_data(reddit, submit(reddit, text="x" * 40_000)["name"])["selftext"]) == 40_000


@pytest.mark.fact("link")
def test_a_link_is_an_address_that_nobody_posted_there_yet(reddit: LocalApp, refusal: Refusal) -> None:
    def said(url: str | None) -> tuple[Any, str, str | None]:
        more = {} if url is None else {"url": url}
        given = {"subreddit": "Lamps", "title": "t", "flair_id": "", "kind": "link", **more}
        return refusal("REDDIT_CREATE_REDDIT_POST", **given)

    assert said(None) == said(" ") == ("NO_URL", "a url is required", "url")
    wrongs = (
        "lamp",
        "javascript:alert(1)",
        "https://",
        "https://a b.example",
        "https://me:word@a.example/",
        "https://a..b",
    )
    for wrong in wrongs:
        assert said(wrong) == ("BAD_URL", "you should check that url", "url")
    taken = ("ALREADY_SUB", "that link has already been submitted", "url")
    assert said("https://www.lamptests.example/ten") == taken

    seen = thing_data(reddit, submit(reddit, kind="link", url="www.oak.example/a?b=1")["name"])
    assert seen["url"] == seen["url_overridden_by_dest"] == "http://www.oak.example/a?b=1"
    assert (seen["domain"], seen["is_self"], seen["selftext"], seen["thumbnail"]) == (
        "oak.example",
        False,
        "",
        "default",
    )


@pytest.mark.fact("where")
@pytest.mark.parametrize("name", ["r/Lamps", "/r/lamps/", " Lamps/ "])
def test_a_community_is_found_by_its_path_when_posting(reddit: LocalApp, name: str) -> None:
    assert thing_data(reddit, submit(reddit, subreddit=name)["name"])["subreddit"] == "Lamps"


@pytest.mark.fact("link-text")
def test_a_link_may_have_a_text_which_goes_with_it(reddit: LocalApp) -> None:
    link = {"kind": "link", "url": "https://oak.example/grain"}
    made = submit(reddit, **link, text="Why *oak*.")

    seen = thing_data(reddit, made["name"])
    assert (seen["is_self"], seen["url"], seen["selftext"]) == (False, "https://oak.example/grain", "Why *oak*.")
    assert seen["selftext_html"] == '<!-- SC_OFF --><div class="md"><p>Why <em>oak</em>.</p>\n</div><!-- SC_ON -->'
    reddit.call("REDDIT_DELETE_REDDIT_POST", id=made["name"])
    gone = thing_data(reddit, made["name"])
    assert (gone["selftext"], gone["url"]) == ("[deleted]", "https://oak.example/grain")


@pytest.mark.fact("text")
def test_the_text_of_a_link_has_the_same_limit(refusal: Refusal) -> None:
    given = {"subreddit": "Lamps", "title": "t", "flair_id": "", "kind": "link", "url": "https://oak.example/grain"}

    told = refusal("REDDIT_CREATE_REDDIT_POST", **given, text="x" * 40_001)
    assert told == ("TOO_LONG", "this is too long (max: 40000)", "text")


@pytest.mark.fact("wanted")
def test_a_community_may_ask_for_flair_and_refuse_words(reddit: LocalApp, refusal: Refusal) -> None:
    def said(**given: str) -> tuple[Any, str, str | None]:
        whole = {"subreddit": "LampHelp", "title": "A hum", "flair_id": "", "kind": "self", **given}
        return refusal("REDDIT_CREATE_REDDIT_POST", **whole)

    assert said() == ("SUBMIT_VALIDATION_FLAIR_REQUIRED", "Your post must contain post flair.", "flair")
    assert said(flair_id=DISCUSSION) == ("BAD_FLAIR_TEMPLATE_ID", "Invalid flair template id", "flair")
    assert said(subreddit="Lamps", flair_id=NEWS)[0] == "BAD_FLAIR_TEMPLATE_ID"
    assert said(subreddit="LampNews", kind="link", url="https://a.example", flair_id=ELSEWHERE)[0] == (
        "BAD_FLAIR_TEMPLATE_ID"
    )

    reddit.episode.db.execute("UPDATE subreddits SET flair_required = 0")
    with pytest.raises(Exception, match='You may not have "help me" in your title'):
        submit(reddit, subreddit="LampHelp", title="Help me!")
    with pytest.raises(Exception, match='You may not have "coupon" in your post body'):
        submit(reddit, subreddit="LampHelp", text="My COUPON does not work")
    assert submit(reddit, subreddit="LampHelp", title="A hum")["drafts_count"] == 0


@pytest.mark.fact("pace")
def test_who_is_new_in_a_community_waits_ten_minutes(reddit: LocalApp, refusal: Refusal) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, link_karma=9)
    reddit.episode.db.update("posts", {"post_id": SECOND}, created_s=NOW_S - 125)

    body = json.loads(
        reddit.result("REDDIT_CREATE_REDDIT_POST", subreddit="Lamps", title="t", flair_id="", kind="self")["content"][
            0
        ]["text"]
    )

    told = "Looks like you've been doing that a lot. Take a break for 7 minutes before trying again."
    assert body["data"] == {"json": {"ratelimit": 475.0, "errors": [["RATELIMIT", told, "ratelimit"]]}}
    assert submit(reddit, subreddit="LampNews", kind="link", url="https://a.example")["drafts_count"] == 0


@pytest.mark.fact("ids")
def test_ids_grow_with_time_and_no_two_are_the_same(reddit: LocalApp) -> None:
    made = [submit(reddit, title=f"Post {n}")["id"] for n in range(3)]

    assert len(set(made)) == 3
    # Between ids that were recorded in March and April 2026, when the app's clock stands.
    assert all(int("1pzzzzz", 36) < int(each, 36) < int("1skjxta", 36) for each in made)


@pytest.mark.fact("gone")
def test_what_is_nobody_s_any_more_has_no_author(reddit: LocalApp) -> None:
    reddit.episode.db.update("users", {"user_id": BO}, is_deleted=1)

    seen = thing_data(reddit, f"t3_{FIRST}")
    assert (seen["author"], seen["selftext"]) == ("[deleted]", "It should **not** flicker.")
    assert not {"author_fullname", "author_premium", "author_flair_richtext"} & seen.keys()


@pytest.mark.fact("private")
def test_a_banned_community_s_posts_are_not_shown(reddit: LocalApp) -> None:
    row = post("1rbad01", "Bad", subreddit=OLD)
    reddit.episode.db.insert(row.pop("table"), **row)

    assert reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id="t3_1rbad01")["data"] == {"things": []}


@pytest.mark.fact("hot")
def test_many_hot_posts_come_in_the_order_of_the_published_formula(start: Start) -> None:
    made = [
        post(f"hot{n:04}", "Many", subreddit=CLUB, ups=1 + n * 7919 % 997, downs=n * 104_729 % 499)
        | {"sticky": int(n == 250), "created_s": NOW_S - n * 15_485_863 % 400_000}
        for n in range(400)
    ]
    reddit = start("reddit", rows=[*rows(), *made], me="me")

    def place(row: dict[str, Any]) -> tuple[int, float, str]:
        score = row["ups"] - row["downs"]
        points = math.copysign(math.log10(max(abs(score), 1)), score)
        hotness = round(points + (row["created_s"] - 1_134_028_003) / 45_000, 7)
        return row["sticky"] or 3, -hotness, row["post_id"]

    expected = [row["post_id"] for row in sorted(made, key=place)]
    for size in (1, 10, 100):
        assert listed(reddit, "LampClub", size=size) == expected[:size]


@pytest.mark.fact("link")
@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("oak.example", "http://oak.example"),
        ("HTTP://Oak.example/A", "HTTP://Oak.example/A"),
        ("https://oak.example./a", "https://oak.example./a"),
        ("https://oak.example:8080/a?b#c", "https://oak.example:8080/a?b#c"),
        (" https://oak.example\n", "https://oak.example"),
        ("ftp://oak.example", None),
        ("mailto:a@oak.example", None),
        ("https://localhost/a", None),
        ("https://.example", None),
        ("https://oak.example/a b", None),
        ("https://[oak.example", None),
        ("https://me@oak.example", None),
    ],
)
def test_which_addresses_can_be_posted(reddit: LocalApp, url: str, kept: str | None) -> None:
    given = {"subreddit": "Lamps", "title": "t", "flair_id": "", "kind": "link", "url": url}
    body = json.loads(reddit.result("REDDIT_CREATE_REDDIT_POST", **given)["content"][0]["text"])

    if kept is None:
        words = "you should check that url"
        assert body == {
            "successful": False,
            "data": {"json": {"errors": [["BAD_URL", words, "url"]]}},
            "error": f"BAD_URL: {words}",
        }
    else:
        assert thing_data(reddit, body["data"]["json"]["data"]["name"])["url"] == kept


@pytest.mark.fact("link")
def test_a_link_is_taken_where_it_is_posted_and_not_deleted(reddit: LocalApp) -> None:
    taken = "https://www.lamptests.example/ten"

    assert submit(reddit, subreddit="LampNews", kind="link", url=taken)["drafts_count"] == 0
    reddit.episode.db.update("posts", {"post_id": LINK}, is_deleted=1)
    assert submit(reddit, kind="link", url=taken)["drafts_count"] == 0
    with pytest.raises(Exception, match="that link has already been submitted"):
        submit(reddit, kind="link", url=taken)
    # The address of a text post is none.
    assert submit(reddit, url=taken)["drafts_count"] == 0


@pytest.mark.fact("wanted")
def test_moderators_post_as_they_like(reddit: LocalApp) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": "2rule", "user_id": ME}, is_moderator=1)
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)
    reddit.episode.db.update("standings", {"subreddit_id": "2link", "user_id": ME}, is_moderator=1)

    assert submit(reddit, subreddit="LampHelp", title="Help me", text="A coupon")["drafts_count"] == 0
    flaired = submit(reddit, flair_id=NEWS)
    assert thing_data(reddit, flaired["name"])["link_flair_text"] == "Announcement"
    link = {"subreddit": "LampNews", "kind": "link", "url": "https://a.example", "flair_id": ELSEWHERE}
    assert submit(reddit, **link)["drafts_count"] == 0
    with pytest.raises(Exception, match="Invalid flair template id"):
        submit(reddit, flair_id=ELSEWHERE)


@pytest.mark.fact("pace")
@pytest.mark.parametrize(("karma", "waits"), [(9, True), (10, False)])
def test_ten_points_for_posts_let_one_post_at_once(reddit: LocalApp, karma: int, waits: bool) -> None:
    standing = {"subreddit_id": LAMPS, "user_id": ME}
    reddit.episode.db.update("standings", standing, link_karma=karma, comment_karma=900 if waits else 0)
    reddit.episode.db.update("posts", {"post_id": SECOND}, created_s=NOW_S - 5)

    given = {"subreddit": "Lamps", "title": "t", "flair_id": "", "kind": "self"}
    body = json.loads(reddit.result("REDDIT_CREATE_REDDIT_POST", **given)["content"][0]["text"])

    assert body["successful"] is not waits


@pytest.mark.fact("hot")
def test_two_on_top_stand_in_their_order_and_deleted_ones_nowhere(reddit: LocalApp) -> None:
    rows_on_top = [
        post("1rtwo", "Second", sticky=2, created_s=NOW_S - 60),
        post("1rone", "First", sticky=1, created_s=NOW_S - 9 * 86_400, ups=1),
        post("1rgone", "Gone", sticky=1, is_deleted=1),
        post("1rbelow", "Disliked", ups=1, downs=9, created_s=NOW_S),
        post("1reven", "Even", ups=5, downs=5, created_s=NOW_S),
    ]
    for row in rows_on_top:
        reddit.episode.db.insert(row.pop("table"), **row)

    # Nine tenths of a point of hotness are eleven hours: what is disliked tenfold stands as if half a day old.
    assert listed(reddit, size=0) == ["1rone", "1rtwo", FIRST, LINK, SECOND, "1reven", "1rbelow"]
    # Joined with others nothing is kept on top.
    assert listed(reddit, "lamps+lampclub", size=0)[0] == FIRST
    assert listed(reddit, "all", size=0)[0] == FIRST


@pytest.mark.fact("everywhere")
def test_all_leaves_out_what_is_private_for_adults_or_banned(reddit: LocalApp) -> None:
    for row in (
        post("1rclub2", "Club", subreddit=CLUB),
        post("1rbad02", "Bad", subreddit=OLD),
        post("1rnews2", "News", subreddit="2link"),
    ):
        reddit.episode.db.insert(row.pop("table"), **row)
    reddit.episode.db.insert("standings", subreddit_id=SECRET, user_id=ME, is_contributor=1)
    reddit.episode.db.update("subreddits", {"subreddit_id": "2link"}, over_18=1)

    for name in ("all", "Popular", "all+popular"):
        assert set(listed(reddit, name, size=0)) == {FIRST, SECOND, LINK, "1rclub2"}
    assert listed(reddit, "LampNews") == ["1rnews2"]
    assert set(listed(reddit, "lampmakers+lampclub")) == {HIDDEN, "1rclub2"}


@pytest.mark.fact("private")
@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("lampmakers", {"reason": "private", "message": "Forbidden", "error": 403}, "403 Forbidden"),
        ("BadLamps", {"reason": "banned", "message": "Not Found", "error": 404}, "404 Not Found"),
        ("nowhere", {"message": "Not Found", "error": 404}, "404 Not Found"),
        ("+", {"message": "Not Found", "error": 404}, "404 Not Found"),
    ],
)
def test_why_a_community_is_closed_is_told(reddit: LocalApp, name: str, data: dict[str, Any], error: str) -> None:
    told = json.loads(reddit.result("REDDIT_RETRIEVE_REDDIT_POST", subreddit=name)["content"][0]["text"])

    assert told == {"successful": False, "data": data, "error": error}
