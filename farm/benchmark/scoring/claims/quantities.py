"""Read numbers with units, amounts with currencies, percents and ordinals: 4,312, 三十二万, RM395, 第二十天."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from farm.benchmark.scoring.claims.dates import COUNTED
from farm.benchmark.scoring.claims.numerals import (
    FIRST_ZH,
    GREAT_EN,
    NUMBER,
    NUMERAL_ZH,
    ONES_EN,
    ORDINALS_EN,
    SIGNS_ZH,
    TENS_EN,
)
from farm.benchmark.scoring.claims.numerals import value_of as _number
from farm.benchmark.scoring.claims.rules import DIGITS, Rule, RuleInput, Value, ValueKind, any_of, by_word, rule, words

SCALES = {
    word: scale
    for scale, line in (
        (100.0, "百 hundred"),
        (1e3, "千 k thousand"),
        (1e4, "万 w"),
        (1e6, "百万 m mn mio million"),
        (1e7, "千万"),
        (1e8, "亿"),
        (1e9, "bn billion"),
    )
    for word in words(line)
}
# "Bucks" and "$" are read as US dollars, the best available guess.
CURRENCIES_BEFORE = by_word(
    {
        "MYR": "rm myr 马币",
        "SGD": "s$ sgd 新币",
        "USD": "us$ usd $ 美元",
        "HKD": "hk$ hkd",
        "EUR": "€ eur 欧元",
        "CNY": "¥ cny rmb 人民币",
        "GBP": "£ gbp",
        "JPY": "jpy",
    }
)
CURRENCIES_AFTER = by_word(
    {
        "MYR": "myr rm ringgit 马币 林吉特 令吉",
        "SGD": "sgd 新币 新元 新加坡元",
        "USD": "usd dollar dollars bucks 美元 美金",
        "HKD": "hkd 港币 港元",
        "EUR": "eur euro euros € 欧元",
        "CNY": "rmb cny yuan r 元 元钱 块钱 人民币",
        "GBP": "gbp pounds £ 英镑",
        "JPY": "jpy yen 日元",
    }
)
UNITS = by_word(
    {
        "pp": "个百分点 percentage_point percentage_points pp",
        "%": "% percent per_cent pct",
        "mm": "mm millimetres millimeters 毫米",
        "cm": "cm centimetres centimeters 厘米 公分",
        "m": "米 metres meters",
        "km": "km kilometre kilometer kilometres kilometers 公里 千米",
        "°C": "℃ °c ° 度 摄氏度 degrees degrees_c celsius",
        "°F": "℉ °f 华氏度 华氏 fahrenheit degrees_fahrenheit degrees_f",
        "g": "grams 克",
        "kg": "kg kilograms kilos 公斤 千克",
        "grade": "级",  # of wind
        "s": "sec secs seconds 秒 秒钟",
        "min": "min mins minute minutes 分钟",
        "h": "h hour hours hrs 小时 个小时 钟头 个钟头",
        "d": "day days 天",
        "w": "week weeks 周 星期 个星期 个礼拜",
        "mo": "month months 个月",
        "y": "year years 年",
    }
)
# The measures of a kind: unit → its size.
LENGTHS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0}
MASSES = {"g": 1.0, "kg": 1000.0}
TIMES = {"s": 1.0, "min": 60.0, "h": 3600.0}
# unit → its kind, and the size of one unit in the kind's base unit
DIMENSIONS = {
    unit: (kind, size)
    for kind, sizes in (("length", LENGTHS), ("mass", MASSES), ("time", TIMES))
    for unit, size in sizes.items()
}
# Units with which even "one" is a measure; one day, 一周 and 一个月 mostly are not.
_OF_ONE = {"%", "pp", "min", "h", "kg", "km", "cm", "mm", "°C", "°F"}
_COUNTERS = "个盏台人座条天片块元厘米次家间位张款页份只批轮例毛度分秒小岁楼层号期组项处篇名倍件套场颗支根"
_COUNTERS += "辆箱包袋本瓶杯碗株棵双对卷册封扇幅面副枚席桌样"

_NUMBER = re.compile(NUMBER)
_HALF_MORE = re.compile(r" and a half\b")
_SCALE = re.compile(rf" ?({any_of(SCALES)})(?!分)")
_REST = re.compile(r" ?([1-9一二三四五六七八九])([千百])?(?![\d.,:点]|[万千百十])")
_UNIT = re.compile(rf"(?: ?|-)({any_of(UNITS)})(?![a-z])")
_CURRENCY = re.compile(rf" ?({any_of(CURRENCIES_AFTER)})(?![a-z])")
_PIECE = re.compile(
    r" ?块(?:(?=[\s,.;:!?)、。一以左上每多了的吧呢也就和到–]|[一二三四五六七八九]百|$)"
    r"|([1-9一二三四五六七八九])(?!\d|金|香|花|[百千])毛?)"
)
_DIME = re.compile(r" ?[毛角](?:钱|([一二三四五六七八九])分?)?(?![\u4e00-\u9fff])|(?<=\d) ?毛")
_TENTHS = re.compile(r" ?成([一二三四五六七八九]|\d)?(?![年功员立就绩交都为本长])")
_OFF = re.compile(r" ?折(?![叠磨腾扣])")
_PER_MILLE = re.compile(r" ?‰")
_SPAN = re.compile(rf" ?(?:–|-|到|至) ?(?={NUMBER})")
_TIMES = re.compile(rf" ?(?:×|x|\*|乘以?| by) ?(?={NUMBER})")
# Text that makes digits part of something else: 3月, 3D, 12306号, 3点, a clock.
_NO_NUMBER = re.compile(r"[a-z]|:\d| ?月| ?号(?!桌)|点(?!\d)|\.\d|/\d|°[a-z]")
_VAGUE = re.compile("[几来]|起[^点]|分之")
_BEFORE_SIGN = re.compile(r"(?:^|[\s(:,=¥$€£/低高温为是约到至])-$|(?:\bminus |\bnegative |(?:负|零下) ?)$")
_PERCENT_OF = {"百": 1.0, "千": 0.1, "万": 0.01}


def _signed(rule_input: RuleInput, start: int) -> tuple[int, int]:
    """Return the sign of a number and its start: -5, minus five, 零下五度."""
    floor = rule_input.before.end if rule_input.before else 0
    low = max(floor, start - 9)
    found = _BEFORE_SIGN.search(rule_input.text[low:start]) if start > floor else None
    if not found or (found[0] == "-" and low > 0):
        return 1, start
    return -1, start - len(found[0].lstrip(" (:,=¥$€£\n\t"))


def _read(text: str, found: re.Match[str], *, is_signed: bool = False) -> Value | None:
    """Return a number with its scale and its unit or currency; None if it is not a number."""
    word, end = found[0], found.end()
    number = _number(word)
    if half := _HALF_MORE.match(text, end):
        number, end = number + 0.5, half.end()
    is_bare_digits = word.isdigit()
    if (scale := _SCALE.match(text, end)) and scale[0] not in (" m", " w"):
        if scale[1] == "k" and is_bare_digits and number >= 1000:
            return Value(
                "number", found.start(), scale.end(), number=number, unit="K"
            )  # the colour of a lamp's light, in kelvin
        number, end = number * SCALES[scale[1]], scale.end()
        if not scale[1].isascii() and (rest := _REST.match(text, end)):
            each = {"千": 1000.0, "百": 100.0, None: SCALES[scale[1]] / 10}[rest[2]]
            number, end = number + _number(rest[1]) * each, rest.end()
    number = round(number, 6)
    is_one = number == 1 and not word[0].isdigit()
    if value := _with_currency(text, found.start(), end, number):
        return value
    if value := _with_unit(text, found.start(), end, number):
        return None if is_one and value.unit not in _OF_ONE else value
    if (word[0] in SIGNS_ZH and not is_signed and not _counts(text, word, end)) or is_one:
        return None
    return (
        None
        if _NO_NUMBER.match(text, end) and end == found.end()
        else Value("number", found.start(), end, number=number)
    )


def _with_currency(text: str, start: int, end: int, number: float) -> Value | None:
    if currency := _CURRENCY.match(text, end):
        if currency[1] in ("r", "rm") and not text[end - 1].isdigit():
            return None
        return Value("amount", start, currency.end(), number=number, unit=CURRENCIES_AFTER[currency[1]])
    if piece := _PIECE.match(text, end):
        tenths = _number(piece[1]) / 10 if piece[1] else 0.0
        return Value("amount", start, piece.end(), number=number + tenths, unit="CNY")
    if dime := _DIME.match(text, end):
        cents = _number(dime[1]) / 100 if dime[1] else 0.0
        return Value("amount", start, dime.end(), number=round(number / 10 + cents, 6), unit="CNY")
    return None


def _with_unit(text: str, start: int, end: int, number: float) -> Value | None:
    if unit := _UNIT.match(text, end):
        if unit[1] == "年" and number >= 1900:
            return None
        return Value("number", start, unit.end(), number=number, unit=UNITS[unit[1]])
    if (tenths := _TENTHS.match(text, end)) and number <= 10:
        more = _number(tenths[1]) if tenths[1] else 0.0
        return Value("number", start, tenths.end(), number=number * 10 + more, unit="%")
    if (off := _OFF.match(text, end)) and number < 100:
        return Value("number", start, off.end(), number=number / 10 if number >= 10 else number, unit="折")
    if mille := _PER_MILLE.match(text, end):
        return Value("number", start, mille.end(), number=round(number / 10, 6), unit="%")
    return None


def _counts(text: str, word: str, end: int) -> bool:
    """Whether a Chinese numeral is a count: 三十二, 两个, 十盏; not 一起, 三思, 十几个."""
    if _VAGUE.match(text, end) or _IDIOM.fullmatch(word):
        return False
    if end < len(text) and text[end] in "点号月时":
        return False
    if len(word) > 1 or text[end - 1] in "万亿千百":
        return True
    return word != "一" and text[end : end + 2].lstrip(" ")[:1] in _COUNTERS and text[end : end + 2].lstrip(" ") != ""


_IDIOM = re.compile("一一|九九|五一|六一|一二|三五|七八")


def _quantity(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    text = rule_input.text
    before = text[max(0, found.start() - 1) : found.start()]
    if (before and before in "每几数") or (before == "第" and found[0][0] in SIGNS_ZH):
        return None
    sign, start = _signed(rule_input, found.start())
    span = _SPAN.match(text, found.end())
    if span and (second := _NUMBER.match(text, span.end())) and (last := _read(text, second)):
        number = _number(found[0])
        unscaled = _number(second[0])
        is_plain = found[0].isdigit() or found[0][0] in SIGNS_ZH
        if is_plain and number < unscaled:
            scale = 1.0
            if last.end > second.end() and (written := _SCALE.match(text, second.end())) and unscaled:
                scale = SCALES[written[1]]
            first = Value(last.kind, start, found.end(), number=sign * number * scale, unit=last.unit)
            return [first, last]
    times = _TIMES.match(text, found.end())
    second = _NUMBER.match(text, times.end()) if times else None
    last = _read(text, second) if second else None
    if last and last.unit in LENGTHS:  # "29.7 × 42 cm"
        return [Value(last.kind, start, found.end(), number=_number(found[0]), unit=last.unit), last]
    value = _read(text, found, is_signed=sign < 0)
    return [replace(value, start=start, number=sign * value.number)] if value else None


def _amount(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    text, currency = rule_input.text, CURRENCIES_BEFORE[found[1]]
    sign, start = _signed(rule_input, found.start())
    sign = -1 if found[2] else sign
    first, end = _scaled(text, found.start(3), found.end(3))
    if (again := _CURRENCY.match(text, end)) and CURRENCIES_AFTER[again[1]] == currency:
        end = again.end()
    values = [Value("amount", start, end, number=sign * first, unit=currency)]
    span = _SPAN.match(text, end)
    if (
        span
        and (second := _NUMBER.match(text, span.end()))
        and second[0][0].isdigit()
        and not re.match(r"\d|[-:/]\d", text[second.end() :][:2])
    ):
        last, end = _scaled(text, second.start(), second.end())
        if last > first:
            values.append(Value("amount", second.start(), end, number=last, unit=currency))
    return values


def _scaled(text: str, start: int, end: int) -> tuple[float, int]:
    number = _number(text[start:end])
    if scale := _SCALE.match(text, end):
        return round(number * SCALES[scale[1]], 6), scale.end()
    return number, end


def _approximate(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Return both numbers of 两三个, 三四百人, 五六十台, 十七八岁."""
    ten = 10 if found["ten"] else 0
    first, second = ten + _number(found[2]), ten + _number(found[3])
    if second != first + 1:
        return None
    scale = {"十": 10, "百": 100, "千": 1000, "万": 10_000}.get(found[4], 1)
    return [
        Value("number", found.start(), found.end(2), number=first * scale),
        Value("number", found.start(3), found.end(), number=second * scale),
    ]


