"""Read ids such as EMB-424, and skip digits that are not values: links, versions, phones, list numbers."""

from __future__ import annotations

import re

from farm.benchmark.scoring.claims.numerals import FIRST_ZH, SIGNS_ZH
from farm.benchmark.scoring.claims.rules import ANY_WORD, DIGITS, LETTERS, Rule, RuleInput, Value, nothing, rule, words

# Links, mail addresses, mentions and hashtags may contain anything; they are found first and skipped.
HOLES = re.compile(
    r"https?://[!-~]{1,500}|\bwww\.[!-~]{1,300}"
    r"|(?<![a-z\d_.+-])[a-z\d_.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,5}"
    r"|<[@#!][^>\n]{0,80}>|(?<![a-z\d])@[a-z_][a-z\d_.-]{0,40}|#[^\s#,.;:!?。、()]{1,60}"
    r"|(?<![a-z\d_])[a-z\d]{1,40}(?:_[a-z\d]{1,40}){1,20}"
)
HOLE_SIGNS = ("://", "www.", "@", "#", "_")

_VERSIONED = words("version ver v firmware release app android ios macos windows ubuntu python java node build 固 版")
_WORDS_BEFORE_HYPHEN = (
    "am|pm|at|on|by|to|from|till|until|in|of|no|or|and|day|week|mid|pre|post|non|sub|top|rm|myr|sgd|usd|eur|cny|rmb|"
    "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|"
    "january|february|march|april|june|july|august|october|november|december"
)
_FACILITY = "线楼机门店灯位房室院仓柜车厅会馆口库手方版员色球"


_ITEM = re.compile(r"(?:^|\n)[ \t]{0,4}\d{1,2}[.)、]")


def _is_item(rule_input: RuleInput, found: re.Match[str]) -> bool:
    """Whether a match is at the start of a line."""
    head = rule_input.text[max(0, found.start() - 6) : found.start()].rpartition("\n")
    return not head[2].strip(" \t-•>") and (bool(head[1]) or found.start() < 6)


def _list_number(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    is_list = _is_item(rule_input, found)
    if rule_input.text[found.end() : found.end() + 2].strip().isdigit():
        is_list &= len(_ITEM.findall(rule_input.text)) > 1  # "8. 6 of them are S2" is a count
    return [] if is_list else None


def _bracketed(rule_input: RuleInput, found: re.Match[str]) -> list[Value] | None:
    """Read (2) as the number of an item, unless it only repeats the number before it: four (4) seats."""
    last = rule_input.before
    return None if last and last.end + 1 >= found.start() and last.number == float(found[1]) else []


def _id(rule_input: RuleInput, found: re.Match[str]) -> list[Value]:
    whole = found[0].upper()
    letters, number = re.findall(r"^(.*?)-?(\d{1,12})(?:-?[A-Z])*$", whole)[0]
    return [Value("id", found.start(), found.end(), (whole,), number=float(number), unit=letters)]


MARKS: tuple[Rule, ...] = (
    rule(
        "idiom",
        (*FIRST_ZH, "百"),
        "百八十|三三两两|七七八八|七上八下|一五一十|三五(?=[个人天次年])|十分(?![钟之])",
        nothing,
    ),
    rule("list number", DIGITS, r"\d{1,2}[.)、](?= ?[^\s\d]| \d)", _list_number, then=".)、"),
    rule("list number in brackets", "(", r"\((\d{1,2})\)", _bracketed),
    rule("phone", "+", r"\+\d[\d -]{6,18}\d", nothing),
    rule("phone with area", "(", r"\(\d{3}\) ?\d{3}-\d{4}", nothing),
    rule("phone in groups", DIGITS, r"(?:1\d\d[- ]\d{4}[- ]|0\d{2,3}-\d{3,4})\d{4}(?!\d)", nothing, then="-0"),
    rule("long digits", DIGITS, r"\d{9,}(?!\.\d)", nothing),
    rule("zone", ("utc", "gmt"), r"(?:utc|gmt) ?[+-] ?\d{1,2}(?::?\d\d)?", nothing),
    rule("around the clock", DIGITS, r"24/7(?!/|\d)", nothing, then="/"),
    rule("decade", DIGITS, r"(?:\d{4}|\d\d)s\b|\d{2,4}年代|\d{1,2}世纪", nothing, then="s年世"),
    rule("decade in signs", FIRST_ZH, rf"[{SIGNS_ZH}]{{1,4}}(?:年代|世纪)", nothing, then="年世"),
    rule("facility", DIGITS, rf"\d{{1,4}} ?号(?=[{_FACILITY}])", nothing, then="号"),
    rule("facility in signs", FIRST_ZH, rf"[{SIGNS_ZH}]{{1,4}}号(?=[{_FACILITY}])", nothing, then="号"),
    rule(
        "version of something",
        _VERSIONED,
        r"(?:(?:version|ver|firmware)(?: is| no)?\.? ?v?\d{1,9}(?:\.\d{1,9}){0,9}|v\.? ?\d{1,9}(?:\.\d{1,9}){0,9}"
        r"|(?:固件|版本)[号是]?:? ?v?\d{1,9}(?:\.\d{1,9}){0,9}|[a-z]{2,8} \d{1,9}(?:\.\d{1,9}){1,9})(?![\d.:]\d)",
        nothing,
    ),
    rule("version", DIGITS, r"(?!\d{1,3}(?:\.\d{3}){2,4}(?![\d.]))\d{1,9}(?:\.\d{1,9}){2,30}", nothing, then="."),
    rule("digits in a chain", DIGITS, r"\d{1,9}(?:-\d{1,9}){2,30}", nothing, then="-"),
    rule(
        "year",
        ("in", "since", "before", "after", "during", "until", "year", "fy"),
        r"[a-z]+ ?(?:19|20)\d\d(?![\d,.:-]\d| ?[a-z]|\d)",
        nothing,
    ),
    rule(
        "year and month", DIGITS, r"(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])(?!\d|[-/.]\d| ?[万亿%])", nothing, then="-/."
    ),
    rule("quarter of a year", ("q", "h"), r"(?:q[1-4]|h[12]) ?'?(?:20)?\d\d(?![\d,.:])", nothing),
    rule("lot or listed share", DIGITS, r"\d{4,8}(?:-[a-f]|\.s[hz])(?![a-z\d])", nothing, then="-."),
    rule("seat", DIGITS, r"\d{1,3}[a-z]-[a-z]\d{1,6}(?![a-z\d])", _id, then=LETTERS),
    rule(
        "id",
        ANY_WORD,
        rf"(?!(?:{_WORDS_BEFORE_HYPHEN})-)[a-z]{{1,8}}-\d{{1,12}}(?:-[a-z\d]{{1,12}}){{0,3}}(?![a-z\d]|[.:,]\d)",
        _id,
    ),
    rule(
        "id without a hyphen",
        ANY_WORD,
        r"(?!(?:rm|myr|sgd|usd|eur|cny|rmb|hkd|gbp|jpy|no)\d)[a-z]{1,4}\d{3,10}(?![a-z\d]|[.:,]\d)",
        _id,
    ),
)

# Tried at a word after every other rule: B12, v2, room26.
GLUED = rule("letters and digits", ANY_WORD, r"[a-z]{1,40}\d[a-z\d]{0,60}", nothing)
