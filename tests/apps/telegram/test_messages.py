"""Messages: sending, scheduling, forwarding, deleting and finding them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import After, Says, Told
from tests.apps.telegram.rows import (
    ALBUM,
    BO,
    BOARD,
    CITY,
    FORUM,
    LUNCH,
    ME,
    NEWS,
    NOW_S,
    SAVED,
    USERS,
    WITH_BO,
)

_LATER = NOW_S + 90_000


@pytest.mark.fact("modes")
@pytest.mark.parametrize(
    ("mode", "text", "stored"),
    [
        (None, "**a** <b>b</b>", "**a** <b>b</b>"),
        ("md", "**a** <b>b</b>", "a <b>b</b>"),
        ("html", "**a** <b>b</b> &amp;", "**a** b &"),
    ],
)
def test_a_text_is_read_in_the_mode_that_is_named(
    after: After, says: Says, mode: str | None, text: str, stored: str
) -> None:
    says("send_message", chat_id=BO, message=text, parse_mode=mode)
    says("reply_to_message", chat_id=BO, message_id=1, text=text, parse_mode=mode)

    assert [row["text"] for row in after("messages")] == [stored, stored]


@pytest.mark.fact("modes")
@pytest.mark.parametrize(
    ("text", "mode", "html"),
    [
        ("~~all~~ of it", "md", "<s>all</s> of it"),
        ("[words](https://example.com/a)", "md", '<a href="https://example.com/a">words</a>'),
        ("<del>all</del> <b>of</b> it", "html", "<s>all</s> of it"),
        ("<tg-spoiler>all</tg-spoiler> of it", "html", "<details>all</details> of it"),
        ("**all** of it", "md", None),
        ("~~all~~ of it", None, None),
    ],
)
def test_what_is_struck_out_hidden_or_linked_is_kept_beside_the_text(
    after: After, says: Says, text: str, mode: str | None, html: str | None
) -> None:
    says("send_message", chat_id=BO, message=text, parse_mode=mode)

    assert [row["html"] for row in after("messages")] == [html]


@pytest.mark.fact("modes")
@pytest.mark.parametrize("mode", ["rich", "RICH_HTML"])
def test_a_rich_text_wants_premium_and_is_not_sent(telegram: LocalApp, told: Told, mode: str) -> None:
    refused = told("send_message", chat_id=BO, message="# a", parse_mode=mode)

    assert (refused["sent"], refused["reason"]) == (False, "telegram_premium_required")
    assert telegram.changes() == {}


@pytest.mark.fact("modes")
def test_an_unknown_mode_ends_in_the_code(fails: Callable[..., None]) -> None:
    fails("send_message", chat_id=BO, message="a", parse_mode="tex")


@pytest.mark.fact("modes")
def test_an_edit_without_a_mode_reads_markdown(after: After, says: Says) -> None:
    says("edit_message", chat_id=ME, message_id=15, new_text="**b**")

    (row,) = after("messages")
    assert row["text"] == "b"


@pytest.mark.fact("scheduled")
def test_a_message_for_later_waits_in_a_list_of_its_own(after: After, says: Says) -> None:
    text = says("send_scheduled_message", chat_id=BO, message="**Later**", schedule_date=_LATER)

    (row,) = after("scheduled_messages")
    assert text.startswith("Scheduled message 3 for 2026-03-10T02:00:00+00:00")
    assert (row["chat_id"], row["message_id"], row["text"], row["due_s"]) == (WITH_BO, 3, "Later", _LATER)
    assert "ID: 3 | Scheduled: 2026-03-10T02:00:00+00:00 | Text: Later" in says("get_scheduled_messages", chat_id=BO)


@pytest.mark.fact("scheduled")
def test_what_is_due_at_once_is_sent(telegram: LocalApp, says: Says) -> None:
    says("send_scheduled_message", chat_id=BO, message="Now", schedule_date=NOW_S + 5)

    assert set(telegram.changes()) == {"messages"}


@pytest.mark.fact("scheduled")
def test_a_message_for_the_past_or_for_another_year_is_refused(
    telegram: LocalApp, says: Says, fails: Callable[..., None]
) -> None:
    past = says("send_scheduled_message", chat_id=BO, message="x", schedule_date="2026-03-09T00:59:59")
    fails("send_scheduled_message", chat_id=BO, message="x", schedule_date="2028-01-01")
    fails("send_scheduled_message", chat_id=BO, message="x", schedule_date="soon")

    assert past.startswith("schedule_date must be in the future (got 2026-03-09T00:59:59+00:00, now ")
    assert telegram.changes() == {}


@pytest.mark.fact("scheduled")
def test_a_scheduled_message_is_taken_back(says: Says) -> None:
    assert says("delete_scheduled_message", chat_id=BO, message_ids=[]) == "message_ids must be a non-empty list."

    says("delete_scheduled_message", chat_id=BO, message_ids=[1, 2])

    assert says("get_scheduled_messages", chat_id=BO) == f"No scheduled messages in chat {BO}."


@pytest.mark.fact("albums")
def test_files_that_go_together_have_one_number_and_the_first_has_the_words(after: After, says: Says) -> None:
    text = says("send_album", chat_id=BO, file_paths=["cake.png", "cake.png"], caption="Two **cakes**")

    first, second = after("messages")
    assert text == f"Album sent to chat {BO} with 2 files."
    assert first["album_id"] == second["album_id"]
    assert (first["text"], second["text"]) == ("Two cakes", "")


@pytest.mark.fact("albums")
def test_too_few_files_or_a_mixture_make_no_album(telegram: LocalApp, says: Says, fails: Callable[..., None]) -> None:
    assert says("send_album", chat_id=BO, file_paths=["cake.png"]) == "Albums must contain between 2 and 10 files."
    assert says("send_file", chat_id=BO, file_path=["cake.png", "x"]) == "File not found: x"
    fails("send_album", chat_id=BO, file_paths=["cake.png", "list.txt"])
    assert telegram.changes() == {}


@pytest.mark.fact("albums")
def test_one_file_of_an_album_is_forwarded_with_the_others_unless_it_is_said_otherwise(
    after: After, says: Says
) -> None:
    whole = says("forward_message", from_chat_id=BO, message_id=19, to_chat_id=ME)
    forwarded = after("messages")
    alone = says("forward_message", from_chat_id=BO, message_id=19, to_chat_id=ME, expand_album=False)

    assert whole == f"Album of 2 messages forwarded from {BO} to {ME} (auto-expanded from message 19)."
    assert {row["album_id"] for row in forwarded} != {ALBUM}
    assert len({row["album_id"] for row in forwarded}) == 1
    assert alone == f"Message 19 forwarded from {BO} to {ME}."
    assert len(after("messages")) == 3


@pytest.mark.fact("albums")
def test_a_batch_is_forwarded_whole_or_not_at_all(after: After, says: Says, fails: Callable[..., None]) -> None:
    fails("forward_messages", from_chat_id=BO, message_ids=[1, 99], to_chat_id=ME)
    assert says("forward_messages", from_chat_id=NEWS, message_ids=[], to_chat_id=ME) == (
        "Error: message_ids must contain at least one id."
    )

    says("forward_messages", from_chat_id=NEWS, message_ids=[1, 2], to_chat_id=ME)

    posts = [(row["chat_id"], row["forwarded_post"]) for row in after("messages")]
    assert posts == [(SAVED, 1), (SAVED, 2)]


@pytest.mark.fact("global")
def test_a_search_goes_through_the_account_s_own_chats_and_every_page_is_the_first(told: Told) -> None:
    found = told("search_global", query="shop")["results"]

    assert {each["chat_name"] for each in found} == {"Bo", "Plum Users"}
    assert [each["date"] for each in found] == sorted((each["date"] for each in found), reverse=True)
    assert told("search_global", query="shop", page=2)["results"] == found


@pytest.mark.fact("global")
def test_a_search_for_nothing_is_refused_and_one_without_a_hit_says_so(says: Says, fails: Callable[..., None]) -> None:
    fails("search_global", query="")

    assert says("search_global", query="nothing") == "No messages found for this page."


@pytest.mark.fact("deletion")
def test_many_messages_are_deleted_and_counted(after: After, says: Says) -> None:
    text = says("delete_messages_bulk", chat_id=BO, message_ids=[1, 2, 99])

    assert text == f"Deleted 2 of 3 messages from chat {BO}."
    assert [(row["message_id"], row["is_deleted"]) for row in after("messages")] == [(1, 1), (2, 1)]


@pytest.mark.fact("deletion")
def test_what_others_wrote_in_a_group_stays(fails: Callable[..., None]) -> None:
    fails("delete_messages_bulk", chat_id=BOARD, message_ids=[2, 1])


@pytest.mark.fact("deletion")
def test_a_history_is_cleared_up_to_a_number(after: After, says: Says, fails: Callable[..., None]) -> None:
    fails("delete_chat_history", chat_id=USERS)

    text = says("delete_chat_history", chat_id=BO, max_id=3, revoke=True)

    assert text == f"Chat {BO} history cleared for both parties: 3 messages deleted (offset=0)."
    assert {row["message_id"] for row in after("messages")} == {1, 2, 3}


@pytest.mark.fact("deletion")
def test_all_pins_are_taken_off_by_who_may(telegram: LocalApp, says: Says) -> None:
    assert says("unpin_all_messages", chat_id=BOARD) == "Cannot unpin messages: admin privileges are required."
    assert telegram.changes() == {}
    assert says("unpin_all_messages", chat_id=BO) == f"All messages unpinned in chat {BO}."

    assert says("get_pinned_messages", chat_id=BO) == "No pinned messages found in this chat."


@pytest.mark.fact("receipts")
def test_who_read_an_own_message_is_told_with_the_time(told: Told) -> None:
    read = told("get_message_read_by", chat_id=LUNCH, message_id=20)

    assert read["read_by"] == [{"user_id": BO, "read_at": "2026-03-09T00:35:00+00:00"}]


@pytest.mark.fact("receipts")
def test_nobody_is_told_who_read_what_others_wrote_or_where_there_are_no_receipts(says: Says) -> None:
    others = says("get_message_read_by", chat_id=LUNCH, message_id=10)

    assert others == f"No read receipts available for message 10 in chat {LUNCH}."
    assert says("get_message_read_by", chat_id=BO, message_id=2) == f"Invalid chat: {BO}."


@pytest.mark.fact("links")
@pytest.mark.parametrize(
    ("chat", "arguments", "link"),
    [
        (USERS, {"message_id": 2}, "https://t.me/plum_users/2"),
        (FORUM, {"message_id": 3}, f"https://t.me/c/{FORUM}/3"),
        (FORUM, {"message_id": 3, "thread": True}, f"https://t.me/c/{FORUM}/2/3"),
    ],
)
def test_a_message_of_a_supergroup_has_an_address(says: Says, chat: int, arguments: dict[str, int], link: str) -> None:
    assert says("get_message_link", chat_id=chat, **arguments).splitlines()[0] == f"Link: {link}"


@pytest.mark.fact("links")
def test_a_message_of_a_plain_group_has_none(says: Says, fails: Callable[..., None]) -> None:
    assert says("get_message_link", chat_id=LUNCH, message_id=10).startswith(
        "Cannot export message link for this entity type (Chat)."
    )
    fails("get_message_link", chat_id=USERS, message_id=99)


@pytest.mark.fact("cards")
def test_a_contact_s_card_is_sent_as_media(after: After, says: Says, told: Told) -> None:
    assert says("send_contact", chat_id=BO, phone_number="+1", first_name="No", last_name="One") == (
        f"Contact sent to chat {BO}."
    )

    (media,), (message,) = after("media"), after("messages")
    assert (media["kind"], message["media_id"]) == ("contact", media["media_id"])
    assert json.loads(media["contact"]) == {"phone": "+1", "first_name": "No", "last_name": "One", "vcard": ""}
    assert told("get_history", chat_id=BO, limit=1)["results"][0]["media"] == "contact"


@pytest.mark.fact("cards")
def test_a_card_is_refused_where_nothing_may_be_sent(fails: Callable[..., None]) -> None:
    fails("send_contact", chat_id=CITY, phone_number="+1", first_name="No")
