"""Texts and conversions of other languages; what is expected was printed by Node 20 or stands in Go's documentation."""

from __future__ import annotations

import encodings
import math
import time
from datetime import UTC, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farm.appkit.formats import times
from farm.appkit.formats.addresses import Address, read_entries
from farm.appkit.formats.charsets import decode_charset, decode_header_words
from farm.appkit.formats.cursors import InvalidCursorError, decode_cursor, encode_cursor
from farm.appkit.formats.go import go_float, go_value
from farm.appkit.formats.html import html_to_text
from farm.appkit.formats.javascript import (
    UNDEFINED,
    js_is_true,
    js_length,
    js_number,
    js_number_text,
    js_parse_int,
    js_slice,
    js_string,
    js_well_formed,
)
from farm.appkit.formats.stemming import strip_plural

MONDAY = 1_773_018_000_000  # 2026-03-09T01:00:00Z
SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
JULY = 1_784_000_000_123  # 2026-07-14T03:33:20.123Z


def test_times_read_as_in_javascript() -> None:
    assert times.js_iso(MONDAY + 7) == "2026-03-09T01:00:00.007Z"
    assert times.js_utc(MONDAY) == "Mon, 09 Mar 2026 01:00:00 GMT"
    assert times.js_date(MONDAY, SHANGHAI) == "Mon Mar 09 2026 09:00:00 GMT+0800 (China Standard Time)"
    assert times.js_date(JULY, BERLIN) == "Tue Jul 14 2026 05:33:20 GMT+0200 (Central European Summer Time)"
    assert times.js_date(MONDAY) == "Mon Mar 09 2026 01:00:00 GMT+0000 (Coordinated Universal Time)"
    assert times.js_locale(MONDAY, SHANGHAI) == "3/9/2026, 9:00:00 AM"
    assert times.js_locale(MONDAY - 3_600_000) == "3/9/2026, 12:00:00 AM"
    assert times.js_locale_date(MONDAY, SHANGHAI) == "3/9/2026"
    assert times.js_locale(MONDAY + 12 * 3_600_000) == "3/9/2026, 1:00:00 PM"


def test_a_zone_without_a_known_english_name_is_not_guessed() -> None:
    with pytest.raises(LookupError, match="Pacific/Apia"):
        times.js_date(MONDAY, ZoneInfo("Pacific/Apia"))


def test_times_read_as_in_python_and_in_mail() -> None:
    assert times.python_text(MONDAY) == "2026-03-09 01:00:00+00:00"
    assert times.python_iso(MONDAY + 120, SHANGHAI) == "2026-03-09T09:00:00.120000+08:00"
    assert times.mail_date(MONDAY, SHANGHAI) == "Mon, 09 Mar 2026 09:00:00 +0800"
    assert times.mail_date(MONDAY, UTC) == "Mon, 09 Mar 2026 01:00:00 +0000"


@pytest.mark.parametrize(
    ("layout", "zone", "text"),
    [
        ("2006-01-02T15:04:05Z07:00", UTC, "2026-07-14T03:33:20Z"),
        ("2006-01-02T15:04:05.000Z07:00", SHANGHAI, "2026-07-14T11:33:20.123+08:00"),
        ("Mon, 02 Jan 2006 15:04:05 MST", SHANGHAI, "Tue, 14 Jul 2026 11:33:20 CST"),
        ("Monday, January _2 06 3:04PM", BERLIN, "Tuesday, July 14 26 5:33AM"),
        ("2006-01-02 15:04:05 -0700 MST", ZoneInfo("Asia/Tehran"), "2026-07-14 07:03:20 +0330 +0330"),
        ("002 05.999999999", UTC, "195 20.123"),
        ("15:04 -07", timezone(timedelta(hours=8)), "11:33 +08"),
    ],
)
def test_times_read_as_go_formats_them(layout: str, zone: Any, text: str) -> None:
    assert times.go_format(JULY, layout, zone) == text


