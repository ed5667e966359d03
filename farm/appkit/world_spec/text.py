"""Texts of a specification: dates must be placeholders, and references are replaced by each app's form of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from farm.appkit.world_spec.placeholders import FORMATS

_PLACEHOLDER = re.compile(r"\{\{(\w+):([^{}]*)\}\}")
_DATE = re.compile(r"([+-][0-9]{1,5}) (\w+)")
_POINT = re.compile(r"[+-][0-9]{1,5} (?:[01]?[0-9]|2[0-3]):[0-5][0-9]")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
# A world is shifted by whole weeks, so a text must not contain a literal date. «May» alone is also an ordinary word.
_LITERAL = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b20[23]\d\s?年|(?<!\d)\d{{1,2}}\s?月\s?\d{{1,2}}[日号]?|(?<![A-Za-z\d-])\d{{1,2}}号(?![楼位线机店])"
    rf"|\b(?:{_MONTH}|May)\.? \d{{1,2}}\b(?![:%])|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}|May)\b"
    r"|\b(?:[4-9]|[1-3]\d)th\b|\bthe (?:1st|2nd|3rd|[23]1st|22nd|23rd)\b(?! (?:batch|draft|round|time|version|one))"
)

Resolve = Callable[[str], str]


def find_literal_date(text: str) -> str | None:
    """Return the first literal date, or None."""
    match = _LITERAL.search(_PLACEHOLDER.sub("", text))
    return match[0] if match else None


def resolve(text: str, references: Mapping[str, Resolve]) -> str:
    """Return the text with its references replaced; date placeholders stay for the build.

    Args:
        text: a text with references ``{{kind:value}}``.
        references: kind → a function from a value to this app's form of it; it raises ``ValueError`` if it is unknown.

    Raises:
        ValueError: the text has a literal date or an unknown kind, format or value; the message names it.
    """
    literal = find_literal_date(text)
    if literal:
        raise ValueError(f"the date '{literal}' is written out; use {{{{date:+3 zh}}}} or another placeholder")

    def replaced(match: re.Match[str]) -> str:
        kind, value = match[1], match[2]
        if kind == "date":
            _require_date(value)
            return match[0]
        if kind in ("ms", "s", "rfc3339"):
            if not _POINT.fullmatch(value):
                raise ValueError(f"'{match[0]}' needs a day of at most five digits and a time such as '+3 14:05'")
            return match[0]
        if kind not in references:
            raise ValueError(f"no reference '{match[0]}' here; have date, {', '.join(sorted(references))}")
        return references[kind](value)

    done = _PLACEHOLDER.sub(replaced, text)
    # A remaining text in double braces is a typing error that a reader would see.
    broken = re.search(r"\{\{(?!(?:date|ms|s|rfc3339):)[^}]*\}?\}?", done)
    if broken:
        raise ValueError(f"'{broken[0]}' is no placeholder; write {{{{kind:value}}}}")
    return done


def _require_date(value: str) -> None:
    match = _DATE.fullmatch(value)
    if match is None:
        raise ValueError(
            f"'{{{{date:{value}}}}}' needs a signed day of at most five digits and a format, such as {{{{date:+3 zh}}}}"
        )
    if match[2] not in FORMATS:
        raise ValueError(f"no date format '{match[2]}'; have {', '.join(FORMATS)}")
