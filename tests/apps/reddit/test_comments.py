"""Comments in their tree, writing them, and what becomes of things that are edited or deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.reddit.conftest import (
    ANSWER,
    BO,
    CY,
    FIRST,
    HIDDEN,
    LAMPS,
    LINK,
    LONELY,
    ME,
    NOW_S,
    SECOND,
    TOP,
    Refusal,
    comment,
    rows,
)

Start = Callable[..., LocalApp]


def tree(reddit: LocalApp, article: str = FIRST) -> list[Any]:
    things: list[Any] = reddit.call("REDDIT_RETRIEVE_POST_COMMENTS", article=article)["data"]["comments"]
    return things


def ids(things: list[Any]) -> list[str]:
    return [each["data"]["id"] for each in things]


def below(thing: Any) -> list[Any]:
    replies: Any = thing["data"]["replies"]
    return [] if replies == "" else list(replies["data"]["children"])


def thing_data(reddit: LocalApp, fullname: str) -> Any:
    (thing,) = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=fullname)["data"]["things"]
    return thing["data"]


def answer(reddit: LocalApp, thing_id: str, text: str = "Yes.") -> Any:
    body = reddit.call("REDDIT_POST_REDDIT_COMMENT", thing_id=thing_id, text=text)["data"]["json"]
    assert body["errors"] == []
    (thing,) = body["data"]["things"]
    return thing["data"]


def add(reddit: LocalApp, *made: dict[str, Any]) -> None:
    for row in made:
        reddit.episode.db.insert(row["table"], **{name: value for name, value in row.items() if name != "table"})


@pytest.mark.fact("tree")
def test_answers_stand_in_their_comment_s_replies(reddit: LocalApp) -> None:
    things = tree(reddit)

    assert ids(things) == [TOP, LONELY]
    assert ids(below(things[0])) == [ANSWER]
    inner = below(things[0])[0]["data"]
    assert (inner["parent_id"], inner["link_id"], inner["depth"]) == (f"t1_{TOP}", f"t3_{FIRST}", 1)
    assert (inner["replies"], inner["likes"], things[0]["data"]["likes"]) == ("", True, None)
    assert inner["permalink"] == f"/r/Lamps/comments/{FIRST}/which_lamp_for_a_desk/{ANSWER}/"
    assert (inner["author_flair_text"], inner["is_submitter"], things[0]["data"]["is_submitter"]) == (
        "night owl",
        False,
        True,
    )


@pytest.mark.fact("tree")
def test_a_post_that_is_not_there_or_not_for_the_caller_has_no_tree(refusal: Refusal) -> None:
    assert refusal("REDDIT_RETRIEVE_POST_COMMENTS", article="zzzzzz") == (404, "Not Found", None)
    assert refusal("REDDIT_RETRIEVE_POST_COMMENTS", article=f"t3_{FIRST}") == (404, "Not Found", None)
    assert refusal("REDDIT_RETRIEVE_POST_COMMENTS", article=HIDDEN) == (403, "Forbidden", None)


@pytest.mark.fact("best")
def test_the_best_comment_is_not_the_one_with_the_highest_score(reddit: LocalApp) -> None:
    add(
        reddit,
        comment("o1ddddd", "split", ups=60, downs=40),
        comment("o1eeeee", "pinned", user=CY, sticky=1, distinguished="moderator"),
        comment("o1fffff", "newest", created_s=NOW_S - 60),
    )

    assert ids(tree(reddit)) == ["o1eeeee", TOP, "o1ddddd", "o1fffff", LONELY]
    for sort, first in (("top", "o1ddddd"), ("new", "o1fffff"), ("controversial", "o1ddddd")):
        reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, suggested_sort=sort)
        assert ids(tree(reddit))[:2] == ["o1eeeee", first]


@pytest.mark.fact("best")
def test_controversial_is_what_many_are_divided_over_and_nothing_that_all_like(reddit: LocalApp) -> None:
    # A hundred votes at 55 to 45 weigh more than eleven at 6 to 5, though their score is farther from nothing.
    add(
        reddit,
        comment("o1ddddd", "many", ups=55, downs=45),
        comment("o1eeeee", "few", ups=6, downs=5),
        comment("o1fffff", "liked", ups=900),
        comment("o1ggggg", "disliked", ups=0, downs=5),
    )
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, suggested_sort="controversial")

    ranked = ids(tree(reddit))
    assert ranked[:4] == ["o1ddddd", "o1eeeee", LONELY, TOP]
    assert set(ranked[4:]) == {"o1fffff", "o1ggggg"}


@pytest.mark.fact("more")
def test_beyond_two_hundred_comments_the_rest_is_named(start: Start) -> None:
    many = [comment(f"o2{n:05}", f"c{n}", ups=1000 - n) for n in range(230)]
    under = comment("o3aaaaa", "below the last", parent_id="o200229", ups=0)
    reddit = start("reddit", rows=[*rows(), *many, under], me="me")

    things = tree(reddit)

    assert len(things) == 201
    more = things[-1]
    # 230 + 3 of before, and one below the last.
    assert (more["kind"], more["data"]["count"], more["data"]["parent_id"]) == ("more", 234 - 200, f"t3_{FIRST}")
    assert more["data"]["name"] == f"t1_{more['data']['id']}" == f"t1_{more['data']['children'][0]}"
    assert "o200229" in more["data"]["children"]
    assert "o3aaaaa" not in more["data"]["children"]


@pytest.mark.fact("more")
def test_below_ten_levels_a_thread_is_only_said_to_go_on(start: Start) -> None:
    chain = [comment(f"o4{n:05}", f"c{n}", parent_id=f"o4{n - 1:05}" if n else None) for n in range(12)]
    reddit = start("reddit", rows=[*rows(), *chain], me="me")

    thing = next(each for each in tree(reddit) if each["data"]["id"] == "o400000")
    for _ in range(9):
        (thing,) = below(thing)

    assert thing["data"]["depth"] == 9
    (stub,) = below(thing)
    assert stub == {
        "kind": "more",
        "data": {"count": 0, "name": "t1__", "id": "_", "parent_id": "t1_o400009", "depth": 10, "children": []},
    }


@pytest.mark.fact("hidden-score")
def test_a_community_may_hide_the_scores_of_new_comments(reddit: LocalApp) -> None:
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, score_hide_minutes=61)
    new = thing_data(reddit, f"t1_{TOP}")
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, score_hide_minutes=59)
    old = thing_data(reddit, f"t1_{TOP}")

    assert (new["score_hidden"], new["score"], new["ups"]) == (True, 1, 1)
    assert (old["score_hidden"], old["score"], old["ups"]) == (False, 8, 8)


@pytest.mark.fact("things")
def test_things_come_in_the_order_asked_for(reddit: LocalApp) -> None:
    wanted = f"t1_{ANSWER}, t3_{LINK},t1_zzzzzz,t3_{HIDDEN},t5_{LAMPS},nonsense,t1_{TOP}"

    things = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=wanted)["data"]["things"]

    assert [each["data"]["name"] for each in things] == [f"t1_{ANSWER}", f"t3_{LINK}", f"t1_{TOP}"]
    assert "depth" not in things[0]["data"]
    assert reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id="")["data"] == {"things": []}


@pytest.mark.fact("comment")
@pytest.mark.parametrize(("target", "parent"), [(f"t3_{FIRST}", None), (f"t1_{TOP}", TOP)])
def test_a_new_comment_is_answered_as_it_stands(reddit: LocalApp, target: str, parent: str | None) -> None:
    made = answer(reddit, target, "Try *another* bulb.")

    assert (made["parent_id"], made["body"], made["author"]) == (target, "Try *another* bulb.", "me_here")
    assert (made["score"], made["ups"], made["likes"], made["edited"], made["replies"]) == (1, 1, True, False, "")
    assert made["body_html"] == '<div class="md"><p>Try <em>another</em> bulb.</p>\n</div>'
    assert made["created_utc"] == float(NOW_S)
    (row,) = reddit.changes()["comments"]
    assert (row["op"], row["new"]["parent_id"], row["new"]["post_id"]) == ("insert", parent, FIRST)
    assert made["id"] in json.dumps(tree(reddit))
    assert thing_data(reddit, f"t3_{FIRST}")["num_comments"] == 4


@pytest.mark.fact("text")
def test_a_comment_has_one_to_ten_thousand_characters(reddit: LocalApp, refusal: Refusal) -> None:
    said = refusal("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{FIRST}", text=" \n ")
    assert said == ("NO_TEXT", "we need something here", "text")
    said = refusal("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t3_{FIRST}", text="x" * 10_001)
    assert said == ("TOO_LONG", "this is too long (max: 10000)", "text")
    assert len(answer(reddit, f"t3_{FIRST}", "x" * 10_000)["body"]) == 10_000


@pytest.mark.fact("stranger")
@pytest.mark.parametrize("target", [FIRST, "t3_zzzzzz", "t1_zzzzzz", "t5_2lamps", f"t3_{HIDDEN}", ""])
def test_a_comment_on_what_is_not_there_is_forbidden(refusal: Refusal, target: str) -> None:
    assert refusal("REDDIT_POST_REDDIT_COMMENT", thing_id=target, text="hi") == (403, "Forbidden", None)


@pytest.mark.fact("closed")
def test_what_is_closed_takes_no_comments(reddit: LocalApp) -> None:
    def said(thing_id: str) -> tuple[Any, str, Any]:
        with pytest.raises(VendorError) as refused:
            reddit.call("REDDIT_POST_REDDIT_COMMENT", thing_id=thing_id, text="hi")
        return refused.value.code, refused.value.message, getattr(refused.value, "field", None)

    reddit.episode.db.update("comments", {"comment_id": TOP}, is_deleted=1)
    assert said(f"t1_{TOP}") == ("DELETED_COMMENT", "that comment has been deleted", "parent")
    reddit.episode.db.update("posts", {"post_id": LINK}, is_deleted=1)
    assert said(f"t3_{LINK}") == ("DELETED_LINK", "the link you are commenting on has been deleted", "parent")
    reddit.episode.db.update("posts", {"post_id": FIRST}, is_locked=1)
    assert said(f"t1_{ANSWER}") == ("THREAD_LOCKED", "Comments are locked.", "parent")
    half_a_year_s = 181 * 86_400
    reddit.episode.db.update("posts", {"post_id": SECOND}, created_s=NOW_S - half_a_year_s)
    assert answer(reddit, f"t3_{SECOND}")["archived"] is False
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, archives_posts=1)
    old = "that's a piece of history now; it's too late to reply to it"
    assert said(f"t3_{SECOND}") == ("TOO_OLD", old, "parent")


@pytest.mark.fact("closed")
def test_moderators_comment_on_locked_posts(reddit: LocalApp) -> None:
    reddit.episode.db.update("posts", {"post_id": FIRST}, is_locked=1)
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_moderator=1)

    assert answer(reddit, f"t3_{FIRST}")["can_mod_post"] is True


@pytest.mark.fact("pace")
def test_who_has_no_karma_in_a_community_waits_between_comments(reddit: LocalApp) -> None:
    reddit.episode.db.delete("standings", subreddit_id=LAMPS, user_id=ME)
    answer(reddit, f"t3_{FIRST}")

    with pytest.raises(VendorError) as refused:
        answer(reddit, f"t1_{TOP}")

    assert refused.value.code == "RATELIMIT"
    # The clock has gone on since, so not quite ten minutes are left.
    assert refused.value.message.endswith("Take a break for 9 minutes before trying again.")


@pytest.mark.fact("edit")
@pytest.mark.parametrize(("fullname", "member"), [(f"t1_{ANSWER}", "body"), (f"t3_{SECOND}", "selftext")])
def test_an_edited_thing_is_answered_as_it_is_now(reddit: LocalApp, fullname: str, member: str) -> None:
    body = reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=fullname, text="Better.")["data"]["json"]

    (thing,) = body["data"]["things"]
    assert (body["errors"], thing["data"]["name"], thing["data"][member]) == ([], fullname, "Better.")
    assert thing["data"]["edited"] == float(NOW_S)
    assert thing_data(reddit, fullname) == thing["data"]


@pytest.mark.fact("unseen-edit")
def test_a_quick_edit_of_what_nobody_voted_on_leaves_no_mark(reddit: LocalApp) -> None:
    def edited(name: str) -> Any:
        body = reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=name, text="Better.")["data"]["json"]
        return body["data"]["things"][0]["data"]["edited"]

    made = answer(reddit, f"t3_{FIRST}")
    assert edited(made["name"]) is False
    reddit.episode.db.update("comments", {"comment_id": made["id"]}, ups=3)
    assert edited(made["name"]) == float(NOW_S)


@pytest.mark.fact("edit")
def test_a_post_may_lose_its_text_and_a_comment_may_not(reddit: LocalApp, refusal: Refusal) -> None:
    said = refusal("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f"t1_{ANSWER}", text=" ")
    assert said == ("NO_TEXT", "we need something here", "text")
    said = refusal("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f"t1_{ANSWER}", text="x" * 10_001)
    assert said == ("TOO_LONG", "this is too long (max: 10000)", "text")

    reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f"t3_{SECOND}", text="")
    assert thing_data(reddit, f"t3_{SECOND}")["selftext_html"] is None


@pytest.mark.fact("own")
def test_only_one_s_own_texts_can_be_edited(reddit: LocalApp, refusal: Refusal) -> None:
    for other in (f"t1_{TOP}", f"t3_{FIRST}", "t1_zzzzzz", ANSWER, "t5_2lamps"):
        said = refusal("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=other, text="mine")
        assert said == ("NOT_AUTHOR", "you can't do that", "thing_id")
    reddit.episode.db.update("posts", {"post_id": LINK}, user_id=ME)
    reddit.episode.db.update("comments", {"comment_id": ANSWER}, is_deleted=1)
    for name in (f"t3_{LINK}", f"t1_{ANSWER}"):
        with pytest.raises(VendorError) as refused:
            reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=name, text="x")
        assert refused.value.code == 403


@pytest.mark.fact("delete")
def test_deleting_says_the_same_whatever_happened(reddit: LocalApp) -> None:
    for tool, name in (
        ("REDDIT_DELETE_REDDIT_COMMENT", f"t1_{TOP}"),
        ("REDDIT_DELETE_REDDIT_POST", f"t3_{FIRST}"),
        ("REDDIT_DELETE_REDDIT_POST", "t3_zzzzzz"),
        ("REDDIT_DELETE_REDDIT_POST", ""),
    ):
        assert reddit.call(tool, id=name)["data"] == {}
    assert reddit.changes() == {}

    assert reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{ANSWER}")["data"] == {}
    assert [(each["op"], each["new"]["is_deleted"]) for each in reddit.changes()["comments"]] == [("update", 1)]


@pytest.mark.fact("deleted")
def test_a_deleted_comment_stays_where_it_has_answers(reddit: LocalApp) -> None:
    reddit.episode.db.update("comments", {"comment_id": TOP}, user_id=ME, edited_s=NOW_S - 60)
    reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{TOP}")

    (stub,) = [each["data"] for each in tree(reddit) if each["data"]["id"] == TOP]
    assert (stub["author"], stub["body"], stub["score"], stub["edited"]) == (
        "[deleted]",
        "[deleted]",
        8,
        float(NOW_S - 60),
    )
    assert stub["body_html"] == '<div class="md"><p>[deleted]</p>\n</div>'
    assert not {"author_fullname", "author_premium"} & stub.keys()
    assert stub["author_flair_text"] is None

    reddit.call("REDDIT_DELETE_REDDIT_COMMENT", id=f"t1_{ANSWER}")
    assert ids(tree(reddit)) == [LONELY]
    assert thing_data(reddit, f"t1_{ANSWER}")["body"] == "[deleted]"
    assert thing_data(reddit, f"t3_{FIRST}")["num_comments"] == 1


@pytest.mark.fact("deleted")
def test_a_deleted_post_is_listed_nowhere_and_stays_reachable(reddit: LocalApp) -> None:
    reddit.episode.db.update("posts", {"post_id": FIRST}, user_id=ME)
    reddit.call("REDDIT_DELETE_REDDIT_POST", id=f"t3_{FIRST}")

    listed = reddit.call("REDDIT_RETRIEVE_REDDIT_POST", subreddit="Lamps")["data"]["posts_list"]
    assert FIRST not in ids(listed)
    seen = thing_data(reddit, f"t3_{FIRST}")
    assert (seen["author"], seen["selftext"], seen["title"], seen["score"]) == (
        "[deleted]",
        "[deleted]",
        "Which lamp for a desk?",
        45,
    )
    assert ids(tree(reddit)) == [TOP, LONELY]


@pytest.mark.fact("gone")
def test_a_deleted_account_s_comment_keeps_its_text(reddit: LocalApp) -> None:
    seen = thing_data(reddit, f"t1_{LONELY}")

    assert (seen["author"], seen["body"]) == ("[deleted]", "first")
    assert "author_fullname" not in seen


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("one\ntwo\n\nthree", "<p>one\ntwo</p>\n\n<p>three</p>"),
        ("**b** and *i* and `x<y`", "<p><strong>b</strong> and <em>i</em> and <code>x&lt;y</code></p>"),
        ("[a](https://b.example/?c=1&d=2)", '<p><a href="https://b.example/?c=1&amp;d=2">a</a></p>'),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("[a](/r/Lamps)", '<p><a href="/r/Lamps">a</a></p>'),
        ("see https://b.example/x.", '<p>see <a href="https://b.example/x">https://b.example/x</a>.</p>'),
        ("u/me_here, r/Lamps", '<p><a href="/u/me_here">u/me_here</a>, <a href="/r/Lamps">r/Lamps</a></p>'),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("> said\n\nno", "<blockquote>\n<p>said</p>\n</blockquote>\n\n<p>no</p>"),
        ("it's \"so\" & <b>", "<p>it&#39;s &quot;so&quot; &amp; &lt;b&gt;</p>"),
        ("# Head", "<h1>Head</h1>"),
        ("5 * 3 * 2 and a_b_c", "<p>5 * 3 * 2 and a_b_c</p>"),
        ("    code <x>", "<pre><code>code &lt;x&gt;\n</code></pre>"),
        ("2^10 and x^(a *b* c).", "<p>2<sup>10</sup> and x<sup>a <em>b</em> c</sup>.</p>"),
        ("a^b^c", "<p>a<sup>b<sup>c</sup></sup></p>"),
        ("a ^ b, a^, \\^c", "<p>a ^ b, a<sup>,</sup> ^c</p>"),
        ('[a](https://b.example "At B\'s")', '<p><a href="https://b.example" title="At B&#39;s">a</a></p>'),
        ("[a \\] r/Lamps](/x)", '<p><a href="/x">a ] r/Lamps</a></p>'),
        ("a*b*c and ***d***", "<p>a<em>b</em>c and <strong><em>d</em></strong></p>"),
        ("~one~ ~~two~~", "<p>~one~ <del>two</del></p>"),
        ("&frac12; &nothing; &#X41;", "<p>&frac12; &amp;nothing; &#x41;</p>"),
        ("www.b.example, me@b.example", '<p><a href="http://www.b.example">www.b.example</a>,'
         ' <a href="mailto:me@b.example">me@b.example</a></p>'),
        ("(https://b.example/c_(d))", '<p>(<a href="https://b.example/c_(d)">https://b.example/c_(d)</a>)</p>'),
        ("/r/a_b+cd/top/ xr/no", '<p><a href="/r/a_b+cd/top/">/r/a_b+cd/top/</a> xr/no</p>'),
        ("<https://b.example> <i>*x*</i>", '<p><a href="https://b.example">https://b.example</a>'
         " &lt;i&gt;<em>x</em>&lt;/i&gt;</p>"),
        ("so:\n- no list", "<p>so:\n- no list</p>"),
        ("1) no list", "<p>1) no list</p>"),
        ("- a\n    - b\n- c", "<ul>\n<li>a\n\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>"),
        ("1. a\n\n   more\n2. b", "<ol>\n<li><p>a</p>\n\n<p>more</p></li>\n<li><p>b</p></li>\n</ol>"),
        ("> a\nb\n\n> > c", "<blockquote>\n<p>a\nb</p>\n\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>"),
        (">! a\n\nb", '<blockquote class="md-spoiler-text">\n<p>a</p>\n</blockquote>\n\n<p>b</p>'),
        ("a >!b!<", '<p>a <span class="md-spoiler-text">b</span></p>'),
        ("Head\n---\ntext  \nmore\n\n***", "<h2>Head</h2>\n\n<p>text<br/>\nmore</p>\n\n<hr/>"),
        ("```py\na < b\n\n```", '<pre><code class="md-code-language-py">a &lt; b\n\n</code></pre>'),
        ("a|b\n:-|-:\n*1*|\n2", '<table><thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n'
         '</thead><tbody>\n<tr>\n<td align="left"><em>1</em></td>\n<td align="right"></td>\n</tr>\n</tbody></table>'
         "\n\n<p>2</p>"),
    ],
)  # fmt: skip
def test_markdown_is_shown_as_html(reddit: LocalApp, text: str, html: str) -> None:
    reddit.episode.db.update("comments", {"comment_id": TOP}, body=text)

    assert thing_data(reddit, f"t1_{TOP}")["body_html"] == f'<div class="md">{html}\n</div>'


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    "mark", ["*a ", "[a](", "` ", ">", "***a ", "<a ", "- a\n", ">!a ", "^(", "|", "/r/a ", "a@a."]
)
def test_a_text_full_of_opening_marks_is_shown_to_its_end(reddit: LocalApp, mark: str) -> None:
    reddit.episode.db.update("comments", {"comment_id": TOP}, body=mark * 2_000 + "\n\nthe end")

    assert thing_data(reddit, f"t1_{TOP}")["body_html"].count("the end") == 1


@pytest.mark.fact("vote")
def test_a_vote_of_one_s_own_is_shown_to_oneself(reddit: LocalApp) -> None:
    reddit.episode.db.insert("votes", fullname=f"t3_{FIRST}", user_id=ME, direction=1)
    reddit.episode.db.insert("votes", fullname=f"t1_{TOP}", user_id=ME, direction=-1)
    reddit.episode.db.insert("votes", fullname=f"t3_{LINK}", user_id=BO, direction=1)

    likes = [thing_data(reddit, name)["likes"] for name in (f"t3_{FIRST}", f"t1_{TOP}", f"t3_{LINK}")]
    assert likes == [True, False, None]


@pytest.mark.fact("unseen-edit")
@pytest.mark.parametrize(
    ("age_s", "votes", "is_marked"),
    [(180, (1, 0), False), (181, (1, 0), True), (0, (2, 0), False), (0, (1, 1), False), (0, (2, 1), True)],
)
def test_an_edit_is_marked_after_three_minutes_or_more_than_two_votes(
    reddit: LocalApp, age_s: int, votes: tuple[int, int], is_marked: bool
) -> None:
    ups, downs = votes
    reddit.episode.db.update("comments", {"comment_id": ANSWER}, created_s=NOW_S - age_s, ups=ups, downs=downs)

    body = reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f" t1_{ANSWER}", text="Better.")["data"]["json"]

    edited = body["data"]["things"][0]["data"]["edited"]
    assert edited == (float(NOW_S) if is_marked else False)
    assert {name: len(changes) for name, changes in reddit.changes().items()} == {"comments": 1}


@pytest.mark.fact("unseen-edit")
def test_an_edit_that_is_not_marked_keeps_the_mark_of_an_earlier_one(reddit: LocalApp) -> None:
    reddit.episode.db.update("comments", {"comment_id": ANSWER}, created_s=NOW_S, edited_s=NOW_S - 9)

    reddit.call("REDDIT_EDIT_REDDIT_COMMENT_OR_POST", thing_id=f"t1_{ANSWER}", text="Better.")

    assert thing_data(reddit, f"t1_{ANSWER}")["edited"] == float(NOW_S - 9)


@pytest.mark.fact("text")
def test_an_edited_text_has_the_limits_of_a_new_one(reddit: LocalApp, refusal: Refusal) -> None:
    tool = "REDDIT_EDIT_REDDIT_COMMENT_OR_POST"

    too_long = ("TOO_LONG", "this is too long (max: 40000)", "text")
    assert refusal(tool, thing_id=f"t3_{SECOND}", text="x" * 40_001) == too_long
    reddit.call(tool, thing_id=f"t3_{SECOND}", text="x" * 40_000)
    reddit.call(tool, thing_id=f"t1_{ANSWER}", text="x" * 10_000)
    assert len(thing_data(reddit, f"t3_{SECOND}")["selftext"]) == 40_000


@pytest.mark.fact("things")
def test_no_more_than_a_hundred_things_are_looked_up(reddit: LocalApp) -> None:
    def asked(before: int) -> list[str]:
        wanted = ",".join([*["t1_zzzzzz"] * before, f"t1_{TOP}"])
        things = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=wanted)["data"]["things"]
        return [each["data"]["name"] for each in things]

    assert (asked(99), asked(100)) == ([f"t1_{TOP}"], [])


@pytest.mark.fact("closed")
@pytest.mark.parametrize(("days", "is_open"), [(180, True), (181, False)])
def test_a_post_is_archived_after_half_a_year(reddit: LocalApp, days: int, is_open: bool) -> None:
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, archives_posts=1)
    reddit.episode.db.update("posts", {"post_id": FIRST}, created_s=NOW_S - days * 86_400)

    body = json.loads(
        reddit.result("REDDIT_POST_REDDIT_COMMENT", thing_id=f"t1_{TOP}", text="hi")["content"][0]["text"]
    )

    assert body["successful"] is is_open
    assert thing_data(reddit, f"t1_{TOP}")["archived"] is not is_open


@pytest.mark.fact("stranger")
def test_where_one_is_banned_one_comments_on_nothing(reddit: LocalApp) -> None:
    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_banned=1)
    with pytest.raises(VendorError) as refused:
        answer(reddit, f"t3_{FIRST}")
    assert (refused.value.code, refused.value.message) == (403, "Forbidden")

    reddit.episode.db.update("standings", {"subreddit_id": LAMPS, "user_id": ME}, is_banned=0)
    # In a restricted community everybody comments.
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, type="restricted")
    assert answer(reddit, f"t3_{FIRST}")["subreddit_type"] == "restricted"
    reddit.episode.db.update("subreddits", {"subreddit_id": LAMPS}, is_banned=1)
    with pytest.raises(VendorError) as refused:
        answer(reddit, f"t3_{FIRST}")
    assert refused.value.code == 403


@pytest.mark.fact("stranger")
def test_members_comment_in_their_private_community(reddit: LocalApp) -> None:
    reddit.episode.db.insert("standings", subreddit_id="2hid", user_id=ME, is_contributor=1)

    assert answer(reddit, f"t3_{HIDDEN}")["link_id"] == f"t3_{HIDDEN}"
    assert [each["data"]["body"] for each in tree(reddit, HIDDEN)] == ["Yes."]


@pytest.mark.fact("delete")
def test_deleting_deletes_one_thing_once(reddit: LocalApp) -> None:
    for _ in range(2):
        reddit.call("REDDIT_DELETE_REDDIT_POST", id=f"t3_{SECOND}")

    (change,) = reddit.changes()["posts"]
    assert change["new"] == change["old"] | {"is_deleted": 1}
    assert set(reddit.changes()) == {"posts"}
