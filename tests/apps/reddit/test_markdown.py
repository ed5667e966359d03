"""A text's Markdown as HTML, rule for rule as Snudown makes it."""

from __future__ import annotations

import pytest

from farm.testing import LocalApp
from tests.apps.reddit.conftest import TOP


def shown(reddit: LocalApp, text: str) -> str:
    """Return what stands inside the frame of a comment's HTML, without the ends of the last line."""
    reddit.episode.db.update("comments", {"comment_id": TOP}, body=text)
    (thing,) = reddit.call("REDDIT_RETRIEVE_SPECIFIC_COMMENT", id=f"t1_{TOP}")["data"]["things"]
    html: str = thing["data"]["body_html"]
    assert html.startswith('<div class="md">')
    assert html.endswith("</div>")
    return html.removeprefix('<div class="md">').removesuffix("</div>").removesuffix("\n")


def link(href: str, said: str | None = None) -> str:
    return f'<a href="{href}">{said or href}</a>'


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        # Headings: one to six signs, those behind the words go; any number of lines below.
        ("## Two", "<h2>Two</h2>"),
        ("#Tight", "<h1>Tight</h1>"),
        ("###### Six ##", "<h6>Six</h6>"),
        ("####### Seven", "<h6># Seven</h6>"),
        ("# *a* #1", "<h1><em>a</em> #1</h1>"),
        ("#", ""),
        ("Head\n===", "<h1>Head</h1>"),
        ("Head\n=", "<h1>Head</h1>"),
        ("Head\n-", "<h2>Head</h2>"),
        ("one\ntwo\n--  \nthree", "<p>one</p>\n\n<h2>two</h2>\n\n<p>three</p>"),
        ("one\n# two\nthree", "<p>one</p>\n\n<h1>two</h1>\n\n<p>three</p>"),
        # Rules.
        ("* * *", "<hr/>"),
        ("___", "<hr/>"),
        ("   -----  ", "<hr/>"),
        ("**", "<p>**</p>"),
        ("a\n***\nb", "<p>a</p>\n\n<hr/>\n\n<p>b</p>"),
        ("***\n***", "<hr/>\n\n<hr/>"),
        # Paragraphs.
        ("a\n\n\n\nb", "<p>a</p>\n\n<p>b</p>"),
        ("a\r\nb\rc", "<p>a\nb\nc</p>"),
        ("   a", "<p>a</p>"),
        ("a\x03b", "<p>ab</p>"),
        # Code.
        ("    one\n\n    two\n\n", "<pre><code>one\n\ntwo\n</code></pre>"),
        ("    *a*\nb", "<pre><code>*a*\n</code></pre>\n\n<p>b</p>"),
        ("\ta", "<pre><code>a\n</code></pre>"),
        ("        a", "<pre><code>    a\n</code></pre>"),
        ("a\n    b", "<p>a\n    b</p>"),
        ("```\na\n```\nb", "<pre><code>a\n</code></pre>\n\n<p>b</p>"),
        ("~~~\n<a>\n~~~", "<pre><code>&lt;a&gt;\n</code></pre>"),
        ("```{.js}\na\n```", '<pre><code class="md-code-language-js">a\n</code></pre>'),
        ("``` c++\na\n````", '<pre><code class="md-code-language-c++">a\n</code></pre>'),
        ("```\na", "<pre><code>a\n</code></pre>"),
        ("```\na\n```b\nc\n```", "<pre><code>a\n```b\nc\n</code></pre>"),
        # Quotes: lines without a mark belong to one until an empty line.
        ("> a\n> b\nc\n\nd", "<blockquote>\n<p>a\nb\nc</p>\n</blockquote>\n\n<p>d</p>"),
        (">a\n\n>b", "<blockquote>\n<p>a</p>\n\n<p>b</p>\n</blockquote>"),
        ("a\n> b", "<p>a</p>\n\n<blockquote>\n<p>b</p>\n</blockquote>"),
        ("> # a\n> - b", "<blockquote>\n<h1>a</h1>\n\n<ul>\n<li>b</li>\n</ul>\n</blockquote>"),
        (">! a\n>! b", '<blockquote class="md-spoiler-text">\n<p>a\nb</p>\n</blockquote>'),
        (">!a!< b", '<p><span class="md-spoiler-text">a</span> b</p>'),
        # Lists: tight ones hold their lines, loose ones paragraphs.
        ("* a\n+ b\n- c", "<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>"),
        ("1. a\n2. b\n\nc", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n\n<p>c</p>"),
        ("7. a", "<ol>\n<li>a</li>\n</ol>"),
        ("1. a\nmore", "<ol>\n<li>a\nmore</li>\n</ol>"),
        ("- a\n\n- b", "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>"),
        ("- a\n    1. b\n    2. c", "<ul>\n<li>a\n\n<ol>\n<li>b</li>\n<li>c</li>\n</ol></li>\n</ul>"),
        ("- a\n    - b\n        - c", "<ul>\n<li>a\n\n<ul>\n<li>b\n\n<ul>\n<li>c</li>\n</ul></li>\n</ul></li>\n</ul>"),
        ("- a\n\n1. b", "<ul>\n<li>a</li>\n</ul>\n\n<ol>\n<li>b</li>\n</ol>"),
        ("1. a\n\n- b", "<ol>\n<li>a</li>\n</ol>\n\n<ul>\n<li>b</li>\n</ul>"),
        ("-a", "<p>-a</p>"),
        ("1.a", "<p>1.a</p>"),
        ("- *a*\n- `b`", "<ul>\n<li><em>a</em></li>\n<li><code>b</code></li>\n</ul>"),
        # Tables: as many columns as the head has, and no more.
        (
            "a|b|c\n-|:-:|-:\n1|2|3|4",
            "<table><thead>\n<tr>\n<th>a</th>\n"
            '<th align="center">b</th>\n<th align="right">c</th>\n</tr>\n</thead><tbody>\n'
            '<tr>\n<td>1</td>\n<td align="center">2</td>\n<td align="right">3</td>\n</tr>\n</tbody></table>',
        ),
        (
            "|a|b|c|\n|-|:-|-|\n|1|",
            '<table><thead>\n<tr>\n<th>a</th>\n<th align="left">b</th>\n<th>c</th>\n</tr>\n</thead><tbody>\n'
            '<tr>\n<td>1</td>\n<td colspan="2"  align="left"></td>\n</tr>\n</tbody></table>',
        ),
        ("a|b\n-|-", "<table><thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead><tbody>\n</tbody></table>"),
        ("a|b\n-", "<h2>a|b</h2>"),
        ("a|b\nc|d", "<p>a|b\nc|d</p>"),
    ],
)
def test_the_blocks_of_a_text(reddit: LocalApp, text: str, html: str) -> None:
    assert shown(reddit, text).removesuffix("\n") == html


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        # Emphasis: something must stand inside, no space first; an underscore ends at the end of a word.
        ("_a_ __b__", "<em>a</em> <strong>b</strong>"),
        # The first sign that no space stands before ends it, were it half of another mark, or escaped.
        ("*a **b** c*", "<em>a *</em>b** c*"),
        ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
        ("***a* b**", "<strong><em>a</em> b</strong>"),
        ("***a** b*", "<em>**a</em>* b*"),
        ("*a", "*a"),
        ("* a*", None),
        ("a *b *", "a *b *"),
        ("_a_b _c_", "<em>a_b _c</em>"),
        ("**a", "**a"),
        ("****a****", "*<strong><em>a</em></strong>*"),
        ("*a\nb*", "<em>a\nb</em>"),
        ("*a\\*b*", "<em>a\\</em>b*"),
        ("*a `*` b*", "<em>a <code>*</code> b</em>"),
        ("*a [*](/x) b*", f"<em>a {link('/x', '*')} b</em>"),
        ("~~a~~b", "<del>a</del>b"),
        ("~~ a~~", "~~ a~~"),
        ("b ~~~a~~~", "b ~<del>a</del>~"),
        # Code: spaces around it go, nothing is read in it.
        ("`` a`b ``", "<code>a`b</code>"),
        ("`a", "`a"),
        ("`*a* &amp; \\x`", "<code>*a* &amp;amp; \\x</code>"),
        # Single characters.
        (r"\*a\* \_b\_ \\ \a", r"*a* _b_ \ \a"),
        ("a \\", "a \\"),
        ("&copy; &#169; &#xA9; &bogus; &#1; &", "&copy; &#169; &#xA9; &amp;bogus; &amp;#1; &amp;"),
        ("&#9;&#11;&#12;&#14;&#31;&#32;", "&#9;&amp;#11;&amp;#12;&amp;#14;&amp;#31;&#32;"),
        ("&#55295;&#55296;&#57343;&#57344;", "&#55295;&amp;#55296;&amp;#57343;&#57344;"),
        ("&#1114111;&#1114112;", "&#1114111;&amp;#1114112;"),
        ("a  \nb", "a<br/>\nb"),
        ("a \nb", "a \nb"),
        ("a    \nb", "a<br/>\nb"),
        # Raised: a word, or what stands in brackets.
        ("a^b c", "a<sup>b</sup> c"),
        ("a^(b *c*) d", "a<sup>b <em>c</em></sup> d"),
        ("a^(b", "a^(b"),
        ("a^()b", "ab"),
        ("^a^b^c", "<sup>a<sup>b<sup>c</sup></sup></sup>"),
        # Spoilers.
        ("a >!b *c*!< d", 'a <span class="md-spoiler-text">b <em>c</em></span> d'),
        ("a >! b!<", "a &gt;! b!&lt;"),
        ("a >!b", "a &gt;!b"),
        ("a > b", "a &gt; b"),
    ],
)
def test_the_marks_in_a_paragraph(reddit: LocalApp, text: str, html: str | None) -> None:
    if html is not None:
        assert shown(reddit, text) == f"<p>{html}</p>"
    else:
        assert "<em>" not in shown(reddit, text)


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("text", "html"),
    [
        # Links: to where a page may lead, other addresses are shown as they were typed.
        ("[a](http://b.example/c)", link("http://b.example/c", "a")),
        ("[a](HTTPS://b.example)", link("HTTPS://b.example", "a")),
        ("[a](#b) [c](//d) [e](/f)", f"{link('#b', 'a')} {link('//d', 'c')} {link('/f', 'e')}"),
        ("[a](ftp://b) [c](mailto://d)", f"{link('ftp://b', 'a')} {link('mailto://d', 'c')}"),
        ("[a](b.example)", "[a](b.example)"),
        ("[a](data:b)", "[a](data:b)"),
        ("[a]()", "[a]()"),
        ("[a](/b \"c\") [d](/e 'f')", '<a href="/b" title="c">a</a> <a href="/e" title="f">d</a>'),
        ("[a] (/b)", link("/b", "a")),
        ("[a]( /b )", link("/b", "a")),
        (r"[a](/b_(c\))", link("/b_(c)", "a")),
        ("[a](</b>)", link("/b", "a")),
        ("[*a* `b`](/c)", link("/c", "<em>a</em> <code>b</code>")),
        ("[a [b] c](/d)", link("/d", "a [b] c")),
        ("[a /r/bcd https://e.example](/f)", link("/f", "a /r/bcd https://e.example")),
        ("[a](/b?c=d&e='f'~g é)", link("/b?c=d&amp;e=&#x27;f&#x27;%7Eg%20%C3%A9", "a")),
        ("![a](/b)", "![a](/b)"),
        ("a ![b](/c)", "a ![b](/c)"),
        ("[a", "[a"),
        ("a]", "a]"),
        # Addresses become links by themselves, without the sentence around them.
        ("http://b.example", link("http://b.example")),
        ("see https://b.example/c?d=e&f#g, ok", f"see {link('https://b.example/c?d=e&amp;f#g')}, ok"),
        ("(https://b.example)", f"({link('https://b.example')})"),
        ('"https://b.example/c"', f"&quot;{link('https://b.example/c')}&quot;"),
        ("https://b.example/c!?", f"{link('https://b.example/c')}!?"),
        ("https://b.example/(c)", link("https://b.example/(c)")),
        ("[https://b.example]", f"[{link('https://b.example')}]"),
        ("https://b.example&lt;", f"{link('https://b.example')}&lt;"),
        ("https://b.example<c>", f"{link('https://b.example')}&lt;c&gt;"),
        ("https://b", "https://b"),
        ("https:// b.example", "https:// b.example"),
        ("foo://b.example", "foo://b.example"),
        ("ftp://b.example", link("ftp://b.example")),
        ("https://b.example/é", link("https://b.example/%C3%A9", "https://b.example/é")),
        ("www.b.example/c.", f"{link('http://www.b.example/c', 'www.b.example/c')}."),
        ("(www.b.example)", f"({link('http://www.b.example', 'www.b.example')})"),
        ("awww.b.example www", "awww.b.example www"),
        ("a.b-c@d.example.", f"{link('mailto:a.b-c@d.example', 'a.b-c@d.example')}."),
        ("@d.example a@b a@@b.c", "@d.example a@b a@@b.c"),
        ("<https://b.example/c> <d@e.example>",
         f"{link('https://b.example/c')} {link('mailto:d@e.example', 'd@e.example')}"),
        ("<foo:b> <b *c*>", "&lt;foo:b&gt; &lt;b *c*&gt;"),
        # Communities have two to 24 characters, several stand with a plus between them.
        ("/r/ab r/cd", f"{link('/r/ab')} {link('/r/cd', 'r/cd')}"),
        ("/r/a", "/r/a"),
        (f"/r/{'a' * 24}", link(f"/r/{'a' * 24}")),
        (f"/r/{'a' * 25}", f"/r/{'a' * 25}"),
        ("/r/ab+cd+e_f", link("/r/ab+cd+e_f")),
        ("/r/ab/top/x-y z", f"{link('/r/ab/top/x-y')} z"),
        ("/r/ab: c", f"{link('/r/ab')}: c"),
        ("/r/_ab", "/r/_ab"),
        ("/r/ab.cd", f"{link('/r/ab')}.cd"),
        ("/r/reddit.com", link("/r/reddit.com")),
        ("/r/t:abc", link("/r/t:abc")),
        ("/r/all-ab-cd", link("/r/all-ab-cd")),
        ("/r/some-ab", f"{link('/r/some')}-ab"),
        ("/R/ab", "/R/ab"),
        (r"\/r/ab", "/r/ab"),
        ("bar/ab far/ab", "bar/ab far/ab"),
        ("/u/a_b-c u/d", f"{link('/u/a_b-c')} u/d"),
        ("u/ab/m/cd", link("/u/ab/m/cd", "u/ab/m/cd")),
        ("/u/", "/u/"),
        ("(/r/ab)", f"({link('/r/ab')})"),
    ],
)  # fmt: skip
def test_the_links_in_a_paragraph(reddit: LocalApp, text: str, html: str) -> None:
    assert shown(reddit, text) == f"<p>{html}</p>"


@pytest.mark.fact("markdown")
def test_quotes_in_quotes_end_somewhere(reddit: LocalApp) -> None:
    html = shown(reddit, "> " * 20 + "a")

    assert html.count("<blockquote>") == html.count("</blockquote>") == 8
    assert f"<p>{'&gt; ' * 12}a</p>" in html


@pytest.mark.fact("markdown")
def test_a_mark_ends_within_four_thousand_characters(reddit: LocalApp) -> None:
    assert shown(reddit, f"*{'a' * 3990}*") == f"<p><em>{'a' * 3990}</em></p>"
    assert shown(reddit, f"*{'a' * 4000}*") == f"<p>*{'a' * 4000}*</p>"
