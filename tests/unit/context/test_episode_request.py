"""What a create request may ask for, what becomes of it, and what is said of a wish that cannot be met."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.context.episode_request import parse_seconds, settings_for
from farm.context.settings import Holder, Settings
from farm.context.template import account_holders, load_world
from farm.errors import FarmError, NotFoundError

APPS = ("slack", "lark", "rednote")


def made(farms_world: str | None = "harbor", **body: Any) -> Settings:
    return settings_for(body, episode_id="ep", world=farms_world, apps=APPS, token_sha256="hash")


def test_who_asks_for_nothing_gets_the_farms_world_with_every_app_at_its_start() -> None:
    before = datetime.now(UTC)

    found = made()

    assert found.created_at is not None
    assert before - timedelta(seconds=1) <= datetime.fromisoformat(found.created_at) <= datetime.now(UTC)
    assert len(found.created_at) == len("2026-03-09T09:00:00.000+00:00")
    assert found == Settings(
        id="ep",
        world="harbor",
        apps=("lark", "rednote", "slack"),
        seed=0,
        now="2026-03-09T09:00:00+08:00",
        me="lin.wan",
        token_sha256="hash",
        created_at=found.created_at,
    )


def test_what_was_asked_for_is_what_it_is_made_with() -> None:
    found = made(
        world="harbor",
        apps=["slack", "lark", "slack"],
        seed=2**63 - 1,
        now="2026-03-10T09:00:00+08:00",
        me="chen.mei",
        menu={"lark": ["im_v1_message_list"], "slack": "all"},
        profile="paper-2025",
        label="mine",
        expires_at="2026-03-11T09:00:00Z",
        calls_max=1,
    )

    assert (found.apps, found.seed, found.now, found.me) == (
        ("lark", "slack"),
        2**63 - 1,
        "2026-03-10T09:00:00+08:00",
        "chen.mei",
    )
    assert (found.menu, found.profile, found.label) == ({"lark": ("im_v1_message_list",)}, "paper-2025", "mine")
    assert (found.expires_at, found.calls_max, found.shift_days) == ("2026-03-11T09:00:00+00:00", 1, 0)


def test_an_episode_without_a_world_starts_now_and_is_nobodys() -> None:
    found = made(None)

    assert (found.world, found.me, found.shift_days) == (None, None, 0)
    assert abs(datetime.fromisoformat(found.now) - datetime.now(UTC)) < timedelta(minutes=1)
    assert found.now.endswith("+00:00")
    assert len(found.now) == len("2026-03-09T09:00:00.000+00:00")
    assert made("harbor", world=None).world is None


def test_a_live_episode_has_its_world_moved_by_whole_weeks_to_today() -> None:
    world = load_world("harbor")
    now = datetime.now(world.zone)

    found = made(now="live")

    assert found.now == "live"
    assert found.shift_days in {world.shift_to(now), world.shift_to(now + timedelta(minutes=1))}
    assert found.shift_days % 7 == 0
    assert timedelta() <= now - (world.starts_at + timedelta(days=found.shift_days)) < timedelta(days=7, minutes=1)
    assert made(None, now="live").shift_days == 0


@pytest.mark.parametrize("menu", [None, "all"])
def test_all_tools_are_shown_unless_a_menu_says_otherwise(menu: Any) -> None:
    assert made(menu=menu).menu == {}


def test_a_menus_name_is_that_of_every_app_that_has_it_or_of_one() -> None:
    apps = {app: load_app(app).app for app in APPS}

    assert made(menu="desktop").menu == {app: tuple(each.menus["desktop"]) for app, each in apps.items()}
    assert made(menu="reading").menu == {"rednote": tuple(apps["rednote"].menus["reading"])}
    assert made(menu={"rednote": "reading", "lark": "all", "slack": None}).menu == {
        "rednote": tuple(apps["rednote"].menus["reading"])
    }
    assert made(menu={"slack": []}).menu == {"slack": ()}


def test_an_app_that_declares_no_menu_has_none_but_all() -> None:
    with pytest.raises(NotFoundError, match=r"^no menu 'lunch' in context7; have none but 'all'$"):
        settings_for({"menu": "lunch"}, episode_id="ep", world="harbor", apps=["context7"], token_sha256="hash")


def test_the_ends_of_time_and_of_numbers_are_inside() -> None:
    assert made(now="1970-01-01T00:00:00Z").now == "1970-01-01T00:00:00+00:00"
    assert made(now="9998-12-31T23:59:59.999Z").now == "9998-12-31T23:59:59.999000+00:00"
    assert made(calls_max=2**63 - 1).calls_max == 2**63 - 1
    assert (parse_seconds(0), parse_seconds(1.5), parse_seconds(2)) == (0, 1500, 2000)
    with pytest.raises(FarmError, match="'advance_s' must be a number of seconds from 0 on, not 1e"):
        parse_seconds(1e300)


HAVE = "lark, rednote, slack"
LARK_MENUS = ", ".join(sorted(load_app("lark").app.menus))
SOME_PEOPLE = ", ".join(sorted(load_world("harbor").people)[:12])
SOME_HOLDERS = ", ".join(sorted(account_holders("harbor", "rednote"))[:12])
TIME = "must be a time such as 2026-03-09T09:00:00+08:00, not"


@pytest.mark.parametrize(
    ("body", "kind", "message"),
    [
        (
            {"colour": 1, "zeal": 2},
            FarmError,
            "unknown key 'colour'; an episode takes world, apps, seed, now, me, menu, profile, label, expires_at, "
            "calls_max, rows, files, faults, people, world_people, arrivals, pace, user",
        ),
        ({"world": 5}, FarmError, "'world' must be a text, not 5"),
        ({"world": "../harbor"}, NotFoundError, "no world '../harbor'; have halfday, harbor, mini"),
        ({"apps": []}, FarmError, "'apps' must be a list of app names"),
        ({"apps": "slack"}, FarmError, "'apps' must be a list of app names"),
        ({"apps": ["slack", 5]}, FarmError, "'apps' must be a list of app names"),
        ({"apps": ["slack", "fax"]}, NotFoundError, f"no app 'fax' in this farm; have {HAVE}"),
        ({"seed": -1}, FarmError, "'seed' must be an integer from 0 to 2**63 - 1, not -1"),
        ({"seed": 2**63}, FarmError, f"'seed' must be an integer from 0 to 2**63 - 1, not {2**63}"),
        ({"seed": True}, FarmError, "'seed' must be an integer from 0 to 2**63 - 1, not True"),
        ({"seed": "7"}, FarmError, "'seed' must be an integer from 0 to 2**63 - 1, not '7'"),
        ({"now": "tomorrow"}, FarmError, f"'now' {TIME} 'tomorrow'"),
        ({"now": 5}, FarmError, f"'now' {TIME} 5"),
        (
            {"now": "2026-03-09T09:00:00"},
            FarmError,
            "'now' needs an offset from UTC, such as 2026-03-09T09:00:00+08:00",
        ),
        (
            {"now": "1969-12-31T23:59:59.999Z"},
            FarmError,
            "simulated time runs from 1970 to 9998; choose a time in between",
        ),
        ({"now": "9999-01-01T00:00:00Z"}, FarmError, "simulated time runs from 1970 to 9998; choose a time in between"),
        ({"expires_at": "soon"}, FarmError, f"'expires_at' {TIME} 'soon'"),
        ({"calls_max": 0}, FarmError, "'calls_max' must be an integer from 1 on, not 0"),
        ({"calls_max": 2**63}, FarmError, f"'calls_max' must be an integer from 1 on, not {2**63}"),
        ({"calls_max": True}, FarmError, "'calls_max' must be an integer from 1 on, not True"),
        ({"calls_max": 1.0}, FarmError, "'calls_max' must be an integer from 1 on, not 1.0"),
        ({"label": 5}, FarmError, "'label' must be a text, not 5"),
        ({"me": 5}, FarmError, "'me' must be a text, not 5"),
        ({"me": "nobody"}, NotFoundError, f"no person 'nobody' in world 'harbor'; have {SOME_PEOPLE}, … (73 in all)"),
        (
            {"me": "arjun.mehta", "apps": ["rednote"]},
            NotFoundError,
            f"'arjun.mehta' has no account in rednote; have {SOME_HOLDERS}, … (22 in all)",
        ),
        (
            {"world": None, "me": "lin.wan"},
            FarmError,
            "'me' names a person of a world, and this episode has none; leave 'lin.wan' out",
        ),
        ({"profile": 5}, FarmError, "'profile' must be a text, not 5"),
        ({"profile": "future"}, NotFoundError, "no profile 'future'; have latest, paper-2025 (lark)"),
        (
            {"menu": 5},
            FarmError,
            "'menu' must be the name of a menu, or an object of app to menu name or list of tools",
        ),
        (
            {"menu": "lunch"},
            NotFoundError,
            f"no menu 'lunch' in {HAVE}; have {', '.join(sorted({*LARK_MENUS.split(', '), 'reading'}))}",
        ),
        ({"apps": ["slack"], "menu": "lunch"}, NotFoundError, "no menu 'lunch' in slack; have desktop"),
        ({"apps": ["slack"], "menu": {"lark": "all"}}, NotFoundError, "no app 'lark' in this episode; have slack"),
        ({"menu": {"lark": "lunch"}}, NotFoundError, f"no menu 'lunch' of app 'lark'; have {LARK_MENUS}"),
        ({"menu": {"slack": 5}}, FarmError, "the menu of 'slack' must be a menu's name or a list of tools, not 5"),
        ({"menu": {"slack": ["fax"]}}, NotFoundError, "no tool 'fax' of app 'slack'; see 'farm tools slack'"),
        ({"menu": {"slack": [5]}}, NotFoundError, "no tool 5 of app 'slack'; see 'farm tools slack'"),
        (
            {"menu": {"lark": ["calendar_v4_calendar_list"]}, "profile": "paper-2025"},
            NotFoundError,
            "no tool 'calendar_v4_calendar_list' of app 'lark' in profile 'paper-2025'; "
            "see 'farm tools lark --profile paper-2025'",
        ),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_naming_what_can(
    body: dict[str, Any], kind: type[FarmError], message: str
) -> None:
    with pytest.raises(FarmError) as refused:
        made(**body)

    assert (type(refused.value), str(refused.value)) == (kind, message)


def test_several_people_see_the_apps_where_they_have_accounts(tmp_path: Path) -> None:
    body = {"me": ["lin.wan", "arjun.mehta", "lin.wan"]}

    found = settings_for(
        body, episode_id="ep", world="harbor", apps=APPS, token_sha256="hash", further_sha256=lambda key: f"of {key}"
    )
    found.save(tmp_path)

    # Arjun Mehta has no account in rednote (contexts/worlds/harbor/spec/rednote/accounts.toml).
    assert (found.me, found.apps) == ("lin.wan", ("lark", "rednote", "slack"))
    assert found.holders == {
        "lin.wan": Holder(found.apps, "hash"),
        "arjun.mehta": Holder(("lark", "slack"), "of arjun.mehta"),
    }
    assert Settings.load(tmp_path) == found
    assert found.require_holder("arjun.mehta").token_sha256 == "of arjun.mehta"
    with pytest.raises(NotFoundError, match=r"'zoe' does not act in episode 'ep'; have lin.wan, arjun.mehta"):
        found.require_holder("zoe")


def test_apps_that_are_not_named_are_those_of_the_person() -> None:
    assert made(me="arjun.mehta").apps == ("lark", "slack")
    assert made(me="arjun.mehta").holders == {}
