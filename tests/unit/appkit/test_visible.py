"""What readers see of texts, by format. A comment names the page that says so."""

from __future__ import annotations

import time
from base64 import b64encode
from typing import get_args

import orjson
import pytest
from hypothesis import given, settings, strategies

from farm.appkit.column_vocabulary import Format
from farm.appkit.formats.visible import VisibleText, visible_part_of_mail, visible_text


def message(format: Format, text: object) -> str:
    """Return the words of a text's message, its lines joined."""
    return " ".join(visible_text(format, text).message.split())


def screen(format: Format, text: object) -> str:
    """Return the words on the screen."""
    return " ".join(visible_text(format, text).screen.split())


# https://help.obsidian.md/syntax: comments, links, embedded files, footnotes, formulas, highlights
OBSIDIAN = [
    ("a %%not this%% b", "a b"),
    ("a\n%%\nnot this\n\nnor this\n%%\nb", "a b"),
    ("a %%never closed\n\nnot this", "a"),
    ("`a %%b%% c`", "a %%b%% c"),
    ("a <!-- not this --> b", "a b"),
    ("a\n\n<!-- not this\n\nnor this", "a"),
    ("[words](https://example.com/not-this 'nor this')", "words"),
    ("[words][1]\n\n[1]: https://example.com 'not this'", "words"),
    ("[//]: # (not this)\n\na", "a"),
    ("a[^1]\n\n[^1]: footnote", "a[^1] [^1]: footnote"),
    ("[[Note|words]] and [[Note]]", "words and Note"),
    ("![[not this]] ![not this](a.png) a", "a"),
    ("==marked== **bold** `setting`", "marked bold setting"),
    ("a ^not-this", "a"),
    ("- [ ] open\n- [x] done", "- [ ] open - [x] done"),
    ("~~old~~ new", "~~old~~ new"),
    ("<del>old</del> <s>old</s> new", "~~old~~ ~~old~~ new"),
    ("a <span style='display:none'>not this</span> b", "a b"),
    ("a <font color=white>not this</font> b", "a b"),
    ("| a | b |\n|---|---|\n| c | %%d%% |", "| a | b | |---|---| | c | |"),
    ("it costs $5 or $6", "it costs $5 or $6"),
    (r"\%\% not a comment \*", "%% not a comment *"),
]


@pytest.mark.parametrize(("text", "seen"), OBSIDIAN)
def test_a_note_in_obsidian_shows(text: str, seen: str) -> None:
    assert message("obsidian", text) == seen


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n\n```\ncode\n```\n\nb", "a b"),
        ("a\n\n    code\n\nb", "a b"),
        ("a $$code$$ b", "a b"),
        ("a $code$ b", "a b"),
        ("a\n$$\n- code\n\n# code\n$$\nb", "a b"),
        # https://help.obsidian.md/properties: shown above the note
        ("---\nstatus: code\n# not this\n---\na b", "a b"),
    ],
)
def test_code_formulas_and_properties_are_on_the_screen_but_no_message(text: str, said: str) -> None:
    assert message("obsidian", text) == said
    assert "code" in screen("obsidian", text)
    assert "not this" not in screen("obsidian", text)


def test_what_a_card_shows_beside_its_words_is_a_doubt() -> None:
    card = {
        "card_link": {"url": "https://example.com/a"},
        "i18n_elements": {"en_us": [{"tag": "markdown", "content": "not this"}]},
        "elements": [
            {"tag": "markdown", "content": "<at id=all></at> b"},
            {"tag": "img", "img_key": "img_1"},
            {"tag": "table", "columns": [{"name": "c", "display_name": "c"}], "rows": [{"c": "d"}]},
            {
                "tag": "action",
                "actions": [
                    {
                        "tag": "select_static",
                        "placeholder": {"tag": "plain_text", "content": "e"},
                        "options": [{"text": {"tag": "plain_text", "content": "f"}, "value": "not this"}],
                    },
                    {"tag": "button", "text": {"tag": "plain_text", "content": "g"}, "url": "https://example.com/h"},
                ],
            },
        ],
    }

    visible = visible_text("lark_message", card)

    assert visible.message.split() == ["@all", "b", "d", "c", "e", "f", "g"]
    assert set(visible.doubts) == {
        "its words in another language",
        "a link to example.com/a",
        "a link to example.com/h",
        "a picture img_1",
    }


