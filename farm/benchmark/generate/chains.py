"""A chain of units with its placeholders: what a sampler returns, and what a task is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Saying = Literal["must", "may", "never"]


@dataclass(frozen=True)
class Placeholder:
    """A blank in a chain's prototype.

    Attributes:
        name: its name in braces in the prototype.
        type: what fills it: the kind of a fact, or the kind of a row.
        value: what fills it in the gold script: an id, or a value.
        said: what the instruction may do with the value.
        label: how people call it.
        rivals: other values that it could be mistaken for.
        app: the app that has the row; empty for a fact.
    """

    name: str
    type: str
    value: str
    said: Saying
    label: str
    rivals: tuple[str, ...] = ()
    app: str = ""


@dataclass(frozen=True)
class Act:
    """A writing call of a chain.

    Attributes:
        call: app, tool, arguments with references and facts, and the name ``as``.
        claims: column of the tool's first table → the condition that a right value meets.
    """

    call: Mapping[str, Any]
    claims: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Chain:
    """A chain of units.

    Attributes:
        family: the sampler that made it.
        reads: the steps that find things out.
        acts: what is done then, in this order.
        prototype: what is wanted, with a blank ``{NAME}`` for each placeholder.
        placeholders: the blanks.
        answer: what is answered, if anything.
        claims: the conditions on the answer.
        looked_up: calls of which one must have been made for the answer.
        support: how much of the world's talk joins its parts; 0 if nobody ever spoke of them together.
        priority: chains of a family with a higher one are drawn first: a place that has an old value wants the new one.
        notes: what a writer has to know besides the blanks: what an act does, what is counted.
    """

    family: str
    world: str
    me: str
    reads: Sequence[Sequence[Mapping[str, Any]]]
    acts: Sequence[Act]
    prototype: str
    placeholders: Sequence[Placeholder]
    answer: str = ""
    claims: Mapping[str, Any] = field(default_factory=dict)
    looked_up: Sequence[Mapping[str, Any]] = ()
    support: int = 0
    near_misses: Sequence[Mapping[str, Any]] = ()
    priority: int = 0
    notes: Sequence[str] = ()

    @property
    def apps(self) -> list[str]:
        """The apps that it uses."""
        return sorted({call["app"] for call in self.calls})

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """All its calls in order."""
        return [call for step in self.reads for call in step] + [act.call for act in self.acts]

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools in the order they are called; values and sizes of pages make no difference."""
        return tuple(f"{call['app']}.{call['tool']}" for call in self.calls)

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of the oracle."""
        return [{"calls": [dict(call) for call in step]} for step in (*self.reads, *([act.call] for act in self.acts))]
