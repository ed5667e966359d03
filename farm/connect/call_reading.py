"""Summarizes a call that changed nothing: how much it read, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from farm.appkit.view_model import plural, singular
from farm.connect.display_names import DisplayNames, short, telling
from farm.connect.tool_words import counted, is_listing, is_plural, noun_of
from farm.traverse.recordings.calls import text_of

# Names of lists in answers that have no plural of their own.
_IRREGULAR = {
    "data": ("entry", "entries"),
    "result": ("result", "results"),
    "freebusy": ("busy time", "busy times"),
    "people": ("person", "people"),
    "media": ("post", "posts"),
    "child": ("child", "children"),
    "children": ("child", "children"),
}
# Names of lists that do not say what is in them.
_VAGUE = frozenset(("items", "results", "result", "data", "list", "outline", "children", "content", "entries"))
_LABEL = re.compile(r"^([A-Z][A-Za-z ]{0,20}): ")
_COUNTED = re.compile(r"\b(\d+) ([a-z]+s)\b|\b([A-Za-z]+s) \((\d+)\)")
_SHOWN_MAX = 3


def reading(entry: Mapping[str, Any], names: DisplayNames, app: str) -> str:
    """Return how much was read, and by which arguments."""
    text, noun = text_of(entry["result"]), noun_of(entry["tool"], app)
    rows, words = asked(entry["arguments"], names)
    behind = "".join([*(f" of {row}" for row in rows), *(f' for "{word}"' for word in words)])
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        return _of_text(text, noun, rows, behind)
    given = frozenset(value for _, value in _leaves(entry["arguments"], "") if isinstance(value, str))
    lists = list(_lists(body, "items", 3, given))
    if lists:
        name, count = max(lists, key=lambda each: each[1])
        is_one = not is_listing(entry["tool"]) and not is_plural(noun)
        if name in _VAGUE and noun and is_one and len(rows) == 1 and not words:
            return f'read the {noun} "{rows[0]}"'
        if name in _VAGUE and noun:
            return f"{f'read {counted(count, noun)}' if count else f'found no {plural(singular(noun))}'}{behind}"
        one, many = _nouns(name)
        return (f"read {count} {one if count == 1 else many}" if count else f"found no {many}") + behind
    said = telling(body) if isinstance(body, dict) else None
    return (f'read "{said}"' if said else f"read {f'the {noun}' if noun else 'it'}") + behind


def _of_text(text: str, noun: str, rows: list[str], behind: str) -> str:
    """Return what an answer in prose holds: its entries, if it lists some, else what it is about."""
    lines = text.strip().splitlines()
    first = lines[0] if lines else ""
    if found := _COUNTED.search(first):
        return f"read {found[1]} {found[2]}{behind}" if found[1] else f"read {found[4]} {found[3].lower()}{behind}"
    label = _LABEL.match(first)
    count = sum(line.startswith(label[0]) for line in lines) if label else 0
    if noun and (count > 1 or (count and is_plural(noun))):
        return f"read {counted(count, noun)}{behind}"
    if noun and rows:
        return f'read the {noun} "{rows[0]}"' + "".join(f" of {row}" for row in rows[1:])
    return f'read "{short(text)}"{behind}'


def asked(arguments: Any, names: DisplayNames) -> tuple[list[str], list[str]]:
    """Return the names of the rows that arguments refer to, and the words that were searched for."""
    rows, words = [], []
    for key, value in _leaves(arguments, ""):
        if isinstance(value, bool) or not isinstance(value, (str, int)) or not str(value).strip():
            continue
        if called := names.argument(key, value):
            rows.append(placed_name(*called))
        elif isinstance(value, str) and re.search(r"query|keyword|search|email|name", key):
            words.append(short(value))
        elif isinstance(value, str) and re.search(r"path|address|city|location", key):
            rows.append(short(value))
    return [*dict.fromkeys(rows)][:_SHOWN_MAX], [*dict.fromkeys(words)][:_SHOWN_MAX]


def placed_name(table: str, name: str) -> str:
    """Return the name of a place, a channel's with its sign."""
    return f"#{name}" if table == "channels" and " " not in name else name


def _nouns(name: str) -> tuple[str, str]:
    """Return what one and several entries of a list are called, by the list's name in the answer."""
    noun = singular(name.removesuffix("_list").removesuffix("List"))
    return _IRREGULAR.get(noun.lower(), (noun, plural(noun)))


def _lists(value: Any, name: str, depth: int, given: frozenset[str]) -> Iterable[tuple[str, int]]:
    """Yield name and length of each list; an entry that only repeats what was asked for is not found."""
    if isinstance(value, list):
        yield name, sum(not _repeats(each, given) for each in value)
    elif isinstance(value, dict) and depth:
        for key, each in value.items():
            # Slack lists its warnings.
            if key != "response_metadata":
                yield from _lists(each, key, depth - 1, given)


def _repeats(value: Any, given: frozenset[str]) -> bool:
    texts = [text for _, text in _leaves(value, "")] if isinstance(value, dict) else []
    return bool(texts) and all(text in given for text in texts)


def _leaves(value: Any, key: str) -> Iterable[tuple[str, Any]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _leaves(each, str(name))
        case list():
            for each in value[:_SHOWN_MAX]:
                yield from _leaves(each, key)
        case _:
            yield key, value