@pytest.mark.parametrize(
    ("format", "stored"),
    [
        ("html", '<p>a</p><img src="b.png">'),
        ("markdown", "a ![b](c.png)"),
        ("obsidian", "a ![[b]]"),
        ("lark_message", {"title": "", "content": [[{"tag": "text", "text": "a"}, {"tag": "img", "image_key": "b"}]]}),
    ],
)
def test_a_picture_is_a_doubt(format: Format, stored: object) -> None:
    assert [each.startswith("a picture") for each in visible_text(format, stored).doubts] == [True]


def test_a_comment_in_a_note_is_a_doubt_as_its_owner_may_edit_it() -> None:
    assert visible_text("obsidian", "a %%b%%").doubts == ("a comment: b",)


def test_a_ticked_item_is_visible_but_may_tell_something_else() -> None:
    assert visible_text("obsidian", "- [x] buy beans").doubts == ("an item that is ticked off: buy beans",)
    assert visible_text("obsidian", "- [ ] buy beans").doubts == ()


def test_lines_keep_their_marks_and_places() -> None:
    text = "# Heading\n\n- one `a`\n  goes on [b](c)\n\n> quoted <!-- d --> e\n\n1. first\n2. second"

    visible = visible_text("obsidian", text)

    assert visible == VisibleText.from_message(
        "# Heading\n\n- one a\n  goes on b\n\n> quoted  e\n\n1. first\n2. second"
    )


_SHOP = "https://shop.example/other"
LINKS = [
    ("slack", f"<{_SHOP}|¥599>", ("a link to shop.example/other",)),
    ("slack", f"<{_SHOP}|shop.example/other> <mailto:a@b.example|a@b.example> <{_SHOP}>", ()),
    ("slack", "<!date^1773100800^Tuesday|Wednesday>", ("a date that the program works out",)),
    ("markdown", f"[¥599]({_SHOP}) and [more](#more)", ("a link to shop.example/other",)),
    ("markdown", f"<{_SHOP}> [021-0017](tel:0210017)", ()),
    ("html", f'<a href="{_SHOP}">¥599</a>', ("a link to shop.example/other",)),
    ("html", f'<a href="{_SHOP}">{_SHOP}</a>', ()),
    ("obsidian", "[note](other.md) [[other|note]]", ()),
    (
        "lark_message",
        {"content": [[{"tag": "a", "text": "¥599", "href": _SHOP}]]},
        ("a link to shop.example/other",),
    ),
    (
        "notion_rich_text",
        [{"type": "text", "plain_text": "¥599", "href": _SHOP}],
        ("a link to shop.example/other",),
    ),
]


@pytest.mark.parametrize(("format", "stored", "doubts"), LINKS)
def test_a_link_whose_words_do_not_show_its_address_may_mislead(
    format: Format, stored: object, doubts: tuple[str, ...]
) -> None:
    assert visible_text(format, stored).doubts == doubts


# https://github.github.com/gfm: CommonMark with tables and strikethrough
MARKDOWN = [
    ("%%this%% a", "%%this%% a"),
    ("[[this]]", "[[this]]"),
    ("<b>a</b> <!-- not this --> b", "a b"),
    ("<https://example.com/this>", "https://example.com/this"),
    ("![not this](a.png 'nor this') a", "a"),
    ("    not this\n\na", "a"),
    ("~~~\nnot this\n~~~\na", "a"),
    (r"\~~this\~~ `that`", "~~this~~ that"),
    ("&lt;!-- this --&gt;", "< !-- this -->"),
    ("<details><summary>a</summary>b</details>", "ab"),
]


@pytest.mark.parametrize(("text", "seen"), MARKDOWN)
def test_markdown_shows(text: str, seen: str) -> None:
    assert message("markdown", text) == seen


def test_elements_of_html_hide_markdown_between_them() -> None:
    text = "<div style='display: none'>\n\nnot this\n\n</div>\n\na"

    visible = visible_text("markdown", text)

    assert visible.message.strip() == "a"
    # Some programs close the element with its block.
    assert visible.doubts


def test_struck_through_words_that_correct_no_single_value_are_left_out() -> None:
    assert message("markdown", f"~~{'old ' * 40}old~~ new") == "new"
    assert message("markdown", "~~old\nolder~~ new") == "~~old~~ ~~older~~ new"


