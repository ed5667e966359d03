"""Searching posts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.reddit.conftest import FIRST, LINK, NOW_S, SECOND, post, rows

Start = Callable[..., LocalApp]


def search(reddit: LocalApp, query: str, **arguments: Any) -> Any:
    found = reddit.call("REDDIT_SEARCH_ACROSS_SUBREDDITS", search_query=query, **arguments)
    return found["data"]["search_results"]["data"]


def found(reddit: LocalApp, query: str, **arguments: Any) -> list[str]:
    return [each["data"]["id"] for each in search(reddit, query, **arguments)["children"]]


@pytest.mark.fact("long-search")
def test_a_query_of_more_characters_than_reddit_reads_finds_nothing(reddit: LocalApp) -> None:
    assert found(reddit, "lamp".ljust(512)) == [FIRST, LINK, SECOND]
    assert found(reddit, "lamp".ljust(513)) == []


@pytest.mark.fact("search")
@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("lamp", [FIRST, LINK, SECOND]),
        ("LAMPS desk", [FIRST]),
        ("flickering", []),
        ("flicker", [FIRST]),
        ('"test of ten"', [LINK]),
        ('"ten test"', []),
        ("lamp -desk", [LINK, SECOND]),
        ("lamp NOT ten", [FIRST, SECOND]),
        ("oak OR flicker", [FIRST, SECOND]),
        ("author:bo_lights lamp", [FIRST, LINK]),
        ("subreddit:lamps oak", [SECOND]),
        ("subreddit:lampnews oak", []),
        ("title:oak", []),
        ("selftext:oak", [SECOND]),
        ("flair:discussion", [FIRST]),
        ('flair_name:"Discussion"', [FIRST]),
        ("site:lamptests.example", [LINK]),
        ("self:yes lamp", [FIRST, SECOND]),
        ("lam", []),
        ("(oak OR flicker) subreddit:lampnews", []),
        ("lamp -(desk OR ten)", [SECOND]),
        ("subreddit:(lamps OR lampnews) oak", [SECOND]),
        ("subreddit:(lampnews OR lamphelp) oak", []),
        ("(OR) lamp () -()", [FIRST, LINK, SECOND]),
        ("oak) OR (flicker", [FIRST, SECOND]),
        ("-lamp", []),
        ("", []),
    ],
)
def test_words_phrases_and_fields_find_posts(reddit: LocalApp, query: str, hits: list[str]) -> None:
    assert sorted(found(reddit, query)) == sorted(hits)


@pytest.mark.fact("search")
def test_results_are_sorted_as_asked_and_relevant_titles_come_first(reddit: LocalApp) -> None:
    about = post("1rtextx", "Something else", text="A lamp.", ups=900, created_s=NOW_S - 60)
    reddit.episode.db.insert(about.pop("table"), **about)

    assert found(reddit, "lamp") == [FIRST, LINK, SECOND, "1rtextx"]
    assert found(reddit, "lamp", sort="top") == ["1rtextx", FIRST, LINK, SECOND]
    assert found(reddit, "lamp", sort="new")[0] == "1rtextx"
    assert found(reddit, "lamp", sort="comments")[0] == FIRST


@pytest.mark.fact("search")
def test_other_scripts_are_found_inside_words(start: Start) -> None:
    reddit = start("reddit", rows=[*rows(), post("1rzhong", "上海哪里能买到好台灯？")], me="me")

    assert found(reddit, "台灯") == ["1rzhong"]


@pytest.mark.fact("search-page")
def test_a_page_names_its_last_post_when_more_follow(start: Start) -> None:
    many = [post(f"1rm{n:04}", f"Shade {n}", ups=200 - n) for n in range(110)]
    reddit = start("reddit", rows=[*rows(), *many], me="me")

    page = search(reddit, "shade")
    assert (page["dist"], page["after"], page["before"], page["modhash"]) == (5, "t3_1rm0004", None, None)
    assert list(page) == ["after", "dist", "modhash", "geo_filter", "children", "before"]
    assert [search(reddit, "shade", limit=limit)["dist"] for limit in (0, 2, 1000)] == [1, 2, 100]
    none = search(reddit, "nothing", restrict_sr=False)
    assert (none["children"], none["dist"], none["after"]) == ([], 0, None)


@pytest.mark.fact("search")
@pytest.mark.parametrize(
    ("query", "hits"),
    [
        # The case of words does not matter, that of OR, AND and NOT does.
        ("LAMP", [FIRST, LINK, SECOND]),
        ("oak or flicker", []),
        ("oak AND lamp", [SECOND]),
        ("lamp not desk", [FIRST]),
        # A word finds its plural and its genitive, and no longer word.
        ("tests", [LINK]),
        ("desk's", [FIRST]),
        ("lampst", []),
        ("des", []),
        # Signs between words do not matter in a phrase.
        ('"lamp, for a desk"', [FIRST]),
        ('"desk a for"', []),
        ('-"ten lamps" lamp', [FIRST, SECOND]),
        ('""', []),
        # Where to look.
        ("title:lamp", [FIRST, LINK, SECOND]),
        ("title:flicker", []),
        ("text:flicker", [FIRST]),
        ("selftext:lamp", []),
        ("-title:desk lamp", [LINK, SECOND]),
        ("author:u/me_here", [SECOND]),
        ("author:ME_HERE", [SECOND]),
        ("author:me", []),
        ("-author:me_here lamp", [FIRST, LINK]),
        ("subreddit:r/lamps desk", [FIRST]),
        ("subreddit:lamp desk", []),
        ("flair:disc", [FIRST]),
        ("flair_text:discussion", [FIRST]),
        ("flair:announcement", []),
        ("-flair:discussion lamp", [LINK, SECOND]),
        ("url:lamptests", [LINK]),
        ("url:ten", [LINK]),
        ("url:oak", []),
        ("site:example", [LINK]),
        ("site:www.lamptests.example", [LINK]),
        ("site:tests.example", []),
        ("site:self.lamps", [FIRST, SECOND]),
        ("self:no lamp", [LINK]),
        ("self:1 lamp", [FIRST, SECOND]),
        ("self:true lamp", [FIRST, SECOND]),
        ("nsfw:no lamp", [FIRST, LINK, SECOND]),
        ("nsfw:yes lamp", []),
        # A field that there is not is part of the word.
        ("lamp:desk", []),
        # Brackets.
        ("(oak OR ten) lamp", [LINK, SECOND]),
        ("lamp (oak OR (ten test))", [LINK, SECOND]),
        ("lamp -(desk ten)", [FIRST, LINK, SECOND]),
        ("lamp NOT (desk OR oak)", [LINK]),
        ("lamp -(-desk)", [FIRST]),
        ("title:(desk OR test) lamp", [FIRST, LINK]),
        ("title:(desk OR selftext:oak)", [FIRST, SECOND]),
        ("oak OR", [SECOND]),
        ("OR oak", [SECOND]),
        ("(oak", [SECOND]),
        ("oak OR -lamp", [SECOND]),
    ],
)
def test_a_query_is_read_as_reddit_s_help_says(reddit: LocalApp, query: str, hits: list[str]) -> None:
    assert sorted(found(reddit, query)) == sorted(hits)


@pytest.mark.fact("search")
def test_what_the_caller_may_not_read_and_what_is_for_adults_is_not_found(reddit: LocalApp) -> None:
    insert = reddit.episode.db.insert
    for row in (
        post("1rbad01", "Lamp of a banned place", subreddit="2old"),
        post("1radult", "Lamp for adults", over_18=1),
        post("1rgone1", "Lamp that is gone", is_deleted=1),
    ):
        insert(row.pop("table"), **row)
    assert found(reddit, "lamp") == [FIRST, LINK, SECOND]

    insert("standings", subreddit_id="2hid", user_id="1a2b", is_contributor=1)
    assert found(reddit, "makers") == ["1rhiddn"]
    reddit.episode.db.execute("UPDATE subreddits SET over_18 = 1 WHERE name = 'Lamps'")
    assert found(reddit, "lamp") == ["1rhiddn"]
    reddit.episode.db.update("users", {"user_id": "1a2c"}, is_deleted=1)
    assert found(reddit, "author:bo_lights") == []


@pytest.mark.fact("search")
def test_a_hit_in_the_title_weighs_four_in_the_text_and_equals_stand_by_score_then_age(start: Start) -> None:
    made = [
        post("1rs1", "Brass", ups=1, created_s=NOW_S - 50),
        post("1rs2", "Something", text="brass and steel and tin and oak", ups=900, created_s=NOW_S - 40),
        post("1rs3", "Brass", text="brass", ups=1, created_s=NOW_S - 30),
        post("1rs4", "Brass", ups=7, created_s=NOW_S - 20),
        post("1rs5", "Brass", ups=1, created_s=NOW_S - 10),
    ]
    reddit = start("reddit", rows=[*rows(), *made], me="me")

    assert found(reddit, "brass") == ["1rs3", "1rs4", "1rs5", "1rs1", "1rs2"]
    assert found(reddit, "brass", sort="new") == ["1rs5", "1rs4", "1rs3", "1rs2", "1rs1"]
    assert found(reddit, "brass", sort="top") == ["1rs2", "1rs4", "1rs5", "1rs3", "1rs1"]
    assert found(reddit, "brass", sort="comments") == ["1rs2", "1rs4", "1rs5", "1rs3", "1rs1"]
    # Each word that hits counts, of alternatives the better one.
    assert found(reddit, "title:brass OR (brass steel tin oak)") == ["1rs2", "1rs4", "1rs5", "1rs3", "1rs1"]


@pytest.mark.fact("search-page")
def test_a_page_that_holds_all_names_nothing_that_follows(reddit: LocalApp) -> None:
    page = search(reddit, "lamp", limit=3)
    assert (page["dist"], page["after"], page["geo_filter"]) == (3, None, "")
    page = search(reddit, "lamp", limit=2)
    assert (page["dist"], page["after"]) == (2, f"t3_{LINK}")
    assert search(reddit, "lamp", limit=-4)["dist"] == 1


@pytest.mark.fact("search")
def test_other_scripts_and_mixed_words_are_found_as_they_stand(start: Start) -> None:
    made = [
        post("1rz1", "Lampe für den Schreibtisch"),
        post("1rz2", "C++ and lamps"),
        post("1rz3", "台灯 review", text="很好的台灯"),
    ]
    reddit = start("reddit", rows=[*rows(), *made], me="me")

    assert found(reddit, "für") == ["1rz1"]
    assert found(reddit, "schreib") == []
    assert found(reddit, "台灯 review") == ["1rz3"]
    assert found(reddit, "台灯 -review") == []
    assert found(reddit, "selftext:好的") == ["1rz3"]
    assert found(reddit, "c++") == ["1rz2"]
