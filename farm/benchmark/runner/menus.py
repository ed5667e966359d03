"""Menus, the apps and tools that an agent is shown: the task's own, all, or the needed ones among others."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from farm import content
from farm.appkit.app import LATEST
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError, NotFoundError

EpisodeMenu = tuple[list[str] | None, dict[str, list[str]] | None]


def check_menu(menu: str, profile: str = LATEST) -> str:
    """Return the menu's name.

    Raises:
        FarmError: the menu does not exist, or needs more tools than the apps have in the profile.
    """
    if menu in ("selected", "all"):
        return menu
    if re.fullmatch(r"k=[1-9]\d*", menu):
        # Figures are compared by the menu's name, so k=500 must have 500 tools.
        count = len(_served(profile))
        # Compared by length first, as Python does not parse a number of thousands of digits.
        if (len(menu), menu) > (len(f"k={count}"), f"k={count}"):
            raise FarmError(f"menu '{menu}' wants more tools than there are; 'all' shows all {count}")
        return menu
    raise FarmError(f"no menu '{menu}'; have selected (the task's apps), all (every app), k=N (N tools in all)")


def check_profile(profile: str) -> str:
    """Return the profile's name.

    Raises:
        NotFoundError: no app defines it.
    """
    if profile == LATEST:
        # Every app has it, so none is loaded.
        return profile
    known = {name for app in content.app_names() for name in content.load_app(app).profiles}
    if profile not in known:
        raise NotFoundError(f"no app has a profile '{profile}'; have {', '.join(sorted(known))}")
    return profile


def playable(suite: Suite, profile: str) -> tuple[Suite, list[str]]:
    """Return the tasks whose tools a profile has, and the ids of the others, which are impossible and not scored.

    Raises:
        FarmError: no task is left.
    """
    if profile == LATEST:
        return suite, []
    missing = {task.id: missing_tools(task, profile) for task in suite.tasks}
    kept = tuple(task for task in suite.tasks if not missing[task.id])
    if not kept:
        task_id, (tool, *_) = next(iter(missing.items()))
        what = f"task '{task_id}' needs {tool}"
        raise FarmError(f"no task can be done in profile '{profile}'; {what}, which it does not have")
    return replace(suite, tasks=kept), [task_id for task_id, tools in missing.items() if tools]


def missing_tools(task: Task, profile: str) -> list[str]:
    """Return the tools that the task's oracle uses and the profile does not have, in the oracle's order."""
    used = dict.fromkeys((call.app, call.tool) for step in task.oracle for call in step)
    served = {
        (app, entry["name"]) for app in task.apps for entry in content.load_app(app).in_profile(profile).tool_schemas
    }
    return [tool for app, tool in used if (app, tool) not in served]


def menu_apps(suite: Suite, menu: str) -> list[str]:
    """Return the apps that any of the suite's episodes has, in the order of all."""
    chosen = {app for task in suite.tasks for app in task.apps}
    return [app for app in content.app_names() if menu != "selected" or app in chosen]


def _served(profile: str) -> list[tuple[str, str]]:
    """Return app and name of every tool that a profile has."""
    return [
        (app, tool["name"])
        for app in content.app_names()
        for tool in content.load_app(app).in_profile(profile).tool_schemas
    ]


def chosen_tools(task: Task, menu: str, seed: int, profile: str = LATEST) -> EpisodeMenu:
    """Return the apps and, for each app, the tools of an episode; None means all of them.

    With ``k=N`` all tools of the oracle are included, and others of any app fill up to N. The same seed and task give
    the same tools.
    """
    if menu == "selected":
        return list(task.apps), None
    if menu == "all":
        return None, None
    needed = {(call.app, call.tool) for step in task.oracle for call in step}
    served = _served(profile)
    # A menu has only tools of the profile, even if the oracle uses others.
    needed &= set(served)
    others = [each for each in served if each not in needed]
    random.Random(f"{seed}:{task.id}").shuffle(others)
    chosen = needed | set(others[: max(0, int(menu[2:]) - len(needed))])
    apps = sorted({app for app, _ in chosen} | set(task.apps))
    return apps, {app: sorted(tool for name, tool in chosen if name == app) for app in apps}
