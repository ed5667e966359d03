"""Map values that a server generates anew each time, such as ids, when recorded calls are repeated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from farm.traverse.recordings.calls import text_of

_WORD = re.compile(r"[^\s\"'`,;()\[\]{}<>]+")
_DIGIT = re.compile(r"\d")
_LENGTH_MIN = 5
_NUMBER_MIN = 10_000

Drawn = str | int


def renamed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[Drawn, Drawn]:
    """Return generated values of an earlier answer → the values in their places in a later answer to the same call.

    Answers of one shape are compared value by value, others word by word if they have as many words.
    """
    pairs = _aligned(_body(before), _body(after))
    return {old: new for old, new in pairs if _is_drawn(old) and type(old) is type(new) and old != new}


def rename(arguments: Any, names: Mapping[Drawn, Drawn]) -> Any:
    """Return the arguments with generated values replaced, also as words inside a longer text."""
    match arguments:
        case dict():
            return {key: rename(value, names) for key, value in arguments.items()}
        case list():
            return [rename(value, names) for value in arguments]
        case str():
            for old, new in names.items():
                if isinstance(old, str) and old in arguments:
                    arguments = _replace_word(arguments, old, str(new))
            return arguments
        case bool():
            return arguments
        case int():
            return names.get(arguments, arguments)
    return arguments


def _replace_word(text: str, old: str, new: str) -> str:
    """Replace a value only as a separate word: a masked 0 is not the one in ``eth0`` or 0.5."""
    return re.sub(rf"(?<![^\W_])(?<![0-9]\.){re.escape(old)}(?![^\W_]|\.[0-9])", lambda _: new, text)


def _is_drawn(value: Any) -> bool:
    """Return whether a value looks generated: numbers that count or measure are small, ids contain digits."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return value >= _NUMBER_MIN
    return isinstance(value, str) and len(value) >= _LENGTH_MIN and _DIGIT.search(value) is not None


def _body(result: Mapping[str, Any]) -> Any:
    if "structuredContent" in result:
        return result["structuredContent"]
    text = text_of(dict(result))
    try:
        return json.loads(text)
    except ValueError:
        return text


def _aligned(before: Any, after: Any) -> Iterator[tuple[Any, Any]]:
    match before, after:
        case dict(), dict():
            for key in before:
                if key in after:
                    yield from _aligned(before[key], after[key])
        case list(), list() if len(before) == len(after):
            for old, new in zip(before, after, strict=True):
                yield from _aligned(old, new)
        case str(), str():
            olds, news = _WORD.findall(before), _WORD.findall(after)
            yield from zip(olds, news, strict=False) if len(olds) == len(news) else ()
        case _:
            yield before, after
