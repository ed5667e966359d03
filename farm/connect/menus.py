"""Chooses a desktop client's menu: a person's client sends every tool's text in every request."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from farm.appkit.app import LATEST
from farm.content import load_app
from farm.errors import NotFoundError
from farm.server.tool_menu import ALL, DESKTOP, fit, in_vendor_order

TOOLS_MAX = 40

Menu = dict[str, list[str]]


def choose(apps: Sequence[str], wanted: str, profile: str = LATEST) -> Menu:
    """Return app → tools on the menu, in the vendor's order; an app with all its tools is left out.

    Args:
        wanted: ``menu`` for at most 40 tools in all, ``all``, or the name of a menu that some of the apps declare.
        profile: the profile of the apps.

    Raises:
        NotFoundError: no app declares a menu of that name.
    """
    if wanted == ALL:
        return {}
    loaded = {app: load_app(app).in_profile(profile) for app in apps}
    if wanted == "menu":
        chosen = fit(loaded, TOOLS_MAX)
        return {
            app: in_vendor_order(loaded[app], tools)
            for app, tools in chosen.items()
            if len(tools) < len(loaded[app].tool_schemas)
        }
    declared = {app: each.app.menus for app, each in loaded.items()}
    if not any(wanted in menus for menus in declared.values()):
        names = sorted({name for menus in declared.values() for name in menus})
        raise NotFoundError(f"no menu '{wanted}' in {', '.join(apps)}; have {', '.join(['menu', 'all', *names])}")
    return {app: in_vendor_order(loaded[app], menus[wanted]) for app, menus in declared.items() if wanted in menus}


def menu_in_address(tools: Sequence[str], wanted: str) -> str:
    """Return a menu in the form of an address: that of ``choose`` for one app."""
    return f"{DESKTOP}:{len(tools)}" if wanted == "menu" else wanted


def with_query(url: str, **parameters: str | None) -> str:
    """Return an address with these parameters, but for those that are None."""
    given = [f"{name}={quote(value, safe=',:=')}" for name, value in parameters.items() if value is not None]
    return f"{url}?{'&'.join(given)}" if given else url


def is_reduced(apps: Sequence[str], profile: str = LATEST) -> bool:
    """Return whether ``menu`` shows fewer tools of some app than it would for that app alone."""
    chosen = choose(apps, "menu", profile)
    alone = {app: choose((app,), "menu", profile).get(app) for app in chosen}
    return any(only is None or len(only) > len(chosen[app]) for app, only in alone.items())
