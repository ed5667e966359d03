"""Responses: the other API for the same, which remembers nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Answer, Episode, Json, Result

from . import answers, files

_INDENTED = Json(indented=True)
_DEFAULT = "deepseek-flash"


def create_response(ep: Episode, /, **given: Any) -> Result:
    """Answer an input, or instructions alone.

    Args:
        input: a text, or items of a history.
        reasoning: only with an effort other than ``none`` there is any.
        max_output_tokens: cut there, the response is incomplete.
        text: a format that is an object is answered with one.
        tools, tool_choice: a function is called only where one must be.

    Raises:
        ModelNotExist, InsufficientBalance, FileNotFound: nothing is said.
    """
    model, items = given.get("model", _DEFAULT), given.get("input", given.get("instructions", ""))
    said_before = [items] if isinstance(items, str) else [_text_of(item) for item in items]
    if not isinstance(items, str):
        files.require_parts(ep, items)
    said = answers.say(
        ep,
        "response",
        model=model,
        asked=said_before[-1],
        counted_text="".join(said_before) + (given.get("instructions", "") if "input" in given else ""),
        given={**given, "model": model},
        tokens_max=given.get("max_output_tokens"),
        reasons=given.get("reasoning", {}).get("effort", "none") != "none",
        as_json=given.get("text", {}).get("format", {}).get("type", "text") != "text",
        called=_called(given),
    )
    output = _output(ep, said)
    calls = [item for item in output if item["type"] == "function_call"]
    is_cut = said.finish == "length"
    status = "incomplete" if is_cut else "completed"
    usage = {"input_tokens": said.prompt_tokens, "output_tokens": said.completion_tokens}
    usage["total_tokens"] = said.prompt_tokens + said.completion_tokens
    why = {"reason": "max_output_tokens"} if is_cut else None
    told = {
        "model": model,
        "status": status,
        "output_text": said.text,
        "reasoning_text": said.reasoning or None,
        "function_calls": calls,
        "usage": usage,
        "error": None,
        "incomplete_details": why,
        "stream_event_count": said.chunks if given["stream"] else None,
    }
    if given["include_raw_response"]:
        head = {"id": said.id, "object": "response", "created_at": ep.now_ms // 1000, "status": status, "model": model}
        told["raw_response"] = {**head, "output": output, "usage": usage, "error": None, "incomplete_details": why}
    shown = [said.text or "(no response text returned)"]
    shown += [f"\nReasoning:\n{said.reasoning}"] if said.reasoning else []
    shown += [f"\nFunction calls returned by model: {_INDENTED.text(calls)}"] if calls else []
    return Answer("\n".join(shown), structured=told)


def _output(ep: Episode, said: answers.GivenAnswer) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    if said.reasoning:
        output.append({"type": "reasoning", "content": [{"type": "reasoning_text", "text": said.reasoning}]})
    for call in answers.calls(ep, said):
        output.append({"type": "function_call", "call_id": call["id"], **call["function"]})
    if said.text:
        content = [{"type": "output_text", "text": said.text}]
        output.append({"type": "message", "role": "assistant", "content": content})
    return output


def _text_of(item: Mapping[str, Any]) -> str:
    content = item.get("content", item.get("output", ""))
    if isinstance(content, str):
        return content
    return " ".join(part["text"] for part in content or () if "text" in part)


def _called(given: Mapping[str, Any]) -> str | None:
    choice = given.get("tool_choice")
    if isinstance(choice, Mapping):
        return str(choice["name"]) if choice["type"] == "function" else None
    names = [str(tool["name"]) for tool in given.get("tools") or () if tool["type"] == "function"]
    return names[0] if choice == "required" and names else None
