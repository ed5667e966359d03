"""Which apps and tools an agent is shown: the task's own, everything, or the needed ones among so many others."""

from __future__ import annotations

import random
import re

from farm import content
from farm.errors import FarmError
from farm.task import Task

Shown = tuple[list[str] | None, dict[str, list[str]] | None]


def check_menu(menu: str) -> str:
    """Return the menu's name.

    Raises:
        FarmError: there is no such menu.
    """
    if menu in ("selected", "all") or re.fullmatch(r"k=[1-9]\d*", menu):
        return menu
    raise FarmError(f"no menu '{menu}'; have selected (the task's apps), all (every app), k=N (N tools in all)")


def shown(task: Task, menu: str, seed: int) -> Shown:
    """Return the apps and, app by app, the tools of an episode; None means all of them.

    With ``k=N`` the tools the oracle uses come first and others, of any app, fill up to N; the same seed and task give
    the same ones.
    """
    if menu == "selected":
        return list(task.apps), None
    if menu == "all":
        return None, None
    needed = {(call.app, call.tool) for step in task.oracle for call in step}
    others = [
        (app, tool["name"])
        for app in content.app_names()
        for tool in content.load_app(app).contract
        if (app, tool["name"]) not in needed
    ]
    random.Random(f"{seed}:{task.id}").shuffle(others)
    chosen = needed | set(others[: max(0, int(menu[2:]) - len(needed))])
    apps = sorted({app for app, _ in chosen} | set(task.apps))
    return apps, {app: sorted(tool for name, tool in chosen if name == app) for app in apps}
