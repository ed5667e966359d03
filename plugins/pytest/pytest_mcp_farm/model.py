"""What the fixture ``mcp_farm_model`` is: models that say what a test has written, served by the farm's ``farm model``.

As a farm is, it is played in this process where ``mcp-farm`` is installed beside the tests, and started by the farm's
command where it is elsewhere; once a session, on first use.
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from pytest_mcp_farm.errors import FarmProblem
from pytest_mcp_farm.farm import Options, command_words, has_farm_here
from pytest_mcp_farm.show import short
from pytest_mcp_farm.started import end, start
from pytest_mcp_farm.versions import require_fitting

_TIMEOUT_S = 60.0
NO_MODEL = (
    "no model can be had: a farm's URL serves none; install mcp-farm beside the tests, or name the command that "
    "starts it, such as mcp_farm_command = uvx --from mcp-farm farm"
)


class Scripts(Protocol):
    """Where scripts are played; every method may raise ``FarmProblem``."""

    def add(self, script: Mapping[str, Any]) -> dict[str, Any]:
        """Play one more script; return its ``id``, its ``models``, and where clients find it."""

    def played(self, script_id: str) -> dict[str, Any]:
        """Return what was asked of a script so far, and what of it is unfinished."""

    def drop(self, script_id: str) -> None:
        """Play a script no more."""

    def close(self) -> None:
        """End."""


class StartedScripts:
    """Scripts played by a process that the farm's command starts."""

    def __init__(self, command: Sequence[str]) -> None:
        self._where = f"the models of '{' '.join(command)}'"
        self._process, said = start(command, ("model", "--ephemeral"), "models", subprocess.PIPE)
        try:
            require_fitting(said["version"], self._where)
        except FarmProblem:
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
            raise FarmProblem(f"{self._where} do not answer any more ({problem}); did something end them?") from None
        finally:
            connection.close()
        if answer.status >= 400:
            raise FarmProblem(told["error"]["message"])
        return told

    def add(self, script: Mapping[str, Any]) -> dict[str, Any]:
        """Play one more script."""
        __tracebackhide__ = True
        return self._ask("POST", "/scripts", script)

    def played(self, script_id: str) -> dict[str, Any]:
        """Return what was asked of a script so far, and what of it is unfinished."""
        __tracebackhide__ = True
        return self._ask("GET", f"/scripts/{script_id}")

    def drop(self, script_id: str) -> None:
        """Play a script no more."""
        self._ask("DELETE", f"/scripts/{script_id}")

    def close(self) -> None:
        """End the process."""
        end(self._process)


def find_scripts(options: Options) -> Scripts:
    """Return where scripts are played."""
    __tracebackhide__ = True
    if options.command:
        return StartedScripts(command_words(options.command))
    if has_farm_here():
        from pytest_mcp_farm.in_process import InProcessScripts

        return InProcessScripts()
    if shutil.which("farm"):
        return StartedScripts(["farm"])
    raise FarmProblem(NO_MODEL)


class SessionModels:
    """The scripts of a test session, played somewhere from first use on."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._scripts: Scripts | None = None

    @property
    def scripts(self) -> Scripts:
        """Where scripts are played."""
        __tracebackhide__ = True
        if self._scripts is None:
            self._scripts = find_scripts(self._options)
        return self._scripts

    def close(self) -> None:
        """End what was started."""
        if self._scripts is not None:
            self._scripts.close()


class McpFarmModel:
    """Makes scripted models for one test."""

    def __init__(self, session: SessionModels) -> None:
        self._session = session
        self.models: list[ScriptedModel] = []

    def __call__(self, script: Sequence[Any] | Mapping[str, Any] | str | os.PathLike[str]) -> ScriptedModel:
        """Return a model that says what is written, for this test alone.

        Args:
            script: the turns, or a table with ``turns`` or ``models``, or a file of either, .toml or .json.

        Raises:
            FarmProblem: the script is wrong, or nothing can play it.
        """
        __tracebackhide__ = True
        scripts = self._session.scripts
        made = ScriptedModel(scripts, scripts.add(_written(script)))
        self.models.append(made)
        return made

    def shown(self) -> str:
        """Return what was asked of this test's models, for people."""
        return "\n\n".join(model.shown() for model in self.models)

    def close(self) -> None:
        """Drop the test's scripts."""
        for model in self.models:
            model.close()
        self.models.clear()


def _written(script: Sequence[Any] | Mapping[str, Any] | str | os.PathLike[str]) -> Mapping[str, Any]:
    __tracebackhide__ = True
    if isinstance(script, str | os.PathLike):
        path = Path(script)
        try:
            return {"file": str(path), "text": path.read_text("utf-8")}
        except OSError as problem:
            raise FarmProblem(
                f"script {path} cannot be read ({problem.strerror}); name a .toml or .json file"
            ) from None
        except UnicodeDecodeError:
            raise FarmProblem(f"script {path} is not UTF-8") from None
    return script if isinstance(script, Mapping) else {"turns": list(script)}


@dataclass(frozen=True)
class ModelRequest:
    """One request that an agent made of a model, and what it got.

    Attributes:
        path: which API, such as ``/v1/responses``.
        model: by which name of the script it was answered.
        instructions: what the system says.
        told: what is new since the model last spoke: what the user says, results of tools.
        tools: the names of the tools that the agent offers.
        turn: which turn it got, from 1; None if the script had no answer.
        text: what the model said.
        calls: the calls that it asked for, ``tool`` and ``arguments`` each.
        problem: why the script had no answer.
        body: the request as it came.
    """

    path: str
    model: str
    instructions: str
    told: str
    tools: tuple[str, ...]
    turn: int | None
    text: str | None
    calls: tuple[Mapping[str, Any], ...]
    problem: str | None
    body: Mapping[str, Any]


class ScriptedModel:
    """A model that says what a test has written.

    Attributes:
        base_url: what OpenAI's clients take as base URL.
        root: what Anthropic's and Gemini's clients take.
        api_key: any is taken.
        environment: the variables by which these clients find it.
        name: the model's name, the first of several.
        names: of several models, each has a script of its own.
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
        """What was asked so far."""
        asked = self._scripts.played(self._id)["requests"]
        return [
            ModelRequest(**{**each, "tools": tuple(each["tools"]), "calls": tuple(each["calls"])}) for each in asked
        ]

    def assert_finished(self) -> None:
        """Assert that every turn of the script was said, and nothing was asked that it has no answer to."""
        __tracebackhide__ = True
        unfinished = self._scripts.played(self._id)["unfinished"]
        if unfinished is not None:
            raise AssertionError(f"{unfinished}\n\n{self.shown()}")

    def shown(self) -> str:
        """Return what was asked and said, for people."""
        asked = self.requests
        if not asked:
            return f"nothing was asked of the model at {self.base_url}"
        return "\n".join(
            f"  #{n}  {short(each.told)}  →  {f'turn {each.turn}: {_said(each)}' if each.turn else each.problem}"
            for n, each in enumerate(asked, 1)
        )

    def close(self) -> None:
        """Say no more."""
        self._scripts.drop(self._id)


def _said(request: ModelRequest) -> str:
    calls = [f"{call['tool']} {short(call['arguments'])}" for call in request.calls]
    return ", ".join([*([] if request.text is None else [short(request.text)]), *calls])
