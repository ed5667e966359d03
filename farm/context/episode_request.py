"""Validates a create request and turns it into an episode's settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from farm import content
from farm.appkit.app import LATEST
from farm.content import LoadedApp
from farm.context.added_rows import Beginning, added_rows
from farm.context.settings import CLOCK_MS_MAX, LIVE, Settings, parse_time, wall_time
from farm.context.template import World, load_world, require_person
from farm.errors import FarmError, NotFoundError

_KEYS = ("world", "apps", "seed", "now", "me", "menu", "profile", "label", "expires_at", "calls_max", "rows", "files")
_INTEGER_MAX = 2**63 - 1
_DAY_MS = 86_400_000


def loaded(app: str) -> LoadedApp:
    """Return an app of this farm; cached, as finding one scans folders."""
    return _loaded(app, content.roots())


def profile_of(app: str, profile: str) -> str:
    """Return the profile in which an app plays; one that does not define it falls back to ``latest``."""
    # Without loading the app: a gateway with the kernels of all apps takes 15 MiB more.
    return LATEST if profile == LATEST else loaded(app).in_profile(profile).profile


@lru_cache(maxsize=256)
def _loaded(app: str, _: tuple[content.Root, ...]) -> LoadedApp:
    return content.load_app(app)


def settings_for(
    body: Mapping[str, Any], *, episode_id: str, world: str | None, apps: Iterable[str], token_sha256: str | None
) -> Settings:
    """Return the settings for a create request.

    Args:
        body: the request's body.
        world: the default world.
        apps: the farm's apps.

    Raises:
        NotFoundError: a world, app, tool, menu or person does not exist; the message lists the existing ones.
        FarmError: a value has the wrong form, or a key is unknown.
    """
    unknown = sorted(set(body) - set(_KEYS))
    if unknown:
        raise FarmError(f"unknown key '{unknown[0]}'; an episode takes {', '.join(_KEYS)}")
    named = body.get("world", world)
    known = None if named is None else load_world(_text({"world": named}, "world"))
    have = tuple(sorted(apps))
    chosen, profile = _apps(body, have), _profile(body, have)
    now, shift_days = _now(body, known)
    me = _me(body, known, chosen)
    return Settings(
        id=episode_id,
        world=named,
        apps=chosen,
        seed=_seed(body),
        now=now,
        shift_days=shift_days,
        me=me,
        menu=_menus(body.get("menu"), chosen, profile),
        profile=profile,
        token_sha256=token_sha256,
        expires_at=_expires(body),
        label=_text(body, "label") if body.get("label") is not None else None,
        created_at=wall_time(),
        calls_max=_calls_max(body),
        rows=_rows(body, chosen, (named, shift_days, me), now),
    )


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body[name]
    if not isinstance(value, str):
        raise FarmError(f"'{name}' must be a text, not {value!r}")
    return value


def _apps(body: Mapping[str, Any], have: tuple[str, ...]) -> tuple[str, ...]:
    wanted = body.get("apps")
    if wanted is None:
        return have
    if not isinstance(wanted, list) or not wanted or not all(isinstance(app, str) for app in wanted):
        raise FarmError("'apps' must be a list of app names")
    for app in wanted:
        if app not in have:
            raise NotFoundError(f"no app '{app}' in this farm; have {', '.join(have)}")
    return tuple(sorted(set(wanted)))


def _seed(body: Mapping[str, Any]) -> int:
    seed = body.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= _INTEGER_MAX:
        raise FarmError(f"'seed' must be an integer from 0 to 2**63 - 1, not {seed!r}")
    return seed


def parse_seconds(value: Any) -> int:
    """Convert a number of seconds to milliseconds.

    Raises:
        FarmError: the value is not a number, or is negative.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= CLOCK_MS_MAX / 1000:
        raise FarmError(f"'advance_s' must be a number of seconds from 0 on, not {value!r}")
    return int(timedelta(seconds=value) / timedelta(milliseconds=1))


def require_in_range(at_ms: int) -> None:
    """Raise an error for a simulated time that vendors' time forms cannot represent.

    Raises:
        FarmError: the time is before 1970 or after 9998.
    """
    if not 0 <= at_ms <= CLOCK_MS_MAX:
        raise FarmError("simulated time runs from 1970 to 9998; choose a time in between")


def require_shift(world: str | None, days: int) -> None:
    """Raise an error if a shift moves a world out of the range of simulated time.

    Raises:
        FarmError: the world would begin before 1970 or after 9998.
    """
    if world is not None:
        require_in_range(int(load_world(world).starts_at.timestamp() * 1000) + days * _DAY_MS)


