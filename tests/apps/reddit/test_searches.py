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
