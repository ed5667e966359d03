"""Episodes and scripted models inside the test's process, if ``mcp-farm`` is installed in the tests' environment."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from farm._util.json_io import loads
from farm.benchmark.runner.trial_card import trial_card
from farm.content import require_app
from farm.errors import FarmError
from farm.testing import LocalHost, LocalWorld
from farm.testing.local_world import ActingPerson, default_apps
from farm.testing.mock_model import Endpoint
from pytest_mcp_farm._client.wire import Diff
from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.session import Session
from pytest_mcp_farm.versions import require_fitting

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

__tracebackhide__ = True  # pytest shows a problem at the test's own line


def _raises_plugin_errors(method: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Wrap a method so that the farm's errors are raised as the plugin's errors."""

    @functools.wraps(method)
    def wrapper(*args: _Given.args, **kwargs: _Given.kwargs) -> _Result:
        __tracebackhide__ = True
        try:
            return method(*args, **kwargs)
        except FarmError as problem:
            raise McpFarmError(str(problem)) from None

    return wrapper


class InProcessSession:
    """One episode in this process."""

    def __init__(self, world: LocalWorld, acting: ActingPerson | None = None) -> None:
        self._world = world
        self._person = None if acting is None else acting.person
        self.id, self.apps = world.id, tuple(world.apps if acting is None else acting.apps)
        self.token: str | None = world.token if acting is None else acting.token
        self.me = world.me if acting is None else acting.person

    @_raises_plugin_errors
    def as_(self, person: str) -> Session:
        """Return the same episode as another person uses it; only people named by ``me=[…]`` have a token."""
        return InProcessSession(self._world, self._world.as_(person))

    @_raises_plugin_errors
    def url(self, app: str) -> str:
        """Return the URL of an app's server, which starts on first use."""
        return self._world.url(app)

    def url_of_all(self) -> str:
        """Raise an error: only the gateway serves all apps as one server."""
        raise McpFarmError(
            "one server with the tools of all apps is what a farm's gateway makes, and this process has none; "
            "give each app's URL, or play on a farm: mcp_farm_command = farm"
        )

    @_raises_plugin_errors
    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return a call's result, and whether it was refused."""
        outcome = self._world.outcome(app, tool, dict(arguments), self._person)
        result: dict[str, Any] = loads(outcome.result)
        return ({"error": result} if outcome.is_protocol_error else result), outcome.refused

    @_raises_plugin_errors
    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers."""
        return self._world.tools(app)

    @_raises_plugin_errors
    def diff(self, since: str) -> Diff:
        """Return the changes since the start or a snapshot."""
        found: Diff = self._world.diff(since)
        return found

    @_raises_plugin_errors
    def calls(self) -> list[dict[str, Any]]:
        """Return the trace."""
        return [dict(each) for each in self._world.calls()]

    @_raises_plugin_errors
    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table."""
        return self._world.rows(app, table)

    @_raises_plugin_errors
    def people(self) -> list[dict[str, Any]]:
        """Return every person of the world."""
        return self._world.people

    @_raises_plugin_errors
    def check(self, expectations: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict on checkpoints, and the other changes."""
        return self._world.check(expectations)

    @_raises_plugin_errors
    def now(self) -> str:
        """Return the simulated time."""
        return self._world.now.isoformat()

    @_raises_plugin_errors
    def move(self, move: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """Move the simulated time; return it and what arrived."""
        came = self._world.move_clock(**move)
        return self._world.now.isoformat(), came

    @_raises_plugin_errors
    def answers(self) -> dict[str, Any]:
        """Return the rules of people who answer, what is waiting, and what people acted."""
        return self._world.answers

    @_raises_plugin_errors
    def add_person_rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer by a rule, and return the rule with its id."""
        return self._world.add_person_rule(rule)

    @_raises_plugin_errors
    def faults(self) -> list[dict[str, Any]]:
        """Return every planned fault with its counts."""
        return self._world.faults

    @_raises_plugin_errors
    def add_fault(self, app: str, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Plan a fault and return it."""
        return self._world.fault(app, **rule)

    @_raises_plugin_errors
    def heal_fault(self, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault and return it."""
        return self._world.heal_fault(app, fault)

    @_raises_plugin_errors
    def renew_token(self) -> str:
        """Issue a new bearer in place of the episode's, and return it."""
        self.token = self._world.renew_token()
        return self.token

    @_raises_plugin_errors
    def snapshot(self, name: str | None) -> str:
        """Save a snapshot over all apps and return its name."""
        return self._world.snapshot(name)

    @_raises_plugin_errors
    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot."""
        self._world.restore(name)

    @_raises_plugin_errors
    def fork(self, snapshot: str | None) -> Session:
        """Return a copy of the current state or of a snapshot."""
        return InProcessSession(self._world.fork(snapshot))

    def close(self) -> None:
        """Drop the episode."""
        self._world.close()


class InProcess:
    """Episodes in this process, in a temporary folder; no server starts before a URL is requested."""

    where = "this process"

    @_raises_plugin_errors
    def __init__(self, apps: str | None = None) -> None:
        """Open a folder for episodes.

        Args:
            apps: the apps that there are, with commas; all if absent.

        Raises:
            McpFarmError: one of them does not exist, or the version does not match.
        """
        require_fitting(version("mcp-farm"), "mcp-farm beside the tests")
        self._apps = [each.strip() for each in (apps or "").split(",") if each.strip()]
        for app in self._apps:
            require_app(app)
        self._host = LocalHost()

    @_raises_plugin_errors
    def create(self, wishes: Mapping[str, Any]) -> Session:
        """Create an episode."""
        return InProcessSession(LocalWorld(**{**wishes, **self._limited(wishes)}, host=self._host))

    def _limited(self, wishes: Mapping[str, Any]) -> dict[str, Any]:
        """Return the apps of an episode, as far as the given list limits them."""
        asked = wishes.get("apps")
        if not self._apps:
            return {}
        if asked is None:
            mine = default_apps(wishes["world"], wishes.get("me"))
            return {"apps": [each for each in mine if each in self._apps]}
        for app in asked:
            require_app(app)
            if app not in self._apps:
                raise McpFarmError(f"no app '{app}' in mcp_farm_apps ({', '.join(self._apps)}); add it there")
        return {}

    @_raises_plugin_errors
    def task(self, name: str) -> dict[str, Any]:
        """Return a task's instruction and the episode it needs."""
        return trial_card(name)

    def close(self) -> None:
        """Stop the servers and remove the folder."""
        self._host.close()


class InProcessScripts:
    """Scripts of models, served by a thread of this process."""

    def __init__(self) -> None:
        require_fitting(version("mcp-farm"), "mcp-farm beside the tests")
        self._endpoint = Endpoint()
        self._endpoint.start()

    @_raises_plugin_errors
    def add(self, script: Mapping[str, Any]) -> dict[str, Any]:
        """Add a script."""
        return self._endpoint.add(script)

    @_raises_plugin_errors
    def played(self, script_id: str) -> dict[str, Any]:
        """Return the requests to a script so far, and its unfinished parts."""
        return self._endpoint.play(script_id).as_json()

    def drop(self, script_id: str) -> None:
        """Remove a script."""
        self._endpoint.drop(script_id)

    def close(self) -> None:
        """Stop the thread and close its connections."""
        self._endpoint.close()


def serve_cassette(
    file: Path, server: str | None, mode: str, ignore: Sequence[str], *, is_model: bool
) -> tuple[dict[str, str], Callable[[], None]]:
    """Serve a cassette by a thread of this process; return its addresses and what stops it."""
    from farm.testing.cassette import CassetteProxy, Tape

    require_fitting(version("mcp-farm"), "mcp-farm beside the tests")
    try:
        proxy = CassetteProxy(Tape(file, mode, ignore), server, is_model=is_model)
    except FarmError as problem:
        raise McpFarmError(str(problem)) from None
    proxy.start()
    return {"url": proxy.url, "root": proxy.root}, proxy.close
