"""The recogniser of typed values: what is read, what is not, and that no text is too much for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from farm.benchmark.scoring.claims.numerals import chinese, english
from farm.benchmark.scoring.claims.values import Value, fold, read, spans

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=timezone(timedelta(hours=8)))
HERE = Path(__file__).parent


def lines(name: str) -> Iterator[str]:
    """Yield the lines of a table; a comment begins with ``# ``."""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            yield line.replace("\\n", "\n")


EXPRESSIONS = [tuple(line.rsplit(" => ", 1)) for line in lines("claims_values.txt")]
NO_VALUES = list(lines("claims_no_values.txt"))


def written(value: Value) -> str:
    """Return a value as the tables write it."""
    if value.kind in ("date", "clock"):
        options = "|".join(sorted(value.options)).replace("2026-", "")
        return ("~ " if value.part == "to" else "") + value.kind[0].upper() + options
    if value.kind == "id":
        return f"I{value.options[0]}"
    amount = f"{value.unit}{value.number:.12g}" if value.kind == "amount" else f"{value.number:.12g}{value.unit}"
    letter = {"number": "N", "amount": "A", "ordinal": "O"}[value.kind]
    return ("~ " if value.part == "to" else "") + letter + (amount if letter != "O" else f"{value.number:g}")


def values(text: str) -> list[Value]:
    return read(fold(text), NOW)


def sorted_options(row: str) -> str:
    words = (word if word[0] not in "DC" else word[0] + "|".join(sorted(word[1:].split("|"))) for word in row.split())
    return " ".join(words)


@pytest.mark.parametrize(("text", "wanted"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_an_expression_is_read_as_what_it_means_and_as_nothing_else(text: str, wanted: str) -> None:
    read_as = " ".join(written(value) for value in values(text))

    assert read_as == sorted_options(wanted)


@pytest.mark.parametrize("text", NO_VALUES)
def test_nothing_is_read_in_what_is_no_value(text: str) -> None:
    assert [value for value in values(text) if value.kind != "id"] == []


def test_the_tables_are_as_long_as_agreed_and_say_nothing_twice() -> None:
    texts = [text for text, _ in EXPRESSIONS]

    assert len(texts) >= 500
    assert len(NO_VALUES) >= 110
    assert len(set(texts)) == len(texts)
    assert len(set(NO_VALUES)) == len(NO_VALUES)


def test_both_ends_of_a_span_are_known_and_narrow_each_other() -> None:
    found = spans(values("10:00 周四下午3点到4点，then 3/12–3/14"))

    assert [(first.options, last.options) for first, last in found] == [
        (("15:00",), ("16:00",)),
        (("2026-03-12",), ("2026-03-14",)),
    ]


def test_a_weekday_alone_keeps_the_days_it_may_mean_beside_another_date() -> None:
    (thursday,) = values("Thursday")

    assert "2026-04-16" in thursday.wide
    assert "2026-04-17" not in thursday.wide


def test_two_dates_that_cannot_be_one_day_stay_two() -> None:
    assert [value.options[0] for value in values("Thursday (13 March)")] == ["2026-03-12", "2026-03-13"]


def test_a_day_without_its_month_follows_the_clock_of_the_episode() -> None:
    autumn = datetime(2026, 9, 28, 9, 0, tzinfo=timezone(timedelta(hours=8)))

    assert read("the 5th", autumn)[0].options == ("2026-09-05", "2026-10-05")
    assert read("30号", autumn)[0].options == ("2026-09-30",)
    assert read("3月26日", autumn)[0].options == ("2027-03-26",)  # the nearest, not the last


def test_an_id_keeps_its_letters_and_its_number() -> None:
    read_as = [(value.options, value.unit, value.number) for value in values("EMB-424, 9F-C14")]

    assert read_as == [(("EMB-424",), "EMB", 424.0), (("9F-C14",), "9F-C", 14.0)]


def test_places_are_those_of_the_folded_text() -> None:
    text = fold("会议：**周四下午 3 点**，小湾，坐四个人；预算 RM 395。")

    assert [text[value.start : value.end] for value in read(text, NOW)] == ["周四", "下午 3 点", "四", "rm 395"]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("１０：００", "10:00"),
        ("赞3，118", "赞3, 118"),
        ("**Done**", "done"),
        ("a  —  b", "a–b"),
        ("10:00 - 11:00", "10:00–11:00"),
        ("- one\n- two", "- one\n- two"),
        ("well-known", "well-known"),
        ("It’s “ok”", 'it\'s "ok"'),
        ("3~4点", "3–4点"),
        ("好的～", "好的"),
        ("~~old~~ new, ~older~ newer", "␡old␡ new, ␡older␡ newer"),
        ("ok :white_check_mark: 10:30:00", "ok ✅ 10:30:00"),
        ("完成:white_check_mark:3月9日:date:12:30:tada:", "完成✅3月9日🔹12:30🔹"),
        ("done:white_check_mark: and :+1::skin-tone-4:", "done✅ and 👍"),
        ("a:b:c 10:30:15", "a:b:c 10:30:15"),
        ("_so_ snake_case", "so snake_case"),
        ("①先", " (1) 先"),
        ("时间：10:00", "时间: 10:00"),
        ("−5", "-5"),
    ],
)
def test_a_text_is_folded_to_one_form(text: str, folded: str) -> None:
    assert fold(text) == folded


