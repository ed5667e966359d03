"""Chooses a desktop client's menu: a person's client sends every tool's text in every request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from farm.appkit.app import LATEST
from farm.content import LoadedApp, load_app
from farm.errors import NotFoundError

TOOLS_MAX = 40
# The menu that an app may declare for this: the tools that an assistant needs most, most needed first.
DESKTOP = "desktop"

Menu = dict[str, list[str]]


def choose(apps: Sequence[str], wanted: str, profile: str = LATEST) -> Menu:
    """Return app → tools on the menu, in the vendor's order; an app with all its tools is left out.

    Args:
        wanted: ``menu`` for at most 40 tools in all, ``all``, or the name of a menu that some of the apps declare.
        profile: the profile of the apps.

    Raises:
        NotFoundError: no app declares a menu of that name.
    """
    if wanted == "all":
        return {}
    loaded = {app: load_app(app).in_profile(profile) for app in apps}
    if wanted == "menu":
        return _fitting(loaded)
    declared = {app: each.app.menus for app, each in loaded.items()}
    if not any(wanted in menus for menus in declared.values()):
        names = sorted({name for menus in declared.values() for name in menus})
        raise NotFoundError(f"no menu '{wanted}' in {', '.join(apps)}; have {', '.join(['menu', 'all', *names])}")
    return {app: in_vendor_order(loaded[app], menus[wanted]) for app, menus in declared.items() if wanted in menus}


def is_reduced(apps: Sequence[str], profile: str = LATEST) -> bool:
    """Return whether ``menu`` shows fewer tools of some app than it would for that app alone."""
    chosen = choose(apps, "menu", profile)
    alone = {app: choose((app,), "menu", profile).get(app) for app in chosen}
    return any(only is None or len(only) > len(chosen[app]) for app, only in alone.items())


def _fitting(apps: Mapping[str, LoadedApp]) -> Menu:
    """Reduce where it saves most: full lists first, then declared menus, then each app's share."""
    full = {app: [entry["name"] for entry in loaded.tool_schemas] for app, loaded in apps.items()}
    short = {app: list(loaded.app.menus.get(DESKTOP, full[app])) for app, loaded in apps.items()}
    menu = dict(full)
    saving = {app: len(full[app]) - len(short[app]) for app in apps}
    for app in sorted(apps, key=lambda name: (-saving[name], name)):
        if _count(menu) <= TOOLS_MAX:
            break
        menu[app] = short[app]
    while _count(menu) > TOOLS_MAX:
        longest = max(sorted(menu), key=lambda name: len(menu[name]))
        menu[longest] = menu[longest][:-1]
    return {app: in_vendor_order(apps[app], tools) for app, tools in menu.items() if tools != full[app]}


def _count(menu: Mapping[str, Sequence[str]]) -> int:
    return sum(map(len, menu.values()))


def in_vendor_order(app: LoadedApp, tools: Sequence[str]) -> list[str]:
    """Return the tools in the order in which the real server lists them."""
    return [entry["name"] for entry in app.tool_schemas if entry["name"] in tools]