# https://docs.slack.dev/messaging/formatting-message-text
SLACK = [
    ("<https://example.com/not-this|words>", "words"),
    ("<https://example.com/this>", "https://example.com/this"),
    (
        "<@U1> <#C1|general> <!here> <!subteam^S1|@team> <mailto:a@b.example|a@b.example>",
        "@U1 #general @here @team a@b.example",
    ),
    ("~old~ new 10~12", "~~old~~ new 10~12"),
    ("```not this``` a `that`", "a that"),
    ("&lt;!-- this --&gt; &amp; that", "< !-- this --> & that"),
    ("*bold* _italic_\n&gt; quoted", "*bold* _italic_ > quoted"),
]


@pytest.mark.parametrize(("text", "seen"), SLACK)
def test_a_message_in_slack_shows(text: str, seen: str) -> None:
    assert message("slack", text) == seen


def test_blocks_of_slack_show_their_texts() -> None:
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "~old~ <https://example.com/not-this|a>"}},
        {"type": "image", "image_url": "https://example.com/not-this", "alt_text": "not this"},
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "b", "style": {"strike": True}}]},
                {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "not this"}]},
            ],
        },
    ]

    assert message("slack_blocks", blocks) == "~~old~~ a ~~b~~"


# https://support.discord.com/hc/en-us/articles/210298617
DISCORD = [
    ("||not this|| a", "a"),
    ("~~old~~ __new__ <:party:123456789012345678>", "~~old~~ new :party:"),
    ("[words](https://example.com/not-this) <!-- this -->", "words < !-- this -->"),
    ("```\nnot this\n```\n    this", "this"),
]


@pytest.mark.parametrize(("text", "seen"), DISCORD)
def test_a_message_in_discord_shows(text: str, seen: str) -> None:
    assert message("discord", text) == seen


# https://support.reddithelp.com/hc/en-us/articles/360043033952
REDDIT = [
    (">!not this!< a >!nor this!<", "a"),
    ("> quoted\n\na", "> quoted a"),
    ("~~old~~ <!-- this -->", "~~old~~ < !-- this -->"),
    ("    not this\n\na", "a"),
]


@pytest.mark.parametrize(("text", "seen"), REDDIT)
def test_a_comment_on_reddit_shows(text: str, seen: str) -> None:
    assert message("reddit", text) == seen


# https://open.feishu.cn/document/server-docs/im-v1/message-content-description/create_json
LARK = [
    ({"text": "@_user_1 a"}, "@_user_1 a"),
    (
        {
            "title": "a",
            "content": [
                [
                    {"tag": "text", "text": "old", "style": ["bold", "lineThrough"]},
                    {"tag": "text", "text": " new "},
                    {"tag": "a", "text": "words", "href": "https://example.com/not-this"},
                    {"tag": "img", "image_key": "not this"},
                ],
                [{"tag": "code_block", "text": "not this"}, {"tag": "at", "user_id": "@_user_1", "user_name": "Bo"}],
            ],
        },
        "a ~~old~~ new words @Bo",
    ),
    (
        {
            "config": {"text": "not this"},
            "header": {"title": {"tag": "plain_text", "content": "a"}},
            "elements": [
                {"tag": "div", "text": {"tag": "lark_md", "content": "~~old~~ [words](https://example.com/not-this)"}},
                {"tag": "img", "alt": {"tag": "plain_text", "content": "not this"}},
                {
                    "tag": "action",
                    "actions": [{"tag": "button", "text": {"content": "b"}, "value": {"text": "not this"}}],
                },
            ],
        },
        "a ~~old~~ words b",
    ),
    ({"title": "a", "elements": [[{"tag": "text", "text": "b"}, {"tag": "text", "text": "c"}]]}, "a bc"),
]


@pytest.mark.parametrize(("content", "seen"), LARK)
def test_a_message_in_lark_shows(content: object, seen: str) -> None:
    assert message("lark_message", content) == seen
    assert message("lark_message", orjson.dumps(content).decode()) == seen


def test_a_document_in_lark_shows_the_names_of_people() -> None:
    assert message("lark_markdown", '<at id="ou_1">Bo</at>: ~~old~~ ![not this](a)') == "Bo: ~~old~~"


# https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/bitable-record-data-structure-overview
def test_a_field_of_a_base_in_lark_shows_its_segments_and_the_words_of_links() -> None:
    segments = [{"type": "text", "text": "a "}, {"type": "url", "text": "b", "link": "https://example.com/not-this"}]

    assert message("lark_fields", segments) == "a b"
    assert message("lark_fields", {"text": "b", "link": "https://example.com/not-this"}) == "b"
    assert message("lark_fields", {"fld1": segments, "fld2": 3}) == "a b 3"
    assert message("lark_fields", "a") == "a"


