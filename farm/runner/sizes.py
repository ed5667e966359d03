"""What an agent's context is filled with: the tokens of its menu and of each tool's answers, estimated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from farm import content
from farm.app import LATEST
from farm.loose_json import print_exact
from farm.runner.menus import Shown
from farm.tokens import estimate, estimate_tools


def menu_tokens(menu: Shown, profile: str = LATEST) -> int:
    """Return about how many tokens the tools of an episode cost in every request."""
    apps, tools = menu
    return sum(
        _app_tokens(app, profile, None if tools is None else frozenset(tools.get(app, ())))
        for app in (content.app_names() if apps is None else apps)
    )


@lru_cache(maxsize=256)
def _app_tokens(app: str, profile: str, names: frozenset[str] | None) -> int:
    contract = content.load_app(app).in_profile(profile).contract
    return estimate_tools(tool for tool in contract if names is None or tool["name"] in names)


def context_tokens(trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the part of a run's summary on tokens: the mean menu, and every tool's answers."""
    menus = [trial["menu_tokens"] for trial in trials if "menu_tokens" in trial]
    mean = round(sum(menus) / len(menus)) if menus else None
    return {"menu_tokens": mean, "answer_tokens": answer_sizes(trials)}


def answer_sizes(trials: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return, for each ``app.tool`` that was called, its calls and the tokens of its answers; the dearest first."""
    found: dict[str, list[int]] = {}
    for trial in trials:
        for call in trial["calls"]:
            size = estimate(_shown(call.get("result") or {}))
            found.setdefault(f"{call['app']}.{call['tool']}", []).append(size)
    dearest = sorted(found.items(), key=lambda each: (-sum(each[1]), each[0]))
    return {
        tool: {"calls": len(each), "tokens": sum(each), "mean": round(sum(each) / len(each)), "largest": max(each)}
        for tool, each in dearest
    }


def _shown(result: Mapping[str, Any]) -> bytes:
    """Return what an agent's model reads of a result: its texts, or the error."""
    if "error" in result:
        return print_exact(result["error"])
    texts = (item.get("text", "") for item in result.get("content", ()))
    return "\n".join(texts).encode()
