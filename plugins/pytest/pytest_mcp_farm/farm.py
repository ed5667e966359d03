"""The fixture ``mcp_farm``: it finds a farm when the first world is requested, and drops each test's worlds."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.given_files import GivenFiles, to_request
from pytest_mcp_farm.session import Backend
from pytest_mcp_farm.trials import Trial, run_trials
from pytest_mcp_farm.world import Person, World, to_json_value

if TYPE_CHECKING:
    from pytest_mcp_farm.cassette import Cassette, Server

Menu = str | Mapping[str, str | list[str]]
NO_FARM = (
    "no farm can be had: name what to install into an environment of its own, such as mcp_farm_install = "
    "path/to/mcp-farm, set MCP_FARM_URL and MCP_FARM_TOKEN to a running one's, or name the command that starts one, "
    "such as mcp_farm_command = uvx --from mcp-farm farm"
)


@dataclass(frozen=True)
class Options:
    """Where to find a farm.

    Attributes:
        url: the operators' URL of a running farm.
        token: its token.
        token_file: a file with its token.
        command: the command that starts a farm.
        shared: a folder that all workers of the session share, if there are several.
        install: what pip installs as the farm, in an environment of its own.
        apps: the apps that a started farm or this process has, with commas; by default, all.
        record_mode: the record mode of all cassettes, in place of the tests' own.
    """

    url: str | None = None
    token: str | None = None
    token_file: str | None = None
    command: str | None = None
    shared: Path | None = None
    install: str | None = None
    apps: str | None = None
    record_mode: str | None = None


def find_backend(options: Options) -> Backend:
    """Return the backend that creates episodes: the given farm, this process, or a farm that is started."""
    __tracebackhide__ = True
    if options.url:
        from pytest_mcp_farm.wire import WorldFarm

        return WorldFarm(options.url, _token(options))
    if options.command:
        from pytest_mcp_farm.started import StartedFarm

        return StartedFarm(command_words(options.command), options.shared, options.apps)
    if options.install:
        from pytest_mcp_farm.own_environment import own_farm
        from pytest_mcp_farm.started import StartedFarm

        return StartedFarm(own_farm(options.install), options.shared, options.apps)
    if has_farm_here():
        from pytest_mcp_farm.in_process import InProcess

        return InProcess(options.apps)
    if shutil.which("farm"):
        from pytest_mcp_farm.started import StartedFarm

        return StartedFarm(["farm"], options.shared, options.apps)
    raise McpFarmError(NO_FARM)


def command_words(command: str) -> list[str]:
    """Return the words of the command that starts a farm.

    Raises:
        McpFarmError: a quotation is not closed.
    """
    __tracebackhide__ = True
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise McpFarmError(f"mcp_farm_command is no command: {command} ({problem})") from None


def has_farm_here() -> bool:
    """Return whether ``mcp-farm`` is installed in the tests' environment."""
    try:
        # Look for the distribution: any project may have a module of that name.
        importlib.metadata.version("mcp-farm")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _token(options: Options) -> str:
    if options.token:
        return options.token
    named = options.token_file
    path = Path(named) if named else Path.home() / ".local" / "share" / "mcp-farm" / "operator.token"
    try:
        return path.expanduser().read_text("ascii").strip()
    except (OSError, ValueError):
        given = f"{path} cannot be read" if named else "no token was given"
        raise McpFarmError(
            f"{given} for the farm at {options.url}; "
            "set MCP_FARM_TOKEN, or MCP_FARM_TOKEN_FILE to the file that 'farm status' calls token"
        ) from None


