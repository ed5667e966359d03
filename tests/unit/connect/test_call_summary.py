"""One plain sentence for one call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from farm.connect.call_summary import refusal, sentence
from farm.connect.display_names import DisplayNames, short
from farm.errors import FarmError

ROWS: dict[str, list[dict[str, Any]]] = {
    "channels": [
        {"id": "C1", "name": "general", "kind": "channel", "im_user_id": None},
        {"id": "D1", "name": "", "kind": "im", "creator": "U1", "im_user_id": "U2"},
    ],
    "users": [{"id": "U1", "real_name": "Wan Lin"}, {"id": "U2", "real_name": "Helen Zhou"}],
    "calendars": [{"calendar_id": "cal", "summary": "林晚"}],
    "messages": [
        {"message_id": "m1", "subject": "Moods"},
        {"message_id": "m2", "subject": "Invoice 2217"},
    ],
    "labels": [{"label_id": "Label_7", "name": "Photo shoot"}],
    "notes": [{"note_id": "n1", "title": "会打嗝的灯"}],
}


def _fetch(table: str, _: int) -> Mapping[str, Any]:
    return {"rows": ROWS.get(table, []), "next": None}


def _names(app: str = "slack") -> DisplayNames:
    return DisplayNames(app, "harbor", _fetch)


def _entry(tool: str, arguments: Any = None, text: str = "{}", **more: Any) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}]}
    return {"tool": tool, "arguments": arguments or {}, "result": result, "changes": {}, **more}


def _insert(key: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"op": "insert", "key": key, "old": None, "new": {**key, **values}, "call": 1}


def _update(key: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    return {"op": "update", "key": key, "old": {**key, **old}, "new": {**key, **new}, "call": 1}


@pytest.mark.parametrize(
    "result",
    [
        {"contents": [{"uri": "a://b", "text": "three words here"}]},
        {"messages": [{"role": "user", "content": {"type": "text", "text": "three words here"}}]},
    ],
)
def test_a_resource_or_prompt_is_told_by_its_text(result: dict[str, Any]) -> None:
    entry = {**_entry("resources/read", {"uri": "a://b"}), "result": result}

    assert sentence(entry, _names()) == 'read "three words here"'


def test_a_post_names_its_channel_and_its_words() -> None:
    row = _insert({"channel_id": "C1", "ts": "1.0"}, user_id="U1", text="hi 大家")
    entry = _entry("slack_post_message", changes={"messages": [row]})

    assert sentence(entry, _names()) == 'posted a message in #general: "hi 大家" (messages +1)'


def test_what_a_server_notes_for_itself_is_no_change() -> None:
    row = _insert({"key": "FDA:0"}, size_bytes=202)
    entry = _entry("search-drugs", {"query": "xyzzy"}, "No drugs found", changes={"cache_entries": [row]})

    assert "cache" not in sentence(entry, DisplayNames("medical", "harbor", _fetch))


def test_a_direct_message_is_named_after_whom_it_goes_to() -> None:
    row = _insert({"channel_id": "D1", "ts": "1.0"}, user_id="U1", text="psst")
    entry = _entry("slack_post_message", changes={"messages": [row]})

    assert sentence(entry, _names()) == 'posted a message to Helen Zhou: "psst" (messages +1)'


def test_a_change_tells_what_it_was_and_what_it_is_in_the_world_s_time() -> None:
    # 1773021600 is 2026-03-09 02:00 UTC, 10:00 in Shanghai.
    row = _update(
        {"event_id": "e"},
        {"summary": "Review", "start_at": 1773021600, "organizer_calendar_id": "cal", "updated_at": 1},
        {"summary": "Review", "start_at": 1773025200, "organizer_calendar_id": "cal", "updated_at": 2},
    )
    entry = _entry("calendar_v4_calendarEvent_patch", changes={"events": [row]})

    said = sentence(entry, _names("lark"))

    assert said == 'changed an event in the calendar 林晚: "Review", start at 9 Mar 10:00 → 9 Mar 11:00 (events ~1)'


def test_what_came_says_more_than_what_was_touched_along_with_it() -> None:
    touched = _update({"event_id": "e"}, {"summary": "Review", "attendee_ability": "none"}, {"summary": "Review"})
    added = _insert({"event_id": "e", "attendee_id": "user_1"}, open_id=None, third_party_email="x@y.example")
    changes = {"events": [touched, touched], "attendees": [added]}
    entry = _entry("calendar_v4_calendarEventAttendee_create", changes=changes)

    assert sentence(entry, _names("lark")) == "added an attendee (events ~1, attendees +1)"


def test_a_row_marked_as_deleted_was_deleted() -> None:
    row = _update({"message_id": "m"}, {"content": '{"text":"oops"}', "is_deleted": 0}, {"content": '{"text":"oops"}'})
    entry = _entry("im_v1_message_delete", changes={"messages": [row]})

    assert sentence(entry, _names("lark")) == 'deleted a message: "oops" (messages ~1)'


def test_a_row_without_words_names_what_it_belongs_to() -> None:
    row = _insert({"note_id": "n1", "user_id": "u"}, time=1)
    entry = _entry("like_feed", changes={"likes": [row]})

    assert sentence(entry, _names("rednote")) == "added a like on 会打嗝的灯 (likes +1)"


def test_several_rows_are_counted_and_the_first_are_named() -> None:
    rows = [_insert({"record_id": f"r{n}"}, fields=json.dumps({"名称": f"item {n}"})) for n in range(4)]
    entry = _entry("bitable_v1_appTableRecord_batchCreate", changes={"base_records": rows})

    said = sentence(entry, _names("lark"))

    assert said == 'created 4 records: "item 0", "item 1", "item 2", … (base_records +4)'


def test_reading_says_how_much_of_what() -> None:
    names = _names()
    names.place_of("messages", {"channel_id": "C1"})  # some earlier call was about this channel
    text = json.dumps({"ok": True, "messages": [{}, {}, {}], "response_metadata": {"warnings": ["w"] * 9}})

    said = sentence(_entry("slack_get_channel_history", {"channel_id": "C1"}, text), names)

    assert said == "read 3 messages of #general"


def test_reading_says_what_was_searched_for() -> None:
    said = sentence(_entry("search_feeds", {"keyword": "灯"}, '{"feeds": []}'), _names("rednote"))

    assert said == 'found no feeds for "灯"'


def test_a_writing_tool_that_changed_nothing_says_so() -> None:
    said = sentence(_entry("like_feed", {"feed_id": "n1"}, "点赞成功", wrote=True), _names("rednote"))

    assert said == 'changed nothing; it said "点赞成功"'


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({"content": [{"type": "text", "text": '{"ok":false,"error":"channel_not_found"}'}]}, "channel_not_found"),
        ({"content": [{"type": "text", "text": '{"code":193000,"msg":"invalid id"}'}]}, "193000 invalid id"),
        ({"content": [{"type": "text", "text": "操作失败"}], "isError": True}, "操作失败"),
        (
            {
                "error": {
                    "code": -32602,
                    "message": 'Invalid arguments: [\n {"path": ["limit"], "message": "Required"}]',
                }
            },
            "Invalid arguments: limit Required",
        ),
        ({"error": {"code": -32602, "message": "Tool [x] not found"}}, "Tool [x] not found"),
    ],
)
def test_a_refusal_gives_the_vendor_s_reason(result: dict[str, Any], reason: str) -> None:
    assert refusal(result) == reason
    assert sentence({**_entry("t"), "result": result, "refused": True}, _names()) == f"refused: {reason}"


def test_a_call_that_was_cut_says_so() -> None:
    assert sentence(_entry("t", refused=True, timed_out=True), _names()).startswith("timed out:")


def test_names_are_left_out_where_the_farm_does_not_tell_them() -> None:
    def fetch(table: str, _: int) -> Mapping[str, Any]:
        raise FarmError(f"{table} cannot be read now")

    row = _insert({"channel_id": "C1", "ts": "1.0"}, text="hi")

    said = sentence(_entry("slack_post_message", changes={"messages": [row]}), DisplayNames("slack", None, fetch))

    assert said == 'posted a message: "hi" (messages +1)'


def test_an_app_that_is_not_installed_here_gets_plain_sentences() -> None:
    row = _insert({"id": "1"}, title="t")

    said = sentence(_entry("thing_create", changes={"things": [row]}), DisplayNames("elsewhere", None, _fetch))

    assert said == 'created a thing: "t" (things +1)'


def test_a_text_cannot_write_elsewhere_on_the_terminal() -> None:
    assert short("a\x1b[2Jb\nc\x9b1mc") == "a [2Jb c 1mc"
    assert len(short("x" * 200)) == 60


def test_a_mail_goes_to_people_and_is_told_by_its_subject() -> None:
    row = _insert(
        {"message_id": "m"}, account_id="a", recipients="Helen <helen@b.example>", subject="Lamps", body_text="x"
    )
    entry = _entry("send_email", changes={"messages": [row]})

    assert sentence(entry, _names("gmail")) == 'sent a message to Helen <helen@b.example>: "Lamps" (messages +1)'


def test_an_event_says_when_it_begins() -> None:
    row = _insert({"event_id": "e"}, organizer_calendar_id="cal", summary="Unpack", start_at=1773018000)
    entry = _entry("calendar_v4_calendarEvent_create", changes={"events": [row]})

    assert sentence(entry, _names("lark")) == 'created an event in the calendar 林晚: "Unpack", 9 Mar 09:00 (events +1)'


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"data": [{"a": 1}, {"a": 2}]}, "read 2 contact users"),
        ({"freebusy_list": [{"start_time": "9"}]}, "read 1 busy time"),
        ({"user_list": [{"email": "lei.hu@a.example"}]}, 'found no users for "lei.hu@a.example"'),
        ({"user_list": [{"email": "lei.hu@a.example", "user_id": "ou_1"}]}, 'read 1 user for "lei.hu@a.example"'),
    ],
)
def test_what_was_read_is_counted_in_english(answer: dict[str, Any], said: str) -> None:
    asked = {"email": "lei.hu@a.example"} if "user_list" in answer else {}

    assert sentence(_entry("contact_v3_user_batchGetId", asked, json.dumps(answer)), _names("lark")) == said


def test_a_reading_tool_that_may_also_write_is_told_by_what_it_read() -> None:
    said = sentence(_entry("get_chat_history", {}, json.dumps({"messages": []})), _names("telegram"))

    assert said == "found no messages"


def test_reading_names_the_place_that_the_arguments_name() -> None:
    text = json.dumps({"ok": True, "messages": [{}, {}]})

    said = sentence(_entry("slack_get_channel_history", {"channel_id": "C1"}, text), _names())

    assert said == "read 2 messages of #general"


@pytest.mark.parametrize(
    ("tool", "arguments", "text", "said"),
    [
        ("search_emails", {"query": "lamps"}, "ID: 1\nSubject: a\n\nID: 2\nSubject: b", 'read 2 emails for "lamps"'),
        ("read_email", {"messageId": "m2"}, "Thread ID: 1\nSubject: b", 'read the email "Invoice 2217"'),
        ("list_things", {}, "Retrieved 23 messages:\n…", "read 23 messages"),
        ("list_things", {}, "Server Members (24):\n…", "read 24 members"),
        ("t", {}, "no list at all", 'read "no list at all"'),
    ],
)
def test_an_answer_in_prose_is_counted_too(tool: str, arguments: dict[str, Any], text: str, said: str) -> None:
    assert sentence(_entry(tool, arguments, text), _names("gmail")) == said


def test_a_list_without_a_telling_name_is_named_after_the_tool() -> None:
    entry = _entry("calendar_v4_calendarEvent_list", {"path": {"calendar_id": "cal"}}, json.dumps({"items": [{}, {}]}))

    assert sentence(entry, _names("lark")) == "read 2 calendar events of 林晚"


def test_a_refused_call_says_what_was_tried() -> None:
    refused = {"content": [{"type": "text", "text": '{"ok":false,"error":"is_archived"}'}], "isError": True}
    entry = {**_entry("slack_post_message", {"channel_id": "C1", "text": "x"}), "result": refused, "refused": True}

    assert sentence(entry, _names()) == "tried to post a message: #general; refused: is_archived"


def test_one_thing_done_to_several_rows_is_told_once() -> None:
    rows = [_insert({"message_id": each, "label_id": "Label_7"}) for each in ("m1", "m2")]
    gone = {"op": "delete", "key": {}, "old": {"message_id": "m1", "label_id": "INBOX"}, "new": None, "call": 1}
    entry = _entry("batch_modify_emails", changes={"message_labels": [gone, *rows]})

    said = sentence(entry, _names("gmail"), with_counts=False)

    both = 'added a label "Photo shoot" on 2 messages: "Moods", "Invoice 2217"'
    assert said == f'{both}, removed a label on Moods: "INBOX"'


def test_a_row_that_counts_as_deleted_was_deleted_even_if_it_is_new() -> None:
    row = _insert(
        {"event_id": "e_1"}, organizer_calendar_id="cal", summary="Stand-up", start_at=1773018000, status="cancelled"
    )
    entry = _entry("calendar_v4_calendarEvent_delete", changes={"events": [row]})

    said = sentence(entry, _names("lark"), with_counts=False)

    assert said == 'deleted an event in the calendar 林晚: "Stand-up", 9 Mar 09:00'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("x" * 80, "x" * 80 + "\n- milk", 'description + "- milk"'),
        ("x" * 80 + " cat " + "y" * 9, "x" * 80 + " dog " + "y" * 9, 'description "cat" → "dog"'),
        ("one", "two", "description one → two"),
        (None, "two", "description: two"),
    ],
)
def test_of_a_long_text_only_what_changed_is_told(old: str | None, new: str, said: str) -> None:
    row = _update({"guid": "g"}, {"summary": "Shop", "description": old}, {"summary": "Shop", "description": new})

    found = sentence(_entry("task_v2_task_patch", changes={"tasks": [row]}), _names("lark"), with_counts=False)

    assert found == f'changed a task: "Shop", {said}'


def test_a_mark_that_was_set_is_told_as_such() -> None:
    text = '{"rich_text":[{"plain_text":"water","bold":false}],"checked":false}'
    block, ticked = ({"content": each} for each in (text, text.replace('"checked":false', '"checked":true')))

    said = sentence(_entry("t", changes={"blocks": [_update({"id": "b"}, block, ticked)]}), _names("notion"))

    assert said == 'changed a block: "water", now checked (blocks ~1)'


def test_a_conversation_of_two_is_called_after_the_other_one() -> None:
    rows = {
        "chats": [{"chat_id": 5, "title": "", "low_id": 1, "high_id": 2}],
        "users": [{"user_id": 1, "first_name": "Wan"}, {"user_id": 2, "first_name": "Priya"}],
    }
    names = DisplayNames("telegram", "harbor", lambda table, _: {"rows": rows.get(table, []), "next": None}, me="1")
    row = _insert({"chat_id": 5, "message_id": 9}, sender_id=1, text="hi")

    assert (
        sentence(_entry("send_message", changes={"messages": [row]}), names, with_counts=False)
        == 'sent a message to Priya: "hi"'
    )


def test_a_mail_in_two_mailboxes_is_one_mail() -> None:
    rows = {"accounts": [{"account_id": "me", "name": "Wan"}, {"account_id": "her", "name": "Helen"}]}
    names = DisplayNames("gmail", "harbor", lambda table, _: {"rows": rows.get(table, []), "next": None}, me="me")
    mail = {"recipients": "helen@example", "subject": "Banners", "kind": "sent"}
    copies = [
        _insert({"message_id": holder}, account_id=holder, **mail, thread_id="t", internal_ms=0)
        for holder in ("her", "me")
    ]

    assert (
        sentence(_entry("send_email", changes={"messages": copies}), names, with_counts=False)
        == 'sent a message to helen@example: "Banners"'
    )
