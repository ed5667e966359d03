"""A test's own world: its servers, the calls and changes in it, and assertions on them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, overload

from pytest_mcp_farm import show
from pytest_mcp_farm._client.wire import Diff
from pytest_mcp_farm.errors import McpFarmError, ToolRefusedError
from pytest_mcp_farm.session import Session
from pytest_mcp_farm.tool_arguments import has_path, undeclared

if TYPE_CHECKING:
    from agents.mcp import MCPServer
    from google.adk.tools.mcp_tool import McpToolset
    from langchain_core.tools import BaseTool
    from pydantic_ai.mcp import MCPToolset

Change = Literal["create", "update", "delete"]
# The place in the farm's message; it is removed if the test did not write the checkpoints itself.
_PLACE = re.compile(r"^expectations: (checkpoints\[\d+\](\.where)?(: |\.))?")
_ID_MIN = 6  # shorter ids stand in other words, too
_NAME_COLUMNS = ("name", "title", "summary", "subject")
_CHANGES: dict[str, Change] = {"insert": "create", "update": "update", "delete": "delete"}


@dataclass(frozen=True)
class Person:
    """A person of the world. As a value in an assertion, a person stands for the id of their account.

    Attributes:
        key: their key in the world, such as ``sam``.
        accounts: app → the id of their account there.
    """

    key: str
    name: str
    email: str | None
    accounts: Mapping[str, str]
    _session: Callable[[], Session] | None = field(default=None, repr=False, compare=False)

    def when(
        self,
        table: str,
        change: Change = "create",
        /,
        *,
        where: Mapping[str, Any] | None = None,
        times: int | None = None,
        per: str | None = None,
        nth: int | None = None,
        after_rule: str | None = None,
        unless: str | None = None,
        by: str | None = None,
        id: str | None = None,
        **columns: Any,
    ) -> When:
        """Return what lets this person act when an agent's call creates, updates or deletes a row.

        ``world.people["ben"].when("slack.messages", channel="#opening", text={"contains": "chairs"}).reply("24.")``.

        Args:
            table: the table, as ``app.table``.
            change: ``create``, ``update`` or ``delete``.
            where: column, or what the app knows around a row, → its value, or operators; keywords are added to it.
            times: how often in all: once if absent, 0 for each time.
            per: a column for whose values ``times`` and ``nth`` count apart.
            nth: only the nth such row.
            after_rule: id of an earlier rule, after whose end this one is in force.
            unless: id of an earlier rule, whose end ends this one.
            by: ``anyone``, if rows of other people who answer count as well.
            id: a name for the trace.

        Raises:
            McpFarmError: the table is not written as ``app.table``.
        """
        __tracebackhide__ = True
        app, dot, name = table.partition(".")
        if not dot:
            raise McpFarmError(f"a table is written as app.table, such as slack.messages, not {table!r}")
        assert self._session is not None, "a person of a world has its session"
        given = {"times": times, "per": per, "nth": nth, "after_rule": after_rule, "unless": unless, "by": by, "id": id}
        wanted = {key: _named(value) for key, value in {**(where or {}), **columns}.items()}
        when = {"app": app, "table": name, "change": change, "where": wanted}
        kept = {key: value for key, value in given.items() if value is not None}
        return When(self._session, {"who": self.key, "when": when, **kept})

    @property
    def acted(self) -> list[str]:
        """What this person has done by rules so far, such as ``["reply", "react"]``."""
        __tracebackhide__ = True
        assert self._session is not None, "a person of a world has its session"
        acted = self._session().answers()["acted"]
        return [each["do"] for each in acted if each["who"] == self.key and "dropped" not in each]


def _named(value: Any) -> Any:
    """Return a value of a rule with people by their keys."""
    if isinstance(value, Person):
        return f"@{value.key}"
    if isinstance(value, Mapping):
        return {key: _named(each) for key, each in value.items()}
    return [_named(each) for each in value] if isinstance(value, list | tuple) else to_json_value(value)


class When:
    """What a person waits for; each of the methods lets them do one thing then."""

    def __init__(self, session: Callable[[], Session], rule: Mapping[str, Any]) -> None:
        self._session, self._rule = session, rule

    def does(self, verb: str, *, after: str | None = None, app: str | None = None, **arguments: Any) -> PersonRule:
        """Let the person do something, in this app or in another.

        Args:
            verb: what they do; docs/living.md lists each app's verbs and their arguments.
            after: the delay, such as ``5m``, or ``2m-9m`` for one drawn by the world's seed.
            app: where; by default, in the app of the row.
            arguments: what the verb takes. A text may have ``{row.column}``; a list of texts is a choice by the seed.

        Raises:
            McpFarmError: an app, table, column, verb or argument does not exist; the message names those that do.
        """
        __tracebackhide__ = True
        chosen = {"after": after, "app": app}
        step = {"do": verb, **{key: value for key, value in chosen.items() if value is not None}}
        made = self._session().add_person_rule({**self._rule, "then": [step | _named(arguments)]})
        return PersonRule(str(made["id"]), self._session)

    def reply(self, text: str | Sequence[str], *, after: str | None = None) -> PersonRule:
        """Let the person answer with a text where the row is."""
        __tracebackhide__ = True
        return self.does("reply", after=after, text=text)

    def react(self, emoji: str, *, after: str | None = None) -> PersonRule:
        """Let the person put an emoji on the row."""
        __tracebackhide__ = True
        return self.does("react", after=after, emoji=emoji)


class PersonRule:
    """A rule by which a person answers.

    Attributes:
        id: its name in the trace.
    """

    def __init__(self, id: str, session: Callable[[], Session]) -> None:
        self.id, self._session = id, session

    def __repr__(self) -> str:
        return f"<rule {self.id}>"

    def _now(self) -> Mapping[str, Any]:
        __tracebackhide__ = True
        return next(each for each in self._session().answers()["rules"] if each["id"] == self.id)

    @property
    def matched(self) -> int:
        """How many rows it was about."""
        __tracebackhide__ = True
        return int(self._now()["matched"])

    @property
    def fired(self) -> int:
        """How many of them the person answers, now or later."""
        __tracebackhide__ = True
        return int(self._now()["fired"])


@dataclass(frozen=True)
class Call:
    """One tool call.

    Attributes:
        n: its position in the trace, from 1.
        result: the CallToolResult, or ``{"error": …}``.
        refused: whether the app refused it.
        now: the simulated time of the call.
        by: key of the person who called; None for the one whom the agent works for.
        fault: id of the planned fault that the call fell to; None for none.
        people: who is going to answer the call, each with ``who`` and the ``rule``.
    """

    n: int
    app: str
    tool: str
    arguments: Any
    result: Mapping[str, Any] = field(repr=False)
    refused: bool
    wrote: bool
    now: str
    by: str | None = None
    fault: str | None = None
    people: Sequence[Mapping[str, str]] | None = None

    @property
    def text(self) -> str:
        """The text of the result."""
        return show.text_of(self.result)

    def __repr__(self) -> str:
        end = f" refused: {show.short(self.text)}" if self.refused else ""
        return f"<#{self.n} {self.app}.{self.tool} {show.short(self.arguments)}{end}>"


# Raises an error if no call of an app's tool, or of any app's, can have these arguments; and the tool's calls so far.
Require = Callable[[str | None, str | None, Mapping[str, Any], Sequence[Call]], None]


class Calls(Sequence[Call]):
    """The recorded calls, in order."""

    def __init__(self, calls: Sequence[Call], require: Require | None = None) -> None:
        """Store calls; ``require`` raises an error for an app, tool or argument that no call could have."""
        self._calls = list(calls)
        self._require = require

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> Calls: ...
    def __getitem__(self, index: int | slice) -> Call | Calls:
        return Calls(self._calls[index], self._require) if isinstance(index, slice) else self._calls[index]

    def __len__(self) -> int:
        return len(self._calls)

    def __eq__(self, other: object) -> bool:
        return self._calls == (other._calls if isinstance(other, Calls) else other)

    __hash__ = None  # type: ignore[assignment] # a list, in all but its methods

    def __repr__(self) -> str:
        return repr(self._calls)

    @property
    def refused(self) -> Calls:
        """The calls that an app refused by itself; those of planned faults are in ``faulted``."""
        return Calls([each for each in self._calls if each.refused and each.fault is None], self._require)

    @property
    def faulted(self) -> Calls:
        """The calls that fell to a planned fault: refused, lost, late or cut."""
        return Calls([each for each in self._calls if each.fault is not None], self._require)

    @property
    def tools(self) -> list[str]:
        """The names of the tools, in order."""
        return [each.tool for each in self._calls]

    def for_app(self, app: str, tool: str | None = None) -> Calls:
        """Return the calls of an app, or of one of its tools.

        Raises:
            McpFarmError: the app or tool does not exist, so it could never have a call.
        """
        __tracebackhide__ = True
        found = [each for each in self._calls if each.app == app and tool in (None, each.tool)]
        if not found and self._require:
            self._require(app, tool, {}, found)
        return Calls(found, self._require)

    # -- assertions ------------------------------------------------------------------------------------------------

    def matching(self, tool: str, **arguments: Any) -> Calls:
        """Return the calls of a tool, written as ``tool`` or ``app.tool``, with at least these arguments.

        Raises:
            McpFarmError: the app or tool does not exist, or the tool has no such argument, so it could never have
                such a call.
        """
        __tracebackhide__ = True
        app, dot, name = tool.partition(".")
        found = [each for each in self._calls if (each.app, each.tool) == (app, name) or each.tool == tool]
        if self._require:
            self._require(app if dot else None, name if dot else tool, arguments, found)
        return Calls([each for each in found if _includes(each.arguments, arguments)], self._require)

    def assert_called(self, tool: str, times: int | None = None, **arguments: Any) -> None:
        """Assert that a tool was called with at least these arguments, ``times`` times or at least once."""
        __tracebackhide__ = True
        if times is not None and (isinstance(times, bool) or not isinstance(times, int)):
            raise McpFarmError(f"times is a number of calls, such as 2, not {times!r}")
        found = self.matching(tool, **arguments)
        if not found or times not in (None, len(found)):
            wish = "" if times is None else f" {times} times"
            given = f" with {show.short(arguments)}" if arguments else ""
            raise AssertionError(f"expected {tool} to be called{wish}{given}, found {len(found)}\n\n{self._shown()}")

    def assert_not_called(self, tool: str, **arguments: Any) -> None:
        """Assert that a tool was never called with these arguments."""
        __tracebackhide__ = True
        if found := self.matching(tool, **arguments):
            raise AssertionError(f"expected no call of {tool}, found {found!r}\n\n{self._shown()}")

    def assert_order(self, *tools: str) -> None:
        """Assert that these tools were called in this order; other calls may lie between."""
        __tracebackhide__ = True
        at = 0
        for place, tool in enumerate(tools):
            numbers = [each.n for each in self.matching(tool) if each.n > at]
            if not numbers:
                after = f" after {tools[place - 1]}" if place else ""
                raise AssertionError(f"expected a call of {tool}{after}, found none\n\n{self._shown()}")
            at = numbers[0]

    def _shown(self) -> str:
        return show.trace([{**vars(each)} for each in self._calls])


def _includes(value: Any, wanted: Any) -> bool:
    """Return whether a value has at least what is wanted, in mappings at any depth."""
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and _includes(value[name], each) for name, each in wanted.items()
        )
    return bool(value == to_json_value(wanted))


def _is_in_some(calls: Sequence[Call], path: str) -> bool:
    return any(has_path(each.arguments, path) for each in calls)


class Fault:
    """A planned fault of a world.

    Attributes:
        app: the app whose calls fail.
        id: its name in the trace.
        kind: how they fail.
    """

    def __init__(self, app: str, made: Mapping[str, Any], session: Callable[[], Session]) -> None:
        self.app, self.id, self.kind = app, str(made["id"]), str(made["kind"])
        self._session = session

    def __repr__(self) -> str:
        return f"<fault {self.id} of {self.app}>"

    def _now(self) -> Mapping[str, Any]:
        __tracebackhide__ = True
        return next(each for each in self._session().faults() if (each["app"], each["id"]) == (self.app, self.id))

    @property
    def matched(self) -> int:
        """The number of calls that its tools and arguments fit."""
        __tracebackhide__ = True
        return int(self._now()["matched"])

    @property
    def failed(self) -> int:
        """The number of calls that failed by it."""
        __tracebackhide__ = True
        return int(self._now()["failed"])

    def heal(self) -> None:
        """End it: further calls succeed."""
        __tracebackhide__ = True
        self._session().heal_fault(self.app, self.id)


@dataclass(frozen=True)
class Arrival:
    """A row that arrived, or of which a moment came due, while a test moved the clock.

    Attributes:
        at: when it arrived, RFC 3339.
        what: what it is, in a few words.
        row: its columns.
        dropped: whether it no longer fitted: the row that it belongs to was deleted, or its key was taken.
        due: the column whose moment came, of a row that was there before; empty for a row that arrived.
        notice: what the person whom the agent works for was notified of; empty for nothing.
        by: the key of the person who did it by a rule; None for a row that was scheduled.
        rule: id of the rule.
        do: what the person did, such as ``reply``.
    """

    app: str
    at: str
    table: str
    what: str
    row: Mapping[str, Any] = field(repr=False)
    dropped: bool = False
    due: str = ""
    notice: str = ""
    by: str | None = None
    rule: str | None = None
    do: str | None = None


class Clock:
    """The world's simulated time. It is frozen until a test moves it; a live clock is this machine's.

    Each call that writes advances it by a millisecond, so that writes are ordered. Moving it lets the rows arrive that
    are scheduled for the world's week, if the world was made with ``arrivals=True`` or is live.

    Attributes:
        came: what arrived by the last move, in order over all apps.
    """

    def __init__(self, session: Callable[[], Session]) -> None:
        self._session = session
        self.came: list[Arrival] = []

    def _move(self, **move: Any) -> datetime:
        __tracebackhide__ = True
        now, came = self._session().move(move)
        self.came = [Arrival(**each) for each in came]
        return datetime.fromisoformat(now)

    @property
    def now(self) -> datetime:
        """The time, in the world's zone."""
        __tracebackhide__ = True
        return datetime.fromisoformat(self._session().now())

    def advance(self, by: timedelta | None = None, /, **units: float) -> datetime:
        """Move the time forward, by a ``timedelta`` or as in ``advance(days=1, hours=2)``, and return it."""
        __tracebackhide__ = True
        try:
            step = timedelta(**units) if by is None else by
        except TypeError:
            raise McpFarmError(f"a clock advances by weeks, days, hours, minutes or seconds, not {units}") from None
        if (by is None) == (not units):
            raise McpFarmError("give the clock either a timedelta or its parts, as in advance(hours=2)")
        if not isinstance(step, timedelta):
            raise McpFarmError(f"a clock advances by a timedelta or its parts, as in advance(hours=2), not by {by!r}")
        if step < timedelta(0):
            raise McpFarmError("a clock only moves forward; restore a snapshot to go back")
        return self._move(advance_s=step.total_seconds())

    def advance_to(self, moment: datetime | str) -> datetime:
        """Move the time forward to a moment, an aware datetime or RFC 3339, and return it."""
        __tracebackhide__ = True
        return self._move(to=to_json_value(moment))

    def next(self) -> list[Arrival]:
        """Move the time to the next arrival, and return what arrived.

        Raises:
            McpFarmError: nothing waits to arrive.
        """
        __tracebackhide__ = True
        self._move(next=True)
        return self.came

    def until_quiet(self) -> list[Arrival]:
        """Move the time until nothing waits to arrive, and return what arrived."""
        __tracebackhide__ = True
        self._move(quiet=True)
        return self.came

    def set_rate(self, rate: int) -> None:
        """Let so many seconds of simulated time pass in one of this machine's: 0 is frozen, 1 is live."""
        __tracebackhide__ = True
        self._move(rate=rate)


