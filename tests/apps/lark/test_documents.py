"""Documents: creating, reading, importing, searching."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

READ = "docx_v1_document_rawContent"


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def refusal(lark: LocalApp, tool: str, **arguments: Any) -> VendorError:
    with pytest.raises(VendorError) as refused:
        lark.call(tool, **arguments)
    assert lark.changes() == {}
    return refused.value


def found(body: dict[str, Any]) -> list[str]:
    return [entity["title"] for entity in body["docs_entities"]]


@pytest.mark.fact("doc-create")
def test_a_new_document_is_mine_and_holds_its_title_only(lark: LocalApp) -> None:
    body = lark.call("docx_v1_document_create", data={"title": "Minutes", "folder_token": w.MY_FOLDER})

    token = body["document"]["document_id"]
    assert body == {"document": {"document_id": token, "revision_id": 1, "title": "Minutes"}}
    assert lark.call("docx_v1_document_rawContent", path={"document_id": token}) == {"content": "Minutes\n"}
    assert [row["new"]["owner_id"] for row in lark.changes()["files"]] == [w.ME]


@pytest.mark.fact("doc-create")
def test_a_document_needs_no_arguments(lark: LocalApp) -> None:
    body = lark.call("docx_v1_document_create")

    assert body["document"]["title"] == ""
    assert len(body["document"]["document_id"]) == 27


@pytest.mark.fact("doc-create-refusals")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"folder_token": "fldcnNowhere"}, 1770039),
        ({"folder_token": w.PLAN}, 1770039),
        ({"folder_token": w.BO_FOLDER}, 1770040),
        ({"title": "x" * 801}, 99992402),
    ],
)
def test_a_document_goes_only_where_i_may_write(lark: LocalApp, data: dict[str, str], code: int) -> None:
    assert refusal(lark, "docx_v1_document_create", data=data).code == code


@pytest.mark.fact("doc-raw")
def test_plain_text_is_the_title_and_each_block_on_a_line(lark: LocalApp) -> None:
    body = lark.call("docx_v1_document_rawContent", path={"document_id": w.PLAN})

    assert body == {"content": "Launch plan\nGoal\nShip Ember with @孙博.\nprice\nbudget\n"}


@pytest.mark.fact("doc-raw-language")
def test_people_in_a_text_can_be_shown_under_their_english_names(lark: LocalApp) -> None:
    body = lark.call("docx_v1_document_rawContent", path={"document_id": w.PLAN}, params={"lang": 1})

    assert "Ship Ember with @Bo Sun." in body["content"]
    assert (
        refusal(lark, "docx_v1_document_rawContent", path={"document_id": w.PLAN}, params={"lang": 3}).code == 99992402
    )


@pytest.mark.fact("doc-raw-refusals")
@pytest.mark.parametrize(
    ("document_id", "code", "text"),
    [
        ("short", 99992402, "the min len is 27"),
        ("x" * 28, 99992402, "the max len is 27"),
        ("x" * 27, 1770002, "not found"),
        (w.TRACKER, 1770002, "not found"),
        (w.BINNED, 1770003, "resource deleted"),
        (w.SECRET, 1770032, "forBidden"),
    ],
)
def test_a_text_one_may_not_read_is_refused(lark: LocalApp, document_id: str, code: int, text: str) -> None:
    result = lark.result("docx_v1_document_rawContent", path={"document_id": document_id})

    assert result["isError"]
    assert f'"code":{code},' in result["content"][0]["text"]
    assert text in result["content"][0]["text"]


@pytest.mark.fact("doc-visible")
@pytest.mark.parametrize("document_id", [w.PLAN, w.NOTES, w.HANDBOOK, f"{'PageHome':x<27}", f"{'PageChild':x<27}"])
def test_owner_collaborator_link_and_wiki_let_one_read(lark: LocalApp, document_id: str) -> None:
    assert lark.call("docx_v1_document_rawContent", path={"document_id": document_id})["content"]


@pytest.mark.fact("doc-visible")
def test_a_folder_a_chat_and_a_department_let_one_read(lark: LocalApp) -> None:
    db = lark.episode.db
    for index, (kind, member) in enumerate([("openchat", w.OURS), ("opendepartmentid", w.COMPANY)]):
        db.insert("files", token=f"folder{index}", type="folder", title="", owner_id=w.BO, created_at=1, edited_at=1)
        db.insert(
            "collaborators", token=f"folder{index}", member_type=kind, member_id=member, perm="view", created_at=1
        )
        db.update("files", {"token": w.SECRET}, folder_token=f"folder{index}")

        assert lark.call("docx_v1_document_rawContent", path={"document_id": w.SECRET})["content"].startswith("Secret")


@pytest.mark.fact("doc-visible")
def test_somebody_of_another_company_sees_nothing_shared_by_link(start: Start) -> None:
    eva = start("lark", rows=w.rows(), me="eva")

    assert refusal(eva, "docx_v1_document_rawContent", path={"document_id": w.HANDBOOK}).code == 1770032


@pytest.mark.fact("doc-import")
def test_an_import_answers_the_finished_task_and_keeps_the_text(lark: LocalApp) -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    text = f"# Notes\n\nOne **bold** `x*y`\nline\n\n1. first\n> said\n\n{table}\n\n```\ncode # it\n```\n"

    result = lark.call("docx_builtin_import", data={"markdown": text, "file_name": "Minutes"})["result"]

    assert list(result) == ["job_error_msg", "job_status", "ticket", "token", "type", "url"]
    assert (result["type"], result["job_status"], result["job_error_msg"]) == ("docx", 0, "success")
    assert result["url"] == f"https://acme.feishu.cn/docx/{result['token']}"
    content = lark.call("docx_v1_document_rawContent", path={"document_id": result["token"]})["content"]
    assert content == "Minutes\nNotes\nOne bold x*y\nline\nfirst\nsaid\na\nb\n1\n2\ncode # it\n"


@pytest.mark.fact("doc-import")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("```\ncode # it\n\nmore", "code # it\n\nmore"),
        ("~~~\na\n```\nb\n~~~~\nc", "a\n```\nb\nc"),
        ("````\na\n```\nb", "a\n```\nb"),
    ],
)
def test_code_goes_to_its_closing_line_or_to_the_end(lark: LocalApp, text: str, content: str) -> None:
    result = lark.call("docx_builtin_import", data={"markdown": text, "file_name": "Code"})["result"]

    found = lark.call("docx_v1_document_rawContent", path={"document_id": result["token"]})["content"]
    assert found == f"Code\n{content}\n"


@pytest.mark.fact("doc-import")
def test_an_import_without_a_name_is_called_after_the_uploaded_file(lark: LocalApp) -> None:
    lark.call("docx_builtin_import", data={"markdown": "x"})

    assert [row["new"]["title"] for row in lark.changes()["files"]] == ["docx"]


@pytest.mark.fact("doc-import-refusals")
def test_an_empty_text_is_refused_in_the_servers_own_words(lark: LocalApp) -> None:
    result = lark.result("docx_builtin_import", data={"markdown": ""})

    assert result["isError"]
    assert result["content"][0]["text"] == '{"msg":"Document import failed, please check the markdown file content"}'
    assert lark.changes() == {}


@pytest.mark.fact("doc-import")
@pytest.mark.parametrize("blanks", [1, 20_000])
def test_long_blanks_change_nothing_of_headings_and_tables(lark: LocalApp, blanks: int) -> None:
    gap = " " * blanks
    text = f"# a{gap}b{gap}##{gap}\n#{gap}\nx|y\n{gap}|{gap}-{gap}|{gap}:-:{gap}|{gap}\n1|2\nx|y\n{gap}z|\n"
    token = lark.call("docx_builtin_import", data={"markdown": text})["result"]["token"]

    told = lark.call("docx_v1_document_rawContent", path={"document_id": token})["content"]

    assert told.split("\n")[1:] == [f"a{gap}b", "", "x", "y", "1", "2", "x", "y", "z", "", ""]


@pytest.mark.fact("doc-import-cut")
def test_a_table_too_large_is_cut_and_said_to_be(lark: LocalApp) -> None:
    row = "|" + "x|" * 101
    text = f"{row}\n{'|' + '-|' * 101}\n" + f"{row}\n" * 25

    result = lark.call("docx_builtin_import", data={"markdown": text})["result"]

    assert result["extra"] == ["1001", "1002"]


@pytest.mark.fact("doc-search")
def test_a_search_finds_titles_first_and_only_what_i_may_see(lark: LocalApp) -> None:
    body = lark.call("docx_builtin_search", data={"search_key": "LAUNCH"})

    assert found(body) == ["Launch plan", "Handbook", "Bo's notes"]
    assert body["docs_entities"][0] == {
        "docs_token": w.PLAN,
        "docs_type": "docx",
        "owner_id": w.ME,
        "title": "Launch plan",
    }
    assert (body["has_more"], body["total"]) == (False, 3)


@pytest.mark.fact("doc-search")
def test_every_word_must_be_found_and_signs_are_plain(lark: LocalApp) -> None:
    both = found(lark.call("docx_builtin_search", data={"search_key": "budget launch"}))

    assert sorted(both) == ["Bo's notes", "Launch plan"]
    assert found(lark.call("docx_builtin_search", data={"search_key": "%"})) == []
    assert found(lark.call("docx_builtin_search", data={"search_key": " "})) == []


@pytest.mark.fact("doc-search-content")
@pytest.mark.parametrize("words", ["tracker", "issues", "Watchers", "flicker", "PEOPLE slow", "cloud", "人民广场"])
def test_a_base_is_found_by_its_tables_fields_and_records(lark: LocalApp, words: str) -> None:
    assert found(lark.call("docx_builtin_search", data={"search_key": words})) == ["Tracker"]


@pytest.mark.fact("doc-search-content")
@pytest.mark.parametrize("words", [w.OURS, w.WAN_ROW, "file_token", "fldTitle00", "flicker launch"])
def test_what_nobody_reads_in_a_base_is_not_found(lark: LocalApp, words: str) -> None:
    assert found(lark.call("docx_builtin_search", data={"search_key": words})) == []


@pytest.mark.fact("doc-search-content")
def test_a_sheet_is_found_by_its_title(lark: LocalApp) -> None:
    sheet = w.file("Sheet" + "x" * 22, "sheet", "Lamp prices", w.ME)
    lark.episode.db.insert(sheet.pop("table"), **sheet)

    (only,) = lark.call("docx_builtin_search", data={"search_key": "lamp prices"})["docs_entities"]
    assert (only["docs_type"], only["title"]) == ("sheet", "Lamp prices")


@pytest.mark.fact("doc-search-narrow")
def test_a_search_is_narrowed_by_type_owner_and_chat(lark: LocalApp) -> None:
    lark.episode.db.update("files", {"token": w.HANDBOOK}, chat_id=w.OURS)

    def search(**data: Any) -> list[str]:
        return found(lark.call("docx_builtin_search", data={"search_key": "launch", **data}))

    assert search(docs_types=["doc"]) == ["Launch plan", "Handbook", "Bo's notes"]
    assert search(docs_types=["sheet"]) == []
    assert search(owner_ids=[w.ME]) == ["Launch plan"]
    assert search(chat_ids=[w.OURS]) == ["Handbook"]
    assert found(lark.call("docx_builtin_search", data={"search_key": "tracker", "docs_types": ["bitable"]})) == [
        "Tracker"
    ]


@pytest.mark.fact("doc-search-window")
def test_a_search_is_read_in_windows(lark: LocalApp) -> None:
    first = lark.call("docx_builtin_search", data={"search_key": "launch", "count": 2})
    rest = lark.call("docx_builtin_search", data={"search_key": "launch", "count": 2, "offset": 2})

    assert (found(first), first["has_more"]) == (["Launch plan", "Handbook"], True)
    assert (found(rest), rest["has_more"], rest["total"]) == (["Bo's notes"], False, 3)


@pytest.mark.fact("doc-search-window")
@pytest.mark.parametrize("window", [{"count": 51}, {"count": -1}, {"offset": -1}, {"count": 50, "offset": 150}])
def test_a_window_out_of_reach_is_refused(lark: LocalApp, window: dict[str, int]) -> None:
    assert refusal(lark, "docx_builtin_search", data={"search_key": "launch", **window}).code == 99992402


@pytest.mark.fact("doc-visible")
@pytest.mark.parametrize(("perm_type", "is_child_shown"), [("single_page", False), ("container", True)])
def test_what_is_granted_for_a_single_page_does_not_count_for_the_pages_below(
    lark: LocalApp, perm_type: str, is_child_shown: bool
) -> None:
    closed, child = f"{'PageClosed':x<27}", f"{'PageBelow':x<27}"
    page: dict[str, Any] = {"creator_id": w.BO, "position": 0, "created_at": "0", "space_id": w.CLOSED_SPACE}
    db = lark.episode.db
    db.insert("files", token=child, type="docx", title="Below", owner_id=w.BO, created_at=w.MONDAY, edited_at=w.MONDAY)
    db.insert("documents", document_id=child, markdown="Hush too.")
    db.insert("wiki_nodes", node_token="NodeBelow", obj_token=child, parent_node_token=w.CLOSED_PAGE, **page)
    grant = {"member_type": "openid", "member_id": w.ME, "perm": "view", "perm_type": perm_type}
    db.insert("collaborators", token=closed, created_at=w.MONDAY, **grant)

    assert lark.call(READ, path={"document_id": closed})["content"].endswith("Hush.\n")
    if is_child_shown:
        assert lark.call(READ, path={"document_id": child})["content"].endswith("Hush too.\n")
    else:
        with pytest.raises(VendorError) as refused:
            lark.call(READ, path={"document_id": child})
        assert refused.value.code == 1770032
