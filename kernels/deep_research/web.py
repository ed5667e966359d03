"""The web as Tavily searches it: documents, and articles among them, the five that fit best."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from farm.appkit import Episode, parse_json
from farm.appkit.formats.javascript import js_length

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


@dataclass(frozen=True)
class Web:
    """What is searched.

    Attributes:
        every: how many pages there are of all topics.
        having: word → the pages of the topic that have it, and whether in the title.
    """

    every: int
    having: dict[str, dict[Page, bool]]


def is_taken(query: str) -> bool:
    """Whether Tavily takes a query: it refuses empty ones and those over 400 characters."""
    return bool(query.strip()) and js_length(query) <= _QUERY_MAX


def read(ep: Episode, topic: str) -> Web:
    """Return the pages of a topic, to be searched as often as a call asks."""
    pages = [
        Page(f"d{row['document_id']:06}", row["title"], row["content"], row["words"])
        for row in ep.reference.all("SELECT * FROM documents ORDER BY document_id")
        if topic == "general" or topic in parse_json(row["topics"])
    ]
    if topic == "general":
        pages += [
            Page(f"p{row['pmid']}", row["title"], row["abstract"], row["words"])
            for row in ep.reference.all("SELECT pmid, title, abstract, words FROM articles ORDER BY pmid")
        ]
    having: dict[str, dict[Page, bool]] = {}
    for page in pages:
        title = _terms(page.title)
        for term in title | _terms(f"{page.content} {page.words}"):
            having.setdefault(term, {})[page] = term in title
    every = ep.reference.scalar("SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM articles)")
    return Web(every, having)


def search(web: Web, query: str) -> list[Page]:
    """Return the pages that have the query's words, the rarer the better, in titles best of all.

    Source: https://docs.tavily.com/documentation/api-reference/endpoint/search
    """
    scores: dict[Page, float] = {}
    for term in sorted(_terms(query)):
        having = web.having.get(term, {})
        for page, is_in_title in having.items():
            rarity = math.log(1 + web.every / len(having))
            scores[page] = scores.get(page, 0) + rarity * (_TITLE_WEIGHT if is_in_title else 1)
    return sorted(scores, key=lambda page: (-scores[page], page.key))[:_RESULTS_MAX]


def show(query: str, pages: Iterable[Page]) -> str:
    """Return a query's results as the server puts them into its prompt."""
    text = f"## Search Results for `{query}`\n"
    for number, page in enumerate(pages, start=1):
        text += f"### Reference {number}:\nTitle: {page.title}\nContent: {page.content}\n"
    return text


def _terms(text: str) -> set[str]:
    """Return what a text is found by: words without their plural's s, and Chinese by pairs of characters."""
    lower = text.lower()
    words = {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _LATIN.findall(lower)}
    for run in _CHINESE.findall(lower):
        words |= {run[n : n + 2] for n in range(len(run) - 1)} or {run}
    return words - _SILENT
