"""Read days and spans: 26 March, 3月26日, 26.03.2026, the 12th, 5 号, next Thursday, 下周四, tomorrow, 三天后."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from farm.benchmark.scoring.claims.numerals import (
    DAY,
    FIRST_ZH,
    GREAT_EN,
    HOUR,
    ONES_EN,
    ORDINALS_EN,
    SIGNS_ZH,
    TENS_EN,
    WORDS_EN,
)
from farm.benchmark.scoring.claims.numerals import value_of as _number
from farm.benchmark.scoring.claims.rules import (
    AND,
    AND_SIGNS,
    DIGITS,
    LETTERS,
    TO,
    TO_SIGNS,
    Rule,
    RuleInput,
    Value,
    any_of,
    nothing,
    rule,
    words,
)

MONTHS = {name: number for number, name in enumerate(words("jan feb mar apr may jun jul aug sep oct nov dec"), 1)}
_MONTH_WORDS = words("january february march april june july august sept september october november december")
_MONTH_WORDS += MONTHS
# German months that are not English ones: 26. März.
MONTHS |= {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
_MONTH_WORDS += words("januar februar märz mai juni juli oktober dezember")
_MONTH = rf"({any_of(_MONTH_WORDS)})"
_WEEKDAY_WORDS = words("monday tuesday wednesday thursday friday saturday sunday")
_WEEKDAY_WORDS += words("mon tue tues wed thu thur thurs fri sat sun")
_WEEKDAYS = {name: number for number, name in enumerate(words("mon tue wed thu fri sat sun"))}
_WEEKDAYS |= {sign: number for number, sign in enumerate("一二三四五六日")} | {"天": 6}
_WEEKDAY = rf"({any_of(_WEEKDAY_WORDS)})"
_WEEKDAY_ZH = "(?:周|星期|礼拜)([一二三四五六日天])"
_WEEKS = {"next": 1, "last": -1, "this": 0, "coming": 0, "下下": 2, "下": 1, "这": 0, "本": 0, "上": -1, "上上": -2}
_DAY = r"(3[01]|[12]\d|0?[1-9])(?!\d)"
_DAY_ENDS = re.compile(r"[日号]|(?:st|nd|rd|th)\b")
_NTH = r"(?:(?:st|nd|rd|th)\b)?"
_YEAR = r"(?:,? (20\d\d)(?!\d|[:.]\d)|,? '(\d\d)(?!\d))?"
_RELATIVE = {"大后天": 3, "后天": 2, "明": 1, "今": 0, "昨": -1, "前天": -2, "大前天": -3}
_RELATIVE |= {"tomorrow": 1, "tmr": 1, "tmrw": 1, "today": 0, "tonight": 0, "yesterday": -1}
_FACILITY = "线楼机门店灯桌位房室院仓柜车厅会馆口库手方版员色球个"
# With a noun after it, "12th" is an ordinal, not a day.
_NOUNS = words("day days hand time times case floor anniversary lamp lamps person people week weeks month months year")
_NOUNS += words(
    "version edition century customer order place row rows line lines item items attempt try round visit page"
)
_NOUNS += words("draft batch birthday grade street avenue unit board shop store note post")
COUNTED = rf"(?= (?:{any_of(_NOUNS)}))"
# "Sat", "sun", "wed" and "mon" are days only next to another part of a date.
_SHORT_NEEDS = re.compile(
    r"(?:\b(?:on|this|next|last|by|until|till|from|for|and|or|to|since|before|after)|[\d(/,:–-]) ?$|^\W*$"
)
_SHORT_TAKES = re.compile(r"\.? ?(?:[\d(/–)-]|(?:at|or|and|to|the)\b \w)")
_ON = re.compile(r"\b(?:on|by|until|till|from|since|due|before|after|for) $")
_ON_THE = re.compile(r"\b(?:on|by|until|till|from|since|before|after|to) the $")


def _value(
    found: re.Match[str],
    days: Iterable[date | None],
    *,
    wide: Iterable[date] = (),
    start: int | None = None,
    end: int | None = None,
) -> list[Value]:
    """Return the date of a match; None if no such day exists."""
    options = tuple(dict.fromkeys(day.isoformat() for day in days if day))
    if not options:
        return []
    start, end = found.start() if start is None else start, found.end() if end is None else end
    return [Value("date", start, end, options, frozenset(day.isoformat() for day in wide) | frozenset(options))]


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _nearest(today: date, month: int, day: int) -> date | None:
    """Return the nearest day to today with that name."""
    days = [found for year in (today.year, today.year + 1, today.year - 1) if (found := _day(year, month, day))]
    return min(days, key=lambda found: abs((found - today).days), default=None)


def _shifted(today: date, months: int, day: int) -> date | None:
    """Return a day of the month that is the given number of months away."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    return _day(year, month + 1, day)


