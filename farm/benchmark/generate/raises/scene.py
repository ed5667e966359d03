"""What a raise works on: a task, its world, what its oracle did, and what the person can find."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from farm import content
from farm.appkit.envelope import body_of
from farm.appkit.world_spec.facts import Ledger
from farm.benchmark.agents.placeholders import MissingPlaceholderError
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.audit.truth.fact_trace import TraceOf
from farm.benchmark.generate.prove import Prover
from farm.benchmark.generate.prove_tasks import loaded_task
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.universe import apps_with_units, explore
from farm.benchmark.generate.wording import is_chinese
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.tasks import OracleCall, TaskError
from farm.benchmark.tasks.facts import ledger_of
from farm.context.template import World, load_world
from farm.errors import FarmError

Raw = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What a raise asks a writer.

    Attributes:
        prompt: the name of the prompt's file, such as ``unnamed-1``.
        values: what fills the prompt, besides the person and the instruction.
        accept: returns the content of the harder task's file from the answer's JSON object; it raises ``FarmError``
            with one line that says what is wrong with the words.
        proof: why the raise is fair, as it is kept with the draft.
    """

    prompt: str
    values: Mapping[str, str]
    accept: Callable[[Mapping[str, Any]], Raw]
    proof: Mapping[str, Any]


@dataclass(frozen=True)
class PlayedCall:
    """A call of the oracle.

    Attributes:
        planned: the call as the task's file has it, with references.
        sent: the call with every reference filled in.
        body: the body of its result.
    """

    planned: OracleCall
    sent: OracleCall
    body: Any


class Scene:
    """A task to raise.

    Attributes:
        raw: the content of its file.
        me: the person for whom the agent works.
    """

    def __init__(self, raw: Raw, trace_of: TraceOf, universes: Path | None = None) -> None:
        """Know a task.

        Args:
            trace_of: where the rows of a world tell its facts.
            universes: the folder that keeps what people can find; None to keep nothing.
        """
        self.raw, self._trace_of, self._universes = raw, trace_of, universes
        self.world: World = load_world(raw["world"])
        self.me = str(raw.get("me", self.world.protagonist))

    @property
    def ledger(self) -> Ledger:
        """The facts of the world."""
        return ledger_of(self.world.name)

    @property
    def instruction(self) -> str:
        """The instruction with its facts and dates filled in."""
        return self.text(self.raw["instruction"]).strip()

    @property
    def is_chinese(self) -> bool:
        """Whether the instruction is in Chinese."""
        return is_chinese(self.instruction)

    def text(self, text: str) -> str:
        """Return a text of the task's file with its facts and dates filled in."""
        return rendered(self.ledger.render(text, self.raw["id"]), self.world.name)

    @cached_property
    def trace(self) -> Any:
        """Where the world's rows tell its facts."""
        return self._trace_of(self.world.name)

    @cached_property
    def ground(self) -> Ground:
        """What the person can find, in all apps whose units are known."""
        with LocalHost(interrupts=False) as host:
            apps = apps_with_units(self.world.name, self.me)
            return Ground(explore(host.farm, self.world.name, self.me, apps, self._universes), self.trace)

    @cached_property
    def prover(self) -> Prover:
        """Proves what words find in what the person can find."""
        return Prover(self.ground)

    @cached_property
    def unseen_titles(self) -> frozenset[str]:
        """The titles, folded, of all rows of the person's apps in which no play by units has shown a row."""
        start, found = self.played.start, set[str]()
        for app in (app for app, view in self.ground.universe.apps.items() if not view.seen):
            for table, roles in content.load_app(app).schema.roles.items():
                names = [name for name, role in roles.items() if role == "title"]
                found |= {fold(str(row[name])) for row in start.rows(app, table) for name in names if row.get(name)}
        return frozenset(found)

    @cached_property
    def played(self) -> AttackContext:
        """What the oracle left, as the audit plays it.

        Raises:
            FarmError: the task is invalid, or its oracle cannot be played.
        """
        with tempfile.TemporaryDirectory(prefix="farm-raise-") as temporary:
            folder = Path(temporary) / "drafts"
            folder.mkdir()
            auditor = Auditor(Path(temporary) / "data", self._trace_of)
            try:
                found = auditor.context(loaded_task(self.raw, folder))
            except (TaskError, MissingPlaceholderError) as problem:
                raise FarmError(f"{self.raw['id']}: {str(problem).splitlines()[0]}") from None
            finally:
                auditor.close()
        if found is None:
            raise FarmError(f"the oracle of {self.raw['id']} cannot be played, so nothing can be raised")
        return found

    @cached_property
    def calls(self) -> Sequence[PlayedCall]:
        """The oracle's calls in order."""
        return list(self._calls())

    def _calls(self) -> Iterator[PlayedCall]:
        context = self.played
        for (step, index), call in context.calls():
            body = None if call["refused"] else body_of(call["result"])
            yield PlayedCall(context.task.oracle[step][index], context.literal[step, index], body)
