"""Hold the input of an attack: the task, the oracle's results, and each text of the oracle that a checkpoint judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

from farm import content
from farm.appkit.column_vocabulary import Format
from farm.appkit.envelope import body_of
from farm.benchmark.agents.scripted import CallOverride, Position
from farm.benchmark.audit.attacks.paraphrase_values import TextPlace, find, is_chinese
from farm.benchmark.audit.attacks.script import AttackScript, Path, leaves, positions, saying
from farm.benchmark.scoring.call_metrics import BODY_TEXTS
from farm.benchmark.scoring.claims import Claim, Requirement
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.damage import AllowedChanges
from farm.benchmark.scoring.evidence import CheckpointVerdict, Evidence, RowChange, WrittenText
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.kinds import judge_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks import Checkpoint, OracleCall, Steps, Task
from farm.benchmark.tasks.text_rules import TEXT_KEYS
from farm.context.diff import changed_columns
from farm.context.operators import normalize
from farm.context.trace import Call

# Separators between the start's text and an addition.
_SEAMS = " \n，。；,;:：、/|-—"


@dataclass(frozen=True)
class JudgedText:
    """A text of the oracle whose content a checkpoint judges.

    Attributes:
        name: the checkpoint and the column, for reports.
        position: the call that writes the text; None for the final answer.
        path: the place of the text in the call's arguments.
        full_text: the whole text.
        text: the oracle's addition to ``before``; the whole text if ``before`` is empty.
        wanted: the requirement that the text must meet.
        before: the part of ``full_text`` that the start contains and that must be kept; may be empty.
        said: the texts that asked for this one.
        today: the day on which the text is written.
        is_title: whether the text is a title, not a sentence.
        format: how the column stores the text.
        bystander: the name of a person whom the task does not name; empty if there is none.
    """

    name: str
    position: Position | None
    path: Path
    full_text: str
    text: str
    wanted: Requirement
    before: str
    said: tuple[str, ...]
    today: date
    is_title: bool
    format: Format = "plain"
    bystander: str = ""

    @cached_property
    def zh(self) -> bool:
        """Whether the text is in Chinese."""
        return is_chinese(self.text)

    @cached_property
    def spots(self) -> Sequence[tuple[Claim, TextPlace]]:
        """The claims whose value occurs in exactly one place of the text, with that place."""
        found = ((claim, find(claim, self.text)) for claim in self.wanted.claims)
        return [(claim, spot) for claim, spot in found if spot]

    @property
    def asserted(self) -> Sequence[tuple[Claim, TextPlace]]:
        """The spots whose claim must be asserted, not denied."""
        return [(claim, spot) for claim, spot in self.spots if not claim.is_denied]

    def and_also(self, other: JudgedText) -> JudgedText:
        """Return this text with the requirement of another checkpoint added."""
        mine, more = self.wanted, other.wanted
        wanted = replace(
            mine,
            claims=(*mine.claims, *more.claims),
            stance=mine.stance or more.stance,
            also=(*mine.also, *more.also),
            stale=(*mine.stale, *more.stale),
            free=(*mine.free, *more.free),
            bans=(*mine.bans, *more.bans),
        )
        return replace(self, wanted=wanted)

    def full_text_with(self, text: str) -> str:
        """Return the whole text with the oracle's addition replaced."""
        return self.full_text.replace(self.text, text, 1) if self.before else text