def _full(rule_input: RuleInput, year: str | None, month: int, day: int) -> date | None:
    """Return a day whose year may be missing or have two digits."""
    if not year:
        return _nearest(rule_input.today, month, day)
    return _day(int(year) + (2000 if len(year) == 2 else 0), month, day)


def day_of_month(rule_input: RuleInput, found: re.Match[str], day: int) -> list[Value] | None:
    """Return a day without its month: this month's and, if that is past, next month's too."""
    today = rule_input.today
    around = [near for months in range(-2, 5) if (near := _shifted(today, months, day))]
    ahead = [near for near in around if near > today]
    this = _shifted(today, 0, day)
    days = [this, *ahead[:1]] if this and this < today else [this] if this else ahead[:1]
    return _value(found, days, wide=around) or None


def _weekday(
    rule_input: RuleInput, found: re.Match[str], name: str, week: str | None, end: int | None = None
) -> list[Value]:
    today = rule_input.today
    day = today - timedelta(days=today.weekday()) + timedelta(days=_WEEKDAYS[name[:3]])
    if week is not None:
        # Written on a Monday, "next Thursday" is the 12th for some people; only another date beside it can decide.
        wide = [day, day + timedelta(weeks=1)] if week == "next" else []
        return _value(found, [day + timedelta(weeks=_WEEKS[week])], wide=wide, end=end)
    ahead = day if day >= today else day + timedelta(weeks=1)
    days = [ahead, ahead + timedelta(weeks=1), ahead - timedelta(weeks=1)]
    made = _value(found, days if ahead == today else [days[0], days[2]], end=end)
    return [replace(made[0], wide=_weeks_around(day))]


@lru_cache(maxsize=64)
def _weeks_around(day: date) -> frozenset[str]:
    """Return every day that a weekday may mean beside another date, from nine weeks back to half a year ahead."""
    return frozenset((day + timedelta(weeks=weeks)).isoformat() for weeks in range(-9, 27))


def _iso(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    made = _value(found, [_day(int(found[1]), int(found[3]), int(found[4]))], end=found.end(4))
    if made and found[5]:
        made.append(Value("clock", found.start(5), found.end(6), (f"{found[5]}:{found[6]}",)))
    return made or None


def _year_last(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    first, second, year = int(found[1]), int(found[3]), found[4]
    days = [_full(rule_input, year, second, first)]
    if found[2] == "/" or not days[0]:
        days.append(_full(rule_input, year, first, second))
    return _value(found, days) or None


def _ymd(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_day(int(_number(found[1])), int(_number(found[2])), int(_number(found[3])))]) or None


def _two(
    rule_input: RuleInput, found: re.Match[str], month: int, first: int, second: int, year: str | None = None
) -> list[Value] | None:
    """Return two days of one month; ``first`` and ``second`` are the groups of their numbers."""
    days = [_full(rule_input, year, month, int(_number(found[group]))) for group in (first, second)]
    if not all(days):
        return None
    month_first = found.start(first) > found.start() and found.start(second) > found.start(first)
    start = found.start() if month_first else found.start(first)
    tail = _DAY_ENDS.match(found.string, found.end(first))
    end = tail.end() if tail else found.end(first)
    return [*_value(found, [days[0]], start=start, end=end), *_value(found, [days[1]], start=found.start(second))]


def _month_day(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_full(rule_input, None, int(_number(found[1])), int(_number(found[2])))]) or None


def _day_month(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return (
        _value(found, [_full(rule_input, found[3] or found[4] or found[5], MONTHS[found[2][:3]], int(found[1]))])
        or None
    )


def _month_name_day(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_full(rule_input, found[3] or found[4], MONTHS[found[1][:3]], int(found[2]))]) or None


def _month_word(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_full(rule_input, None, MONTHS[found[1][:3]], ORDINALS_EN[found[2]])]) or None


def _word_month(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_full(rule_input, None, MONTHS[found[2][:3]], ORDINALS_EN[found[1]])]) or None