def rich(text: str, kind: str = "text", *, is_struck: bool = False) -> dict[str, object]:
    """Return a rich text object of Notion."""
    return {"type": kind, "plain_text": text, "annotations": {"strikethrough": is_struck}, "href": "https://not-this"}


# https://developers.notion.com/reference/rich-text, https://developers.notion.com/reference/block
def test_notion_shows_the_words_of_rich_text() -> None:
    texts = [rich("old", is_struck=True), rich(" new "), rich("not this", "equation")]

    assert message("notion_rich_text", texts) == "~~old~~ new"
    assert screen("notion_rich_text", texts) == "~~old~~ new not this"
    assert message("notion_block", {"rich_text": texts, "caption": [rich("a")]}) == "~~old~~ new a"
    assert message("notion_block", {"rich_text": [rich("not this")], "language": "python"}) == ""
    assert message("notion_block", {"cells": [[rich("a")], [rich("b")]]}) == "a | b |"
    assert visible_text("notion_block", {"rich_text": [rich("a")], "checked": True}).doubts
    assert message("notion_value", texts) == "~~old~~ new"
    assert message("notion_value", {"name": "open", "start": None}) == "open"


# https://html.spec.whatwg.org/multipage/rendering.html: hidden elements, struck-through text
HTML = [
    ("<p>a <s>b</s> <!-- not this --><del>c</del></p>", "a ~~b~~ ~~c~~"),
    ("<p style='text-decoration: line-through'>a</p>", "~~a~~"),
    ("<p style='display:none'>not this</p>a", "a"),
    ("<p style='visibility: hidden'>not this</p>a", "a"),
    ("<p style='opacity:0'>not this</p>a", "a"),
    ("<p style='font-size:0px'>not this</p>a", "a"),
    ("<p style='max-height:0;overflow:hidden'>not this</p>a", "a"),
    ("<p style='position:absolute;left:-9999px'>not this</p>a", "a"),
    ("<p style='mso-hide:all'>not this</p>a", "a"),
    ("<p hidden>not this</p><template>not this</template>a", "a"),
    ("<p style='color:#FFFFFF'>not this</p>a", "a"),
    ("<font color='white'>not this</font>a", "a"),
    ("<p style='color:rgb(250, 250, 250)'>not this</p>a", "a"),
    ("<p style='color:transparent'>not this</p>a", "a"),
    ("<td style='background:#000;color:#fff'>a</td>", "a"),
    ("<div style='background-color:navy;color:#888'>a</div>", "a"),
    ("<p style='background:#000'>not this</p>a", "a"),
    ("<a href='https://example.com/not-this'>a</a><img alt='not this'>", "a"),
    ("<div style='display:none'><p>not this</div>a", "a"),
    ("<p style='display:/**/none'>not this</p>a", "a"),
    ("<p style='height:1px;overflow:hidden'>not this</p>a", "a"),
    ("<p style='transform: scale(0)'>not this</p>a", "a"),
    ("a <!-- not this", "a"),
    ("a <!-- not this <!-- nor this", "a"),
    ("<!-->a --> b", "a --> b"),
    ("<!-- not this --!>a", "a"),
    ("<!-- not this -- > nor this -->a", "a"),
]


@pytest.mark.parametrize(("page", "seen"), HTML)
def test_a_page_shows(page: str, seen: str) -> None:
    assert message("html", page) == seen


@pytest.mark.parametrize(
    "page",
    ["<style>.x { display: none }</style><p class=x>a</p>", "<p aria-hidden=true>a</p>", "<details>a</details>"],
)
def test_a_page_that_may_hide_a_part_is_doubtful(page: str) -> None:
    assert visible_text("html", page).doubts


OWN_WORDS = [
    ("plain", "a\n\nOn Mon, 9 Mar 2026 at 10:00, Bo <bo@mail.example> wrote:\n> not this\n> nor this"),
    ("plain", "a\n\nOn Mon, 9 Mar 2026 at 10:00, Bo\n<bo@mail.example> wrote:\n\n> not this"),
    ("plain", "a\n\n在 2026-03-09 10:00:00，“Bo” <bo@mail.example> 写道：\n> not this"),
    ("plain", "a\n\n-----Original Message-----\nFrom: Bo\nnot this"),
    ("plain", "a\n\n-------- 原始邮件 --------\nnot this"),
    ("plain", "> not this\n\na"),
    ("html", "<p>a</p><div class='gmail_quote'><div>On Mon, Bo wrote:</div><blockquote>not this</blockquote></div>"),
    (
        "html",
        "<p>a</p><p>On Mon, 9 Mar, Bo wrote:</p><blockquote type=cite>not this<blockquote>b</blockquote></blockquote>",
    ),
]


