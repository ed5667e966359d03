"""What an app is: its tools, how it words errors, how it answers, the forms of its ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from farm.dialects import Dialect
from farm.envelope import Envelope
from farm.kernel import Episode, Handler

# The profile that every app has: itself.
LATEST = "latest"


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
class Profile:
    """Another version of an app's server; whatever is None is as the app has it.

    A field named as one of ``App`` stands for that one. A profile's name is a state in time, the same for every app
    that knows it: an episode is played in one, and an app that does not know it plays as ``latest``.

    Attributes:
        note: what whoever plays or reads the profile must know, such as what in it is inferred.
        tools_json: the contract, a file beside ``tools.json``.
        names: the tools of the contract that are served, in the contract's order whatever the order here.
        tools: rows of the tool table that differ from the app's, or are new; the others are the app's, by name.
        dialect: how argument errors are worded.
        envelope: how answers and refusals are put into results.
        any_name: the tool that also answers calls by names there are not.
        menus: named choices of tools.
        recorded: what recorded calls of this version say as their ``server``, ``version`` or ``sdk``; nothing where it
            is the app's own version with fewer tools.
    """

    note: str = ""
    tools_json: str = "tools.json"
    names: tuple[str, ...] | None = None
    tools: tuple[Tool, ...] | None = None
    dialect: Dialect | None = None
    envelope: Envelope | None = None
    any_name: str | None = None
    menus: Mapping[str, tuple[str, ...]] | None = None
    recorded: tuple[str, ...] = ()


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
        serving: asked before a name that is no tool's is told to be none: it raises what the server refuses every call
            with for as long as it cannot serve. Handlers ask for themselves, where their server does.
        ready: asked before a call's arguments are looked at, where the real server looks at something else first: it
            raises what is refused with.
        profiles: other versions that can be played, by name; ``latest`` is the app as it stands here.
        menus: named choices of tools that a person may show instead of all.
        reference: what its handlers look things up in, beside an episode's own context: a folder in
            ``contexts/references/``, the same for every episode and for every app that names it.
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
    serving: Callable[[Episode], object] | None = None
    ready: Callable[[Episode], object] | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    menus: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reference: str | None = None
    hidden: bool = False

    def as_in(self, profile: Profile, served: Sequence[str]) -> App:
        """Return the app as a profile has it, with the tools that its contract serves, in that order."""
        own = {each.name for each in fields(self)} - {"tools"}
        given = {each.name: getattr(profile, each.name) for each in fields(profile) if each.name in own}
        changed = replace(self, **{name: value for name, value in given.items() if value is not None})
        rows = {tool.name: tool for tool in (*self.tools, *(profile.tools or ()))}
        # What an app's menu names and the profile has not is not shown; a menu of nothing else is none.
        left = {menu: tuple(name for name in names if name in served) for menu, names in changed.menus.items()}
        return replace(
            changed,
            tools=tuple(rows[name] for name in served if name in rows),
            menus={menu: names for menu, names in left.items() if names},
            any_name=changed.any_name if changed.any_name in served else None,
        )