class World:
    """Some apps of a world in one episode, for this test alone.

    Attributes:
        name: the world's name.
        id: the episode's id.
        apps: its apps.
        token: the bearer that an agent's client sends; None if none is required.
        clock: the simulated time.
        is_closed: whether the episode was dropped.
    """

    def __init__(self, name: str, session: Session, keep: Callable[[World], None]) -> None:
        self._opened = session
        self._keep = keep
        self._people: dict[str, Person] | None = None
        self._begin = _Begin()
        self._begun_at: dict[str, _Begin] = {}  # snapshot → from where calls and changes counted when it was taken
        self._asserted: dict[tuple[str, str], list[dict[str, Any]]] = {}  # app and table → the asserted changed rows
        self._tools: dict[str, dict[str, Mapping[str, Any]]] = {}  # app → tool → its inputSchema
        self.is_closed = False
        self.name = name
        self.id, self.apps, self.token = session.id, session.apps, session.token
        self.clock = Clock(lambda: self._session)
        keep(self)

    def __repr__(self) -> str:
        return f"<world {self.name} with {', '.join(self.apps)}>"

    @property
    def _session(self) -> Session:
        __tracebackhide__ = True
        if self.is_closed:
            raise McpFarmError(
                "this world is closed; make another, or close it later: a world ends with the test that made it, and "
                "mcp_farm.prepared() makes one start for many tests"
            )
        return self._opened

    def _require_app(self, app: str) -> None:
        __tracebackhide__ = True
        if app not in self.apps:
            raise McpFarmError(f"no app '{app}' in this world; it has {', '.join(self.apps)}")

    # -- connections for agents ------------------------------------------------------------------------------------

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server (Streamable HTTP)."""
        __tracebackhide__ = True
        self._require_app(app)
        return self._session.url(app)

    @property
    def urls(self) -> dict[str, str]:
        """App → URL of its MCP server."""
        __tracebackhide__ = True
        return {app: self.url(app) for app in self.apps}

    @property
    def mcp_all(self) -> str:
        """URL of one MCP server with the tools of all apps, each as ``app__tool``; only a gateway provides it."""
        __tracebackhide__ = True
        return self._session.url_of_all()

    def connection(self, app: str | None = None) -> dict[str, Any]:
        """Return ``url`` and ``headers``, as most frameworks take them; without an app, those of ``mcp_all``."""
        __tracebackhide__ = True
        url = self.mcp_all if app is None else self.url(app)
        return {"url": url, "headers": {"Authorization": f"Bearer {self.token}"} if self.token else {}}

    def renew_token(self) -> str:
        """Issue a new token in place of the world's, which is refused from then on, and return it.

        A fault of the kind ``unauthorized`` by which the old one has expired is over.
        """
        __tracebackhide__ = True
        self.token = self._session.renew_token()
        return self.token

    def mcp_config(self) -> dict[str, Any]:
        """Return the servers as ``{"mcpServers": …}``, the form of Claude-style configuration files."""
        __tracebackhide__ = True
        return {"mcpServers": {app: {"type": "http", **self.connection(app)} for app in self.apps}}

    # Servers for frameworks. Each method imports its framework itself; this plugin installs none of them.

    async def langchain_tools(self) -> list[BaseTool]:
        """Return the tools of all apps for LangChain and LangGraph, as ``langchain-mcp-adapters`` makes them.

        ``agent = create_agent(model, await world.langchain_tools())``. The tools work in any event loop, as each call
        opens a new connection. They are async only: ``await agent.ainvoke(…)``. The model receives an app's refusals as
        results.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm import frameworks

        return await frameworks.langchain_tools(self)

    def openai_agents_servers(self) -> AbstractAsyncContextManager[list[MCPServer]]:
        """Connect to the servers for the OpenAI Agents SDK; the end of the block disconnects them.

        ``async with world.openai_agents_servers() as servers: agent = Agent(…, mcp_servers=servers)``. There is one
        server for each app, under the app's name. Run the agent inside the block.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm import frameworks

        return frameworks.openai_agents_servers(self)

    def pydantic_ai_toolsets(self) -> list[MCPToolset[Any]]:
        """Return a toolset for each app for pydantic-ai: ``Agent(model, toolsets=world.pydantic_ai_toolsets())``.

        A run connects them and disconnects them at its end, so ``agent.run_sync(…)`` and ``await agent.run(…)`` both
        work.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm import frameworks

        return frameworks.pydantic_ai_toolsets(self)

    def adk_toolsets(self) -> list[McpToolset]:
        """Return a toolset for each app for Google's Agent Development Kit: ``LlmAgent(tools=world.adk_toolsets())``.

        They connect when first used; ``await runner.close()`` disconnects them.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm import frameworks

        return frameworks.adk_toolsets(self)

    # -- people ----------------------------------------------------------------------------------------------------

    @property
    def people(self) -> Mapping[str, Person]:
        """Key → person."""
        __tracebackhide__ = True
        if self._people is None:
            self._people = _People(
                (
                    each["person"],
                    Person(
                        each["person"],
                        each["name_en"] or each["name_zh"],
                        each["email"],
                        _Accounts(each["person"], each["accounts"]),
                        lambda: self._session,
                    ),
                )
                for each in self._session.people()
            )
        return self._people

    @property
    def me(self) -> Person:
        """The person whose accounts the servers act for."""
        __tracebackhide__ = True
        assert self._session.me is not None, "every world has a protagonist"
        return self.people[self._session.me]

    # -- calls and rows --------------------------------------------------------------------------------------------

    def call(self, app: str, tool: str, given: Mapping[str, Any] | None = None, /, **arguments: Any) -> Any:
        """Call a tool as an agent would and return the body of its answer: parsed if it is JSON, else the text.

        Args:
            given: the arguments as a mapping, in place of keywords.

        Raises:
            ToolRefusedError: the app refused; the message is the vendor's.
            McpFarmError: the arguments are not JSON, so no agent could have sent them.
        """
        __tracebackhide__ = True
        self._require_app(app)
        return self._call(self._session, app, tool, given, arguments)

    def _call(
        self, session: Session, app: str, tool: str, given: Mapping[str, Any] | None, arguments: Mapping[str, Any]
    ) -> Any:
        __tracebackhide__ = True
        if given is not None and (arguments or not isinstance(given, Mapping)):
            raise McpFarmError(f"the arguments of {tool} are either keywords or one mapping of name to value")
        try:
            sent = json.loads(json.dumps(arguments if given is None else dict(given)))
        except (TypeError, ValueError) as problem:
            raise McpFarmError(f"the arguments of {tool} cannot be sent as JSON: {problem}") from None
        result, refused = session.call(app, tool, sent)
        if refused:
            raise ToolRefusedError(app, tool, show.text_of(result), result, self._unknown_tool(app, tool, result))
        return _body(result)

    def as_(self, person: str | Person) -> ActingPerson:
        """Return this world as another person uses it: the same rows, and calls made with their accounts.

        ``world.as_("ben").call("slack", "slack_post_message", …)``.

        Args:
            person: the person or their key.

        Raises:
            McpFarmError: there is no such person, or they have no account here.
        """
        __tracebackhide__ = True
        key = person.key if isinstance(person, Person) else person
        if not isinstance(key, str):
            raise McpFarmError(f"a person is named by the key, such as world.me.key, not {person!r}")
        return ActingPerson(self, self._session.as_(key), self._call)

    def _unknown_tool(self, app: str, tool: str, result: Mapping[str, Any]) -> str | None:
        """Return what is wrong with the tool's name if the refusal is about it; the vendor does not list the others."""
        if tool not in show.text_of(result):
            return None
        try:
            self._require_tool(app, tool)
        except McpFarmError as problem:
            return str(problem)
        return None

    @property
    def calls(self) -> Calls:
        """The tool calls since the start, including the test's own."""
        __tracebackhide__ = True
        names = ("n", "app", "tool", "arguments", "result", "refused", "wrote", "now")
        own = ("by", "fault", "people")  # only some calls have them
        made = [
            Call(**{name: each[name] for name in names} | {name: each.get(name) for name in own})
            for each in self._trace()
        ]
        return Calls(made, self._require_call)

    def _trace(self) -> list[dict[str, Any]]:
        __tracebackhide__ = True
        return self._session.calls()[self._begin.calls :]

    def _require_call(
        self, app: str | None, tool: str | None, arguments: Mapping[str, Any], found: Sequence[Call]
    ) -> None:
        """Raise an error if no call can be as asked; a call that an agent did make can, whatever the tool declares."""
        __tracebackhide__ = True
        if not found:
            self._require_tool(app, tool)
        if tool is None or not arguments:
            return
        schemas = [each for one in (self.apps if app is None else [app]) for each in self._schemas(one, tool)]
        problems: list[tuple[str, str]] = []
        for schema in schemas:
            wrong = [each for each in undeclared(schema, arguments) if not _is_in_some(found, each[0])]
            if not wrong:
                return
            problems += wrong
        for path, declared in problems:
            raise McpFarmError(f"{tool} has no argument '{path}'; {declared}")

    def _schemas(self, app: str, tool: str) -> list[Mapping[str, Any]]:
        """Return the ``inputSchema`` of a tool, if the app shows it."""
        if app not in self._tools:
            self._tools[app] = {each["name"]: each["inputSchema"] for each in self._session.tools(app)}
        return [self._tools[app][tool]] if tool in self._tools[app] else []

    def _require_tool(self, app: str | None, tool: str | None) -> None:
        __tracebackhide__ = True
        if app is None:
            self._require_tool_of_some_app(str(tool))
            return
        self._require_app(app)
        if tool is not None:
            # The farm validates a description of calls, as it knows the tools of each app.
            self._check(
                {"checkpoints": [{"id": "of", "kind": "other", "predicate": "called", "app": app, "tool": tool}]}
            )

    def _require_tool_of_some_app(self, tool: str) -> None:
        __tracebackhide__ = True
        problems = []
        for app in self.apps:
            try:
                self._require_tool(app, tool)
            except McpFarmError as problem:
                problems.append(str(problem))
            else:
                return
        # The one that knows a similar name says most.
        best = next((each for each in problems if "did you mean" in each), None)
        raise McpFarmError(best or f"no app of this world has a tool '{tool}'; it has {', '.join(self.apps)}")

    def rows(self, app: str, table: str, /, **where: Any) -> list[dict[str, Any]]:
        """Return the rows of a table, by key; keywords select rows with these stored values."""
        __tracebackhide__ = True
        self._require_app(app)
        wanted = {name: _stored(name, value, app) for name, value in where.items()}
        rows = self._session.rows(app, table)
        for name in where:
            if rows and name not in rows[0]:
                raise McpFarmError(f"no column '{name}' in {app}.{table}; have {', '.join(rows[0])}")
        if where and not rows:
            self._require_columns(app, table, where)
        for name, value in wanted.items():
            stored = next((row[name] for row in rows if row[name] is not None), value)
            if value is not None and isinstance(stored, str) != isinstance(value, str):
                kind, example = ("texts", show.short(stored, 40)) if isinstance(stored, str) else ("numbers", stored)
                raise McpFarmError(f"{app}.{table}.{name} holds {kind}, such as {example!r}, not {value!r}")
        return [row for row in rows if all(row[name] == value for name, value in wanted.items())]

    def _require_columns(self, app: str, table: str, names: Mapping[str, Any]) -> None:
        """Make the farm list the valid column names, which rows alone do not show."""
        __tracebackhide__ = True
        point = {"id": "columns", "kind": "operate", "change": "update", "app": app, "table": table}
        self._check({"checkpoints": [{**point, "where": dict.fromkeys(names)}]})

    def diff(self, since: str | None = None) -> Diff:
        """Return app → table → the rows that changed since the start or a snapshot, with ``old`` and ``new``."""
        __tracebackhide__ = True
        return self._session.diff(since or self._begin.snapshot or "start")

    def start_here(self) -> None:
        """Ignore all earlier calls and changes: calls, diffs and assertions count only what follows."""
        __tracebackhide__ = True
        self._begin = _Begin(len(self._session.calls()), self._session.snapshot(None))
        self._asserted.clear()

    # -- faults ----------------------------------------------------------------------------------------------------

    def fault(
        self,
        app: str,
        kind: str,
        *,
        tool: str | Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        attempts: Sequence[int] | None = None,
        calls: Sequence[int] | None = None,
        share: float | None = None,
        from_: datetime | str | None = None,
        until: datetime | str | None = None,
        retry_after: str | None = None,
        heals_after: int | None = None,
        delay: str | None = None,
        items_max: int | None = None,
        id: str | None = None,
    ) -> Fault:
        """Make calls of an app fail from now on, the same ones in every run.

        ``world.fault("slack", "rate_limited", tool="slack_post_message")``: the first attempt of each such call is
        refused in Slack's words, and its retry succeeds.

        Args:
            app: the app.
            kind: in the vendor's words ``rate_limited``, ``token_expired``, ``no_permission``, ``server_error``,
                ``timeout``, or ``lost`` (done, but the answer is a time-out); ``unavailable`` (HTTP 503),
                ``unauthorized`` (401 until ``renew_token`` or until it is healed), ``dropped`` (the connection closes),
                ``slow``, ``partial``.
            tool: a tool, a glob, ``"reads"`` or ``"writes"``, or several; by default, all.
            where: argument → its value, or operators such as ``{"contains": "invoice"}``.
            attempts: which attempts of one and the same call fail; ``[1]`` if nothing else is said.
            calls: which of the matching calls fail, by order of arrival.
            share: the part of the matching calls that fails, drawn by the world's seed.
            from_: the simulated time from which calls fail.
            until: the simulated time until which they fail.
            retry_after: the delay that the vendor promises, such as ``"30s"``.
            heals_after: the number of failed calls after which the fault is over.
            delay: how late a ``slow`` answer comes, such as ``"3s"``.
            items_max: the largest page of a ``partial`` answer.
            id: a name for the trace.

        Raises:
            McpFarmError: an app, kind, tool, argument or value does not exist; the message names those that do.
        """
        __tracebackhide__ = True
        self._require_app(app)
        given = {
            "id": id,
            "kind": kind,
            "where": where,
            "share": share,
            "from": from_,
            "until": until,
            "delay": delay,
            "tools": [tool] if isinstance(tool, str) else tool,
            "retry_after": retry_after,
            "calls": calls,
            "heals_after": heals_after,
            "items_max": items_max,
            "attempts": attempts,
        }
        rule = {name: to_json_value(value) for name, value in given.items() if value is not None}
        return Fault(app, self._session.add_fault(app, rule), lambda: self._session)

    @property
    def faults(self) -> list[Fault]:
        """The planned faults, app by app in the order in which they were planned."""
        __tracebackhide__ = True
        return [Fault(str(each["app"]), each, lambda: self._session) for each in self._session.faults()]

    def assert_recovered(self, app: str | None = None) -> None:
        """Assert that faults struck, what they kept from being done was done later, and nothing was done twice."""
        __tracebackhide__ = True
        self._assert_predicate("recovered", {} if app is None else {"app": app})

    def assert_backed_off(self, wait_s: int = 30, app: str | None = None) -> None:
        """Assert that faults struck, and no failed call was made again within so many seconds of simulated time."""
        __tracebackhide__ = True
        self._assert_predicate("backed_off", {"wait_s": wait_s} | ({} if app is None else {"app": app}))

    def _assert_predicate(self, predicate: str, options: Mapping[str, Any]) -> None:
        __tracebackhide__ = True
        point = {"id": predicate, "kind": "other", "predicate": predicate, **options}
        [verdict] = self._check({"checkpoints": [point]})["checkpoints"]
        if verdict["score"] < 1.0:
            raise self._failed(str(verdict["why"]))

    # -- copies ----------------------------------------------------------------------------------------------------

    def snapshot(self, name: str | None = None) -> str:
        """Save a consistent snapshot over all apps and return its name."""
        __tracebackhide__ = True
        saved = self._session.snapshot(name)
        self._begun_at[saved] = self._begin
        return saved

    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot, and the point from which changes count."""
        __tracebackhide__ = True
        self._session.restore(name)
        self._begin = self._begun_at.get(name, self._begin)
        self._asserted.clear()

    def fork(self, snapshot: str | None = None, *, keep: Callable[[World], None] | None = None) -> World:
        """Return a copy of the current state or of a snapshot, with its calls; the two are independent from then on.

        If ``start_here`` was called before that state, the copy starts to count at its own creation.

        Args:
            keep: receives the copy, to drop it at the end; by default, the test's own fixture drops it.
        """
        __tracebackhide__ = True
        copy = World(self.name, self._session.fork(snapshot), keep or self._keep)
        begin = self._begin if snapshot is None else self._begun_at.get(snapshot, self._begin)
        if begin.snapshot is not None:
            copy.start_here()
        return copy

    # -- assertions ------------------------------------------------------------------------------------------------

    def assert_changed(
        self,
        table: str,
        *,
        where: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
        change: Change | None = None,
        count: int = 1,
    ) -> None:
        """Assert that ``count`` rows of a table, such as ``"lark.events"``, were created, updated or deleted.

        Values are compared as in a task's checkpoints: times as moments in whatever form the app stores them,
        ``{"claims": […]}`` and other operators by what a text asserts, a ``Person`` by the account.

        Args:
            where: selects rows: a created row by its new values, any other by its old values.
            after: the values that the row must have now.
            change: the required kind of change; by default, any of the three.
            count: the number of rows.
        """
        __tracebackhide__ = True
        for argument, values in (("where", where), ("after", after)):
            if values is not None and not isinstance(values, Mapping):
                raise McpFarmError(
                    f"{argument} is a table of column and value, such as {{'text': 'Hi'}}, not {values!r}"
                )
        app, name = self._table(table)
        changed = self.diff().get(app, {}).get(name, [])
        seen = {_CHANGES[row["op"]] for row in changed}
        kinds = [change] if change else sorted(seen - ({"delete"} if after else set()))
        if not changed:
            self._require_table(app, name)
        point = {
            "kind": "operate",
            "app": app,
            "table": name,
            "where": where or {},
            "after": after or {},
            "count": count,
        }
        # Checked even if nothing changed, so that a wrong name is reported as such.
        asked = [{**point, "id": kind, "change": kind} for kind in kinds or ["update"]]
        verdicts = self._check({"checkpoints": asked})["checkpoints"]
        if not kinds:
            what = "was created or updated" if after else "changed"
            raise self._failed(f"expected a row of {table} to change{_with(where)}; none {what}")
        best = max(verdicts, key=lambda each: float(each["score"]))
        if sum(each["found"] for each in verdicts) != count:
            if best["score"] < 1.0:
                hints = self._hints(app, {**(where or {}), **(after or {})})
                raise self._failed("\n".join([str(best["why"]), *hints]))
            found = ", ".join(f"{each['found']} {each['id']}d" for each in verdicts)
            raise self._failed(f"expected {count} of {table} to change{_with(where)}, found {found}")
        for each in verdicts:
            if each["found"]:
                # assert_only finds these rows again, however many of their columns changed or what else new ones hold.
                columns = list(changed[0]["new"] or changed[0]["old"]) if each["id"] == "update" else []
                was = {**point, "change": each["id"], "count": each["found"], "may_change": columns}
                was |= {"free": ["*"]} if each["id"] == "create" else {}
                self._asserted.setdefault((app, name), []).append(was)

    def assert_only(self, *tables: str) -> None:
        """Assert that only rows of these tables changed in any app; without tables, that nothing changed at all.

        In a table in which ``assert_changed`` has found rows, only those rows may have changed. Columns that the apps
        update themselves, such as a channel's last message, do not count. Reverted changes count if other people
        noticed them.
        """
        __tracebackhide__ = True
        allow: list[dict[str, Any]] = []
        asserted: list[dict[str, Any]] = []
        for table in tables:
            app, name = self._table(table)
            found = self._asserted.get((app, name), [])
            if not found:
                self._require_table(app, name)
                allow.append({"app": app, "table": name})
            asserted += found
        points = [{**each, "id": f"asserted-{number}"} for number, each in enumerate(asserted, 1)]
        damage = self._check({"checkpoints": points, "allow": allow})["damage"]
        if damage:
            wish = f"nothing but {', '.join(tables)}" if tables else "nothing"
            why = "; ".join(dict.fromkeys(str(each["why"]) for each in damage))
            raise self._failed(f"expected {wish} to change; {why}")

    def assert_checkpoints(
        self,
        checkpoints: Sequence[Mapping[str, Any]],
        *,
        answer: str = "",
        allow: Sequence[Mapping[str, Any]] | None = None,
        lookups: Mapping[str, Any] | None = None,
    ) -> None:
        """Assert that checkpoints hold, written as in a task file, and that nothing else changed.

        Args:
            checkpoints: as ``[[checkpoints]]`` of a task; their ``id`` is optional.
            answer: the agent's last message.
            allow: other permitted changes, as ``[[allow]]`` of a task.
            lookups: as ``[lookups]`` of a task.
        """
        __tracebackhide__ = True
        if isinstance(checkpoints, Mapping) or not all(isinstance(each, Mapping) for each in checkpoints):
            raise McpFarmError("checkpoints are a list of tables, as [[checkpoints]] of a task are")
        named = [{"id": f"checkpoint-{number}", **each} for number, each in enumerate(checkpoints, 1)]
        wish = {"checkpoints": named, "allow": list(allow or ()), "lookups": dict(lookups or {}), "answer": answer}
        self._require_verdict(self._check(wish, is_written=True))

    def assert_task(self, name: str, answer: str = "") -> None:
        """Assert that a task, such as ``"demo/lark-new-room"``, was done in this world, and nothing else."""
        __tracebackhide__ = True
        self._require_verdict(self._check({"task": name, "answer": answer}, is_written=True))

    def _require_verdict(self, verdict: Mapping[str, Any]) -> None:
        __tracebackhide__ = True
        wrong = [f"{each['id']}: {each['why']}" for each in verdict["checkpoints"] if each["score"] < 1.0]
        wrong += dict.fromkeys(f"beside that: {each['why']}" for each in verdict["damage"])
        if wrong:
            raise self._failed("\n".join(wrong))

    def _check(self, expectations: Mapping[str, Any], *, is_written: bool = False) -> dict[str, Any]:
        """Let the farm judge; ``is_written``: the test wrote the checkpoints itself, so messages keep their places."""
        __tracebackhide__ = True
        begin = self._begin
        given = {} if begin.snapshot is None else {"since": begin.snapshot, "calls_after": begin.calls}
        try:
            return self._session.check({**to_json_value(expectations), **given})
        except McpFarmError as problem:
            if is_written:
                raise
            raise McpFarmError(_PLACE.sub("", str(problem))) from None

    def _table(self, table: str) -> tuple[str, str]:
        """Return app and table; if there is only one app, its name is optional."""
        __tracebackhide__ = True
        app, dot, name = table.partition(".")
        if not dot and len(self.apps) == 1:
            return self.apps[0], table
        if not dot or not name:
            if app in self.apps:
                raise McpFarmError(f"'{table}' is an app; name a table of it, which 'farm tables {app}' lists")
            example = f"{self._app_with(table) or self.apps[0]}.{table or 'events'}"
            raise McpFarmError(f"a table is named with its app, as in '{example}', not '{table}'")
        self._require_app(app)
        return app, name

    def _app_with(self, table: str) -> str | None:
        """Return an app that has a table of this name."""
        for app in self.apps if table else ():
            with suppress(McpFarmError):
                self._session.rows(app, table)
                return app
        return None

    def _require_table(self, app: str, table: str) -> None:
        __tracebackhide__ = True
        # The farm's own error lists the existing tables.
        self._session.rows(app, table)

    def _failed(self, why: str) -> AssertionError:
        calls, diff = self._trace(), self.diff()
        return AssertionError(show.failure(why, calls, diff, self._names(why, calls, diff)))

    def _hints(self, app: str, wanted: Mapping[str, Any]) -> Iterator[str]:
        """Yield what was meant where a key of a person, or a name of a row, stands for its id."""
        for column, value in wanted.items():
            if not isinstance(value, str):
                continue
            if value in self.people:
                yield f"'{value}' is a person: write world.people['{value}'] for the account"
            elif column.endswith("_id") and (found := self._id_called(app, f"{column.removesuffix('_id')}s", value)):
                yield f"{column} holds ids: that of '{value}' is '{found}'"

    def _id_called(self, app: str, table: str, name: str) -> str | None:
        """Return the id of the row of a table with a name, if there is such a table and row."""
        with suppress(McpFarmError):
            for row in self._session.rows(app, table):
                if name.lstrip("#@") in [row.get(key) for key in _NAME_COLUMNS]:
                    return next((str(row[key]) for key in row if key == "id" or key.endswith("_id")), None)
        return None

    def _names(self, why: str, calls: Sequence[Mapping[str, Any]], diff: Diff) -> dict[str, str]:
        """Return id → name of the people and of the rows that changed rows refer to, where a failure shows the id."""
        text = why + json.dumps([[each["arguments"] for each in calls], diff], ensure_ascii=False, default=str)
        people = {
            account: f"{person.name}, '{person.key}'"
            for person in self.people.values()
            for account in person.accounts.values()
            if len(account) >= _ID_MIN and account in text
        }
        names: dict[str, str] = {}
        for app, tables in diff.items():
            columns = {name for rows in tables.values() for row in rows for name in (row["new"] or row["old"])}
            for column in sorted(columns):
                if column.endswith("_id"):
                    names |= self._names_in(app, f"{column.removesuffix('_id')}s", text)
        return names | people

    def _names_in(self, app: str, table: str, text: str) -> dict[str, str]:
        """Return id → name of a table's rows, as far as the text has them; none if there is no such table."""
        try:
            rows = self._session.rows(app, table)
        except McpFarmError:
            return {}
        found = {}
        for row in rows:
            name = next((str(row[key]) for key in _NAME_COLUMNS if row.get(key)), None)
            ids = (value for key, value in row.items() if key == "id" or key.endswith("_id"))
            for value in ids if name else ():
                if isinstance(value, str) and len(value) >= _ID_MIN and value in text:
                    found[value] = show.short(name, 40)
                    break
        return found

    def summary(self) -> Iterator[tuple[str, object]]:
        """Yield the names and values of the world for a report."""
        calls, diff = self.calls, self.diff()
        yield "mcp_farm.world", self.name
        yield "mcp_farm.calls", len(calls)
        yield "mcp_farm.refused", len(calls.refused)
        changed = (f"{app}.{table}:{len(rows)}" for app, tables in diff.items() for table, rows in tables.items())
        yield "mcp_farm.changed", " ".join(changed)

    def record(self) -> dict[str, Any]:
        """Return the calls and changes as JSON values."""
        return {"world": self.name, "apps": list(self.apps), "calls": self._trace(), "diff": self.diff()}

    def close(self) -> None:
        """Drop the episode; the fixture calls this."""
        if not self.is_closed:
            self.is_closed = True
            self._opened.close()