def test_a_fixed_offset_has_no_abbreviation_and_go_prints_the_offset_instead() -> None:
    # Go's Format: "No time zone known for this time, but we must print one. Use the -0700 format."
    for hours, text in ((-5, "-0500"), (5, "+0500"), (5.5, "+0530"), (-0.5, "-0030")):
        zone = timezone(timedelta(hours=hours))
        assert times.go_format(JULY, "MST", zone) == text
    # These carry a name, if only digits, in the time zone database; Go prints names as they are.
    assert times.go_format(JULY, "-0700 MST", ZoneInfo("America/Sao_Paulo")) == "-0300 -03"
    assert times.go_format(JULY, "-0700 MST", timezone(timedelta(hours=-5), "EST")) == "-0500 EST"


def test_years_have_at_least_four_digits() -> None:
    year_1 = -62_135_596_800_000
    assert times.js_iso(year_1) == "0001-01-01T00:00:00.000Z"
    assert times.js_utc(year_1) == "Mon, 01 Jan 0001 00:00:00 GMT"
    assert times.js_date(year_1) == "Mon Jan 01 0001 00:00:00 GMT+0000 (Coordinated Universal Time)"
    assert times.go_rfc3339(year_1) == "0001-01-01T00:00:00Z"


def test_an_offset_with_seconds_is_cut_to_minutes_towards_zero() -> None:
    # Both divide integers: V8 milliseconds by 60000, Go seconds by 60.
    for seconds, text in ((29_143, "+0805"), (-18_059, "-0500"), (-59, "+0000")):
        assert times.go_format(MONDAY, "-0700", timezone(timedelta(seconds=seconds))) == text
    assert "GMT-0500 (GMT-05:00)" in times.js_date(MONDAY, timezone(timedelta(seconds=-18_059)))


def test_times_read_as_go_prints_them() -> None:
    time_string = "2006-01-02 15:04:05.999999999 -0700 MST"  # the layout of Go's Time.String
    assert times.go_format(MONDAY, time_string, SHANGHAI) == "2026-03-09 09:00:00 +0800 CST"
    assert times.go_format(JULY, time_string, UTC) == "2026-07-14 03:33:20.123 +0000 UTC"
    assert times.go_rfc3339(JULY, SHANGHAI) == "2026-07-14T11:33:20+08:00"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (UNDEFINED, "undefined"),
        (None, "null"),
        (True, "true"),
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000, "123456789012345680000"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (9007199254740993, "9007199254740992"),
        (10**400, "Infinity"),
        ([1, [2, None, UNDEFINED], {}], "1,2,,,[object Object]"),
        ([], ""),
        ([[], [[]], [None], 1, ([],)], ",,,1,"),
        ({"a": 1}, "[object Object]"),
    ],
)
def test_values_become_texts_as_in_javascript(value: Any, text: str) -> None:
    assert js_string(value) == text


def test_lists_in_lists_become_a_text_however_deep_they_are() -> None:
    deep: list[Any] = [1, 2]
    for _ in range(10_000):
        deep = [deep]
    assert js_string(deep) == "1,2"
    assert math.isnan(js_number(deep))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (" 12\n", 12),
        ("\u00a07\ufeff", 7),
        ("", 0),
        ("0x1f", 31),
        ("0b11", 3),
        ("5.", 5),
        (".5", 0.5),
        ("1e3", 1000),
        ("-Infinity", -math.inf),
        (None, 0),
        (True, 1),
        ([5], 5),
        ([], 0),
        ([["7"]], 7),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        ("0x" + "f" * 400, math.inf),
    ],
)
def test_values_become_numbers_as_in_javascript(value: Any, number: float) -> None:
    assert js_number(value) == number


@pytest.mark.parametrize(
    "value", ["12px", "1_0", "-0x1", "0x", ".", "1e", "infinity", "nan", "٣", UNDEFINED, {}, [1, 2]]
)
def test_what_is_no_number_in_javascript_is_nan(value: Any) -> None:
    assert math.isnan(js_number(value))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12px", 12),
        (" \n-7.9", -7),
        ("+3", 3),
        ("1e3", 1),
        ("0x1f", 0),
        ("", None),
        ("px", None),
        ("-", None),
        ("٣", None),
    ],
)
def test_a_text_is_the_whole_number_it_begins_with_as_in_javascript(text: str, number: int | None) -> None:
    assert js_parse_int(text) == number


