"""The fixture ``mcp_farm_model``: scripted models that the farm's ``farm model`` serves.

Like a farm, the server runs in this process if ``mcp-farm`` is installed in the tests' environment. Otherwise the
farm's command starts it. This happens once a session, on first use.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.farm import Options, command_words, has_farm_here
from pytest_mcp_farm.show import short
from pytest_mcp_farm.started import end, start
from pytest_mcp_farm.versions import require_fitting

if TYPE_CHECKING:
    from pytest_mcp_farm.cassette import Cassette

_TIMEOUT_S = 60.0
NO_MODEL = (
    "no model can be had: a farm's URL serves none; name what to install in mcp_farm_install, or the command that "
    "starts it, such as mcp_farm_command = uvx --from mcp-farm farm"
)


class Scripts(Protocol):
    """A server of scripts; every method may raise ``McpFarmError``."""

    def add(self, script: Mapping[str, Any]) -> dict[str, Any]:
        """Add a script; return its ``id``, its ``models`` and its addresses."""

    def played(self, script_id: str) -> dict[str, Any]:
        """Return the requests to a script so far, and its unfinished parts."""

    def drop(self, script_id: str) -> None:
        """Remove a script."""

    def close(self) -> None:
        """Stop the server."""


class StartedScripts:
    """Scripts that a process of the farm's command serves."""

    def __init__(self, command: Sequence[str]) -> None:
        self._where = f"the models of '{' '.join(command)}'"
        self._process, said = start(command, ("model", "--ephemeral"), "models", subprocess.PIPE)
        try:
            require_fitting(said["version"], self._where)
        except McpFarmError:
            end(self._process)
            raise
        self._host = urlsplit(said["url"]).netloc

    def _ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        __tracebackhide__ = True
        connection = http.client.HTTPConnection(self._host, timeout=_TIMEOUT_S)
        try:
            connection.request(method, path, None if body is None else json.dumps(body).encode())
            answer = connection.getresponse()
            told: dict[str, Any] = json.loads(answer.read())
        except (OSError, http.client.HTTPException) as problem:
            raise McpFarmError(f"{self._where} do not answer any more ({problem}); did something end them?") from None
        finally:
            connection.close()
        if answer.status >= 400:
            raise McpFarmError(told["error"]["message"])
        return told

    def add(self, script: Mapping[str, Any]) -> dict[str, Any]:
        """Add a script."""
        __tracebackhide__ = True
        return self._ask("POST", "/scripts", script)

    def played(self, script_id: str) -> dict[str, Any]:
        """Return the requests to a script so far, and its unfinished parts."""
        __tracebackhide__ = True
        return self._ask("GET", f"/scripts/{script_id}")

    def drop(self, script_id: str) -> None:
        """Remove a script."""
        self._ask("DELETE", f"/scripts/{script_id}")

    def close(self) -> None:
        """Stop the process."""
        end(self._process)


def find_scripts(options: Options) -> Scripts:
    """Return the server of scripts."""
    __tracebackhide__ = True
    if options.command:
        return StartedScripts(command_words(options.command))
    if options.install:
        from pytest_mcp_farm.own_environment import own_farm

        return StartedScripts(own_farm(options.install))
    if has_farm_here():
        from pytest_mcp_farm.in_process import InProcessScripts

        return InProcessScripts()
    if shutil.which("farm"):
        return StartedScripts(["farm"])
    raise McpFarmError(NO_MODEL)


