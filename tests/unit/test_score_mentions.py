"""Numbers, dates, times and people in what somebody wrote."""

from __future__ import annotations

from datetime import date

import pytest

from farm.context.template import load_world
from farm.score.mentions import has_clock, has_date, has_number, has_person, plain


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("it is 38 of 600", 38),
        ("¥86,400 in all", 86400),
        ("S$179", 179),
        ("MYR599", 599),
        ("6.3%", 6.3),
        ("总共108万", 1_080_000),
        ("1.08 million", 1_080_000),
        ("320k", 320_000),
        ("**1,080,000**", 1_080_000),
        ("68块", 68),
        ("40cm", 40),
        ("a loss of -6,000", 6000),
        ("８９９元", 899),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, number: float) -> None:
    assert has_number(text, number)


@pytest.mark.parametrize(
    ("text", "number"), [("T-20417", 20417), ("138 of 600", 38), ("38.5", 38), ("GY-2602", 2602), ("none", 0)]
)
def test_part_of_a_name_or_of_another_number_is_no_number(text: str, number: float) -> None:
    assert not has_number(text, number)


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-03-26",
        "26 March",
        "March 26th, 10:00",
        "Thu 26 Mar",
        "the 26th of March",
        "3月26日周四",
        "3月26号",
        "3/26",
        "3.26上线",
        "2026年3月26日",
    ],
)
def test_a_day_is_found_however_it_is_written(text: str) -> None:
    assert has_date(text, date(2026, 3, 26))


@pytest.mark.parametrize("text", ["26 May", "March 2", "126 March", "2026-03-16", "3月2日", "13/26", "Thursday"])
def test_another_day_is_not_taken_for_it(text: str) -> None:
    assert not has_date(text, date(2026, 3, 26))


@pytest.mark.parametrize("text", ["15:00", "3 pm", "3:00pm", "at 3 p.m.", "下午3点", "下午三点", "15点", "15：00"])
def test_a_time_of_day_is_found_however_it_is_written(text: str) -> None:
    assert has_clock(text, "15:00")


@pytest.mark.parametrize("text", ["15:30", "3 am", "上午3点", "下午3点半", "5:00", "13:00"])
def test_another_time_is_not_taken_for_it(text: str) -> None:
    assert not has_clock(text, "15:00")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mei Chen goes", True),
        ("陈梅去", True),
        ("chen mei", True),
        ("chen.mei@harborlight.example", True),
        ("Chen Mo", False),
    ],
)
def test_a_person_is_known_by_any_name_that_is_theirs_alone(text: str, found: bool) -> None:
    assert has_person(text, "chen.mei", load_world("harbor").people) is found


def test_texts_are_compared_without_case_width_and_marks() -> None:
    assert plain("  **Ｅmber**  S2\n") == "ember s2"


def test_an_address_that_only_one_app_knows_names_its_person() -> None:
    people = {
        "mo.lan": {
            "name_en": "Lan Mo",
            "email": "lan@work.example",
            "accounts": {"post": {"address": "mo@home.example"}},
        },
        "bo.sun": {"name_en": "Bo Sun", "email": "bo@work.example", "accounts": {"post": {}}},
    }

    assert has_person("ask mo@home.example", "mo.lan", people)
    assert has_person("ask lan@work.example", "mo.lan", people)
    assert not has_person("ask mo@home.example", "bo.sun", people)
