"""Validates a create request and turns it into an episode's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from farm import content
from farm.appkit.acts import Place
from farm.appkit.app import LATEST
from farm.content import LoadedApp
from farm.context.added_rows import Beginning, added_rows
from farm.context.clock import Standing, require_rate
from farm.context.fault_rules import Calendar, parse_duration, require_fault
from farm.context.person_rules import RuleChecker
from farm.context.settings import CLOCK_MS_MAX, LIVE, Holder, Settings, parse_time, wall_time
from farm.context.template import (
    World,
    account_holders,
    apps_of_people,
    load_world,
    require_accounts,
    require_known,
    values_of,
)
from farm.context.world_people import with_facts, world_rules
from farm.errors import FarmError, NotFoundError

# What a request for an episode may say; the control API lists the same.
KEYS = (
    "world",
    "apps",
    "seed",
    "now",
    "me",
    "menu",
    "profile",
    "label",
    "expires_at",
    "calls_max",
    "rows",
    "files",
    "faults",
    "people",
    "world_people",
    "arrivals",
    "pace",
    "user",
)
_INTEGER_MAX = 2**63 - 1
HOLDERS_MAX = 32  # people in one episode
_DAY_MS = 86_400_000
_STEPS_MAX = 1000  # acts of people in one move of the clock, who might answer each other for ever


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
    body: Mapping[str, Any],
    *,
    episode_id: str,
    world: str | None,
    apps: Iterable[str],
    token_sha256: str | None,
    further_sha256: Callable[[str], str | None] = lambda _: None,
) -> Settings:
    """Return the settings for a create request.

    Args:
        body: the request's body.
        world: the default world.
        apps: the farm's apps.
        token_sha256: hash of the bearer that an agent must send, or None.
        further_sha256: returns it for a person who acts beside the first, or None.

    Raises:
        NotFoundError: a world, app, tool, menu or person does not exist; the message lists the existing ones.
        FarmError: a value has the wrong form, or a key is unknown.
    """
    unknown = sorted(set(body) - set(KEYS))
    if unknown:
        raise FarmError(f"unknown key '{unknown[0]}'; an episode takes {', '.join(KEYS)}")
    named = body.get("world", world)
    known = None if named is None else load_world(_text({"world": named}, "world"))
    have = tuple(sorted(apps))
    profile = _profile(body, have)
    now, shift_days = _now(body, known)
    people = _people(body, known)
    chosen = _apps(body, have, known, people)
    me = people[0] if people else known.protagonist if known else None
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
        rows=_rows(body, chosen, (named, shift_days, me), now) | _user(body.get("user"), chosen),
        faults=_faults(body.get("faults"), chosen, profile, Calendar.of(known, shift_days) if known else None),
        people=_people_rules(body, known, shift_days, chosen),
        arrivals=_arrivals(body),
        pace_ms=parse_pace(body.get("pace")),
        holders=_holders(people, known, chosen, token_sha256, further_sha256),
    )


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body[name]
    if not isinstance(value, str):
        raise FarmError(f"'{name}' must be a text, not {value!r}")
    return value


def _apps(
    body: Mapping[str, Any], have: tuple[str, ...], world: World | None, people: Sequence[str]
) -> tuple[str, ...]:
    """Return the episode's apps: those named, or else those in which one of the people has an account."""
    wanted = body.get("apps")
    if wanted is None:
        return have if world is None or not people else apps_of_people(world, people, have)
    if not isinstance(wanted, list) or not wanted or not all(isinstance(app, str) for app in wanted):
        raise FarmError("'apps' must be a list of app names")
    for app in wanted:
        if app not in have and not content.is_companion(app):
            raise NotFoundError(f"no app '{app}' in this farm; have {', '.join(have)}")
    chosen = tuple(sorted(set(wanted)))
    if world is not None and people:
        require_accounts(world, people, chosen)
    return chosen


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


@dataclass(frozen=True)
class ClockMove:
    """A wish to move an episode's clock.

    Attributes:
        by_ms, to_ms: how far, or to which moment; both None for the next arrival, or for no move.
        is_to_next, is_to_quiet: whether it moves to the next arrival, or to the last.
        rate: how fast it moves from then on; None for as before.
    """

    by_ms: int | None = None
    to_ms: int | None = None
    is_to_next: bool = False
    is_to_quiet: bool = False
    rate: int | None = None

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> ClockMove:
        """Return the wish of a request's body: one of ``advance_s``, ``to``, ``next`` and ``quiet``, or a ``rate``.

        Raises:
            FarmError: it has none of them, several, or a value of the wrong form.
        """
        wanted = {name: body[name] for name in ("advance_s", "to", "next", "quiet") if body.get(name) is not None}
        given = [name for name, value in wanted.items() if value is not False]
        rate = None if body.get("rate") is None else require_rate(body["rate"])
        if len(given) > 1 or (not given and rate is None):
            raise FarmError("give one of 'advance_s', 'to', 'next' and 'quiet', or a 'rate'")
        for name in ("next", "quiet"):
            if not isinstance(body.get(name) or False, bool):
                raise FarmError(f"'{name}' must be true or false, not {body[name]!r}")
        return cls(
            parse_seconds(body["advance_s"]) if "advance_s" in given else None,
            int(parse_time(body["to"], "to").timestamp() * 1000) if "to" in given else None,
            "next" in given,
            "quiet" in given,
            rate,
        )

    def target_ms(self, standing: Standing) -> int:
        """Return the simulated time that it moves to.

        Raises:
            FarmError: it is before now or beyond 9998, or nothing is going to arrive.
        """
        to_ms = standing.now_ms + (self.by_ms or 0) if self.to_ms is None else self.to_ms
        to_ms = standing.require_next_ms() if self.is_to_next else standing.quiet_ms if self.is_to_quiet else to_ms
        require_in_range(to_ms)
        if to_ms < standing.now_ms:
            raise FarmError("a clock only moves forward; reset the episode to go back")
        return to_ms


