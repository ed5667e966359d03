"""A task's card for clients that hold trials without the task's file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from farm.benchmark.runner.task_cards import card_of
from farm.benchmark.runner.trial_card import trial_card, trial_options
from farm.errors import FarmError

NAME = "demo/slack-boards-rate"


def test_a_card_has_the_request_for_its_episode() -> None:
    card = trial_card(NAME)

    episode = card.pop("episode")
    assert card == asdict(card_of(NAME))
    assert episode == {"world": "harbor", "apps": ["slack"], "profile": "latest", "calls_max": 12}


def test_limits_are_told_in_the_prompt_and_are_those_of_the_episode() -> None:
    card = trial_card(NAME, calls_max=3, time_s_max=90.0)

    assert card["calls_max"] == card["episode"]["calls_max"] == 3
    assert "at most 3 tool calls" in card["system"]
    assert "have 90 seconds by a real clock" in card["system"]


def test_a_menu_of_all_apps_names_none_and_one_of_so_many_tools_names_them() -> None:
    every, some, others = (
        trial_card(NAME, menu=menu, menu_seed=seed)["episode"] for menu, seed in (("all", 0), ("k=30", 0), ("k=30", 1))
    )

    assert "apps" not in every
    assert "menu" not in every
    assert sum(map(len, some["menu"].values())) == 30
    assert sorted(some["menu"]) == some["apps"]
    assert some["menu"] != others["menu"]


def test_options_are_read_from_a_query() -> None:
    query = {"menu": "k=9", "menu_seed": "4", "calls_max": "7", "time_s_max": "1.5", "prompt": "person-1"}

    assert trial_options({}) == {"answers": "prose"}
    assert trial_options({**query, "answers": "sheet"}) == {
        "answers": "sheet",
        "menu": "k=9",
        "menu_seed": 4,
        "calls_max": 7,
        "time_s_max": 1.5,
        "prompt": "person-1",
    }


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"answers": "song"}, "no form of answers 'song'"),
        ({"menu_seed": "-1"}, "'menu_seed' must be a count, not '-1'"),
        ({"menu_seed": "9" * 20}, "'menu_seed' must be a count"),
        ({"menu_seed": "1.5"}, "'menu_seed' must be a count"),
        ({"calls_max": "many"}, "'calls_max' must be a number of calls from 1 on, not 'many'"),
        ({"calls_max": "٣"}, "'calls_max' must be a number of calls from 1 on"),
        ({"calls_max": "0"}, "'calls_max' must be a number of calls from 1 on, not 0"),
        ({"time_s_max": "0"}, "'time_s_max' must be seconds up to a week, not 0"),
        ({"time_s_max": "inf"}, "'time_s_max' must be seconds up to a week, not inf"),
        ({"time_s_max": "soon"}, "'time_s_max' must be seconds up to a week, not 'soon'"),
        ({"time_s_max": "604801"}, "'time_s_max' must be seconds up to a week, not 604801"),
    ],
)
def test_an_option_of_the_wrong_form_is_refused(query: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError, match=said):
        trial_options(query)
