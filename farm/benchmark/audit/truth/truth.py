"""Find the values of an oracle's texts that are false, or that it asserts without having read them.

A value is true if it stands in a row of the start, in a result that the oracle read, or in the instruction, or if it
follows from operands that the task names. It is read if the oracle could know it when it wrote the text. A claim that
names a fact is proven by the trace: by rows, and by results that show such rows, which tell this fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from farm.appkit.envelope import body_of
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.script import leaves, positions, writes
from farm.benchmark.audit.truth.derived import Operands, derive
from farm.benchmark.audit.truth.fact_trace import FactTrace
from farm.benchmark.audit.truth.passages import (
    OwnWords,
    Passage,
    moment_of,
    passages_of_result,
    passages_of_rows,
    passages_of_text,
)
from farm.benchmark.audit.truth.standing import ends_of, is_value, stands_in
from farm.benchmark.scoring.claims import Claim, Requirement
from farm.benchmark.scoring.claims.reading import find
from farm.benchmark.scoring.claims.values import fold, read
from farm.benchmark.scoring.evidence import WrittenText
from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.sheets import text_of
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks import Checkpoint
from farm.benchmark.tasks.sheet_fields import items_of, kind_of_field
from farm.benchmark.tasks.text_rules import TEXT_KEYS
from farm.errors import FarmError

_UNPROVEN = "stands in no row of the start; name what it follows from (`from`, `how`)"
_UNREAD = "stands in the start, but no result holds it before it is asserted"
_ANYWHERE = "is a number below 100, which stands in any result; name the one that holds it: {name.path}"
_SMALL_NUMBER = re.compile(r"-?\d{1,2}")


@dataclass(frozen=True)
class TruthFault:
    """A value that is not proven.

    Attributes:
        kind: ``false`` or ``unread``.
    """

    kind: str
    checkpoint: str
    line: str


def truth_faults(context: AttackContext, trace: FactTrace) -> Iterator[TruthFault]:
    """Yield each value of the oracle's texts that is not true, or not read.

    Args:
        trace: where the rows of the task's world tell a fact.
    """
    sources = _Sources(context, trace)
    judged = list(context.written())
    for point, written, known in judged:
        yield from _faults_of(point, written, known, sources)
    yield from _sheet_faults(context, sources)
    texts = [written.text for _, written, _ in judged]
    for place, claim, operands in _unjudged_values(context, texts, sources):
        fault = _fault(claim, {}, operands, sources)
        if fault and not any(_follows(claim, point, operands) for point in context.task.checkpoints):
            yield TruthFault(fault[0], place, f"{claim.describe} {fault[1]}")


def _sheet_faults(context: AttackContext, sources: _Sources) -> Iterator[TruthFault]:
    """Yield each field of an answer sheet whose value is neither claimed of the answer's text nor proven itself."""
    told = [claim for _, claim in asserted_claims(context)]
    operands = sources.operands(context.resolver, "", len(context.task.oracle))
    for point in context.task.checkpoints:
        for name, raw in getattr(point, "sheet", {}).items():
            for claim in _sheet_values(raw, told, context):
                fault = _fault(claim, {}, operands, sources)
                if fault and not _follows(claim, point, operands):
                    yield TruthFault(fault[0], point.id, f"{claim.describe} of the sheet's '{name}' {fault[1]}")


def _sheet_values(raw: Mapping[str, Any], told: Sequence[Claim], context: AttackContext) -> Iterator[Claim]:
    """Yield the values of a sheet's field that no claim has; a text is judged as the answer is, options are told."""
    kind, clocks = kind_of_field(raw), context.clock_context
    for item in () if kind == "text" or raw.get("options") else items_of(raw):
        if kind in ("choice", "person"):
            given = [item] if isinstance(item, str) else item
            names = names_of(item, clocks.world.people) if kind == "person" else given
            if not {*map(fold, names)} & {fold(name) for claim in told for name in _names(claim)}:
                yield Claim("choice", tuple(names))
        else:
            yield from further_values(text_of(raw, item, clocks), told, clocks.now)


