"""Generated arguments: what a schema allows, that with something broken, and what nobody would send.

Drawn from a plain ``random.Random``: a library that shrinks draws hundreds of times slower, and a million is wanted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

_NAMES_MAX, _EACH_MAX = 400, 24
_SHORT = 64
_DEPTH_MAX = 4
# What has made servers stumble: times, cursors, patterns, search syntax, other scripts, half characters, numbers.
TEXTS = (
    *(
        "",
        " ",
        "0",
        "-1",
        "null",
        "true",
        "[]",
        "{}",
        "x" * 300,
        "x" * 5000,
        "会议",
        "é",
        "🙂",
        "\u202eabc",
        "\u0000",
        "\t\n",
    ),
    *("a\ud83db", "\udc00", "\ufeff", "ﷺ" * 40, "İ", "ß", "1773018000", "1773018000.000100", "1773018000000", "9" * 40),
    *(
        "2026-03-09",
        "2026-03-09T09:00:00Z",
        "2026-03-09T09:00:00+08:00",
        "2026-02-30",
        "0000-00-00",
        "9999-12-31T23:59:59Z",
    ),
    *("Asia/Shanghai", "Mars/Olympus", "RRULE:FREQ=DAILY;COUNT=3", "FREQ=SECONDLY", "FREQ=YEARLY;INTERVAL=0", "P1D"),
    *(
        '"',
        "'",
        '" OR "',
        "a AND",
        "NEAR(",
        "a*",
        "col:a",
        "%",
        "_",
        "\\",
        "(",
        "[a-",
        "(a+)+$",
        "..",
        "../../etc/passwd",
    ),
    *(
        "dXNlcg==",
        "eyJhIjoxfQ==",
        "!!!",
        "=",
        "%00",
        "%zz",
        "https://example.com/a?b=c",
        "http://[",
        "mailto:a@b",
        "#general",
    ),
    *(
        "1e400",
        "NaN",
        "-0",
        "0x10",
        "1_000",
        "１２",
        "٣",
        "1.5",
        "{text}",
        "%s",
        "${a}",
        "<b>&amp;</b>",
        "<@U1>",
        "@all",
    ),
    *("__class__", "__proto__", "ep", "self", "None", "open_id", "user_id", "primary", "me", "all", "asc", "ASC"),
)
NUMBERS = (
    *(0, 1, -1, 2, 10, 100, 1000, 2**31, 2**31 - 1, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400),
    *(0.0, -0.0, 0.5, 1e-320, 1e15, 1e16, 1e300, float("inf"), float("nan"), 1773018000, 1773018000000, -62135596801),
)
KEYS = ("id", "text", "ep", "self", "arguments", "__proto__", "", "a\ud800", "x" * 200, "content", "name", "type")


class Known:
    """What earlier answers of an episode held, by the names it may be asked for by."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[Any]] = {}
        self._all: list[Any] = []

    def learn(self, value: Any, marker: str) -> None:
        """Take in the ids and short values of an answer, but for what holds an episode's marker."""
        for count, (names, each) in enumerate(_leaves(value, "", 0)):
            if count > 200:
                return
            if isinstance(each, str) and (len(each) > _SHORT or not each or marker in each.lower()):
                continue
            for name in names:
                _remember(self._by_name, name, each)
            if isinstance(each, str) and len(each) > 5:
                if len(self._all) < 200:
                    self._all.append(each)
                else:
                    self._all[hash(each) % 1 + count % 200] = each

    def pick(self, rng: random.Random, name: str) -> Any:
        """Return a value seen under a name, at times one seen under any; None when there is none."""
        found = self._by_name.get(name) if rng.random() < 0.9 else None
        return rng.choice(found or self._all) if found or self._all else None


def _remember(by_name: dict[str, list[Any]], name: str, value: Any) -> None:
    if name not in by_name and len(by_name) >= _NAMES_MAX:
        return
    kept = by_name.setdefault(name, [])
    if value not in kept:
        kept.append(value)
        if len(kept) > _EACH_MAX:
            del kept[0]


