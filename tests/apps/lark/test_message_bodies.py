"""What contacts, groups, messages, documents, bases and wikis answer, beside real bodies (``real_bodies`` says how)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.content import load_app
from farm.testing import LocalApp
from tests.apps.lark import company as c
from tests.apps.lark import real_bodies
from tests.apps.lark import workspace as w
from tests.conftest import Start

PERSON, GROUP, MESSAGE = "contact_v3_user_", "im_v1_chat_", "im_v1_message_"
MEMBERS, BASE, RECORD = "im_v1_chatMembers_", "bitable_v1_app", "bitable_v1_appTableRecord_"
RULES = {"status": True, "screenshot_has_permission_setting": "not_anyone"}
NAMES = {"zh_cn": "群聊", "en_us": "group chat", "ja_jp": "グループ"}


def text(words: str) -> dict[str, str]:
    return {"msg_type": "text", "content": json.dumps({"text": words})}


def user_get(lark: LocalApp) -> Any:
    return lark.call(PERSON + "get", path={"user_id": c.BO})


def user_batch_get_id(lark: LocalApp) -> Any:
    return lark.call(PERSON + "batchGetId", data={"emails": ["bo@acme.example"], "mobiles": ["+6591234567"]})


def chat_create(lark: LocalApp) -> Any:
    data = {"name": "Trip", "description": "Where to", "i18n_names": NAMES, "restricted_mode_setting": RULES}
    return lark.call(GROUP + "create", data=data)


def chat_get(lark: LocalApp) -> Any:
    chat_id = chat_create(lark)["chat_id"]
    lark.call(MEMBERS + "create", path={"chat_id": chat_id}, data={"id_list": [c.EVE]})
    lark.episode.db.update("chat_members", {"chat_id": chat_id, "open_id": c.EVE}, role="manager")
    lark.episode.db.insert("chat_bots", chat_id=chat_id, app_id=c.APP, role="manager", joined_at=1)
    return lark.call(GROUP + "get", path={"chat_id": chat_id})


def chat_list(lark: LocalApp) -> Any:
    return lark.call(GROUP + "list", params={"page_size": 1})


def chat_search(lark: LocalApp) -> Any:
    return lark.call(GROUP + "search", params={"query": "l", "page_size": 1})


def members_get(lark: LocalApp) -> Any:
    return lark.call(MEMBERS + "get", path={"chat_id": c.GROUP}, params={"page_size": 1})


def members_create(lark: LocalApp) -> Any:
    lark.episode.db.execute("UPDATE chats SET membership_approval = 'approval_required'")
    asked = {"data": {"id_list": [c.GONE, c.EVE, "ou_" + "f" * 32]}, "params": {"succeed_type": 1}}
    return lark.call(MEMBERS + "create", path={"chat_id": c.QUIET}, **asked)


def members_delete(lark: LocalApp) -> Any:
    return lark.call(MEMBERS + "delete", path={"chat_id": c.OWN}, data={"id_list": [c.BO, "ou_" + "f" * 32]})


def message_create(lark: LocalApp) -> Any:
    content = '{"file_key":"file_v3_007n_1","file_name":"plan.pdf"}'
    c.add(lark, {**c.message("om_" + "9" * 32, c.ME, "", "03-06 10:00", msg_type="file"), "content": content})
    to = {"params": {"receive_id_type": "chat_id"}, "data": {"receive_id": c.GROUP}}
    to["data"] |= {"msg_type": "file", "content": '{"file_key":"file_v3_007n_1"}'}
    return lark.call(MESSAGE + "create", **to)


def message_get(lark: LocalApp) -> Any:
    return lark.call(MESSAGE + "get", path={"message_id": c.HELLO})


def message_reply(lark: LocalApp) -> Any:
    data = {**text(f'<at user_id="{c.BO}"></at> yes'), "reply_in_thread": True}
    return lark.call(MESSAGE + "reply", path={"message_id": c.ANSWER}, data=data)


def message_list(lark: LocalApp) -> Any:
    message_reply(lark)
    params = {"container_id_type": "chat", "container_id": c.GROUP, "page_size": 3}
    return lark.call(MESSAGE + "list", params=params)


def message_delete(lark: LocalApp) -> Any:
    to = {"params": {"receive_id_type": "chat_id"}, "data": {"receive_id": c.GROUP, **text("oops")}}
    return lark.call(MESSAGE + "delete", path={"message_id": lark.call(MESSAGE + "create", **to)["message_id"]})


def document_create(lark: LocalApp) -> Any:
    return lark.call("docx_v1_document_create", data={"title": "Minutes"})


def document_raw_content(lark: LocalApp) -> Any:
    return lark.call("docx_v1_document_rawContent", path={"document_id": w.PLAN})


def document_import(lark: LocalApp) -> Any:
    row = "|" + "x|" * 101
    return lark.call("docx_builtin_import", data={"markdown": f"{row}\n{'|' + '-|' * 101}\n"})


def document_search(lark: LocalApp) -> Any:
    return lark.call("docx_builtin_search", data={"search_key": "launch", "count": 1})


def permission_member_create(lark: LocalApp) -> Any:
    path, params = {"token": w.PLAN}, {"type": "docx", "need_notification": False}
    data = {"member_type": "openid", "member_id": w.BO, "perm": "view", "perm_type": "container", "type": "user"}
    return lark.call("drive_v1_permissionMember_create", path=path, params=params, data=data)


def base_create(lark: LocalApp) -> Any:
    return lark.call(BASE + "_create", data={"name": "Budget", "folder_token": w.MY_FOLDER})


def table_create(lark: LocalApp) -> Any:
    wanted = {"name": "Plans", "default_view_name": "All", "fields": [{"field_name": "Title", "type": 1}]}
    return lark.call(BASE + "Table_create", path={"app_token": w.TRACKER}, data={"table": wanted})


def table_list(lark: LocalApp) -> Any:
    return lark.call(BASE + "Table_list", path={"app_token": w.TRACKER}, params={"page_size": 1})


ISSUES = {"app_token": w.TRACKER, "table_id": w.ISSUES}


def field_list(lark: LocalApp) -> Any:
    return lark.call(BASE + "TableField_list", path=ISSUES, params={"page_size": 100})


FLICKER = {"conjunction": "and", "conditions": [{"field_name": "Title", "operator": "is", "value": ["Flicker"]}]}


def record_search(lark: LocalApp) -> Any:
    place = {"address": "人民大道", "adname": "黄浦区", "cityname": "上海市", "pname": "上海市", "name": "人民广场"}
    place |= {"full_address": "人民广场，上海市黄浦区人民大道", "location": "121.4,31.2"}
    lark.episode.db.execute(
        "UPDATE base_records SET fields = json_set(fields, '$.fldPlace00', json(?)) WHERE record_id = ?",
        json.dumps(place),
        w.ROW_1,
    )
    # A formula is shown as the world has it, so its form proves nothing.
    names = [name for name in w.FIELDS if name != "Score"]
    wanted = {"filter": FLICKER, "field_names": names, "automatic_fields": True}
    return lark.call(RECORD + "search", path=ISSUES, data=wanted)


def record_search_plain(lark: LocalApp) -> Any:
    return lark.call(RECORD + "search", path=ISSUES, data={"filter": FLICKER, "field_names": ["Title"]})


CELLS = {"Title": "Dim", "Phone": "+8613800000001"}


def record_create(lark: LocalApp) -> Any:
    return lark.call(RECORD + "create", path=ISSUES, data={"fields": CELLS})


def record_update(lark: LocalApp) -> Any:
    return lark.call(RECORD + "update", path={**ISSUES, "record_id": w.ROW_1}, data={"fields": CELLS})


def record_batch_create(lark: LocalApp) -> Any:
    records = [{"fields": {"Title": name, "Due": w.MONDAY}} for name in ("Dim", "Loud")]
    return lark.call(RECORD + "batchCreate", path=ISSUES, data={"records": records})


def record_batch_update(lark: LocalApp) -> Any:
    cells = {"Title": "Dim", "Count": 100, "State": "done", "Tags": ["app"], "Due": w.MONDAY, "Blocks": True}
    cells |= {"Owner": [{"id": w.BO}], "Link": {"text": "report", "link": "https://a.b"}, "Place": "116.3,39.9"}
    return lark.call(RECORD + "batchUpdate", path=ISSUES, data={"records": [{"record_id": w.ROW_1, "fields": cells}]})


def node_get(lark: LocalApp) -> Any:
    return lark.call("wiki_v2_space_getNode", params={"token": w.CHILD})


def node_search(lark: LocalApp) -> Any:
    return lark.call("wiki_v1_node_search", data={"query": "lamps"})


OF_COMPANY: dict[str, Callable[[LocalApp], Any]] = {
    "contact_v3_user_get": user_get,
    "contact_v3_user_batchGetId": user_batch_get_id,
    "im_v1_chat_create": chat_create,
    "im_v1_chat_get": chat_get,
    "im_v1_chat_list": chat_list,
    "im_v1_chat_search": chat_search,
    "im_v1_chatMembers_get": members_get,
    "im_v1_chatMembers_create": members_create,
    "im_v1_chatMembers_delete": members_delete,
    "im_v1_message_create": message_create,
    "im_v1_message_get": message_get,
    "im_v1_message_reply": message_reply,
    "im_v1_message_list": message_list,
    "im_v1_message_delete": message_delete,
}
OF_WORKSPACE: dict[str, Callable[[LocalApp], Any]] = {
    "docx_v1_document_create": document_create,
    "docx_v1_document_rawContent": document_raw_content,
    "docx_builtin_import": document_import,
    "docx_builtin_search": document_search,
    "drive_v1_permissionMember_create": permission_member_create,
    "bitable_v1_app_create": base_create,
    "bitable_v1_appTable_create": table_create,
    "bitable_v1_appTable_list": table_list,
    "bitable_v1_appTableField_list": field_list,
    "bitable_v1_appTableRecord_search": record_search,
    "bitable_v1_appTableRecord_search.plain": record_search_plain,
    "bitable_v1_appTableRecord_create": record_create,
    "bitable_v1_appTableRecord_update": record_update,
    "bitable_v1_appTableRecord_batchCreate": record_batch_create,
    "bitable_v1_appTableRecord_batchUpdate": record_batch_update,
    "wiki_v2_space_getNode": node_get,
    "wiki_v1_node_search": node_search,
}


@pytest.mark.fact("other-bodies")
def test_every_tool_of_this_half_has_a_real_body() -> None:
    tools = {tool.name for tool in load_app("lark").app.tools if not tool.name.startswith(("calendar_", "task_"))}

    assert {real_bodies.load(name)["tool"] for name in (*OF_COMPANY, *OF_WORKSPACE)} == tools


@pytest.mark.fact("other-bodies")
@pytest.mark.parametrize("name", [*OF_COMPANY, *OF_WORKSPACE])
def test_an_answer_has_the_members_of_a_real_one_but_for_what_is_meant(start: Start, name: str) -> None:
    sample = real_bodies.load(name)

    if name in OF_COMPANY:
        ours = OF_COMPANY[name](start("lark", rows=c.rows(), me="me"))
    else:
        ours = OF_WORKSPACE[name](start("lark", rows=w.rows(), me="wan"))

    assert real_bodies.differences(sample, ours) == set(sample["differences"])