@dataclass(frozen=True, slots=True)
class ClockStep:
    """One step of a move: the time to move to, and the rate from then on; None for as before."""

    to_ms: int
    rate: int | None = None


class ClockProgress:
    """A move of an episode's clock over all apps, step by step.

    Whoever moves brings acts to their apps after each step, as what people do in one app may lead to something in
    another. So the clock goes through the time of each act, whether it moves in steps or in one leap.

    Attributes:
        standing: how the clock stands; set it after each step.
        to_ms: the time to which it moves.
    """

    def __init__(self, move: ClockMove, standing: Standing) -> None:
        """Begin a move.

        Raises:
            FarmError: as ``ClockMove.target_ms``.
        """
        self.standing, self.to_ms = standing, move.target_ms(standing)
        self._move, self._count, self._is_over = move, 0, False

    def next_step(self) -> ClockStep | None:
        """Return the next step, or None after the last.

        Raises:
            FarmError: people answer each other without an end.
        """
        now_ms, act_ms = self.standing.now_ms, self.standing.act_ms
        if self._is_over:
            return None
        if self._count:
            self.to_ms = self.standing.quiet_ms if self._move.is_to_quiet else max(self.to_ms, now_ms)
        self._count += 1
        if self._count > _STEPS_MAX:
            raise FarmError(f"people answer each other without an end: {_STEPS_MAX} acts in one move of the clock")
        if act_ms is not None and act_ms <= self.to_ms:
            return ClockStep(max(act_ms, now_ms))
        self._is_over = True
        is_there = self._count > 1 and self.to_ms == now_ms and self._move.rate is None
        return None if is_there else ClockStep(self.to_ms, self._move.rate)


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


def _people(body: Mapping[str, Any], world: World | None) -> tuple[str, ...]:
    """Return the people who act in the episode, each once, the one whom the agent works for first; none if not said."""
    given = body.get("me")
    if given is None:
        return ()
    people = given if isinstance(given, list) else [_text(body, "me")]
    if not people or not all(isinstance(each, str) for each in people):
        raise FarmError(f"'me' must be a person's key or a list of such, not {given!r}")
    if len(people) > HOLDERS_MAX:
        raise FarmError(f"'me' names at most {HOLDERS_MAX} people, not {len(people)}")
    if world is None:
        raise FarmError(f"'me' names a person of a world, and this episode has none; leave '{people[0]}' out")
    for each in people:
        require_known(world, each)
    return tuple(dict.fromkeys(people))


def _holders(
    people: Sequence[str],
    world: World | None,
    apps: Sequence[str],
    token_sha256: str | None,
    further_sha256: Callable[[str], str | None],
) -> dict[str, Holder]:
    """Return person → what they see, if there are several people."""
    if world is None or len(people) < 2:
        return {}
    hashes = [token_sha256, *map(further_sha256, people[1:])]
    return {
        person: Holder(apps_of_people(world, [person], apps), token)
        for person, token in zip(people, hashes, strict=True)
    }