class SessionFarm:
    """The farm of a test session, found on first use."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._backend: Backend | None = None
        self._prepared: dict[str, tuple[object, World]] = {}

    @property
    def backend(self) -> Backend:
        """The backend that creates episodes."""
        __tracebackhide__ = True
        if self._backend is None:
            self._backend = find_backend(self.options)
        return self._backend

    def prepared(self, key: str, how: object, make: Callable[[], World]) -> World:
        """Return a world that is prepared once a session.

        Raises:
            McpFarmError: the key is in use for a world that was prepared differently.
        """
        __tracebackhide__ = True
        if key not in self._prepared:
            self._prepared[key] = how, make()
        before, world = self._prepared[key]
        if before != how:
            raise McpFarmError(
                f"the prepared world '{key}' was made by another function or with other values; "
                "give this one a key of its own"
            )
        return world

    def close(self) -> None:
        """Drop the prepared worlds and stop the farm if the session started it."""
        with ExitStack() as each_even_if_one_fails:
            if self._backend is not None:
                each_even_if_one_fails.callback(self._backend.close)
            for _, world in self._prepared.values():
                each_even_if_one_fails.callback(world.close)


class McpFarm:
    """Creates worlds for one test."""

    def __init__(self, session: SessionFarm) -> None:
        self._session = session
        self.worlds: list[World] = []
        self._cassettes: list[Cassette] = []

    @property
    def where(self) -> str:
        """A description of the backend, for people."""
        return self._session.backend.where

    def world(
        self,
        name: str = "mini",
        *,
        apps: Iterable[str] | None = None,
        seed: int = 0,
        me: str | Person | Sequence[str | Person] | None = None,
        now: datetime | str | None = None,
        menu: Menu | None = None,
        profile: str | None = None,
        calls_max: int | None = None,
        rows: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
        files: GivenFiles | None = None,
        faults: Sequence[Mapping[str, Any]] | None = None,
        people: Sequence[Mapping[str, Any]] | None = None,
        world_people: bool | None = None,
        arrivals: bool = False,
        pace: str | None = None,
        user: Mapping[str, Any] | None = None,
    ) -> World:
        """Return a fresh world for this test alone; it is dropped with the test.

        Args:
            name: the world; ``farm worlds`` lists them.
            apps: the apps; by default, all apps of the world.
            seed: determines the ids of new objects.
            me: the person whose accounts the servers act for, or their key; by default, the world's protagonist.
                Several people have a token each; the agent works for the first.
            now: when the simulated clock starts; by default, at the world's own start. ``"live"`` uses the real time
                and moves the world by whole weeks, so that it starts within the last seven days.
            menu: the tools that an agent sees: a menu's name, or app → a menu's name or a list of tools.
            profile: an older version of the apps' tools; an app that does not define it uses its latest version.
            calls_max: the largest number of tool calls.
            rows: app → rows that this test needs beside the world's, each with its ``table``. They belong to the start.
            files: files that this test needs: paths on this disk, which the apps read at the same paths; or app → path
                → content, which is a text, bytes or a ``pathlib.Path`` to read.
            faults: calls that fail as planned, each with its ``app`` and ``kind``, as ``World.fault`` plans them.
            people: rules of people who answer, as a task has them; ``world.people["ben"].when(…)`` adds one, too.
            world_people: whether the world's own people answer, by its rules; by default, if the clock is live.
            arrivals: whether the rows that are scheduled for the world's week arrive as a test moves the frozen clock.
            pace: how much simulated time a call takes, such as ``30s``.
            user: how the person whom the agent works for answers ``ask_user`` of the app ``clock``: ``answers``, each
                with ``asks`` and ``says``, and what is said to other questions (``unknown``).

        Raises:
            McpFarmError: no farm is available, or the world, app, person, tool, menu or profile does not exist.
        """
        __tracebackhide__ = True
        wishes: dict[str, Any] = {"seed": seed, "me": me, "now": now, "menu": menu, "profile": profile}
        wishes |= {"calls_max": calls_max, "faults": faults, "arrivals": arrivals or None}
        wishes |= {"pace": pace, "user": user}
        wishes |= {"people": people, "world_people": world_people}
        wishes |= {"rows": rows, "files": None if files is None else to_request(files)}
        return self._world(self.worlds.append, name, apps, **wishes)

    def _world(self, keep: Callable[[World], None], name: str, apps: Iterable[str] | None, **wishes: Any) -> World:
        __tracebackhide__ = True
        if not isinstance(name, str) or not name:
            raise McpFarmError(f"a world has a name, such as 'mini'; {name!r} is none")
        if isinstance(apps, str):
            raise McpFarmError(f"apps is a list of names, such as ['{apps}'], not the text '{apps}'")
        wishes["me"] = _keys(wishes.get("me"))
        given = {key: to_json_value(value) for key, value in wishes.items() if value is not None}
        if apps is not None:
            given["apps"] = list(apps)
        return World(name, self._session.backend.create({"world": name, **given}), keep)

    def prepared(
        self,
        key: str,
        prepare: Callable[[World], object],
        name: str = "mini",
        *,
        apps: Iterable[str] | None = None,
        seed: int = 0,
        me: str | Person | Sequence[str | Person] | None = None,
        now: datetime | str | None = None,
        menu: Menu | None = None,
        profile: str | None = None,
    ) -> World:
        """Return a copy of a world that is prepared once a session and never changes afterwards.

        Use it for tests with many parameters: ``prepare`` runs once, and each test gets a fork.

        Args:
            key: identifies the prepared world in this session; another ``prepare`` needs another key.
            prepare: changes a fresh world into the state in which the tests begin; other arguments are as in ``world``.
        """
        __tracebackhide__ = True

        def make() -> World:
            __tracebackhide__ = True
            # Not owned by a test: it stays until the session ends.
            wishes: dict[str, Any] = {"seed": seed, "me": me, "now": now, "menu": menu, "profile": profile}
            world = self._world(lambda _: None, name, apps, **wishes)
            try:
                done = prepare(world)
                if inspect.iscoroutine(done):
                    done.close()
                    raise McpFarmError(f"what prepares '{key}' is async and nobody awaits it; give a plain function")
            except BaseException:
                world.close()
                raise
            return world

        if not callable(prepare):
            raise McpFarmError(f"what prepares '{key}' is a function of a world, not {prepare!r}")
        chosen = None if apps is None or isinstance(apps, str) else tuple(apps)
        apps = apps if chosen is None else chosen
        how = (_maker(prepare), name, chosen, seed, repr(_keys(me)), now, repr(menu), profile)
        original = self._session.prepared(key, how, make)
        copy = original.fork(keep=self.worlds.append)
        copy.start_here()
        return copy

    def trials(self, count: int, *, min_pass: float = 1.0) -> Iterator[Trial]:
        """Yield trials of which a share has to pass.

        ``for trial in mcp_farm.trials(5, min_pass=0.8): with trial: …`` runs the block five times, each with a world of
        its own that it makes. A failed assertion ends its trial; the loop fails at its end if too few passed.
        """
        for trial in run_trials(count, min_pass):
            begun = len(self.worlds)
            yield trial
            if trial.failure is None:
                # A failed test shows the worlds that are left: those of failed trials.
                for world in self.worlds[begun:]:
                    world.close()
                del self.worlds[begun:]

    def cassette(
        self,
        path: str | os.PathLike[str],
        server: Server | Callable[[], Server] | None = None,
        *,
        mode: str | None = None,
        ignore: Sequence[str] = (),
    ) -> Cassette:
        """Return an MCP server that answers from a recorded session; the end of the test closes it.

        A request without a recorded answer fails the test, with what differs.

        Args:
            path: the cassette, a JSON file. It is recorded if it does not exist.
            server: what is recorded: an MCP server's address, ``world.connection(app)``, or a function that returns
                one of them, which is called only for a recording.
            mode: ``none``, ``once`` (the default), ``new_episodes`` or ``all``, as vcrpy has them.
            ignore: values of a request that are not compared, such as ``"params.arguments.uuid"``.

        Raises:
            McpFarmError: the cassette cannot be read or recorded.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm.cassette import open_cassette

        self._cassettes.append(open_cassette(self._session.options, path, server, mode=mode, ignore=ignore))
        return self._cassettes[-1]

    def play(self, task: str) -> FarmTask:
        """Return a task of a suite, such as ``"demo/lark-new-room"``, with a world in which it can be done."""
        __tracebackhide__ = True
        asked = self._session.backend.task(task)
        world = self.world(
            asked["world"],
            apps=asked["apps"],
            me=asked["me"],
            now=asked["now"],
            calls_max=asked["calls_max"],
            arrivals=asked["episode"].get("arrivals", False),
            **{name: asked["episode"].get(name) for name in ("faults", "people", "world_people", "pace", "user")},
        )
        return FarmTask(task, asked["title"], asked["instruction"], asked["system"], world)

    def close(self) -> None:
        """Drop the test's worlds and close its cassettes.

        Raises:
            McpFarmError: a request to a cassette had no recorded answer.
        """
        __tracebackhide__ = True
        with ExitStack() as each_even_if_one_fails:
            for close in [*(each.close for each in self.worlds), *(each.close for each in self._cassettes)]:
                each_even_if_one_fails.callback(close)
            self.worlds.clear()
            self._cassettes.clear()


