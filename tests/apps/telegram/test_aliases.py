"""Aliases: what the user calls somebody, and the question where none fits."""

from __future__ import annotations

import json

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import After, Says, Told
from tests.apps.telegram.rows import BO, BOT, GIL, NEWS


@pytest.mark.fact("aliases")
@pytest.mark.parametrize("wording", ["boss of bread", " Boss  of BREAD", "@boss of bread", "БО Пекарь"])
def test_an_alias_stands_for_an_id_in_every_spelling_that_looks_the_same(says: Says, wording: str) -> None:
    assert says("mute_chat", chat_id=wording) == f"Chat {BO} muted."


@pytest.mark.fact("aliases")
@pytest.mark.parametrize(
    ("wording", "error"), [("boss of breads", "confirm"), ("two words", "unknown"), ("old gil", "stale")]
)
def test_a_wording_that_leads_nowhere_is_asked_about_and_nothing_is_sent(
    telegram: LocalApp, told: Told, wording: str, error: str
) -> None:
    asked = told("send_message", chat_id=wording, message="hi")

    assert asked["error"] == f"{error}_contact"
    assert asked["reference"] == wording
    assert [each["id"] for each in asked["candidates"]] == {"confirm": [BO], "unknown": [], "stale": [GIL]}[error]
    assert "set_contact_alias" in asked["instruction"]
    assert telegram.changes() == {}


@pytest.mark.fact("aliases")
def test_a_new_alias_is_saved_and_then_understood(after: After, told: Told, says: Says) -> None:
    saved = told("set_contact_alias", alias="Van  Driver", chat_id="@van_bot")

    assert saved["results"]["saved"] is True
    (row,) = after("aliases")
    assert (row["alias"], row["peer_id"], row["name"]) == ("van driver", BOT, "Van Bot")
    assert says("mute_chat", chat_id="van driver") == f"Chat {BOT} muted."


@pytest.mark.fact("aliases")
@pytest.mark.parametrize(
    ("alias", "target", "reason"),
    [
        ("bobby", "bo_brook", "alias_shadows_real_identifier"),
        ("van driver", "two words", "ambiguous_target"),
        ("our news", "bo_brook", "alias_already_used"),
    ],
)
def test_an_alias_that_could_mislead_is_not_saved(
    telegram: LocalApp, told: Told, alias: str, target: str, reason: str
) -> None:
    refused = told("set_contact_alias", alias=alias, chat_id=target)["results"]

    assert (refused["saved"], refused["reason"]) == (False, reason)
    assert telegram.changes() == {}


@pytest.mark.fact("aliases")
def test_an_alias_is_pointed_elsewhere_when_that_is_asked_for(after: After, says: Says) -> None:
    says("set_contact_alias", alias="our news", chat_id="bo_brook", replace=True)

    (row,) = after("aliases")
    assert (row["alias"], row["peer_id"]) == ("our news", BO)


@pytest.mark.fact("aliases")
def test_aliases_are_listed_by_whom_they_are_for(told: Told) -> None:
    listed = told("list_contact_aliases")["results"]

    assert [(each["id"], each["aliases"]) for each in listed] == [
        (BO, ["boss of bread", "бо пекарь"]),
        (GIL, ["old gil"]),
        (-1000000000000 - NEWS, ["our news"]),
    ]


@pytest.mark.fact("aliases")
def test_an_alias_is_forgotten_by_its_exact_wording_only(telegram: LocalApp, says: Says) -> None:
    assert says("delete_contact_alias", alias="boss") == "Alias 'boss' not found."
    assert telegram.changes() == {}
    assert says("delete_contact_alias", alias="Our News") == "Alias 'Our News' deleted."

    assert says("get_chat", chat_id="our news").startswith('{"error": "unknown_contact"')


@pytest.mark.fact("aliases")
def test_aliases_that_fit_come_first_in_a_search(says: Says) -> None:
    found = json.loads(says("search_contacts", query="boss of bread"))["results"]

    assert found[0] == {"alias": "boss of bread", "id": BO, "name": "Bo", "favorite": True, "match": "exact"}