SIGNS = "0123456789 -–~:：.,，、/()（）\n*_`#@%$¥零一二两三四五十百千万点半刻月日号"
SIGNS += "周天第下上午成折块年前后差到至分之apm"
WORDS = (
    "26 March|3月26日|10:00|3pm|half|past|four|the 12th|next|Thursday|周四|下午|三点半|RM|395|万|k|%|–|to|and|in|three"
    "|days|EMB-424|no.|第|天|(|)|，|。|\n|~|**|http://|@|#|+86|a|ago|minus|-|今晚|一|个半|小时|差|分|号|月|年|2026"
)
PIECES = WORDS.split("|")
WRITTEN = st.text(alphabet=st.sampled_from(SIGNS)) | st.lists(st.sampled_from(PIECES)).map("".join)


@given(st.text() | WRITTEN | WRITTEN.map(lambda text: text.replace("", " ")))
@example("ǰ：ﷺİ②")
@example(":a*b::c:")
def test_folding_a_folded_text_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text() | WRITTEN)
def test_any_text_is_read_in_order_without_an_overlap_and_within_itself(text: str) -> None:
    folded = fold(text)

    read_as = read(folded, NOW)

    places = [place for value in read_as for place in (value.start, value.end)]
    assert places == sorted(places)
    assert all(value.start < value.end <= len(folded) for value in read_as)
    assert all(value.options for value in read_as if value.kind in ("date", "clock", "id"))


MONTHS = [date(2026, month, 1).strftime("%B") for month in range(1, 13)]
DIGITS_ZH = "零一二三四五六七八九"


def spelled(number: int) -> str:
    """Return a number below a hundred in Chinese."""
    tens, ones = divmod(number, 10)
    return ("" if tens == 0 else "十" if tens == 1 else DIGITS_ZH[tens] + "十") + (
        DIGITS_ZH[ones] if ones or not tens else ""
    )


def nth(day: int) -> str:
    return f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


