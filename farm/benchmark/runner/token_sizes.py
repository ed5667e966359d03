"""Estimates of the tokens in an agent's context: its menu and each tool's answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from farm import content
from farm._util.json_io import dumps
from farm._util.token_estimate import estimate, estimate_tools
from farm.appkit.app import LATEST
from farm.appkit.envelope import texts_of
from farm.benchmark.runner.menus import EpisodeMenu


def menu_tokens(menu: EpisodeMenu, profile: str = LATEST) -> int:
    """Return an estimate of the tokens that an episode's tools cost in every request."""
    apps, tools = menu
    return sum(
        _app_tokens(app, profile, None if tools is None else frozenset(tools.get(app, ())))
        for app in (content.app_names() if apps is None else apps)
    )


@lru_cache(maxsize=256)
def _app_tokens(app: str, profile: str, names: frozenset[str] | None) -> int:
    tool_schemas = content.load_app(app).in_profile(profile).tool_schemas
    return estimate_tools(tool for tool in tool_schemas if names is None or tool["name"] in names)


def context_tokens(trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the part of a run's summary on what an agent reads: the menus' sizes, and every tool's answers."""
    tools = [trial["menu_tools"] for trial in trials if "menu_tools" in trial]
    menus = [trial["menu_tokens"] for trial in trials if "menu_tokens" in trial]
    mean = round(sum(menus) / len(menus)) if menus else None
    shown = [min(tools), max(tools)] if tools else None
    return {"menu_tokens": mean, "menu_tools": shown, "answer_tokens": answer_sizes(trials)}


def answer_sizes(trials: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return ``app.tool`` → number of calls and tokens of the answers, the most expensive first."""
    found: dict[str, list[int]] = {}
    for trial in trials:
        for call in trial["calls"]:
            size = estimate(_model_text(call.get("result") or {}))
            found.setdefault(f"{call['app']}.{call['tool']}", []).append(size)
    dearest = sorted(found.items(), key=lambda each: (-sum(each[1]), each[0]))
    return {
        tool: {"calls": len(each), "tokens": sum(each), "mean": round(sum(each) / len(each)), "largest": max(each)}
        for tool, each in dearest
    }


def _model_text(result: Mapping[str, Any]) -> bytes:
    """Return the part of a result that an agent's model reads: its texts, or the error."""
    if "error" in result:
        return dumps(result["error"])
    return "\n".join(texts_of(result)).encode()
