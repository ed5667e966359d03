"""Conflicts that a model proposes: it sees a tool and its calls' answers, and names calls that should be refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from farm._util.llm_cache import CachedModel
from farm.traverse.perturb.mutations import SEMANTIC_CONFLICT, Mutation
from farm.traverse.perturb.plan import SeedPosition
from farm.traverse.recordings.calls import text_of
from farm.traverse.seeds.seeds import Seed

PROMPT = "conflicts-1"
OPERATION = "proposed"
# Beside the recording: the same command, or a continued one, repeats no question.
ANSWERS = "proposed.jsonl"
PER_TOOL_MAX = 5

_CALLS_MAX = 8
_QUOTED_LETTERS_MAX = 1_500
_SCHEMA_LETTERS_MAX = 8_000
_FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Proposed:
    """The proposals of a model.

    Attributes:
        after: the place of a seed → conflicts to be sent right after it, in the model's order.
        left_out: why proposals were left out, one sentence for each tool and reason.
    """

    after: Mapping[SeedPosition, Sequence[Mutation]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


class Proposer(CachedModel):
    """Asks a model behind an OpenAI-compatible API once a tool; earlier answers are cached in a file.

    The model sees recorded calls before redaction.
    """

    def __init__(self, model: str, path: Path, *, base_url: str | None = None) -> None:
        """Configure a model; its answers are cached in the file."""
        super().__init__(model, path, role="the model", base_url=base_url)

    def propose(
        self, traces: Sequence[Sequence[Seed]], tools: Sequence[Mapping[str, Any]], *, per_tool: int = PER_TOOL_MAX
    ) -> Proposed:
        """Return conflicts for every tool that a seed calls.

        They come after the last call of the tool in the trace that the model saw, so that they meet the same state.

        Args:
            per_tool: the largest number of a tool's proposals.

        Raises:
            FarmError: the model does not answer.
        """
        after: dict[SeedPosition, Sequence[Mutation]] = {}
        left_out: list[str] = []
        for tool in tools:
            name = str(tool["name"])
            places = _places(traces, name)
            if not places:
                continue
            shown = [traces[trace][at] for trace, at in places[-_CALLS_MAX:]]
            answer = self.answer(prompt_for(tool, shown, most=per_tool), tool=name)
            seeds = [seed.request.arguments for trace in traces for seed in trace if seed.request.tool == name]
            found, reasons = read_proposals(answer, tool.get("inputSchema") or {}, seeds)
            if len(found) > per_tool:
                reasons["beyond the limit"] = len(found) - per_tool
            after[places[-1]] = found[:per_tool]
            left_out += [f"{name}: {count} proposed left out, {why}" for why, count in reasons.items()]
        return Proposed(after, tuple(left_out))


def prompt_for(tool: Mapping[str, Any], seeds: Sequence[Seed], *, most: int) -> str:
    """Return the prompt for one tool."""
    template = Template(files(__package__).joinpath(f"{PROMPT}.md").read_text("utf-8"))
    return template.substitute(
        tool=tool["name"],
        description=_truncate(str(tool.get("description") or "nothing")),
        schema=_json(tool.get("inputSchema") or {})[:_SCHEMA_LETTERS_MAX],
        calls="\n\n".join(_call(seed) for seed in seeds),
        most=most,
    )


def read_proposals(answer: str, schema: Mapping[str, Any], seeds: Sequence[Any]) -> tuple[list[Mutation], Counter[str]]:
    """Return the usable proposals in a model's answer, and the counted reasons why others are unusable.

    Args:
        schema: the schema that arguments must fit; others would be failures of another class.
        seeds: arguments of calls that succeeded; equal arguments are not a conflict.
    """
    from jsonschema.exceptions import SchemaError  # type: ignore[import-untyped]  # it has no types
    from jsonschema.validators import validator_for  # type: ignore[import-untyped]  # nor this

    proposals = _list_in(answer)
    if proposals is None:
        return [], Counter({"the answer is no JSON list": 1})
    kind = validator_for(schema)
    try:
        kind.check_schema(schema)
        fits = kind(schema).is_valid
    except SchemaError:

        def fits(_: Any) -> bool:  # nothing fits an invalid schema, though the server still accepts calls
            return True

    taken = {_key(each) for each in seeds}
    found: list[Mutation] = []
    reasons: Counter[str] = Counter()
    for each in proposals:
        arguments = each.get("arguments") if isinstance(each, dict) else None
        if not isinstance(arguments, dict):
            reasons["no arguments"] += 1
        elif not fits(arguments):
            reasons["they do not fit the schema"] += 1
        elif _key(arguments) in taken:
            reasons["the same as a seed or as another"] += 1
        else:
            taken.add(_key(arguments))
            found.append(Mutation(SEMANTIC_CONFLICT, OPERATION, (), arguments, because=str(each.get("why") or "")))
    return found, reasons


def _places(traces: Sequence[Sequence[Seed]], tool: str) -> list[SeedPosition]:
    """Return the places of a tool's calls in the trace with most of them; of equal traces, the first."""
    found = [
        [(number, at) for at, seed in enumerate(trace) if seed.request.tool == tool]
        for number, trace in enumerate(traces)
    ]
    return max(found, key=len, default=[])


def _list_in(answer: str) -> list[Any] | None:
    fenced = _FENCED.search(answer)
    try:
        said = json.loads(fenced[1] if fenced else answer)
    except ValueError:
        return None
    return said if isinstance(said, list) else None


def _call(seed: Seed) -> str:
    result = seed.result
    answered = "its answer was not recorded" if result is None else _truncate(text_of(result) or _json(result))
    return f"{_truncate(_json(seed.request.arguments))}\n→ {answered}"


def _key(arguments: Any) -> str:
    return json.dumps(arguments, sort_keys=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _truncate(text: str) -> str:
    return text if len(text) <= _QUOTED_LETTERS_MAX else f"{text[:_QUOTED_LETTERS_MAX]}…"