def _rows(
    body: Mapping[str, Any], chosen: Sequence[str], start: tuple[str | None, int, str | None], now: str
) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Return the rows that the request adds; apps are loaded only if it does."""
    if body.get("rows") is None and body.get("files") is None:
        return {}
    began = datetime.now(UTC) if now == LIVE else datetime.fromisoformat(now)
    beginning = Beginning(*start, int(began.timestamp() * 1000))
    return added_rows(body.get("rows"), body.get("files"), {app: loaded(app) for app in chosen}, beginning)


def _user(script: Any, chosen: Sequence[str]) -> dict[str, tuple[Mapping[str, Any], ...]]:
    """Return the rows by which the person whom the agent works for answers questions."""
    if script is None:
        return {}
    if not isinstance(script, Mapping):
        raise FarmError(f"'user' must be an object that says what the person answers, not {script!r}")
    return {app: tuple(rows_of(script)) for app, rows_of in takers_of_user(chosen).items()}


def takers_of_user(apps: Iterable[str]) -> dict[str, Callable[[Mapping[str, Any]], list[dict[str, Any]]]]:
    """Return app → what makes rows of a ``user``, for the companions where a person can be asked, at least one.

    Raises:
        FarmError: there is none.
    """
    found = {app: loaded(app).app.user_rows for app in apps if content.is_companion(app)}
    takers = {app: rows_of for app, rows_of in found.items() if rows_of is not None}
    if not takers:
        have = [app for app in content.companion_names() if loaded(app).app.user_rows is not None]
        raise FarmError(f"nobody can ask the 'user' here; name one of {', '.join(have) or 'no app'} among the apps")
    return takers


def parse_pace(given: Any) -> int:
    """Return how long a call takes, in milliseconds; 0 if nothing is given.

    Raises:
        FarmError: it is no duration, or more than a day.
    """
    if given is None:
        return 0
    pace_ms = int(parse_duration(given) * 1000) if isinstance(given, str) else -1
    if not 0 < pace_ms <= _DAY_MS:
        raise FarmError(f"'pace' must be a duration such as 30s, at most a day, not {given!r}")
    return pace_ms


def _arrivals(body: Mapping[str, Any]) -> bool:
    given = body.get("arrivals") or False
    if not isinstance(given, bool):
        raise FarmError(f"'arrivals' must be true or false, not {given!r}")
    return given


def _faults(given: Any, apps: Sequence[str], profile: str, calendar: Calendar | None) -> tuple[Mapping[str, Any], ...]:
    """Return the checked rules of the planned faults; apps are loaded only if there are any."""
    if given is None:
        return ()
    if not isinstance(given, list):
        raise FarmError("'faults' must be a list of faults, each with its 'app' and 'kind'")
    found: dict[str, list[dict[str, Any]]] = {}
    for raw in given:
        app = raw.get("app") if isinstance(raw, dict) else None
        if not isinstance(app, str) or app not in apps:
            raise NotFoundError(f"no app {app!r} in this episode for a fault; have {', '.join(apps)}")
        rules = found.setdefault(app, [])
        rules.append(require_fault(loaded(app).in_profile(profile), raw, [each["id"] for each in rules], calendar))
    return tuple(rule for rules in found.values() for rule in rules)


def rule_checker(
    world: World | None,
    apps: Sequence[str],
    rows: Mapping[str, Any],
    taken: Iterable[Mapping[str, Any]] = (),
    shift_days: int = 0,
) -> RuleChecker:
    """Return what checks the rules of people in an episode of these apps, and fills in their facts."""

    def find_people(app: str) -> Iterable[str]:
        of_rows = {row["person"] for row in rows.get(app, ()) if row.get("person")}
        return of_rows if world is None else of_rows | account_holders(world.name, app)

    def find_places(app: str, place: Place) -> Iterable[str]:
        of_rows = {
            row[place.column] for row in rows.get(app, ()) if row["table"] == place.table and place.column in row
        }
        return of_rows if world is None else of_rows | values_of(world.name, app, place.table, place.column)

    name = None if world is None else world.name
    return RuleChecker(apps, loaded, find_people, taken, name, find_places, partial(with_facts, world, shift_days))


def _people_rules(
    body: Mapping[str, Any], world: World | None, shift_days: int, apps: Sequence[str]
) -> tuple[Mapping[str, Any], ...]:
    """Return the rules of people who answer: the world's, then those of the request.

    The world's are in force if they are asked for, or if the clock is live and the request has none of its own.
    """
    given, wants_world = body.get("people") or [], body.get("world_people")
    if not isinstance(given, list):
        raise FarmError("'people' must be a list of rules, each with 'who', 'when' and 'then'")
    if not isinstance(wants_world, bool | None):
        raise FarmError(f"'world_people' must be true or false, not {wants_world!r}")
    if wants_world is None:
        wants_world = body.get("now") == LIVE and not given
    rules = list(world_rules(world, shift_days, apps)) if world is not None and wants_world else []
    if not given:
        return tuple(rules)
    checker = rule_checker(world, apps, body.get("rows") or {}, rules, shift_days)
    for each in given:
        checker.add(each)
    return tuple(checker.found)


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


def apps_of_further(settings: Settings, person: str) -> tuple[str, ...]:
    """Return the apps that a person would see who joins an episode.

    Raises:
        NotFoundError: nobody of that name is in its world or rows, or has an account in its apps.
    """
    world = None if settings.world is None else load_world(settings.world)
    of_rows = {app for app, rows in settings.rows.items() if any(row.get("person") == person for row in rows)}
    if world is None:
        raise NotFoundError(f"episode '{settings.id}' has no world, and so nobody named '{person}'")
    if person not in world.people and not of_rows:
        require_known(world, person)
    seen = set(apps_of_people(world, [person], settings.apps)) | of_rows
    if not any(app in of_rows or account_holders(world.name, app) for app in seen):
        have = ", ".join(sorted(set().union(*(account_holders(world.name, app) for app in settings.apps)))) or "nobody"
        raise NotFoundError(f"'{person}' has no account in {', '.join(settings.apps)}; have {have}")
    return tuple(app for app in settings.apps if app in seen)