@dataclass(frozen=True)
class AttackContext:
    """A task and the results of its oracle.

    Attributes:
        evidence: what the oracle left, with one call for each of its script's.
        results: name of a call of the oracle → the body of its result.
        literal: the oracle's calls with every reference filled in.
        look: a function that plays other steps and returns their evidence.
    """

    task: Task
    start: Start
    evidence: Evidence
    literal: Mapping[Position, OracleCall]
    look: Callable[[Steps], Evidence]

    @cached_property
    def results(self) -> Mapping[str, Any]:
        """The result bodies of the oracle's named calls."""
        named = zip(positions(self.task.oracle), self.evidence.calls, strict=True)
        return {call.name: body_of(made["result"]) for (_, call), made in named if call.name}

    def script(
        self, kind: str, why: str, judged: JudgedText, text: str, *, is_right: bool, is_full_text: bool = False
    ) -> AttackScript:
        """Return the oracle with one text replaced; with ``is_full_text``, including the part that must be kept."""
        task = self.task
        whole = text if is_full_text else judged.full_text_with(text)
        if judged.position is None:
            return AttackScript(kind, why, is_right, task.oracle, whole, text=whole)
        change = CallOverride(change=saying(judged.path, whole))
        overrides = dict.fromkeys((judged.position, *self._tried_before(judged.position)), change)
        return AttackScript(kind, why, is_right, task.oracle, task.oracle_answer, overrides, True, text=whole)

    def _tried_before(self, position: Position) -> Iterator[Position]:
        """Yield the calls that the oracle lets fail as planned before it makes the same call again."""
        made = self.literal[position]
        for other, call in self.literal.items():
            if not call.again and replace(call, again=made.again) == made:
                yield other

    def followed_by(self, kind: str, why: str, *calls: OracleCall) -> AttackScript:
        """Return the oracle followed by further calls that must not be made."""
        steps = (*self.task.oracle, *((call,) for call in calls))
        return AttackScript(kind, why, False, steps, self.task.oracle_answer, may_break=True, must_differ=True)

    @cached_property
    def texts(self) -> Sequence[JudgedText]:
        """Every text of the oracle whose content is judged, with the requirements of all its checkpoints."""
        found: dict[tuple[Position | None, Path], JudgedText] = {}
        for each in self._texts():
            place = (each.position, each.path)
            found[place] = found[place].and_also(each) if place in found else each
        return list(found.values())

    @cached_property
    def _verdicts(self) -> tuple[ValueResolver, Mapping[str, CheckpointVerdict]]:
        """The task's values, with those from the oracle's rows, and the verdicts on its checkpoints on rows."""
        task, evidence = self.task, self.evidence
        values = ValueResolver.from_task(task, self.start, evidence.now)
        verdicts: dict[str, CheckpointVerdict] = {}
        for point in task.checkpoints_in_order:
            if point.has_rows:
                verdicts[point.id] = judge_of(point).judge(point, task, evidence, values)
                values = values.knowing({name: verdict.matched for name, verdict in verdicts.items()})
        return values, verdicts

    def allows(self, app: str, table: str, change: RowChange) -> bool:
        """Whether an ``allow`` line of the task covers a changed row, regardless of its checkpoints."""
        columns = changed_columns(change["old"], change["new"]) if change["op"] == "update" else []
        accounts = AllowedChanges((), self.task.allow, self._verdicts[0])
        return accounts.is_allowed(app, table, (change["op"],), change["new"] or change["old"], columns)

    def minds_reverted(self, app: str, table: str) -> bool:
        """Whether a reverted change in a table is damage."""
        noticed = content.load_app(app).schema.notifies
        return self.task.reverted == "damage" or (self.task.reverted == "noticed" and table in noticed)

    @property
    def resolver(self) -> ValueResolver:
        """The task's values, with those from the oracle's rows."""
        return self._verdicts[0]

    @property
    def clock_context(self) -> ClockContext:
        """The context in which the task's values are compared."""
        return self.resolver.clock_context

    @property
    def told(self) -> tuple[str, ...]:
        """What every agent is told, without what only ``--context +named`` adds."""
        return tuple(self.clock_context.said[: 1 + len(self.task.necessary)])

    def calls(self) -> Iterator[tuple[Position, Call]]:
        """Yield each call of the oracle with its position."""
        for (position, _), call in zip(positions(self.task.oracle), self.evidence.calls, strict=True):
            yield position, call

    def written(self) -> Iterator[tuple[Checkpoint, WrittenText, ValueResolver]]:
        """Yield each text of the oracle whose content a checkpoint judges, and the values to resolve it with."""
        known, verdicts = self._verdicts
        for point in self.task.checkpoints:
            changes = verdicts[point.id].changes if point.id in verdicts else ()
            for written in judge_of(point).texts_of(point, changes, self.evidence, known):
                yield point, written, known

    def _texts(self) -> Iterator[JudgedText]:
        for point, written, known in self.written():
            name = f"{point.id}: {written.place}"
            for position, path, text in self._places(written):
                yield self._judged(name, position, path, text, written, known)

    def _places(self, written: WrittenText) -> Iterator[tuple[Position | None, Path, str]]:
        """Yield the call and the argument that a text was sent in, and the text there; no call for the answer."""
        if not written.app:
            yield None, (), written.text
            return
        for position, call in self.calls():
            if (call["app"], call["call"]) == (written.app, written.call):
                path, text = _longest_text_in(call["arguments"], written.text)
                if text:
                    yield position, path, text

    def _judged(
        self, name: str, position: Position | None, path: Path, text: str, written: WrittenText, known: ValueResolver
    ) -> JudgedText:
        raw = {key: value for key, value in written.wanted.items() if key in TEXT_KEYS}
        wanted = wanted_of(known.resolve(raw, written.app), written.before, known.clock_context)
        kept = wanted.keeps if wanted.keeps and wanted.keeps in text else ""
        added = text.replace(kept, "", 1).strip(_SEAMS) if kept else text
        keys = [step for step in path if isinstance(step, str)]
        is_title = bool(keys) and BODY_TEXTS.isdisjoint(keys) and "\n" not in text and not wanted.keeps
        today = known.clock_context.now.date()
        said = known.clock_context.said
        bystander = self._bystander(is_chinese(added))
        form = written.format
        return JudgedText(name, position, path, text, added, wanted, kept, said, today, is_title, form, bystander)

    def _bystander(self, zh: bool) -> str:
        """Return the name of a person whom the task's file does not name."""
        people = self.start.world.people
        file = self.task.raw.decode()
        for key, who in people.items():
            names = [str(who.get(name) or "") for name in ("name_en", "name_zh", "email")]
            given = names[0].split()[:1]
            if all(names) and not any(name in file for name in (key, *names, *given)):
                return names[1] if zh else names[0]
        return ""


def _longest_text_in(arguments: Any, held: str) -> tuple[Path, str]:
    """Return the longest text among a call's arguments that ``held`` contains; an empty text if there is none."""
    found = [
        (path, value)
        for path, value in leaves(arguments)
        if isinstance(value, str) and len(value) > 1 and normalize(value) and normalize(value) in normalize(held)
    ]
    return max(found, key=lambda each: len(each[1]), default=((), ""))
