"""What somebody is called, and by whom else not."""

from __future__ import annotations

from typing import Any

from farm.benchmark.scoring.people import addresses, names_of

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
