"""Ask the real server again: what a writer had to guess, and random calls; its answers are more evidence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from farm._util.json_lines import append_line, read_whole_lines
from farm.traverse.consent import allowed
from farm.traverse.discriminate import judge_recording
from farm.traverse.fidelity.side_by_side import ask
from farm.traverse.perturb.plan import plan as plan_mutations
from farm.traverse.recordings.calls import Recorded, Request, read_line
from farm.traverse.recordings.recording import as_json
from farm.traverse.seeds.seeds import Seed
from farm.traverse.synth.answer import Guess
from farm.traverse.synth.evidence import SUCCESS, Evidence
from farm.traverse.transport.source import Source

ASKED = "asked.jsonl"
# Traces of asked calls have numbers above those of the pool.
_FIRST_TRACE = 100_000
_PER_SEED = 3
# More of them would show little that is new, and are kept in a file that belongs to the app.
_RANDOM_ROUNDS_MAX = 2


@dataclass(frozen=True)
class RealServer:
    """The server that may be asked.

    Attributes:
        is_sandbox: whether it is disposable, so that every tool may be called.
        reset: restores its start, before each trace.
    """

    source: Source
    is_sandbox: bool
    reset: Callable[[], Awaitable[None]] | None = None


class Asked:
    """The answers so far, kept in a file by what was asked: a repeated synthesis needs no server."""

    def __init__(self, work: Path, evidence: Evidence, server: RealServer | None) -> None:
        self._path = work / ASKED
        self._evidence = evidence
        self._server = server
        self._kept: dict[str, list[dict[str, Any]]] = {
            said["asked"]: said["lines"]
            for said in read_whole_lines(self._path)
            if isinstance(said.get("asked"), str) and isinstance(said.get("lines"), list)
        }

    def guesses(self, guesses: Sequence[Guess]) -> list[Recorded]:
        """Return the real server's answers to guesses, as far as it may be asked."""
        traces = [list(each.calls) for each in guesses if self._may(each.calls)]
        return self._ask("guesses", traces)

    def random(self, number: int) -> list[Recorded]:
        """Return the real server's answers to the train seeds with new mutations, if it is disposable.

        Args:
            number: another number gives other mutations.
        """
        if number > _RANDOM_ROUNDS_MAX or (self._server is not None and not self._server.is_sandbox):
            return []
        seeds: dict[int | None, list[Seed]] = {}
        for call in self._evidence.train:
            if call.operation is None and call.verdict == SUCCESS:
                seeds.setdefault(call.trace, []).append(Seed(call.request, call.result))
        planned = plan_mutations(seeds.values(), self._evidence.schemas, seed=1_000 + number, per_seed=_PER_SEED)
        return self._ask(f"random {number}", [[step.request for step in trace] for trace in planned])

    def _may(self, calls: Sequence[Request]) -> bool:
        if self._server is None or self._server.is_sandbox:
            return True
        open_to = allowed([dict(tool) for tool in self._evidence.tools], (), is_sandbox=False)
        return all(call.tool in open_to for call in calls)

    def _ask(self, kind: str, traces: Sequence[Sequence[Request]]) -> list[Recorded]:
        if not traces:
            return []
        key = json.dumps([kind, [[each.params for each in trace] for trace in traces]], sort_keys=True)
        if key not in self._kept:
            if self._server is None:
                return []
            self._kept[key] = self._judged(asyncio.run(self._put(traces)))
            append_line(self._path, as_json({"asked": key, "lines": self._kept[key]}))
        return [read_line(as_json(line), at, self._path) for at, line in enumerate(self._kept[key], 1)]

    async def _put(self, traces: Sequence[Sequence[Request]]) -> list[Recorded]:
        assert self._server is not None
        first = _FIRST_TRACE + sum(len(lines) for lines in self._kept.values())
        blank = read_line(b'{"tool": "", "arguments": {}, "result": {"content": []}}', 0, self._path)
        questions = [
            replace(blank, request=request, trace=first + number, step=step)
            for number, trace in enumerate(traces)
            for step, request in enumerate(trace)
        ]
        return await ask(self._server.source, questions, reset=self._server.reset)

    def _judged(self, answered: Sequence[Recorded]) -> list[dict[str, Any]]:
        lines = [_line(each) for each in answered]
        verdicts = judge_recording(lines, self._evidence.tools, None)
        return [{**line, "verdict": each.kind, "why": each.why} for line, each in zip(lines, verdicts, strict=True)]


def _line(each: Recorded) -> dict[str, Any]:
    arguments: Mapping[str, Any] = (
        {"arguments_omitted": True} if each.request.omits_arguments else {"arguments": each.request.arguments}
    )
    at = None if each.at is None else each.at.isoformat()
    return {"trace": each.trace, "step": each.step, "tool": each.tool, **arguments, "at": at, "result": each.result}
