"""Message text: how Slack stores what was sent, and the rich text it makes of it."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection
from typing import Any

from . import emoji

TEXT_MAX = 40_000
# What one message holds of a text; Slack breaks longer ones into several.
MESSAGE_MAX = 4_000

_BARE_AMPERSAND = re.compile(r"&(?!amp;|lt;|gt;)")
# What stays between angle brackets: mentions, channels, special words, links.
_CONTROL = re.compile(r"<(?:[@#!]|https?://|mailto:)[^<>]*>")
_BARE_URL = re.compile(r"https?://[^\s<>|{}，。；：！？、）】」]*[^\s<>|{}，。；：！？、）】」.,;:!?)\]'\"]")

# Two in a row are no mark: Slack shows **this** as it stands.
_MARK = r"(?P<mark>(?<!\*)\*(?!\*)|(?<!_)_(?!_)|(?<!~)~(?!~))"
# What a line of mrkdwn may hold beside plain text. A mark opens a style where no letter or digit stands before it.
_ATOM = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|<(?P<control>[^<>\n]+)>"
    r"|:(?P<emoji>[^\s:<>`]+(?:::skin-tone-[2-6])?):"
    rf"|(?<![^\W_]){_MARK}(?=\S)"
)
# A mark closes a style where no letter or digit stands behind it; what stands in angle brackets is skipped.
_CLOSING = re.compile(rf"<[^<>\n]+>|(?<=\S){_MARK}(?![^\W_])")
# A text without any of these is plain: nothing opens a style, an emoji, a link or a quote, and nothing is escaped.
_SIGN = re.compile(r"[`<:*_~&]")
_STYLES = {"*": "bold", "_": "italic", "~": "strike"}
_ORDER = ("bold", "italic", "strike", "code")
_FENCE = re.compile(r"```\n?(.+?)\n?```\n?", re.DOTALL)
_QUOTE = re.compile(r"(?:^&gt;.*(?:\n|\Z))+", re.MULTILINE)
_QUOTE_SIGN = re.compile(r"^&gt; ?", re.MULTILINE)
_RANGES = ("here", "channel", "everyone")


def stored(text: str) -> str:
    """Return text as Slack keeps it: ``&``, ``<`` and ``>`` escaped outside of mentions and links, bare URLs linked,
    emoji as their names."""
    parts: list[str] = []
    end = 0
    for control in _CONTROL.finditer(text):
        parts += (_escape(text[end : control.start()]), control[0])
        end = control.end()
    return "".join((*parts, _escape(text[end:])))


def _escape(text: str) -> str:
    escaped = _BARE_AMPERSAND.sub("&amp;", emoji.named(text)).replace("<", "&lt;").replace(">", "&gt;")
    return _BARE_URL.sub(lambda match: f"<{match[0]}>", escaped)


def rich_text(text: str, own_emoji: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the sections, code blocks and quotes that Slack makes of a stored text.

    Lists stay text, as mrkdwn knows none. A line break before a code block or a quote stays, one behind it goes.

    Args:
        own_emoji: names of the workspace's own emoji; of others but the standard ones no emoji is made.
    """
    if text and not _SIGN.search(text):
        return [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}]
    found: list[dict[str, Any]] = []
    end = 0
    for fence in _FENCE.finditer(text):
        _add_prose(text[end : fence.start()], own_emoji, found)
        code: list[dict[str, Any]] = []
        _add_code(fence[1], frozenset(), code)
        found.append({"type": "rich_text_preformatted", "elements": code, "border": 0})
        end = fence.end()
    _add_prose(text[end:], own_emoji, found)
    return found


def _add_prose(text: str, own_emoji: Collection[str], found: list[dict[str, Any]]) -> None:
    end = 0
    for quote in _QUOTE.finditer(text):
        _add_section("rich_text_section", text[end : quote.start()], own_emoji, found)
        _add_section("rich_text_quote", _QUOTE_SIGN.sub("", quote[0]).rstrip("\n"), own_emoji, found)
        end = quote.end()
    _add_section("rich_text_section", text[end:], own_emoji, found)


