"""Message text: how Slack stores what was sent, and the elements it takes it apart into."""

from __future__ import annotations

import re
from typing import Any

TEXT_MAX = 40_000

_BARE_AMPERSAND = re.compile(r"&(?!amp;|lt;|gt;)")
# What stays between angle brackets: mentions, channels, special words, links.
_CONTROL = re.compile(r"<(?:[@#!]|https?://|mailto:)[^<>]*>")
_BARE_URL = re.compile(r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]}'\"，。；：！？）】]")
_TOKEN = re.compile(r"<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>|:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):")


def stored(text: str) -> str:
    """Return text as Slack keeps it: ``&``, ``<`` and ``>`` escaped outside of mentions and links, bare URLs linked."""
    parts: list[str] = []
    end = 0
    for control in _CONTROL.finditer(text):
        parts += (_plain(text[end : control.start()]), control[0])
        end = control.end()
    return "".join((*parts, _plain(text[end:])))


def _plain(text: str) -> str:
    escaped = _BARE_AMPERSAND.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")
    return _BARE_URL.sub(lambda match: f"<{match[0]}>", escaped)


def elements(text: str) -> list[dict[str, Any]]:
    """Return the elements of the one rich-text section Slack makes of a text.

    Not simulated: bold, lists, quotes and code as styles.
    """
    if "<" not in text and ":" not in text:
        return [{"type": "text", "text": _unescaped(text)}]
    found: list[dict[str, Any]] = []
    _split(text, found)
    return found


def _split(text: str, elements: list[dict[str, Any]]) -> None:
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() > end:
            elements.append({"type": "text", "text": _unescaped(text[end : token.start()])})
        elements.append(_element(token))
        end = token.end()
    if end < len(text):
        elements.append({"type": "text", "text": _unescaped(text[end:])})


def _element(token: re.Match[str]) -> dict[str, Any]:
    sign, target, label, emoji = token.groups()
    if emoji:
        return {"type": "emoji", "name": emoji}
    if sign == "@":
        return {"type": "user", "user_id": target}
    if sign == "#":
        return {"type": "channel", "channel_id": target}
    if sign == "!":
        return {"type": "broadcast", "range": target}
    return {"type": "link", "url": target, "text": label} if label else {"type": "link", "url": target}


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
