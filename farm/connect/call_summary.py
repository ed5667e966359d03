"""Summarizes one call in one sentence: the request, and the rows that it changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from farm.appkit.handler_api import Row
from farm.connect.call_reading import asked, placed_name, reading
from farm.connect.display_names import DisplayNames, readable, short
from farm.connect.tool_words import READS, noun_of, verb_of, with_article, words
from farm.traverse.recordings.calls import text_of

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
_TEXT_MAX = 60
_OPS = ("insert", "update", "delete")

Change = Mapping[str, Any]
Changes = Mapping[str, Sequence[Change]]


def sentence(entry: Mapping[str, Any], names: DisplayNames, *, with_counts: bool = True) -> str:
    """Return the summary of a call in one line without its time and app.

    Args:
        entry: a call of the trace, with its changed rows under ``changes``.
        names: the names of the app's rows.
        with_counts: whether it ends with the number of changed rows of each table.
    """
    if entry.get("timed_out"):
        return "timed out: it took longer than 250 ms"
    if entry.get("refused"):
        return f"{_tried(entry, names)}refused: {refusal(entry['result'])}"
    changes: Changes = {
        table: own_changes(table, _once(rows), names)
        for table, rows in entry["changes"].items()
        if rows and table not in names.internal
    }
    for table, rows in changes.items():
        for change in rows:
            if change["new"]:
                names.learn(table, change["new"])
    if changes:
        return _written(entry["tool"], changes, names) + (f" ({_counts(changes)})" if with_counts else "")
    if names.writes.get(entry["tool"]) and verb_of(entry["tool"]) not in READS:
        return f'changed nothing; it said "{short(text_of(entry["result"]))}"'
    return reading(entry, names, names.app)


def _tried(entry: Mapping[str, Any], names: DisplayNames) -> str:
    """Return what a refused call was to do, as far as its tool's name says so."""
    verb, noun = verb_of(entry["tool"]), noun_of(entry["tool"], names.app)
    if verb is None or not noun:
        return ""
    rows, _ = asked(entry["arguments"], names)
    verb = "reply with" if verb == "reply" else verb
    return f"tried to {verb} {with_article(noun)}{': ' if rows else ''}{', '.join(rows)}; "


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
    """Return what a call did to the rows of its main table: those that it added, changed and removed, in this order."""
    table = _main(tool, changes, names)
    by_verb: dict[str, list[Change]] = {}
    for each in sorted(changes[table], key=lambda each: _OPS.index(each["op"])):
        by_verb.setdefault(_verb(tool, each, table, names), []).append(each)
    # A row that says nothing, such as a service message, is not worth a phrase beside others.
    telling = {verb: rows for verb, rows in by_verb.items() if any(_about(table, _row(each), names) for each in rows)}
    said = [_phrase(verb, table, rows, names) for verb, rows in (telling or by_verb).items()]
    if len(changes[table]) == 1:
        said.append(_with_people(table, changes[table][0], changes, names))
    return ", ".join(each for each in said if each)


def _row(change: Change) -> Row:
    row: Row = change["new"] or change["old"]
    return row


def _phrase(verb: str, table: str, rows: Sequence[Change], names: DisplayNames) -> str:
    """Return what was done to some rows of a table, which are named by what they say and where they are."""
    told = [*dict.fromkeys(text for each in rows if (text := _about(table, _row(each), names)))]
    places = [*dict.fromkeys(placed(table, _row(each), names) for each in rows)]
    if len(places) > 1:
        return _spread(verb, table, rows, told, names)
    what = with_article(names.one(table)) if len(rows) == 1 else f"{len(rows)} {names.many(table)}"
    said = f"{verb} {what}{places[0]}" + (f": {_some(_quoted(told))}" if told else "")
    if len(rows) > 1:
        return said
    if rows[0]["op"] == "insert" and (at := names.starts(table, _row(rows[0]))):
        said += f", {at}"
    return said + (differences(table, rows[0], names) if verb == "changed" else "")


def _spread(verb: str, table: str, rows: Sequence[Change], told: Sequence[str], names: DisplayNames) -> str:
    """Return what was done to rows in several places: ``added 2 labels: "A" (on "B", "C")``."""
    places = [names.place_of(table, _row(each)) for each in rows]
    where = [*dict.fromkeys(each.name for each in places if each)]
    what = f"{with_article(names.one(table))} {_quoted(told)[0]}" if len(told) == 1 else ""
    what = what or f"{len(rows)} {names.many(table)}{': ' if told else ''}{_some(_quoted(told))}"
    tables = {each.table for each in places if each}
    noun = names.many(tables.pop()) if len(tables) == 1 else "rows"
    return f"{verb} {what} on {len(where)} {noun}: {_some(_quoted(where))}"


def _quoted(texts: Sequence[str]) -> list[str]:
    return [f'"{text}"' for text in texts]


def _some(texts: Sequence[str]) -> str:
    return ", ".join(texts[:_SHOWN_MAX]) + (", …" if len(texts) > _SHOWN_MAX else "")


def _with_people(table: str, main: Change, changes: Changes, names: DisplayNames) -> str:
    """Return whom a row that was added concerns, by the rows that belong to it; or nothing."""
    if main["op"] != "insert":
        return ""
    parts = [
        (part, each["new"])
        for part, rows in changes.items()
        if names.is_owned_by(part, table)
        for each in rows
        if each["op"] == "insert"
    ]
    people = [name for part, row in parts if (name := names.person_of(part, row) or names.other_person(part, row))]
    return f"with {_some([*dict.fromkeys(people)])}" if people else ""


