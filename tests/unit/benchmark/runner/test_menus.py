"""Menus: the tools that an agent gets, and the tasks that a profile can be asked."""

from __future__ import annotations

import pytest

from farm import content
from farm.benchmark.runner.menus import check_menu, check_profile, chosen_tools, menu_apps, missing_tools, playable
from farm.benchmark.tasks import Suite, load_suite
from farm.errors import FarmError

DEMO = load_suite("demo")

TASK = DEMO.task("slack-boards-rate")


def test_a_menu_of_k_tools_holds_the_needed_ones_and_seeded_others() -> None:
    apps, tools = chosen_tools(TASK, "k=20", 7)

    assert tools is not None
    assert apps == sorted(tools)
    assert sum(map(len, tools.values())) == 20
    assert {"slack_list_channels", "slack_get_channel_history"} <= set(tools["slack"])
    assert chosen_tools(TASK, "k=20", 7) == (apps, tools)
    assert chosen_tools(TASK, "k=20", 8) != (apps, tools)


def test_a_run_s_own_farm_serves_the_apps_that_its_menu_shows() -> None:
    one = Suite("one", "One", (TASK,))

    assert menu_apps(one, "selected") == ["slack"]
    assert menu_apps(one, "all") == menu_apps(one, "k=5") == content.app_names()


def test_a_menu_is_selected_all_or_a_number() -> None:
    assert chosen_tools(TASK, "selected", 0) == (["slack"], None)
    assert chosen_tools(TASK, "all", 0) == (None, None)
    with pytest.raises(FarmError, match="no menu 'k=0'; have selected"):
        check_menu("k=0")


@pytest.mark.parametrize("profile", ["latest", "paper-2025"])
def test_a_menu_of_more_tools_than_there_are_is_refused_with_their_number(profile: str) -> None:
    count = sum(len(content.load_app(app).in_profile(profile).tool_schemas) for app in content.app_names())

    assert check_menu(f"k={count}", profile) == f"k={count}"
    for menu in (f"k={count + 1}", "k=5000", "k=" + "9" * 5000):
        with pytest.raises(FarmError, match=f"wants more tools than there are; 'all' shows all {count}$"):
            check_menu(menu, profile)


def test_tasks_whose_tools_a_profile_lacks_are_left_out_and_named() -> None:
    suite = load_suite("demo")

    kept, left_out = playable(suite, "paper-2025")

    assert 0 < len(kept.tasks) < len(suite.tasks) == len(kept.tasks) + len(left_out)
    assert playable(suite, "latest") == (suite, [])
    assert all(missing_tools(suite.task(each), "paper-2025") for each in left_out)
    with pytest.raises(FarmError, match=r"no task can be done in profile 'paper-2025'; task '.*' needs .*, which it"):
        playable(Suite("s", "S", tuple(map(suite.task, left_out))), "paper-2025")


def test_a_menu_of_an_older_version_is_filled_with_tools_it_has() -> None:
    served = {entry["name"] for entry in content.load_app("lark", "paper-2025").tool_schemas}

    every = [content.load_app(app).in_profile("paper-2025") for app in content.app_names()]

    _, tools = chosen_tools(TASK, f"k={sum(len(each.tool_schemas) for each in every)}", 7, "paper-2025")

    assert tools is not None
    assert set(tools["lark"]) == served
    with pytest.raises(FarmError, match="no app has a profile 'x'; have latest, paper-2025"):
        check_profile("x")
