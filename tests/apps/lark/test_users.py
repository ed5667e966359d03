"""People by address and by id."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import BO, GONE, ME, OUT, refused

STATUS = {"is_frozen": False, "is_resigned": False, "is_activated": True, "is_exited": False, "is_unjoin": False}
BATCH, GET = "contact_v3_user_batchGetId", "contact_v3_user_get"


@pytest.mark.fact("batch-ids")
def test_one_entry_comes_for_each_address_and_then_each_number(lark: LocalApp) -> None:
    found = lark.call(
        BATCH,
        data={
            "emails": ["BO@acme.example", "nobody@acme.example", "bo@acme.example"],
            "mobiles": ["138 0000 0001", "+6591234567", "6591234567"],
        },
    )

    assert found == {
        "user_list": [
            {"user_id": BO, "email": "BO@acme.example", "status": STATUS},
            {"email": "nobody@acme.example"},
            {"user_id": BO, "email": "bo@acme.example", "status": STATUS},
            {"user_id": ME, "mobile": "138 0000 0001", "status": STATUS},
            {"user_id": BO, "mobile": "+6591234567", "status": STATUS},
            {"mobile": "6591234567"},
        ]
    }


@pytest.mark.fact("batch-ids")
def test_who_left_comes_only_when_asked_for_and_outsiders_never(lark: LocalApp) -> None:
    emails = ["gone@acme.example", "out@other.example"]

    plain = lark.call(BATCH, data={"emails": emails})["user_list"]
    whole = lark.call(BATCH, data={"emails": emails, "include_resigned": True})["user_list"]

    assert ["user_id" in each for each in plain] == [False, False]
    assert [each.get("user_id") for each in whole] == [GONE, None]
    assert whole[0]["status"]["is_resigned"] is True


@pytest.mark.fact("batch-ids")
def test_nothing_asked_is_nothing_found(lark: LocalApp) -> None:
    assert lark.call(BATCH) == {"user_list": []}


@pytest.mark.fact("batch-most")
@pytest.mark.parametrize("name", ["emails", "mobiles"])
def test_more_than_fifty_are_refused(lark: LocalApp, name: str) -> None:
    assert refused(lark, BATCH, data={name: ["1"] * 51}) == 99992402


@pytest.mark.fact("user-get")
def test_a_colleague_comes_with_department_leader_and_job(lark: LocalApp) -> None:
    user = lark.call(GET, path={"user_id": BO})["user"]

    assert {"union_id", "user_id", "open_id", "name", "en_name", "nickname", "email", "mobile"} <= user.keys()
    assert (user["name"], user["job_title"], user["leader_user_id"]) == ("吴博", "Engineer", ME)
    assert user["department_ids"] == ["od-" + "1" * 32]
    assert user["department_path"][0]["department_name"]["name"] == "产品部"
    assert user["status"] == STATUS


@pytest.mark.fact("user-get")
def test_ids_are_of_the_flavour_asked_for(lark: LocalApp) -> None:
    user = lark.call(GET, path={"user_id": BO[-1] * 8}, params={"user_id_type": "user_id"})["user"]

    assert (user["open_id"], user["leader_user_id"]) == (BO, ME[-1] * 8)


@pytest.mark.fact("user-get")
def test_a_hidden_number_is_hidden_from_others_only(lark: LocalApp) -> None:
    lark.episode.db.execute("UPDATE users SET mobile_visible = 0")

    assert "mobile" not in lark.call(GET, path={"user_id": BO})["user"]
    assert lark.call(GET, path={"user_id": ME})["user"]["mobile"] == "+8613800000001"


@pytest.mark.fact("user-unknown")
@pytest.mark.parametrize(
    ("user_id", "params", "code"),
    [
        ("ou_" + "f" * 32, {}, 99992351),
        ("bo", {}, 99992351),
        ("on_" + "f" * 32, {"user_id_type": "union_id"}, 41012),
        (OUT, {}, 41050),
    ],
)
def test_who_cannot_be_shown_says_why(lark: LocalApp, user_id: str, params: dict[str, Any], code: int) -> None:
    assert refused(lark, GET, path={"user_id": user_id}, params=params) == code


@pytest.mark.fact("user-unknown")
def test_an_outsider_is_refused_in_the_live_words(lark: LocalApp) -> None:
    assert "no user authority error" in lark.result(GET, path={"user_id": OUT})["content"][0]["text"]
