"""What readers see of texts, by format. A comment names the page that says so."""

from __future__ import annotations

import pytest

from farm.appkit.formats.visible import VisibleText, visible_text


def message(format: str, text: object) -> str:
    """Return the words of a text's message, its lines joined."""
    return " ".join(visible_text(format, text).message.split())  # type: ignore[arg-type]


def screen(format: str, text: object) -> str:
    """Return the words on the screen."""
    return " ".join(visible_text(format, text).screen.split())  # type: ignore[arg-type]


# https://help.obsidian.md/syntax: comments, links, embedded files, footnotes, formulas, highlights
OBSIDIAN = [
    ("a %%not this%% b", "a b"),
    ("a\n%%\nnot this\n\nnor this\n%%\nb", "a b"),
    ("a %%never closed\n\nnot this", "a"),
    ("`a %%b%% c`", "a %%b%% c"),
    ("a <!-- not this --> b", "a b"),
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
        # https://help.obsidian.md/properties: shown above the note
        ("---\nstatus: code\n# not this\n---\na b", "a b"),
    ],
)
def test_code_formulas_and_properties_are_on_the_screen_but_no_message(text: str, said: str) -> None:
    assert message("obsidian", text) == said
    assert "code" in screen("obsidian", text)
    assert "not this" not in screen("obsidian", text)


def test_a_ticked_item_is_visible_but_may_tell_something_else() -> None:
    assert visible_text("obsidian", "- [x] buy beans").doubts == ("an item that is ticked off",)
    assert visible_text("obsidian", "- [ ] buy beans").doubts == ()


def test_lines_keep_their_marks_and_places() -> None:
    text = "# Heading\n\n- one `a`\n  goes on [b](c)\n\n> quoted <!-- d --> e\n\n1. first\n2. second"

    visible = visible_text("obsidian", text)

    assert visible == VisibleText.from_message(
        "# Heading\n\n- one a\n  goes on b\n\n> quoted  e\n\n1. first\n2. second"
    )
