"""What an app is: its tools, how it words errors, how it renders bodies, the forms of its ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from farm.dialects import Dialect
from farm.kernel import Handler
from farm.render import Render, RenderError, render_compact, render_error_text


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its real name, its handler, and the tables a call may change (none: it only reads)."""

    name: str
    handler: Handler
    writes: tuple[str, ...] = ()


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
        render: success body → CallToolResult bytes.
        render_error: refusal → CallToolResult bytes.
        acts_as: who a call is made as; ``person`` is the episode's ``me``.
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
    render: Render = render_compact
    render_error: RenderError = render_error_text
    acts_as: str = "person"
    profiles: tuple[str, ...] = ("latest",)
    menus: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hidden: bool = False