class ActingPerson:
    """A world as one of its people uses it; rows, assertions and the clock are the world's.

    Attributes:
        key: the person's key.
        apps: the apps where they have an account, and those without accounts.
        token: the bearer that their client sends; None without one.
    """

    def __init__(self, world: World, session: Session, call: Callable[..., Any]) -> None:
        self._world = world
        self._session = session
        self._call = call
        self.key, self.apps, self.token = str(session.me), session.apps, session.token

    def __repr__(self) -> str:
        return f"<{self.key} in {self._world!r}>"

    def _require_app(self, app: str) -> None:
        __tracebackhide__ = True
        if self._world.is_closed:
            raise McpFarmError("this world is closed; make another, or close it later")
        if app not in self.apps:
            raise McpFarmError(f"'{self.key}' has no account in {app}; has {', '.join(self.apps)}")

    def call(self, app: str, tool: str, given: Mapping[str, Any] | None = None, /, **arguments: Any) -> Any:
        """Call a tool as this person would; as ``World.call`` otherwise."""
        __tracebackhide__ = True
        self._require_app(app)
        return self._call(self._session, app, tool, given, arguments)

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server, which is everybody's: the token says who calls."""
        __tracebackhide__ = True
        self._require_app(app)
        return self._session.url(app)

    def connection(self, app: str) -> dict[str, Any]:
        """Return ``url`` and ``headers`` for this person's client.

        Raises:
            McpFarmError: the servers of this process know only people that the world was made for.
        """
        __tracebackhide__ = True
        url = self.url(app)
        if self.token is None:
            me = [self._world.me.key, self.key]
            raise McpFarmError(f"'{self.key}' has no token; make the world for both, as in mcp_farm.world(…, me={me})")
        return {"url": url, "headers": {"Authorization": f"Bearer {self.token}"}}


