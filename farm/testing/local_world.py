"""A world in process, for tests: several apps, one clock, one person; a URL where an agent wants one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm._util.json_io import loads
from farm.appkit.app import LATEST
from farm.appkit.envelope import body_of
from farm.benchmark.runner.in_process_farm import LocalSession, Menu, require_descriptors
from farm.benchmark.runner.local_host import PROCESS_HOST, CountedHost, LocalHost
from farm.context.changes import Changes, begin_of
from farm.context.template import apps_of_people, load_world
from farm.context.trace import Call
from farm.errors import FarmError
from farm.server.pipeline import Outcome

if TYPE_CHECKING:
    from farm.server.in_process import SharedServer


_Rows = dict[str, list[Mapping[str, Any]]]


class ActingPerson:
    """A world as one person uses it.

    Attributes:
        person: the person.
        apps: the apps where they have an account, and those without accounts.
        token: what the servers ask for as a bearer; None unless the world was made for this person (``me=[…]``).
    """

    def __init__(self, session: LocalSession, person: str) -> None:
        self.person = person
        self.apps = session.apps_of(person)
        self.token = session.token if person == session.settings.me else session.tokens.get(person)
        self._session = session

    def outcome(self, app: str, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return everything it came to."""
        return self._session.outcome(app, tool, arguments, self.person)

    def result(self, app: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error."""
        return self._session.call(app, tool, arguments, self.person)

    def call(self, app: str, tool: str, /, **arguments: Any) -> Any:
        """Return the body of a success; raises as ``LocalWorld.call`` does, and NotFoundError for an app of others."""
        return _success(self.outcome(app, tool, arguments))


class LocalWorld:
    """Some apps of a world in one episode, called in process or served on loopback ports.

    Attributes:
        id: the episode's id.
        apps: the apps it has.
        token: what the servers ask for as a bearer.
    """

    def __init__(
        self,
        world: str | None,
        apps: Iterable[str] | None = None,
        *,
        data: Path | str | None = None,
        me: str | Sequence[str] | None = None,
        seed: int = 0,
        now: str | None = None,
        menu: Menu | None = None,
        profile: str = LATEST,
        calls_max: int | None = None,
        rows: Mapping[str, Iterable[Mapping[str, Any]]] | None = None,
        files: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
        faults: Sequence[Mapping[str, Any]] | None = None,
        people: Sequence[Mapping[str, Any]] | None = None,
        world_people: bool | None = None,
        arrivals: bool = False,
        pace: str | None = None,
        user: Mapping[str, Any] | None = None,
        host: LocalHost | None = None,
    ) -> None:
        """Start apps of a world, or empty ones without a world, with rows of one's own in them.

        Args:
            world: the world's name, or None.
            apps: the apps; all of the world's when absent.
            data: where everything is kept, on a host of this world's own; when absent, on the one host, with a
                temporary folder, that all such worlds of the process share.
            me: who it is played as; the world's protagonist when absent. Without a world, somebody of ``rows``. Several
                people each see their own apps; the agent works for the first.
            seed: drives ids.
            now: when the clock starts, RFC 3339; at the world's own start when absent. With ``live`` it is
                this machine's, and the world is moved by whole weeks, to start in the seven days before.
            menu: which tools there are: a menu's name, or app → a menu's name or a list of tools; all when absent.
            profile: which version of the apps; one that does not know it is played as ``latest``.
            calls_max: how many calls it takes over all apps.
            rows: app → rows that it starts with beside the world's, each with its ``table``; taken as they are, their
                times included. They are part of the start: no diff shows them.
            files: app → path → ``{"text": …}`` or ``{"base64": …}``: files that it starts with. ``*`` in
                place of an app is every app whose server reads files of its machine.
            faults: calls that fail in the vendor's words, each with its ``app`` and ``kind`` (docs/living.md).
            people: rules of people who answer, as ``[[people]]`` in a task (docs/living.md).
            world_people: whether the world's own people answer; when absent, if the clock is live.
            arrivals: whether the rows that are scheduled for the world's week arrive as a frozen clock is moved; with
                a live one they always do.
            pace: how much simulated time a call takes on a frozen clock, such as ``30s``.
            user: how the person whom the agent works for answers ``ask_user`` of ``clock`` (docs/living.md).
            host: one that you made, for worlds that share a folder of yours; it outlives them.

        Raises:
            NotFoundError: no such world, app, tool, menu, profile or person, or the person has no account in one of
                the apps, or rows are for an app that is not among them.
            FarmError: a value has the wrong form, or a row does not fit the app's tables, or what is there.
            DescriptorsExhaustedError: the system lets this process open no further file.
        """
        require_descriptors()
        chosen = _apps(world, apps, me)
        self._shared: CountedHost | None = None
        if host is None:
            self._shared = PROCESS_HOST if data is None else CountedHost(data)
            host = self._shared.join()
        elif host.is_closed:
            raise FarmError("this host is closed; make another, or close it later")
        self._host = host
        try:
            session = host.farm.create(
                world,
                chosen,
                seed=seed,
                me=me,
                now=now,
                menu=menu,
                calls_max=calls_max,
                profile=profile,
                rows=None if rows is None else _rows(rows),
                files=files,
                faults=faults,
                people=people,
                world_people=world_people,
                arrivals=arrivals,
                pace=pace,
                user=user,
            )
        except FarmError:
            self._end_host()
            raise
        self._hold(session)

    def _hold(self, session: LocalSession) -> None:
        self._opened = session
        self._pid = os.getpid()
        self._is_closed = False
        self.token, self.id, self.apps = session.token, session.id, session.apps

    @property
    def _session(self) -> LocalSession:
        if self._is_closed or self._host.is_closed:
            raise FarmError("this world is closed, or its host is; make another, or close it later")
        return self._opened

    @property
    def me(self) -> str | None:
        """Key of the person it is played as."""
        return self._session.settings.me

    @property
    def people(self) -> list[dict[str, Any]]:
        """Everybody of the world, with the ids of their accounts in the apps here."""
        from farm.benchmark.scoring.initial_state import load_start
        from farm.benchmark.scoring.people_listing import list_people

        settings = self._session.settings
        return [] if settings.world is None else list_people(load_start(settings.world, settings.shift_days), self.apps)

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the tools of an app that the episode shows, as ``tools/list`` answers."""
        return self._session.tools(app)

    def outcome(self, app: str, tool: str, arguments: Any, person: str | None = None) -> Outcome:
        """Run one call as a server would and return everything it came to; ``person`` as ``as_`` takes it."""
        return self._session.outcome(app, tool, arguments, person)

    def apps_of(self, person: str) -> tuple[str, ...]:
        """Return the apps that a person sees.

        Raises:
            NotFoundError: nobody of that name has an account here.
        """
        return self._session.apps_of(person)

    def as_(self, person: str) -> ActingPerson:
        """Return this world as another person uses it: by key, or by the id of an account in ``rows``.

        Raises:
            NotFoundError: nobody of that name has an account here.
        """
        return ActingPerson(self._session, person)

    def result(self, app: str, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error."""
        return self._session.call(app, tool, arguments)

    def call(self, app: str, tool: str, /, **arguments: Any) -> Any:
        """Return the body of a success: its text's JSON, or its structured content.

        Raises:
            VendorError: the app refused; with its code and message.
            InvalidArgumentsError: the arguments did not fit the tool's schema.
            FarmError: the call took longer than 250 ms and was stopped, or was beyond a limit; nothing has changed.
        """
        return _success(self._session.outcome(app, tool, arguments))

    def changes(self, since: str = "start") -> Changes:
        """Return what changed since the start or a snapshot, and what was done and undone."""
        return self._session.changes(since)

    def diff(self, since: str = "start") -> dict[str, Any]:
        """Return app → table → rows that changed since the start or a snapshot."""
        return self._session.diff(since)

    def calls(self) -> list[Call]:
        """Return the trace over all apps in order."""
        return self._session.calls()

    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table, by its key."""
        return self._session.rows(app, table)

    def check(self, expectations: Mapping[str, Any]) -> dict[str, Any]:
        """Judge what came of it by checkpoints or by a task, as ``farm.benchmark.runner.check`` says."""
        from farm.benchmark.runner.check import check

        changes, calls, over_limit = self.changes(begin_of(expectations)), self.calls(), self._session.over_limit()
        settings = self._session.settings
        return check(expectations, settings, changes, calls, over_limit=over_limit)

    @property
    def now(self) -> datetime:
        """The simulated time, in the world's zone."""
        return self._session.clock()

    def advance(self, by: timedelta) -> datetime:
        """Move the simulated time forward in every app, and return it."""
        if by < timedelta(0):
            raise FarmError("a clock only moves forward; restore a snapshot to go back")
        return self._session.set_clock(self._session.clock() + by)

    def advance_to(self, to: datetime) -> datetime:
        """Move the simulated time forward to a moment, and return it."""
        return self._session.set_clock(to)

    def move_clock(self, **move: Any) -> list[dict[str, Any]]:
        """Move the simulated time, and return what arrived meanwhile, in order over all apps.

        Each arrival has ``app``, ``at``, ``table``, ``row`` and, in a few words, ``what``.

        Args:
            move: one of ``advance_s`` (seconds), ``to`` (RFC 3339), ``next=True`` (the next arrival) and ``quiet=True``
                (the last), or a ``rate``: seconds of simulated time in a second of wall time.

        Raises:
            FarmError: the time is before now, or nothing waits to arrive next.
        """
        return self._session.move_clock(**move)

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Every planned fault: ``app``, ``id``, ``kind``, ``tools``, and how many calls ``matched`` and ``failed``."""
        return self._session.faults()

    def fault(self, app: str, kind: str, **rule: Any) -> dict[str, Any]:
        """Make calls of an app fail as planned from now on; docs/living.md has the keys of a rule.

        Raises:
            FarmError: the rule is wrong, or the app has no words for this kind.
        """
        return self._session.add_fault(app, {"kind": kind, **rule})

    def heal_fault(self, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault, by its id."""
        return self._session.heal_fault(app, fault)

    def renew_token(self) -> str:
        """Issue a new token in place of the world's, which is refused from then on, and return it.

        Faults of the kind ``unauthorized`` by which the old one has expired are over.
        """
        self.token = self._session.renew_token()
        return str(self.token)

    @property
    def answers(self) -> dict[str, Any]:
        """The ``rules`` of people who answer, what is ``waiting``, and what people ``acted``, each in order."""
        return self._session.people()

    def add_person_rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer from now on; docs/living.md has the keys of a rule.

        Raises:
            NotFoundError: a person, app, table, column or verb does not exist.
            FarmError: the rule is wrong.
        """
        return self._session.add_person_rule(rule)

    def snapshot(self, name: str | None = None) -> str:
        """Save a consistent snapshot over all apps, and return its name."""
        return self._session.snapshot(name)

    def restore(self, name: str) -> None:
        """Bring rows, calls and clock back to a snapshot."""
        self._session.restore(name)

    def fork(self, snapshot: str | None = None) -> LocalWorld:
        """Return a copy, as it stands or as it was at a snapshot: a world of its own, which is closed by itself."""
        session = self._session.fork(snapshot)
        copy = object.__new__(LocalWorld)
        copy._host, copy._shared = self._host, self._shared
        if copy._shared is not None:
            copy._shared.join()
        copy._hold(session)
        return copy

    @property
    def path(self) -> str:
        """Where the episode is on every app's server."""
        return f"/mcp/{self.id}"

    def asgi(self, app: str) -> SharedServer:
        """Return an ASGI application that serves an app over MCP at ``path``; it wants its lifespan and the token."""
        self._session.store(app)
        return self._host.server(app, self._session.settings.profile)

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server on this machine's own address; it starts when first asked for."""
        return self._session.url(app)

    @property
    def urls(self) -> dict[str, str]:
        """App → URL of its MCP server."""
        return {app: self.url(app) for app in self.apps}

    def close(self) -> None:
        """Delete the episode, and end the host if it was made for this world or is the last one's.

        In a forked process it only marks the world as closed: its files are the parent's.
        """
        if self._is_closed:
            return
        self._is_closed = True
        if os.getpid() == self._pid:
            was_closed = self._host.is_closed
            # First, as servers hold descriptors that a deletion may need.
            self._end_host()
            if not was_closed:
                self._opened.close()

    def _end_host(self) -> None:
        if self._shared is not None:
            self._shared.leave(self._host)

    def __enter__(self) -> LocalWorld:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> LocalWorld:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


def _rows(rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> _Rows:
    """Return the rows of each app as a list, which is gone through more than once."""
    if not isinstance(rows, Mapping):
        raise FarmError("rows are listed by app, as {APP: [{'table': …}, …]}")
    return {app: list(first) for app, first in rows.items()}


def _success(outcome: Outcome) -> Any:
    if outcome.error is not None:
        raise outcome.error
    return body_of(loads(outcome.result))


def _apps(world: str | None, apps: Iterable[str] | None, me: str | Sequence[str] | None) -> list[str]:
    """Return the apps that are wanted: those named, or all that ``me`` uses of the world's."""
    if isinstance(apps, str):
        raise FarmError(f"apps is a list of names, such as ['{apps}'], not the text '{apps}'")
    if apps is not None:
        return list(apps)
    return content.app_names() if world is None else default_apps(world, me)


def default_apps(world: str, me: str | Sequence[str] | None = None) -> list[str]:
    """Return the apps of a world, and those that keep nothing of anybody's.

    Args:
        world: the world.
        me: the people who act in it, if they are named: apps where none of them has an account are left out.

    Raises:
        NotFoundError: no such world.
    """
    known = load_world(world)
    found = [app for app in content.app_names() if app in known.apps or content.load_app(app).schema.account is None]
    people = [] if me is None else [me] if isinstance(me, str) else list(me)
    return (
        list(apps_of_people(known, people, found)) if people and all(each in known.people for each in people) else found
    )
