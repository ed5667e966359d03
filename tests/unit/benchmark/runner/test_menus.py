"""Menus: the tools that an agent gets, and the tasks that a profile can be asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from farm import content
from farm.benchmark.runner.menus import (
    check_menu,
    check_profile,
    chosen_tools,
    menu_apps,
    missing_tools,
    playable,
    require_fitting,
)
from farm.benchmark.tasks import OracleCall, Suite
from farm.errors import FarmError
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")

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


def test_confusable_distractors_are_the_tools_most_like_the_needed_ones() -> None:
    _, tools = chosen_tools(TASK, "k=12:confusable", 7)

    assert tools is not None
    assert sum(map(len, tools.values())) == 12
    assert {"read_messages"} <= set(tools["discord"])
    assert {"slack_get_thread_replies", "slack_get_users"} <= set(tools["slack"])


def test_unrelated_distractors_are_of_other_apps_than_the_needed_tools() -> None:
    drawn = [chosen_tools(TASK, "k=30:unrelated", seed)[1] for seed in (7, 8)]

    for tools in drawn:
        assert tools is not None
        assert tools["slack"] == ["slack_get_channel_history", "slack_list_channels"]
        assert sum(map(len, tools.values())) == 30
    assert drawn[0] != drawn[1]
    assert chosen_tools(TASK, "k=30:unrelated", 7)[1] == drawn[0]


def test_mixed_distractors_are_half_confusable_and_half_unrelated() -> None:
    names = [
        {(app, tool) for app, each in (chosen_tools(TASK, f"k={count}:{kind}", 7)[1] or {}).items() for tool in each}
        for kind, count in (("mixed", 22), ("confusable", 12), ("unrelated", 22))
    ]

    mixed, confusable, unrelated = names
    assert len(mixed) == 22
    assert confusable <= mixed
    assert len((mixed - confusable) & unrelated) == 10


def test_own_distractors_are_of_the_needed_tools_apps() -> None:
    apps, tools = chosen_tools(TASK, "k=5:own", 7)

    assert apps == ["slack"]
    assert tools is not None
    assert len(tools["slack"]) == 5
    assert chosen_tools(TASK, "k=5:own", 8) != (apps, tools)
    assert len((chosen_tools(TASK, "k=300:own", 7)[1] or {})["slack"]) == len(content.load_app("slack").tool_schemas)


@pytest.mark.parametrize("kind", ["unrelated", "confusable", "mixed"])
def test_any_kind_fills_a_menu_up_to_all_tools(kind: str) -> None:
    count = sum(len(content.load_app(app).tool_schemas) for app in content.app_names())

    _, tools = chosen_tools(TASK, f"k={count}:{kind}", 0)

    assert tools is not None
    assert sum(map(len, tools.values())) == count


def test_a_farm_for_apps_without_the_profile_has_an_app_that_knows_it() -> None:
    rednote = replace(TASK, apps=("rednote",))

    apps = menu_apps(Suite("one", "One", (rednote,)), "selected", "paper-2025")

    assert len(apps) == 2
    assert "rednote" in apps
    assert any("paper-2025" in content.load_app(app).profiles for app in apps)
    assert menu_apps(Suite("one", "One", (replace(TASK, apps=("lark",)),)), "selected", "paper-2025") == ["lark"]


def test_the_menu_of_the_paper_has_the_papers_apps_and_the_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farm.benchmark.runner.menus.read_paper_file", lambda _: {"menu": ["lark", "amap"]})
    monkeypatch.setattr(content, "paper_names", lambda: ["one"])

    assert chosen_tools(TASK, "paper", 0) == (["amap", "lark", "slack"], None)
    assert menu_apps(Suite("one", "One", (TASK,)), "paper") == ["amap", "lark", "slack"]

    monkeypatch.setattr(content, "paper_names", lambda: ["one", "two"])
    with pytest.raises(FarmError, match="the menu 'paper' is declared by one, two; one may declare it"):
        check_menu("paper")


def test_a_menu_over_a_models_limit_is_refused_with_its_size() -> None:
    suite = Suite("s", "S", (TASK,))

    require_fitting(suite, "k=128", 0, "latest", 128)
    with pytest.raises(FarmError, match=r"task 'slack-boards-rate' shows 129 tools in the menu 'k=129'; the model"):
        require_fitting(suite, "k=129", 0, "latest", 128)
    require_fitting(suite, "k=129", 0, "latest", 129)


@pytest.mark.parametrize("profile", ["latest", "paper-2025"])
def test_a_menu_of_more_tools_than_there_are_is_refused_with_their_number(profile: str) -> None:
    count = sum(len(content.load_app(app).in_profile(profile).tool_schemas) for app in content.app_names())

    assert check_menu(f"k={count}", profile) == f"k={count}"
    for menu in (f"k={count + 1}", "k=5000", "k=" + "9" * 5000):
        with pytest.raises(FarmError, match=f"wants more tools than there are; 'all' shows all {count}$"):
            check_menu(menu, profile)


def test_tasks_whose_tools_a_profile_lacks_are_left_out_and_named() -> None:
    suite = parsed_suite("demo")

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


def test_a_menu_smaller_than_what_is_needed_has_all_that_is_needed_and_no_more() -> None:
    needed = {"slack": ["slack_get_channel_history", "slack_list_channels"]}

    assert chosen_tools(TASK, "k=1", 0) == chosen_tools(TASK, "k=2", 0) == (["slack"], needed)
    _, three = chosen_tools(TASK, "k=3", 0)
    assert three is not None
    assert sum(map(len, three.values())) == 3
    assert set(three["slack"]) >= set(needed["slack"])


def test_an_app_of_the_task_is_there_also_where_none_of_its_tools_is_needed() -> None:
    task = replace(TASK, apps=("amap", "slack"))

    assert chosen_tools(task, "k=2", 0) == (
        ["amap", "slack"],
        {"amap": [], "slack": ["slack_get_channel_history", "slack_list_channels"]},
    )


def test_a_menu_is_drawn_anew_for_each_task_and_its_tools_are_sorted() -> None:
    drawn = [chosen_tools(task, "k=40", 7) for task in (TASK, replace(TASK, id="another"))]

    assert drawn[0] != drawn[1]
    for _, tools in drawn:
        assert tools is not None
        assert all(each == sorted(set(each)) for each in tools.values())
        for app, names in tools.items():
            assert set(names) <= {entry["name"] for entry in content.load_app(app).tool_schemas}


@pytest.mark.parametrize(
    "menu", ["", "k=", "k=01", "k=-1", "k=1.5", "k=1 ", "xk=1", "every", "Selected", "k=5:", "k=5:odd", "k=5:mixed "]
)
def test_what_is_no_menu_is_refused_with_those_there_are(menu: str) -> None:
    with pytest.raises(FarmError) as refused:
        check_menu(menu)

    assert str(refused.value) == (
        f"no menu '{menu}'; have selected (the task's apps), all (every app), paper (a paper's apps), k=N (N tools in "
        "all), k=N:KIND with unrelated, confusable, mixed, own"
    )


def test_a_menu_and_a_profile_that_there_are_are_given_back() -> None:
    assert [check_menu(each) for each in ("selected", "all", "k=1", "k=20")] == ["selected", "all", "k=1", "k=20"]
    assert [check_profile(each) for each in ("latest", "paper-2025")] == ["latest", "paper-2025"]


def test_the_tools_a_task_lacks_are_named_in_the_order_it_wants_them_and_each_once() -> None:
    calls = (("slack_get_users", "slack_wave"), ("slack_bow", "slack_wave"))
    steps = tuple(tuple(OracleCall("slack", tool, {}) for tool in step) for step in calls)
    task = replace(TASK, oracle=(*steps, (OracleCall("lark", "im_v1_chat_list", {}),)))

    assert missing_tools(task, "latest") == ["slack_wave", "slack_bow", "im_v1_chat_list"]  # it has no Lark
    assert missing_tools(replace(task, apps=("slack", "lark")), "latest") == ["slack_wave", "slack_bow"]
    assert missing_tools(TASK, "paper-2025") == []


def test_of_a_suite_the_tasks_that_can_be_played_stay_in_their_order_and_keep_its_name() -> None:
    impossible = replace(TASK, id="no", oracle=((OracleCall("slack", "slack_wave", {}),),))
    suite = Suite("s", "S", (TASK, impossible, replace(TASK, id="z")))

    kept, left_out = playable(suite, "paper-2025")

    assert (kept, left_out) == (Suite("s", "S", (TASK, replace(TASK, id="z"))), ["no"])
    with pytest.raises(FarmError) as refused:
        playable(Suite("s", "S", (impossible,)), "paper-2025")
    assert str(refused.value) == (
        "no task can be done in profile 'paper-2025'; task 'no' needs slack_wave, which it does not have"
    )
