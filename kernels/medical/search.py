"""How texts are searched: as PubMed is asked, by words that must all be there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from farm.appkit import Episode, Row, compact_json
from farm.appkit.formats.stemming import strip_plural

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"\[[^\]]*\]")
_ALTERNATIVES_MAX = 20
_WORD_MAX = 200  # no text has a longer word, and SQLite takes none of tens of thousands
_SILENT = {
    *("a", "an", "and", "are", "at", "by", "do", "does", "for", "from", "how"),
    *("in", "is", "of", "on", "or", "the", "to", "what", "with"),
}


def words_of(text: str) -> list[str]:
    """Return the words of a text, without their plural's s, so that one form finds the other."""
    return [strip_plural(word) for word in _WORD.findall(text.lower())]


def find_rows(ep: Episode, table: str, columns: Sequence[str], query: str, where: str = "1") -> list[Row]:
    """Return the rows that a query finds, best first: by words in the title, then the newest, then by key.

    ``OR`` and ``NOT`` in capitals are understood, ``AND``, brackets and quotation marks are what is meant anyway.

    Args:
        columns: key, title and date of the table, then what else is searched.
        where: a condition beside the words.
    """
    key, title, date, *others = columns
    found: dict[str, tuple[int, Row]] = {}
    words: dict[str, tuple[set[str], set[str]]] = {}  # of rows that were looked at: of the title, of all
    for alternative in re.split(r"\bOR\b", _without_tags(query))[:_ALTERNATIVES_MAX]:
        wanted, *unwanted = ({word for word in words_of(part) if word not in _SILENT} for part in _parts(alternative))
        if not wanted or max(map(len, wanted)) > _WORD_MAX:
            continue
        for row in _candidates(ep, table, (title, *others), wanted, where):
            if row[key] not in words:
                in_title = {*words_of(row[title])}
                words[row[key]] = in_title, in_title.union(*(words_of(row[column]) for column in others))
            in_title, there = words[row[key]]
            if not there.issuperset(wanted) or any(there.issuperset(part) for part in unwanted if part):
                continue
            hits = len(wanted & in_title)
            found[row[key]] = max(hits, found.get(row[key], (0, row))[0]), row
    ranked = sorted(found.values(), key=lambda each: each[1][key])
    ranked.sort(key=lambda each: each[1][date], reverse=True)
    ranked.sort(key=lambda each: each[0], reverse=True)
    return [row for _, row in ranked]


def _without_tags(query: str) -> str:
    """Return a query without fields in brackets; behind the last one that is closed none is looked for."""
    whole, end, rest = query.rpartition("]")
    return _TAG.sub(" ", whole + end) + rest


def _parts(alternative: str) -> list[str]:
    return re.split(r"\bNOT\b", alternative)


def _candidates(ep: Episode, table: str, columns: Sequence[str], wanted: Iterable[str], where: str) -> list[Row]:
    """Return rows that may hold the words: ``LIKE`` is quick and knows nothing of where a word ends."""
    whole = " || ' ' || ".join(columns)
    lacks = f"SELECT 1 FROM json_each(?) WHERE {whole} NOT LIKE '%' || value || '%'"
    return ep.reference.all(
        f"SELECT * FROM {table} WHERE {where} AND NOT EXISTS ({lacks})", compact_json(sorted(wanted))
    )
