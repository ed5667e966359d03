"""Read times of day: 10:00, 10:00 PM, 3–4pm, half past four, 10 o'clock, 三点半, 下午3点, 今晚八点, noon, 24:00."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.numerals import HOUR, ONES_EN, SIGNS_ZH, TENS_EN
from farm.benchmark.scoring.claims.numerals import value_of as _number
from farm.benchmark.scoring.claims.rules import DIGITS, TO, TO_SIGNS, Rule, RuleInput, Value, rule

_PARTS = {
    "before dawn": "凌晨",
    "morning": "清晨 清早 大清早 早上 早晨 今早 明早 今晨 明晨 上午 早 morning",
    "noon": "中午 正午",
    "afternoon": "下午 午后 傍晚 afternoon p",
    "evening": "晚上 今晚 明晚 昨晚 当晚 晚 evening tonight",
    "night": "夜里 半夜 深夜 今夜 昨夜 night",
    "am": "a",
}
_PART_OF = {word: part for part, words in _PARTS.items() for word in words.split()}
_PART_ZH = "|".join(sorted((word for word in _PART_OF if not word.isascii()), key=len, reverse=True))
_PART_BEFORE = re.compile(
    rf"(?:({_PART_ZH})(?:的)?,? ?(?:大概|大约|约)?"
    r"|\b(morning|afternoon|evening|tonight|night),? ?(?:at |around |by |about )?)$"
)
_PART_AFTER = re.compile(
    r"(?P<said>(?: o'? ?clock)? (?:in the (?P<in>morning|afternoon|evening)\b|at (?P<at>night)\b))"
    r"|(?: \(?(?:this|tomorrow|yesterday))? \(?(?P<day>morning|afternoon|evening|tonight)\b"
    r"| ?\((?P<zh>上午|早上|中午|下午|晚上|凌晨)\)"
)
_AMPM = r"(?:([ap])m\b|([ap])\. ?m\b\.?)"
_HOUR_WORDS = list(ONES_EN)[1:13]
_HOUR_EN = rf"(1[0-2]|[1-9]|{'|'.join(sorted(_HOUR_WORDS, key=len, reverse=True))})(?![\da-z])"
# What may follow "at 3" if it is a time, not the start of "at 3 percent".
_ENDS = (
    r"(?=\.? ?$|,(?!\d)|[;!?)\n]|\.(?!\d)|–|/| ?[\u4e00-\u9fff]| \("
    r"| (?:on|tomorrow|today|tonight|sharp|instead|then|please|works?|is|was|and|or|for|if|with|this|next|in (?=[a-z])"
    r"|while|when|where|because|so|as|but|unless|until|till|the|at night|latest"
    r"|mon|tue|wed|thu|fri|sat|sun|[ap]m|[ap]\.m))"
)
# 三点建议 means three suggestions, and 一点儿 means a little.
_NO_CLOCK = "儿|点|建议|意见|原因|要求|疑问|说明|问题|注意|想法|理由|共识|需求|看法|好处|坏处|不足|改进|变化|结论|提醒"
_NO_CLOCK += "|反馈|补充|区别|体会|感受|优势|经验|内容|希望"
_NO_CLOCK_BEFORE = "第有这那前几共"
_LITTLE_BEFORE = re.compile(r"(?:[到至在于]|改成|[日号天周]|[今明昨当][早晚]|[周期拜][一二三四五六])[ ,]?$")
_LITTLE = re.compile(r"点 ?(?:[都也儿不没]|就)")


def options(hour: int, minute: int, part: str | None, *, is_written_out: bool = False) -> tuple[str, ...]:
    """Return the clocks that an hour may plausibly mean.

    Args:
        part: a word for the part of the day, or ``a`` or ``p``.
        is_written_out: whether the hour is written as HH:MM, so that it is literal unless a part of the day shifts it.
    """
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return ()
    if hour == 24:
        return "24:00", "00:00"
    name = _PART_OF.get(part or "")
    hours = [hour]
    if hour > 12 or (hour == 0):
        pass
    elif name in ("before dawn", "am", "night") and hour == 12:
        return ("00:00", "24:00") if not minute else (f"00:{minute:02}",)
    elif name == "evening" and hour == 12:
        return ("24:00", "00:00") if not minute else (f"00:{minute:02}",)
    elif name in ("morning", "before dawn", "am") or (
        name in ("night", "evening") and hour < (6 if name == "night" else 4)
    ):
        pass
    elif name == "noon":
        hours = [hour + 12 if hour < 6 else hour]
    elif name:
        hours = [hour + 12 if hour < 12 else 12]
    elif not is_written_out:
        hours = [hour, (hour + 12) % 24]
    return tuple(f"{each:02}:{minute:02}" for each in hours)


def _clock(
    rule_input: RuleInput,
    found: re.Match[str],
    hour: int,
    minute: int,
    *,
    part: str | None = None,
    is_written_out: bool = False,
    end: int | None = None,
) -> list[Value] | None:
    """Return a clock, with the part of the day before or after it."""
    text = rule_input.text
    start, end = found.start(), found.end() if end is None else end
    floor = rule_input.before.end if rule_input.before else 0
    if part is None and (before := _PART_BEFORE.search(text[max(0, start - 16) : start])):
        part = before[1] or before[2]
        where = max(0, start - 16) + before.start()
        if before[1] and where >= floor:
            start = where
    if part is None and (after := _PART_AFTER.match(text, end)):
        part = after["in"] or after["at"] or after["day"] or after["zh"]
        end = after.end() if after["said"] or after["zh"] else end
    known = options(hour, minute, part, is_written_out=is_written_out)
    return [Value("clock", start, end, known)] if known else None


def _written_out(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    hour = found[1]
    # Nobody meets at half past three in the night: 3:30 may mean 15:30, but 03:30 may not.
    is_fixed = len(hour) > 1 or not "1" <= hour <= "6"
    return _clock(rule_input, found, int(hour), int(found[2]), part=found[3] or found[4], is_written_out=is_fixed)


def _twelve(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(_number(found[1])), int(_number(found[2] or "0")), part=found[3] or found[4])


def _twelve_named(end: str) -> str:
    """Return the pattern of an hour with or without its half of the day, as named groups."""
    half = rf"(?: ?(?:(?P<{end}_half>[ap])m\b|(?P<{end}_dotted>[ap])\. ?m\b\.?))?"
    return rf"(?P<{end}>(?P<{end}_hour>1[0-2]|0?[1-9])(?:[:.](?P<{end}_minute>[0-5]\d))?{half})"


def _twelve_to_twelve(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return 3–4pm, 11am-1pm; a first clock without am or pm is the nearest one before the second."""
    halves = {end: found[f"{end}_half"] or found[f"{end}_dotted"] for end in ("first", "last")}
    first, last = (
        options(int(found[f"{end}_hour"]), int(found[f"{end}_minute"] or 0), halves[end]) for end in ("first", "last")
    )
    if not halves["last"] or (found["and"] and not _between(rule_input, found)):
        return None
    if not halves["first"]:
        first = _before(first, last)
    return [Value("clock", *found.span("first"), first), Value("clock", *found.span("last"), last)]


