"""Messages: sent, read, answered, recalled."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import (
    ANSWER,
    BO,
    BOS_OLD,
    DM,
    ELSEWHERE,
    EVE,
    GONE,
    GROUP,
    HELLO,
    HOME,
    ME,
    OUT,
    OWN,
    QUIET,
    RECALLED_ONE,
    add,
    at,
    message,
    refused,
    why,
)

SEND, LIST, GET = "im_v1_message_create", "im_v1_message_list", "im_v1_message_get"
REPLY, RECALL = "im_v1_message_reply", "im_v1_message_delete"


def text(words: str) -> dict[str, str]:
    return {"msg_type": "text", "content": json.dumps({"text": words})}


def to(receive_id: str, id_type: str = "chat_id", **data: Any) -> dict[str, Any]:
    return {"params": {"receive_id_type": id_type}, "data": {"receive_id": receive_id, **text("hey"), **data}}


def history(lark: LocalApp, container: str = GROUP, kind: str = "chat", **params: Any) -> list[dict[str, Any]]:
    params = {"container_id_type": kind, "container_id": container, **params}
    found: list[dict[str, Any]] = lark.call(LIST, params=params)["items"]
    return found


@pytest.mark.fact("message-send")
def test_a_message_comes_back_as_sent_by_me(lark: LocalApp) -> None:
    sent = lark.call(SEND, **to(GROUP))

    assert sent.pop("message_id").startswith("om_x100b")
    assert sent == {
        "msg_type": "text",
        "create_time": "1773018000000",
        "update_time": "1773018000000",
        "deleted": False,
        "updated": False,
        "chat_id": GROUP,
        "sender": {"id": ME, "id_type": "open_id", "sender_type": "user", "tenant_key": HOME},
        "body": {"content": '{"text":"hey"}'},
    }
    assert list(lark.changes()) == ["messages"]


@pytest.mark.fact("message-id")
def test_new_messages_have_ids_of_the_form_of_today(lark: LocalApp) -> None:
    ids = [lark.call(SEND, **to(GROUP))["message_id"] for _ in range(3)]

    assert len(set(ids)) == 3
    for each in ids:
        assert re.fullmatch(r"om_x100b[0-9a-f]{27}", each)


@pytest.mark.fact("message-send")
def test_mentions_in_a_text_become_marks(lark: LocalApp) -> None:
    words = (
        f'<at user_id="{BO}">B</at> and <at user_id="{EVE}"></at>, <at user_id="{BO}">B</at> <at user_id="x">Xi</at>'
    )

    sent = lark.call(SEND, **to(GROUP, **text(words)))

    assert json.loads(sent["body"]["content"]) == {"text": "@_user_1 and @_user_2, @_user_1 @Xi"}
    assert sent["mentions"][0] == {
        "key": "@_user_1",
        "id": BO,
        "id_type": "open_id",
        "name": "吴博",
        "tenant_key": HOME,
    }
    assert [each["id"] for each in sent["mentions"]] == [BO, EVE]


@pytest.mark.fact("message-send")
def test_a_post_is_read_in_one_language_with_marks_for_people(lark: LocalApp) -> None:
    line = [
        {"tag": "text", "text": "看 "},
        {"tag": "at", "user_id": BO},
        {"tag": "a", "text": "doc", "href": "https://x"},
    ]
    post = {"en_us": {"title": "en", "content": [[]]}, "zh_cn": {"title": "标题", "content": [line]}}

    sent = lark.call(SEND, **to(GROUP, msg_type="post", content=json.dumps(post)))

    assert json.loads(sent["body"]["content"]) == {
        "title": "标题",
        "content": [[line[0], {"tag": "at", "user_id": "@_user_1", "user_name": "吴博"}, line[2]]],
    }


@pytest.mark.fact("message-person")
@pytest.mark.parametrize(
    ("key", "id_type"),
    [(BO, "open_id"), ("on_" + BO[-1] * 32, "union_id"), (BO[-1] * 8, "user_id"), ("BO@acme.example", "email")],
)
def test_a_message_to_a_person_goes_to_our_chat(lark: LocalApp, key: str, id_type: str) -> None:
    assert lark.call(SEND, **to(key, id_type))["chat_id"] == DM


@pytest.mark.fact("message-person")
def test_a_first_message_opens_the_chat_of_two(lark: LocalApp) -> None:
    first = lark.call(SEND, **to(EVE, "open_id"))
    second = lark.call(SEND, **to(EVE, "open_id"))

    assert first["chat_id"] == second["chat_id"]
    assert len(history(lark, first["chat_id"])) == 2
    assert len(lark.changes()["chat_members"]) == 2


@pytest.mark.fact("message-refused")
@pytest.mark.parametrize(
    ("key", "id_type", "code"),
    [
        (ELSEWHERE, "chat_id", 230002),
        ("oc_" + "f" * 32, "chat_id", 230002),
        (BO, "chat_id", 230001),
        (QUIET, "chat_id", 230018),
        ("ou_" + "f" * 32, "open_id", 99992351),
        ("bo", "open_id", 99992351),
        ("on_x", "union_id", 230034),
        ("x@y.example", "email", 230034),
        (GONE, "open_id", 230029),
        (OUT, "open_id", 230038),
    ],
)
def test_who_cannot_be_reached_gets_nothing(lark: LocalApp, key: str, id_type: str, code: int) -> None:
    assert refused(lark, SEND, **to(key, id_type)) == code


@pytest.mark.fact("message-refused")
def test_only_managers_mention_everyone_where_the_group_says_so(lark: LocalApp) -> None:
    lark.episode.db.execute("UPDATE chats SET at_all_permission = 'only_owner'")
    everyone = text('<at user_id="all"></at> lunch')

    assert refused(lark, SEND, **to(GROUP, **everyone)) == 230018
    assert json.loads(lark.call(SEND, **to(OWN, **everyone))["body"]["content"]) == {"text": "@_all lunch"}


@pytest.mark.fact("message-content")
@pytest.mark.parametrize(
    ("msg_type", "content", "code"),
    [
        ("text", "hello", 230001),
        ("text", "[]", 230001),
        ("text", "{}", 230001),
        ("text", '{"text":" "}', 230001),
        ("text", json.dumps({"text": "x" * 160_000}), 230025),
        ("dance", '{"text":"x"}', 230001),
        ("system", '{"text":"x"}', 230001),
        ("post", '{"title":"x"}', 230001),
        ("post", '{"zh_cn":{"title":"x","content":[]}}', 230001),
        ("post", '{"zh_cn":{"content":[[{"tag":"blink"}]]}}', 230001),
        ("post", '{"zh_cn":{"content":[[{"tag":"at","user_id":"nobody"}]]}}', 230001),
        ("post", json.dumps({"zh_cn": {"content": [[{"tag": "text", "text": "x" * 31_000}]]}}), 230025),
        ("image", "{}", 230001),
        ("image", '{"image_key":"img_1"}', 230001),
        ("interactive", '{"type":"template","data":{"template_id":"x"}}', 230099),
        ("share_chat", f'{{"chat_id":"{ELSEWHERE}"}}', 230001),
        ("share_chat", f'{{"chat_id":"{DM}"}}', 230015),
        ("share_user", '{"user_id":"nobody"}', 230001),
    ],
)
def test_content_that_does_not_fit_its_type_is_refused(lark: LocalApp, msg_type: str, content: str, code: int) -> None:
    assert refused(lark, SEND, **to(GROUP, msg_type=msg_type, content=content)) == code


@pytest.mark.fact("message-content")
@pytest.mark.parametrize(
    ("msg_type", "content", "ext"),
    [
        ("text", "hello", "content is not a string in json format"),
        ("text", "[]", "invalid message content, ext=content format of the text type is incorrect"),
        ("text", '{"text":""}', "invalid message content."),
        ("dance", "{}", "invalid msg_type"),
        ("system", '{"type":"divider"}', "sending system messages as a user is not supported"),
        # Recorded: what the robots of a group want, sent as an app.
        ("post", '{"post":{"zh_cn":{"content":[[{"tag":"text","text":"x"}]]}}}', "invalid message content."),
        ("post", '{"content":[[]]}', "invalid message content, ext=content format of the post type is incorrect"),
        (
            "post",
            '{"zh_cn":{"content":[[{"tag":"post"}]]}}',
            "invalid message content, ext=message_content has wrong tag:{post}",
        ),
        (
            "post",
            '{"zh_cn":{"content":[[{"tag":"text"}]]}}',
            "invalid message content, ext=message_content_text_tag's text field can't be nil",
        ),
        (
            "post",
            '{"zh_cn":{"content":[[{"tag":"a","text":"x"}]]}}',
            "invalid message content, ext=message_content_a_tag's href field can't be nil",
        ),
        ("post", '{"zh_cn":{"content":[[{"tag":"at","user_id":"nobody"}]]}}', "invalid user_id"),
        ("image", '{"image_key":"img_1"}', "invalid image_key"),
        ("file", '{"file_key":"file_1"}', "invalid file_key"),
    ],
)
def test_what_is_wrong_with_a_content_stands_behind_ext(lark: LocalApp, msg_type: str, content: str, ext: str) -> None:
    said = why(lark, SEND, **to(GROUP, msg_type=msg_type, content=content))

    assert said == f"Your request contains an invalid request parameter, ext={ext}"


@pytest.mark.fact("message-content")
def test_files_go_out_again_by_who_sent_them_and_stickers_by_anybody(lark: LocalApp) -> None:
    key = '{"file_key":"file_v3_1"}'
    add(
        lark,
        {**message("om_" + "9" * 32, BO, "", "03-06 10:00", msg_type="file"), "content": key},
        {**message("om_" + "8" * 32, BO, "", "03-06 10:00", msg_type="sticker"), "content": key},
    )

    assert refused(lark, SEND, **to(GROUP, msg_type="file", content=key)) == 230017
    assert lark.call(SEND, **to(GROUP, msg_type="sticker", content=key))["body"] == {"content": key}


@pytest.mark.fact("message-markdown")
def test_markdown_in_a_post_is_read_as_the_tags_it_stands_for(lark: LocalApp) -> None:
    words = (
        f'**Plan** for <at user_id="{BO}">B</at>, see [doc](https://x.example) *now*, ~~not~~ ~later~\n'
        "1. first\n---\n> said\n```go\nfunc main() {\n}\n```\n2 * 3 and ** open"
    )
    line = [{"tag": "text", "text": "before"}, {"tag": "md", "text": words}, {"tag": "text", "text": "after"}]

    sent = lark.call(SEND, **to(GROUP, msg_type="post", content=json.dumps({"zh_cn": {"content": [line]}})))

    assert json.loads(sent["body"]["content"])["content"] == [
        [line[0]],
        [
            {"tag": "text", "text": "Plan", "style": ["bold"]},
            {"tag": "text", "text": " for "},
            {"tag": "at", "user_id": "@_user_1", "user_name": "吴博"},
            {"tag": "text", "text": ", see "},
            {"tag": "a", "href": "https://x.example", "text": "doc"},
            {"tag": "text", "text": " "},
            {"tag": "text", "text": "now", "style": ["italic"]},
            {"tag": "text", "text": ", "},
            {"tag": "text", "text": "not", "style": ["lineThrough"]},
            {"tag": "text", "text": " "},
            {"tag": "text", "text": "later", "style": ["underline"]},
        ],
        [{"tag": "text", "text": "1. first"}],
        [{"tag": "hr"}],
        [{"tag": "text", "text": "> said"}],
        [{"tag": "code_block", "language": "GO", "text": "func main() {\n}"}],
        [{"tag": "text", "text": "2 * 3 and ** open"}],
        [line[2]],
    ]
    assert [each["id"] for each in sent["mentions"]] == [BO]


@pytest.mark.fact("message-markdown")
def test_markdown_that_mentions_nobody_is_refused(lark: LocalApp) -> None:
    post = {"zh_cn": {"content": [[{"tag": "md", "text": '<at user_id="ou_x"></at> hi'}]]}}

    said = why(lark, SEND, **to(GROUP, msg_type="post", content=json.dumps(post)))

    assert said.endswith("ext=message_content_md_tag's text field contains invalid user id")


@pytest.mark.fact("message-styles")
@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("**bold<i>, both</i>** <u>u</u> <s>s</s>", "bold, both u s"),
        ("**open", "**open"),
        ("**a<i>b**</i>", "**a<i>b**</i>"),
        ("</i>a<i>", "</i>a<i>"),
        ("2 * 3 < 7 [doc](https://x.example)", "2 * 3 < 7 [doc](https://x.example)"),
    ],
)
def test_a_text_is_read_without_its_styles(lark: LocalApp, words: str, read: str) -> None:
    sent = lark.call(SEND, **to(GROUP, **text(words)))

    assert json.loads(sent["body"]["content"]) == {"text": read}


@pytest.mark.fact("message-content")
@pytest.mark.parametrize(
    ("msg_type", "content"),
    [
        ("share_user", {"user_id": BO}),
        ("share_chat", {"chat_id": GROUP}),
    ],
)
def test_business_cards_are_kept_as_they_come(lark: LocalApp, msg_type: str, content: dict[str, Any]) -> None:
    sent = lark.call(SEND, **to(GROUP, msg_type=msg_type, content=json.dumps(content)))

    assert json.loads(sent["body"]["content"]) == content


@pytest.mark.fact("message-card")
def test_a_card_is_kept_as_sent_and_read_in_a_simpler_form(lark: LocalApp) -> None:
    picture = {"tag": "img", "img_key": "img_1", "alt": {"tag": "plain_text", "content": "lamp"}}
    go = {"tag": "button", "text": {"tag": "plain_text", "content": "Go"}, "type": "primary", "url": "https://x"}
    pick: dict[str, Any] = {"tag": "select_static", "placeholder": {"tag": "plain_text", "content": "Which?"}}
    pick["options"] = [{"text": {"tag": "plain_text", "content": name}, "value": name} for name in ("a", "b")]
    card = {
        "config": {"wide_screen_mode": True},
        "header": {"title": {"tag": "plain_text", "content": "Release"}, "template": "blue"},
        "elements": [
            {"tag": "markdown", "content": f"**Ready** <at id={BO}></at> see [notes](https://a.b)"},
            {"tag": "hr"},
            {"tag": "div", "text": {"tag": "lark_md", "content": "Pick one"}, "extra": pick},
            {"tag": "column_set", "columns": [{"tag": "column", "elements": [picture]}]},
            {"tag": "note", "elements": [{"tag": "plain_text", "content": "by CI"}]},
            {"tag": "action", "actions": [go]},
        ],
    }

    sent = lark.call(SEND, **to(GROUP, msg_type="interactive", content=json.dumps(card)))

    assert json.loads(sent["body"]["content"]) == {
        "title": "Release",
        "elements": [
            [
                {"tag": "text", "text": "Ready "},
                {"tag": "at", "user_id": "@_user_1", "user_name": ""},
                {"tag": "text", "text": " see "},
                {"tag": "a", "href": "https://a.b", "text": "notes"},
            ],
            [{"tag": "hr"}],
            [
                {"tag": "text", "text": "Pick one"},
                {"tag": "select_static", "options": ["a", "b"], "placeholder": "Which?"},
            ],
            [{"tag": "img", "image_key": "img_1"}],
            [{"tag": "note", "elements": [{"tag": "text", "text": "by CI"}]}],
            [{"tag": "button", "text": "Go", "type": "primary"}],
        ],
    }
    assert [each["id"] for each in sent["mentions"]] == [BO]
    (stored,) = lark.changes()["messages"]
    assert json.loads(stored["new"]["content"]) == card
    assert history(lark)[-1]["body"] == sent["body"]


@pytest.mark.fact("message-card")
def test_of_a_card_of_the_second_form_nobody_reads_the_content(lark: LocalApp) -> None:
    card = {"schema": "2.0", "body": {"elements": [{"tag": "markdown", "content": "x"}]}}

    sent = lark.call(SEND, **to(GROUP, msg_type="interactive", content=json.dumps(card)))

    # Recorded.
    only = '{"title":null,"elements":[[{"tag":"text","text":"请升级至最新版本客户端，以查看内容"}]]}'
    assert sent["body"]["content"] == only


@pytest.mark.fact("message-card")
@pytest.mark.parametrize(
    "component",
    [
        *({"tag": "div", "text": 1, "fields": 2, "extra": 3}, {"tag": "action", "actions": {}}, {"tag": []}, "x", None),
        json.loads("[" * 500 + "]" * 500),
        *({"tag": "note", "elements": "x"}, {"tag": "column_set", "columns": [1]}, {"tag": "markdown"}),
    ],
)
def test_components_of_no_known_form_leave_the_rest_readable(lark: LocalApp, component: Any) -> None:
    card = {"elements": [component, {"tag": "markdown", "content": "rest"}]}

    sent = lark.call(SEND, **to(GROUP, msg_type="interactive", content=json.dumps(card)))

    assert json.loads(sent["body"]["content"])["elements"][-1] == [{"tag": "text", "text": "rest"}]


@pytest.mark.fact("message-card")
def test_a_card_that_a_world_holds_as_read_is_shown_as_it_is(lark: LocalApp) -> None:
    content = '{"title":"Build","elements":[[{"tag":"text","text":"passed"}]]}'
    card = message("om_" + "9" * 32, BO, "", "03-06 11:00", msg_type="interactive")
    add(lark, {**card, "content": content})

    assert history(lark)[-1]["body"]["content"] == content


@pytest.mark.fact("message-card")
@pytest.mark.parametrize(
    ("card", "ext"),
    [
        (
            {"type": "template", "data": {"template_id": "ctp_1"}},
            "ErrCode: 200380; ErrMsg: template does not exist, please confirm whether this template has been released; "
            "ErrorValue: templateID: ctp_1; ",
        ),
        (
            {"elements": "x"},
            "ErrCode: 200621; ErrMsg: parse card json err, please check whether the card json is correct; "
            "ErrorValue: ; ",
        ),
        (
            {"elements": [{"tag": "markdown", "content": "<at id=ou_x></at>"}]},
            "ErrCode: 100290; ErrMsg: There is an invalid user resource(at/person) in your card; ErrorValue: ou_x; ",
        ),
    ],
)
def test_what_is_wrong_with_a_card_stands_behind_ext(lark: LocalApp, card: dict[str, Any], ext: str) -> None:
    said = why(lark, SEND, **to(GROUP, msg_type="interactive", content=json.dumps(card)))

    assert said == f"Failed to create card content, ext={ext}"


@pytest.mark.fact("message-uuid")
def test_the_same_uuid_sends_once(lark: LocalApp) -> None:
    first = lark.call(SEND, **to(GROUP, uuid="u1"))

    assert lark.call(SEND, **to(GROUP, uuid="u1")) == first
    assert len(lark.changes()["messages"]) == 1
    assert refused(lark, SEND, **to(GROUP, uuid="u" * 51)) == 99992402


@pytest.mark.fact("message-list")
def test_history_comes_oldest_first_or_newest_first(lark: LocalApp) -> None:
    found = lark.call(LIST, params={"container_id_type": "chat", "container_id": GROUP})

    assert list(found) == ["has_more", "items", "page_token"]
    assert [each["message_id"] for each in found["items"]] == [HELLO, ANSWER, RECALLED_ONE]
    assert found["items"][1]["root_id"] == found["items"][1]["parent_id"] == HELLO
    newest = history(lark, sort_type="ByCreateTimeDesc")
    assert [each["message_id"] for each in newest] == [RECALLED_ONE, ANSWER, HELLO]


@pytest.mark.fact("message-list")
@pytest.mark.parametrize("sort_type", ["ByCreateTimeAsc", "ByCreateTimeDesc"])
def test_history_comes_in_pages(lark: LocalApp, sort_type: str) -> None:
    whole = [each["message_id"] for each in history(lark, sort_type=sort_type)]
    paged, token = [], ""
    for _ in range(3):
        params = {"container_id_type": "chat", "container_id": GROUP, "page_size": 1, "sort_type": sort_type}
        page = lark.call(LIST, params={**params, "page_token": token})
        paged += [each["message_id"] for each in page["items"]]
        token = page["page_token"]

    assert paged == whole
    assert (page["has_more"], token) == (False, "")


@pytest.mark.fact("message-list")
def test_times_in_seconds_bound_the_history_ends_included(lark: LocalApp) -> None:
    found = history(lark, start_time=str(at("03-06 10:01")), end_time=str(at("03-06 10:02")))

    assert [each["message_id"] for each in found] == [ANSWER, RECALLED_ONE]


@pytest.mark.fact("message-list")
@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"page_size": 51}, 99992402),
        ({"container_id_type": "user"}, 230001),
        ({"container_id": "launch"}, 230001),
        ({"container_id": ELSEWHERE}, 230002),
        ({"start_time": "yesterday"}, 230001),
        ({"start_time": "2", "end_time": "1"}, 230001),
        ({"page_token": "nonsense"}, 230001),
        ({"container_id_type": "thread", "container_id": "omt_x"}, 230019),
        ({"container_id_type": "thread", "container_id": "omt_x", "start_time": "1"}, 230001),
    ],
)
def test_a_history_that_cannot_be_read_says_why(lark: LocalApp, params: dict[str, Any], code: int) -> None:
    assert refused(lark, LIST, params={"container_id_type": "chat", "container_id": GROUP, **params}) == code


@pytest.mark.fact("message-list")
@pytest.mark.parametrize(
    ("params", "ext"),
    [
        ({"start_time": "2", "end_time": "1"}, "The end_time is earlier than the start_time"),
        ({"start_time": "2026-09-01"}, "invalid start_time: 2026-09-01"),
        ({"page_token": "nonsense"}, "invalid page_token"),
        ({"container_id": "launch"}, "invalid container_id"),
    ],
)
def test_what_is_wrong_with_a_history_asked_for_stands_behind_ext(
    lark: LocalApp, params: dict[str, Any], ext: str
) -> None:
    said = why(lark, LIST, params={"container_id_type": "chat", "container_id": GROUP, **params})

    assert said == f"Your request contains an invalid request parameter, ext={ext}"


@pytest.mark.fact("message-list")
@pytest.mark.parametrize("changed", [{"container_id": DM}, {"sort_type": "ByCreateTimeDesc"}, {"start_time": "1"}])
def test_a_page_token_goes_with_what_was_asked(lark: LocalApp, changed: dict[str, Any]) -> None:
    params = {"container_id_type": "chat", "container_id": GROUP, "page_size": 1}
    token = lark.call(LIST, params=params)["page_token"]

    said = why(lark, LIST, params={**params, **changed, "page_token": token})

    assert said.endswith("ext=the request parameters have changed, page_token is invalid")


@pytest.mark.fact("message-refused")
def test_a_dissolved_group_takes_nothing_and_gives_nothing_back(lark: LocalApp) -> None:
    mine = lark.call(SEND, **to(OWN))["message_id"]
    lark.episode.db.update("chats", {"chat_id": OWN}, chat_status="dissolved")

    assert refused(lark, SEND, **to(OWN)) == 232009
    assert refused(lark, REPLY, path={"message_id": mine}, data=text("?")) == 232009
    assert refused(lark, RECALL, path={"message_id": mine}) == 232009


@pytest.mark.fact("id-not-exist")
def test_an_id_that_is_nobodys_is_named(lark: LocalApp) -> None:
    person = why(lark, SEND, **to("group:oc_e77d2c47", "open_id"))
    gone = why(lark, GET, path={"message_id": "om_x"})

    # The first is a live answer but for the id.
    assert person == (
        "The request you send is not a valid {open_id} or not exists, and the example value is "
        "{ou_da5****************dfe}. Invalid ids: [group:oc_e77d2c47] . Please see field_violations for details and "
        "refer to API documentation to correct accordingly and resubmit"
    )
    assert gone.startswith("The request you send is not a valid {open_message_id} or not exists, ")
    assert "Invalid ids: [om_x] ." in gone


@pytest.mark.fact("message-recalled")
def test_a_recalled_message_stays_without_its_content(lark: LocalApp) -> None:
    gone = history(lark)[2]

    assert (gone["deleted"], gone["body"]) == (True, {"content": "This message was recalled"})
    (alone,) = lark.call(GET, path={"message_id": RECALLED_ONE})["items"]
    assert (alone["deleted"], alone["body"]) == (True, {})


@pytest.mark.fact("message-threads")
def test_a_thread_shows_as_its_first_message_and_is_read_by_its_id(lark: LocalApp) -> None:
    first = lark.call(REPLY, path={"message_id": HELLO}, data={**text("1"), "reply_in_thread": True})
    second = lark.call(REPLY, path={"message_id": first["message_id"]}, data=text("2"))

    assert first["thread_id"] == second["thread_id"]
    assert (second["root_id"], second["parent_id"]) == (HELLO, HELLO)
    shown = history(lark)
    assert [each["message_id"] for each in shown] == [HELLO, ANSWER, RECALLED_ONE]
    assert shown[0]["thread_id"] == first["thread_id"]
    thread = history(lark, first["thread_id"], "thread")
    assert [each["message_id"] for each in thread] == [HELLO, first["message_id"], second["message_id"]]


@pytest.mark.fact("message-threads")
def test_a_thread_of_a_group_i_am_not_in_is_invisible(lark: LocalApp) -> None:
    add(lark, message("om_" + "9" * 32, BO, "secret", "03-06 10:00", chat=ELSEWHERE, thread_id="omt_secret"))

    params = {"container_id_type": "thread", "container_id": "omt_secret"}
    assert refused(lark, LIST, params=params) == 230073


@pytest.mark.fact("message-threads")
def test_in_a_group_of_topics_every_message_begins_one(lark: LocalApp) -> None:
    made = lark.call("im_v1_chat_create", data={"name": "Topics", "group_message_type": "thread"})

    sent = lark.call(SEND, **to(made["chat_id"]))
    answer = lark.call(REPLY, path={"message_id": sent["message_id"]}, data=text("yes"))

    assert sent["thread_id"] == answer["thread_id"]
    assert len(history(lark, made["chat_id"])) == 2


@pytest.mark.fact("message-get")
def test_one_message_comes_as_a_list(lark: LocalApp) -> None:
    (found,) = lark.call(GET, path={"message_id": HELLO}, params={"user_id_type": "user_id"})["items"]

    assert found["message_id"] == HELLO
    assert found["sender"] == {"id": BO[-1] * 8, "id_type": "user_id", "sender_type": "user", "tenant_key": HOME}


@pytest.mark.fact("message-get")
def test_a_merged_forward_brings_what_is_inside(lark: LocalApp) -> None:
    outer, inner = "om_" + "7" * 32, "om_" + "8" * 32
    add(
        lark,
        message(outer, BO, "", "03-07 10:00", msg_type="merge_forward"),
        message(inner, EVE, "inside", "03-07 09:00", upper_message_id=outer),
    )

    found = lark.call(GET, path={"message_id": outer})["items"]

    assert [each["message_id"] for each in found] == [outer, inner]
    assert found[1]["upper_message_id"] == outer
    assert inner not in [each["message_id"] for each in history(lark)]


@pytest.mark.fact("message-system")
def test_what_the_service_says_is_nobodys(lark: LocalApp) -> None:
    body = '{"template":"{from_user} started the group chat.","from_user":["林晚"],"to_chatters":[],"divider_text":{}}'
    said = message("om_" + "7" * 32, "", "", "03-07 10:00", msg_type="system", sender_type="")
    add(lark, said | {"content": body})

    (found,) = lark.call(GET, path={"message_id": said["message_id"]})["items"]

    assert found["sender"] == {"id": "", "id_type": "", "sender_type": "", "tenant_key": ""}
    assert found["body"] == {"content": body}


@pytest.mark.fact("message-get")
def test_no_such_message_and_one_of_a_chat_i_am_not_in(lark: LocalApp) -> None:
    hidden = "om_" + "9" * 32
    add(lark, message(hidden, BO, "secret", "03-06 10:00", chat=ELSEWHERE))

    for tool, more in ((GET, {}), (REPLY, {"data": text("hi")}), (RECALL, {})):
        assert refused(lark, tool, path={"message_id": "om_x"}, **more) == 99992354
    assert refused(lark, GET, path={"message_id": hidden}) == 230002
    assert refused(lark, REPLY, path={"message_id": hidden}, data=text("hi")) == 230002
    assert refused(lark, RECALL, path={"message_id": hidden}) == 230002


@pytest.mark.fact("message-reply")
def test_a_reply_names_what_it_answers_and_where_that_began(lark: LocalApp) -> None:
    sent = lark.call(REPLY, path={"message_id": ANSWER}, data=text("and me"))

    assert (sent["root_id"], sent["parent_id"], sent["chat_id"]) == (HELLO, ANSWER, GROUP)
    assert "thread_id" not in sent


@pytest.mark.fact("message-reply")
def test_a_recalled_message_takes_no_reply_and_uuids_count_here_too(lark: LocalApp) -> None:
    assert refused(lark, REPLY, path={"message_id": RECALLED_ONE}, data=text("?")) == 230011
    assert why(lark, REPLY, path={"message_id": RECALLED_ONE}, data=text("?")) == "The message was withdrawn."
    assert refused(lark, REPLY, path={"message_id": HELLO}, data={"msg_type": "text", "content": "{}"}) == 230001

    first = lark.call(REPLY, path={"message_id": HELLO}, data={**text("once"), "uuid": "u1"})
    assert lark.call(REPLY, path={"message_id": HELLO}, data={**text("once"), "uuid": "u1"}) == first


@pytest.mark.fact("message-recall")
def test_my_message_of_today_can_be_recalled_once(lark: LocalApp) -> None:
    path = {"message_id": lark.call(SEND, **to(GROUP))["message_id"]}

    assert lark.call(RECALL, path=path) == {}

    assert lark.call(GET, path=path)["items"][0]["deleted"] is True
    assert refused(lark, RECALL, path=path) == 230110


@pytest.mark.fact("message-recall")
def test_old_messages_and_other_peoples_stay(lark: LocalApp) -> None:
    assert refused(lark, RECALL, path={"message_id": BOS_OLD}) == 230009
    assert refused(lark, RECALL, path={"message_id": HELLO}) == 230026


@pytest.mark.fact("message-recall")
def test_an_owner_recalls_anybodys_message(lark: LocalApp) -> None:
    old = "om_" + "9" * 32
    add(lark, message(old, BO, "wrong group", "03-01 10:00", chat=OWN))

    assert lark.call(RECALL, path={"message_id": old}) == {}


@pytest.mark.fact("message-recall")
@pytest.mark.parametrize(("days", "code"), [(364, None), (366, 230009)])
def test_a_manager_has_a_year(lark: LocalApp, days: int, code: int | None) -> None:
    lark.call(GET, path={"message_id": HELLO})
    sent_at = lark.episode.now_ms - days * 24 * 3600 * 1000
    theirs = {**message("om_" + "9" * 32, BO, "theirs", "03-06 10:00", chat=OWN), "created_at": sent_at}
    add(lark, theirs)
    path = {"message_id": theirs["message_id"]}

    assert (lark.call(RECALL, path=path) if code is None else refused(lark, RECALL, path=path)) == (code or {})


@pytest.mark.fact("message-recall")
@pytest.mark.parametrize(("age_ms", "code"), [(24 * 3600 * 1000, None), (24 * 3600 * 1000 + 1, 230009)])
def test_my_own_message_can_be_recalled_for_exactly_a_day(lark: LocalApp, age_ms: int, code: int | None) -> None:
    lark.call(GET, path={"message_id": HELLO})
    sent_at = lark.episode.now_ms - age_ms
    mine = {**message("om_" + "9" * 32, ME, "mine", "03-06 10:00"), "created_at": sent_at}
    add(lark, mine)
    path = {"message_id": mine["message_id"]}

    if code is None:
        assert lark.call(RECALL, path=path) == {}
    else:
        assert refused(lark, RECALL, path=path) == code


@pytest.mark.fact("message-content")
def test_a_key_is_looked_for_as_it_was_written(lark: LocalApp) -> None:
    content = '{"file_key":"计划_1","file_name":"计划.pdf"}'
    add(lark, {**message("om_" + "7" * 32, ME, "", "03-06 10:00", msg_type="file"), "content": content})

    sent = lark.call(SEND, **to(GROUP, msg_type="file", content='{"file_key":"计划_1"}'))

    assert sent["body"] == {"content": content}
    assert refused(lark, SEND, **to(GROUP, msg_type="file", content='{"file_key":"计划"}')) == 230001
