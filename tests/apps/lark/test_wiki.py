"""Wiki pages."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

PAGE_HOME = f"{'PageHome':x<27}"


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def search(lark: LocalApp, query: str, **more: Any) -> dict[str, Any]:
    params = more.pop("params", {})
    body: dict[str, Any] = lark.call("wiki_v1_node_search", data={"query": query, **more}, params=params)
    return body


def titles(body: dict[str, Any]) -> list[str]:
    return [item["title"] for item in body["items"]]


@pytest.mark.fact("wiki-node")
@pytest.mark.parametrize("params", [{"token": w.HOME}, {"token": PAGE_HOME, "obj_type": "docx"}])
def test_a_page_is_found_by_its_token_and_by_that_of_its_document(lark: LocalApp, params: dict[str, str]) -> None:
    node = lark.call("wiki_v2_space_getNode", params=params)["node"]

    assert node == {
        "space_id": w.SPACE,
        "node_token": w.HOME,
        "obj_token": PAGE_HOME,
        "obj_type": "docx",
        "parent_node_token": "",
        "node_type": "origin",
        "origin_node_token": w.HOME,
        "origin_space_id": w.SPACE,
        "has_child": True,
        "title": "Welcome",
        "obj_create_time": "1772985600",
        "obj_edit_time": "1772985600",
        "node_create_time": "1772985600",
        "creator": w.BO,
        "owner": w.BO,
        "node_creator": w.BO,
    }


@pytest.mark.fact("wiki-node-refusals")
@pytest.mark.parametrize(
    ("params", "code", "text"),
    [
        ({"token": ""}, 131002, "param err"),
        ({"token": "x" * 27}, 131005, "not found: document not found by token xxx"),
        ({"token": PAGE_HOME}, 131005, "not found: document not found by token"),
        ({"token": PAGE_HOME, "obj_type": "sheet"}, 131005, "not found: document not found"),
        ({"token": w.PLAN, "obj_type": "docx"}, 131005, "not found: document is not in wiki"),
        ({"token": w.CLOSED_PAGE}, 131006, "permission denied"),
        ({"token": "x" * 1000}, 99992402, "field validation failed"),
    ],
)
def test_a_page_that_is_not_there_or_not_mine_is_refused(
    lark: LocalApp, params: dict[str, str], code: int, text: str
) -> None:
    with pytest.raises(VendorError) as refused:
        lark.call("wiki_v2_space_getNode", params=params)

    assert refused.value.code == code
    assert refused.value.message.startswith(text)


@pytest.mark.fact("wiki-search")
def test_a_search_finds_readable_pages_titles_first(lark: LocalApp) -> None:
    body = search(lark, "lamps")

    assert titles(body) == ["Lamps", "Welcome"]
    assert body["items"][0] == {
        "node_id": w.CHILD,
        "obj_token": f"{'PageChild':x<27}",
        "obj_type": 8,
        "parent_id": "",
        "sort_id": 1,
        "space_id": w.SPACE,
        "title": "Lamps",
        "url": f"https://acme.feishu.cn/wiki/{w.CHILD}",
    }
    assert body["has_more"] is False
    assert "page_token" not in body


@pytest.mark.fact("wiki-search")
def test_a_search_stays_in_a_space_and_below_a_page(lark: LocalApp) -> None:
    assert titles(search(lark, "lamps", space_id=w.SPACE, node_id=w.CHILD)) == ["Lamps"]
    assert titles(search(lark, "lamps", space_id=w.CLOSED_SPACE)) == []


@pytest.mark.fact("wiki-search")
def test_a_search_is_read_in_pages(lark: LocalApp) -> None:
    first = search(lark, "lamps", params={"page_size": 1})
    second = search(lark, "lamps", params={"page_size": 1, "page_token": first["page_token"]})

    assert [*titles(first), *titles(second)] == ["Lamps", "Welcome"]
    assert (first["has_more"], second["has_more"], second["items"][0]["sort_id"]) == (True, False, 2)


@pytest.mark.fact("wiki-search-refusals")
@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("", {}),
        ("x" * 51, {}),
        ("lamps", {"node_id": w.HOME}),
        ("lamps", {"params": {"page_size": 51}}),
        ("lamps", {"params": {"page_size": 0}}),
        ("lamps", {"params": {"page_token": "nonsense"}}),
    ],
)
def test_a_bad_search_is_no_error_to_the_server(lark: LocalApp, query: str, more: dict[str, Any]) -> None:
    params = more.pop("params", {})

    result = lark.result("wiki_v1_node_search", data={"query": query, **more}, params=params)

    assert "isError" not in result
    assert result["content"][0]["text"].startswith('{"code":10001,"msg":"invalid param"')


@pytest.mark.fact("wiki-members")
def test_members_of_a_private_space_read_its_pages(lark: LocalApp) -> None:
    lark.episode.db.insert("wiki_members", space_id=w.CLOSED_SPACE, member_id=w.ME, role="member")

    assert lark.call("wiki_v2_space_getNode", params={"token": w.CLOSED_PAGE})["node"]["title"] == "Closed lamps"
    assert "Closed lamps" in titles(search(lark, "lamps"))
