"""Texts of a specification: dates must be placeholders, and references become what each app shows for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from farm.context.placeholders import FORMATS

_PLACEHOLDER = re.compile(r"\{\{(\w+):([^{}]*)\}\}")
_DATE = re.compile(r"([+-]\d+) (\w+)")
_POINT = re.compile(r"[+-]\d+ \d{1,2}:\d{2}")
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
# A world is moved by whole weeks, so a text must not say which day of which month it is. «May» alone is a word, too.
_LITERAL = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b20[23]\d\s?年|(?<!\d)\d{{1,2}}\s?月\s?\d{{1,2}}[日号]?|(?<![A-Za-z\d-])\d{{1,2}}号(?![楼位线机店])"
    rf"|\b(?:{_MONTH}|May)\.? \d{{1,2}}\b(?![:%])|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}|May)\b"
    r"|\b(?:[4-9]|[1-3]\d)th\b|\bthe (?:1st|2nd|3rd|[23]1st|22nd|23rd)\b(?! (?:batch|draft|round|time|version|one))"
)

Resolve = Callable[[str], str]


def find_literal_date(text: str) -> str | None:
    """Return the first date that is written out instead of being a placeholder, or None."""
    match = _LITERAL.search(_PLACEHOLDER.sub("", text))
    return match[0] if match else None


def resolve(text: str, references: Mapping[str, Resolve]) -> str:
    """Return the text with its references replaced; date placeholders stay for the build.

    Args:
        text: with ``{{kind:value}}`` in it.
        references: kind → what this app shows for a value; it raises ``ValueError`` for a value it does not know.

    Raises:
        ValueError: a literal date, an unknown kind, format or value; the message says which.
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
                raise ValueError(f"'{match[0]}' needs a day and a time such as '+3 14:05'")
            return match[0]
        if kind not in references:
            raise ValueError(f"no reference '{match[0]}' here; have date, {', '.join(sorted(references))}")
        return references[kind](value)

    done = _PLACEHOLDER.sub(replaced, text)
    # What looks like a placeholder and was not one is a typing error that a reader would see.
    broken = re.search(r"\{\{(?!(?:date|ms|s|rfc3339):)[^}]*\}?\}?", done)
    if broken:
        raise ValueError(f"'{broken[0]}' is no placeholder; write {{{{kind:value}}}}")
    return done


def _require_date(value: str) -> None:
    match = _DATE.fullmatch(value)
    if match is None:
        raise ValueError(f"'{{{{date:{value}}}}}' needs a signed day and a format, such as {{{{date:+3 zh}}}}")
    if match[2] not in FORMATS:
        raise ValueError(f"no date format '{match[2]}'; have {', '.join(FORMATS)}")
