"""A value counts only for its subject: pairs, lists, tables, two rows in order."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
LIMA = Claim("clock", ("17:30",), of=("Lima", "利马"))
OSLO = Claim("clock", ("10:30",), of=("Oslo", "奥斯陆"))
CLOCKS = Requirement((LIMA, OSLO))
LIKES = Claim("number", (318.0,), of=("like", "赞"))
SAVES = Claim("number", (43.0,), of=("save", "收藏"))
COUNTS = Requirement((LIKES, SAVES))


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


PAIRED = [
    "17:30 Lima, 10:30 Oslo.",
    "Lima 17:30, Oslo 10:30.",
    "Lima: 17:30; Oslo: 10:30",
    "17:30 in Lima is 10:30 in Oslo.",
    "At 17:30 (Lima) / 10:30 (Oslo).",
    "17:30–18:00 Lima, 10:30–11:00 Oslo",
    "It's 5:30 pm for those in Lima and 10:30 am for Oslo.",
    "利马下午五点半，奥斯陆上午十点半。",
    "利马时间 17:30（奥斯陆 10:30）。",
    "奥斯陆那边上午10:30，也就是利马的17:30。",
    "Lima and Oslo: 17:30 and 10:30, respectively.",
    "利马和奥斯陆分别是 17:30 和 10:30。",
    "17:30 and 10:30, respectively, in Lima and Oslo.",
    "• Lima: 17:30\n• Oslo: 10:30",
    "- 17:30 – Lima\n- 10:30 – Oslo",
    "**Lima**\n17:30\n**Oslo**\n10:30",
    "| City | Time |\n|---|---|\n| Lima | 17:30 |\n| Oslo | 10:30 |",
    "| | Lima | Oslo |\n|---|---|---|\n| Start | 17:30 | 10:30 |",
]
SWAPPED = [
    "10:30 Lima, 17:30 Oslo.",
    "Lima 10:30, Oslo 17:30.",
    "10:30 in Lima is 17:30 in Oslo.",
    "At 10:30 (Lima) / 17:30 (Oslo).",
    "It's 10:30 for those in Lima and 17:30 for Oslo.",
    "利马上午十点半，奥斯陆下午五点半。",
    "利马和奥斯陆分别是 10:30 和 17:30。",
    "Lima and Oslo: 10:30 and 17:30, respectively.",
    "• Lima: 10:30\n• Oslo: 17:30",
    "**Lima**\n10:30\n**Oslo**\n17:30",
    "| City | Time |\n|---|---|\n| Lima | 10:30 |\n| Oslo | 17:30 |",
    "| | Lima | Oslo |\n|---|---|---|\n| Start | 10:30 | 17:30 |",
]


@pytest.mark.parametrize("text", PAIRED)
def test_each_clock_belongs_to_its_city(text: str) -> None:
    assert refused(CLOCKS, text) == set()


@pytest.mark.parametrize("text", SWAPPED)
def test_clocks_of_the_other_city_do_not_count(text: str) -> None:
    assert "other_subject" in refused(CLOCKS, text)


COUNTED = [
    "318 likes, 43 saves",
    "318 likes and 43 saves",
    "likes 318 / saves 43",
    "It has 318 likes so far, with 43 saves.",
    "赞 318，收藏 43",
    "318 个赞、43 个收藏",
    "点赞数是 318，收藏数是 43。",
    "赞和收藏分别为 318 和 43",
    "Likes: 318\nSaves: 43",
    "43 saves (likes: 318)",
    "三百一十八个赞，四十三个收藏",
]


@pytest.mark.parametrize("text", COUNTED)
def test_each_number_belongs_to_what_it_counts(text: str) -> None:
    assert refused(COUNTS, text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "43 likes, 318 saves",
        "likes 43 / saves 318",
        "赞 43，收藏 318",
        "43 个赞、318 个收藏",
        "赞和收藏分别为 43 和 318",
        "It has 43 likes and 318 saves.",
    ],
)
def test_numbers_of_the_other_count_do_not_count(text: str) -> None:
    assert "other_subject" in refused(COUNTS, text)


def test_a_day_of_another_event_does_not_count() -> None:
    wanted = Requirement((Claim("date", (date(2026, 3, 26),), of=("launch", "发布")),), also=("12 March", "3月12日"))

    assert refused(wanted, "The launch is on 26 March, the review on 12 March.") == set()
    assert refused(wanted, "发布会 3月26日，评审 3月12日。") == set()
    assert refused(wanted, "The launch is on 12 March.") == {"missing"}


POST = Claim("number", (318.0,), of=("like", "赞"), not_of=("Ann", "阿兰"))
PRICE = Claim("amount", (395.0,), ("MYR",), of=("distributor", "分销"), not_of=("retail", "零售"))


@pytest.mark.parametrize(
    ("claim", "text", "is_right"),
    [
        (POST, "It has 318 likes.", True),
        (POST, "Ann's post has 318 likes.", False),
        (POST, "阿兰那条 318 赞。", False),
        (POST, "阿兰：318 赞。", False),
        (POST, "Ann, it has 318 likes.", True),
        (POST, "318 likes, and that is not Ann's post.", True),
        (PRICE, "Distributor price MYR 395.", True),
        (PRICE, "Retail is MYR 599, distributor MYR 395.", True),
        (PRICE, "零售 599，分销 395 马币。", True),
        (PRICE, "零售 MYR 395。", False),
        (PRICE, "Retail: MYR 395. Distributor: MYR 599.", False),
    ],
)
def test_a_value_said_of_another_subject_is_not_the_claimed_one(claim: Claim, text: str, is_right: bool) -> None:
    wanted = Requirement((claim,), also=("MYR 599", "599"))

    assert (refused(wanted, text) == set()) == is_right
