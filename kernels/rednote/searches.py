"""Searching notes.

The site's ranking is not known; ours is fixed so that a search can be repeated. The keyword is split at blanks. A term
hits a note when it stands in the title, in a tag, in the body or in the author's nickname, whatever the case; a note is
found when at least half of the terms hit it. When no note is found, Chinese terms of three characters or more are taken
apart: such a term hits, weakly, where at least a third of its neighbouring pairs of characters stand. 综合 sorts by the
number of terms, then by where they hit, then by likes; equals stand newest first.

The text index names the notes worth reading; what is found and in which order is decided here, note by note.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.go import go_quote

from . import cards, errors
from .sessions import find_viewer

FIRST_SCREEN = 20
WORDS_MOST = 50
_VERB = "搜索Feeds"

# Argument, label on the page, what may be chosen; the first choice is the default.
_FILTERS = (
    ("sort_by", "排序依据", ("综合", "最新", "最多点赞", "最多评论", "最多收藏")),
    ("note_type", "笔记类型", ("不限", "视频", "图文")),
    ("publish_time", "发布时间", ("不限", "一天内", "一周内", "半年内")),
    ("search_scope", "搜索范围", ("不限", "已看过", "未看过", "已关注")),
    ("location", "位置距离", ("不限", "同城", "附近")),
)
_SORTED_BY = {
    "最新": "n.time",
    "最多点赞": cards.LIKES,
    "最多评论": cards.COMMENTS,
    "最多收藏": cards.COLLECTIONS,
}
_DAY_MS = 24 * 3600 * 1000
_WITHIN_MS = {"一天内": _DAY_MS, "一周内": 7 * _DAY_MS, "半年内": 182 * _DAY_MS}
_SEEN = (
    "(EXISTS (SELECT 1 FROM views w WHERE w.note_id = n.note_id AND w.user_id = :me)"
    " OR EXISTS (SELECT 1 FROM likes w WHERE w.note_id = n.note_id AND w.user_id = :me)"
    " OR EXISTS (SELECT 1 FROM favorites w WHERE w.note_id = n.note_id AND w.user_id = :me)"
    " OR EXISTS (SELECT 1 FROM comments w WHERE w.note_id = n.note_id AND w.user_id = :me))"
)
_CONDITIONS = {
    "视频": "n.type = 'video'",
    "图文": "n.type = 'normal'",
    "已看过": _SEEN,
    "未看过": f"NOT {_SEEN}",
    "已关注": "EXISTS (SELECT 1 FROM follows f WHERE f.user_id = :me AND f.target_id = n.user_id)",
    "同城": "n.ip_location = m.ip_location",
    # Two places that are both known must be the same district; otherwise the city has to do.
    "附近": (
        "n.ip_location = m.ip_location AND coalesce(n.district, m.district, '') = coalesce(m.district, n.district, '')"
    ),
}
_TEXTS = f"""
SELECT n.note_id, n.title, n.body, n.tags, n.time, u.nickname, {{value}} AS value
FROM notes n JOIN users u USING (user_id) JOIN users m ON m.user_id = :me
WHERE {cards.PUBLIC} AND n.time >= :since
"""

_AMONG = """
AND n.note_id IN (SELECT value FROM json_each(:notes) UNION ALL
                  SELECT note_id FROM notes WHERE user_id IN (SELECT value FROM json_each(:authors)))
"""

# Where a word stands in more than one of this many notes, all are looked at where they lie, in SQLite: it takes a sixth
# of the time of a note that is read here.
_COMMON = 6
_SCANNED_MOST = 8
# Scripts without case: such a term stands in a text exactly where it stands in the text's case-folded form.
_CASELESS = re.compile("[0-9\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
# How well a term hits; tags are JSON, which may hold escapes.
_HIT = """
8 * (instr(n.title, :term{0}) > 0) + 2 * (instr(n.body, :term{0}) > 0)
+ 4 * (CASE WHEN instr(n.tags, '\\') THEN EXISTS (SELECT 1 FROM json_each(n.tags) WHERE instr(value, :term{0}))
       ELSE instr(n.tags, :term{0}) > 0 END)
