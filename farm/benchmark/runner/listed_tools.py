"""Hashes of the tools that a run's agents are shown: a run resumes only with the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import orjson

from farm import content
from farm.benchmark.runner.farm_address import FarmAddress
from farm.benchmark.runner.menus import menu_apps
from farm.benchmark.runner.options import Options
from farm.benchmark.tasks import Suite
from farm.client import FarmClient, mcp_tools
from farm.errors import ConflictError


def hash_tools(suite: Suite, options: Options, farms: Sequence[FarmAddress]) -> dict[str, str]:
    """Return app → hash of its tools, which must be the same on every farm; without a farm, those of this installation.

    Raises:
        ConflictError: two farms differ.
        FarmError: a farm does not answer.
    """
    if not farms:
        return hash_installed(suite, options)
    found: list[dict[str, str]] = []
    for farm in farms:
        with closing(farm.client()) as client:
            found.append(hash_served(suite, options, client))
    for farm, hashes in zip(farms, found, strict=True):
        for app in found[0]:
            if hashes.get(app) != found[0][app]:
                raise ConflictError(f"{farm.url} has other tools of {app} than {farms[0].url}; run both in one version")
    return found[0]


def hash_served(suite: Suite, options: Options, client: FarmClient) -> dict[str, str]:
    """Return app → hash of its tools as a farm lists them, for every app of the suite's episodes.

    Raises:
        FarmError: the farm does not list its tools.
    """
    found: dict[str, str] = {}
    for world in dict.fromkeys(task.world for task in suite.tasks):
        apps = sorted({app for task in suite.tasks if task.world == world for app in task.apps} - found.keys())
        if options.menu == "selected" and not apps:
            continue  # an earlier world's episode has shown them
        wishes = {"world": world, "profile": options.profile, "label": "tools"}
        # The other menus show tools of every app.
        made = client.create(**wishes, **({"apps": apps} if options.menu == "selected" else {}))
        try:
            for app, url in made["mcp"].items():
                found[app] = _hash(mcp_tools(url, made["token"]))
        finally:
            client.drop(made["id"])
    return found


def hash_installed(suite: Suite, options: Options) -> dict[str, str]:
    """Return the same for the apps of this installation, without a farm."""
    # A farm runs companions beside its apps, for episodes that name them.
    named = {app for task in suite.tasks for app in task.apps if content.is_companion(app)}
    apps = [*menu_apps(suite, options.menu), *(sorted(named) if options.menu == "selected" else ())]
    return {app: _hash(content.load_app(app).in_profile(options.profile).tool_schemas) for app in apps}


def _hash(tools: Sequence[Mapping[str, Any]]) -> str:
    return hashlib.sha256(orjson.dumps(tools, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]