@pytest.mark.parametrize(("format", "mail"), OWN_WORDS)
def test_quoted_words_of_a_mail_are_not_its_writers(format: Format, mail: str) -> None:
    assert visible_part_of_mail(format, mail).message == "a"


def test_a_mail_that_is_all_below_a_mark_of_quotation_is_read() -> None:
    assert visible_part_of_mail("plain", "-----Original Message-----\na").message.endswith("a")


def test_of_a_transferred_mail_the_preferred_part_is_seen() -> None:
    parts = ("Content-Type: text/plain\n\nnot this\n", "Content-Type: text/html\n\n<p>a</p>\n")
    source = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="x"\n\n'
    source += "".join(f"--x\n{part}" for part in parts) + "--x--\n"

    assert message("mime", source) == "a"
    assert message("mime", "Subject: b\n\na\n") == "a"


def test_a_transferred_mail_is_read_in_its_charset_and_may_be_stored_as_bytes() -> None:
    head = "MIME-Version: 1.0\nContent-Type: text/plain; charset={}\nContent-Transfer-Encoding: 8bit\n\n"
    chinese = b64encode(f"{head.format('gb2312')}你好".encode("gbk")).decode()

    assert message("mime", f"{head.format('utf-8')}你好") == "你好"
    assert message("mime", f"data:message/rfc822;base64,{chinese}") == "你好"
    assert message("mime", "Subject: none\n\ndata:message/rfc822;base64,AA==") == "data:message/rfc822;base64,AA=="


# UAX #9 (overrides), Unicode 5.21 (characters without a display), UTS #39 (mixed scripts)
def test_characters_are_seen_as_they_are_displayed() -> None:
    assert message("plain", "at \u202e00:01\u202c") == "at 10:00"
    assert message("plain", "n\u200bo\u00adt\u2060") == "not"
    assert message("plain", "a\U000e0063\U000e0061") == "a"
    assert message("plain", "o\u0336l\u0336d\u0336 new") == "~~old~~ new"
    assert message("plain", "好\ufe0f 👍🏽 1️⃣") == "好 👍🏽 1⃣"


@pytest.mark.parametrize(
    "text",
    [
        "n\u043et",  # Cyrillic o
        "A\u0392C",  # Greek beta
        "\u1d0f\u1d0b",  # small capitals
        "at \u202e00:01\u202c",
        "это не так",
        "中止します",
        "취소",
        "\u01dd\u0279\u0287",
        "1\u041e:00",  # Cyrillic O
        "\u0661\u0661:\u0660\u0660",  # Arabic digits
    ],
)
def test_letters_that_mislead_or_are_not_read_are_doubtful(text: str) -> None:
    assert visible_text("plain", text).doubts


@pytest.mark.parametrize(
    "text",
    [
        "café, naïve, Straße",
        "α = 5 Ω, 3 µm, ΔE 0.6",
        "周四 11:00",
        "二〇二六年，人人、时时々",
        "ﬁve",
        "ＰＭ",
        "1️⃣ 👩‍💻",
        "d’accord – ok…",
    ],
)
def test_ordinary_letters_are_not_doubtful(text: str) -> None:
    assert visible_text("plain", text).doubts == ()


FORMATS_OF_TEXT = [each for each in get_args(Format) if each not in ("mime",)]


@pytest.mark.parametrize("format", FORMATS_OF_TEXT)
@pytest.mark.parametrize(
    "piece", ["<!--", "[", "![[", "%%", "$", "||", ">!", "~~a", "`", "<s>", "> ", "<a ", "* ", "{", "&#", "^a ", "**a*"]
)
def test_a_long_text_of_opened_constructs_is_read_in_time(format: Format, piece: str) -> None:
    began_s = time.thread_time()

    visible_text(format, piece * (5_000 // len(piece)))

    assert time.thread_time() - began_s < 3


@pytest.mark.parametrize("format", FORMATS_OF_TEXT)
@settings(max_examples=20, deadline=None)
@given(text=strategies.text(alphabet="ab \n~`*_[]()<>!-|%$=#>&;:1.\\'\"/^{}", max_size=80))
def test_any_text_is_read(format: Format, text: str) -> None:
    visible = visible_text(format, text)

    assert isinstance(visible.message, str)