def _unjudged_values(
    context: AttackContext, judged: Sequence[str], sources: _Sources
) -> Iterator[tuple[str, Claim, Operands]]:
    """Yield the values that the oracle's calls store, and its answer tells, outside of the texts that are judged."""
    now, known = context.clock_context.now, context.resolver
    for position, call in context.calls():
        asked = context.literal[position]
        if not writes(asked):
            continue
        stored = set(_numbers_in(context.evidence.diff.get(call["app"], {})))
        operands = sources.operands(known, call["app"], position[0])
        for _, value in leaves(call["arguments"]):
            if _is_told(value, stored, now) and not any(str(value) in text for text in judged):
                told = further_values(str(value), (), now)
            else:
                told = _time_of(value, operands, now)
            for claim in told:
                yield asked.name or asked.tool, claim, operands
    answer = context.evidence.answer
    if answer not in judged:
        for claim in further_values(answer, (), now):
            yield "answer", claim, sources.operands(known, "", len(context.task.oracle))


def _is_told(value: Any, stored: Collection[float], now: datetime) -> bool:
    """Whether an argument tells people something: a text with words, or a number that is stored."""
    if isinstance(value, str):
        return any(map(str.isalpha, value)) and moment_of(value, now.tzinfo) is None
    return isinstance(value, int | float) and value in stored and moment_of(value, now.tzinfo) is None


def _time_of(value: Any, operands: Operands, now: datetime) -> Iterator[Claim]:
    """Yield the day and the hour of an argument that is a time, unless it is the current time or an id of a result."""
    moment = None if isinstance(value, bool) else moment_of(value, now.tzinfo)
    if moment is None or moment == now or any(str(value) in passage.around for passage in operands.read):
        return
    yield Claim("date", (moment.date(),))
    # Midnight, also that of UTC, stands for a whole day.
    if all((each.hour, each.minute) != (0, 0) for each in (moment, moment.astimezone(UTC))):
        yield Claim("clock", (f"{moment:%H:%M}",))


def _numbers_in(rows: Any) -> Iterator[float]:
    for _, value in leaves(rows):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield float(value)


def asserted_claims(context: AttackContext) -> Iterator[tuple[Checkpoint, Claim]]:
    """Yield each claim on a text of the oracle whose value the text asserts, after its checkpoint."""
    for point, written, known in context.written():
        yield from ((point, claim) for claim, _ in _asserted(*_wanted(written, known)))


def _wanted(written: WrittenText, known: ValueResolver) -> tuple[Requirement, Sequence[Mapping[str, Any]]]:
    """Return what a text must assert, and its claims as the task states them."""
    raw = {key: value for key, value in written.wanted.items() if key in TEXT_KEYS}
    wanted = wanted_of(known.resolve(raw, written.app), written.before, known.clock_context)
    return wanted, raw.get("claims", ())


def _asserted(wanted: Requirement, forms: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Claim, Mapping[str, Any]]]:
    """Yield the claims of a value, not those of a denial or of a predicate."""
    for claim, form in zip(wanted.claims, forms, strict=True):
        if not claim.is_denied and claim.kind != "says":
            yield claim, form


def _faults_of(
    point: Checkpoint, written: WrittenText, known: ValueResolver, sources: _Sources
) -> Iterator[TruthFault]:
    wanted, forms = _wanted(written, known)
    operands = sources.operands(known, written.app, sources.step_of(written))
    for claim, form in _asserted(wanted, forms):
        fault = _fault(claim, form, operands, sources)
        if fault:
            yield TruthFault(fault[0], point.id, f"{claim.describe} {fault[1]}")
    text = written.text.replace(written.before, " ") if written.before else written.text
    for claim in further_values(text, wanted.claims, known.clock_context.now):
        fault = _fault(claim, {}, operands, sources)
        if fault and not _follows(claim, point, operands):
            yield TruthFault(fault[0], point.id, f"{claim.describe}, which the text also names, {fault[1]}")


