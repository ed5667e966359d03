"""HTML is read in time that grows with its length, whatever somebody sends, and never raises."""

from __future__ import annotations

import time
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farm.appkit.formats.html import html_to_text
from farm.appkit.formats.html_parser import Attributes, LinearHTMLParser
from kernels.email163 import html_texts

READERS = {"farm": html_to_text, "email163": html_texts.html_to_text}
# What is never ended, or ended often, or nests.
REPEATED = (
    *("<a ", "<a href='", '<a href="x', '<a x="><a "', "<a =", "<a ====", "<!", "<!--", "<!--<a>", "<!doctype "),
    *("<![", "<![if ", "<![x]", "<![cdata[", "<![cdata[a]]>", "</", "</a", "</ ", "<?", "<?>", "<", "-- ", "]]"),
    *("<!doctype [<!x", "<!element a [", "&", "&#", "&#9", "&#x", "&amp", "&aaaaaaaa", "<script>", "</script ", "\x00"),
    *(
        "<p>a</p>",
        "<p>a",
        "<a href=b>a",
        "a<i></i>",
        "<ul><li>a",
        "<li>a",
        "<td>a",
        "<blockquote>a",
        "<h1>a ",
        "<pre>a",
    ),
    *("<br>", "<body>a", "<title>", "<style>"),
)
ONCE = (
    *("<ol start=²><li>a", f"<ol start={'9' * 5000}><li>a", f"&#{'9' * 5000}", f"<a b='&#{'9' * 5000};'>a</a>"),
    *("<body>" * 199 + "a " * 9000, "<blockquote>" * 199 + "a<br>" * 3000, "<ol><li>" * 99 + "a<br>" * 3000),
    *("<a href=b>" * 3000 + "</a>" * 3000, "<a" + " " * 9000, f"<!--{'-- ' * 9000}", "<!--x", "<script>x", "<a"),
)
WELL_FORMED = (
    *(
        "<p>",
        "</p>",
        "text ",
        "你好\n",
        "a &amp; b &nbsp;&copy &#65;&#x41; ",
        " < ",
        "1 <2 ",
        "<br/>",
        "<br />",
        "<hr / >",
    ),
    *(
        '<a href="x?a=1&amp;y=2">',
        "</a>",
        "<img alt='a > b' src=q>",
        '<td a=1 b="2"c>',
        "</td >",
        "<INPUT disabled\n v=a/>",
    ),
    *("<!-- c > x -->", "<!doctype html>", "<?xml v?>", "<style>p>a{}</style>", "<script>if(a<b)'</p>'</script>"),
    *(
        "<![if !mso]>",
        "<![endif]>",
        "<!--[if mso]><v:x><![endif]-->",
        "<!--[if !mso]><!-->",
        "<o:p>",
        "<x-y data-a = 'b'/>",
    ),
)


def _cpu_s(read: Callable[[str], str], html: str) -> float:
    before = time.process_time()
    read(html)
    return time.process_time() - before


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", REPEATED)
def test_eight_times_the_page_takes_no_square_of_the_time(reader: str, text: str) -> None:
    few, many = (text * (length // len(text)) for length in (4_000, 32_000))

    def ratio() -> float:
        return _cpu_s(READERS[reader], many) / max(_cpu_s(READERS[reader], few), 1e-4)

    # What is linear takes 8 times as long, what is quadratic 64 times; a tenth of a millisecond is noise. What a busy
    # machine has slowed down is measured again.
    assert any(ratio() < 8**1.5 for _ in range(3))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("html", [*ONCE, *(f"{text * 300}>" for text in REPEATED)], ids=lambda html: html[:20])
def test_no_page_breaks_a_reader(reader: str, html: str) -> None:
    text = READERS[reader](html)

    assert len(text) <= 100 * len(html)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a <b", "a <b"),
        ("a <b href='x>c", "a <b href='x>c"),
        ("a<!-- b <i>c</i>", "a<!-- b <i>c"),
        ("a<![x]>b", "ab"),
        ("<p>a<script>b", "a"),
        ("<ol start=²><li>a", " 1. a"),
        (f"a&#{'9' * 5000};&#{'0' * 5000}66;", "a\ufffdB"),
    ],
)
def test_what_nobody_ended_is_text(html: str, text: str) -> None:
    assert html_to_text(html) == text


def _recorder(base: type[Any]) -> Any:
    class Recorder(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.events: list[tuple[Any, ...]] = []

        def handle_starttag(self, tag: str, attrs: Attributes) -> None:
            self.events.append(("start", tag, *attrs))

        def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
            self.handle_starttag(tag, attrs)

        def handle_endtag(self, tag: str) -> None:
            self.events.append(("end", tag))

        def handle_data(self, data: str) -> None:
            if self.events and self.events[-1][0] == "text":
                data = self.events.pop()[1] + data
            self.events.append(("text", data))

    return Recorder()


@given(st.lists(st.sampled_from(WELL_FORMED), max_size=12))
def test_pages_where_all_is_ended_are_read_as_the_standard_library_reads_them(parts: list[str]) -> None:
    html = "".join([*parts, "<i>.</i> end"])
    ours, theirs = _recorder(LinearHTMLParser), _recorder(HTMLParser)
    ours.parse(html)
    theirs.feed(html)
    theirs.close()

    assert ours.events == theirs.events
