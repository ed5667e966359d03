"""Giving others a role on a file."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

TOOL = "drive_v1_permissionMember_create"


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def code_of_refusal(lark: LocalApp, token: str, kind: str, **data: Any) -> object:
    before = lark.changes()
    with pytest.raises(VendorError) as refused:
        lark.call(TOOL, path={"token": token}, params={"type": kind}, data=data)
    assert lark.changes() == before
    return refused.value.code


@pytest.mark.fact("share")
@pytest.mark.parametrize(
    ("member_type", "member_id"),
    [("openid", w.BO), ("unionid", "on_" + w.BO[3:]), ("userid", "bo000000"), ("email", "Bo@acme.example")],
)
def test_a_person_named_in_any_way_gets_a_role(lark: LocalApp, member_type: str, member_id: str) -> None:
    data = {"member_type": member_type, "member_id": member_id, "perm": "edit"}

    body = lark.call(TOOL, path={"token": w.PLAN}, params={"type": "docx"}, data=data)

    assert body == {"member": {**data, "perm_type": "container", "type": "user"}}
    [change] = lark.changes()["collaborators"]
    assert (change["new"]["member_type"], change["new"]["member_id"]) == ("openid", w.BO)


@pytest.mark.fact("share")
@pytest.mark.parametrize(
    ("member_type", "member_id", "kind"), [("openchat", w.OURS, "chat"), ("opendepartmentid", w.PRODUCT, "department")]
)
def test_chats_and_departments_get_a_role_too(lark: LocalApp, member_type: str, member_id: str, kind: str) -> None:
    data = {"member_type": member_type, "member_id": member_id, "perm": "view"}

    body = lark.call(TOOL, path={"token": w.TRACKER}, params={"type": "bitable"}, data=data)

    assert body["member"]["type"] == kind


@pytest.mark.fact("share-again")
def test_a_role_can_grow_but_not_shrink(lark: LocalApp) -> None:
    bo = {"member_type": "openid", "member_id": w.BO}
    for perm in ("view", "full_access"):
        lark.call(TOOL, path={"token": w.PLAN}, params={"type": "docx"}, data={**bo, "perm": perm})

    assert len(lark.changes()["collaborators"]) == 1
    assert code_of_refusal(lark, w.PLAN, "docx", **bo, perm="view") == 1063003


@pytest.mark.fact("share-refusals")
@pytest.mark.parametrize(
    ("token", "kind", "data", "code"),
    [
        ("x" * 27, "docx", {}, 1063001),
        (w.PLAN, "sheet", {}, 1063001),
        (w.PLAN, "docx", {"member_id": "ou_nobody"}, 1063001),
        (w.PLAN, "docx", {"type": "chat"}, 1063001),
        (w.PLAN, "docx", {"member_type": "openchat", "member_id": "oc_nowhere"}, 1063001),
        (w.PLAN, "docx", {"member_type": "opendepartmentid", "member_id": "od-nowhere"}, 1063001),
        (w.PLAN, "docx", {"member_type": "groupid", "member_id": "g1"}, 1063001),
        (w.PLAN, "docx", {"member_type": "wikispaceid", "member_id": w.SPACE}, 1063001),
        (w.PLAN, "docx", {"member_type": "openchat", "member_id": w.THEIRS}, 1063003),
        (w.PLAN, "docx", {"member_id": w.ME}, 1063003),
        (w.PLAN, "docx", {"member_id": w.CHEN}, 1063003),
        (w.SECRET, "docx", {}, 1063002),
        (w.NOTES, "docx", {}, 1063004),
        (w.BINNED, "docx", {}, 1063005),
    ],
)
def test_a_role_is_refused(lark: LocalApp, token: str, kind: str, data: dict[str, str], code: int) -> None:
    asked = {"member_type": "openid", "member_id": w.BO, "perm": "view", **data}

    assert code_of_refusal(lark, token, kind, **asked) == code


@pytest.mark.fact("share-refusals")
def test_nobody_gives_more_than_they_have(lark: LocalApp) -> None:
    lark.episode.db.update("collaborators", {"token": w.NOTES}, perm="edit")

    assert code_of_refusal(lark, w.NOTES, "docx", member_type="openid", member_id=w.EVA, perm="full_access") == 1063002


@pytest.mark.fact("share-wiki")
def test_a_wiki_page_is_shared_by_its_own_token_alone_or_with_those_below(lark: LocalApp) -> None:
    db, data = lark.episode.db, {"member_type": "openid", "member_id": w.EVA, "perm": "view"}
    db.insert("wiki_members", space_id=w.SPACE, member_id=w.ME, role="admin")
    asked = {"path": {"token": w.HOME}, "params": {"type": "wiki"}}

    single = lark.call(TOOL, **asked, data={**data, "perm_type": "single_page"})
    space = {"member_type": "wikispaceid", "member_id": w.SPACE, "perm": "edit", "type": "wiki_space_member"}
    members = lark.call(TOOL, **asked, data=space)

    assert single["member"]["perm_type"] == "single_page"
    assert members["member"]["type"] == "wiki_space_member"
    assert code_of_refusal(lark, w.HOME, "wiki", **space | {"type": "wiki_space_viewer"}) == 1063003
    assert code_of_refusal(lark, w.HOME, "wiki", **space | {"type": "user"}) == 1063001
