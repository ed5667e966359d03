"""Declarations of an app: its tools, the wording of its errors, its envelope, the forms of its ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from farm.appkit.dialects import Dialect
from farm.appkit.envelope import Envelope, Structure
from farm.appkit.handler_api import Episode, Handler
from farm.appkit.start_files import StartFiles

# The profile that every app has: itself.
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name: the tool's name on the real server.
        handler: the function that answers calls.
        writes: the tables that a call may change; empty for a tool that only reads.
        commits_on_error: whether a refused call commits its writes, as on the real server. Otherwise they are rolled
            back.
        structured: what stands beside the text of this tool's answers; None for what the envelope does.
        waits_until: returns the simulated time, in milliseconds, until which a call waits; only for a companion's tool.
            Before the handler runs, the episode's clock moves there, or to the first notice on the way.
        asks: returns the question that a call puts to the person at the client, or None; only for a companion's tool.
            If the client can ask its user, the handler finds the answer in the episode.
    """

    name: str
    handler: Handler
    writes: tuple[str, ...] = ()
    commits_on_error: bool = False
    structured: Structure | None = None
    waits_until: Callable[..., int] | None = None
    asks: Callable[..., str | None] | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt; the file of the tool list describes it under ``prompts``.

    Attributes:
        name: the prompt's name on the real server.
        handler: the function that answers ``prompts/get``. It receives the episode and the arguments, and returns the
            text of one message from the user, or the whole result.
    """

    name: str
    handler: Callable[..., str | Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource; the file of the tool list describes it under ``resources``.

    Attributes:
        uri: the resource's address.
        handler: the function that answers ``resources/read``. It receives the episode, and returns the text, or the
            list of contents.
    """

    uri: str
    handler: Callable[[Episode], str | Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """Resources with a common form of address; the file of the tool list describes them under ``resourceTemplates``.

    Attributes:
        uri_template: the form, with the names of its parts in braces.
        handler: the function that answers ``resources/read``. It receives the episode and the parts by name, still
            percent-encoded, and returns what a resource's handler returns.
        lists: the function that returns the descriptions of those that ``resources/list`` shows after the others.
    """

    uri_template: str
    handler: Callable[..., str | Sequence[Mapping[str, Any]]]
    lists: Callable[[Episode], Sequence[Mapping[str, Any]]] | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Another version of an app's server.

    A field with the name of a field of ``App`` overrides it; None keeps the app's value. A profile's name denotes a
    point in time and is the same for every app that defines it. An episode has one profile; an app that does not
    define it falls back to ``latest``.

    Attributes:
        note: a remark for users of the profile, such as which parts of it are inferred.
        tools_json: the name of the tool list, a file beside ``tools.json``.
        handshake: members of that file that differ: ``server``, ``protocol``, ``capabilities``.
        names: the served tools of that list. The list's order applies, whatever the order here.
        tools: rows of the tool table that are new or differ from the app's. Other tools keep the app's rows, by name.
        prompts, resources, templates: rows that are new or differ from the app's. As for tools, the file decides which
            rows the profile serves.
        dialect: validates arguments and words argument errors.
        envelope: turns answers and refusals into results.
        any_name: the tool that also answers calls of nonexistent tools.
        menus: menu name → its tools.
        recorded: the ``server``, ``version`` or ``sdk`` of recorded calls of this version. Empty if the profile is the
            app's own version with fewer tools.
    """

    note: str = ""
    tools_json: str = "tools.json"
    handshake: Mapping[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    tools: tuple[Tool, ...] | None = None
    prompts: tuple[Prompt, ...] | None = None
    resources: tuple[Resource, ...] | None = None
    templates: tuple[ResourceTemplate, ...] | None = None
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
        title: display name.
        called: what people call it besides its title, in any language.
        category: the kind of service, for reports.
        dialect: validates arguments and words refusals (an instance from ``farm.appkit.dialects``).
        tools: every tool, in the vendor's order.
        ids: kind → form of the ids that handlers make (``farm.appkit.ids``).
        envelope: turns answers and refusals into results (``farm.appkit.envelope``).
        any_name: the tool that also answers calls of nonexistent tools, if the real server ignores names.
        serving: called before an unknown tool name is refused. It raises the error with which the server refuses
            every call while it cannot serve. Handlers make this check themselves if their server does.
        ready: called before a call's arguments are validated, if the real server checks something else first. It
            raises the refusal.
        profiles: name → another version that an episode can be played with; ``latest`` is the app itself.
        menus: menu name → tools that a user may show instead of all.
        reference: a folder in ``contexts/references/`` with read-only data for its handlers. All episodes and all apps
            that name it share it.
        prompts: every prompt of the server.
        resources: every resource with a fixed address.
        templates: every resource template.
        files: how the app keeps files that are put into a start; None if it keeps none.
        hidden: whether listings omit the app unless it is named (fixtures).
        companion: whether it is a server of the farm's own beside the apps, for episodes that name it. It is hidden,
            too, and runs where the episodes' clocks are moved.
        user_rows: returns the rows of a start by which the person whom the agent works for answers questions, from the
            ``user`` of an episode; None if nobody can be asked here. It raises FarmError for a wrong script.
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
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    files: StartFiles | None = None
    hidden: bool = False
    companion: bool = False
    user_rows: Callable[[Mapping[str, Any]], list[dict[str, Any]]] | None = None
    called: tuple[str, ...] = ()

    def as_in(self, profile: Profile, served: Sequence[str]) -> App:
        """Return the app with a profile applied.

        Args:
            profile: the profile.
            served: the names of the tools that the profile serves, in order.
        """
        own = {each.name for each in fields(self)} - {"tools", "prompts", "resources", "templates"}
        given = {each.name: getattr(profile, each.name) for each in fields(profile) if each.name in own}
        changed = replace(self, **{name: value for name, value in given.items() if value is not None})
        rows = {tool.name: tool for tool in (*self.tools, *(profile.tools or ()))}
        # Tools that the profile does not serve are removed from menus; a menu that becomes empty is dropped.
        left = {menu: tuple(name for name in names if name in served) for menu, names in changed.menus.items()}
        return replace(
            changed,
            tools=tuple(rows[name] for name in served if name in rows),
            prompts=(*(profile.prompts or ()), *self.prompts),
            resources=(*(profile.resources or ()), *self.resources),
            templates=(*(profile.templates or ()), *self.templates),
            menus={menu: names for menu, names in left.items() if names},
            any_name=changed.any_name if changed.any_name in served else None,
        )
