"""Summarizes one call in one sentence: the request, and the rows that it changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from farm.appkit.handler_api import Row
from farm.connect.display_names import DisplayNames, short, telling
from farm.traverse.recordings.calls import text_of

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MADE = {
    "create": "created",
    "post": "posted",
    "send": "sent",
    "reply": "replied with",
    "publish": "published",
    "import": "imported",
    "upload": "uploaded",
}
_GONE = {"delete": "deleted", "remove": "removed", "recall": "recalled", "archive": "archived", "clear": "cleared"}
_PLACES = {"notes": "on", "comments": "on", "messages": "on", "events": "to", "tasks": "to"}
# Columns that change along with others and carry no information alone.
_BOOKKEEPING = re.compile(r"(updated|modified|edited|changed)(_at|_ms|_by|_ts)?|revision(_id)?|position|version")
_REFUSAL_MAX = 160
_SHOWN_MAX = 3

Change = Mapping[str, Any]
Changes = Mapping[str, Sequence[Change]]


def sentence(entry: Mapping[str, Any], names: DisplayNames) -> str:
    """Return the summary of a call in one line without its time and app.

    Args:
        entry: a call of the trace, with its changed rows under ``changes``.
    """
    if entry.get("timed_out"):
        return "timed out: it took longer than 250 ms"
    if entry.get("refused"):
        return f"refused: {refusal(entry['result'])}"
    changes: Changes = {
        table: _once(rows) for table, rows in entry["changes"].items() if rows and table not in names.internal
    }
    for table, rows in changes.items():
        for change in rows:
            if change["new"]:
                names.learn(table, change["new"])
    if changes:
        return f"{_written(entry['tool'], changes, names)} ({_counts(changes)})"
    if names.writes.get(entry["tool"]):
        return f'changed nothing; it said "{short(text_of(entry["result"]))}"'
    return _read(entry, names)


# -- refusals ---------------------------------------------------------------------------------------------------------


def refusal(result: Mapping[str, Any]) -> str:
    """Return the reason of a refusal: the vendor's code if there is one, else its text."""
    text = text_of(result)
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        return short(_without_issues(text), _REFUSAL_MAX)
    if isinstance(body, dict):
        if isinstance(body.get("error"), str):
            return short(body["error"], _REFUSAL_MAX)
        if "code" in body and "msg" in body:
            return short(f"{body['code']} {body['msg']}", _REFUSAL_MAX)
    return short(text, _REFUSAL_MAX)


def _without_issues(text: str) -> str:
    """Return a refusal whose JSON list of issues, as zod writes it, is turned into text."""
    head, bracket, tail = text.partition("[")
    try:
        issues = orjson.loads(bracket + tail) if bracket else None
    except orjson.JSONDecodeError:
        return text
    if not isinstance(issues, list) or not all(isinstance(each, dict) and "message" in each for each in issues):
        return text
    told = (f"{'.'.join(map(str, each.get('path', ())))} {each['message']}".strip() for each in issues)
    return head + ", ".join(told)


# -- changes ----------------------------------------------------------------------------------------------------------


def _written(tool: str, changes: Changes, names: DisplayNames) -> str:
    table = _main(tool, changes, names)
    rows = changes[table]
    op = rows[0]["op"]
    first: Row = rows[0]["new"] or rows[0]["old"]
    noun = _singular(table)
    alike = [each for each in rows if each["op"] == op]
    what = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}" if len(alike) == 1 else f"{len(alike)} {_plural(noun)}"
    told = [text for each in alike[:_SHOWN_MAX] if (text := _about(table, each["new"] or each["old"], names))]
    parts = [_verb(tool, op), what]
    place = names.place_of(table, first)
    if place:
        parts.append(f"{_PLACES.get(place[0], 'in')} {_placed(*place)}")
    said = " ".join(parts)
    if told:
        said += ": " + ", ".join(f'"{text}"' for text in told) + (", …" if len(alike) > _SHOWN_MAX else "")
    if op == "update" and len(alike) == 1 and _verb(tool, op) == "changed":
        said += _differences(table, rows[0], names)
    return said


