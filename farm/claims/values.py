# ruff: noqa: E501 - the recogniser of the study, as it is until its rewrite lands
"""Reads typed values in what somebody wrote, in English, Chinese and both mixed: dates, clocks, numbers, amounts.

``read(text, now)`` works on the folded text (``fold``) and returns every value with its place, once, in order. Reading is
"all values of the text", never "is this value there": only so can further values, rivals and pairs be seen.
Rules run in order of trust; what a rule has taken, no later rule reads (ids, versions and phone numbers go first).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

# ---------------------------------------------------------------- numbers
_D = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_ZN = "零〇一二两三四五六七八九十百千万亿"
_EN_ONES = dict(
    zip(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(1, 20),
        strict=True,
    )
)
_EN_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_EN_BIG = {"hundred": 100, "thousand": 1000, "million": 10**6}
_ORD = dict(
    zip(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        range(1, 21),
        strict=True,
    )
) | {"thirtieth": 30}
_ENW = "|".join([*_EN_ONES, *_EN_TENS, *_EN_BIG])
_SCALE = {
    "万": 1e4,
    "亿": 1e8,
    "千": 1e3,
    "百": 100,
    "w": 1e4,
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "thousand": 1e3,
    "million": 1e6,
    "hundred": 100,
}
_NUM = r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,6})?|\d{1,3}(?: \d{3}){1,4}(?!\d)|\d{1,12}(?:\.\d{1,6})?"  # bounded: else a wall of digits costs seconds


def zh_number(word: str) -> float:
    """Return the value of a Chinese numeral: 三十二万, 两千四, 十八万三, 二〇二六."""
    if all(c in _D for c in word):
        return float("".join(str(_D[c]) for c in word))
    total, section, digit, last = 0.0, 0.0, 0.0, 1.0
    for c in word:
        if c in _D:
            digit = _D[c]
            if c in "零〇":
                last = 10.0
        elif c in "万亿":
            unit = 1e4 if c == "万" else 1e8
            total = (total + section + digit) * unit
            section, digit, last = 0.0, 0.0, unit
        else:
            unit = {"十": 10, "百": 100, "千": 1000}[c]
            section += (digit or (1 if unit == 10 else 0)) * unit
            digit, last = 0.0, unit
    return total + section + digit * (last / 10 if digit and last > 10 else 1)  # 两千四 is 2400, 十八万三 183000


def en_number(words: str) -> float:
    """Return the value of an English number in words."""
    total, part = 0, 0
    for w in re.findall(r"[a-z]+", words):
        if w in _EN_ONES or w in _EN_TENS:
            part += _EN_ONES.get(w) or _EN_TENS[w]
        elif w == "hundred":
            part = (part or 1) * 100
        elif w in _EN_BIG:
            total, part = total + (part or 1) * _EN_BIG[w], 0
    return float(total + part)


def any_number(word: str) -> float:
    """Return the value of digits, a Chinese numeral or English words."""
    word = word.strip()
    if word[0].isdigit():
        return float(re.sub(r"[, ]", "", word))
    return zh_number(word) if word[0] in _ZN else en_number(word)


# ---------------------------------------------------------------- values
@dataclass(frozen=True)
class Value:
    """One value of a text: its kind, its place in the folded text, and what it may mean.

    Attributes:
        options: the fair readings of a date (ISO) or a clock (HH:MM).
        wide: for a weekday or a day without its month, every day it may mean beside another date.
        unit: "%", a currency (ISO code), a measure, or "" for a bare count.
    """

    kind: str
    start: int
    end: int
    options: tuple[str, ...] = ()
    wide: frozenset[str] = frozenset()
    number: float = 0.0
    unit: str = ""


def fold(text: str) -> str:
    """Return a text in one width and case, marks of emphasis gone, dashes and quotes alike; lines are kept."""
    text = re.sub(
        r"，", ", ", re.sub(r"(?<=[^\d０-９])：|：(?=[^\d０-９])", ": ", text)
    )  # else "5，431" is read as 5431
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("−", "-")
    text = re.sub(r"[*_`~]+|:[a-z_+\d]+:(?!\d)|[\ufe0f\u200d]", "", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\s*–\s*|\s*—\s*|(?<=\d) - (?=\d)", "–", text))


_MON = {
    m: i for i, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}
_MONTH = "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WD = (
    {d: i for i, d in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
    | {c: i for i, c in enumerate("一二三四五六日")}
    | {"天": 6}
)
_WEEKDAY = r"\b(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b\.?"
_ZD = r"(?:\d{1,2}|三十一?|二?十[一二三四五六七八九]?|二十|[一二三四五六七八九])"  # a day or month in either script
_ND = r"(?:3[01]|[12]\d|0?[1-9])"
_CUR = {
    "rm": "MYR",
    "myr": "MYR",
    "马币": "MYR",
    "林吉特": "MYR",
    "令吉": "MYR",
    "ringgit": "MYR",
    "s$": "SGD",
    "sgd": "SGD",
    "新币": "SGD",
    "新元": "SGD",
    "us$": "USD",
    "usd": "USD",
    "$": "USD",
    "美元": "USD",
    "€": "EUR",
    "eur": "EUR",
    "euro": "EUR",
    "euros": "EUR",
    "欧元": "EUR",
    "¥": "CNY",
    "cny": "CNY",
    "rmb": "CNY",
    "元": "CNY",
    "块": "CNY",
    "yuan": "CNY",
    "人民币": "CNY",
    "£": "GBP",
    "gbp": "GBP",
}
_UNIT = {
    "cm": "cm",
    "厘米": "cm",
    "公分": "cm",
    "mm": "mm",
    "毫米": "mm",
    "km": "km",
    "公里": "km",
    "℃": "°C",
    "°c": "°C",
    "°": "°C",
    "度": "°C",
    "kg": "kg",
    "公斤": "kg",
    "minutes": "min",
    "minute": "min",
    "min": "min",
    "mins": "min",
    "分钟": "min",
    "hours": "h",
    "hour": "h",
    "小时": "h",
    "days": "d",
    "weeks": "w",
    "周": "w",
    "%": "%",
    "percent": "%",
    "per cent": "%",
    "pct": "%",
}
_PART = r"(凌晨|清晨|清早|大清早|早上|早晨|今早|明早|上午|中午|正午|下午|傍晚|晚上|今晚|明晚|昨晚|夜里|半夜|深夜|晚|早)"
_AMPM = r"([ap])\.? ?m\b\.?"
_COUNTERS = "个盏台人座条天片块元厘米次家间位张款页份只批轮例毛度分秒小岁楼层号期组项处篇名"


def _hours(hour: int, part: str | None, minute: int) -> tuple[str, ...]:
    """Return the clocks an hour may mean, given am, pm or a Chinese part of the day."""
    if hour > 24 or minute > 59:
        return ()
    if part in ("a", "凌晨", "清晨", "清早", "大清早", "早上", "早晨", "今早", "明早", "上午", "早"):
        hours = [hour % 12 if hour <= 12 and (hour < 12 or part in ("a", "凌晨")) else hour]
    elif part in ("中午", "正午"):
        hours = [hour + 12 if hour < 6 else hour]
    elif part in ("晚上", "今晚", "明晚", "昨晚", "夜里", "半夜", "深夜", "晚") and (
        hour == 12 or (hour < 6 and part in ("夜里", "半夜", "深夜"))
    ):
        hours = [hour % 12]
    elif part:
        hours = [hour + 12 if hour < 12 else hour]
    else:
        hours = [hour, hour + 12] if 0 < hour < 12 else [hour, 0] if hour == 12 else [hour]
    return tuple(f"{h % 24:02}:{minute:02}" for h in hours)


class _Reader:
    def __init__(self, text: str, now: datetime) -> None:
        self.text, self.now, self.today = text, now, now.date()
        self.taken = bytearray(len(text))
        self.out: list[Value] = []

    def rule(self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], list[Value] | Value | None]) -> None:
        for m in pattern.finditer(self.text):
            if m.start() == m.end() or any(self.taken[m.start() : m.end()]):
                continue
            made = make(m)
            if made is None:
                continue
            self.taken[m.start() : m.end()] = b"\1" * (m.end() - m.start())
            self.out += made if isinstance(made, list) else [made]

    # dates
    def days(self, m: re.Match[str], *days: date | None, wide: frozenset[str] = frozenset()) -> Value | None:
        known = tuple(dict.fromkeys(d.isoformat() for d in days if d))
        return Value("date", m.start(), m.end(), known, wide or frozenset(known)) if known else None

    def ymd(self, year: int | None, month: int, day: int) -> list[date]:
        found = []
        for y in [year] if year else [self.today.year, self.today.year + 1, self.today.year - 1]:
            try:
                found.append(date(y, month, day))
            except ValueError:
                continue
        return found if year else sorted(found, key=lambda d: abs((d - self.today).days))[:1]

    def month_day(self, m: re.Match[str], day: int, ordinal: bool = False) -> Value | None:
        """A day without its month: this month's, and where that is past, next month's too."""
        around = [d for k in range(-2, 5) for d in self.ymd(*divmod_month(self.today, k), day)]
        near = [d for d in around if (d.year, d.month) == (self.today.year, self.today.month)]
        near += (
            [d for d in around if not near or near[0] < self.today < d][:1] if not near or near[0] < self.today else []
        )
        return self.days(m, *near, wide=frozenset(d.isoformat() for d in around)) if around else None

    def weekday(self, m: re.Match[str], name: str, which: str) -> Value | None:
        monday = self.today - timedelta(days=self.today.weekday())
        day = monday + timedelta(days=_WD[name])
        weeks = {"next": 1, "下": 1, "下下": 2, "last": -1, "上": -1, "this": 0, "coming": 0, "这": 0, "本": 0}.get(
            which
        )
        if weeks is not None:
            return self.days(m, day + timedelta(weeks=weeks))
        ahead = day if day >= self.today else day + timedelta(weeks=1)
        return self.days(
            m,
            ahead,
            ahead - timedelta(weeks=1),
            wide=frozenset((day + timedelta(weeks=k)).isoformat() for k in range(-9, 26)),
        )


def divmod_month(today: date, k: int) -> tuple[int, int]:
    """Return the year and month ``k`` months from a day."""
    year, month = divmod(today.year * 12 + today.month - 1 + k, 12)
    return year, month + 1


def _c(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_SKIP = _c(
    r"(?m:^) *\d{1,2}[.)、](?=\s|[^\d\s])|https?://\S+|[\w.]+@[\w.]+|<[@#!][^>]*>"
    r"|\bv(?:er(?:sion)?)?\.? ?\d+(?:\.\d+)+|(?:版本|固件|firmware|version|release|app|android|ios)(?:号| 是)? ?\d+(?:\.\d+)+|(?<![\d.])\d+\.\d+\.\d+(?:\.\d+)*(?!\.?\d)(?<!\.20\d\d)(?<!\d\d\.\d\d\.\d\d)"
    r"|\+\d[\d -]{7,}\d|(?<!\d)1\d\d[- ]\d{4}[- ]\d{4}(?!\d)|(?<![\d.,])\d{9,}(?!\d)"
    r"|(?<![a-z\d])(?!(?:rm|myr|sgd|usd|eur|cny|rmb)-?\d)[a-z]{1,6}-?\d[\d]*(?:-[a-z\d]+)*(?![\d:,.]*\d)|(?<![a-z\d])\d+[a-z]{1,2}-?[a-z]?\d+|(?<=[a-z]-)\d+|\d+(?=号线|号楼|号机|号门)"
)
_RANGE = "(?:–|-|~|至|到| to | until )"
_LISTED = "(?:–|-|~|至|到|/| ?& ?|, ?| to | until | or | and )"
_NUMW = rf"({_NUM}|[{_ZN}]{{1,16}}|(?:a )?(?:{_ENW})(?:[ -](?:and )?(?:{_ENW}))*\b)"
_SC = r" ?(万|亿|千|百(?!分)|thousand|million|hundred|(?:k|w|mn|m)(?![a-z]))?"
_CURP = r"(rm|myr|s\$|sgd|us\$|usd|\$|€|eur|¥|cny|rmb|£|gbp)"
_CURS = r"(rmb|cny|yuan|元|块|人民币|马币|林吉特|令吉|myr|ringgit|新币|新元|sgd|eur|euros?|欧元|美元|usd|€|r(?![a-z]))"
_P = {
    k: _c(v)
    for k, v in {
        "iso": r"(?<!\d)(20\d\d)[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})(?!\d)[日号]?",
        "dmy": r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](20\d\d)(?!\d)",
        "mdrange": rf"(?<!\d)({_ZD}) ?月 ?({_ZD}) ?[日号]?{_RANGE}({_ZD}) ?[日号]",
        "md": rf"(?<![\d{_ZN}])({_ZD}) ?月(?:份)? ?({_ZD})(?!\d)(?: ?[日号])?(?![个{_ZN}])",
        "dMrange": rf"\b({_ND})(?:st|nd|rd|th)?{_LISTED}({_ND})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b",
        "dM": rf"(?<![\d.:])({_ND})(?:st|nd|rd|th)?(?: of)?[ -]?{_MONTH}\b\.?(?:,? (20\d\d))?",
        "Md": rf"\b{_MONTH}\.?[ -](?:the )?({_ND})(?:st|nd|rd|th)?(?![\d:])(?:,? (20\d\d))?",
        "Mword": rf"\b{_MONTH} (?:the )?(twenty-|thirty-)?({'|'.join(_ORD)})\b",
        "nth": r"\b(?:the )?([12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:day|time|case|floor|anniversary|lamp|person))",
        "hao": rf"(?<![\d第月.{_ZN}])({_ZD}) ?[日号](?![{_COUNTERS}线门机])",
        "wd": rf"(?:\b(this|next|last|coming) )?{_WEEKDAY}",
        "zwd": r"(下下|下|这|本|上)?个?(?:周|星期|礼拜)([一二三四五六日天])(?![个次])",
        "rel": r"(大后天|后天|明[天晚早日]|今[天晚早日]|昨[天晚日]|前天|day after tomorrow|tomorrow|tonight|today|day before yesterday|yesterday|(?:a|one) week from (?:today|now))",
        "in": rf"\bin {_NUMW} (day|week)s?\b|{_NUMW} (day|week)s? ago\b|{_NUMW} ?(天|周)(?:以?后|之后)",
        "slash": rf"(?<![\d/.-])({_ND})/({_ND})(?![\d/%]|\.\d| of\b)",
    }.items()
}
_C = {
    k: _c(v)
    for k, v in {
        "range": rf"(?:{_PART} ?)?(?<![\d:.])(\d{{1,2}})(?:[:.](\d\d))?(?: ?{_AMPM})?{_RANGE}(?:{_PART} ?)?(\d{{1,2}})(?:[:.](\d\d))? ?{_AMPM}",
        "hm": rf"(?:{_PART}的? ?)?(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?: ?{_AMPM})?",
        "ampm": rf"(?<![\d:.,])(1[0-2]|0?[1-9])(?:[.:]([0-5]\d))? ?{_AMPM}",
        "daypart": r"(?<![\d:.,])(1[0-2]|[1-9])(?::([0-5]\d))? (?:in the )(morning|afternoon|evening)\b",
        "oclock": rf"\b(1[0-2]|[1-9]|{'|'.join(_EN_ONES)}) o'? ?clock\b",
        "half": rf"\b(half|quarter|ten|twenty|five) (past|to) (1[0-2]|[1-9]|{'|'.join(_EN_ONES)})\b(?! percent)",
        "at": rf"\bat ({'|'.join(list(_EN_ONES)[:12])})\b(?![ -](?:{_ENW}|percent|%|thirty|fifteen))",
        "noon": r"\b(noon|midnight)\b|(正午|午夜)",
        "cha": rf"差({_ZD}|一刻)分?({_ZD})点",
        "zh": rf"(?:{_PART}的? ?)?(?:(?<![\d{_ZN}.])|(?<=[周期拜][一二三四五六日天]))(零|两|{_ZD}) ?(?:点钟?|时(?![候间期段不常刻]))(?: ?(半|一刻|三刻|整|[0-5]?\d(?!\d|[万%])|(?:{_ZD}|零[一二三四五六七八九])(?=分|[^{_ZN}{_COUNTERS}]|$))分?)?(?![儿点{_ZN}]|建议|意见|原因|要求|疑问|五%)",
    }.items()
}
_N = {
    k: _c(v)
    for k, v in {
        "pct": rf"百分之([{_ZN}]{{1,16}}(?:点[{_ZN}]{{1,16}})?|\d+(?:\.\d+)?)",
        "curp": rf"(?<![a-z]){_CURP} ?({_NUM}){_SC}(?:{_CURS})?",
        "curs": rf"(?<![\d{_ZN}])(?<!\d[.,]){_NUMW}{_SC} ?{_CURS}(?![{_ZN}]*个)",
        "unit": rf"(?<![\d{_ZN}])(?<!\d[.,]){_NUMW}{_SC} ?(cm|厘米|公分|mm|毫米|km|公里|℃|°c|°|度|kg|公斤|minutes?|mins?\b|分钟|hours?|小时|days\b|weeks\b|周|%|percent|per cent|pct)",
        "ord": rf"第 ?({_NUM}|[{_ZN}]{{1,16}})|(?<![\d.])(\d+)(?:st|nd|rd|th)\b|\b(?:day|no\.|number) (\d+)\b",
        "num": rf"(?<!\d)(?<!\d[.,:/-])(?<![a-z])(?<![a-z]-)({_NUM}){_SC}(?![a-z\d:]|\.\d)",
        "slashnum": r"(?<![\d/.])(\d+)/(\d+)(?![\d/])",
        "zhnum": rf"(?<![{_ZN}每])([{_ZN}]{{2,16}})(?![{_ZN}起般些])|(?<![{_ZN}第每那这])([两俩三四五六七八九十])(?= ?[{_COUNTERS}])",
        "ennum": rf"\b((?:a )?(?:{_ENW})(?:[ -](?:and )?(?:{_ENW}))*)\b",
    }.items()
}
_SHIFT = {
    "大后天": 3,
    "后天": 2,
    "明": 1,
    "今": 0,
    "昨": -1,
    "前天": -2,
    "day after tomorrow": 2,
    "tomorrow": 1,
    "tonight": 0,
    "today": 0,
    "day before yesterday": -2,
    "yesterday": -1,
}


def read(text: str, now: datetime, folded: bool = False) -> list[Value]:
    """Return every value of a text, in order."""
    text = text if folded else fold(text)
    r = _Reader(text, now)
    r.rule(_P["iso"], lambda m: r.days(m, *r.ymd(int(m[1]), int(m[2]), int(m[3]))))
    r.rule(_P["dmy"], lambda m: r.days(m, *r.ymd(int(m[3]), int(m[2]), int(m[1]))))
    r.rule(_SKIP, lambda m: [])

    def n(word: str) -> int:
        return int(any_number(word))

    def two(m: re.Match[str], month: int, a: int, b: int) -> list[Value]:
        cut = m.end(2) if m.re is _P["mdrange"] else m.end(1)
        spans = ((m.start(), cut), (cut + 1, m.end()))
        return [
            Value("date", x, y, v.options, v.wide)
            for d, (x, y) in zip((a, b), spans, strict=True)
            if (v := r.days(m, *r.ymd(None, month, d)))
        ]

    def clock(m: re.Match[str], hour: int, minute: int, part: str | None, strict: bool = False) -> Value | None:
        options = _hours(hour, part, minute)
        if strict and not part:
            options = options[:1]
        return Value("clock", m.start(), m.end(), options) if options else None

    r.rule(_P["mdrange"], lambda m: two(m, n(m[1]), n(m[2]), n(m[3])))
    r.rule(_P["md"], lambda m: r.days(m, *r.ymd(None, n(m[1]), n(m[2]))))
    r.rule(_P["dMrange"], lambda m: two(m, _MON[m[3][:3]], n(m[1]), n(m[2])))
    r.rule(_P["dM"], lambda m: r.days(m, *r.ymd(int(m[3]) if m[3] else None, _MON[m[2][:3]], n(m[1]))))
    r.rule(_P["Md"], lambda m: r.days(m, *r.ymd(int(m[3]) if m[3] else None, _MON[m[1][:3]], n(m[2]))))
    r.rule(
        _P["Mword"],
        lambda m: r.days(m, *r.ymd(None, _MON[m[1][:3]], {"twenty-": 20, "thirty-": 30, None: 0}[m[2]] + _ORD[m[3]])),
    )

    def clock_range(m: re.Match[str]) -> list[Value]:
        a = clock(
            m,
            int(m[2]),
            int(m[3] or 0),
            m[4] or m[8] if int(m[2]) <= int(m[6]) or m[4] else ("a" if m[8] == "p" else m[8]),
        )
        b = clock(m, int(m[6]), int(m[7] or 0), m[8])
        return [v for v in (a, b) if v]

    r.rule(_C["range"], clock_range)
    r.rule(_C["hm"], lambda m: clock(m, int(m[2]), int(m[3]), m[4] or m[1], strict=True))
    r.rule(_C["ampm"], lambda m: clock(m, int(m[1]), int(m[2] or 0), m[3]))
    r.rule(_C["daypart"], lambda m: clock(m, int(m[1]), int(m[2] or 0), "a" if m[3] == "morning" else "p"))
    r.rule(_C["oclock"], lambda m: clock(m, n(m[1]), 0, None))

    def past(m: re.Match[str]) -> Value | None:
        hour, minute = n(m[3]), {"half": 30, "quarter": 15, "ten": 10, "twenty": 20, "five": 5}[m[1]]
        return clock(m, hour, minute, None) if m[2] == "past" else clock(m, (hour - 2) % 12 + 1, 60 - minute, None)

    r.rule(_C["half"], past)
    r.rule(
        _C["noon"],
        lambda m: clock(
            m, 12 if m[1] == "noon" or m[2] == "正午" else 0, 0, "中午" if m[1] == "noon" or m[2] == "正午" else None
        ),
    )
    r.rule(_C["cha"], lambda m: clock(m, (n(m[2]) - 2) % 12 + 1, 60 - (15 if m[1] == "一刻" else n(m[1])), None))

    def zh_clock(m: re.Match[str]) -> Value | None:
        if (
            m[2] == "一"
            and not m[1]
            and not m[3]
            and not re.match(r"[ ]?(?:钟|[，,。；;）)]|$|起|前|后|开)", text[m.end() :])
        ):
            return None  # 一点 is "a little" far more often than one o'clock
        minute = {None: 0, "半": 30, "一刻": 15, "三刻": 45, "整": 0}.get(m[3])
        return clock(m, n(m[2]), n(m[3].lstrip("零")) if minute is None else minute, m[1])

    r.rule(_N["pct"], lambda m: Value("number", m.start(), m.end(), unit="%", number=_decimal(m[1])))
    r.rule(_P["zwd"], lambda m: r.weekday(m, m[2], m[1] or ""))
    r.rule(_C["zh"], zh_clock)
    r.rule(
        _P["wd"],
        lambda m: (
            r.weekday(m, m[2][:3], m[1] or "")
            if m[2] not in ("sat", "sun", "wed")
            or re.search(r"\d", text[m.start() - 12 if m.start() > 12 else 0 : m.end() + 12])
            else None
        ),
    )
    r.rule(
        _P["rel"],
        lambda m: r.days(
            m, r.today + timedelta(days=7 if "week" in m[0] else _SHIFT.get(m[1], _SHIFT.get(m[1][:1], 0)))
        ),
    )
    r.rule(
        _P["in"],
        lambda m: r.days(
            m,
            r.today
            + timedelta(
                days=n(m[1] or m[3] or m[5])
                * (7 if (m[2] or m[4] or m[6]) in ("week", "周") else 1)
                * (-1 if m[3] else 1)
            ),
        ),
    )
    r.rule(_P["hao"], lambda m: r.month_day(m, n(m[1])))
    r.rule(_P["nth"], lambda m: r.month_day(m, int(m[1])))
    r.rule(
        _P["slash"],
        lambda m: r.days(
            m,
            *(
                r.ymd(None, int(m[1]), int(m[2]))
                if int(m[1]) <= 12
                else r.ymd(None, int(m[2]), int(m[1]))
                if int(m[2]) <= 12
                else []
            ),
        ),
    )

    def number(m: re.Match[str], word: str, scale: str | None, unit: str = "", kind: str = "number") -> Value:
        return Value(
            kind, m.start(), m.end(), number=round(any_number(word) * _SCALE.get(scale or "", 1), 6), unit=unit
        )

    r.rule(_N["curp"], lambda m: number(m, m[2], m[3], _CUR[m[1]], "amount"))
    r.rule(_N["curs"], lambda m: number(m, m[1], m[2], _CUR.get(m[3], "CNY"), "amount"))
    r.rule(_N["unit"], lambda m: number(m, m[1], m[2], _UNIT[m[3]]))
    r.rule(_N["ord"], lambda m: Value("ordinal", m.start(), m.end(), number=any_number(m[1] or m[2] or m[3])))
    r.rule(_C["at"], lambda m: clock(m, n(m[1]), 0, None))
    r.rule(_N["slashnum"], lambda m: [Value("number", m.start(i), m.end(i), number=float(m[i])) for i in (1, 2)])
    r.rule(_N["num"], lambda m: number(m, m[1], m[2]))
    r.rule(
        _N["zhnum"],
        lambda m: (
            number(m, m[1] or m[2], None)
            if m[0] not in ("万一", "千万", "一一", "万千", "千百", "百千", "亿万")
            else None
        ),
    )
    r.rule(_N["ennum"], lambda m: number(m, m[1], None) if m[1] != "one" else None)
    return _merge(text, sorted(r.out, key=lambda v: v.start))


def _decimal(word: str) -> float:
    if word[0].isdigit():
        return float(word)
    whole, _, part = word.partition("点")
    return zh_number(whole) + (float("0." + "".join(str(_D[c]) for c in part)) if part else 0)


_DAYPART = _c(r" ?(?:o'clock )?(?:in the (?:morning|afternoon|evening)|at night)\b")
_JOIN = _c(r"[\s,，()（）·。.]*(?:the|that is|i\.e\.|即|就是|也就是|on)?[\s,，()（）]*")


def _merge(text: str, values: list[Value]) -> list[Value]:
    """Make one date of two that stand together and mean the same day: Thursday (12 March), 这周日（15号）."""
    out: list[Value] = []
    for value in values:
        if value.kind == "clock" and (part := _DAYPART.match(text, value.end)):
            early = part[0].endswith("morning")
            hours = dict.fromkeys((int(o[:2]) % 12 + (0 if early else 12), o[3:]) for o in value.options)
            value = Value("clock", value.start, part.end(), tuple(f"{h:02}:{m}" for h, m in hours))
        last = out[-1] if out else None
        if (
            last
            and last.kind == value.kind == "date"
            and _JOIN.fullmatch(text[last.end : value.start])
            and last.end <= value.start
        ):
            both = tuple(
                sorted(
                    (last.wide & frozenset(value.options))
                    or (frozenset(last.options) & value.wide)
                    or (last.wide & value.wide)
                )
            )
            if both:
                out[-1] = Value("date", last.start, value.end, both[:2], last.wide & value.wide)
                continue
        out.append(value)
    return out
