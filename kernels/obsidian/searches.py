"""Searches: by words, by JsonLogic, by tag."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript_patterns import PatternError
from farm.appkit.formats.utf16 import from_units, to_units

from . import errors
from .json_logic import Budget, LogicError, apply, is_deeper, is_result, to_json_value
from .notes import describe
from .vaults import connect, text_of

_INTEGER = re.compile(r"\s*[+-]?\d+", re.ASCII)
_CONTEXT = 100
# The farm answers with no more, and a match takes so many beside its context.
_ANSWER_BYTES_MAX, _MATCH_BYTES = 8 * 1024 * 1024, 100
# How deep rules and results are nested. Counted, not left to Python's stack: how much of that is left differs.
_DEPTH_MAX = 300


def simple_search(ep: Episode, *, query: str, context_length: int | float = _CONTEXT) -> Result:
    """Return the notes in whose text every word of a query stands, with each place and what is around it.

    Args:
        context_length: how many code units go before and behind a match; less than none cuts into it.

    Not simulated: Obsidian's own scores, which nobody has published; these are of the stand-in that was recorded.
    """
    body = urlencode({"query": query, "contextLength": context_length}, errors="surrogatepass")
    vault = connect(ep, f"/search/simple/?{body}")
    words = list(dict.fromkeys(word for word in _folded(to_units(query)).split(" ") if word))
    asked = _INTEGER.match(str(context_length))
    around = int(asked[0]) if asked else _CONTEXT
    found: list[dict[str, Any]] = []
    shown = 0
    for note in vault.notes():
        text = to_units(text_of(note))
        places = _places(text, words)
        if places:
            matches = []
            for start, end in places:
                matches.append(_match(text, start, end, around))
                shown += len(matches[-1]["context"]) + _MATCH_BYTES
                if shown > _ANSWER_BYTES_MAX:
                    break  # too long to be answered, whatever else is found
            score = _score(places, len(to_units(query)), len(text))
            found.append({"filename": note["path"], "score": score, "matches": matches})
    # Of notes with one score the later comes first.
    found.reverse()
    return sorted(found, key=lambda each: float(each["score"]))


def _places(text: str, words: list[str]) -> list[tuple[int, int]]:
    """Return every occurrence of every word, in the order of the text; none where a word is missing."""
    folded = _folded(text)
    if not all(word in folded for word in words):
        return []
    places = [(found.start(), found.end()) for word in words for found in re.finditer(re.escape(word), folded)]
    return places if len(words) == 1 else sorted(places)


def _folded(text: str) -> str:
    """Return a text in small letters, each where it stood."""
    return "".join(lower if len(lower := each.lower()) == 1 else each for each in text)


def _match(text: str, start: int, end: int, around: int) -> dict[str, Any]:
    # A slice as JavaScript takes it: an end below 0 counts from the text's end, as here.
    context = from_units(text[max(start - around, 0) : end + around])
    return {"context": context, "match_position": {"start": start, "end": end}}


def _score(places: list[tuple[int, int]], asked: int, length: int) -> float:
    first, last = places[0][0], places[-1][1]
    return -(len(places) - 1) - (last - first + 1 - asked) / 100 - first / 1000 - length / 10000


def complex_search(ep: Episode, *, query: dict[str, Any]) -> Result:
    """Return what a JsonLogic rule comes to for each note, where that is neither false nor empty.

    Raises:
        InvalidFilterQuery: an operation or a pattern that there is not; told of the first note it fails at.

    Source: the plugin's requestHandler.ts, 3.2.0; json-logic-js 2.0.5
    """
    return _find(ep, query)


def search_by_tag(ep: Episode, *, tag: str, dirpath: str | None = None) -> Result:
    """Return the paths of the notes that have a tag, in a folder or anywhere."""
    rule: dict[str, Any] = {"in": [tag, {"var": "tags"}]}
    if dirpath:
        folder = dirpath.rstrip("/")
        rule = {"and": [rule, {"glob": [f"{folder}/*", {"var": "path"}]}]}
    return [each["filename"] for each in _find(ep, rule)]


def _find(ep: Episode, rule: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    is_deep = is_deeper(rule, _DEPTH_MAX)
    room = Budget()
    for note in connect(ep, "/search/").notes():
        try:
            if is_deep:
                raise LogicError("Maximum call stack size exceeded")
            result = apply(rule, describe(note), room)
        except (LogicError, PatternError) as error:
            raise errors.InvalidFilterQuery(f"{error} (while processing {note['path']})") from None
        if is_result(result):
            if is_deeper(result, _DEPTH_MAX):
                raise errors.ServerError(
                    "maximum recursion depth exceeded while decoding a JSON array from a unicode string"
                )
            found.append({"filename": note["path"], "result": to_json_value(result)})
    return found
