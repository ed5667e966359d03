"""Compare an app's answers with the recorded ones: the figures, and the disagreements that go back to the writer."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from farm.traverse.fidelity.table import Answered, Arm, judge_arm
from farm.traverse.pool.pool import read_lines
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.recordings.text_difference import first_difference
from farm.traverse.synth import prompt
from farm.traverse.synth.app_files import Plan
from farm.traverse.synth.box import Answer

_CAUSES_MAX = 10
_BEFORE_MAX = 8
_AROUND = 400


@dataclass(frozen=True, order=True)
class Score:
    """How well an app agrees, over calls that are no duplicates: better ones are larger.

    Attributes:
        outcome: the share of calls with the same outcome.
        exact: the share of calls with the same answer.
        beyond: the share of equal answers among calls that the input schema allows.
    """

    outcome: float
    exact: float
    beyond: float
    calls: int = 0
    crashes: int = 0

    @property
    def sentence(self) -> str:
        """The figures in words."""
        crashed = f", {self.crashes} of which crashed" if self.crashes else ""
        return (
            f"Of {self.calls} calls{crashed}, {self.outcome:.1%} have the same outcome, {self.exact:.1%} the same "
            f"answer ({self.beyond:.1%} of those that the input schema allows)."
        )


WORST = Score(-1.0, -1.0, -1.0)


def judge(plan: Plan, calls: Sequence[Recorded], answers: Sequence[Answer]) -> Arm:
    """Return the answers beside the recorded ones."""
    lines = [line for line in read_lines(plan.evidence.folder) if line.get("side") != "held"]
    return judge_arm(plan.app, lines, calls, answers, plan.evidence.tools, plan.evidence.masks)


def score(arm: Arm) -> Score:
    """Return an app's figures."""
    own = [each for each in arm.answered if not each.recorded.is_duplicate and "silence" not in each.recorded.result]
    beyond = [each for each in own if each.is_beyond_schema]
    return Score(
        _share(sum(each.agrees for each in own), len(own)),
        _share(sum(each.compared.is_exact for each in own), len(own)),
        _share(sum(each.compared.is_exact for each in beyond), len(beyond)),
        len(own),
        sum(each.compared.is_crash for each in own),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def differences(arm: Arm, plan: Plan) -> str:
    """Return the first disagreement of each trace and tool, grouped by cause, with the calls before it."""
    traces: defaultdict[int | None, list[Answered]] = defaultdict(list)
    for each in arm.answered:
        traces[each.recorded.trace].append(each)
    first: dict[tuple[str, str], list[tuple[Answered, Sequence[Answered]]]] = defaultdict(list)
    for own in traces.values():
        told: set[str] = set()
        for at, each in enumerate(own):
            if each.compared.difference is None or each.recorded.tool in told or "silence" in each.recorded.result:
                continue
            told.add(each.recorded.tool)
            first[each.recorded.tool, _kind(each)].append((each, own[:at]))
    causes = sorted(first.values(), key=lambda found: (found[0][0].agrees, -len(found)))
    return "\n\n".join(_cause(found, plan, number) for number, found in enumerate(causes[:_CAUSES_MAX], 1))


def crashes(arm: Arm) -> str:
    """Return the first calls of each tool in which a kernel's code failed, without the real server's answers."""
    first: dict[str, Answered] = {}
    for each in arm.answered:
        if each.compared.is_crash:
            first.setdefault(each.recorded.tool, each)
    return "\n\n".join(
        f"{each.recorded.tool} {prompt.compact(each.recorded.request.arguments)}\n{text_of(each.compared.ours)}"
        for each in first.values()
    )


def _kind(each: Answered) -> str:
    difference = each.compared.difference
    assert difference is not None
    return f"{difference.parts}:{each.agrees}:{each.compared.is_crash}"


def _cause(found: Sequence[tuple[Answered, Sequence[Answered]]], plan: Plan, number: int) -> str:
    each, before = found[0]
    same = f" ({len(found)} alike)" if len(found) > 1 else ""
    parts = [f"### {number}. {each.recorded.tool}{same}", ""]
    if shown := _before(each, before):
        parts += ["Before it, in its trace:", "", *(_brief(one, plan) for one in shown), ""]
    parts += [
        f"{each.recorded.trace}.{each.recorded.step} {each.recorded.tool} "
        f"{prompt.compact(each.recorded.request.arguments)}",
        *_sides(each),
    ]
    for more, _ in found[1:3]:
        parts += [
            "",
            f"also {more.recorded.trace}.{more.recorded.step} {more.recorded.tool} "
            f"{prompt.compact(more.recorded.request.arguments)}",
            *_sides(more),
        ]
    return "\n".join(parts)


def _before(each: Answered, before: Sequence[Answered]) -> list[Answered]:
    """Return the latest calls before one: rather those that name the same values than others."""
    values = {value for value in _texts(each.recorded.request.arguments) if len(value) > 1}
    # Calls that the dialect refused changed nothing, and the kernel never saw them.
    seen = [one for one in before if one.was_success or one.is_beyond_schema]
    near = [one for one in seen if values & set(_texts(one.recorded.request.arguments))]
    return (near or seen)[-_BEFORE_MAX:]


def _texts(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for one in value.values() for text in _texts(one)]
        case list():
            return [text for one in value for text in _texts(one)]
    return []


def _brief(one: Answered, plan: Plan) -> str:
    text = prompt.call(one.recorded, plan)
    return text if len(text) <= 2 * _AROUND else f"{text[: 2 * _AROUND]}⟨…⟩"


def _sides(each: Answered) -> list[str]:
    compared = each.compared
    expected, ours = text_of(each.recorded.result), text_of(compared.ours)
    assert compared.difference is not None
    if expected == ours:
        parts = [part for part in compared.difference.parts if part not in ("kind", "text")]
        return [
            f"differs in {', '.join(compared.difference.parts)}",
            *(f"expected {part}: {_part(each.recorded.result, part)}" for part in parts),
            *(f"yours {part}: {_part(compared.ours, part)}" for part in parts),
        ]
    at = first_difference(expected, ours)
    return [f"expected: {_window(expected, at)}", f"yours: {_window(ours, at)}"]


def _part(result: Mapping[str, object], part: str) -> str:
    return prompt.shorten(json.dumps(result.get(part), ensure_ascii=False)) if part in result else "absent"


def _window(text: str, at: int) -> str:
    """Return a text, or what stands around a place of a long one."""
    if len(text) <= 3 * _AROUND:
        return prompt.shorten(text)
    begin = max(0, at - _AROUND)
    return f"{'⟨…⟩' if begin else ''}{prompt.shorten(text[begin : at + _AROUND])}⟨…⟩"
