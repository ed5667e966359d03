"""Direct messages: what was said, and what may be said within a day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import (
    ACCOUNT,
    BO,
    CY,
    DI,
    HOUR_MS,
    NEW,
    NOT_MINE,
    NOW_MS,
    SITE,
    WITH_BO,
    WITH_CY,
    Refusal,
)

Data = Callable[..., Any]
ME, THEM = {"id": ACCOUNT, "username": "lamp_co"}, {"id": BO, "username": "bo.reads"}


@pytest.mark.fact("conversations")
def test_a_list_of_conversations_has_ids_and_times(data: Data) -> None:
    told = data("LIST_ALL_CONVERSATIONS")

    assert told["data"] == [
        {"id": WITH_BO, "updated_time": "2026-03-08T23:00:00+0000"},
        {"id": WITH_CY, "updated_time": "2026-03-08T00:00:00+0000"},
    ]
    assert set(told["paging"]) == {"cursors"}


@pytest.mark.fact("conversations")
def test_a_conversation_has_two_people_and_what_they_said(data: Data) -> None:
    told = data("GET_CONVERSATION", conversation_id=WITH_BO)

    assert (told["id"], told["updated_time"]) == (WITH_BO, "2026-03-08T23:00:00+0000")
    assert told["participants"] == {"data": [ME, THEM]}
    assert told["messages"] == {"data": data("LIST_ALL_MESSAGES", conversation_id=WITH_BO)["data"]}


@pytest.mark.fact("messages")
def test_messages_come_newest_first_with_who_said_them_to_whom(data: Data) -> None:
    newest, older, oldest = data("LIST_ALL_MESSAGES", conversation_id=WITH_BO)["data"]

    assert newest == {
        "id": "m3",
        "created_time": "2026-03-08T23:00:00+0000",
        "from": THEM,
        "to": {"data": [ME]},
        "message": "And the cable?",
    }
    assert (older["from"], older["to"]["data"], oldest["id"]) == (ME, [THEM], "m1")


@pytest.mark.fact("paging")
def test_pages_of_messages_follow_one_another(data: Data) -> None:
    first = data("LIST_ALL_MESSAGES", conversation_id=WITH_BO, limit=2)
    second = data("LIST_ALL_MESSAGES", conversation_id=WITH_BO, limit=2, after=first["paging"]["cursors"]["after"])

    assert [each["id"] for each in first["data"] + second["data"]] == ["m3", "m2", "m1"]
    assert "next" not in second["paging"]


@pytest.mark.fact("foreign")
@pytest.mark.parametrize("tool", ["GET_CONVERSATION", "LIST_ALL_MESSAGES"])
def test_another_accounts_conversation_is_not_there(refusal: Refusal, tool: str) -> None:
    assert refusal(tool, conversation_id=NOT_MINE) == (100, 33, 400)


@pytest.mark.fact("messages")
def test_a_text_is_sent_and_moves_its_conversation_up(instagram: LocalApp, data: Data) -> None:
    instagram.episode.db.execute("UPDATE messages SET created_ms = ? WHERE message_id = 'm4'", NOW_MS - 23 * HOUR_MS)
    sent = data("SEND_TEXT_MESSAGE", recipient_id=CY, text="We look into it.")

    assert sent["recipient_id"] == CY
    assert data("LIST_ALL_CONVERSATIONS")["data"][0]["id"] == WITH_CY
    newest = data("LIST_ALL_MESSAGES", conversation_id=WITH_CY, limit=1)["data"][0]
    assert (newest["id"], newest["from"], newest["message"]) == (sent["message_id"], ME, "We look into it.")
    assert set(instagram.changes()) == {"messages"}


@pytest.mark.fact("window")
@pytest.mark.parametrize("recipient", [CY, NEW, DI])
def test_nobody_is_written_to_later_than_a_day_after_they_wrote(refusal: Refusal, recipient: str) -> None:
    assert refusal("SEND_TEXT_MESSAGE", recipient_id=recipient, text="hi") == (10, 2534022, 403)
    assert refusal("SEND_IMAGE", recipient_id=recipient, image_url=f"{SITE}/lamp.jpg") == (10, 2534022, 403)
    assert refusal("MARK_SEEN", recipient_id=recipient) == (10, 2534022, 403)


@pytest.mark.fact("window")
def test_the_accounts_own_words_do_not_open_the_window(instagram: LocalApp, refusal: Refusal) -> None:
    own: dict[str, Any] = {"conversation_id": WITH_CY, "from_id": ACCOUNT, "created_ms": NOW_MS - HOUR_MS}
    instagram.episode.db.insert("messages", message_id="m6", text="still there?", **own)

    assert refusal("SEND_TEXT_MESSAGE", recipient_id=CY, text="hi") == (10, 2534022, 403)


@pytest.mark.fact("recipient")
@pytest.mark.parametrize("recipient", ["bo.reads", "", "12345", ACCOUNT])
def test_a_recipient_is_an_id_that_the_account_knows(refusal: Refusal, recipient: str) -> None:
    assert refusal("SEND_TEXT_MESSAGE", recipient_id=recipient, text="hi") == (100, 2534014, 400)
    assert refusal("MARK_SEEN", recipient_id=recipient) == (100, 2534014, 400)


@pytest.mark.fact("send-limits")
def test_a_text_is_of_one_to_a_thousand_bytes(data: Data, refusal: Refusal) -> None:
    assert refusal("SEND_TEXT_MESSAGE", recipient_id=BO, text="") == (100, None, 400)
    assert refusal("SEND_TEXT_MESSAGE", recipient_id=BO, text="灯" * 334) == (100, None, 400)
    assert data("SEND_TEXT_MESSAGE", recipient_id=BO, text="灯" * 333)["message_id"]


@pytest.mark.fact("answered")
def test_a_message_of_the_same_conversation_can_be_answered(data: Data, refusal: Refusal, instagram: LocalApp) -> None:
    for other in ("m4", "nothing"):
        answered = {"recipient_id": BO, "text": "Three metres.", "reply_to_message_id": other}
        assert refusal("SEND_TEXT_MESSAGE", **answered) == (100, 2534002, 400)

    sent = data("SEND_TEXT_MESSAGE", recipient_id=BO, text="Three metres.", reply_to_message_id="m3")
    kept = "SELECT reply_to_id FROM messages WHERE message_id = ?"
    assert instagram.episode.db.scalar(kept, sent["message_id"]) == "m3"


@pytest.mark.fact("messages")
def test_a_picture_has_no_text_and_its_caption_follows(data: Data) -> None:
    sent = data("SEND_IMAGE", recipient_id=BO, image_url=f"{SITE}/lamp.png", caption="The cable")

    caption, picture = data("LIST_ALL_MESSAGES", conversation_id=WITH_BO, limit=2)["data"]
    assert (picture["id"], picture["message"]) == (sent["message_id"], "")
    assert caption["message"] == "The cable"


@pytest.mark.fact("send-limits")
@pytest.mark.parametrize("name", ["film.mp4", "nothing.jpg"])
def test_what_is_no_picture_is_not_sent(refusal: Refusal, name: str) -> None:
    assert refusal("SEND_IMAGE", recipient_id=BO, image_url=f"{SITE}/{name}") == (100, 2018047, 400)


@pytest.mark.fact("seen")
def test_seen_is_shown_to_who_wrote(instagram: LocalApp, data: Data) -> None:
    assert data("MARK_SEEN", recipient_id=BO) == {"recipient_id": BO}

    ((change,),) = instagram.changes().values()
    assert change["key"] == {"conversation_id": WITH_BO} or WITH_BO in str(change["key"])
    assert instagram.episode.db.scalar("SELECT seen_ms FROM conversations WHERE user_id = ?", BO) >= NOW_MS


@pytest.mark.fact("paging")
def test_pages_of_messages_and_conversations_name_each_other(data: Data) -> None:
    first = data("LIST_ALL_MESSAGES", conversation_id=WITH_BO, limit=1)["paging"]
    asked = f"{WITH_BO}/messages?fields=id%2Ccreated_time%2Cfrom%2Cto%2Cmessage&limit=1"
    assert first["next"] == f"https://graph.instagram.com/v21.0/{asked}&after={first['cursors']['after']}"

    told = data("LIST_ALL_CONVERSATIONS", limit=1, ig_user_id="me", graph_api_version="v23.0")
    assert [each["id"] for each in told["data"]] == [WITH_BO]
    after = told["paging"]["cursors"]["after"]
    asked = f"{ACCOUNT}/conversations?fields=id%2Cupdated_time&limit=1"
    assert told["paging"]["next"] == f"https://graph.instagram.com/v23.0/{asked}&after={after}"
    rest = data("LIST_ALL_CONVERSATIONS", limit=1, after=after)
    assert [each["id"] for each in rest["data"]] == [WITH_CY]
    before = rest["paging"]["cursors"]["before"]
    assert rest["paging"]["previous"] == f"https://graph.instagram.com/v21.0/{asked}&before={before}"
    assert set(rest["paging"]) == {"cursors", "previous"}


@pytest.mark.fact("conversations")
def test_a_long_conversation_shows_its_latest_25_messages_and_where_the_others_are(
    instagram: LocalApp, data: Data
) -> None:
    for number in range(30):
        own = {"conversation_id": WITH_CY, "from_id": (CY, ACCOUNT)[number % 2], "text": f"no. {number}"}
        instagram.episode.db.insert("messages", message_id=f"n{number:02}", created_ms=NOW_MS - 60 + number, **own)

    told = data("GET_CONVERSATION", conversation_id=WITH_CY, graph_api_version="v22.0")

    assert [each["message"] for each in told["messages"]["data"]] == [f"no. {n}" for n in range(29, 4, -1)]
    paging = told["messages"]["paging"]
    asked = f"{WITH_CY}/messages?fields=id%2Ccreated_time%2Cfrom%2Cto%2Cmessage&limit=25"
    assert paging["next"] == f"https://graph.instagram.com/v22.0/{asked}&after={paging['cursors']['after']}"
    rest = data("LIST_ALL_MESSAGES", conversation_id=WITH_CY, after=paging["cursors"]["after"])["data"]
    assert [each["message"] for each in rest] == ["no. 4", "no. 3", "no. 2", "no. 1", "no. 0", "It hums"]
    them = {"id": CY, "username": "cy_at_night"}
    assert rest[-1] == {
        "id": "m4",
        "created_time": "2026-03-08T00:00:00+0000",
        "from": them,
        "to": {"data": [ME]},
        "message": "It hums",
    }
    assert told["participants"] == {"data": [ME, them]}
    # With no more than 25 there is nothing to page through.
    instagram.episode.db.execute("DELETE FROM messages WHERE message_id < 'n05' OR message_id = 'm4'")
    assert set(data("GET_CONVERSATION", conversation_id=WITH_CY)["messages"]) == {"data"}


@pytest.mark.fact("conversations")
def test_a_conversation_in_which_nothing_was_said_is_not_there(instagram: LocalApp, refusal: Refusal) -> None:
    instagram.episode.db.insert("conversations", conversation_id="aWempty", ig_user_id=ACCOUNT, user_id=NEW)

    listed = instagram.call("INSTAGRAM_LIST_ALL_CONVERSATIONS")["data"]["data"]
    assert [each["id"] for each in listed] == [WITH_BO, WITH_CY]
    assert refusal("GET_CONVERSATION", conversation_id="aWempty") == (100, 33, 400)
    assert refusal("SEND_TEXT_MESSAGE", recipient_id=NEW, text="hi") == (10, 2534022, 403)


@pytest.mark.fact("window")
def test_the_window_is_open_for_24_hours_to_the_millisecond(instagram: LocalApp, data: Data, refusal: Refusal) -> None:
    instagram.episode.db.update("messages", {"message_id": "m4"}, created_ms=NOW_MS - 24 * HOUR_MS - 1)
    assert refusal("MARK_SEEN", recipient_id=CY) == (10, 2534022, 403)
    instagram.episode.db.update("messages", {"message_id": "m4"}, created_ms=NOW_MS - 24 * HOUR_MS)

    assert data("MARK_SEEN", recipient_id=CY) == {"recipient_id": CY}


@pytest.mark.fact("send-limits")
@pytest.mark.parametrize(("size", "is_sent"), [(8 * 1024 * 1024, True), (8 * 1024 * 1024 + 1, False)])
def test_a_picture_that_is_sent_has_up_to_eight_megabytes(
    instagram: LocalApp, data: Data, refusal: Refusal, size: int, is_sent: bool
) -> None:
    instagram.episode.db.update("files", {"url": f"{SITE}/lamp.jpg"}, size_bytes=size)
    picture = {"recipient_id": BO, "image_url": f"{SITE}/lamp.jpg"}

    if is_sent:
        assert set(data("SEND_IMAGE", **picture)) == {"recipient_id", "message_id"}
    else:
        assert refusal("SEND_IMAGE", **picture) == (100, 2018047, 400)


@pytest.mark.fact("send-limits")
def test_a_text_of_a_thousand_letters_is_sent_and_a_caption_as_long(data: Data, refusal: Refusal) -> None:
    assert data("SEND_TEXT_MESSAGE", recipient_id=BO, text="x" * 1000)["recipient_id"] == BO
    picture = {"recipient_id": BO, "image_url": f"{SITE}/lamp.jpg"}
    assert refusal("SEND_IMAGE", **picture, caption="x" * 1001) == (100, None, 400)
    assert data("SEND_IMAGE", **picture, caption="x" * 1000)["recipient_id"] == BO


@pytest.mark.fact("messages")
def test_what_is_kept_of_messages_is_who_said_what_when(instagram: LocalApp, data: Data) -> None:
    text = data("SEND_TEXT_MESSAGE", recipient_id=BO, text="Three metres.", reply_to_message_id="m1", ig_user_id="me")
    picture = data("SEND_IMAGE", recipient_id=BO, image_url=f"{SITE}/lamp.png")
    captioned = data("SEND_IMAGE", recipient_id=BO, image_url=f"{SITE}/lamp.jpg", caption="The cable")

    kept = sorted((change["new"] for change in instagram.changes()["messages"]), key=lambda row: row["created_ms"])
    said = {"conversation_id": WITH_BO, "from_id": ACCOUNT}
    nothing: dict[str, Any] = {"text": "", "image_url": None, "reply_to_id": None}
    assert [{key: row[key] for key in row if key not in ("message_id", "created_ms")} for row in kept] == [
        {**said, **nothing, "text": "Three metres.", "reply_to_id": "m1"},
        {**said, **nothing, "image_url": f"{SITE}/lamp.png"},
        {**said, **nothing, "image_url": f"{SITE}/lamp.jpg"},
        {**said, **nothing, "text": "The cable"},
    ]
    assert [row["message_id"] for row in kept[:3]] == [each["message_id"] for each in (text, picture, captioned)]
    assert kept[0]["created_ms"] == NOW_MS
    assert kept[3]["created_ms"] == kept[2]["created_ms"] + 1
    assert [set(each) for each in (text, picture)] == [{"recipient_id", "message_id"}] * 2


@pytest.mark.fact("seen")
def test_seen_is_what_the_other_wrote_until_now(instagram: LocalApp, data: Data) -> None:
    data("MARK_SEEN", recipient_id=BO)

    (change,) = instagram.changes()["conversations"]
    assert change["new"] == {"conversation_id": WITH_BO, "ig_user_id": ACCOUNT, "user_id": BO, "seen_ms": NOW_MS}