def test_a_whole_number_of_any_length_is_read() -> None:
    assert (js_parse_int("9" * 10_000) or 0) > 10**300


@given(st.floats(allow_nan=False))
def test_a_number_s_text_is_that_number_again(number: float) -> None:
    assert js_number(js_number_text(number)) == number


# As the Go SDK's validator quoted what it was sent; the last two as Go's strconv rounds.
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (999999, "999999"),
        (1000000, "1e+06"),
        (20999999, "2.0999999e+07"),
        (1700000000, "1.7e+09"),
        (123456.789, "123456.789"),
        (1234567.89, "1.23456789e+06"),
        (123456789.123, "1.23456789123e+08"),
        (9007199254740993, "9.007199254740992e+15"),
        (1e16, "1e+16"),
        (-5000000, "-5e+06"),
        (1.5e-07, "1.5e-07"),
        (0.0001, "0.0001"),
        (1.0, "1"),
        (-0.0, "-0"),
        (0, "0"),
        (2.0**-44, "5.684341886080802e-14"),
        (5e-324, "5e-324"),
    ],
)
def test_numbers_become_texts_as_go_prints_them(number: float, text: str) -> None:
    assert go_float(number) == text


def test_numbers_inside_of_lists_and_maps_become_texts_as_outside() -> None:
    assert go_value([1234567, {"a": 7654321}]) == "[1.234567e+06 map[a:7.654321e+06]]"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_s_text_in_go_is_that_number_again(number: float) -> None:
    assert float(go_float(number)) == number


def test_lengths_count_utf16_units() -> None:
    assert js_length("a😀中") == 4
    assert js_slice("a😀中", 3) == "a😀"
    assert js_slice("a😀中", 2) == "a\ufffd"
    assert js_slice("ab", 9) == "ab"


def test_half_a_character_is_replaced_and_two_halves_are_one() -> None:
    assert js_well_formed("a\ud83d中") == "a\ufffd中"
    assert js_well_formed("a\ud83d\ude00中") == "a😀中"


@pytest.mark.parametrize(
    ("word", "one"), [("lamps", "lamp"), ("glass", "glass"), ("gas", "gas"), ("lamp", "lamp"), ("bus", "bus")]
)
def test_a_plural_is_compared_as_its_singular(word: str, one: str) -> None:
    assert strip_plural(word) == one


def test_a_cursor_leads_back_to_its_keys() -> None:
    cursor = encode_cursor("messages", 12, "om_1")

    assert decode_cursor("messages", cursor, int, str) == (12, "om_1")


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        "bm8=",
        encode_cursor("chats", 12),
        encode_cursor("messages", "12"),
        encode_cursor("messages", 2**63),
    ],
)
def test_a_text_that_is_no_cursor_of_this_list_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidCursorError):
        decode_cursor("messages", cursor, int)


@given(st.text())
def test_no_text_breaks_a_cursor(text: str) -> None:
    with pytest.raises(InvalidCursorError):
        decode_cursor("messages", text, int)


def test_addresses_are_read_with_and_without_names() -> None:
    header = (
        'Wan Lin <wan@example.com>, "Bauer, Jan" <jan@example.com>,\r\n plain@example.com, '
        "=?utf-8?B?5p6X5pma?= <w@x.example>"
    )

    found = [address for _, address in read_entries(header)]

    assert found == [
        Address("Wan Lin", "wan@example.com"),
        Address("Bauer, Jan", "jan@example.com"),
        Address("", "plain@example.com"),
        Address("林晚", "w@x.example"),
    ]
    assert [str(each) for each in found][:3] == [
        "Wan Lin <wan@example.com>",
        '"Bauer, Jan" <jan@example.com>',
        "plain@example.com",
    ]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        *(("", []), ("somebody", ["somebody"]), ("<>", ["<>"]), ("@", ["@"]), (",,,", []), ("a@", ["a@"]), ("(((", [])),
        *((":;0", ["0"]), ("wan, <w@x.example> or so", ["wan", "<w@x.example> or so"])),
    ],
)
def test_what_is_no_address_gives_none(header: str, said: list[str]) -> None:
    assert list(read_entries(header)) == [(each, None) for each in said]


