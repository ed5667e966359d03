"""What an app is: its tools, how it words errors, how it answers, the forms of its ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from farm.dialects import Dialect
from farm.envelope import Envelope
from farm.kernel import Handler


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: its real name.
        handler: what answers.
        writes: the tables a call may change; none: it only reads.
        keeps: a refused call keeps what it had written, as the real server does here; otherwise it changes nothing.
    """

    name: str
    handler: Handler
    writes: tuple[str, ...] = ()
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class App:
    """One simulated service.

    Attributes:
        name: short lower-case name, also the folder in ``kernels/`` and ``contexts/``.
        title: name for people.
        category: what kind of service it is, for reports.
        dialect: how arguments are checked and what is wrong with them is worded (an instance from ``farm.dialects``).
        tools: every tool, in the vendor's order.
        ids: kind → form of the ids that handlers make (``farm.ids``).
        envelope: how answers and refusals are put into results (``farm.envelope``).
        any_name: the tool that also answers calls by names there are not, where the real server never looks at names.
        profiles: versions of the tool list that can be served.
        menus: named choices of tools that a person may show instead of all.
        hidden: left out of listings unless named (fixtures).
    """

    name: str
    title: str
    category: str
    dialect: Dialect
    tools: tuple[Tool, ...]
    ids: Mapping[str, str] = field(default_factory=dict)
    envelope: Envelope = field(default_factory=Envelope)
    any_name: str | None = None
    profiles: tuple[str, ...] = ("latest",)
    menus: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: bool = False
