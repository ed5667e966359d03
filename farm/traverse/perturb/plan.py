"""Plan the mutations after each successful call: each argument gets each class before any gets one twice."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.traverse.perturb.conflicts import Values, conflicts
from farm.traverse.perturb.mutations import CLASSES, Mutation, mutations
from farm.traverse.perturb.schemas import Path, argument_of, spots
from farm.traverse.recordings.calls import Request
from farm.traverse.seeds.seeds import SEED, Seed

# Long values test every argument alike, and make up most of a recording's bytes.
_ONCE_A_TOOL = frozenset({"huge", "many"})
# More repeats on the same argument show nothing new; some repeats fall on the sides that are held back.
_REPEATS_MAX = 4


@dataclass(frozen=True)
class Step:
    """One planned call.

    Attributes:
        request: the request to send.
        error_class: ``success`` for a seed, else one of the four classes.
        operation: the change to the seed's arguments; None for a seed.
        path: the changed argument.
        seed_step: the seed's position in its trace, for a provoked call.
        answered: the recorded answer of a seed, if it is known.
        because: for a call that a model proposed, the conflict that the model named.
    """

    request: Request
    error_class: str = SEED
    operation: str | None = None
    path: Path = ()
    seed_step: int | None = None
    answered: Mapping[str, Any] | None = None
    because: str | None = None

    @property
    def argument(self) -> str:
        """The wrong argument, as tables name it."""
        return argument_of(self.path)


PlannedTrace = tuple[Step, ...]
# A seed's trace and its position in the trace.
SeedPosition = tuple[int, int]


def plan(
    seeds: Iterable[Sequence[Seed]],
    schemas: Mapping[str, Mapping[str, Any]],
    *,
    seed: int,
    per_seed: int,
    proposed: Mapping[SeedPosition, Sequence[Mutation]] | None = None,
) -> list[PlannedTrace]:
    """Return the traces with provoked calls right after their seed.

    They are inside the trace, because a provoked call that the server accepts changes what later calls see.

    Args:
        seeds: traces of successful calls.
        schemas: tool → input schema; a call of another tool is not mutated.
        seed: the same seed gives the same plan.
        per_seed: provoked calls after each seed.
        proposed: more mutations, by the seed after which they are sent.
    """
    planner = _Planner(schemas, random.Random(seed), per_seed)
    more = proposed or {}
    return [
        planner.trace(trace, {at: more[place] for at in range(len(trace)) if (place := (number, at)) in more})
        for number, trace in enumerate(seeds)
    ]


class _Planner:
    def __init__(self, schemas: Mapping[str, Mapping[str, Any]], draw: random.Random, per_seed: int) -> None:
        self._schemas = schemas
        self._draw = draw
        self._per_seed = per_seed
        self._sent: Counter[tuple[str, ...]] = Counter()
        self._long: set[tuple[str, str]] = set()

    def trace(self, seeds: Sequence[Seed], proposed: Mapping[int, Sequence[Mutation]]) -> PlannedTrace:
        """Return one trace's steps."""
        steps: list[Step] = []
        values = Values()
        for number, given in enumerate(seeds):
            request = given.request
            schema = self._schemas.get(request.tool, {})
            at = len(steps)
            steps.append(Step(request, answered=given.result))
            steps += [self._step(request.tool, each, at) for each in self._choose(request, schema, values)]
            steps += [self._step(request.tool, each, at) for each in proposed.get(number, ())]
            values.learn(schema, request.arguments)
        return tuple(steps)

    def _choose(self, request: Request, schema: Mapping[str, Any], values: Values) -> list[Mutation]:
        if not schema:
            return []
        options = [*mutations(schema, request.arguments), *conflicts(schema, request.arguments, values)]
        chosen: list[Mutation] = []
        while options and len(chosen) < self._per_seed:
            options = [each for each in options if self._is_worth(request.tool, each)]
            if not options:
                break
            taken = min(options, key=lambda each: self._rank(request.tool, each))
            options.remove(taken)
            self._note(request.tool, taken)
            chosen.append(taken)
        return chosen

    def _is_worth(self, tool: str, each: Mutation) -> bool:
        is_spent = self._sent[tool, each.argument, each.operation] >= _REPEATS_MAX
        return not is_spent and (tool, each.operation) not in self._long

    def _rank(self, tool: str, each: Mutation) -> tuple[int, int, int, float]:
        """Rank by fewest calls: of the argument's class, then the tool's class, then the argument's operation."""
        return (
            self._sent[tool, each.argument, each.error_class],
            self._sent[tool, each.error_class],
            self._sent[tool, each.argument, each.operation],
            self._draw.random(),
        )

    def _note(self, tool: str, taken: Mutation) -> None:
        self._sent[tool, taken.argument, taken.error_class] += 1
        self._sent[tool, taken.error_class] += 1
        self._sent[tool, taken.argument, taken.operation] += 1
        if taken.operation in _ONCE_A_TOOL:
            self._long.add((tool, taken.operation))

    @staticmethod
    def _step(tool: str, taken: Mutation, seed_step: int) -> Step:
        request = Request(tool, taken.arguments, taken.omits_arguments)
        return Step(
            request, taken.error_class, taken.operation, taken.path, seed_step, answered=None, because=taken.because
        )


@dataclass(frozen=True)
class Coverage:
    """How many calls of each class every argument of every tool had.

    Attributes:
        cells: tool → argument → class → number of calls; an argument without wrong calls has an empty entry.
        seeds: tool → number of successful calls.
    """

    cells: Mapping[str, Mapping[str, Mapping[str, int]]]
    seeds: Mapping[str, int]


def cover(steps: Iterable[Step], schemas: Mapping[str, Mapping[str, Any]]) -> Coverage:
    """Return the coverage of planned or completed calls."""
    cells: dict[str, defaultdict[str, Counter[str]]] = {}
    seeds: Counter[str] = Counter()
    for tool, schema in schemas.items():
        cells[tool] = defaultdict(Counter)
        for spot in spots(schema, {}):
            cells[tool][spot.argument] = Counter()
    for step in steps:
        if step.request.tool not in cells:
            continue
        if step.error_class in CLASSES:
            cells[step.request.tool][step.argument][step.error_class] += 1
        else:
            seeds[step.request.tool] += 1
    return Coverage(cells, {tool: seeds[tool] for tool in schemas})
