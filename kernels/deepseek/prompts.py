"""The server's prompt."""

from __future__ import annotations

from farm.appkit import Episode, Prompt, ProtocolError


class EmptyTask(ProtocolError):
    """Invalid arguments for prompt deepseek_chat_starter: task: Too small: expected string to have >=1 characters"""

    code = -32602


def chat_starter(ep: Episode, *, task: str, style: str = "", model: str | None = None) -> str:
    """Return how a chat may begin: the model, the style and the task, a line each.

    Raises:
        EmptyTask: the task is an empty text.
    """
    if not task:
        raise EmptyTask
    lines = [f"Use model: {'deepseek-flash' if model is None else model}"]
    if style:
        lines.append(f"Style constraints: {style}")
    return "\n".join([*lines, f"Task: {task}"])


PROMPTS = (Prompt("deepseek_chat_starter", chat_starter),)
