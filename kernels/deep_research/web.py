"""The web as Tavily searches it: documents, and articles among them, the five that fit best."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from farm.envelope import compact_json
from farm.formats.javascript import js_length
from farm.kernel import Episode, parse_json

_RESULTS_MAX = 5
_QUERY_MAX = 400
_TITLE_WEIGHT = 2
_LATIN = re.compile(r"[^\W\d_\u3040-\u9fff]+|\d+")
_CHINESE = re.compile(r"[\u3040-\u9fff]+")
_SILENT = {
    *("a", "an", "and", "are", "at", "by", "do", "does", "for", "from", "how"),
    *("in", "is", "of", "on", "or", "the", "to", "what", "with", "的", "是"),
}


@dataclass(frozen=True)
class Page:
    """A page that can be found: ``key`` orders pages that fit alike, ``words`` are more than it shows."""

    key: str
    title: str
    content: str
    words: str


def is_taken(query: str) -> bool:
    """Whether Tavily takes a query: it refuses empty ones and those over 400 characters."""
    return bool(query.strip()) and js_length(query) <= _QUERY_MAX


def search(ep: Episode, query: str, topic: str) -> list[Page]:
    """Return the pages of a topic that have the query's words, the rarer the better, in titles best of all.

    Source: https://docs.tavily.com/documentation/api-reference/endpoint/search
    """
    wanted = sorted(_terms(query))
    pages = [(page, _terms(page.title), _terms(f"{page.content} {page.words}")) for page in _pages(ep, topic, wanted)]
    every = ep.reference.scalar("SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM articles)")
    scores: dict[Page, float] = {}
    for term in wanted:
        having = {page: term in title for page, title, text in pages if term in title or term in text}
        for page, is_in_title in having.items():
            rarity = math.log(1 + every / len(having))
            scores[page] = scores.get(page, 0) + rarity * (_TITLE_WEIGHT if is_in_title else 1)
    return sorted(scores, key=lambda page: (-scores[page], page.key))[:_RESULTS_MAX]


def show(query: str, pages: Iterable[Page]) -> str:
    """Return a query's results as the server puts them into its prompt."""
    text = f"## Search Results for `{query}`\n"
    for number, page in enumerate(pages, start=1):
        text += f"### Reference {number}:\nTitle: {page.title}\nContent: {page.content}\n"
    return text


def _pages(ep: Episode, topic: str, wanted: Sequence[str]) -> list[Page]:
    """Return the pages of a topic that may have one of the words: ``LIKE`` knows nothing of where a word ends."""
    has = "EXISTS (SELECT 1 FROM json_each(?) WHERE {} LIKE '%' || value || '%')"
    document, article = has.format("title || content || words"), has.format("title || abstract || words")
    words = compact_json([*wanted])
    pages = [
        Page(f"d{row['document_id']:06}", row["title"], row["content"], row["words"])
        for row in ep.reference.all(f"SELECT * FROM documents WHERE {document} ORDER BY document_id", words)
        if topic == "general" or topic in parse_json(row["topics"])
    ]
    if topic == "general":
        sql = f"SELECT pmid, title, abstract, words FROM articles WHERE {article} ORDER BY pmid"
        pages += [
            Page(f"p{row['pmid']}", row["title"], row["abstract"], row["words"]) for row in ep.reference.all(sql, words)
        ]
    return pages


def _terms(text: str) -> set[str]:
    """Return what a text is found by: words without their plural's s, and Chinese by pairs of characters."""
    lower = text.lower()
    words = {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _LATIN.findall(lower)}
    for run in _CHINESE.findall(lower):
        words |= {run[n : n + 2] for n in range(len(run) - 1)} or {run}
    return words - _SILENT