@dataclass(frozen=True)
class _Begin:
    """The point from which calls and changes count: the number of earlier calls, and the changes at a snapshot."""

    calls: int = 0
    snapshot: str | None = None


class _People(dict[str, Person]):
    """Key → person; the error for an unknown key lists the known ones."""

    def __missing__(self, key: str) -> Person:
        __tracebackhide__ = True
        raise McpFarmError(f"no person {key!r} in this world; have {', '.join(self)}")


class _Accounts(dict[str, str]):
    """App → account of a person; the error for an app without one lists the others."""

    def __init__(self, person: str, accounts: Mapping[str, str]) -> None:
        super().__init__(accounts)
        self._person = person

    def __missing__(self, app: str) -> str:
        __tracebackhide__ = True
        raise McpFarmError(f"{self._person} has no account in {app!r}; has in {', '.join(self) or 'no app here'}")


def _stored(name: str, value: Any, app: str) -> Any:
    """Return a value as a row stores it."""
    __tracebackhide__ = True
    match value:
        case Person():
            if app not in value.accounts:
                raise McpFarmError(f"{value.key} has no account in {app}")
            return value.accounts[app]
        case str() | int() | float() | None:
            return value
    raise McpFarmError(
        f"rows hold texts, numbers and None, not {value!r}, for {name}; assert_changed compares times and operators"
    )


def to_json_value(value: Any) -> Any:
    """Return a value as JSON: moments as RFC 3339, a person as a reference."""
    __tracebackhide__ = True
    match value:
        case Person():
            return {"person": value.key}
        case datetime():
            if value.tzinfo is None:
                raise McpFarmError(f"the time {value.isoformat()} needs a zone; world.clock.now has the world's")
            return value.isoformat()
        case Mapping():
            return {str(name): to_json_value(each) for name, each in value.items()}
        case list() | tuple():
            return [to_json_value(each) for each in value]
        case _:
            return value


def _body(result: Mapping[str, Any]) -> Any:
    text = show.text_of(result)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except ValueError:
            pass
    structured = result.get("structuredContent")
    return text if structured is None or structured == {"result": text} else structured


def _with(where: Mapping[str, Any] | None) -> str:
    named = (
        f"{name} {value.key if isinstance(value, Person) else repr(value)}" for name, value in (where or {}).items()
    )
    return f" with {', '.join(named)}" if where else ""
