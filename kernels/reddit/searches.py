"""Searching posts.

Reddit's ranking is not known; ours is fixed so that a search can be repeated. Words must all be there, in the title
or the text; a word also finds its plural. ``"…"`` is a phrase, ``-`` or NOT before a word or a bracket excludes, OR
stands between alternatives, brackets hold together what belongs together, and ``subreddit:``, ``author:``, ``title:``,
``selftext:``, ``flair:``, ``url:``, ``site:`` and ``self:`` look in one place, before a bracket for all in it. By
relevance, a hit in the title weighs four times one in the text; equals stand by score, then newest first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from typing import Any

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.stemming import strip_plural
from farm.appkit.formats.untrusted_regex import compile_sent, split_sent

from . import post_views, subreddits

_LIMIT_MAX = 100
_QUERY_MAX = 512
_TERMS_MAX = 50
_GROUPS_MAX = 50  # of what brackets multiply to
_WORDS_MAX = 8  # more narrow it no further
_LISTED = f"{post_views.POSTS} WHERE NOT p.is_deleted AND NOT s.over_18 AND NOT p.over_18 AND {subreddits.READABLE}"
_AMONG = "AND p.post_id IN (SELECT value FROM json_each(:posts))"
_TERM = re.compile(
    r"(?P<not>-|NOT\s+)?(?:(?P<field>[a-z_]+):)?(?:\"(?P<phrase>[^\"]*)\"|(?P<open>\()|(?P<word>[^\s\"()]+))|(?P<close>\))"
)
_FIELDS = (
    "subreddit",
    "author",
    "title",
    "selftext",
    "text",
    "flair",
    "flair_name",
    "flair_text",
    "url",
    "site",
    "self",
    "nsfw",
)
_WORD = re.compile(r"[0-9a-z]+(?:'[a-z]+)?")


@dataclass(frozen=True)
class _Term:
    field: str | None
    text: str
    is_excluded: bool
    pattern: re.Pattern[str]


def search(
    ep: Episode,
    *,
    search_query: str,
    restrict_sr: bool = True,
    sort: str = "relevance",
    limit: int = 5,
) -> Result:
    """Return a listing of the posts that match, over all communities that the caller may read.

    Reads all comments: a post tells how many it has.

    Args:
        search_query: words; the module says what else. One of over 512 characters is none, as an empty one is.
        restrict_sr: for searches in one community, which this tool does not name: it changes nothing.
        sort: ``relevance``, ``new``, ``top`` or ``comments``.
        limit: 1 to 100; others count as the nearest of these.

    Source: https://www.reddit.com/dev/api#GET_search
    """
    groups = _read(search_query) if len(search_query) <= _QUERY_MAX else []
    scored = []
    for row in _worth_reading(ep, groups) if groups else ():
        weights = [weight for group in groups if (weight := _weight(row, group)) is not None]
        if weights:
            scored.append((max(weights), row))
    scored.sort(key=partial(_place, sort))
    page = scored[: min(max(limit, 1), _LIMIT_MAX)]
    children = [post_views.thing(ep, row) for _, row in page]
    after = children[-1]["data"]["name"] if len(scored) > len(page) else None
    data: dict[str, Any] = {"after": after, "dist": len(children), "modhash": None, "geo_filter": ""}
    return {"search_results": {"kind": "Listing", "data": {**data, "children": children, "before": None}}}


def _worth_reading(ep: Episode, groups: list[list[_Term]]) -> list[Row]:
    """Return the posts that may be hits: the text index knows those without the words that must be there.

    Reads all posts: a query without a word for the index, in Chinese for example, is looked for in each.
    """
    worth: set[str] = set()
    for group in groups:
        words = [
            _stem(word)
            for term in group
            if not term.is_excluded and term.field in (None, "title", "selftext", "text") and term.text.isascii()
            for word in _WORD.findall(term.text)
        ]
        found = ep.db.candidates("posts", *words[:_WORDS_MAX]) if words else None
        if found is None:
            return ep.db.all(_LISTED, me=ep.me)
        worth |= found
    return ep.db.all(f"{_LISTED} {_AMONG}", me=ep.me, posts=json.dumps(sorted(worth)))


def _place(sort: str, scored: tuple[float, Row]) -> tuple[float, ...]:
    """Return where a hit stands in the order asked for."""
    weight, row = scored
    score = row["ups"] - row["downs"]
    newest = -row["created_s"]
    if sort == "new":
        return (newest, -score)
    if sort == "top":
        return (-score, newest)
    if sort == "comments":
        return (-row["num_comments"], -score, newest)
    return (-weight, -score, newest)


def _read(query: str) -> list[list[_Term]]:
    """Return the alternatives of a query, each with the terms that must all hold."""
    groups = _alternatives(islice(_TERM.finditer(query), _TERMS_MAX), None, depth=0)
    return [group for group in groups if any(not term.is_excluded for term in group)]


def _alternatives(tokens: Iterator[re.Match[str]], outer: str | None, *, depth: int) -> list[list[_Term]]:
    """Return the alternatives of what stands in a bracket, or of the whole query; ``outer`` is the bracket's field."""
    done: list[list[_Term]] = []
    groups: list[list[_Term]] = [[]]
    for found in tokens:
        if found["close"]:
            if depth:
                break
        elif found[0] == "OR":
            done += groups
            groups = [[]]
        elif found[0] != "AND":
            inner = _alternatives(tokens, found["field"] or outer, depth=depth + 1) if found["open"] else None
            if inner is None:
                inner = [_terms(found, outer)]
            elif found["not"]:
                # None of the alternatives holds: of each, one term does not.
                inner = [[replace(term, is_excluded=not term.is_excluded) for term in one] for one in _choices(inner)]
            groups = [[*group, *more] for group in groups for more in inner][:_GROUPS_MAX]
    return [group for group in (done + groups)[:_GROUPS_MAX] if group] or [[]]


