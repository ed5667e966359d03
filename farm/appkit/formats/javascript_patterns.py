"""JavaScript's regular expressions, without flags, for Python's ``re``; faults in V8's words.

Patterns and texts are by UTF-16 code unit, as they are there.
"""

from __future__ import annotations

import re

from farm.appkit.formats.untrusted_regex import compile_sent
from farm.appkit.formats.utf16 import to_units

_WHITE = r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_LINE_ENDS = r"\n\r\u2028\u2029"
_CLASSES = {"d": "0-9", "w": "A-Za-z0-9_", "s": _WHITE}
_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_QUANTIFIER = re.compile(r"\{(\d+)(?:(,)(\d*))?\}", re.ASCII)
_NAME = re.compile(r"([A-Za-z_$][\w$]*)>")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_REPEATS_MAX = 2**31
# Counted, not left to Python's stack: how much of that is left differs from one way here to another.
_DEPTH_MAX = 50
_GROUPS = ("?:", "?=", "?!", "?<=", "?<!")


class PatternError(Exception):
    """The pattern is no regular expression."""


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Return what finds a pattern in code units.

    Raises:
        PatternError: with the message of JavaScript's SyntaxError.
    """
    try:
        return compile_sent(_Translator(to_units(pattern)).translated(), re.ASCII)
    except PatternError as error:
        raise PatternError(f"Invalid regular expression: /{pattern}/: {error}") from None
    except (re.error, OverflowError) as error:
        raise PatternError(f"Invalid regular expression: /{pattern}/: not simulated: {error}") from None


def _count(digits: str) -> int:
    """Return a number as V8 reads it: none is larger than the largest."""
    digits = digits.lstrip("0")
    return min(int(digits or "0"), _REPEATS_MAX) if len(digits) <= len(str(_REPEATS_MAX)) else _REPEATS_MAX


class _Translator:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.names = re.findall(r"\(\?<([A-Za-z_$][\w$]*)>", pattern)
        self.has_names = re.search(r"\(\?<(?![=!])", pattern) is not None
        self.groups = len(re.findall(r"(?<!\\)(?:\\\\)*\((?!\?)", re.sub(r"\[(?:[^\]\\]|\\.)*\]", "", pattern)))
        self.groups += len(self.names)
        self.opened = 0
        self.closed: set[int] = set()
        self.depth = 0
        self.seen: dict[str, int] = {}

    def translated(self) -> str:
        written = self._alternatives()
        if self.at < len(self.pattern):
            raise PatternError("Unmatched ')'")
        return written

    def _look(self, count: int = 1) -> str:
        return self.pattern[self.at : self.at + count]

    def _alternatives(self) -> str:
        written: list[str] = []
        while self._look() not in ("", ")"):
            if self._look() == "|":
                self.at += 1
                written.append("|")
            else:
                written.append(self._term())
        return "".join(written)

    def _term(self) -> str:
        character = self._look()
        if character in "*+?" or _QUANTIFIER.match(self.pattern, self.at):
            raise PatternError("Nothing to repeat")
        self.at += 1
        match character:
            case "^":
                return r"\A"
            case "$":
                return r"\Z"
            case "(":
                atom, is_repeatable = self._group()
            case "[":
                atom, is_repeatable = self._class(), True
            case ".":
                atom, is_repeatable = f"[^{_LINE_ENDS}]", True
            case "\\":
                atom, is_repeatable = self._escape()
            case _:
                atom, is_repeatable = re.escape(character), True
        return atom + self._quantifier() if is_repeatable else atom

    def _quantifier(self) -> str:
        written = ""
        counted = _QUANTIFIER.match(self.pattern, self.at)
        if counted:
            least = _count(counted[1])
            most = least if not counted[2] else _count(counted[3]) if counted[3] else None
            if most is not None and least > most:
                raise PatternError("numbers out of order in {} quantifier")
            written = f"{{{least},{'' if most is None else most}}}"
            self.at = counted.end()
        elif (mark := self._look()) and mark in "*+?":
            written = mark
            self.at += 1
        if written and self._look() == "?":
            self.at += 1
            written += "?"
        return written

    def _group(self) -> tuple[str, bool]:
        opening = next((each for each in _GROUPS if self._look(len(each)) == each), "")
        self.at += len(opening)
        number = 0
        if not opening:
            if self._look() == "?":
                self.at += 1
                self._name()
            self.opened += 1
            number = self.opened
        self.depth += 1
        if self.depth > _DEPTH_MAX:
            raise PatternError("not simulated: groups nested that deep")
        inside = self._alternatives()
        if self._look() != ")":
            raise PatternError("Unterminated group")
        self.depth -= 1
        self.at += 1
        self.closed.add(number)
        # Python takes no quantifier behind what looks around; a group that repeats it means the same.
        is_ahead = opening in ("?=", "?!")
        return (f"(?:({opening}{inside}))" if is_ahead else f"({opening}{inside})"), not opening.startswith("?<")

    def _name(self) -> None:
        if self._look() != "<":
            raise PatternError("Invalid group")
        name = _NAME.match(self.pattern, self.at + 1)
        if name is None:
            raise PatternError("Invalid capture group name")
        if name[1] in self.seen:
            raise PatternError("Duplicate capture group name")
        self.seen[name[1]] = self.opened + 1
        self.at = name.end()

    def _escape(self) -> tuple[str, bool]:
        """Return what an escape outside a class means, and whether it may be repeated."""
        character = self._look()
        if not character:
            raise PatternError("\\ at end of pattern")
        if character in "bB":
            self.at += 1
            # Python's own \B finds nothing in an empty text.
            return (r"\b" if character == "b" else r"(?!\b)"), False
        if character.lower() in _CLASSES:
            self.at += 1
            return f"[{'^' if character.isupper() else ''}{_CLASSES[character.lower()]}]", True
        if character in "123456789":
            number = re.compile(r"\d+", re.ASCII).match(self.pattern, self.at)
            assert number is not None, "it begins with a digit"
            if _count(number[0]) <= self.groups:
                self.at = number.end()
                return self._reference(int(number[0])), True
        if character == "k" and self.has_names:
            named = _NAME.match(self.pattern, self.at + 2) if self._look(2) == "k<" else None
            if named is None:
                raise PatternError("Invalid named reference")
            if named[1] not in self.names:
                raise PatternError("Invalid named capture referenced")
            self.at = named.end()
            return self._reference(self.seen.get(named[1], 0)), True
        return re.escape(self._character()), True

    def _reference(self, number: int) -> str:
        """Return a reference to a group; one that has not matched matches nothing at all."""
        return f"(?({number})\\{number}|)" if number in self.closed else "(?:)"

    def _character(self) -> str:
        """Return the character that an escape means; the backslash is behind us."""
        character = self._look()
        self.at += 1
        if character in _CONTROLS:
            return _CONTROLS[character]
        if character == "c":
            letter = self._look()
            if re.fullmatch("[A-Za-z]", letter):
                self.at += 1
                return chr(ord(letter) % 32)
            self.at -= 1
            return "\\"
        for mark, length in (("x", 2), ("u", 4)):
            if character == mark and re.fullmatch(rf"[0-9a-fA-F]{{{length}}}", self._look(length)):
                code = int(self._look(length), 16)
                self.at += length
                return chr(code)
        if character in "01234567":
            octal = _OCTAL.match(self.pattern, self.at - 1)
            assert octal is not None, "it begins with a digit"
            self.at = octal.end()
            return chr(int(octal[0], 8))
        return character

    def _class(self) -> str:
        is_negated = self._look() == "^"
        self.at += is_negated
        parts: list[str] = []
        while self._look() != "]":
            first = self._member()
            if self._look() != "-" or self._look(2) == "-]" or len(self._look(2)) < 2:
                parts.append(_in_class(first))
                continue
            self.at += 1
            last = self._member()
            if len(first) > 1 or len(last) > 1:
                parts.extend((_in_class(first), r"\-", _in_class(last)))
            elif first > last:
                raise PatternError("Range out of order in character class")
            else:
                parts.append(f"{_in_class(first)}-{_in_class(last)}")
        self.at += 1
        if not parts:
            return r"[\s\S]" if is_negated else "(?!)"
        return f"[{'^' if is_negated else ''}{''.join(parts)}]"

    def _member(self) -> str:
        """Return one member of a class: a character, or a class written out with a mark in front."""
        character = self._look()
        if not character:
            raise PatternError("Unterminated character class")
        self.at += 1
        if character != "\\":
            return character
        escaped = self._look()
        if not escaped:
            raise PatternError("\\ at end of pattern")
        if escaped == "b":
            self.at += 1
            return "\b"
        if escaped.lower() in _CLASSES:
            self.at += 1
            return f"\\{escaped}"
        return self._character()


def _in_class(member: str) -> str:
    if len(member) == 2:
        named = member[1]
        if named in "sS":
            # Python's own is of ASCII alone; what is no white space has to be told by what is.
            return (
                _WHITE
                if named == "s"
                else r"\x21-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-"
                + (r"\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffff\x00-\x08\x0e-\x1f")
            )
        return member
    return f"\\{member}" if member in "\\]^-[&~|" else member