DAY_FORMS: list[Callable[[date], str]] = [
    lambda day: day.isoformat(),
    lambda day: f"{day.day:02}.{day.month:02}.{day.year}",
    lambda day: f"{day.year}/{day.month}/{day.day}",
    lambda day: f"{day.day} {MONTHS[day.month - 1]} {day.year}",
    lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    lambda day: f"{day.day} {MONTHS[day.month - 1][:3]} '{day.year % 100:02}",
    lambda day: f"{day.day}-{MONTHS[day.month - 1][:3]}-{day.year}",
    lambda day: f"{day.year}年{day.month}月{day.day}日",
    lambda day: f"{day.year} 年 {day.month} 月 {day.day} 号",
    lambda day: (
        f"二〇{spelled(day.year % 100 // 10)}{spelled(day.year % 10)}年{spelled(day.month)}月{spelled(day.day)}日"
    ),
]
NEAR_DAY_FORMS: list[Callable[[date], str]] = [
    *DAY_FORMS,
    lambda day: f"{day.day} {MONTHS[day.month - 1]}",
    lambda day: f"the {nth(day.day)} of {MONTHS[day.month - 1]}",
    lambda day: f"{MONTHS[day.month - 1][:3]} {nth(day.day)}",
    lambda day: f"{MONTHS[day.month - 1][:3]}. {day.day}",
    lambda day: f"{day.month}月{day.day}日",
    lambda day: f"{spelled(day.month)}月{spelled(day.day)}号",
    lambda day: f"{day.strftime('%A')}, {day.day} {MONTHS[day.month - 1]}",
    lambda day: f"{day.month}月{day.day}日（周{'一二三四五六日'[day.weekday()]}）",
    lambda day: f"星期{'一二三四五六日'[day.weekday()]}，{day.month} 月 {day.day} 日",
]


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.sampled_from(DAY_FORMS))
def test_a_day_with_its_year_is_read_however_it_is_written(day: date, form: Callable[[date], str]) -> None:
    read_as = values(f"It is on {form(day)}.")

    assert [value.options for value in read_as] == [(day.isoformat(),)]


@given(st.integers(-60, 170), st.sampled_from(NEAR_DAY_FORMS))
def test_a_near_day_is_read_without_its_year(days: int, form: Callable[[date], str]) -> None:
    day = NOW.date() + timedelta(days=days)

    read_as = values(f"改到 {form(day)}，可以吗")

    assert [value.options for value in read_as] == [(day.isoformat(),)]


def twelve(hour: int) -> str:
    return str(hour % 12 or 12)


def part_zh(hour: int) -> str:
    return "凌晨" if hour < 6 else "上午" if hour < 12 else "下午" if hour < 18 else "晚上"


CLOCK_FORMS: list[Callable[[int, int], str]] = [
    lambda hour, minute: f"{hour:02}:{minute:02}",
    lambda hour, minute: f"{hour:02}:{minute:02}:30",
    lambda hour, minute: f"{hour:02}：{minute:02}",
    lambda hour, minute: f"{twelve(hour)}:{minute:02} {'AM' if hour < 12 else 'PM'}",
    lambda hour, minute: f"{twelve(hour)}:{minute:02}{'am' if hour < 12 else 'pm'}",
    lambda hour, minute: f"{twelve(hour)}.{minute:02} {'a.m.' if hour < 12 else 'p.m.'}",
    lambda hour, minute: f"{hour:02}{minute:02} hrs",
    lambda hour, minute: f"{hour}h{minute:02}",
    lambda hour, minute: f"{hour}点{minute:02}分",
    lambda hour, minute: f"{hour} 点 {minute:02}",
    lambda hour, minute: f"{part_zh(hour)}{hour % 12 or 12}:{minute:02}",
    lambda hour, minute: f"{part_zh(hour)} {hour % 12 or 12} 点 {minute:02} 分",
    lambda hour, minute: f"{spelled(hour)}点" + (f"零{spelled(minute)}" if minute < 10 else spelled(minute)) + "分",
    lambda hour, minute: f"{part_zh(hour)}{spelled(hour % 12 or 12)}点"
    + (f"零{spelled(minute)}" if minute < 10 else spelled(minute)) + "分",
]  # fmt: skip


@given(st.integers(0, 23), st.integers(1, 59), st.sampled_from(CLOCK_FORMS))
def test_a_clock_is_read_however_it_is_written(hour: int, minute: int, form: Callable[[int, int], str]) -> None:
    read_as = values(f"定在 {form(hour, minute)} 开始")

    assert [value.kind for value in read_as] == ["clock"]
    assert f"{hour:02}:{minute:02}" in read_as[0].options