def _main(tool: str, changes: Changes, names: DisplayNames) -> str:
    """Return the call's main table: of those that its tool declares, the first with more than an incidental change.

    Added and deleted rows take precedence over changed ones, except for a deleting tool: many services mark a row as
    deleted and keep it.
    """
    declared = [table for table in names.writes.get(tool, ()) if table in changes]
    tables = [*declared, *(table for table in changes if table not in declared)]
    moved = [table for table in tables if any(each["op"] != "update" for each in changes[table])]
    matters = [table for table in tables if table in moved or any(map(_changed, changes[table]))]
    is_deleting = any(word.lower() in _GONE for word in _WORDS.findall(tool))
    return next(iter([*matters, *tables] if is_deleting else [*moved, *matters, *tables]))


def _once(rows: Sequence[Change]) -> list[Change]:
    """Return one change a row: a call may write the same row several times."""
    merged: dict[str, Change] = {}
    for each in rows:
        key = orjson.dumps(each["key"], option=orjson.OPT_SORT_KEYS).decode()
        before = merged.get(key)
        is_new = before is not None and before["op"] == "insert" and each["op"] == "update"
        merged[key] = (
            each if before is None else {**each, "old": before["old"], "op": "insert" if is_new else each["op"]}
        )
    return list(merged.values())


def _changed(change: Change) -> list[str]:
    old, new = change["old"], change["new"]
    return [name for name in new if new[name] != old.get(name) and not _BOOKKEEPING.fullmatch(name)]


def _about(table: str, row: Row, names: DisplayNames) -> str | None:
    return telling(row) or names.person_of(table, row)


def _differences(table: str, change: Change, names: DisplayNames) -> str:
    changed = _changed(change)
    told = [
        f"{name} {names.value(table, name, change['old'].get(name))} → {names.value(table, name, change['new'][name])}"
        for name in changed[:_SHOWN_MAX]
    ]
    return (", " + ", ".join(told) + (", …" if len(changed) > _SHOWN_MAX else "")) if told else ""


def _verb(tool: str, op: str) -> str:
    said = [word.lower() for word in _WORDS.findall(tool)]
    table = _MADE if op == "insert" else _GONE
    known = next((table[word] for word in said if word in table), None)
    return known or {"insert": "added", "update": "changed", "delete": "removed"}[op]


def _singular(table: str) -> str:
    words = table.replace("_", " ")
    if words.endswith("ies"):
        return words[:-3] + "y"
    return words[:-1] if words.endswith("s") and not words.endswith("ss") else words


def _plural(noun: str) -> str:
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"


def _placed(table: str, name: str) -> str:
    return f"#{name}" if table == "channels" and " " not in name else name


def _counts(changes: Changes) -> str:
    marks = (("insert", "+"), ("update", "~"), ("delete", "-"))
    told = []
    for table, rows in changes.items():
        for op, mark in marks:
            count = sum(each["op"] == op for each in rows)
            told += [f"{table} {mark}{count}"] if count else []
    return ", ".join(told)


# -- reading ----------------------------------------------------------------------------------------------------------


def _read(entry: Mapping[str, Any], names: DisplayNames) -> str:
    """Return how much was read, and by which arguments."""
    asked = _asked(entry["arguments"], names)
    found = _found(text_of(entry["result"]))
    return f"{found} {asked}" if asked else found


def _found(text: str) -> str:
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError:
        return f'read "{short(text)}"'
    lists = list(_lists(body, "items", 3))
    if lists:
        name, count = max(lists, key=lambda each: each[1])
        noun = _singular(name)
        return f"read {count} {noun if count == 1 else _plural(noun)}" if count else f"read no {_plural(noun)}"
    said = telling(body) if isinstance(body, dict) else None
    return f'read "{said}"' if said else "read it"


def _lists(value: Any, name: str, depth: int) -> Iterable[tuple[str, int]]:
    if isinstance(value, list):
        yield name, len(value)
    elif isinstance(value, dict) and depth:
        for key, each in value.items():
            # Slack lists its warnings.
            if key != "response_metadata":
                yield from _lists(each, key, depth - 1)


def _asked(arguments: Any, names: DisplayNames) -> str:
    """Return the arguments in words: names of known ids, and search words."""
    told = []
    for key, value in _leaves(arguments, ""):
        if not isinstance(value, str) or not value.strip():
            continue
        called = names.named(value)
        if called:
            told.append(f"of {_placed(*called)}")
        elif re.search(r"query|keyword|search|email|name", key):
            told.append(f'for "{short(value)}"')
    return " ".join(dict.fromkeys(told[:_SHOWN_MAX]))


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
