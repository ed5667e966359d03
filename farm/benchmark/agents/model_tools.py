"""The tools of an episode as a model is offered them: joint names, and calls whose arguments are a model's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from farm._util.json_io import dumps, loads
from farm.benchmark.agents.base import Session
from farm.errors import FarmError
from farm.server.joint_names import joint_name

ToolForm = Literal["mcp", "openai", "anthropic"]
# Longer descriptions are refused by some providers.
_DESCRIPTION_MAX = 1024
# A farm takes bodies of 4 MiB; the rest of a request needs less than 1 KiB.
_ARGUMENTS_BYTES_MAX = 4 * 1024**2 - 1024


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


class ModelTools:
    """The tools of an episode by their joint names."""

    def __init__(self, session: Session) -> None:
        """List the tools of every app of the episode.

        Raises:
            InfrastructureError: the farm does not answer.
        """
        self._session = session
        self._listed: dict[ToolForm, list[dict[str, Any]]] = {}
        self._targets: dict[str, tuple[str, dict[str, Any]]] = {}
        for app in session.apps:
            for tool in session.tools(app):
                self._targets[joint_name(app, tool["name"])] = (app, tool)

    def listed(self, form: ToolForm) -> list[dict[str, Any]]:
        """Return every tool in the form of MCP's ``tools/list``, of OpenAI's API or of Anthropic's.

        Raises:
            FarmError: the form does not exist.
        """
        if form not in self._listed:
            self._listed[form] = [in_form(form, name, tool) for name, (_, tool) in self._targets.items()]
        return self._listed[form]

    def call(self, name: str, arguments: Mapping[str, Any] | str | None) -> ToolText:
        """Make one call and return its outcome; what a model writes wrongly is refused, not raised.

        Args:
            name: the joint name.
            arguments: an object, or its JSON.

        Raises:
            InfrastructureError: the farm does not answer.
        """
        if not isinstance(name, str) or name not in self._targets:
            return _refused(f"there is no tool '{name}'")
        app, tool = self._targets[name][0], self._targets[name][1]["name"]
        given: Any = arguments
        if isinstance(arguments, str):
            try:
                given = loads(arguments or "{}")
            except orjson.JSONDecodeError:
                return _refused("the arguments are not JSON", (app, tool, {}))
        given = {} if given is None else given
        if not isinstance(given, Mapping):
            return _refused("the arguments are not a JSON object", (app, tool, {}))
        sent = (app, tool, dict(given))
        if len(dumps(sent[2])) > _ARGUMENTS_BYTES_MAX:
            return _refused(f"the arguments are over {_ARGUMENTS_BYTES_MAX >> 10} KiB", (app, tool, {}))
        result = self._session.call(*sent)
        if "error" in result:
            return ToolText(f"Error: {result['error']['message']}", True, result, sent)
        text = "\n".join(map(_text_of, result["content"]))
        images = tuple(
            f"data:{item['mimeType']};base64,{item['data']}" for item in result["content"] if item["type"] == "image"
        )
        return ToolText(text, bool(result.get("isError")), result, sent, images)


def _text_of(item: Mapping[str, Any]) -> str:
    """Return the text of a part of an answer, or what the part is, for a model that reads only text."""
    if "text" in item:
        return str(item["text"])
    if "data" not in item:
        return f"[{item['type']}]"
    return f"[{item['type']} {item.get('mimeType', '')}, {len(item['data']) * 3 // 4:,} bytes, left out]"


def _refused(why: str, call: tuple[str, str, dict[str, Any]] | None = None) -> ToolText:
    text = f"Error: {why}"
    result = {"content": [{"type": "text", "text": text}], "isError": True}
    return ToolText(text, True, result, call)


def _openai(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    description = tool.get("description", "")[:_DESCRIPTION_MAX]
    function = {"name": name, "description": description, "parameters": tool["inputSchema"]}
    return {"type": "function", "function": function}


def _anthropic(name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "description": tool.get("description", ""), "input_schema": tool["inputSchema"]}


def in_form(form: ToolForm, name: str, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool of ``tools/list`` under a name, in the form of MCP, of OpenAI's API or of Anthropic's.

    Raises:
        FarmError: the form does not exist.
    """
    if form not in _FORMS:
        raise FarmError(f"no form of tools {form!r}; have {', '.join(_FORMS)}")
    return _FORMS[form](name, tool)


_FORMS = {"mcp": lambda name, tool: {**tool, "name": name}, "openai": _openai, "anthropic": _anthropic}