def _percent_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    number = 100.0 if found[2] == "百" else _number(found[2])
    return [Value("number", found.start(), found.end(), number=round(number * _PERCENT_OF[found[1]], 6), unit="%")]


def _fraction_zh(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    whole = _number(found[1])
    return [Value("number", found.start(), found.end(), number=round(_number(found[2]) / whole, 6))] if whole else None


_PARTS_EN = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}


def _fraction_en(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    """Return two thirds, and three quarters of an hour in minutes."""
    share = _number(found[1]) / _PARTS_EN[found[2]]
    number, unit = (round(share * 60, 6), "min") if found[3] else (round(share, 6), "")
    return [Value("number", found.start(), found.end(), number=number, unit=unit)]


_ONE = ("a", "an", "one")


def _half_unit(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    """Return 半小时, half an hour, 一个半小时, an hour and a half."""
    parts = found.groupdict()
    count = (1.0 if parts["count"] in _ONE else _number(parts["count"]) if parts["count"] else 0.0) + 0.5
    return [Value("number", found.start(), found.end(), number=count, unit=UNITS[parts["unit"]])]


def _quarter_hours(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    return [Value("number", found.start(), found.end(), number=15 * _number(found[1]), unit="min")]


def _hours_and_minutes(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    """Return 1h 30m, 1小时30分, two hours 15 minutes."""
    hours = _number(found[1]) + _number(found[2]) / 60
    return [Value("number", found.start(), found.end(), number=round(hours, 6), unit="h")]


def _two_numbers(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    return [Value("number", found.start(group), found.end(group), number=float(found[group])) for group in (1, 2)]


def _metres(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    return [Value("number", found.start(), found.end(), number=float(found[1].replace(",", "")), unit="m")]


def _ordinal(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    word = found[1]
    number = float(ORDINALS_EN[word]) if word in ORDINALS_EN else _number(word)
    return [Value("ordinal", found.start(), found.end(), number=number)]


_NUMERALS = (DIGITS, *FIRST_ZH)
_WORDS = (*ONES_EN, *TENS_EN, *GREAT_EN, "a", "an")
_ORDINAL_WORDS = {word.split("-")[0].split(" ")[0] for word in ORDINALS_EN}

QUANTITIES: tuple[Rule, ...] = (
    rule(
        "percent in signs",
        "百千万",
        rf"([百千万])分之 ?((?:\d{{1,9}}(?:\.\d{{1,9}})?|[{SIGNS_ZH}]{{1,12}}(?:点[零〇一二三四五六七八九]{{1,6}})?))",
        _percent_zh,
    ),
    rule(
        "fraction in signs",
        _NUMERALS,
        rf"(\d{{1,6}}|{NUMERAL_ZH})分之 ?(\d{{1,6}}|{NUMERAL_ZH})",
        _fraction_zh,
        then="分",
    ),
    rule(
        "fraction",
        list(ONES_EN)[1:10],
        rf"({'|'.join(list(ONES_EN)[1:10])})[ -]({'|'.join(_PARTS_EN)})s?\b( of an hour\b)?(?! (?:to|past))",
        _fraction_en,
    ),
    rule(
        "half a unit more",
        _NUMERALS,
        rf"(?P<count>\d{{1,3}}|{NUMERAL_ZH}) ?个半(?P<unit>小时|钟头|月|星期|礼拜)".replace("月|", ""),
        _half_unit,
        then="个",
    ),
    rule("quarters of an hour", "一三", "([一三])刻钟", _quarter_hours),
    rule(
        "hours and minutes",
        _NUMERALS,
        rf"(\d{{1,2}}|{NUMERAL_ZH}) ?(?:h|hours?|hrs?|个?小时) ?([0-5]?\d(?!\d)|{NUMERAL_ZH})"
        r" ?(?:m(?:in)?\b|mins\b|minutes?\b|分钟?)",
        _hours_and_minutes,
        then="h个小",
    ),
    rule("half a unit", "半", r"(?P<count>)半个?(?P<unit>小时|钟头)", _half_unit),
    rule("half an hour", ("half",), r"(?P<count>)half(?: an?|-)? ?(?P<unit>hour|minute)\b", _half_unit),
    rule("hour and a half", ("an", "a", "one"), r"(?P<count>an?|one) (?P<unit>hour|minute) and a half\b", _half_unit),
    rule("ordinal", "第", rf"第 ?(\d{{1,9}}|[{SIGNS_ZH}]{{1,12}})(?!时间|一次听)[天个]?", _ordinal),
    rule("nth", DIGITS, r"(\d{1,9})(?:st|nd|rd|th)\b", _ordinal, then="snrt"),
    rule("nth in words", _ORDINAL_WORDS, rf"({any_of(ORDINALS_EN)}){COUNTED}", _ordinal),
    # "10m" is ten million, and "30 m" may be minutes; "0.4 m" and "695 m" are lengths, which are not counts.
    rule("part of a metre", ("0",), r"(0\.\d{1,3}) ?m(?![a-z\d])", _metres),
    rule(
        "metres",
        DIGITS,
        r"([1-9]\d{2,3}|[1-9]\d{0,2},\d{3}) m(?![a-z\d/²³^])"
        r"(?! (?:users?|people|units|pcs|downloads|yuan|rmb|usd|dollars)\b)",
        _metres,
    ),
    rule("day for short", ("d",), r"d ?(\d{1,3})(?![\d:.,]\d|[\d%a-z])", _ordinal),
    rule(
        "day or number",
        ("day", "number", "no"),
        r"(?:day|no\.|number) ?(\d{1,9})(?![\d:.,/]\d|\d"
        r"| ?(?:%|percent|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
        _ordinal,
    ),
    rule(
        "approximate",
        "一二两三四五六七八九十",
        r"(?P<ten>十)?([一二两三四五六七八])([二两三四五六七八九])([十百千万])?(?=[个人盏台天位张件条次家份页块只间小分岁周百千万十])",
        _approximate,
    ),
    rule(
        "amount",
        ("rm", "myr", "s", "sgd", "us", "usd", "hk", "hkd", "eur", "cny", "rmb", "gbp", "jpy", *"$€¥£马新人美欧"),
        rf"({'|'.join(map(re.escape, sorted(CURRENCIES_BEFORE, key=len, reverse=True)))}) ?(-)?({NUMBER})(?![\d])",
        _amount,
    ),
    rule("part of a whole", DIGITS, r"(\d{1,9})/(\d{1,9})(?![\d/])", _two_numbers, then="/"),
    rule("number", (*_NUMERALS, *_WORDS), NUMBER, _quantity),
)


def is_rounded_to(exact: Value, value: Value) -> bool:
    """Whether a measure rounds to another one, in its unit and places: 17,175 m to 17 km, 0.312 to 0.31."""
    if exact.unit == value.unit:
        number = exact.number
    elif (
        exact.unit in DIMENSIONS and value.unit in DIMENSIONS and DIMENSIONS[exact.unit][0] == DIMENSIONS[value.unit][0]
    ):
        number = exact.number * DIMENSIONS[exact.unit][1] / DIMENSIONS[value.unit][1]
    else:
        return False
    places = len(f"{value.number:g}".partition(".")[2])
    return value.unit != "" and abs(number - value.number) <= 0.5 * 10**-places


# A cell or a bracket that holds only a unit: "| 亿元 |", "(km)".
_HEADING = re.compile(rf"[(|] ?(?:单位:? ?)?({any_of(SCALES)})?({any_of((*CURRENCIES_AFTER, *UNITS))}) ?(?=[)|,])")


def in_units_of_headings(text: str, value: Value) -> Iterator[Value]:
    """Yield what a bare number may be in the units that headings of its text give: 54.74 below "亿元"."""
    if value.kind != "number" or value.unit:
        return
    for scale, unit in _headings(text):
        kind: ValueKind = "amount" if unit in CURRENCIES_AFTER else "number"
        number = round(value.number * SCALES.get(scale, 1.0), 6)
        yield replace(value, kind=kind, number=number, unit=CURRENCIES_AFTER.get(unit) or UNITS[unit])


@lru_cache(maxsize=64)
def _headings(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((found[1] or "", found[2]) for found in _HEADING.finditer(text)))