def _choices(groups: list[list[_Term]]) -> Iterator[tuple[_Term, ...]]:
    """Return the ways to take one term of each alternative; nothing is taken of an empty bracket."""
    return islice(product(*(group for group in groups if group)), _GROUPS_MAX)


def _terms(found: re.Match[str], outer: str | None) -> list[_Term]:
    """Return what a word or phrase asks for; nothing where it is empty."""
    text = (found["phrase"] if found["word"] is None else found["word"]).casefold().strip()
    if not text:
        return []
    named = found["field"] or outer
    field = named if named in _FIELDS else None
    whole = text if field or not found["field"] else f"{found['field']}:{text}"
    return [_Term(field, whole, found["not"] is not None, _pattern(whole))]


def _weight(row: Row, terms: list[_Term]) -> float | None:
    """Return how well a post answers all terms; None: it does not."""
    title, text = row["title"].casefold(), row["text"].casefold()
    weight = 0.0
    for term in terms:
        hit = _hit(row, term, title, text)
        if bool(hit) == term.is_excluded:
            return None
        weight += hit
    return weight


def _hit(row: Row, term: _Term, title: str, text: str) -> float:
    if term.field is None:
        return 4.0 * bool(term.pattern.search(title)) + 1.0 * bool(term.pattern.search(text))
    if term.field == "title":
        return 4.0 * bool(term.pattern.search(title))
    if term.field in ("selftext", "text"):
        return 1.0 * bool(term.pattern.search(text))
    if term.field in ("self", "nsfw"):
        holds = row["kind"] == "self" if term.field == "self" else False
        return float(holds == (term.text in ("yes", "1", "true")))
    return float(_is_about(row, term))


def _is_about(row: Row, term: _Term) -> bool:
    """Whether a post's community, author, flair or link is the one asked for."""
    wanted = term.text.removeprefix("r/").removeprefix("u/")
    link = (row["url"] or "").casefold()
    match term.field:
        case "subreddit":
            return bool(row["subreddit"].casefold() == wanted)
        case "author":
            return bool(row["author"].casefold() == wanted) and not row["is_gone"]
        case "flair" | "flair_name" | "flair_text":
            return wanted in (row["flair_text"] or "").casefold()
        case "url":
            return wanted in link
        case _:
            host = split_sent(link).hostname or f"self.{row['subreddit']}".casefold()
            return host == wanted or host.endswith(f".{wanted}")


def _pattern(wanted: str) -> re.Pattern[str]:
    """Return what finds a word or phrase: whole words in scripts that have such, anywhere in others."""
    words = _WORD.findall(wanted)
    if not wanted.isascii() or not words:
        return compile_sent(re.escape(wanted))
    said = r"[^0-9a-z]+".join(re.escape(_stem(word)) + r"(?:'?s)?" for word in words)
    return compile_sent(rf"(?<![0-9a-z]){said}(?![0-9a-z])")


def _stem(word: str) -> str:
    """Return a word without the ending of a plural or a genitive."""
    return strip_plural(word.removesuffix("'s"))
