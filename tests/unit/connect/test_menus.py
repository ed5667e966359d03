"""Which tools a desktop client is shown, and the card that goes with them."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from farm import content
from farm._util.token_estimate import estimate_tools
from farm.connect import menus
from farm.connect.welcome import make_card
from farm.context.template import load_world
from farm.errors import NotFoundError

README = Path(__file__).resolve().parents[3] / "README.md"
THREE = ("lark", "slack", "rednote")
NOW = datetime(2026, 3, 9, 1, tzinfo=UTC)


def _menu_of(apps: tuple[str, ...], wanted: str = "menu") -> dict[str, list[str]]:
    chosen = menus.choose(apps, wanted)
    return {app: chosen.get(app, [entry["name"] for entry in content.load_app(app).tool_schemas]) for app in apps}


def test_three_apps_show_at_most_forty_tools_in_all() -> None:
    shown = _menu_of(THREE)

    assert sum(map(len, shown.values())) <= menus.TOOLS_MAX
    assert len(shown["slack"]) == 8


@pytest.mark.parametrize(
    ("apps", "is_shared"),
    [
        (("telegram",), False),
        (("slack", "telegram"), False),  # Telegram's own menu has as much room alone
        (("lark", "notion"), True),  # alone, all of Notion
        (("slack", "rednote"), False),
    ],
)
def test_apps_share_their_room_where_one_alone_would_show_more(apps: tuple[str, ...], is_shared: bool) -> None:
    assert menus.is_reduced(apps) is is_shared
    assert menus.is_reduced(tuple(content.app_names()))


def test_telegram_alone_shows_as_many_tools_as_the_readme_says() -> None:
    whole = content.load_app("telegram").tool_schemas

    assert f"({len(_menu_of(('telegram',))['telegram'])} of Telegram's {len(whole)})" in README.read_text("utf-8")


def test_one_small_app_shows_every_tool() -> None:
    assert menus.choose(("slack",), "menu") == {}
    assert menus.choose(("rednote", "slack"), "menu") == {}


def test_the_order_of_the_apps_does_not_change_the_menu() -> None:
    assert menus.choose(THREE, "menu") == menus.choose(THREE[::-1], "menu")


def test_tools_stand_in_the_vendor_s_order() -> None:
    chosen = menus.choose(("lark",), "menu")["lark"]

    whole = [entry["name"] for entry in content.load_app("lark").tool_schemas]
    assert chosen == [name for name in whole if name in chosen]


def test_where_declared_menus_are_too_long_together_their_last_tools_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menus, "TOOLS_MAX", 24)

    shown = _menu_of(THREE)

    assert sum(map(len, shown.values())) == 24
    declared = content.load_app("lark").app.menus["desktop"]
    assert set(shown["lark"]) == set(declared[: len(shown["lark"])])


def test_an_older_version_shows_its_own_tools_and_of_a_menu_what_it_has() -> None:
    assert menus.choose(("lark",), "menu", "paper-2025") == {}
    assert set(menus.choose(("lark", "slack"), "preset.light", "paper-2025")["lark"]) == {
        "im_v1_message_list",
        "im_v1_message_create",
        "contact_v3_user_batchGetId",
    }
    with pytest.raises(NotFoundError, match=r"no menu 'preset\.task\.default' in lark"):
        menus.choose(("lark",), "preset.task.default", "paper-2025")


def test_all_leaves_nothing_out_and_a_menu_s_name_takes_that_menu() -> None:
    assert menus.choose(THREE, "all") == {}
    assert len(menus.choose(THREE, "preset.light")["lark"]) == 10


def test_an_unknown_menu_names_those_there_are() -> None:
    with pytest.raises(NotFoundError, match=r"menu, all, .*preset\.light"):
        menus.choose(THREE, "everything")


def test_the_size_is_a_quarter_of_the_characters_of_the_list() -> None:
    tool = {"name": "n", "description": "d", "inputSchema": {}, "annotations": {"never": "counted"}}

    # [{"name":"n","description":"d","inputSchema":{}}] has 49 characters.
    assert estimate_tools([tool]) == 12


def test_the_card_says_who_and_when_and_what_to_try() -> None:
    card = make_card(load_world("harbor"), "lin.wan", _menu_of(THREE), now=NOW, created_at=NOW, is_live=False)

    assert card.name == "Wan Lin 林晚"
    assert card.mail == "lin.wan@harborlight.example"
    assert card.now == "Monday 9 March 2026, 09:00 in Asia/Shanghai"
    assert "Helen Zhou 周海伦" in card.team  # her manager
    assert "Han Yu 余涵" in card.team  # her report
    assert "Lei Zhang 张蕾" not in card.team  # has left
    assert len(card.prompts) == 3


@pytest.mark.parametrize("app", THREE)
def test_every_app_of_the_world_has_three_prompts_of_its_own(app: str) -> None:
    card = make_card(load_world("harbor"), "lin.wan", _menu_of((app,)), now=NOW, created_at=NOW, is_live=False)

    assert len(card.prompts) == 3


def test_no_prompt_is_shown_that_the_shown_tools_cannot_do() -> None:
    few = {"lark": ["calendar_v4_calendar_primary"], "slack": ["slack_list_channels"]}

    card = make_card(load_world("harbor"), "lin.wan", few, now=NOW, created_at=NOW, is_live=False)

    assert card.prompts == ()


def test_the_first_apps_of_a_world_are_shown_with_tools_that_write() -> None:
    for name in ("harbor", "mini"):
        first = load_world(name).first_apps
        assert len(first) == 3
        for app, tools in _menu_of(tuple(first)).items():
            assert {tool.name for tool in content.load_app(app).app.tools if tool.writes} & set(tools)


def test_the_prompts_name_apps_of_the_world_and_at_least_three_cross_them() -> None:
    world = load_world("harbor")

    prompts = world.prompts

    assert all(set(each["apps"]) <= set(world.apps) for each in prompts)
    assert sum(len(each["apps"]) > 1 for each in prompts) >= 3


def test_what_the_card_proposes_can_be_done_with_what_a_desktop_client_is_shown() -> None:
    """`farm connect` proposes to pin a message of the pop-up's group in world harbor."""
    file = content.world_dir("harbor") / "spec" / "telegram" / "prompts.toml"
    assert any(each["text"].startswith("Pin ") for each in tomllib.loads(file.read_text())["prompts"])

    assert {"list_chats", "get_messages", "pin_message"} <= set(menus.choose(["telegram"], "menu")["telegram"])
