"""Marks inside a paragraph: emphasis, code, links, raised words, spoilers; addresses that become links by themselves.

The rules are those of Snudown, the renderer that Reddit published, facts only. Not simulated: links by reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html.entities import name2codepoint
from string import punctuation

from .markdown_links import (
    SAFE,
    anchor,
    end_of_address,
    end_of_community,
    end_of_person,
    end_of_word,
    escape,
    is_domain,
)

# Characters that may begin a mark, or stand in the middle of one that is told by it.
_ACTIVE = re.compile(r"[*_~>`\n\[<\\&^/:@w]")
_ESCAPABLE = frozenset("\\`*_{}[]()#+-.!:|&<>/^~")
_SPACE = frozenset(" \t\n\r\v\f")
_BOUNDARY = _SPACE | frozenset(punctuation)
# Lengths are bounded, so that a text full of opening marks takes no more than linear time.
# How far the end of a mark is looked for, and how deep marks stand in marks.
_REACH, _DEPTH_MAX = 4000, 8
_ENTITY = re.compile(r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,7})|(?P<name>[0-9A-Za-z]+));")
_TICKS = re.compile(r"`+")
_TARGET = re.compile(
    r"\s*\(\s*(?P<address>(?:\\.|[^\\)\s]|\s+(?=[^\s\"')])){0,1000}+)"
    r"(?:\s+(?P<quote>[\"'])(?P<title>.{0,300}?)(?P=quote))?\s*\)",
    re.DOTALL,
)
_TAG = re.compile(
    r"<(?:(?P<address>[A-Za-z][0-9A-Za-z.+-]{1,20}:[^>'\" \n]{1,2000}+)"
    r"|(?P<mail>[\w.+-]{1,100}@[\w.-]{1,200}\.[\w-]{1,60})"
    r"|/?[0-9A-Za-z][^>]{0,2000}+)>"
)
_SCHEME, _MAILBOX = re.compile(r"[A-Za-z]*\Z"), re.compile(r"[0-9A-Za-z.+\-_]*\Z")
_HOST = re.compile(r"@[0-9A-Za-z@._-]{0,300}")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A mark's place in its text, and what is shown for it."""

    begins: int
    ends: int
    html: str


def to_html(text: str, *, in_link: bool = False, depth: int = 0) -> str:
    """Return a text with the marks in it as HTML.

    Args:
        in_link: it stands in a link already, so addresses become none.
        depth: in how many marks it stands.
    """
    return _Spans(text, in_link, depth).to_html() if depth < _DEPTH_MAX else escape(text)


