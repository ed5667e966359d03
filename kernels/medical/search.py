"""How texts are searched: as PubMed is asked, by words that must all be there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from farm.envelope import compact_json
from farm.kernel import Episode, Row

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"\[[^\]]*\]")
_ALTERNATIVES_MAX = 20
_SILENT = {
    *("a", "an", "and", "are", "at", "by", "do", "does", "for", "from", "how"),
    *("in", "is", "of", "on", "or", "the", "to", "what", "with"),
}


def words_of(text: str) -> list[str]:
    """Return the words of a text, without their plural's s, so that one form finds the other."""
    found = _WORD.findall(text.lower())
    return [word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in found]


def find_rows(ep: Episode, table: str, columns: Sequence[str], query: str, where: str = "1") -> list[Row]:
    """Return the rows that a query finds, best first: by words in the title, then the newest, then by key.

    ``OR`` and ``NOT`` in capitals are understood, ``AND``, brackets and quotation marks are what is meant anyway.

    Args:
        columns: key, title and date of the table, then what else is searched.
        where: a condition beside the words.
    """
    key, title, date, *others = columns
    found: dict[str, tuple[int, Row]] = {}
    for alternative in re.split(r"\bOR\b", _TAG.sub(" ", query))[:_ALTERNATIVES_MAX]:
        wanted, *unwanted = ([word for word in words_of(part) if word not in _SILENT] for part in _parts(alternative))
        if not wanted:
            continue
        for row in _candidates(ep, table, (title, *others), wanted, where):
            there = {word for column in (title, *others) for word in words_of(row[column])}
            if not there.issuperset(wanted) or any(there.issuperset(part) for part in unwanted if part):
                continue
            hits = len(set(wanted).intersection(words_of(row[title])))
            found[row[key]] = max(hits, found.get(row[key], (0, row))[0]), row
    ranked = sorted(found.values(), key=lambda each: each[1][key])
    ranked.sort(key=lambda each: each[1][date], reverse=True)
    ranked.sort(key=lambda each: each[0], reverse=True)
    return [row for _, row in ranked]


def _parts(alternative: str) -> list[str]:
    return re.split(r"\bNOT\b", alternative)


def _candidates(ep: Episode, table: str, columns: Sequence[str], wanted: Sequence[str], where: str) -> list[Row]:
    """Return rows that may hold the words: ``LIKE`` is quick and knows nothing of where a word ends."""
    whole = " || ' ' || ".join(columns)
    lacks = f"SELECT 1 FROM json_each(?) WHERE {whole} NOT LIKE '%' || value || '%'"
    return ep.reference.all(f"SELECT * FROM {table} WHERE {where} AND NOT EXISTS ({lacks})", compact_json([*wanted]))