def _keys(me: Any) -> Any:
    """Return people as the control API names them: by their keys."""
    if isinstance(me, Person):
        return me.key
    return [_keys(each) for each in me] if isinstance(me, list | tuple) else me


@dataclass(frozen=True)
class FarmTask:
    """A task of a suite as a test.

    Attributes:
        instruction: the user's instruction.
        system: the agent's system prompt: the simulated date, the user, and the agent's permissions.
        world: the world of the task.
    """

    name: str
    title: str
    instruction: str
    system: str
    world: World

    def assert_done(self, answer: str = "") -> None:
        """Assert that every checkpoint holds and nothing else changed; ``answer`` is the agent's last message."""
        __tracebackhide__ = True
        self.world.assert_task(self.name, answer)


@contextmanager
def open_farm(
    *,
    url: str | None = None,
    token: str | None = None,
    token_file: str | None = None,
    command: str | None = None,
    install: str | None = None,
    apps: str | None = None,
    record_mode: str | None = None,
) -> Iterator[McpFarm]:
    """Yield what the fixture ``mcp_farm`` is, for unittest, scripts and other runners; the worlds end with the block.

    ``with open_farm() as mcp_farm: world = mcp_farm.world("mini", apps=["slack"])``. The arguments and the environment
    variables are those of the plugin.
    """
    given = {"url": url, "token_file": token_file, "command": command, "install": install, "apps": apps}
    given["record_mode"] = record_mode
    options = options_from(given.get, lambda _: None, None)
    session = SessionFarm(options if token is None else replace(options, token=token))
    farm = McpFarm(session)
    with ExitStack() as each_even_if_one_fails:
        each_even_if_one_fails.callback(session.close)
        each_even_if_one_fails.callback(farm.close)
        yield farm


def _maker(prepare: Callable[[World], object]) -> object:
    """Return a key that differs between functions, and between closures of one function with different plain values."""
    code = getattr(prepare, "__code__", None)
    if code is None:
        return type(prepare)
    cells = (cell.cell_contents for cell in prepare.__closure__ or ())
    values = (*cells, *(prepare.__defaults__ or ()))
    # Fixtures and worlds differ in each test and do not affect what is prepared.
    return code, [each for each in values if isinstance(each, (str, int, float, bool, type(None)))]


def options_from(asked: Callable[[str], str | None], said: Callable[[str], str | None], shared: Path | None) -> Options:
    """Return the options: the command line overrides the environment, and the environment overrides the ini file."""

    def option(name: str) -> str | None:
        return asked(name) or os.environ.get(f"MCP_FARM_{name.upper()}") or said(name) or None

    token = os.environ.get("MCP_FARM_TOKEN")
    return Options(
        *(option("url"), token, option("token_file"), option("command"), shared),
        *(option("install"), option("apps"), option("record_mode")),
    )
