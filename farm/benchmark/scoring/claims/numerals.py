"""Find numbers in digits, Chinese numerals and English words, and return their values."""

from __future__ import annotations

import re

DIGITS_ZH = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_TENS_ZH = {"十": 10, "百": 100, "千": 1000}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
ONES_EN = {word: number for number, word in enumerate(_ONES.split())}
TENS_EN = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
GREAT_EN = {"hundred": 100, "dozen": 12, "thousand": 1000, "million": 10**6, "billion": 10**9}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
)
ORDINALS_EN = {word: number for number, word in enumerate(_ORDINALS.split(), 1)} | {"thirtieth": 30}
ORDINALS_EN |= {
    f"{tens}{joint}{word}": 10 * number + ORDINALS_EN[word]
    for number, tens in ((2, "twenty"), (3, "thirty"))
    for joint in "- "
    for word in _ORDINALS.split()[:9]
}

SIGNS_ZH = "零〇一二两俩三四五六七八九十百千万亿廿卅"
# A number does not begin with 百, 千, 万 or 亿, because 百度, 千万别 and 万一 are words.
FIRST_ZH = "零〇一二两俩三四五六七八九十廿卅"
WORDS_EN = "|".join(sorted((*ONES_EN, *TENS_EN, *GREAT_EN), key=len, reverse=True))
# Every quantifier is bounded; otherwise a wall of digits would cost seconds.
DIGITS = (
    r"\d{1,3}(?:,\d{3}){1,4}(?!\d)(?:\.\d{1,6}(?!\d))?"
    r"|\d{1,3}(?: \d{3}){1,4}(?![\d:])(?:\.\d{1,6}(?!\d))?"
    r"|\d{1,3}(?:\.\d{3}){2,4}(?![\d.])"
    r"|\d{1,9},\d{1,2}(?= ?[%€])"
    r"|\d{1,12}(?!\d)(?:\.\d{1,9}(?!\d))?"
)
NUMERAL_ZH = rf"[{FIRST_ZH}][{SIGNS_ZH}]{{0,15}}"
_POINT_ZH = r"(?:点[零〇一二三四五六七八九]{1,6}(?=万|亿|倍|个百分点|公里|公斤|小时|米|元|块|%))?"
_POINT_EN = rf"(?: point(?: (?:{'|'.join(list(ONES_EN)[:10])})){{1,6}})?"
NUMBER_EN = rf"(?:an? )?(?:{WORDS_EN})(?:[ -](?:and )?(?:{WORDS_EN})){{0,8}}{_POINT_EN}\b"
NUMBER = rf"(?:{DIGITS}|{NUMERAL_ZH}{_POINT_ZH}|{NUMBER_EN})"
# A day or a month, an hour.
DAY_ZH = "(?:三十一?|[二廿]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九])"
DAY = rf"(?:[0-3]?\d(?!\d)|{DAY_ZH})"
HOUR = r"(?:[0-2]?\d(?!\d)|二十[一二三四]?|十[一二三四五六七八九]?|[零一二两三四五六七八九])"

_WORD = re.compile("[a-z]+")


def chinese(numeral: str) -> float:
    """Return the value of a Chinese numeral: 三十二万, 两千四 (2400), 十八万三 (183000), 二〇二六, 三点五."""
    whole, _, part = numeral.partition("点")
    if part:
        return chinese(whole) + float("0." + "".join(str(DIGITS_ZH[sign]) for sign in part))
    if all(sign in DIGITS_ZH for sign in numeral):
        return float("".join(str(DIGITS_ZH[sign]) for sign in numeral))
    total = section = digit = 0.0
    last = 1.0  # the factor of the preceding sign; a lone last digit counts tenths of it
    for sign in numeral:
        if sign in DIGITS_ZH:
            digit = DIGITS_ZH[sign]
            last = 10.0 if digit == 0 else last
        elif sign in "廿卅":
            section, digit, last = section + (20 if sign == "廿" else 30), 0.0, 10.0
        elif sign in "万亿":
            last = 1e4 if sign == "万" else 1e8
            total, section, digit = (total + section + digit) * last, 0.0, 0.0
        else:
            last = _TENS_ZH[sign]
            section, digit = section + (digit or (1 if sign == "十" else 0)) * last, 0.0
    return total + section + digit * (last / 10 if last > 10 else 1)


def english(words: str) -> float:
    """Return the value of an English number in words: a hundred and twenty, six point three, two dozen."""
    words, _, point = words.partition(" point ")
    total = part = 0
    for word in _WORD.findall(words):
        if word in ONES_EN or word in TENS_EN:
            part += ONES_EN.get(word, 0) or TENS_EN.get(word, 0)
        elif word in ("hundred", "dozen"):
            part = (part or 1) * GREAT_EN[word]
        elif word in GREAT_EN:
            total, part = total + (part or 1) * GREAT_EN[word], 0
    return total + part + (float("0." + "".join(str(ONES_EN[word]) for word in point.split())) if point else 0)


def value_of(word: str) -> float:
    """Return the value of digits, a Chinese numeral or English words."""
    word = word.strip()
    if not word[0].isdigit():
        return chinese(word) if word[0] in SIGNS_ZH else english(word)
    if re.fullmatch(r"\d{1,9},\d{1,2}", word):
        return float(word.replace(",", "."))
    if word.count(".") > 1:
        return float(word.replace(".", ""))
    return float(re.sub("[, ]", "", word))