class SessionModels:
    """The scripts of a test session; their server starts on first use."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._scripts: Scripts | None = None

    @property
    def scripts(self) -> Scripts:
        """The server of scripts."""
        __tracebackhide__ = True
        if self._scripts is None:
            self._scripts = find_scripts(self.options)
        return self._scripts

    def close(self) -> None:
        """Stop the server if this session started it."""
        if self._scripts is not None:
            self._scripts.close()


class McpFarmModel:
    """Creates scripted models for one test."""

    def __init__(self, session: SessionModels) -> None:
        self._session = session
        self.models: list[ScriptedModel] = []
        self._cassettes: list[Cassette] = []

    def __call__(self, script: Sequence[Any] | Mapping[str, Any] | str | os.PathLike[str]) -> ScriptedModel:
        """Return a scripted model for this test alone.

        Args:
            script: the turns, or a table with ``turns`` or ``models``, or a file of either, .toml or .json.

        Raises:
            McpFarmError: the script is invalid, or no server for it is available.
        """
        __tracebackhide__ = True
        scripts = self._session.scripts
        made = ScriptedModel(scripts, scripts.add(_written(script)))
        self.models.append(made)
        return made

    def cassette(
        self,
        path: str | os.PathLike[str],
        base_url: str | Callable[[], str] | None = None,
        *,
        mode: str | None = None,
        ignore: Sequence[str] = (),
    ) -> Cassette:
        """Return a model that answers from a recorded session; see ``McpFarm.cassette``.

        Args:
            base_url: the real model's base URL, such as ``https://api.openai.com/v1``. The client's key is passed on
                and not recorded.
        """
        __tracebackhide__ = True
        from pytest_mcp_farm.cassette import open_cassette

        made = open_cassette(self._session.options, path, base_url, mode=mode, ignore=ignore, is_model=True)
        self._cassettes.append(made)
        return made

    def describe(self) -> str:
        """Return the requests to this test's models, for people."""
        return "\n\n".join(model.describe() for model in self.models)

    def close(self) -> None:
        """Drop the test's scripts and close its cassettes.

        Raises:
            McpFarmError: a request to a cassette had no recorded answer.
        """
        __tracebackhide__ = True
        with ExitStack() as each_even_if_one_fails:
            for close in [*(each.close for each in self.models), *(each.close for each in self._cassettes)]:
                each_even_if_one_fails.callback(close)
            self.models.clear()
            self._cassettes.clear()


def _written(script: Sequence[Any] | Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    __tracebackhide__ = True
    if isinstance(script, str | os.PathLike):
        path = Path(script)
        try:
            return {"file": str(path), "text": path.read_text("utf-8")}
        except OSError as problem:
            raise McpFarmError(
                f"script {path} cannot be read ({problem.strerror}); name a .toml or .json file"
            ) from None
        except UnicodeDecodeError:
            raise McpFarmError(f"script {path} is not UTF-8") from None
    return script if isinstance(script, Mapping) else {"turns": list(script)}


@dataclass(frozen=True)
class ModelRequest:
    """One request of an agent to a model, and its reply.

    Attributes:
        path: the API, such as ``/v1/responses``.
        model: the name in the script under which it was answered.
        instructions: the system prompt.
        newest: the messages since the model's last turn: the user's, and results of tools.
        tools: the names of the tools that the agent offers.
        turn: the turn that answered, from 1; None if the script had no answer.
        text: the text of the reply.
        calls: the tool calls of the reply, ``tool`` and ``arguments`` each.
        problem: why the script had no answer.
        body: the request as it came.
    """

    path: str
    model: str
    instructions: str
    newest: str
    tools: tuple[str, ...]
    turn: int | None
    text: str | None
    calls: tuple[Mapping[str, Any], ...]
    problem: str | None
    body: Mapping[str, Any]


class ScriptedModel:
    """A model that answers from a test's script.

    Attributes:
        base_url: the base URL for OpenAI's clients.
        root: the base URL for Anthropic's and Gemini's clients.
        api_key: a key for the clients; any is accepted.
        environment: the environment variables by which these clients find the model.
        name: the model's name, the first of several.
        names: the names of all models; each has its own script.
    """

    def __init__(self, scripts: Scripts, made: Mapping[str, Any]) -> None:
        self._scripts, self._id = scripts, made["id"]
        self.base_url: str = made["base_url"]
        self.root: str = made["root"]
        self.api_key: str = made["api_key"]
        self.environment: dict[str, str] = made["environment"]
        self.names: tuple[str, ...] = tuple(made["models"])
        self.name = self.names[0]

    @property
    def requests(self) -> list[ModelRequest]:
        """The requests so far."""
        asked = self._scripts.played(self._id)["requests"]
        return [
            ModelRequest(**{**each, "tools": tuple(each["tools"]), "calls": tuple(each["calls"])}) for each in asked
        ]

    def assert_finished(self) -> None:
        """Assert that every turn of the script was used and every request had an answer."""
        __tracebackhide__ = True
        unfinished = self._scripts.played(self._id)["unfinished"]
        if unfinished is not None:
            raise AssertionError(f"{unfinished}\n\n{self.describe()}")

    def describe(self) -> str:
        """Return the requests and replies, for people."""
        asked = self.requests
        if not asked:
            return f"nothing was asked of the model at {self.base_url}"
        return "\n".join(
            f"  #{n}  {short(each.newest)}  →  {f'turn {each.turn}: {_said(each)}' if each.turn else each.problem}"
            for n, each in enumerate(asked, 1)
        )

    def close(self) -> None:
        """Drop the script."""
        self._scripts.drop(self._id)


def _said(request: ModelRequest) -> str:
    calls = [f"{call['tool']} {short(call['arguments'])}" for call in request.calls]
    return ", ".join([*([] if request.text is None else [short(request.text)]), *calls])