+ (n.user_id IN (SELECT user_id FROM users WHERE instr(nickname, :term{0}))) AS hit{0}"""
# The inner limit keeps SQLite from working each hit out again wherever it is used.
_SCAN = """
SELECT n.note_id, {value} AS value FROM (
    SELECT n.note_id, n.time, n.liked_base, n.collected_base, {hits}
    FROM users m CROSS JOIN notes n NOT INDEXED
    WHERE m.user_id = :me AND {public} AND n.time >= :since {conditions} LIMIT -1
) n WHERE {count} * 2 >= :terms ORDER BY {order}, n.time DESC, n.note_id LIMIT :limit
"""

# How many terms hit a note, and how well.
Score = tuple[int, float]


def search_feeds(ep: Episode, *, keyword: str, filters: Mapping[str, Any] | None = None) -> Result:
    """Return the first screen of the public notes that match, best first.

    Reads all notes: words that the index does not know, or that stand in many notes, are looked for in each;
    Reads all comments: a card tells how many its note has; and
    Reads all users: a nickname may hold a word.

    Args:
        keyword: what to look for.
        filters: ``sort_by``, ``note_type``, ``publish_time``, ``search_scope``, ``location``; empty is the default.

    Raises:
        MissingArgument: the keyword is empty.
        UnsupportedFilter: a filter has a value the page does not offer.
        NoFeeds: nobody is signed in.

    Source: https://github.com/xpzouying/xiaohongshu-mcp (search.go)
    """
    if not keyword:
        raise errors.MissingArgument(_VERB, name="关键词")
    chosen = _chosen(filters or {})
    viewer = find_viewer(ep)
    if not viewer:
        raise errors.NoFeeds(_VERB)
    within = next((_WITHIN_MS[value] for value in chosen if value in _WITHIN_MS), None)
    since = 0 if within is None else ep.now_ms - within
    conditions = "".join(f" AND {_CONDITIONS[value]}" for value in chosen if value in _CONDITIONS)
    values = {"me": viewer, "now": ep.now_ms, "since": since}
    sorted_by = next((_SORTED_BY[value] for value in chosen if value in _SORTED_BY), None)
    page = _page(ep, keyword, conditions, values, sorted_by)
    rows = ep.db.all(cards.FULL_CARDS, me=viewer, notes=cards.id_list(page))
    rows.sort(key=lambda row: page.index(row["note_id"]))
    return {"feeds": cards.feeds(ep, viewer, rows), "count": len(rows)}


def _page(ep: Episode, keyword: str, conditions: str, values: dict[str, Any], sorted_by: str | None) -> list[str]:
    """Return the first screen of what whole terms find, or else parts of terms, best first."""
    terms = list(dict.fromkeys(keyword.casefold().split()))
    texts = _TEXTS.format(value=sorted_by or cards.LIKES) + conditions
    among = _worth_reading(ep, terms)
    if among is None and len(terms) <= _SCANNED_MOST and all(map(_CASELESS.fullmatch, terms)):
        page = _scanned(ep, terms, conditions, values, sorted_by)
    else:
        page = _best(terms, _read(ep, texts, values, among), whole_terms=True, is_ranked=sorted_by is None)
    parts = sorted({pair for term in terms for pair in _pairs(term)})
    if not page and parts:
        rows = _read(ep, texts, values, _worth_reading(ep, [*terms, *parts]))
        page = _best(terms, rows, whole_terms=False, is_ranked=sorted_by is None)
    return page


def _worth_reading(ep: Episode, words: list[str]) -> dict[str, str] | None:
    """Return the notes that may hold one of the words, and the authors whose nickname may; None for any note."""
    if len(words) > WORDS_MOST:
        # Nobody types so many, and asking for each would take longer than reading every note.
        return None
    most = (ep.db.scalar("SELECT max(rowid) FROM notes") or 0) // _COMMON
    notes: set[str] = set()
    authors: set[str] = set()
    for word in words:
        own, by = ep.db.candidates("notes", word, most=most), ep.db.candidates("users", word)
        if own is None or by is None:
            return None
        notes |= own
        authors |= by
    return {"notes": cards.id_list(list(notes)), "authors": cards.id_list(list(authors))}


def _read(ep: Episode, texts: str, values: dict[str, Any], among: dict[str, str] | None) -> list[Row]:
    if among is None:
        return ep.db.all(texts, **values)
    return ep.db.all(texts + _AMONG, **values, **among)


def _scanned(
    ep: Episode, terms: list[str], conditions: str, values: dict[str, Any], sorted_by: str | None
) -> list[str]:
    """Return the first screen of what whole terms find, without reading the notes here."""
    values = values | {"terms": len(terms), "limit": FIRST_SCREEN}
    values |= {f"term{at}": term for at, term in enumerate(terms)}
    count = "(" + " + ".join(f"(hit{at} > 0)" for at in range(len(terms))) + ")"
    well = " + ".join(f"hit{at}" for at in range(len(terms)))
    sql = _SCAN.format(
        value=sorted_by or cards.LIKES,
        hits=",".join(_HIT.format(at) for at in range(len(terms))),
        public=cards.PUBLIC,
        conditions=conditions,
        count=count,
        order="value DESC" if sorted_by else f"{count} DESC, {well} DESC, value DESC",
    )
    return [row["note_id"] for row in ep.db.all(sql, **values)]


def _best(terms: list[str], rows: list[Row], *, whole_terms: bool, is_ranked: bool) -> list[str]:
    """Return the ids of the first screen in order: by score and then by value, or by value alone."""
    scores = _scores(terms, rows, whole_terms=whole_terms)
    found = [row for row in rows if row["note_id"] in scores]
    found.sort(key=lambda row: (-row["time"], row["note_id"]))
    found.sort(key=lambda row: (scores[row["note_id"]] if is_ranked else (), row["value"]), reverse=True)
    return [row["note_id"] for row in found[:FIRST_SCREEN]]


def _chosen(filters: Mapping[str, Any]) -> list[str]:
    """Return the chosen values in the order of the page, defaults left out."""
    chosen = []
    for argument, label, allowed in _FILTERS:
        value = filters.get(argument) or allowed[0]
        if value not in allowed:
            raise errors.UnsupportedFilter(_VERB, label=label, value=go_quote(value), allowed="、".join(allowed))
        if value != allowed[0]:
            chosen.append(value)
    return chosen


def _scores(terms: list[str], rows: list[Row], *, whole_terms: bool) -> dict[str, Score]:
    """Return the notes that are found, by whole terms or also by parts."""
    pairs = {term: frozenset() if whole_terms else _pairs(term) for term in terms}
    scores = {}
    for row in rows:
        tags = _tags(row["tags"])
        fields = (row["title"].casefold(), tags.casefold(), row["body"].casefold(), row["nickname"].casefold())
        weights = [_weight(fields, term) or _partly(fields, pairs[term]) for term in terms]
        hits = sum(weight > 0 for weight in weights)
        if hits and hits * 2 >= len(terms):
            scores[row["note_id"]] = (hits, sum(weights))
    return scores


def _weight(fields: tuple[str, str, str, str], term: str) -> float:
    title, tags, body, nickname = fields
    return 8.0 * (term in title) + 4.0 * (term in tags) + 2.0 * (term in body) + 1.0 * (term in nickname)


def _tags(tags: str) -> str:
    """Return the tags side by side: the JSON itself, unless it holds escapes, which cost a decoder."""
    return " ".join(parse_json(tags)) if "\\" in tags else tags[2:-2].replace('","', " ")


def _pairs(term: str) -> frozenset[str]:
    """Return the neighbouring pairs of a Chinese term's characters; other and short terms have none."""
    if len(term) < 3 or term.isascii():
        return frozenset()
    return frozenset(term[at : at + 2] for at in range(len(term) - 1))


def _partly(fields: tuple[str, str, str, str], pairs: frozenset[str]) -> float:
    if not pairs:
        return 0.0
    text = "\n".join(fields)
    there = sum(pair in text for pair in pairs)
    return there / len(pairs) / 2 if there * 3 >= len(pairs) else 0.0
