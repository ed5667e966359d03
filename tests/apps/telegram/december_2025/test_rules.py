"""Rights and limits that Telegram's documentation tells, on Ada's account."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from farm.content import kernel_module
from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import (
    BO,
    BOARD,
    BOT,
    CITY,
    CLIP,
    DEE,
    FOLDER,
    HAL,
    LUNCH,
    ME,
    NEWS,
    NOW_S,
    POLL,
    STICKER,
    USERS,
    WEATHER,
    WITH_BO,
)

Fails = Callable[..., None]
_TWO_DAYS_S = 172_800


def _has(telegram: LocalApp, chat: int, **columns: str | int | None) -> None:
    telegram.episode.db.update("chats", {"chat_id": chat}, **columns)


@pytest.mark.fact("public")
@pytest.mark.parametrize(("username", "is_refused"), [("the_board", True), (None, False)])
def test_only_admins_pin_and_rename_where_a_supergroup_is_public(
    telegram: LocalApp, says: Says, fails: Fails, username: str | None, is_refused: bool
) -> None:
    _has(telegram, BOARD, username=username, banned_rights="[]")

    if is_refused:
        fails("pin_message", chat_id=BOARD, message_id=1)
        fails("edit_chat_title", chat_id=BOARD, title="Ours")
    else:
        assert says("pin_message", chat_id=BOARD, message_id=1) == f"Message 1 pinned in chat {BOARD}."
        assert says("edit_chat_title", chat_id=BOARD, title="Ours") == f"Chat {BOARD} title updated to 'Ours'."


@pytest.mark.fact("kinds")
def test_what_a_group_takes_from_its_members_it_does_not_take_from_admins(telegram: LocalApp, says: Says) -> None:
    _has(telegram, USERS, banned_rights='["send_messages"]')

    assert says("send_message", chat_id=USERS, message="Hello") == "Message sent successfully."


@pytest.mark.fact("kinds")
@pytest.mark.parametrize("banned", ["send_messages", "send_media"])
def test_who_may_send_no_media_sends_none_of_any_kind(telegram: LocalApp, fails: Fails, banned: str) -> None:
    telegram.episode.db.update("members", {"chat_id": LUNCH, "user_id": ME}, role="member")
    _has(telegram, LUNCH, banned_rights=f'["{banned}"]')

    fails("send_file", chat_id=LUNCH, file_path=f"{FOLDER}/cake.png")
    fails("send_sticker", chat_id=LUNCH, file_path=f"{FOLDER}/smile.webp")
    fails("create_poll", chat_id=LUNCH, question="Where?", options=["Here", "There"])
    fails("forward_message", from_chat_id=BO, message_id=5, to_chat_id=LUNCH)


@pytest.mark.fact("kinds")
def test_a_poll_is_not_forwarded_where_none_may_be_sent(telegram: LocalApp, says: Says, fails: Fails) -> None:
    telegram.episode.db.update("members", {"chat_id": LUNCH, "user_id": ME}, role="member")
    _has(telegram, LUNCH, banned_rights='["send_polls"]')

    fails("forward_message", from_chat_id=USERS, message_id=2, to_chat_id=LUNCH)
    assert "forwarded" in says("forward_message", from_chat_id=BO, message_id=5, to_chat_id=LUNCH)


@pytest.mark.fact("edits")
def test_who_may_pin_in_a_supergroup_edits_at_any_time(telegram: LocalApp, says: Says, fails: Fails) -> None:
    db = telegram.episode.db
    for chat, number in ((USERS, 3), (BOARD, 2)):
        db.update("messages", {"chat_id": chat, "message_id": number}, sent_s=NOW_S - _TWO_DAYS_S - 1)

    assert says("edit_message", chat_id=USERS, message_id=3, new_text="Which one?") == "Message 3 edited."
    fails("edit_message", chat_id=BOARD, message_id=2, new_text="Thank you")


@pytest.mark.fact("edits")
def test_who_has_left_edits_nothing(says: Says, fails: Fails) -> None:
    says("leave_chat", chat_id=USERS)

    fails("edit_message", chat_id=USERS, message_id=3, new_text="Which one?")


@pytest.mark.fact("edits")
@pytest.mark.parametrize(("media_id", "is_refused"), [(STICKER, True), (POLL, True), (CLIP, False)])
def test_polls_and_stickers_have_no_words_to_edit(
    telegram: LocalApp, says: Says, fails: Fails, media_id: int, is_refused: bool
) -> None:
    telegram.episode.db.update("messages", {"chat_id": WITH_BO, "message_id": 6}, media_id=media_id)

    if is_refused:
        fails("edit_message", chat_id=BO, message_id=6, new_text="Words")
    else:
        assert says("edit_message", chat_id=BO, message_id=6, new_text="Words") == "Message 6 edited."


@pytest.mark.fact("admins")
def test_somebody_who_was_not_there_is_brought_in_as_an_admin(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert (
        says("promote_admin", group_id=NEWS, user_id=DEE) == f"Successfully promoted user {DEE} to admin in Plum News"
    )
    assert f"ID: {DEE}, Name: Dee Dale" in says("get_admins", chat_id=NEWS).splitlines()

    # Only her contacts may add Hal, and who has left is brought back by mutual contacts only.
    fails("promote_admin", group_id=NEWS, user_id=HAL)
    telegram.episode.db.update("members", {"chat_id": NEWS, "user_id": DEE}, role="left")
    assert says("promote_admin", group_id=NEWS, user_id=DEE).startswith(
        "Error: Cannot promote users who are not mutual contacts."
    )


@pytest.mark.fact("admins")
def test_a_bot_is_in_no_channel_but_as_its_admin(says: Says, fails: Fails) -> None:
    fails("invite_to_group", group_id=NEWS, user_ids=[BOT])
    assert "Successfully promoted" in says("promote_admin", group_id=NEWS, user_id=BOT)


@pytest.mark.fact("joining")
def test_a_public_chat_that_asks_first_is_not_joined_at_once(telegram: LocalApp, says: Says) -> None:
    _has(telegram, WEATHER, asks_to_join=1)

    assert says("subscribe_public_channel", channel="weather_now").startswith("An error occurred (code: ")
    assert "Weather" not in says("get_chats")


@pytest.mark.fact("archive")
def test_a_chat_that_was_left_takes_no_pin(says: Says, fails: Fails) -> None:
    # Plum Users is pinned to begin with.
    for chat in (BO, LUNCH, BOARD, NEWS):
        says("archive_chat", chat_id=chat)
    fails("archive_chat", chat_id=CITY)

    says("leave_chat", chat_id=USERS)

    assert says("archive_chat", chat_id=CITY) == f"Chat {CITY} archived."


@pytest.mark.fact("files")
def test_a_photo_that_was_downloaded_can_be_sent(says: Says) -> None:
    path = f"{FOLDER}/dock.jpg"

    assert says("download_media", chat_id=BO, message_id=5, file_path=path) == f"Media downloaded to {path}."
    assert says("send_file", chat_id=LUNCH, file_path=path) == f"File sent to chat {LUNCH}."


@pytest.mark.fact("markdown")
@pytest.mark.parametrize("text", ["[" * 60_000, "[](" * 20_000, "[" * 30_000 + "](", "[](a" * 15_000])
def test_a_text_of_brackets_is_read_within_the_time_of_a_call(text: str) -> None:
    texts = kernel_module("telegram", "texts")
    began_s = time.process_time()

    assert texts.without_marks(text) == text

    # A tenth of this here; tens of seconds where each bracket looks for its end anew.
    assert time.process_time() - began_s < 0.25


@pytest.mark.fact("search")
def test_a_query_has_each_word_once_and_finds_by_beginnings() -> None:
    texts = kernel_module("telegram", "texts")

    assert texts.words("Shop shop FRIDAY " * 1000) == ["shop", "friday"]
    assert texts.is_found("The shop opens on Friday", texts.words("fri SHOP"))
    assert not texts.is_found("The shop opens on Friday", texts.words("fri hop"))
    assert not texts.is_found("The shop opens on Friday", texts.words("fridays"))


@pytest.mark.fact("dialogs")
def test_an_own_post_in_a_channel_is_not_unread(says: Says) -> None:
    says("mark_as_read", chat_id=NEWS)
    says("send_message", chat_id=NEWS, message="Open till ten")

    assert f"Chat ID: {NEWS}, Title: Plum News, Type: channel, Username: @plum_news, No unread messages" in says(
        "list_chats"
    )


@pytest.mark.fact("rights")
def test_who_may_only_post_in_a_channel_edits_and_deletes_own_posts(
    telegram: LocalApp, says: Says, fails: Fails
) -> None:
    telegram.episode.db.update(
        "members", {"chat_id": NEWS, "user_id": ME}, role="admin", rights='["post_messages"]', by_id=BO
    )
    says("send_message", chat_id=NEWS, message="Open till ten")

    assert says("edit_message", chat_id=NEWS, message_id=3, new_text="Open till nine") == "Message 3 edited."
    assert says("delete_message", chat_id=NEWS, message_id=3) == "Message 3 deleted."
    fails("edit_message", chat_id=NEWS, message_id=2, new_text="Bring nobody")
    fails("delete_message", chat_id=NEWS, message_id=2)
