"""What somebody is called, and by whom else not."""

from __future__ import annotations

from typing import Any

from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.people import addresses, names_of
from farm.benchmark.scoring.people_listing import list_people

PEOPLE: dict[str, dict[str, Any]] = {
    "mo.lan": {
        "name_en": "Lan Mo",
        "name_zh": "莫岚",
        "email": "lan@work.example",
        "accounts": {"post": {"address": "mo@home.example"}, "chat": {}},
    },
    "lan.bo": {"name_en": "Bo Lan", "email": "bo@work.example"},
    "ana": {"name_en": "Ana Maria Silva"},
    "robot": {"name_en": "Robot"},
    "nameless": {},
}


def test_a_person_is_called_by_key_both_languages_either_order_and_every_mail() -> None:
    assert set(names_of("mo.lan", PEOPLE)) == {
        "mo.lan",
        "莫岚",
        "Lan Mo",
        "Mo Lan",
        "lan@work.example",
        "mo@home.example",
    }


def test_a_given_name_is_theirs_only_when_it_is_no_part_of_anybody_elses_name() -> None:
    # Lan is also somebody's family name.
    assert "Lan" not in names_of("mo.lan", PEOPLE)
    assert "Bo" in names_of("lan.bo", PEOPLE)


def test_the_other_order_has_the_family_name_first_and_all_given_names_after_it() -> None:
    assert names_of("ana", PEOPLE) == ["ana", "Ana Maria Silva", "Silva Ana Maria", "Ana"]


def test_who_has_one_name_or_none_is_called_by_what_there_is() -> None:
    assert names_of("robot", PEOPLE) == ["robot", "Robot"]
    assert names_of("nameless", PEOPLE) == ["nameless"]


def test_the_address_for_everything_comes_before_those_of_one_app_and_each_stands_once() -> None:
    own = {"a": {"address": "x@home.example"}, "b": {"address": "x@work.example"}, "c": {}}

    assert addresses({"email": "x@work.example", "accounts": own}) == ["x@work.example", "x@home.example"]
    assert addresses({}) == []


def test_everybody_is_listed_with_the_accounts_they_have_in_the_wanted_apps() -> None:
    start = load_start("harbor")
    people = start.world.people

    found = list_people(start, ["slack", "lark", "no-such-app"])

    assert [each["person"] for each in found] == list(people)
    lin = next(each for each in found if each["person"] == "lin.wan")
    assert lin == {
        "person": "lin.wan",
        "name_zh": "林晚",
        "name_en": "Wan Lin",
        "organisation": people["lin.wan"]["organisation"],
        "email": "lin.wan@harborlight.example",
        "accounts": {"slack": start.account("slack", "lin.wan"), "lark": start.account("lark", "lin.wan")},
        "is_protagonist": True,
    }
    assert [each["person"] for each in found if each["is_protagonist"]] == ["lin.wan"]
    # Somebody of another firm is in no Slack of this one.
    assert {frozenset(each["accounts"]) for each in found} > {frozenset({"slack", "lark"})}
    for each in found:
        for app in ("slack", "lark"):
            assert (app in each["accounts"]) == (each["person"] in start.people(app))


def test_the_apps_of_a_listing_are_the_worlds_where_none_are_named() -> None:
    start = load_start("harbor")

    every = {app for each in list_people(start) for app in each["accounts"]}

    assert {"slack", "lark"} < every <= set(start.world.apps)
    assert all(each["accounts"] == {} for each in list_people(start, []))
