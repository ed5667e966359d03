"""Seeds from a model: it sees the tools and their answers, and calls them as an assistant would."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

from farm._util.bounded_http import HEADERS, AnswerTooLongError, bound_answer_async
from farm.errors import FarmError
from farm.traverse.consent import allowed, is_recordable
from farm.traverse.recordings.calls import Request, text_of
from farm.traverse.seeds.player import Player

_QUOTED_MAX = 4_000
_DESCRIPTION_MAX = 1_024
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]")
_NAME_MAX = 64
_ROUND_S_MAX = 120.0
_TASK = """\
You try out a server's tools so that its behaviour can be learned from the calls. Call them as people would who use it \
for their work: make things, look at them, change them, list and search them, remove some of what you made. Use what \
earlier answers showed, such as ids. Every call should succeed: no wrong arguments on purpose. Use each tool at least \
three times, with different arguments and with optional ones given and left out. When nothing new is left to try, \
answer in words.{left}"""
_LEFT = "\nNever used so far: {tools}."


def callable_tools(
    tools: Sequence[Mapping[str, Any]], allow: Collection[str], *, is_sandbox: bool
) -> list[Mapping[str, Any]]:
    """Return the tools that a model may call.

    Raises:
        FarmError: the user allows an unknown tool, or no tool is left.
    """
    names = allowed(tools, allow, is_sandbox=is_sandbox)
    found = [tool for tool in tools if tool["name"] in names and is_recordable(tool)]
    if not found:
        raise FarmError(
            "the server declares no tool read-only; allow some with --allow TOOL, "
            "or all with --sandbox where it is a throw-away one"
        )
    return found


async def propose(
    player: Player, tools: Sequence[Mapping[str, Any]], model: str, *, base_url: str | None = None, calls_max: int = 40
) -> int:
    """Let a model call the tools, and return how many calls it made.

    Args:
        model: a model of an OpenAI-compatible API; the key is read from ``OPENAI_API_KEY``, and the address from
            ``OPENAI_BASE_URL`` unless it is given.

    Raises:
        FarmError: the model does not answer.
    """
    names = {_function_name(tool["name"]): tool["name"] for tool in tools}
    shown = [_function(tool) for tool in tools]
    used: set[str] = set()
    messages: list[dict[str, Any]] = [{"role": "user", "content": _TASK.format(left="")}]
    made = 0
    url = base_url or os.environ.get("OPENAI_BASE_URL") or None
    async with AsyncOpenAI(
        base_url=url,
        api_key=os.environ.get("OPENAI_API_KEY") or "none",
        timeout=_ROUND_S_MAX,
        default_headers=HEADERS,
        http_client=DefaultAsyncHttpxClient(event_hooks={"response": [bound_answer_async]}),
    ) as endpoint:
        for _ in range(calls_max):  # each round makes at least one call
            try:
                reply = await endpoint.chat.completions.create(
                    model=model,
                    messages=messages,  # type: ignore[arg-type] # plain dicts of the same form
                    tools=shown,  # type: ignore[arg-type]
                )
            except (OpenAIError, AnswerTooLongError) as problem:
                raise FarmError(f"the model {model} did not answer: {problem}; {made} calls are recorded") from None
            if not reply.choices:
                raise FarmError(f"the model {model} answered without a choice; {made} calls are recorded")
            message = reply.choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            wanted = [call for call in message.tool_calls or () if call.type == "function"]
            if not wanted:
                left = sorted(set(names.values()) - used)
                if not left or messages[-2].get("role") == "user":
                    break
                messages.append({"role": "user", "content": _TASK.format(left=_LEFT.format(tools=", ".join(left)))})
                continue
            for call in wanted:
                said = "Not called: that is enough."
                if made < calls_max:
                    said, is_made = await _make(player, names, call.function.name, call.function.arguments)
                    made += is_made
                    used |= {names[call.function.name]} if is_made else set()
                messages.append({"role": "tool", "tool_call_id": call.id, "content": said})
            if made >= calls_max:
                break
    return made


async def _make(player: Player, names: Mapping[str, str], name: str, given: str) -> tuple[str, bool]:
    """Return the text for the model about a call, and whether the call was made."""
    if name not in names:
        return f"Not called: there is no tool '{name}'.", False
    try:
        arguments = json.loads(given or "{}")
    except ValueError as problem:
        return f"Not called: the arguments are not JSON ({problem}).", False
    result = await player.call(Request(names[name], arguments))
    return text_of(result)[:_QUOTED_MAX], True


def _function(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = {
        "name": _function_name(tool["name"]),
        "description": str(tool.get("description") or "")[:_DESCRIPTION_MAX],
        "parameters": tool.get("inputSchema") or {"type": "object"},
    }
    return {"type": "function", "function": function}


def _function_name(name: str) -> str:
    return _NO_NAME.sub("_", name)[:_NAME_MAX]