def _leaves(value: Any, name: str, depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the leaves of a JSON value with the names of arguments that they may be given as."""
    if depth > 8:
        return
    if isinstance(value, dict):
        of = name.rstrip("s")
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                yield from _leaves(inner, key, depth + 1)
            elif isinstance(inner, str | int):
                yield (key, f"{of}_{key}", of) if key in ("id", "guid", "ts", "token") else (key,), inner
    elif isinstance(value, list):
        for inner in value[:8]:
            if isinstance(inner, dict | list):
                yield from _leaves(inner, name, depth + 1)
            elif isinstance(inner, str):
                yield (name, name.rstrip("s")), inner


class Values:
    """Draws the arguments of one episode's calls.

    Args:
        rng: where all chance comes from.
        known: what the episode has shown so far.
        marker: a text of this episode alone, which is put into many of its texts.
    """

    def __init__(self, rng: random.Random, known: Known, marker: str) -> None:
        self._rng = rng
        self._known = known
        self._marker = marker

    def arguments(self, schema: Mapping[str, Any]) -> Any:
        """Return arguments for a tool: fitting ones, ones with a mistake, or anything."""
        kind = self._rng.random()
        if kind < 0.6:
            return self.fitting(schema)
        if kind < 0.88:
            return self.broken(self.fitting(schema))
        if kind < 0.97:
            names = [*schema.get("properties", {}), *KEYS]
            count = self._rng.randrange(6)
            return {self._rng.choice(names): self.anything() for _ in range(count)}
        return self.anything()

    def fitting(self, schema: Mapping[str, Any], name: str = "", depth: int = 0) -> Any:
        """Return a value that a JSON schema allows, or nearly: formats in words are not in the schema."""
        rng = self._rng
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return rng.choice(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return self.fitting(rng.choice(schema[union]), name, depth)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = rng.choice(kind)
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            items = schema.get("items", {})
            return [self.fitting(items, name.rstrip("s"), depth + 1) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        if name and rng.random() < 0.75 and (seen := self._known.pick(rng, name)) is not None:
            if kind == "string":
                return str(seen)
            if kind in ("integer", "number") and isinstance(seen, int) and rng.random() < 0.5:
                return seen
        return self._scalar(kind, schema)

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties"), schema.get("required", ())
        if not properties or depth > _DEPTH_MAX:
            return {self._rng.choice(KEYS): self.anything() for _ in range(self._rng.randrange(3))}
        share = self._rng.choice((0.0, 0.1, 0.3, 0.9))
        return {
            name: self.fitting(inner, name, depth + 1)
            for name, inner in properties.items()
            if name in required or self._rng.random() < share
        }

    def _scalar(self, kind: Any, schema: Mapping[str, Any]) -> Any:
        rng = self._rng
        if kind == "string":
            text = self.text()
            longest = schema.get("maxLength")
            return text if longest is None else text[:longest]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", -5), schema.get("maximum", 2000)
            number = rng.randint(int(low), max(int(low), int(high)))
            return number + 0.5 if kind == "number" and rng.random() < 0.3 else number
        if kind == "boolean":
            return rng.random() < 0.5
        return None if kind == "null" else self.anything()

    def text(self) -> str:
        """Return a text, often with this episode's marker in it."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.5:
            return f"{rng.choice(TEXTS)[:40]} {self._marker}"
        if kind < 0.75:
            return rng.choice(TEXTS)
        if kind < 0.9 and isinstance(seen := self._known.pick(rng, ""), str):
            return self._bent(seen)
        return "".join(
            chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x3000)))) for _ in range(rng.randrange(20))
        )

    def _bent(self, text: str) -> str:
        at = self._rng.randrange(len(text) + 1)
        return self._rng.choice(
            (text[:at], text[:at] + "x" + text[at:], text.upper(), text + " ", f"{text}{text}", text)
        )

    def anything(self, depth: int = 0) -> Any:
        """Return any JSON value, and numbers that are in none."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.35:
            return self.text()
        if kind < 0.6:
            return rng.choice(NUMBERS)
        if kind < 0.75 or depth > _DEPTH_MAX:
            return rng.choice((None, True, False))
        if kind < 0.88:
            return [self.anything(depth + 1) for _ in range(rng.randrange(4))]
        return {rng.choice(KEYS): self.anything(depth + 1) for _ in range(rng.randrange(4))}

    def broken(self, arguments: Any) -> Any:
        """Return arguments with one value somewhere replaced, dropped or added."""
        rng = self._rng
        place = arguments
        while isinstance(place, dict | list) and place:
            at: Any = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
            if isinstance(place[at], dict | list) and place[at] and rng.random() < 0.7:
                place = place[at]
                continue
            kind = rng.random()
            if kind < 0.6:
                place[at] = self.anything()
            elif kind < 0.8:
                del place[at]
            elif isinstance(place, dict):
                place[rng.choice(KEYS)] = self.anything()
            else:
                place.extend(place[:1] * rng.choice((1, 50, 500)))
            break
        return arguments
