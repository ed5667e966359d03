"""References to earlier results in later arguments: ``{calendars.items[summary=Launch].event_id}``.

After the name of a call come steps: ``.key``, ``[0]`` (``[-1]`` is the last), ``[key=value]`` the first item whose key
has that text, ``[key~text]`` the first whose key contains it, ``[*]`` every item. Keys inside brackets may be dotted.
``[:-1]`` slices a text as in Python. A step into a text with JSON parses it. A text that is only a reference becomes
the value, with its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson

from farm._util.json_io import loads
from farm._util.names import list_names
from farm.benchmark.tasks import REFERENCE
from farm.errors import FarmError

_STEP = re.compile(r"\.([\w-]+)|\[([^\]]*)\]")
_SHOWN_MAX = 60  # letters of a value in a message
_CUT = re.compile(r"(-?\d*):(-?\d*)")


class MissingPlaceholderError(FarmError):
    """A reference cannot be resolved."""


def _parsed(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return loads(value)
        except orjson.JSONDecodeError:
            return value
    return value


def _key(value: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        value = _parsed(value)
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def select(items: list[Any], wish: str, reference: str) -> Any:
    """Return the item of a list that a bracket selects.

    Raises:
        MissingPlaceholderError: the item does not exist.
    """
    if re.fullmatch(r"-?\d+", wish):
        if not -len(items) <= int(wish) < len(items):
            raise MissingPlaceholderError(f"{reference}: there are only {len(items)} items")
        return items[int(wish)]
    return next(candidates(items, wish, reference))


def candidates(items: list[Any], wish: str, reference: str) -> Iterator[Any]:
    """Yield the items of a list that ``[key=value]`` or ``[key~text]`` selects.

    Raises:
        MissingPlaceholderError: there is no such item, or it is no such bracket.
    """
    key, sign, text = next(
        ((key, sign, text) for sign in ("~", "=") for key, found, text in [wish.partition(sign)] if found),
        ("", "", ""),
    )
    if "=" in key:
        key, sign, text = (wish.partition("=")[0], "=", wish.partition("=")[2])
    if not sign:
        raise MissingPlaceholderError(f"{reference}: '[{wish}]' is no index, [key=value], [key~text] or [*]")
    found = False
    for item in items:
        value = _key(item, key)
        if value is not None and (str(value) == text if sign == "=" else text in str(value)):
            found = True
            yield item
    if not found:
        have = list(
            dict.fromkeys(str(value)[:_SHOWN_MAX] for value in (_key(item, key) for item in items) if value is not None)
        )
        listed = f"; {key} is {list_names(have, text)}" if have else ""
        raise MissingPlaceholderError(f"{reference}: no item with {wish}{listed}")


Choose = Callable[[list[Any], str, str], Any]


def follow(root: Any, path: str, reference: str, choose: Choose = select) -> Any:
    """Return the value at a path in a result's body.

    Raises:
        MissingPlaceholderError: the path does not exist.
    """
    value = root
    for match in _STEP.finditer(path):
        value = _parsed(value)
        if match[1] is not None:
            if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
                value = [each.get(match[1]) for each in value]
                continue
            if not isinstance(value, Mapping) or match[1] not in value:
                have = ", ".join(value) if isinstance(value, Mapping) else type(value).__name__
                raise MissingPlaceholderError(f"{reference}: no '{match[1]}' there; have {have[:200]}")
            value = value[match[1]]
        elif isinstance(value, str) and (cut := _CUT.fullmatch(match[2])):
            value = value[slice(*(int(end) if end else None for end in cut.groups()))]
        elif not isinstance(value, list):
            raise MissingPlaceholderError(f"{reference}: '[{match[2]}]' needs a list")
        elif match[2] != "*":
            value = choose(value, match[2], reference)
    return value


def fill(value: Any, results: Mapping[str, Any], render: Callable[[str], str], choose: Choose = select) -> Any:
    """Return arguments with references and date placeholders filled in.

    Args:
        results: name of a call → the body of its result.
        render: renders date placeholders.

    Raises:
        MissingPlaceholderError: a reference cannot be resolved.
    """
    match value:
        case str():
            return _fill_text(render(value), results, choose)
        case Mapping():
            return {key: fill(each, results, render, choose) for key, each in value.items()}
        case list():
            return [fill(each, results, render, choose) for each in value]
        case _:
            return value


def _fill_text(text: str, results: Mapping[str, Any], choose: Choose) -> Any:
    def get(match: re.Match[str]) -> Any:
        if match[1] not in results:
            raise MissingPlaceholderError(f"{match[0]}: no result of that name")
        return follow(results[match[1]], match[2], match[0], choose)

    whole = REFERENCE.fullmatch(text)
    if whole:
        return get(whole)
    return REFERENCE.sub(lambda match: str(get(match)), text)