NUMBER_FORMS: list[Callable[[int], tuple[str, str]]] = [
    lambda number: (f"{number} lamps", ""),
    lambda number: (f"{number:,} lamps", ""),
    lambda number: (f"{number:,} 盏".replace(",", " "), ""),
    lambda number: (f"{number}盏", ""),
    lambda number: (f"（{number:,}）人", "") if number > 99 else (f"{number}人", ""),
    lambda number: (f"{number} %", "%"),
    lambda number: (f"百分之{number}", "%"),
    lambda number: (f"{number:,} 厘米", "cm"),
    lambda number: (f"RM{number:,}", "MYR"),
    lambda number: (f"MYR {number}.00", "MYR"),
    lambda number: (f"{number:,}元", "CNY"),
    lambda number: (f"¥{number}", "CNY"),
    lambda number: (f"人民币 {number} 元", "CNY"),
    lambda number: (f"{number} ringgit", "MYR"),
    lambda number: (f"{number / 1000:.3f}k users", ""),
    lambda number: (f"{number / 10000:.4f} 万", ""),
]


@given(st.integers(1, 999_999), st.sampled_from(NUMBER_FORMS))
def test_a_number_is_read_however_it_is_written(number: int, form: Callable[[int], tuple[str, str]]) -> None:
    text, unit = form(number)

    assert [(value.number, value.unit) for value in values(f"now it is {text}")] == [(number, unit)]


def spelled_out(number: int) -> str:
    """Return a number below a hundred million in Chinese, as it is taught in school."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        gap = "零" if 0 < low < 1000 else ""
        return spelled_out(high) + "万" + (gap + spelled_out(low) if low else "")
    words, rest, is_gap = "", number, False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, rest = divmod(rest, unit)
        if digit:
            words += ("零" if is_gap and words else "") + DIGITS_ZH[digit] + sign
        is_gap = not digit
    return words


@given(st.integers(1, 99_999_999))
@example(10_005)
@example(200_000)
def test_a_chinese_numeral_is_worth_what_it_spells(number: int) -> None:
    assert chinese(spelled_out(number)) == number


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("one", 1),
        ("forty-two", 42),
        ("a hundred and twenty", 120),
        ("two thousand five hundred", 2500),
        ("three million", 3e6),
    ],
)
def test_an_english_number_is_worth_what_it_says(words: str, number: float) -> None:
    assert english(words) == number


WALLS = (
    "1|十|1-|1 | |a |：|:|1:|10:00 |3–|~|1~|*|_|`|a|a-|a1|a_|1_|ab-1-|#|a@|<@|http://|www.|+1 |(1) |¥1|rm |万|1万|零"
    "|三点|差|第|百分之|半|周|周四|下下个|三月|3月|1/|1.|1,|1,111|2026-|one |one hundred and |half past |an hour and "
    "|in three |march |12 march |thu |mon–|\n1. |- |--|— |:a|::|EMB-424-|负|minus |①|ﷺ|İ|(|24/7 |5号、|三分之|1kk|今晚"
    "|3 to 4 |between 3 and |３，|1，111"
)
HOSTILE = WALLS.split("|")


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_wall_of_one_piece_costs_no_more_than_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length]
        started = time.process_time()
        read(fold(text), NOW)
        return time.process_time() - started

    # Ten times the length may cost ten times as much, a quadratic rule costs a hundred times as much; the bound leaves
    # room for a busy machine, and what is fast is measured once.
    assert seconds(20_000) < 0.5 or seconds(20_000) < max(60 * min(seconds(2_000), seconds(2_000)), 0.5)


@pytest.mark.parametrize("share", ["3‰", "3 ‰", "0.3%", "0.3 %"])
def test_a_share_ends_behind_its_sign(share: str) -> None:
    text = f"a loss of {share}, and more"

    (value,) = values(text)

    assert (value.number, value.unit, text[value.start : value.end]) == (0.3, "%", share)
