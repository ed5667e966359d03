"""The built-in agent: a model behind an OpenAI-compatible API calls the episode's tools until it answers."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from openai import AsyncOpenAI, OpenAIError

from farm.agents.base import Ended, Infrastructure, Job, Result, Usage

_NAME_MAX = 64
_DESCRIPTION_MAX = 1024


def shown_name(app: str, tool: str) -> str:
    """Return the name a model sees: ``<app>__<tool>`` as on the joint MCP server, cut where an API takes 64 letters."""
    name = f"{app}__{tool}"
    if len(name) <= _NAME_MAX:
        return name
    return f"{name[: _NAME_MAX - 9]}_{blake2b(name.encode(), digest_size=4).hexdigest()}"


@dataclass
class _Conversation:
    """One trial while it goes on."""

    messages: list[dict[str, Any]]
    deadline: float
    calls_left: int
    turns: list[list[tuple[str, str, dict[str, Any]]]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    def result(self, answer: str, ended: Ended) -> Result:
        return Result(answer, ended, tuple(self.turns), self.usage, tuple(self.messages))


class Llm:
    """Plays with a model in rounds: the model asks for tool calls, all calls of one reply are one turn."""

    is_sealed = True

    def __init__(self, model: str, *, base_url: str | None = None, temperature: float | None = None) -> None:
        """Use a model; the key is read from ``OPENAI_API_KEY``, the address from ``OPENAI_BASE_URL`` when not given."""
        self.name = f"llm:{model}"
        self._model = model
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}

    def play(self, job: Job) -> Result:
        """Hold the conversation of one trial."""
        try:
            return asyncio.run(self._play(job))
        except OpenAIError as problem:
            raise Infrastructure(f"the model did not answer: {problem}") from problem
        except (OSError, RuntimeError) as problem:
            raise Infrastructure(f"the episode's MCP servers did not answer: {problem}") from problem

    async def _play(self, job: Job) -> Result:
        key = os.environ.get("OPENAI_API_KEY") or "none"
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(AsyncOpenAI(base_url=self._base_url, api_key=key))
            tools = await _Tools.open(stack, job)
            messages = [{"role": "system", "content": job.system}, {"role": "user", "content": job.instruction}]
            talk = _Conversation(messages, time.monotonic() + job.limits.time_s_max, job.limits.calls_max)
            for _ in range(job.limits.rounds_max):
                try:
                    async with asyncio.timeout(talk.deadline - time.monotonic()):
                        done = await self._round(model, tools, talk)
                except TimeoutError:
                    return talk.result("", "time")
                if done is not None:
                    return done
            return talk.result("", "rounds")

    async def _round(self, model: AsyncOpenAI, tools: _Tools, talk: _Conversation) -> Result | None:
        """Ask the model once and make the calls it wants; return the result when it wants none."""
        reply = await model.chat.completions.create(
            model=self._model,
            messages=talk.messages,  # type: ignore[arg-type] # plain dicts of the same form
            tools=tools.shown,  # type: ignore[arg-type]
            **self._options,
        )
        if reply.usage is not None:
            talk.usage += Usage(reply.usage.prompt_tokens, reply.usage.completion_tokens)
        if not reply.choices:
            raise Infrastructure("the model's reply holds no choice")
        message = reply.choices[0].message
        talk.messages.append(message.model_dump(exclude_none=True))
        wanted = [call for call in message.tool_calls or () if call.type == "function"]
        if not wanted:
            return talk.result(message.content or "", "answered")
        talk.turns.append([])
        for call in wanted:
            if not talk.calls_left:
                return talk.result(message.content or "", "calls")
            talk.calls_left -= 1
            text = await tools.call(call.function.name, call.function.arguments, talk.turns[-1])
            talk.messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return None


class _Tools:
    """The episode's tools as a model sees them, over MCP."""

    def __init__(self) -> None:
        self.shown: list[dict[str, Any]] = []
        self._targets: dict[str, tuple[str, str, Client[Any]]] = {}

    @staticmethod
    async def open(stack: AsyncExitStack, job: Job) -> _Tools:
        """Connect to every app of the episode and list its tools."""
        tools = _Tools()
        headers = {"Authorization": f"Bearer {job.session.token}"} if job.session.token else None
        for app, url in job.session.urls.items():
            client: Client[Any] = Client(StreamableHttpTransport(url, headers=headers))
            await stack.enter_async_context(client)
            for tool in await client.list_tools():
                name = shown_name(app, tool.name)
                tools._targets[name] = (app, tool.name, client)
                function = {
                    "name": name,
                    "description": (tool.description or "")[:_DESCRIPTION_MAX],
                    "parameters": tool.input_schema,
                }
                tools.shown.append({"type": "function", "function": function})
        return tools

    async def call(self, name: str, arguments: str, turn: list[tuple[str, str, dict[str, Any]]]) -> str:
        """Make one call and return what the model is told. It is never made twice."""
        if name not in self._targets:
            return f"Error: there is no tool '{name}'"
        app, tool, client = self._targets[name]
        try:
            given = orjson.loads(arguments or "{}")
        except orjson.JSONDecodeError:
            turn.append((app, tool, {}))
            return "Error: the arguments are not JSON"
        if not isinstance(given, dict):
            turn.append((app, tool, {}))
            return "Error: the arguments are not a JSON object"
        turn.append((app, tool, given))
        return await _text(client, tool, given)


async def _text(client: Client[Any], tool: str, given: dict[str, Any]) -> str:
    from mcp.shared.exceptions import MCPError

    try:
        result = await client.call_tool_mcp(tool, given)
    except MCPError as refused:
        return f"Error: {refused}"
    return "\n".join(getattr(item, "text", f"[{item.type}]") for item in result.content)
