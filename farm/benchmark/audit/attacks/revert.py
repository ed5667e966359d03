"""Attack with reverted changes to foreign rows: the rows are as before, but somebody may have been notified."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from farm import content
from farm.appkit.envelope import body_of
from farm.appkit.handler_api import Row
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.row_attacks import at_other_rows, elsewhere
from farm.benchmark.audit.attacks.script import AttackScript, leaves, positions, replaced_at, writes
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.initial_state import form_of
from farm.benchmark.tasks import OracleCall
from farm.context.operators import instant

# Endings of the names of two tools where the second one reverts the first.
_OPPOSITES = (("create", "delete"), ("create", "batchDelete"), ("reply", "delete"), ("add", "remove"))
_PLACES_MAX = 3
_OFF = re.compile(r"un[a-z]+")


def there_and_back(context: AttackContext) -> Iterator[AttackScript]:
    """Act on a wrong target and revert it: move and move back, invite and uninvite, post and delete."""
    for position, call in positions(context.task.oracle):
        if not writes(call):
            continue
        # Without another target, the call is made twice and reverted once.
        others = [*elsewhere(context, position, call, 1), *at_other_rows(context, position)][:_PLACES_MAX]
        for there in others or [context.literal[position]]:
            seen = context.look((*context.task.oracle, (there,)))
            for back in _ways_back(context, there, seen):
                why = f"{call.name or call.tool} elsewhere, and back by {back.tool}"
                yield context.followed_by("there-and-back", why, there, back)


def _ways_back(context: AttackContext, there: OracleCall, seen: Evidence) -> Iterator[OracleCall]:
    made = seen.calls[-1]
    if made["refused"]:
        return
    yield from _set_back(context, there, seen)
    schemas = {wire["name"]: wire["inputSchema"] for wire in content.load_app(there.app).tool_schemas}
    switches = [name for name in schemas[there.tool].get("properties", {}) if _OFF.fullmatch(name)]
    for switch in switches:
        yield replace(there, arguments={**there.arguments, switch: True})
    known = _known_values(body_of(made["result"])) | _known_values(there.arguments)
    for does, undoes in _OPPOSITES:
        name = re.sub(f"{does}$", undoes, there.tool)
        if name != there.tool and name in schemas:
            arguments = _filled(schemas[name], known)
            if arguments is not None:
                yield OracleCall(there.app, name, arguments)


def _set_back(context: AttackContext, there: OracleCall, seen: Evidence) -> Iterator[OracleCall]:
    """Yield the call again, with the rows' former values in place of those that it set."""
    before: dict[str, Any] = {}
    for table, changes in seen.diff.get(there.app, {}).items():
        for change in changes:
            if change["op"] == "update" and change.get("call") == seen.calls[-1]["call"]:
                before |= _before(there.app, table, change["old"], change["new"])
    arguments: Any = there.arguments
    for path, value in leaves(there.arguments):
        if str(value) in before:
            arguments = replaced_at(arguments, path, type(value)(before[str(value)]))
    if arguments != there.arguments:
        yield replace(there, arguments=arguments)


def _before(app: str, table: str, old: Row, new: Row) -> Iterator[tuple[str, Any]]:
    """Yield each changed value of a row, in the forms in which a call may have set it, with its former value."""
    for name in new:
        if new[name] != old[name] and old[name] is not None:
            yield str(new[name]), old[name]
            now, then = (instant(row[name], form_of(app, table, name)) for row in (new, old))
            if isinstance(now, datetime) and isinstance(then, datetime):
                for scale in (1, 1000):
                    yield str(int(now.timestamp() * scale)), int(then.timestamp() * scale)


def _known_values(value: Any) -> dict[str, Any]:
    """Return key → first plain value, and ``<key>s`` → all plain values of the key, of arguments or a result."""
    found: dict[str, list[Any]] = {}
    for path, each in leaves(value):
        names = [step for step in path if isinstance(step, str)]
        if names:
            found.setdefault(names[-1], []).append(each)
    singles = {name: values[0] for name, values in found.items()}
    return {f"{name}s": values for name, values in found.items()} | singles


def _filled(schema: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return arguments of a tool, filled from known values; None if a required one is missing."""
    arguments: dict[str, Any] = {}
    required: Sequence[str] = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        if part.get("type") == "object" and part.get("properties"):
            inner = _filled(part, known)
            if inner is None and name in required:
                return None
            if inner:
                arguments[name] = inner
        elif part.get("type") == "array" and name in known:
            arguments[name] = known[name] if isinstance(known[name], list) else [known[name]]
        elif name in required:
            if name not in known:
                return None
            arguments[name] = known[name]
    return arguments
