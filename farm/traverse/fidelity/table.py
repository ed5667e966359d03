"""MCP-Persona's Table 4: how faithfully several ways to simulate a server answer the held-back calls.

A success is the positive case. The real server's outcome is the pool's verdict. A simulated answer with identical text
has the same outcome; any other is judged by the rules that judged the pool.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.traverse.discriminate import Discriminator
from farm.traverse.discriminate.schemas import fits_schema
from farm.traverse.fidelity.compare import Compared, Mask, compare
from farm.traverse.fidelity.similarity import mean_similarity
from farm.traverse.recordings.calls import Recorded, text_of

SUCCESS = "success"

Answer = Mapping[str, Any]


@dataclass(frozen=True)
class Answered:
    """One call with the real answer and a simulated one.

    Attributes:
        was_success: whether the real call succeeded.
        is_success: whether the simulated call succeeded.
        is_beyond_schema: whether the tool's input schema allows the call: only the server's own rules decide it.
    """

    compared: Compared
    was_success: bool
    is_success: bool
    is_beyond_schema: bool

    @property
    def recorded(self) -> Recorded:
        """The real call."""
        return self.compared.recorded

    @property
    def agrees(self) -> bool:
        """Return whether both calls succeeded, or neither."""
        return self.was_success == self.is_success and not self.compared.is_crash


@dataclass(frozen=True)
class Arm:
    """One way to simulate the server, with its answer to every call."""

    name: str
    answered: tuple[Answered, ...]


def judge_arm(
    name: str,
    lines: Sequence[Mapping[str, Any]],
    calls: Sequence[Recorded],
    answers: Sequence[Answer],
    tools: Sequence[Mapping[str, Any]],
    masks: Sequence[Mask] = (),
) -> Arm:
    """Return an arm's answers beside the real ones.

    Args:
        lines: the whole pool, from which the templates of this server's successes are learnt.
        calls: the calls to compare, with the pool's verdicts.
        answers: the arm's answer to each call.
        tools: the server's, as ``tools/list`` has them.
    """
    judge = Discriminator(tools)
    judge.learn(lines)
    is_allowed = _allowing(tools)
    answered = []
    for call, ours in zip(calls, answers, strict=True):
        compared = compare(call, dict(ours), masks)
        was = call.verdict == SUCCESS
        answered.append(Answered(compared, was, _is_success(judge, compared, was), is_allowed(call)))
    return Arm(name, tuple(answered))


def table(arm: Arm) -> dict[str, Any]:
    """Return an arm's figures: over the scored calls, over all, beyond the schema, by class and by tool.

    Duplicates of calls on an earlier side, or earlier on the same side, are in none of them, because they were seen.
    Shares are from 0 to 1, and ``n`` is the number of calls; a share over no calls is None.
    """
    unseen = [each for each in arm.answered if not each.recorded.is_duplicate]
    scored = [each for each in unseen if each.recorded.is_scored]
    return {
        "arm": arm.name,
        "scored": figures(scored),
        "all": figures(unseen),
        "beyond_schema": figures([each for each in unseen if each.is_beyond_schema]),
        "by_class": _grouped(unseen, lambda each: each.recorded.error_class),
        "by_tool": _grouped(unseen, lambda each: each.recorded.tool),
        "masks": _masked(arm.answered),
    }


def figures(answered: Sequence[Answered]) -> dict[str, Any]:
    """Return Table 4's row over some calls."""
    tp = sum(each.was_success and each.is_success for each in answered)
    tn = sum(not each.was_success and not each.is_success for each in answered)
    fp = sum(not each.was_success and each.is_success for each in answered)
    fn = sum(each.was_success and not each.is_success for each in answered)
    bodies = [each.compared.leaves for each in answered if each.compared.leaves is not None]
    pairs = [(text_of(each.recorded.result), text_of(each.compared.ours)) for each in answered]
    similarity = mean_similarity(pairs)
    return {
        "n": len(answered),
        "tp": tp,
        "tn": tn,
        "fp": fp,
        "fn": fn,
        "accuracy": _share(tp + tn, len(answered)),
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "f1": _share(2 * tp, 2 * tp + fp + fn),
        **{name: similarity.get(name) for name in ("tfidf", "rouge", "bleu", "meteor")},
        "exact": _share(sum(each.compared.is_exact for each in answered), len(answered)),
        "exact_unmasked": _share(
            sum(each.compared.is_exact and not each.compared.masks for each in answered), len(answered)
        ),
        "bodies": len(bodies),
        "leaf_equal": _share(sum(each == 1 for each in bodies), len(bodies)),
    }


def disagreements(arm: Arm) -> list[dict[str, Any]]:
    """Return an arm's differing answers, different outcomes first, each with both texts around their first difference.

    ``is_first`` marks the first disagreement of a trace: later ones may only follow from it.
    """
    found = []
    parted: set[int | None] = set()
    for each in arm.answered:
        difference = each.compared.difference
        if difference is None:
            continue
        call = each.recorded
        found.append(
            {
                "trace": call.trace,
                "step": call.step,
                "tool": call.tool,
                "arguments": call.request.params.get("arguments"),
                "error_class": call.error_class,
                "operation": call.operation,
                "outcome": each.agrees,
                "is_first": call.trace not in parted,
                "differs": difference.parts,
                "real": text_of(call.result),
                "arm": text_of(each.compared.ours),
                "real_around": difference.recorded,
                "arm_around": difference.ours,
            }
        )
        parted.add(call.trace)
    return sorted(found, key=lambda each: each["outcome"])


def _is_success(judge: Discriminator, compared: Compared, was: bool) -> bool:
    if compared.is_crash:
        return not was  # agrees with nothing
    if compared.is_exact:
        return was
    call = compared.recorded
    line = {"tool": call.tool, "arguments": call.request.arguments, "result": compared.ours}
    return judge.judge(line).kind == SUCCESS


def _allowing(tools: Iterable[Mapping[str, Any]]) -> Callable[[Recorded], bool]:
    fits = {tool["name"]: fits_schema(tool["inputSchema"]) for tool in tools}

    def is_allowed(call: Recorded) -> bool:
        return call.tool in fits and fits[call.tool]({} if call.request.omits_arguments else call.request.arguments)

    return is_allowed


def _grouped(answered: Iterable[Answered], key: Callable[[Answered], str]) -> dict[str, dict[str, Any]]:
    groups: defaultdict[str, list[Answered]] = defaultdict(list)
    for each in answered:
        groups[key(each)].append(each)
    return {name: figures(own) for name, own in sorted(groups.items())}


def _masked(answered: Iterable[Answered]) -> dict[str, int]:
    counts: defaultdict[str, int] = defaultdict(int)
    for each in answered:
        for name in each.compared.masks:
            counts[name] += 1
    return dict(counts)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