class _Spans:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str, in_link: bool, depth: int) -> None:
        self._text, self._in_link, self._depth = text, in_link, depth
        # Up to where the last mark went: what stands before is nobody's any more.
        self._done = 0
        # For a kind of mark that was begun and never ended: up to where looking again is of no use.
        self._endless: dict[str, int] = {}
        self._brackets = _matching_brackets(text) if "[" in text else {}
        self._readers: dict[str, Callable[[int], _Mark | None]] = {
            **dict.fromkeys("*_~", self._emphasis),
            ">": self._spoiler,
            "`": self._code,
            "\n": self._line_break,
            "[": self._link,
            "<": self._tag,
            "\\": self._escaped,
            "&": self._entity,
            "^": self._raised,
            "/": self._community_or_person,
            ":": self._address,
            "@": self._mail,
            "w": self._www,
        }

    def to_html(self) -> str:
        """Return the text as HTML; what begins a mark and is none stays as it was typed."""
        text, made, at = self._text, [], 0
        while found := _ACTIVE.search(text, at):
            mark = self._readers[found[0]](found.start())
            if mark is None:
                at = found.end()
                continue
            made += [escape(text[self._done : mark.begins]), mark.html]
            at = self._done = mark.ends
        return "".join([*made, escape(text[self._done :])])

    def _inside(self, begins: int, ends: int) -> str:
        return to_html(self._text[begins:ends], in_link=self._in_link, depth=self._depth + 1)

    # -- emphasis -----------------------------------------------------------------------------------------------------

    def _emphasis(self, at: int) -> _Mark | None:
        text, sign = self._text, self._text[at]
        count = 1
        while count < 4 and text[at + count : at + count + 1] == sign:
            count += 1
        begins = at + count
        # Something must stand inside, and no space first; two waves strike through, one and three do nothing.
        if count == 4 or len(text) - at < 2 + count or text[begins] in _SPACE or (sign == "~" and count != 2):
            return None
        if count == 1:
            return self._emphasized(at, begins, sign)
        return self._strong(at, begins, sign) if count == 2 else self._both(at, begins, sign)

    def _emphasized(self, at: int, begins: int, sign: str) -> _Mark | None:
        text, end = self._text, begins
        if text.startswith(sign * 2, begins):
            end += 1
        while (end := self._next_sign(f"em{sign}", at, end, sign)) > 0:
            if text[end - 1] in _SPACE:
                continue
            if sign == "_" and end + 1 < len(text) and text[end + 1] not in _BOUNDARY:
                continue
            return _Mark(at, end + 1, f"<em>{self._inside(begins, end)}</em>")
        return None

    def _strong(self, at: int, begins: int, sign: str) -> _Mark | None:
        text, end = self._text, begins
        tag = "del" if sign == "~" else "strong"
        while (end := self._next_sign(f"{tag}{sign}", at, end, sign)) > 0:
            if text.startswith(sign * 2, end) and text[end - 1] not in _SPACE:
                return _Mark(at, end + 2, f"<{tag}>{self._inside(begins, end)}</{tag}>")
            end += 1
        return None

    def _both(self, at: int, begins: int, sign: str) -> _Mark | None:
        text, end = self._text, begins
        while (end := self._next_sign(f"both{sign}", at, end, sign)) > 0:
            if text[end - 1] in _SPACE:
                continue
            if text.startswith(sign * 3, end):
                return _Mark(at, end + 3, f"<strong><em>{self._inside(begins, end)}</em></strong>")
            # The end of one of the two stands inside the other.
            if text.startswith(sign * 2, end):
                return self._emphasized(at, at + 1, sign)
            return self._strong(at, at + 2, sign)
        return None

    def _spoiler(self, at: int) -> _Mark | None:
        text, end = self._text, at + 2
        if not text.startswith("!", at + 1) or len(text) - at < 4 or text[at + 2] in _SPACE:
            return None
        while (end := self._next_sign("spoiler", at, end, "<")) > 0:
            if text[end - 1] == "!":
                inside = self._inside(at + 2, end - 1)
                return _Mark(at, end + 1, f'<span class="md-spoiler-text">{inside}</span>') if inside else None
            end += 1
        return None

    def _next_sign(self, kind: str, at: int, begins: int, sign: str) -> int:
        """Return the next place of a sign that is in no code and no link, or 0."""
        text, limit = self._text, min(len(self._text), at + _REACH)
        if at < self._endless.get(kind, 0):
            return 0
        place = begins + 1
        while place < limit:
            char = text[place]
            if char == sign:
                return place
            if text[place - 1] == "\\":
                pass
            elif char == "`":
                ticks = _TICKS.match(text, place)
                assert ticks is not None, "there is at least one"
                end = text.find(ticks[0], ticks.end(), limit)
                if end < 0:
                    first = text.find(sign, ticks.end(), limit)
                    return first if first >= 0 else self._give_up(kind, limit)
                place = end + len(ticks[0]) - 1
            elif char == "[" and (target := self._target(place)) is not None:
                place = target - 1
            place += 1
        return self._give_up(kind, limit)

    def _give_up(self, kind: str, limit: int) -> int:
        self._endless[kind] = limit
        return 0

    # -- code, breaks, single characters ------------------------------------------------------------------------------

    def _code(self, at: int) -> _Mark | None:
        ticks = _TICKS.match(self._text, at)
        assert ticks is not None, "there is at least one"
        end = self._text.find(ticks[0], ticks.end())
        if end < 0:
            return None
        inside = escape(self._text[ticks.end() : end].strip(" "))
        return _Mark(at, end + len(ticks[0]), f"<code>{inside}</code>")

    def _line_break(self, at: int) -> _Mark | None:
        plain = self._text[self._done : at]
        if not plain.endswith("  "):
            return None
        return _Mark(self._done + len(plain.rstrip(" ")), at + 1, "<br/>\n")

    def _escaped(self, at: int) -> _Mark | None:
        following = self._text[at + 1 : at + 2]
        return _Mark(at, at + 2, escape(following)) if following in _ESCAPABLE else None

    def _entity(self, at: int) -> _Mark | None:
        found = _ENTITY.match(self._text, at)
        if found is None:
            return None
        if found["name"]:
            return _Mark(at, found.end(), found[0]) if found["name"] in name2codepoint else None
        value = int(found["decimal"]) if found["decimal"] else int(found["hex"], 16)
        if value < 9 or 10 < value < 13 or 13 < value < 32 or 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            return None
        return _Mark(at, found.end(), found[0].replace("#X", "#x"))

    def _raised(self, at: int) -> _Mark | None:
        text = self._text
        if text.startswith("(", at + 1):
            end = text.find(")", at + 2)
            if end < 0:
                return None
            inside = self._inside(at + 2, end)
            return _Mark(at, end + 1, f"<sup>{inside}</sup>" if inside else "")
        end = end_of_word(text, at + 1)
        return _Mark(at, end, f"<sup>{self._inside(at + 1, end)}</sup>") if end > at + 1 else None

    def _tag(self, at: int) -> _Mark | None:
        """Return an address between angle brackets as a link; HTML is shown as it was typed, with no marks in it."""
        found = _TAG.match(self._text, at)
        if found is None:
            return None
        if found["mail"]:
            return _Mark(at, found.end(), anchor(f"mailto:{found['mail']}", escape(found["mail"])))
        if found["address"]:
            address = re.sub(r"\\(.)", r"\1", found["address"])
            return _Mark(at, found.end(), anchor(address, escape(address))) if SAFE.match(address) else None
        return _Mark(at, found.end(), escape(found[0]))

    # -- links --------------------------------------------------------------------------------------------------------

    def _target(self, at: int) -> int | None:
        """Return where a link that begins here ends."""
        closing = self._brackets.get(at)
        found = None if closing is None else _TARGET.match(self._text, closing + 1)
        return None if found is None else found.end()

    def _link(self, at: int) -> _Mark | None:
        closing = self._brackets.get(at)
        # Pictures are not shown.
        if closing is None or (at > self._done and self._text[at - 1] == "!"):
            return None
        found = _TARGET.match(self._text, closing + 1)
        if found is None:
            return None
        address = re.sub(r"\\(.)", r"\1", found["address"].strip(), flags=re.DOTALL).removeprefix("<").removesuffix(">")
        if not SAFE.match(address):
            return None
        inside = to_html(self._text[at + 1 : closing], in_link=True, depth=self._depth + 1)
        return _Mark(at, found.end(), anchor(address, inside, found["title"] or ""))

    def _community_or_person(self, at: int) -> _Mark | None:
        text, done = self._text, self._done
        if self._in_link or at == done or text[at - 1] not in "ru":
            return None
        begins = at - 1
        if begins > done:
            if text[begins - 1] == "/":
                begins -= 1
            elif text[begins - 1] not in _BOUNDARY:
                return None
        elif text.endswith("\\/", 0, begins):
            return None
        ends = end_of_community(text, at) if text[at - 1] == "r" else end_of_person(text, at)
        if ends is None:
            return None
        said = text[begins:ends]
        return _Mark(begins, ends, anchor(f"/{said.removeprefix('/')}", escape(said)))

    def _address(self, at: int) -> _Mark | None:
        text = self._text
        if self._in_link or not text.startswith("//", at + 1):
            return None
        scheme = _SCHEME.search(text[max(self._done, at - 20) : at])
        begins = at - len(scheme[0] if scheme else "")
        if not SAFE.match(text, begins) or not is_domain(text, at + 3):
            return None
        return self._shown_as_it_is(begins, end_of_address(text, at, end_of_word(text, at + 3)), "")

    def _www(self, at: int) -> _Mark | None:
        text = self._text
        if self._in_link or not text.startswith("www.", at) or not is_domain(text, at):
            return None
        if at > self._done and text[at - 1] not in _BOUNDARY:
            return None
        return self._shown_as_it_is(at, end_of_address(text, at, end_of_word(text, at)), "http://")

    def _mail(self, at: int) -> _Mark | None:
        text = self._text
        mailbox = _MAILBOX.search(text[max(self._done, at - 100) : at])
        begins = at - len(mailbox[0] if mailbox else "")
        found = _HOST.match(text, at)
        assert found is not None, "it is one"
        ends = found.end()
        if ends == len(text) and text.endswith("."):
            ends -= 1
        host = text[at:ends]
        if self._in_link or begins == at or len(host) < 2 or host.count("@") != 1 or "." not in host:
            return None
        return self._shown_as_it_is(begins, end_of_address(text, at, ends), "mailto:")

    def _shown_as_it_is(self, begins: int, ends: int, before: str) -> _Mark:
        said = self._text[begins:ends]
        return _Mark(begins, ends, anchor(f"{before}{said}", escape(said)))


def _matching_brackets(text: str) -> dict[int, int]:
    """Return where each square bracket that is closed is closed."""
    opened: list[int] = []
    pairs: dict[int, int] = {}
    for found in re.finditer(r"\\.|[\[\]]", text, re.DOTALL):
        if found[0] == "[":
            opened.append(found.start())
        elif found[0] == "]" and opened:
            pairs[opened.pop()] = found.start()
    return pairs
