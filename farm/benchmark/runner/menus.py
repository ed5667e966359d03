"""Menus, the apps and tools that an agent is shown: the task's own, all, a paper's, or the needed ones among others."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from farm import content
from farm.appkit.app import LATEST
from farm.benchmark.runner.distractors import DISTRACTORS, distractors
from farm.benchmark.tasks import Suite, Task
from farm.errors import FarmError, NotFoundError
from farm.server.joint_names import joint_name

_NAME_LENGTH_MAX = 64
EpisodeMenu = tuple[list[str] | None, dict[str, list[str]] | None]


def check_menu(menu: str, profile: str = LATEST) -> str:
    """Return the menu's name.

    Raises:
        FarmError: the menu does not exist, or needs more tools than the apps have in the profile.
    """
    if menu in ("selected", "all"):
        return menu
    if menu == "paper":
        paper_apps()
        return menu
    if found := re.fullmatch(rf"(k=[1-9]\d*)(?::({'|'.join(DISTRACTORS)}))?", menu):
        # Figures are compared by the menu's name, so k=500 must have 500 tools.
        count = len(_served(profile))
        # Compared by length first, as Python does not parse a number of thousands of digits.
        if (len(found[1]), found[1]) > (len(f"k={count}"), f"k={count}"):
            raise FarmError(f"menu '{menu}' wants more tools than there are; 'all' shows all {count}")
        return menu
    raise FarmError(
        f"no menu '{menu}'; have selected (the task's apps), all (every app), paper (a paper's apps), k=N (N tools in "
        f"all), k=N:KIND with {', '.join(DISTRACTORS)}"
    )


def paper_apps() -> list[str]:
    """Return the apps of the menu ``paper``, which a paper's file declares.

    Raises:
        FarmError: no paper declares a menu, several do, or an app does not exist.
    """
    menus = {name: raw["menu"] for name in content.paper_names() if "menu" in (raw := read_paper_file(name))}
    if len(menus) != 1:
        raise FarmError(f"the menu 'paper' is declared by {', '.join(menus) or 'no paper'}; one may declare it")
    ((name, apps),) = menus.items()
    for app in apps:
        if not content.has_app(app):
            raise FarmError(f"the menu of the paper '{name}' names the app '{app}', which does not exist")
    return list(apps)


def read_paper_file(name: str) -> dict[str, Any]:
    """Return what a paper's file declares.

    Raises:
        NotFoundError: there is no such paper.
        FarmError: the file is not TOML.
    """
    path = content.paper_dir(name) / "paper.toml"
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FarmError(f"{path} is not TOML: {problem}") from None
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None


def require_fitting(suite: Suite, menu: str, seed: int, profile: str, tools_max: int) -> None:
    """Check that a model takes every menu of a run.

    Raises:
        FarmError: a task's menu has more tools, or longer names, than the model takes.
    """
    for task in suite.tasks:
        shown = shown_tools(chosen_tools(task, menu, seed, profile), profile)
        if len(shown) > tools_max:
            raise FarmError(
                f"task '{task.id}' shows {len(shown)} tools in the menu '{menu}'; the model takes {tools_max}. Take "
                f"another --menu, or, if this model takes more, name its limit by --tools-max"
            )
        if long := [name for name in (joint_name(app, tool) for app, tool in shown) if len(name) > _NAME_LENGTH_MAX]:
            raise FarmError(f"the tool '{long[0]}' has a name of over {_NAME_LENGTH_MAX} letters, which no model takes")


def shown_tools(menu: EpisodeMenu, profile: str = LATEST) -> list[tuple[str, str]]:
    """Return app and name of each tool that an episode's menu shows."""
    apps, tools = menu
    served = _served(profile, apps)
    return served if tools is None else [each for each in served if each[1] in tools.get(each[0], ())]


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


def menu_apps(suite: Suite, menu: str, profile: str = LATEST) -> list[str]:
    """Return the apps of the farm that a run needs, in the order of all: those that any of its episodes has.

    A farm knows only the profiles of its own apps. If the suite's apps have no version of the profile, the first app
    that has one is added, so that tasks of such apps alone run as they do beside other tasks: in their latest version.
    """
    chosen = {app for task in suite.tasks for app in task.apps}
    if menu == "paper":
        chosen |= set(paper_apps())
    apps = [app for app in content.app_names() if menu not in ("selected", "paper") or app in chosen]
    if profile == LATEST or any(_has_profile(app, profile) for app in apps):
        return apps
    beside = next((app for app in content.app_names() if _has_profile(app, profile)), None)
    return [app for app in content.app_names() if app in apps or app == beside]


def _has_profile(app: str, profile: str) -> bool:
    return profile in content.load_app(app).profiles


def _served(profile: str, apps: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Return app and name of every tool that apps have in a profile; of all apps if none are named."""
    return [
        (app, tool["name"])
        for app in (content.app_names() if apps is None else apps)
        for tool in content.load_app(app).in_profile(profile).tool_schemas
    ]


def chosen_tools(task: Task, menu: str, seed: int, profile: str = LATEST) -> EpisodeMenu:
    """Return the apps and, for each app, the tools of an episode; None means all of them.

    With ``k=N`` all tools of the oracle are included, and others of any app fill up to N: any, or those of a kind
    (``farm.benchmark.runner.distractors``). The same seed and task give the same tools.
    """
    if menu == "selected":
        return list(task.apps), None
    beside = [app for app in task.apps if content.is_companion(app)]
    if menu == "all":
        return (sorted({*content.app_names(), *beside}) if beside else None), None
    if menu == "paper":
        return sorted({*paper_apps(), *task.apps}), None
    needed = {(call.app, call.tool) for step in task.oracle for call in step}
    served = _served(profile)
    # A menu has only tools of the profile, even if the oracle uses others.
    needed &= set(served)
    size, _, kind = menu[2:].partition(":")
    count = max(0, int(size) - len(needed))
    others = [each for each in served if each not in needed]
    chosen = needed | set(distractors(others, needed, kind, count, f"{seed}:{task.id}", profile))
    apps = sorted({app for app, _ in chosen} | set(task.apps))
    tools = {app: sorted(tool for name, tool in chosen if name == app) for app in apps if app not in beside}
    return apps, tools
