"""From a trace to a task: somebody does it once, in any client, and the trace becomes a task file's proposals.

References take the place of ids, dates count from the world's first day, values of facts are written as facts; reads
that nothing needed are left out. What was changed becomes checkpoints, former values become near misses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from farm._util.json_io import loads
from farm.appkit.envelope import body_of
from farm.appkit.world_spec.facts import Ledger
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.truth.fact_trace import FactTrace
from farm.benchmark.generate.acts import role_of
from farm.benchmark.generate.answers import leaves_of, with_value
from farm.benchmark.generate.derive import Deriver
from farm.benchmark.generate.explore import Explorer, Knowledge, Played
from farm.benchmark.generate.kinds import kind_of_column
from farm.benchmark.generate.make import aim_of
from farm.benchmark.generate.player import Player
from farm.benchmark.generate.units import AppUnits
from farm.benchmark.generate.universe import AppView
from farm.benchmark.generate.ways import refer
from farm.benchmark.generate.wording import forms_in
from farm.benchmark.runner.in_process_farm import LocalFarm, LocalSession
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks import references_in
from farm.benchmark.tasks.facts import ledger_of
from farm.context.template import World, load_world
from farm.errors import FarmError

_DAYS_MAX = 400
_CALLS_MIN, _CALLS_FACTOR = 15, 3


@dataclass
class _Call:
    """A call of the trace, as it is played again."""

    name: str
    app: str
    tool: str
    arguments: Mapping[str, Any]
    body: Any
    diff: Mapping[str, Any]
    written: Any = None
    facts: list[str] = field(default_factory=list)


def propose(
    farm: LocalFarm,
    trace: Sequence[Mapping[str, Any]],
    facts: FactTrace,
    *,
    task_id: str,
    world: str,
    me: str | None = None,
    now: str | None = None,
    instruction: str,
    answer: str = "",
) -> dict[str, Any]:
    """Return the content of a task's file.

    Args:
        trace: the calls in order: ``app``, ``tool``, ``arguments``, ``refused``.
        facts: where the world tells its facts.
        answer: the final answer, if the task asks for one.

    Raises:
        FarmError: the trace has no call that was accepted, or a call is refused when it is played again.
    """
    made = [each for each in trace if not each.get("refused")]
    if not made:
        raise FarmError("the trace has no call that was accepted; do the task first, then record it")
    apps = sorted({str(each["app"]) for each in made})
    session = farm.create(world, apps, me=me, now=now)
    try:
        return _Recorder(session, facts, world, answer).task(made, task_id, instruction, me, now)
    finally:
        session.close()


class _Recorder:
    def __init__(self, session: LocalSession, facts: FactTrace, world: str, answer: str) -> None:
        self.session, self.facts, self.answer = session, facts, answer
        self.world, self.ledger = load_world(world), ledger_of(world)
        self.me = str(session.settings.me)
        self.deriver = Deriver(load_start(world), self.me, datetime.fromisoformat(session.now))
        self.players = {app: Player(session, app) for app in session.apps}
        self.kinds = {app: player.kinds for app, player in self.players.items()}

    def task(
        self, trace: Sequence[Mapping[str, Any]], task_id: str, instruction: str, me: str | None, now: str | None
    ) -> dict[str, Any]:
        """Return the content of the task's file."""
        calls = self._played(trace)
        self._refer(calls)
        told = _told(self.answer, calls, self.facts, self.ledger, self.world)
        kept = self._needed(calls, told)
        points = self._checkpoints(calls, told)
        near = [*self._near_misses(kept), *self._wrong_answers(told)]
        return {
            "id": task_id,
            "title": instruction.strip().splitlines()[0][:80] if instruction.strip() else task_id,
            "world": self.world.name,
            **({"me": me} if me and me != self.world.protagonist else {}),
            **({"now": now} if now else {}),
            "apps": sorted({each.app for each in kept}),
            "category": f"{'cross' if len({each.app for each in kept}) > 1 else kept[0].app}/recorded",
            "calls_max": max(_CALLS_MIN, _CALLS_FACTOR * len(kept)),
            "instruction": instruction,
            "oracle_answer": _with_facts(self.answer, told, self.ledger, self.world),
            "lookups": self.deriver.found.lookups,
            "checkpoints": points,
            "allow": self.deriver.found.allow,
            "oracle": [{"calls": [_line(each)]} for each in kept],
            "near_misses": near,
        }

    # -- play ------------------------------------------------------------------------------------------------------

    def _played(self, trace: Sequence[Mapping[str, Any]]) -> list[_Call]:
        calls: list[_Call] = []
        for number, each in enumerate(trace, 1):
            app, before = str(each["app"]), self.session.snapshot(f"record{number}")
            outcome = self.session.outcome(app, each["tool"], each["arguments"])
            if outcome.refused or outcome.is_protocol_error:
                raise FarmError(f"call {number} of the trace, {each['tool']}, is refused when it is played again")
            diff = self.session.diff(before).get(app, {})
            body = body_of(loads(outcome.result))
            self._know(app, diff)
            calls.append(_Call(f"{app}{number}", app, each["tool"], each["arguments"], body, diff))
        return calls

    def _know(self, app: str, diff: Mapping[str, Any]) -> None:
        for table, rows in diff.items():
            for column in self.players[app].schema.metadata.tables[table].columns:
                kind = kind_of_column(column)
                for row in rows if kind and not column.foreign_keys else ():
                    if row["op"] == "insert":
                        self.kinds[app].add(row["new"][column.name], str(kind))

    # -- references ------------------------------------------------------------------------------------------------

    def _refer(self, calls: Sequence[_Call]) -> None:
        """Write each call with references to earlier results, dates relative to the world, and facts."""
        views = {app: self._view(app, calls) for app in self.players}
        for number, call in enumerate(calls):
            view, arguments = views[call.app], dict(call.arguments)
            own = [each for each in calls if each.app == call.app]
            for path, value in leaves_of(call.arguments):
                written = self._reference(view, own, calls[:number], value)
                if written is None:
                    written = _dated(value, self.world)
                if written is None and isinstance(value, str) and call.diff:
                    known = _told(value, calls[:number], self.facts, self.ledger, self.world)
                    call.facts += [each for each in known if each not in call.facts]
                    written = _with_facts(value, known, self.ledger, self.world) if known else None
                if written is not None:
                    arguments = dict(with_value(arguments, path, value, written))
            call.written = arguments

    def _view(self, app: str, calls: Sequence[_Call]) -> AppView:
        explorer = Explorer(self.players[app], Knowledge())
        played = [Played(each.tool, each.arguments, 0, each.body) for each in calls if each.app == app]
        seen = [one for number, each in enumerate(played) for one in explorer.objects(number, each)]
        return AppView(app, AppUnits(app, self.world.name, (), {}, ()), self.kinds[app], played, seen)

    def _reference(self, view: AppView, own: Sequence[_Call], before: Sequence[_Call], value: Any) -> Any:
        """Return the reference to an earlier result that shows a key; None if none does."""
        for kind in sorted(self.kinds[view.app].of(value)):
            for seen in view.by_key.get((kind, str(value)), ()):
                path = seen.typed[kind][1]
                source = own[seen.call]
                if path.startswith("<") or source not in before:
                    continue
                expression, _ = refer(view, seen, path, source.name, value)
                if isinstance(expression, str) and expression.startswith("{"):
                    return expression
        return None

    # -- what is needed --------------------------------------------------------------------------------------------

    def _needed(self, calls: Sequence[_Call], told: Sequence[str]) -> list[_Call]:
        """Return the calls that change something, that others refer to, or that show a fact which was told."""
        wanted = {each.name for each in calls if self._is_act(each)}
        facts = [*told, *(key for each in calls for key in each.facts)]
        for key in dict.fromkeys(facts):
            wanted |= {name for name in [self._shows(calls, key)] if name}
        while True:
            more = {name for each in calls if each.name in wanted for name in references_in(each.written)}
            if more <= wanted:
                break
            wanted |= more
        return [each for each in calls if each.name in wanted] or list(calls)

    def _is_act(self, call: _Call) -> bool:
        read_marks = self.players[call.app].schema.read_marks
        return any(table not in read_marks for table in call.diff)

    def _shows(self, calls: Sequence[_Call], key: str) -> str | None:
        """Return the first call whose result shows a place that tells a fact."""
        return next((each.name for each in calls if _is_shown(each, self.facts, key)), None)

    # -- checks ----------------------------------------------------------------------------------------------------

    def _checkpoints(self, calls: Sequence[_Call], told: Sequence[str]) -> list[dict[str, Any]]:
        for call in calls:
            if self._is_act(call):
                aim = aim_of(call.app, call.tool)
                self.deriver.add(call.app, aim, call.diff, self._claims(call, aim))
        points = [*self.deriver.found.checkpoints]
        if self.answer:
            shown = [each for each in calls if any(_is_shown(each, self.facts, key) for key in told)]
            condition: dict[str, Any] = (
                {"claims": [{"fact": key} for key in told]} if told else {"contains": self.answer}
            )
            looked_up = [{"app": each.app, "tool": each.tool} for each in shown]
            point = {"id": "answered", "kind": "personal_search", "answer": condition}
            points.append(point | ({"looked_up": looked_up} if looked_up else {}))
        return points

    def _claims(self, call: _Call, aim: str) -> dict[str, Any]:
        """Return column → condition for the texts that tell facts."""
        found = {}
        for row in call.diff.get(aim, ()):
            for column, value in (row["new"] or {}).items():
                keys = [
                    key for key in call.facts if forms_in(str(value), self.ledger.require(key), self.ledger, self.world)
                ]
                if keys and role_of(call.app, f"{aim}.{column}") in ("body", "title"):
                    found[column] = {"claims": [{"fact": key} for key in keys]}
        return found

    def _near_misses(self, calls: Sequence[_Call]) -> Iterator[dict[str, Any]]:
        """Yield the script with a former or wrong value in place of each fact that was written."""
        for call in calls:
            text = json.dumps(call.written, ensure_ascii=False)
            for key, version in self._versions(call.facts):
                if (other := _of_version(text, key, version)) != text:
                    yield {"why": _wrong(version), "change": {call.name: json.loads(other)}}

    def _wrong_answers(self, told: Sequence[str]) -> Iterator[dict[str, Any]]:
        text = _with_facts(self.answer, told, self.ledger, self.world)
        for key, version in self._versions(told):
            if (other := _of_version(text, key, version)) != text:
                yield {"why": _wrong(version), "answer": other}

    def _versions(self, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
        for key in keys:
            yield from ((key, each.key) for each in self.ledger.require(key).versions)


def _wrong(version: str) -> str:
    return f"the value '{version}', which does not hold"


def _line(call: _Call) -> dict[str, Any]:
    return {"app": call.app, "tool": call.tool, "arguments": call.written, "as": call.name}


def _is_shown(call: _Call, facts: FactTrace, key: str) -> bool:
    texts = [str(value) for _, value in leaves_of(call.body)]
    return any(place.is_in(fold(text)) for place in facts.places(key) for text in texts)


def _told(text: str, calls: Sequence[_Call], facts: FactTrace, ledger: Ledger, world: World) -> list[str]:
    """Return the facts whose values a text has, and that a result shows."""
    if not text:
        return []
    found = [fact.key for fact in ledger.values() if forms_in(text, fact, ledger, world)]
    return [key for key in found if any(_is_shown(each, facts, key) for each in calls)]


def _with_facts(text: str, keys: Sequence[str], ledger: Ledger, world: World) -> str:
    """Return a text with references in place of the values of facts."""
    references: dict[str, str] = {}
    for key in keys:
        for form in forms_in(text, ledger.require(key), ledger, world):
            value = rendered(str(ledger.write(key, "", form)), world.name)
            references.setdefault(value, f"{{{{fact:{key} {form}}}}}" if form else f"{{{{fact:{key}}}}}")
    for value in sorted(references, key=len, reverse=True):
        text = text.replace(value, references[value])
    return text


def _of_version(text: str, key: str, version: str) -> str:
    """Return a text whose references to a fact are to another value of it."""
    return re.sub(rf"\{{\{{fact:{re.escape(key)}(?=[ }}])", f"{{{{fact:{key}#{version}", text)


def _dated(value: Any, world: World) -> str | None:
    """Return a moment as tasks write it, relative to the world's first day; None for a value that is none."""
    text = str(value)
    try:
        if isinstance(value, str) and len(text) >= len("2026-03-09T00:00") and text[4:5] == "-":
            at, form = datetime.fromisoformat(text), "rfc3339"
            at = at.astimezone(world.zone) if at.tzinfo else at.replace(tzinfo=world.zone)
        elif text.isdigit() and len(text) in (10, 13) and isinstance(value, str | int):
            at = datetime.fromtimestamp(int(text) / (1 if len(text) == 10 else 1000), world.zone)
            form = "s" if len(text) == 10 else "ms"
        else:
            return None
    except (ValueError, OverflowError):
        return None
    days = (at.date() - world.monday).days
    if abs(days) > _DAYS_MAX or at.second or at.microsecond:
        return None
    return f"{{{{{form}:{days:+d} {at:%H:%M}}}}}"