@given(st.text())
def test_no_header_breaks_the_parser(header: str) -> None:
    assert all(found is None or "@" in found.address for _, found in read_entries(header))


def test_a_page_becomes_the_text_that_is_read() -> None:
    html = """<html><head><title>T</title><style>p{}</style></head><body>
      <h1>Launch  plan</h1><p>The <b>Ember</b> ships
      on&nbsp;Monday.<br>Really.</p><ul><li>box</li><li>lamp<ol><li>cable</li><li>plug</li></ol></li></ul>
      <p>See <a href="https://x.example/a">the list</a>, <a href="mailto:w@x.example">w@x.example</a>.</p>
      <script>alert(1)</script><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table></body></html>"""

    assert html_to_text(html, shouts_headings=True) == (
        "LAUNCH PLAN\n\nThe Ember ships on\u00a0Monday.\nReally.\n\n * box\n * lamp\n 1. cable\n 2. plug\n\n"
        "See the list [https://x.example/a], w@x.example.\n\n1 2\n3"
    )


def test_preformatted_text_keeps_its_spaces_and_links_may_stay_hidden() -> None:
    assert html_to_text("<pre>a\n  b</pre>") == "a\n  b"
    assert html_to_text('<a href="https://x.example">here</a>', shows_links=False) == "here"


@given(st.text())
def test_no_page_breaks_the_reader(html: str) -> None:
    html_to_text(html)


def test_what_is_something_to_javascript() -> None:
    assert all(map(js_is_true, ([], {}, [0], " ", "0", 1, -0.5, True)))
    assert not any(map(js_is_true, ("", 0, 0.0, -0.0, math.nan, None, False, UNDEFINED)))


@pytest.mark.parametrize("value", [f"1{' ' * 100_000}x", f"{'1' * 100_000}x", f"{' ' * 100_000}x{' ' * 100_000}y"])
def test_a_long_text_is_read_once(value: str) -> None:
    started = time.process_time()

    assert math.isnan(js_number(value))
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    "header",
    [
        "(" * 30_000 + "a@b.example",
        '"' * 30_001,
        "<" * 30_000,
        "@" * 30_000,
        "a@" + "." * 30_000,
        "\\" * 30_001,
        "a@b.example," * 20_000,
        "a" * 30_000 + "@" + "b." * 20_000,
        "g:" * 20_000 + "a@b.example",
    ],
)
def test_a_long_header_takes_as_long_as_it_is(header: str) -> None:
    started = time.process_time()

    list(read_entries(header))

    assert time.process_time() - started < 0.5


def test_a_comment_is_no_part_of_an_address_and_a_group_is_its_members() -> None:
    header = 'team (old): Jan (Hamburg) <jan@x.example>, "a, b" <c@x.example>; last@x.example (me)'

    assert [str(address) for _, address in read_entries(header)] == [
        "Jan <jan@x.example>",
        '"a, b" <c@x.example>',
        "last@x.example",
    ]


@pytest.mark.parametrize("charset", ["idna", "punycode", "unicode_escape", "undefined", "rot13", "zlib", "no-such"])
def test_what_is_no_charset_decodes_nothing(charset: str) -> None:
    assert decode_charset(b"xn--a\\ud800", charset) is None
    assert decode_header_words(f"=?{charset}?Q?=5Cud800?=") == f"=?{charset}?Q?=5Cud800?="


def test_a_charset_never_gives_half_a_character_and_goes_by_any_of_its_names() -> None:
    assert decode_charset(b"a+2AA-", "UTF-7") == "a\ufffd"
    assert decode_charset("中".encode("gb18030"), " GB18030 ") == "中"
    assert decode_charset("中".encode("gbk"), "cp936") == "中"
    assert decode_header_words("=?GBK?B?1tA=?= x =?utf-8?Q?=C3=A9?=") == "中 x é"


def test_nobody_remembers_charsets_that_there_are_not() -> None:
    for number in range(100):
        decode_header_words(f"=?charset-{number}?Q?a?=")

    assert [name for name in encodings._cache if name.startswith("charset")] == []