def _word_alone(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    if not _ON_THE.search(rule_input.text[max(0, found.start() - 12) : found.start()]):
        return None
    return day_of_month(rule_input, found, ORDINALS_EN[found[1]])


def _nth(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    if found[2]:
        return _value(found, [_shifted(rule_input.today, _WEEKS[found[2]], int(found[1]))]) or None
    return day_of_month(rule_input, found, int(found[1]))


def _day_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return day_of_month(rule_input, found, int(_number(found[1])))


def _days_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    first, second = (day_of_month(rule_input, found, int(_number(found[group]))) for group in (1, 2))
    if not first or not second:
        return None
    return [
        Value("date", found.start(1), found.end(1), first[0].options, first[0].wide),
        Value("date", found.start(2), found.end(), second[0].options, second[0].wide),
    ]


def _month_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    months = {"下": 1, "次": 1, "上": -1}.get(found[1][0], 0)
    return _value(found, [_shifted(rule_input.today, months, int(_number(found[2])))]) or None


def _dotted(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [_full(rule_input, None, int(found[1]), int(found[2]))], end=found.end(2)) or None


def _dotted_after_on(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    if not _ON.search(rule_input.text[max(0, found.start() - 8) : found.start()]):
        return None
    return _value(found, [_full(rule_input, None, int(found[2]), int(found[1]))]) or None


def _slash(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return 3/26 or 13/3; for 3/4, return the near readings, month first, or else the month-first one."""
    month_first, day_first = (
        _full(rule_input, None, int(found[a]), int(found[b])) if int(found[a]) <= 12 else None
        for a, b in ((1, 2), (2, 1))
    )
    days = [day for day in (month_first, day_first) if day]
    near = [day for day in days if abs((day - rule_input.today).days) <= 62]
    return _value(found, near or days[:1]) or None


def _weekday_en(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    name, text = found[1], rule_input.text
    if name in ("sat", "sun", "wed", "mon") and not (
        _SHORT_NEEDS.search(text[max(0, found.start() - 8) : found.start()]) or _SHORT_TAKES.match(text, found.end(1))
    ):
        return None  # he sat in the sun
    end = found.end(1) + (1 if len(name) < 5 and text[found.end(1) : found.end(1) + 2] in (". ",) else 0)
    return _weekday(rule_input, found, name, found[2], end=None if found[2] else end)


def _weekday_with_week(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _weekday(rule_input, found, found[2], found[1])


def _weekday_with_day(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return Sunday (15), if a nearby 15th is a Sunday."""
    weekday = _weekday(rule_input, found, found[1], None)
    day = day_of_month(rule_input, found, int(found[2]))
    wide = weekday[0].wide & day[0].wide if day else frozenset()
    near = sorted(wide & frozenset(day[0].options)) if day else []
    return [Value("date", found.start(), found.end(), tuple(near or sorted(wide)), wide)] if wide else None


def _weekday_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _weekday(rule_input, found, found[2], found[1].rstrip("个") if found[1] else None)


def _relative(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    word = found[0]
    days = _RELATIVE.get(word, _RELATIVE.get(word[0]))
    return None if days is None else _value(found, [rule_input.today + timedelta(days=days)])


def _around_tomorrow(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _value(found, [rule_input.today + timedelta(days=2 if found[1] == "after" else -2)])


def _away(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return a day that is a number of days or weeks away: in three days, 两周后, two days ago."""
    parts = found.groupdict()
    count = 1.0 if parts["count"] in ("a", "one") else _number(parts["count"])
    days = int(count * (1 if parts["unit"] in ("day", "天", "日") else 7))
    if days > 3660:
        return None
    days = -days if parts["anchor"] in ("ago", "前") else days
    return _value(found, [rule_input.today + timedelta(days=days + (1 if parts.get("from") == "tomorrow" else 0))])


_COUNT = rf"(?P<count>\d{{1,3}}|an?|[{FIRST_ZH}][{SIGNS_ZH}]{{0,4}}|(?:{WORDS_EN})(?:[ -](?:{WORDS_EN})){{0,2}})"
_COUNT_WORDS = (*ONES_EN, *TENS_EN, *GREAT_EN, "a")
_NUMERALS = (DIGITS, *FIRST_ZH)
_ORDINAL_STARTS = {word.split("-")[0].split(" ")[0] for word in ORDINALS_EN}

# Tried before versions and chains of digits, which look like dates.
FULL_DATES: tuple[Rule, ...] = (
    rule("digits alone", DIGITS, r"(20\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![\d.])", _ymd),
    rule(
        "year first",
        DIGITS,
        r"(20\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(?:t([01]\d|2[0-3]):([0-5]\d)(?::\d\d(?:\.\d{1,9})?)?(?:z\b|[+-]\d\d:?\d\d)?)?",
        _iso,
        then="-/.",
    ),
    rule("year last", DIGITS, r"(\d{1,2})([./-])(\d{1,2})\2(20\d\d)(?!\d)", _year_last, then="-/."),
    rule("year of two digits last", DIGITS, r"(\d{1,2})(/)(\d{1,2})/(\d\d)(?![\d/])", _year_last, then="/"),
    rule(
        "whole day",
        (*_NUMERALS, "二"),
        rf"(20\d\d|二[零〇][零〇一二三四五六七八九]{{2}}) ?年 ?({DAY}) ?月 ?({DAY})(?!\d) ?[日号]?",
        _ymd,
        then="年",
    ),
)

DATES: tuple[Rule, ...] = (
    rule(
        "days of a month",
        _NUMERALS,
        rf"({DAY}) ?月 ?({DAY}) ?[日号]?(?:{TO}|{AND})({DAY}) ?[日号]",
        lambda s, m: _two(s, m, int(_number(m[1])), 2, 3),
        then="月",
    ),
    rule(
        "month and day",
        _NUMERALS,
        rf"({DAY}) ?月(?:份)? ?({DAY})(?: ?[日号](?![{_FACILITY}])|(?! ?[日号])"
        rf"(?:(?![\d个人:{SIGNS_ZH}])|(?={HOUR} ?点)))",
        _month_day,
        then="月",
    ),
    rule("month alone", _NUMERALS, rf"(?:{DAY}|[{SIGNS_ZH}]{{1,4}}) ?月(?!\d)[份底初中末]?", nothing, then="月"),
    rule(
        "year alone",
        _NUMERALS,
        r"(?:(?:19|20)\d\d|二[零〇][零〇一二三四五六七八九]{2}) ?年(?: ?\d{1,2} ?月)?",
        nothing,
        then="年",
    ),
    rule(
        "days of a named month",
        DIGITS,
        rf"{_DAY}{_NTH}(?:{TO}|{AND}){_DAY}{_NTH}(?: of)? {_MONTH}{_YEAR}",
        lambda s, m: _two(s, m, MONTHS[m[3][:3]], 1, 2, m[4] or m[5]),
        then="snr" + TO_SIGNS + AND_SIGNS,
    ),
    rule(
        "day and named month",
        DIGITS,
        rf"{_DAY}{_NTH}\.?(?: of)?[ -]?{_MONTH}(?:\.(?= ?[\d,]))?(?:-(20\d\d)(?!\d)|{_YEAR})",
        _day_month,
        then=".-" + LETTERS,
    ),
    rule(
        "named month and days",
        _MONTH_WORDS,
        rf"{_MONTH}\.?[ -](?:the )?{_DAY}{_NTH}(?:{TO}){_DAY}{_NTH}(?![\d:%]|[.,]\d| ?[ap]\.?m)",
        lambda s, m: _two(s, m, MONTHS[m[1][:3]], 2, 3),
    ),
    rule(
        "named month and day",
        _MONTH_WORDS,
        rf"{_MONTH}\.?[ -]?(?:the )?{_DAY}{_NTH}"
        rf"(?![\d:%]|[.,]\d| ?(?:[ap]\.?m\b|km|kg|people|units|percent|steps)){_YEAR}",
        _month_name_day,
    ),
    rule(
        "named month and word",
        _MONTH_WORDS,
        rf"{_MONTH} (?:the )?({any_of(ORDINALS_EN)})\b",
        _month_word,
    ),
    rule("named month and year", _MONTH_WORDS, rf"{_MONTH}\.?,? (?:19|20)\d\d(?![\d,:])", nothing),
    rule(
        "word and named month",
        _ORDINAL_STARTS,
        rf"({any_of(ORDINALS_EN)}) (?:of )?{_MONTH}",
        _word_month,
    ),
    rule(
        "word alone",
        _ORDINAL_STARTS,
        rf"({any_of(ORDINALS_EN)})\b(?!{COUNTED})",
        _word_alone,
    ),
    rule(
        "nth",
        DIGITS,
        rf"(3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)\b(?!{COUNTED})(?: of (this|next|last) month\b)?",
        _nth,
        then="snrt",
    ),
    rule(
        "days of a month to be found",
        _NUMERALS,
        rf"({DAY})(?:{TO}|{AND})({DAY}) ?[日号](?![{_FACILITY}])",
        _days_zh,
        then=TO_SIGNS + AND_SIGNS,
    ),
    rule(
        "days hence",
        (*_NUMERALS, *_COUNT_WORDS),
        rf"{_COUNT} (?P<unit>day|week)s? (?:from (?P<from>now|today|tomorrow)|(?P<anchor>ago))\b",
        _away,
        then="dw",
    ),
    rule("in days", ("in",), rf"in {_COUNT} (?P<unit>day|week)s?\b(?:'? time)?(?P<anchor>)", _away),
    rule(
        "days later",
        _NUMERALS,
        rf"{_COUNT} ?(?P<unit>天|日|周|个?星期|个?礼拜)(?:以|之)?(?P<anchor>后|前)(?!天)",
        _away,
        then="天日周个星礼",
    ),
    rule("day of a month", _NUMERALS, rf"({DAY}) ?[日号](?![{_FACILITY}内游])", _day_zh, then="日号"),
    rule(
        "day of this or another month",
        "本这下上次",
        rf"(本|这个?|下个?|上个?|次)月(?:的)? ?({DAY}) ?[日号]?",
        _month_zh,
    ),
    rule(
        "month and day with a dot",
        DIGITS,
        rf"(\d{{1,2}})\.(\d{{1,2}})(?=[日号]| ?\(?{_WEEKDAY_ZH})[日号]?",
        _dotted,
        then=".",
    ),
    rule("day and month with a dot", DIGITS, r"([0-3]?\d)\.(0[1-9]|1[0-2])\b(?!\.\d)\.?", _dotted_after_on, then="."),
    rule("month and day with a slash", DIGITS, rf"{_DAY}/{_DAY}(?![/%]|\.\d| (?:of|out)\b)", _slash, then="/"),
    rule(
        "month and day with a hyphen",
        DIGITS,
        r"(0[1-9](?=-[0-3])|1[0-2](?=-0))-(\d\d)(?![\d-]| ?%)",
        _month_day,
        then="-",
    ),
    rule("every week", ("every", "each"), rf"[a-z]+ (?:other )?{_WEEKDAY}", nothing),
    rule("every week", "每", rf"每(?:个|逢)?{_WEEKDAY_ZH}", nothing),
    rule("weekday with its day", _WEEKDAY_WORDS, rf"{_WEEKDAY} ?\((\d{{1,2}})\)", _weekday_with_day),
    rule(
        "weekday and day",
        _WEEKDAY_WORDS,
        rf"{_WEEKDAY} (\d{{1,2}})(?= ?(?:[,;!?)]|\.(?!\d)|$)| (?:at|from)\b)",
        _weekday_with_day,
    ),
    rule("weekday of a week", _WEEKDAY_WORDS, rf"{_WEEKDAY}(?:,? (?:of )?(this|next|last) week\b)?", _weekday_en),
    rule(
        "this or next weekday",
        ("this", "next", "last", "coming"),
        rf"(?:this )?(this|next|last|coming)(?: week)?,? (?:on )?{_WEEKDAY}",
        _weekday_with_week,
    ),
    rule("weekday with its day", "周星礼", rf"{_WEEKDAY_ZH} ?\((\d{{1,2}})\)", _weekday_with_day),
    rule(
        "weekday",
        "周星礼下这本上",
        rf"(下下个?|下个?|这个?|本|上上个?|上个?)?{_WEEKDAY_ZH}(?![次个程期报])",
        _weekday_zh,
    ),
    rule("near day", "大后前明今昨", "大后天|大前天|后天|前天|明[天早晚日晨]|今[天早晚日晨夜]|昨[天晚日夜]", _relative),
    rule("near day", ("today", "tonight", "tomorrow", "tmr", "tmrw", "yesterday"), r"[a-z]+(?![a-z])", _relative),
    rule("day after tomorrow", ("day",), r"day (after) tomorrow\b|day before yesterday\b", _around_tomorrow),
)