def further_values(text: str, claims: Sequence[Claim], now: datetime) -> Iterator[Claim]:
    """Yield the typed values of a text that none of the claims has, each as a claim."""
    text = fold(text)
    named = [spot for claim in claims if claim.kind in ("choice", "id", "says") for spot in find(text, _names(claim))]
    for value in read(text, now):
        is_in_name = any(start < value.end and value.start < end for start, end in named)
        if is_in_name or any(is_value(claim, value) for claim in claims):
            continue
        match value.kind:
            case "date":
                # A weekday alone may mean any week's.
                yield Claim("date", tuple(map(date.fromisoformat, (*value.options, *sorted(value.wide)))))
            case "clock":
                if not any(claim.kind == "span" and {*value.options} & {*ends_of(claim)} for claim in claims):
                    yield Claim("clock", value.options)
            case "id":
                yield Claim("id", value.options)
            case "number" | "amount" | "ordinal":
                yield Claim("number", (float(value.number),), units=(value.unit,) if value.unit else ())


def _names(claim: Claim) -> list[str]:
    return [str(each) for each in claim.values]


def _follows(claim: Claim, point: Checkpoint, operands: Operands) -> bool:
    """Whether a value follows from the operands that its checkpoint names."""
    raw = getattr(point, "operands", ())
    try:
        return bool(raw) and derive(claim, raw, getattr(point, "how", None), operands) is None
    except FarmError:
        return False


def _fault(claim: Claim, form: Mapping[str, Any], operands: Operands, sources: _Sources) -> tuple[str, str] | None:
    """Return the kind of a claim's fault and its words; None if the claim is proven."""
    if "from" in form:
        is_value_itself = "how" not in form and "fact" not in form
        if is_value_itself and any(_SMALL_NUMBER.fullmatch(str(each)) for each in form["from"]):
            return "false", _ANYWHERE
        try:
            unread = derive(claim, form["from"], form.get("how"), operands)
        except FarmError as problem:
            return "false", str(problem)
        return ("unread", unread) if unread else None
    fact = str(form.get("fact", ""))
    if stands_in(claim, sources.that_tell(fact, operands.read)):
        return None
    return ("unread", _UNREAD) if stands_in(claim, sources.that_tell(fact, sources.start)) else ("false", _UNPROVEN)


class _Sources:
    """Where the values of one task can stand."""

    def __init__(self, context: AttackContext, trace: FactTrace) -> None:
        self._context, self._trace = context, trace

    @cached_property
    def start(self) -> tuple[Passage, ...]:
        """The rows of the task's apps."""
        return tuple(passages_of_rows(self._context.start, self._context.task.apps))

    @cached_property
    def _told(self) -> tuple[Passage, ...]:
        now = self._context.clock_context.now
        return tuple(passages_of_text(text, now) for text in self._context.told)

    @cached_property
    def _results(self) -> Sequence[tuple[int, tuple[Passage, ...]]]:
        """The step and the passages of each call's result."""
        found, own = [], OwnWords()
        now = self._context.clock_context.now
        for position, call in self._context.calls():
            is_write = writes(self._context.literal[position])
            own = own.with_call(call["arguments"], now, is_write=is_write)
            body = () if call["refused"] else body_of(call["result"])
            found.append((position[0], tuple(passages_of_result(body, own, now))))
        return found

    def that_tell(self, fact: str, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Return the passages that tell a fact by the trace of the world's rows, and the task's own texts.

        All, if the claim names no fact, or if no text of a row tells it: it stands in typed columns or is an app's.
        """
        if not fact or not self._trace.covers(fact):
            return passages
        own = {id(each) for each in self._told}
        return [each for each in passages if id(each) in own or self._trace.tells(fact, each)]

    def operands(self, known: ValueResolver, app: str, end: int) -> Operands:
        """Return where the operands of a text are found that the oracle writes in one step."""
        return Operands(known, app, self._read_before(end), self._named_before(end))

    def step_of(self, written: WrittenText) -> int:
        """Return the step that writes a text; of the answer, the one after the last."""
        steps = (
            step
            for (step, _), call in self._context.calls()
            if (call["app"], call["call"]) == (written.app, written.call)
        )
        return min(steps, default=len(self._context.task.oracle))

    def _read_before(self, end: int) -> Sequence[Passage]:
        """Return what the instruction and the results of the steps before one tell."""
        return [*self._told, *(each for step, passages in self._results if step < end for each in passages)]

    def _named_before(self, end: int) -> Mapping[str, Any]:
        """Return the bodies of the results, by the names of their calls, of the steps before one."""
        made = {call.name for (step, _), call in positions(self._context.task.oracle) if step < end}
        return {name: body for name, body in self._context.results.items() if name in made}