def placed(table: str, row: Row, names: DisplayNames) -> str:
    """Return where a row is, or to whom it goes, with a space before it; or nothing."""
    place, receivers = names.place_of(table, row), names.receivers(table, row)
    if receivers:
        return f" to {receivers}"
    if place is None:
        return ""
    if place.is_person:
        return f" to {place.name}"
    is_named = place.table in (*_PLACES, "channels") or names.kind(place.table) not in ("container", "tree")
    noun = "" if is_named else f"the {names.one(place.table)} "
    return f" {_PLACES.get(place.table, 'in')} {noun}{placed_name(place.table, place.name)}"


def _main(tool: str, changes: Changes, names: DisplayNames) -> str:
    """Return the call's main table: of those that its tool declares, the first with more than an incidental change.

    Added and deleted rows take precedence over changed ones, except for a deleting tool: many services mark a row as
    deleted and keep it.
    """
    declared = [table for table in names.writes.get(tool, ()) if table in changes]
    tables = [*declared, *(table for table in changes if table not in declared)]
    moved = [table for table in tables if any(each["op"] != "update" for each in changes[table])]
    matters = [table for table in tables if table in moved or any(map(edited_columns, changes[table]))]
    is_deleting = any(word in _GONE for word in words(tool))
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


def edited_columns(change: Change) -> list[str]:
    """Return the columns that an update changed, without those that change along with others."""
    old, new = change["old"], change["new"]
    return [name for name in new if new[name] != old.get(name) and not _BOOKKEEPING.fullmatch(name)]


def own_changes(table: str, rows: Sequence[Change], names: DisplayNames) -> list[Change]:
    """Return changes without copies in what others hold of a row that the agent's person holds, such as a mail."""
    own = {each.get("call") for each in rows if names.is_held(table, _row(each), by_agent=True)}
    return [
        each for each in rows if each.get("call") not in own or not names.is_held(table, _row(each), by_agent=False)
    ]


def _about(table: str, row: Row, names: DisplayNames) -> str | None:
    return names.told(table, row) or names.person_of(table, row) or names.other_of(table, row)


def differences(table: str, change: Change, names: DisplayNames) -> str:
    """Return what an update changed, column by column, with a comma before it; or nothing."""
    changed = edited_columns(change)
    told = [_difference(table, name, change["old"].get(name), change["new"][name], names) for name in changed]
    told = [each for each in told if each]
    return (", " + _some(told)) if told else ""


def _difference(table: str, column: str, old: Any, new: Any, names: DisplayNames) -> str:
    name = column.replace("_", " ")
    if {old, new} <= {0, 1} and name.startswith("is "):
        return f"{'now' if new else 'no longer'} {name.removeprefix('is ')}"
    before, after = readable(old), readable(new)
    if before == after:
        return _flags(old, new)
    if edited := differing(old, new):
        return f"{name} {_edit(*edited)}"
    if old in (None, ""):
        return f"{name}: {names.value(table, column, new)}"
    marks = _flags(old, new)
    return (
        f"{name} {names.value(table, column, old)} → {names.value(table, column, new)}{f', {marks}' if marks else ''}"
    )


def _flags(old: Any, new: Any) -> str:
    """Return the marks in which two JSON values differ, which their words do not show: ``now checked``."""
    try:
        before, after = orjson.loads(old), orjson.loads(new)
    except (orjson.JSONDecodeError, TypeError):
        return ""
    both = (before, after) if isinstance(before, dict) and isinstance(after, dict) else ({}, {})
    marks = [name for name in both[1] if isinstance(both[1][name], bool) and both[1][name] != both[0].get(name)]
    return ", ".join(f"{'now' if after[name] else 'no longer'} {name.replace('_', ' ')}" for name in marks)


def differing(old: Any, new: Any) -> tuple[str, str] | None:
    """Return what differs between two long texts, without their common beginning and end; None for short ones."""
    if not isinstance(old, str) or not isinstance(new, str):
        return None
    before, after = readable(old), readable(new)
    if max(len(before), len(after)) <= _TEXT_MAX:
        return None
    start = _same(before, after)
    end = _same(before[start:][::-1], after[start:][::-1])
    return before[start : len(before) - end].strip(), after[start : len(after) - end].strip()


def _edit(out: str, into: str) -> str:
    if not out or not into:
        return f'+ "{short(into)}"' if into else f'− "{short(out)}"'
    return f'"{short(out)}" → "{short(into)}"'


def _same(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _verb(tool: str, change: Change, table: str, names: DisplayNames) -> str:
    """Return what was done to a row. A row that is kept but counts as deleted was deleted."""
    op, said = change["op"], words(tool)
    if (
        change["new"]
        and names.is_gone(table, change["new"])
        and not (change["old"] and names.is_gone(table, change["old"]))
    ):
        return next((_GONE[word] for word in said if word in _GONE), "deleted")
    known = _MADE if op == "insert" else _GONE
    # What belongs to a row is added to it, whatever the tool's name says.
    if names.kind(table) == "part" and op == "insert":
        return next((known[word] for word in said if word in known and word not in ("create", "post")), "added")
    found = next((known[word] for word in said if word in known), None)
    return found or {"insert": "added", "update": "changed", "delete": "removed"}[op]


def _counts(changes: Changes) -> str:
    marks = (("insert", "+"), ("update", "~"), ("delete", "-"))
    told = []
    for table, rows in changes.items():
        for op, mark in marks:
            count = sum(each["op"] == op for each in rows)
            told += [f"{table} {mark}{count}"] if count else []
    return ", ".join(told)