def _add_section(kind: str, text: str, own_emoji: Collection[str], found: list[dict[str, Any]]) -> None:
    if text:
        elements: list[dict[str, Any]] = []
        _add_inline(text, own_emoji, frozenset(), elements)
        found.append({"type": kind, "elements": elements})


def _add_inline(text: str, own_emoji: Collection[str], style: frozenset[str], elements: list[dict[str, Any]]) -> None:
    closings: dict[str, list[int]] = {mark: [] for mark in _STYLES}
    for closing in _CLOSING.finditer(text):
        if closing["mark"]:
            closings[closing["mark"]].append(closing.start())
    # Up to where the elements go, and from where the next atom is looked for.
    done = at = 0
    while atom := _ATOM.search(text, at):
        made, end = _atom(atom, closings, own_emoji, style)
        if made is None:
            at = atom.start() + 1
            continue
        _add_text(text[done : atom.start()], style, elements)
        elements += made
        done = at = end
    _add_text(text[done:], style, elements)


def _atom(
    atom: re.Match[str], closings: dict[str, list[int]], own_emoji: Collection[str], style: frozenset[str]
) -> tuple[list[dict[str, Any]] | None, int]:
    """Return the elements of what was found and where it ends; None where it is plain text after all."""
    made: list[dict[str, Any]] = []
    if atom["code"]:
        _add_code(atom["code"], style | {"code"}, made)
        return made, atom.end()
    if atom["control"]:
        return [_control(atom["control"], style)], atom.end()
    if atom["emoji"]:
        element = _emoji(atom["emoji"], own_emoji)
        return (None if element is None else [_styled(element, style)]), atom.end()
    name, after = _STYLES[atom["mark"]], closings[atom["mark"]]
    nearest = bisect(after, atom.end())
    if name in style or nearest == len(after) or "\n" in (inner := atom.string[atom.end() : after[nearest]]):
        return None, atom.end()
    _add_inline(inner, own_emoji, style | {name}, made)
    return made, after[nearest] + 1


def _add_code(text: str, style: frozenset[str], elements: list[dict[str, Any]]) -> None:
    """Add code: links and mentions in it are elements, marks and emoji names mean nothing."""
    end = 0
    for control in _CONTROL.finditer(text):
        _add_text(text[end : control.start()], style, elements)
        elements.append(_control(control[0][1:-1], style))
        end = control.end()
    _add_text(text[end:], style, elements)


def _add_text(text: str, style: frozenset[str], elements: list[dict[str, Any]]) -> None:
    if text:
        elements.append(_styled({"type": "text", "text": _unescaped(text)}, style))


def _styled(element: dict[str, Any], style: frozenset[str]) -> dict[str, Any]:
    return element | {"style": {name: True for name in _ORDER if name in style}} if style else element


def _control(control: str, style: frozenset[str]) -> dict[str, Any]:
    """Return the element of what stood in angle brackets."""
    target, _, label = control.partition("|")
    sign, name = target[0], target[1:]
    if sign == "@":
        element = {"type": "user", "user_id": name}
    elif sign == "#":
        element = {"type": "channel", "channel_id": name}
    elif name.startswith("subteam^"):
        element = {"type": "usergroup", "usergroup_id": name.removeprefix("subteam^")}
    elif sign == "!" and name in _RANGES:
        element = {"type": "broadcast", "range": name}
    elif sign == "!":
        # A date, or a word Slack does not know: what is to stand there instead.
        element = {"type": "text", "text": _unescaped(label or control)}
    else:
        element = {"type": "link", "url": _unescaped(target)}
        if label:
            element["text"] = _unescaped(label)
    return _styled(element, style)


def _emoji(name: str, own_emoji: Collection[str]) -> dict[str, Any] | None:
    plain, tone = emoji.split_tone(name)
    if emoji.is_standard(plain):
        element: dict[str, Any] = {"type": "emoji", "name": plain, "unicode": emoji.unicode(plain, tone)}
        return element if tone is None else element | {"skin_tone": tone}
    return {"type": "emoji", "name": plain} if plain in own_emoji else None


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
