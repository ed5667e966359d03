"""From an agent's name to the agent: ``oracle``, ``null``, ``replay:…``, ``llm:…``, ``command:…``, ``python:…``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from farm.benchmark.agents.base import Agent
from farm.benchmark.agents.scripted import Null, Oracle, Replay
from farm.errors import FarmError

KINDS = "oracle, null, replay:FILE, llm:MODEL, command:PROGRAM ARGUMENTS, python:MODULE:CALLABLE"


def make_agent(
    wish: str,
    *,
    base_url: str | None = None,
    environment: Iterable[str] = (),
    temperature: float | None = None,
    retries: int | None = None,
    image: str | None = None,
    images: bool = False,
) -> Agent:
    """Return the agent of this name.

    Args:
        name: the name.
        base_url: URL of the OpenAI-compatible API, for ``llm:``.
        retries: how often ``llm:`` retries a request that the endpoint did not accept.
        environment: names of variables to pass on to a ``command:``.
        image: the image in which a ``command:`` runs.
        images: whether ``llm:`` shows its model the images of answers.

    Raises:
        FarmError: the agent is unknown, or one of its requirements is missing.
    """
    kind, _, rest = wish.partition(":")
    if image is not None and kind != "command":
        raise FarmError(f"--agent-image is for command: agents, not '{wish}'")
    if wish == "oracle":
        return Oracle()
    if wish == "null":
        return Null()
    if kind in ("replay", "llm", "command", "python") and not rest:
        raise FarmError(f"'{wish}' lacks what comes after the colon; have {KINDS}")
    match kind:
        case "replay":
            return Replay(Path(rest))
        case "llm":
            from farm.benchmark.agents.llm import RETRIES, Llm

            again = RETRIES if retries is None else retries
            return Llm(rest, base_url=base_url, temperature=temperature, retries=again, images=images)
        case "command":
            return _command(rest, environment, image)
        case "python":
            from farm.benchmark.agents.python import Python

            return Python(rest)
    raise FarmError(f"no agent '{wish}'; have {KINDS}")


def _command(line: str, environment: Iterable[str], image: str | None) -> Agent:
    """Return the agent of a command line, which may begin with the name of a preset."""
    from farm.benchmark.agents.command import Command
    from farm.benchmark.agents.container import ContainerCommand
    from farm.benchmark.agents.presets import find_preset, preset_command

    preset = find_preset(line)
    passed = list(environment)
    if preset is not None:
        line, own = preset_command(preset, line, is_in_image=image is not None)
        passed = list(dict.fromkeys([*passed, *own]))
    agent = Command(line, environment=passed) if image is None else ContainerCommand(line, image, environment=passed)
    if preset is not None:
        agent.name = f"command:{preset.name}"
    return agent