def _now(body: Mapping[str, Any], world: World | None) -> tuple[str, int]:
    """Return when the clock starts, and by how many days the world is shifted (0 unless the clock is live)."""
    now = body.get("now")
    if now == LIVE:
        shift = 0 if world is None else world.shift_to(datetime.now(UTC))
        return LIVE, shift
    if now is not None:
        parsed = parse_time(now, "now")
        require_in_range(int(parsed.timestamp() * 1000))
        return parsed.isoformat(), 0
    start = datetime.now(UTC) if world is None else world.starts_at
    return start.isoformat(timespec="milliseconds" if world is None else "auto"), 0


def _expires(body: Mapping[str, Any]) -> str | None:
    given = body.get("expires_at")
    return None if given is None else parse_time(given, "expires_at").isoformat()


def _calls_max(body: Mapping[str, Any]) -> int | None:
    given = body.get("calls_max")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= _INTEGER_MAX:
        raise FarmError(f"'calls_max' must be an integer from 1 on, not {given!r}")
    return given


def _me(body: Mapping[str, Any], world: World | None, apps: tuple[str, ...]) -> str | None:
    if body.get("me") is None:
        return world.protagonist if world else None
    me = _text(body, "me")
    if world is None:
        raise FarmError(f"'me' names a person of a world, and this episode has none; leave '{me}' out")
    return require_person(world, me, apps)


def _rows(
    body: Mapping[str, Any], chosen: Sequence[str], start: tuple[str | None, int, str | None], now: str
) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Return the rows that the request adds; apps are loaded only if it does."""
    if body.get("rows") is None and body.get("files") is None:
        return {}
    began = datetime.now(UTC) if now == LIVE else datetime.fromisoformat(now)
    beginning = Beginning(*start, int(began.timestamp() * 1000))
    return added_rows(body.get("rows"), body.get("files"), {app: loaded(app) for app in chosen}, beginning)


def _profile(body: Mapping[str, Any], have: tuple[str, ...]) -> str:
    """Return the profile; at least one app of the farm must define it, and the others fall back to ``latest``."""
    profile = _text({"profile": LATEST, **body}, "profile")
    if profile == LATEST:
        return LATEST
    knowing = {app: content.load_app(app).profiles for app in have}
    if not any(profile in profiles for profiles in knowing.values()):
        others = [f"{name} ({app})" for app, profiles in knowing.items() for name in profiles if name != LATEST]
        raise NotFoundError(f"no profile '{profile}'; have {', '.join([LATEST, *others])}")
    return profile


def _menus(menu: Any, names: Sequence[str], profile: str) -> dict[str, tuple[str, ...]]:
    """Return app → tools shown. A text names a menu of all apps that have it; an object specifies each app."""
    if menu is None or menu == "all":
        return {}
    apps = [loaded(app).in_profile(profile) for app in names]
    if isinstance(menu, str):
        found = {each.app.name: each.app.menus[menu] for each in apps if menu in each.app.menus}
        if not found:
            raise NotFoundError(f"no menu '{menu}' in {', '.join(names)}; have {_menu_names(apps)}")
        return found
    if not isinstance(menu, dict):
        raise FarmError("'menu' must be the name of a menu, or an object of app to menu name or list of tools")
    for app in menu:
        if app not in names:
            raise NotFoundError(f"no app '{app}' in this episode; have {', '.join(names)}")
    chosen = {each.app.name: _menu(each, menu.get(each.app.name)) for each in apps}
    return {app: tools for app, tools in chosen.items() if tools is not None}


def _menu_names(apps: Iterable[LoadedApp]) -> str:
    return ", ".join(sorted({name for each in apps for name in each.app.menus})) or "none but 'all'"


def _menu(loaded: LoadedApp, choice: Any) -> tuple[str, ...] | None:
    app = loaded.app.name
    if choice is None or choice == "all":
        return None
    if isinstance(choice, str):
        if choice not in loaded.app.menus:
            raise NotFoundError(f"no menu '{choice}' of {_describe_app(loaded)}; have {_menu_names([loaded])}")
        return tuple(loaded.app.menus[choice])
    if not isinstance(choice, list):
        raise FarmError(f"the menu of '{app}' must be a menu's name or a list of tools, not {choice!r}")
    for tool in choice:
        if not isinstance(tool, str) or tool not in loaded.bound:
            see = f"farm tools {app}" if loaded.profile == LATEST else f"farm tools {app} --profile {loaded.profile}"
            raise NotFoundError(f"no tool {tool!r} of {_describe_app(loaded)}; see '{see}'")
    return tuple(choice)


def _describe_app(loaded: LoadedApp) -> str:
    return f"app '{loaded.app.name}'" + ("" if loaded.profile == LATEST else f" in profile '{loaded.profile}'")
