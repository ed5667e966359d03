"""A client's own menu: fewer tools of an episode, chosen by the address ``…?menu=desktop:12``.

An episode's menu is part of its settings, and every client sees it. A client's menu costs no episode: two clients see
different tools of the same data. The gateway passes it on to the app in a header.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qs

from starlette.types import Scope

from farm.content import LoadedApp, load_app
from farm.context.settings import Settings
from farm.errors import FarmError, NotFoundError

# The menu that an app may declare for people's assistants: the most needed tools, most needed first.
DESKTOP = "desktop"
ALL = "all"
MENU_HEADER = b"farm-menu"
_LENGTH_MAX = 8192


def find_menu(loaded: LoadedApp, text: str) -> frozenset[str]:
    """Return the tools of an app that a client's menu shows.

    Args:
        text: ``NAME`` or ``NAME:COUNT``, where NAME is a menu of the app or ``all`` and COUNT the number of its first
            tools; or ``=`` and the tools' names, with commas.

    Raises:
        NotFoundError: the app has no such menu.
        FarmError: the text has another form.
    """
    if len(text) > _LENGTH_MAX:
        raise FarmError(f"a menu has at most {_LENGTH_MAX:,} letters")
    if text.startswith("="):
        return frozenset(text[1:].split(","))
    name, colon, count = text.partition(":")
    if colon and not (count.isdecimal() and len(count) < 5):
        raise FarmError(f"no menu {text!r}; write one as {DESKTOP}:12, with the number of tools")
    names = _named(loaded, name)
    return frozenset(names[: int(count)] if colon else names)


def _named(loaded: LoadedApp, name: str) -> Sequence[str]:
    menus = loaded.app.menus
    if name in menus:
        return menus[name]
    if name in (ALL, DESKTOP):
        return [entry["name"] for entry in loaded.tool_schemas]
    have = ", ".join(dict.fromkeys((ALL, DESKTOP, *menus)))
    raise NotFoundError(f"no menu '{name}' in {loaded.app.name}; have {have}")


def in_vendor_order(app: LoadedApp, tools: Sequence[str] | frozenset[str]) -> list[str]:
    """Return the tools in the order in which the real server lists them."""
    return [entry["name"] for entry in app.tool_schemas if entry["name"] in tools]


def fit(apps: Mapping[str, LoadedApp], tools_max: int) -> dict[str, Sequence[str]]:
    """Return app → the tools shown, at most so many in all.

    Reduces where it saves most: full lists first, then declared menus, then each app's share.
    """
    full = {app: [entry["name"] for entry in loaded.tool_schemas] for app, loaded in apps.items()}
    short = {app: list(loaded.app.menus.get(DESKTOP, full[app])) for app, loaded in apps.items()}
    menu = dict(full)
    saving = {app: len(full[app]) - len(short[app]) for app in apps}
    for app in sorted(apps, key=lambda name: (-saving[name], name)):
        if _count(menu) <= tools_max:
            break
        menu[app] = short[app]
    while _count(menu) > tools_max:
        longest = max(sorted(menu), key=lambda name: len(menu[name]))
        menu[longest] = menu[longest][:-1]
    return {**menu}


def _count(menu: Mapping[str, Sequence[str]]) -> int:
    return sum(map(len, menu.values()))


# -- the address ------------------------------------------------------------------------------------------------------


def menu_of(scope: Scope) -> str | None:
    """Return the menu in a request's address, or None."""
    return _parameter(scope, "menu")


def apps_in(scope: Scope) -> tuple[str, ...] | None:
    """Return the apps in the address of a joint server, or None for all."""
    named = _parameter(scope, "apps")
    return None if named is None else tuple(filter(None, named.split(",")))


def _parameter(scope: Scope, name: str) -> str | None:
    query: bytes = scope.get("query_string") or b""
    # Clients add parameters of their own; only ours are read.
    return parse_qs(query.decode("latin-1"), max_num_fields=20).get(name, [None])[-1] if query else None


def narrow(settings: Settings, apps: Sequence[str], scope: Scope) -> tuple[Settings, tuple[str, ...]]:
    """Return an episode's settings and apps as the address of a joint server narrows them.

    Raises:
        NotFoundError: the episode lacks a named app, or no app has the named menu.
    """
    named, text = apps_in(scope), menu_of(scope)
    for app in named or ():
        if app not in apps:
            raise NotFoundError(f"episode '{settings.id}' has no app '{app}'; it has {', '.join(apps)}")
    shown = tuple(app for app in apps if named is None or app in named)
    if text is None:
        return settings, shown
    loaded = {app: load_app(app).in_profile(settings.profile) for app in shown}
    return replace(settings, menu={**settings.menu, **_joint_menu(loaded, settings, text)}), shown


def _joint_menu(loaded: Mapping[str, LoadedApp], settings: Settings, text: str) -> dict[str, tuple[str, ...]]:
    """Return app → tools of a joint menu: its count is that of all apps together."""
    name, _, count = text.partition(":")
    if name == DESKTOP and count.isdecimal() and len(count) < 5:
        chosen: Mapping[str, Sequence[str]] = fit(loaded, int(count))
    else:
        chosen = {app: in_vendor_order(each, find_menu(each, text)) for app, each in loaded.items()}
    return {
        app: tuple(tool for tool in tools if app not in settings.menu or tool in settings.menu[app])
        for app, tools in chosen.items()
    }
