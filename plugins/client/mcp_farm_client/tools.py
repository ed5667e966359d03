"""The tools of an episode as a model is offered them: joint names, and calls whose arguments are a model's text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Literal

from .errors import McpFarmError
from .http_pool import BODY_BYTES_MAX, to_json
from .wire import WireSession

ToolForm = Literal["mcp", "openai", "anthropic"]
_NAME_MAX = 53  # as on the joint MCP server: clients put their own names in front
# Longer descriptions are refused by some providers.
_DESCRIPTION_MAX = 1024
# The rest of a request needs less than 1 KiB.
_ARGUMENTS_BYTES_MAX = BODY_BYTES_MAX - 1024

__tracebackhide__ = True  # pytest shows a problem at the test's own line


@dataclass(frozen=True)
class ToolText:
    """The outcome of a call.

    Attributes:
        text: the text for a model.
        is_error: whether the call was refused.
        result: the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error.
        call: app, tool and arguments as they were sent; None if no such tool exists.
        images: the images of the answer, each as a ``data:`` URL.
    """

    text: str
    is_error: bool
    result: Mapping[str, Any]
    call: tuple[str, str, dict[str, Any]] | None = None
    images: tuple[str, ...] = ()


def joint_name(app: str, tool: str) -> str:
    """Return a tool's name for a model: ``<app>__<tool>`` as on the joint MCP server, truncated to 53 letters."""
    name = f"{app}__{tool}"
    if len(name) <= _NAME_MAX:
        return name
    return f"{name[: _NAME_MAX - 9]}_{blake2b(name.encode(), digest_size=4).hexdigest()}"


class ModelTools:
    """The tools of an episode by their joint names."""

    def __init__(self, session: WireSession) -> None:
        """List the tools of every app of the episode.

        Raises:
            McpFarmError: the farm does not answer.
        """
        self._session = session
        self._targets = {
            joint_name(app, tool["name"]): (app, tool) for app in session.urls for tool in session.tools(app)
        }

    def listed(self, form: ToolForm) -> list[dict[str, Any]]:
        """Return every tool in the form of MCP's ``tools/list``, of OpenAI's API or of Anthropic's.

        Raises:
            McpFarmError: the form does not exist.
        """
        if form not in _FORMS:
            raise McpFarmError(f"no form of tools {form!r}; have {', '.join(_FORMS)}")
        return [_FORMS[form](name, tool) for name, (_, tool) in self._targets.items()]

    def call(self, name: str, arguments: Mapping[str, Any] | str | None) -> ToolText:
        """Make one call and return its outcome; what a model writes wrongly is refused, not raised.

        Args:
            name: the joint name.
            arguments: an object, or its JSON.

        Raises:
            McpFarmError: the farm does not answer, or the object holds values that JSON has not.
        """
        if not isinstance(name, str) or name not in self._targets:
            return _refused(f"there is no tool '{name}'")
        app, tool = self._targets[name][0], self._targets[name][1]["name"]
        try:
            given = _parse(arguments or "{}") if isinstance(arguments, str) else arguments
        except (ValueError, RecursionError):
            return _refused("the arguments are not JSON", (app, tool, {}))
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            return _refused("the arguments are not a JSON object", (app, tool, {}))
        sent = (app, tool, dict(given))
        if len(to_json(sent[2])) > _ARGUMENTS_BYTES_MAX:
            return _refused(f"the arguments are over {_ARGUMENTS_BYTES_MAX >> 10} KiB", (app, tool, {}))
        result = self._session.result(*sent)
        if "error" in result:
            return ToolText(f"Error: {result['error']['message']}", True, result, sent)
        content = result.get("content", ())
        text = "\n".join(map(_text_of, content))
        images = tuple(f"data:{item['mimeType']};base64,{item['data']}" for item in content if item["type"] == "image")
        return ToolText(text, bool(result.get("isError")), result, sent, images)


def _text_of(item: Mapping[str, Any]) -> str:
    """Return the text of a part of an answer, or what the part is, for a model that reads only text."""
    if "text" in item:
        return str(item["text"])
    if "data" not in item:
        return f"[{item['type']}]"
    return f"[{item['type']} {item.get('mimeType', '')}, {len(item['data']) * 3 // 4:,} bytes, left out]"


def _parse(text: str) -> Any:
    """Return the value of a JSON text; Python's extensions, NaN and half characters, are refused as a farm does.

    Raises:
        ValueError: the text is not JSON.
    """

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    value = json.loads(text, parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _refused(why: str, call: tuple[str, str, dict[str, Any]] | None = None) -> ToolText:
    text = f"Error: {why}"
    return ToolText(text, True, {"content": [{"type": "text", "text": text}], "isError": True}, call)


def _openai(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    description = tool.get("description", "")[:_DESCRIPTION_MAX]
    function = {"name": name, "description": description, "parameters": tool["inputSchema"]}
    return {"type": "function", "function": function}


def _anthropic(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": tool.get("description", ""), "input_schema": tool["inputSchema"]}


_FORMS = {"mcp": lambda name, tool: {**tool, "name": name}, "openai": _openai, "anthropic": _anthropic}
