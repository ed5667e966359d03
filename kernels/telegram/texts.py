"""Texts: what Telethon makes of Markdown, how long a text may be, what a search finds, how times are printed."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from html import escape
from html.parser import HTMLParser

from farm.appkit.formats.times import python_iso, python_text

from .errors import NotFitting, Refused, ToolMessage

_LENGTH_MAX = 4096
_PARSED_MAX = 65_536
_MARK = re.compile(r"```|\*\*|__|~~|`")
_RICH = ("rich", "rich_md", "rich_markdown", "rich_html")
_STRUCK_MARKS = re.compile(r"~~([^~\n]{1,4000})~~")
_LINK_MARKS = re.compile(r"\[([^\[\]\n]{1,1000})\]\(([^()\s]{1,2000})\)")
_STRUCK, _SPOILER = ("s", "del", "strike"), "tg-spoiler"
_SHOWN_OTHERWISE = re.compile(r"<(?:s|details|a)[ >]")
_WORD = re.compile(r"\w+")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def require_printable(*texts: str | None) -> None:
    """Refuse half a surrogate pair: it cannot be put into a request."""
    if any(text and _SURROGATE.search(text) for text in texts):
        raise NotFitting


def refuse_rich(parse_mode: str | None, tool: str) -> None:
    """Refuse rich texts: Telegram renders them for Premium accounts only, and the account is none."""
    if parse_mode and parse_mode.lower() in _RICH:
        detail = (
            f"{tool} with rich formatting requires Telegram Premium on this account. Nothing was sent. Reformat "
            "without rich-only blocks (tables, headings, formulas) and retry with parse_mode='md' or 'html'."
        )
        raise ToolMessage(json.dumps({"sent": False, "reason": "telegram_premium_required", "detail": detail}))


def require_text(text: str, length_max: int = _LENGTH_MAX, parse_mode: str | None = "md") -> str:
    """Return a text as it is stored: without marks of Markdown or HTML, which become formats that no tool shows."""
    require_printable(text)
    if len(text) > _PARSED_MAX:
        raise Refused("MESSAGE_TOO_LONG")
    plain = _parse(text, (parse_mode or "").lower())
    if not plain:
        raise Refused("MESSAGE_EMPTY")
    if len(plain.encode("utf-16-le")) // 2 > length_max:
        raise Refused("MESSAGE_TOO_LONG")
    return plain


def _parse(text: str, mode: str) -> str:
    if not mode:
        return text.strip()
    if mode in ("md", "markdown"):
        return without_marks(text)
    if mode in ("html", "htm"):
        return without_tags(text)
    raise NotFitting


def marked(text: str, parse_mode: str | None = "md") -> str | None:
    """Return a text as HTML if a part of it is struck out, hidden as a spoiler, or linked; else None."""
    mode = (parse_mode or "").lower()
    if mode in ("md", "markdown"):
        struck = _STRUCK_MARKS.sub(r"<s>\1</s>", escape(text, quote=False))
        html = without_marks(_LINK_MARKS.sub(r'<a href="\2">\1</a>', struck))
    elif mode in ("html", "htm"):
        parts = _Marks()
        parts.feed(text)
        parts.close()
        html = "".join(parts.found).strip()
    else:
        return None
    return html if _SHOWN_OTHERWISE.search(html) else None


class _Marks(HTMLParser):
    """Keeps the tags that strike out, hide or link."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part."""
        given = dict(attrs)
        kept = "s" if tag in _STRUCK else "details" if _SPOILER in (tag, given.get("class")) else ""
        if tag == "a":
            self.found.append(f'<a href="{escape(given.get("href") or "")}">')
            kept = "a"
        elif kept:
            self.found.append(f"<{kept}>")
        self._open.append((tag, kept))

    def handle_endtag(self, tag: str) -> None:
        """End a part."""
        while any(tag == opened for opened, _ in self._open):
            opened, kept = self._open.pop()
            self.found.append(f"</{kept}>" if kept else "")
            if opened == tag:
                break

    def handle_data(self, data: str) -> None:
        """Keep a piece."""
        self.found.append(escape(data, quote=False))


class _Words(HTMLParser):
    """Collects what stands between tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        """Collect a piece."""
        self.found.append(data)


def without_tags(text: str) -> str:
    """Take tags out of HTML, replace its entities, and trim the rest."""
    words = _Words()
    words.feed(text)
    words.close()
    return "".join(words.found).strip()


def without_marks(text: str) -> str:
    """Take out pairs of ``**``, ``__``, ``~~`` and backticks, and of a link all but its words; and trim the rest."""
    at, no_link_before, is_ended = 0, 0, False
    while at < len(text):
        if found := _MARK.match(text, at):
            mark = found[0]
            end = text.find(mark, at + len(mark) + 1)
            if end != -1:
                text = text[:at] + text[at + len(mark) : end] + text[end + len(mark) :]
                # What stands in code is taken as it is.
                at = end - len(mark) if "`" in mark else at
                no_link_before = 0
                continue
        elif text[at] == "[" and at >= no_link_before and not is_ended:
            # A link's words go to the next bracket, so where that begins no address none before it is a link.
            closed = text.find("]", at)
            if closed != -1 and text.startswith("](", closed):
                end = text.find(")", closed + 2)
                if end != -1:
                    text = text[:at] + text[at + 1 : closed] + text[end + 1 :]
                    at, no_link_before = closed - 1, 0
                    continue
                is_ended = True
            no_link_before = closed if closed != -1 else len(text)
        at += 1
    return text.strip()


def words(query: str) -> list[str]:
    """Return the words of a query, each once."""
    return list(dict.fromkeys(_WORD.findall(query.casefold())))


def is_found(text: str, wanted: list[str]) -> bool:
    """Whether a text has all words: each begins one of its own; words without spaces stand anywhere."""
    text = text.casefold()
    begun = sorted(_WORD.findall(text))
    return bool(wanted) and all(
        _begins(each, begun) or (_IDEOGRAPH.search(each) is not None and each in text) for each in wanted
    )


def _begins(word: str, begun: list[str]) -> bool:
    at = bisect_left(begun, word)
    return at < len(begun) and begun[at].startswith(word)


def printed(seconds: int) -> str:
    """Return a time as most lists print it."""
    return python_text(seconds * 1000)


def iso(seconds: int) -> str:
    """Return a time as JSON has it."""
    return python_iso(seconds * 1000)
