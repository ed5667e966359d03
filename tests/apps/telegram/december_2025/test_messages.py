"""Reading chats, and writing, changing, deleting, forwarding and pinning what stands in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import (
    BO,
    BOARD,
    CITY,
    CREW,
    DEE,
    ELI,
    FAY,
    LUNCH,
    ME,
    NEWS,
    NOW_S,
    SAVED,
    USERS,
    WITH_BO,
)

Fails = Callable[..., None]


def numbers(text: str) -> list[int]:
    return [int(line[4:].partition(" ")[0]) for line in text.splitlines() if line.startswith("ID: ")]


@pytest.mark.fact("lines")
def test_a_message_is_a_line_of_who_when_and_what(says: Says) -> None:
    lines = says("get_messages", chat_id=LUNCH).splitlines()

    assert lines == [
        "ID: 11 | Eli | Date: 2026-03-09 00:26:40+00:00 | reply to 10 | Message: ",
        "ID: 10 | 雷 李 | Date: 2026-03-09 00:18:20+00:00 | Message: Soup today",
        "ID: 4 | Ada Ames | Date: 2026-03-06 03:33:20+00:00 | Message: None",
    ]
    assert says("list_messages", chat_id=LUNCH).count("[Media/No text]") == 2


@pytest.mark.fact("lines")
def test_pages_go_back_in_time_and_deleted_messages_are_gone(says: Says) -> None:
    assert numbers(says("get_messages", chat_id=BO)) == [9, 8, 6, 5, 3, 2, 1]
    assert numbers(says("get_messages", chat_id=BO, page=2, page_size=3)) == [5, 3, 2]
    assert says("get_messages", chat_id=BO, page=4, page_size=3) == "No messages found for this page."
    assert says("get_history", chat_id=DEE) == ""


@pytest.mark.fact("lines")
def test_an_offset_is_taken_anew_for_each_hundred(telegram: LocalApp, says: Says) -> None:
    for number in range(2, 402):
        sent_s = NOW_S - 1000 + number
        telegram.episode.db.insert("messages", chat_id=CITY, message_id=number, sent_s=sent_s, text="x")

    # The second page of 150: Telethon asks for 100 and 50, and either time skips 150.
    assert numbers(says("get_messages", chat_id=CITY, page=2, page_size=150)) == [*range(251, 151, -1), 1]


@pytest.mark.fact("days")
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"from_date": "2026-03-05"}, [3, 5, 6, 8, 9]),
        ({"from_date": "2026-03-05", "to_date": "2026-03-07"}, [3, 5, 6]),
        ({"to_date": "2026-03-05"}, [3, 2, 1]),
        ({"from_date": "2026-03-05", "limit": 0}, [3]),
        ({"search_query": "shop", "to_date": "2026-03-04"}, [2]),
        ({"limit": 2}, [9, 8]),
    ],
)
def test_days_cut_a_chat_and_turn_it_round(says: Says, arguments: dict[str, Any], found: list[int]) -> None:
    assert numbers(says("list_messages", chat_id=BO, **arguments)) == found


@pytest.mark.fact("days")
def test_what_is_no_day_is_said_so(says: Says, fails: Fails) -> None:
    assert says("list_messages", chat_id=BO, from_date="5 March") == "Invalid from_date format. Use YYYY-MM-DD."
    assert says("list_messages", chat_id=BO, to_date="2026-02-30") == "Invalid to_date format. Use YYYY-MM-DD."
    assert says("list_messages", chat_id=BO, from_date="2030-01-01") == "No messages found matching the criteria."
    fails("list_messages", chat_id=BO, to_date="9999-12-31")


@pytest.mark.fact("search")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("shop", [3, 2]),
        ("SHO", [3, 2]),
        ("friday shop", [3]),
        ("hop", []),
        ("周五", [9]),
        ("五十", [9]),
        ("shop tart", []),
    ],
)
def test_each_word_begins_a_word_of_the_text(says: Says, query: str, found: list[int]) -> None:
    assert numbers(says("search_messages", chat_id=BO, query=query)) == found


@pytest.mark.fact("context")
def test_a_message_stands_among_its_neighbours(says: Says) -> None:
    text = says("get_message_context", chat_id=BO, message_id=6, context_size=1)

    assert text == (
        f"Context for message 6 in chat {BO}:\n"
        "ID: 5 | Bo | 2026-03-06 17:26:40+00:00\n[Media/No text]\n\n"
        "ID: 6 | Ada Ames | 2026-03-07 21:13:20+00:00 [THIS MESSAGE] | reply to 5\n"
        "  → Replied message: [Bo] [Media/No text]\nNice\n\n"
        "ID: 8 | Bo | 2026-03-08 23:53:20+00:00\nNumbers for you\n"
    )
    assert says("get_message_context", chat_id=BO, message_id=10) == f"Message with ID 10 not found in chat {BO}."


@pytest.mark.fact("pinned")
def test_only_the_newest_pin_is_shown(says: Says) -> None:
    assert numbers(says("get_pinned_messages", chat_id=BO)) == [9]
    assert says("get_pinned_messages", chat_id=CITY) == "No pinned messages found in this chat."


@pytest.mark.fact("names")
def test_the_last_messages_with_somebody_are_told_as_by_you_and_them(says: Says) -> None:
    first, newest, *others = says("get_last_interaction", contact_id=BO).splitlines()

    assert first == f"Last interactions with Bo None (ID: {BO}):"
    assert newest == "Date: 2026-03-09 00:10:00+00:00, From: Bo None, Message: 见面说？周五十点"
    assert any(", From: You, Message: Nice" in line for line in others)


@pytest.mark.fact("markdown")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("**Hi** __there__", "Hi there"),
        ("see [this](https://x.example) ", "see this"),
        ("`a **b** c`", "a **b** c"),
        ("2 ** 3", "2 ** 3"),
        ("~~no~~ yes", "no yes"),
        ("```\ncode\n```", "code"),
    ],
)
def test_the_marks_of_markdown_become_formats(telegram: LocalApp, says: Says, given: str, kept: str) -> None:
    assert says("send_message", chat_id=BO, message=given) == "Message sent successfully."
    assert [row["new"]["text"] for row in telegram.changes()["messages"]] == [kept]


@pytest.mark.fact("length")
def test_a_text_is_neither_empty_nor_longer_than_4096_units(says: Says, fails: Fails) -> None:
    for given in ("", "  ", "[](x)", "a" * 4097, "😀" * 2049):
        fails("send_message", chat_id=BO, message=given)

    assert says("send_message", chat_id=BO, message="😀" * 2048) == "Message sent successfully."


@pytest.mark.fact("counters")
def test_private_chats_and_groups_count_together(telegram: LocalApp, says: Says) -> None:
    for each in (BO, LUNCH, DEE, USERS, NEWS):
        says("send_message", chat_id=each, message="Hi")

    sent = sorted(telegram.changes()["messages"], key=lambda row: int(row["call"]))
    assert [row["new"]["message_id"] for row in sent] == [18, 19, 20, 5, 3]
    assert [row["new"]["sender_id"] for row in sent] == [ME, ME, ME, ME, None]


@pytest.mark.fact("rights")
def test_who_may_not_write_is_refused(fails: Fails) -> None:
    for each in (CITY, CREW, "weather_now", "long_ago"):
        fails("send_message", chat_id=each, message="Hi")


@pytest.mark.fact("blocks")
def test_nothing_is_written_across_a_block(says: Says, fails: Fails) -> None:
    fails("send_message", chat_id=FAY, message="Hi")

    assert says("unblock_user", user_id=FAY) == f"User {FAY} unblocked."
    assert says("send_message", chat_id=FAY, message="Hi") == "Message sent successfully."
    assert [each["name"] for each in json.loads(says("get_blocked_users"))] == []


@pytest.mark.fact("lines")
def test_an_answer_names_what_it_answers(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("reply_to_message", chat_id=BO, message_id=9, text="Ten") == f"Replied to message 9 in chat {BO}."
    assert [row["new"]["reply_to"] for row in telegram.changes()["messages"]] == [9]
    fails("reply_to_message", chat_id=BO, message_id=10, text="Of another chat")


@pytest.mark.fact("edits")
def test_own_messages_are_edited_for_two_days(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("edit_message", chat_id=BO, message_id=6, new_text="Nicer") == "Message 6 edited."
    assert [row["new"]["text"] for row in telegram.changes()["messages"]] == ["Nicer"]
    fails("edit_message", chat_id=BO, message_id=6, new_text="Nicer")
    fails("edit_message", chat_id=BO, message_id=2, new_text="Too late")
    fails("edit_message", chat_id=BO, message_id=3, new_text="Not mine")
    fails("edit_message", chat_id=BO, message_id=7, new_text="Gone")


@pytest.mark.fact("edits")
def test_notes_to_oneself_and_posts_have_no_end(says: Says) -> None:
    assert says("edit_message", chat_id=ME, message_id=15, new_text="Kept") == "Message 15 edited."
    assert says("edit_message", chat_id=NEWS, message_id=1, new_text="On Friday!") == "Message 1 edited."


@pytest.mark.fact("deletion")
def test_what_is_not_there_is_deleted_too(telegram: LocalApp, says: Says) -> None:
    assert says("delete_message", chat_id=BO, message_id=999) == "Message 999 deleted."
    assert telegram.changes() == {}


@pytest.mark.fact("deletion")
def test_a_message_of_another_private_chat_goes_as_well(telegram: LocalApp, says: Says) -> None:
    assert says("delete_message", chat_id=BO, message_id=15) == "Message 15 deleted."
    assert [row["new"]["chat_id"] for row in telegram.changes()["messages"]] == [SAVED]


@pytest.mark.fact("deletion")
def test_others_messages_are_deleted_by_who_may(says: Says, fails: Fails) -> None:
    assert says("delete_message", chat_id=USERS, message_id=2) == "Message 2 deleted."
    assert says("delete_message", chat_id=LUNCH, message_id=10) == "Message 10 deleted."
    fails("delete_message", chat_id=BOARD, message_id=1)
    fails("delete_message", chat_id=CITY, message_id=1)


@pytest.mark.fact("forwards")
def test_a_forward_names_who_said_it_first(telegram: LocalApp, says: Says) -> None:
    text = says("forward_message", from_chat_id=USERS, message_id=2, to_chat_id=BO)
    says("forward_message", from_chat_id=NEWS, message_id=2, to_chat_id=ME)
    says("forward_message", from_chat_id=BO, message_id=18, to_chat_id=ME)

    assert text == f"Message 2 forwarded from {USERS} to {BO}."
    made = [row["new"] for row in telegram.changes()["messages"]]
    assert [row["forwarded_from"] for row in made] == [ELI, -1000000000000 - NEWS, ELI]
    assert made[0]["text"] == "Shopping list for Friday"


@pytest.mark.fact("forwards")
def test_what_is_guarded_or_not_there_is_not_forwarded(fails: Fails) -> None:
    fails("forward_message", from_chat_id=BOARD, message_id=1, to_chat_id=BO)
    fails("forward_message", from_chat_id=BO, message_id=10, to_chat_id=ME)
    fails("forward_message", from_chat_id=LUNCH, message_id=4, to_chat_id=ME)
    fails("forward_message", from_chat_id=BO, message_id=1, to_chat_id=CITY)


@pytest.mark.fact("pins")
def test_pinning_is_told_in_the_chat_once(telegram: LocalApp, says: Says) -> None:
    for _ in range(2):
        assert says("pin_message", chat_id=BO, message_id=3) == f"Message 3 pinned in chat {BO}."

    told = [row["new"] for row in telegram.changes()["messages"] if row["op"] == "insert"]
    assert [(row["chat_id"], row["action"], row["text"], row["reply_to"]) for row in told] == [
        (WITH_BO, "pin", None, 3)
    ]


@pytest.mark.fact("pins")
def test_a_number_below_one_takes_all_pins_off(says: Says, fails: Fails) -> None:
    assert says("unpin_message", chat_id=BO, message_id=0) == f"Message 0 unpinned in chat {BO}."
    assert says("get_pinned_messages", chat_id=BO) == "No pinned messages found in this chat."
    fails("pin_message", chat_id=BOARD, message_id=1)
    fails("pin_message", chat_id=BO, message_id=10)


@pytest.mark.fact("reactions")
def test_a_reaction_takes_the_place_of_the_last_one(telegram: LocalApp, says: Says) -> None:
    assert says("send_reaction", chat_id=LUNCH, message_id=10, emoji="❤️").startswith("Reaction '❤️' sent to message 10 ")

    told = json.loads(says("get_message_reactions", chat_id=LUNCH, message_id=10))
    assert [(each["user_id"], each["emoji"]) for each in told["reactions"]] == [(ME, "❤"), (BO, "👍")]
    assert (told["chat_id"], told["count"]) == (str(LUNCH), 2)


@pytest.mark.fact("reactions")
def test_only_what_telegram_and_the_chat_have_is_reacted_with(says: Says, fails: Fails) -> None:
    fails("send_reaction", chat_id=BO, message_id=1, emoji="😂")
    fails("send_reaction", chat_id=BOARD, message_id=1, emoji="🔥")
    fails("send_reaction", chat_id=BO, message_id=3, emoji="❤")
    fails("remove_reaction", chat_id=BO, message_id=1)
    fails("get_message_reactions", chat_id=NEWS, message_id=1)
    assert says("remove_reaction", chat_id=BO, message_id=3) == f"Reaction removed from message 3 in chat {BO}."
    assert says("get_message_reactions", chat_id=BO, message_id=3) == f"No reactions on message 3 in chat {BO}."


@pytest.mark.fact("polls")
def test_a_poll_is_a_message_with_its_answers(telegram: LocalApp, says: Says) -> None:
    text = says("create_poll", chat_id=LUNCH, question="Where?", options=["Pier", "Park"])

    assert text == f"Poll created successfully in chat {LUNCH}."
    (poll,) = [json.loads(row["new"]["poll"]) for row in telegram.changes()["media"]]
    assert (poll["question"], poll["answers"], poll["public"]) == ("Where?", ["Pier", "Park"], True)
    assert "question=TextWithEntities(text='Where?'" in says("get_media_info", chat_id=LUNCH, message_id=18)


@pytest.mark.fact("polls")
def test_a_poll_has_two_to_ten_answers_and_is_no_quiz(says: Says, fails: Fails) -> None:
    def asked(**given: Any) -> dict[str, Any]:
        return {"chat_id": LUNCH, "question": "?", "options": ["a", "b"], **given}

    assert says("create_poll", **asked(options=["a"])) == "Error: Poll must have at least 2 options."
    assert says("create_poll", **asked(options=list("abcdefghijk"))) == "Error: Poll can have at most 10 options."
    wrong = "Invalid close_date format. Use YYYY-MM-DD HH:MM:SS format."
    assert says("create_poll", **asked(close_date="soon")) == wrong
    fails("create_poll", **asked(quiz_mode=True))
    fails("create_poll", **asked(chat_id=NEWS))
    fails("create_poll", **asked(close_date="2026-04-01 00:00:00"))
    assert says("create_poll", **asked(chat_id=NEWS, public_votes=False)).startswith("Poll created successfully")