def _between(rule_input: RuleInput, found: re.Match[str]) -> bool:
    return rule_input.text[max(0, found.start() - 8) : found.start()] == "between "


def minutes_of(clock: str) -> int:
    """Return the minutes of ``hh:mm`` since midnight."""
    return int(clock[:2]) * 60 + int(clock[3:])


def _before(first: tuple[str, ...], last: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first clocks that are less than half a day before one of the last clocks."""
    return tuple(a for a in first if any(0 < (minutes_of(b) - minutes_of(a)) % 1440 < 720 for b in last)) or first


def narrowed(first: Value, last: Value) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the options of a span's two ends, without the options that the other end makes unlikely."""
    if len(first.options) == 1 and len(last.options) > 1:
        after = tuple(b for b in last.options if 0 < (minutes_of(b) - minutes_of(first.options[0])) % 1440 < 720)
        return first.options, after or last.options
    if len(last.options) == 1 and len(first.options) > 1:
        return _before(first.options, last.options), last.options
    return first.options, last.options


def _hour(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(_number(found[1])), 0)


def _hours(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    first, last = (options(int(_number(found[group])), 0, None) for group in (1, 2))
    return [Value("clock", found.start(), found.end(1), first), Value("clock", found.start(2), found.end(), last)]


def _hour_and_minutes(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(_number(found[1])), int(_number(found[2])) if found[2] else 0)


def _part_named(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(_number(found[1])), 0, part=found[2] or "night")


_UNTIL = re.compile(r"\b(?:at|by|until|till|before|after|from|since) $")
_PAST = {"half": 30, "quarter": 15}


def _hour_of_a_day(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return "by three this afternoon"; without such a word before it, "three this morning" may be people."""
    return (
        _hour(rule_input, found) if _UNTIL.search(rule_input.text[max(0, found.start() - 8) : found.start()]) else None
    )


def _past(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return half past four, ten to six, a quarter to six."""
    minute = _PAST.get(found[1]) or int(_number(found[1]))
    hour, part = int(_number(found[3])), found[4] or found[5]
    if found[2] in ("to", "till"):
        hour, minute = (hour - 2) % 12 + 1, 60 - minute
    return _clock(rule_input, found, hour, minute, part=part)


def _half(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(_number(found[1])), 30)


def _four_digits(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    return _clock(rule_input, found, int(found[1]), int(found[2]), is_written_out=True)


def _named(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    known = ("12:00",) if "noon" in found[0] or "正午" in found[0] else ("00:00", "24:00")
    return [Value("clock", found.start(), found.end(), known)]


_MINUTES_ZH = {"半": 30, "一刻": 15, "三刻": 45, "整": 0, "": 0}


def _chinese(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return 三点半, 6 点 10, 十点过五分, 十点差五分."""
    hour, text = int(_number(found[1])), rule_input.text
    tail = (found[2] or "").strip()
    before = text[max(0, found.start() - 12) : found.start()]
    part = _PART_BEFORE.search(before)
    if not part and before.strip()[-1:] in _NO_CLOCK_BEFORE and before.strip():
        return None
    if found[1] == "一" and not tail and "钟" not in found[0]:
        is_time = (part and part[1] not in ("早", "晚")) or _LITTLE_BEFORE.search(before)
        if not is_time or (not part and _LITTLE.match(text, found.start() + 1)):
            return None
    if tail in _MINUTES_ZH:
        return _clock(rule_input, found, hour, _MINUTES_ZH[tail])
    count = tail.lstrip("过差").removesuffix("分")
    minute = 15 if count == "一刻" else int(_number(count))
    if tail[0] == "差":
        hour, minute = (hour - 2) % 12 + 1 if hour <= 12 else hour - 1, 60 - minute
    return _clock(rule_input, found, hour, minute)


def _short_of(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    hour = int(_number(found[2]))
    minute = 60 - (15 if found[1] == "一刻" else int(_number(found[1])))
    return _clock(rule_input, found, (hour - 2) % 12 + 1 if hour <= 12 else hour - 1, minute)


def _chinese_span(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return 3-4点, 三四点, where one 点 serves both numbers."""
    first = _clock(rule_input, found, int(_number(found[1])), 0, end=found.end(1))
    if not first:
        return None
    part = _PART_BEFORE.search(rule_input.text[max(0, found.start() - 16) : found.start()])
    last = options(int(_number(found[2])), 30 if found[3] == "半" else 0, part[1] if part else None)
    return [*first, Value("clock", found.start(2), found.end(), last)] if last else None


_NUMERALS = (DIGITS, *"零一二两三四五六七八九十")
_SPOKEN = r"(?:零[一二三四五六七八九]|[一二三四五]?十[一二三四五六七八九]?)"
_COUNTED = "[个人盏台位张件条只次家份页万千百%月号日天周]"
_TAIL = (
    rf"( ?半(?!天|小时|个)| ?[一三]刻| ?整| ?(?:过|差)(?:一刻|\d{{1,2}}|{_SPOKEN}|[一二三四五六七八九])分?"
    rf"| ?[0-5]\d(?!\d|[:.,]\d| ?{_COUNTED})分?| ?\d分(?!钟)| ?{_SPOKEN}(?:分(?!钟)|(?!{_COUNTED}|[{SIGNS_ZH}分])))?"
)

CLOCKS: tuple[Rule, ...] = (
    rule(
        "span with one half of the day",
        DIGITS,
        rf"{_twelve_named('first')}(?:{TO}|-|(?P<and> and )| or | ?/ ?){_twelve_named('last')}",
        _twelve_to_twelve,
        then=":.ap/o" + TO_SIGNS,
    ),
    rule(
        "hours and minutes",
        DIGITS,
        rf"([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d(?:\.\d{{1,6}})?)?(?!\d|:\d)(?: ?{_AMPM})?",
        _written_out,
        then=":",
    ),
    rule(
        "hour with its half of the day", DIGITS, rf"(1[0-2]|0?[1-9])(?:[.:]([0-5]\d))? ?{_AMPM}", _twelve, then=":.ap"
    ),
    rule(
        "hour with its half of the day",
        _HOUR_WORDS,
        rf"({'|'.join(_HOUR_WORDS)})(?: (thirty|fifteen|forty-five|twenty|ten))? {_AMPM}",
        _twelve,
    ),
    rule(
        "hour in the morning",
        (DIGITS, *_HOUR_WORDS),
        rf"{_HOUR_EN} (?:in the (morning|afternoon|evening)|at night)\b",
        _part_named,
        then="ia",
    ),
    rule(
        "span of o'clocks",
        (DIGITS, *_HOUR_WORDS),
        rf"{_HOUR_EN}(?:{TO}|-){_HOUR_EN} o'? ?clock\b",
        _hours,
        then=TO_SIGNS,
    ),
    rule("o'clock", (DIGITS, *_HOUR_WORDS), rf"{_HOUR_EN} o'? ?clock\b", _hour, then="o"),
    rule(
        "half past",
        ("half", "quarter", *_HOUR_WORDS, *TENS_EN),
        rf"(half|quarter|five|ten|twenty[- ]five|twenty) (past|to|after|till) {_HOUR_EN}(?:(?: ?{_AMPM})|{_ENDS})",
        _past,
    ),
    # "Half past" and "a quarter past" are always times, so any text may follow.
    rule("half past, whatever follows", ("half", "quarter"), rf"(half|quarter) (past) {_HOUR_EN}()()", _past),
    rule(
        "by three this afternoon",
        (DIGITS, *_HOUR_WORDS),
        rf"{_HOUR_EN}(?= (?:(?:this|tomorrow|yesterday|on) [a-z]+|tonight|today|tomorrow)\b)",
        _hour_of_a_day,
        then="yto",
    ),
    rule("half four", ("half",), rf"half {_HOUR_EN}{_ENDS}", _half),
    rule("four digits", DIGITS, r"([01]\d|2[0-4])([0-5]\d) ?(?:hrs?\b|(?<=at \d{4} )hours\b)", _four_digits, then="h"),
    rule("hours h minutes", DIGITS, r"([01]?\d|2[0-4])h([0-5]\d)\b", _four_digits, then="h"),
    rule("noon", (DIGITS, "noon", "midnight"), r"(?:12 )?(?:noon|midnight)\b", _named, then="nm"),
    rule("noon in signs", "正午", r"正午(?! ?\d|[十一])|午夜", _named),
    rule(
        "at ten",
        _HOUR_WORDS,
        rf"(?<=\bat ){_HOUR_EN}(?: (thirty|fifteen|forty-five|twenty|ten))?{_ENDS}",
        _hour_and_minutes,
    ),
    rule(
        "at 3", DIGITS, rf"(?:(?<=\bat )|(?<=@)|(?<=@ ))([01]?\d|2[0-4])(?![\d:]|,\d)()(?:{_ENDS})", _hour_and_minutes
    ),
    rule("at 10.30", DIGITS, rf"(?<=\bat )([01]?\d|2[0-3])\.([0-5]\d){_ENDS}", _four_digits, then="."),
    rule("3ish", DIGITS, r"(1[0-2]|[1-9])()-?ish\b", _hour_and_minutes, then="i-"),
    rule(
        "short of",
        "差",
        rf"差(\d{{1,2}}|一刻|{_SPOKEN}|[一二三四五六七八九])分?(?:到)? ?({HOUR}) ?点(?:钟|整)?",
        _short_of,
    ),
    rule(
        "two hours with one point",
        _NUMERALS,
        rf"({HOUR})(?:{TO}|-|、|(?<=[一二两三四五六七八九])(?=[二三四五六七八九]))({HOUR}) ?点(?:钟)?(半)?"
        rf"(?!{_NO_CLOCK})",
        _chinese_span,
        then="、点" + TO_SIGNS,
    ),
    rule(
        "hour in signs",
        _NUMERALS,
        rf"({HOUR}) ?(?:点钟?|时(?![候间期段不常刻])){_TAIL}(?!{_NO_CLOCK}|点)",
        _chinese,
        then="点时",
    ),
)
