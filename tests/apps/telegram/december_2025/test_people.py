"""Members and admins, contacts, profiles, media and bots."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.december_2025.conftest import Says
from tests.apps.telegram.rows import (
    BO,
    BOARD,
    BOT,
    CITY,
    CY,
    DEE,
    ELI,
    FAY,
    FOLDER,
    HAL,
    LEI,
    LUNCH,
    ME,
    NEW_PHOTO,
    NEWS,
    NOW_S,
    OLD_PHOTO,
    USERS,
)

Fails = Callable[..., None]


def role(app: LocalApp, chat_id: int, user_id: int) -> str | None:
    found: str | None = app.episode.db.scalar(
        "SELECT role FROM members WHERE chat_id = ? AND user_id = ?", chat_id, user_id
    )
    return found


@pytest.mark.fact("names")
def test_lists_say_none_where_there_is_no_family_name(says: Says) -> None:
    lines = says("get_participants", chat_id=USERS).splitlines()

    assert lines[0] == f"ID: {ME}, Name: Ada Ames"
    assert f"ID: {BO}, Name: Bo None" in lines
    assert says("list_contacts").splitlines()[0] == f"ID: {BO}, Name: Bo None, Username: @bo_brook, Phone: 447000000002"


@pytest.mark.fact("admins")
def test_an_admin_is_made_with_the_usual_rights_or_those_named(telegram: LocalApp, says: Says) -> None:
    text = says("promote_admin", group_id=NEWS, user_id=ELI)
    says("promote_admin", group_id=NEWS, user_id=BO, rights={"pin_messages": False, "add_admins": True})

    assert text == f"Successfully promoted user {ELI} to admin in Plum News"
    rights = [json.loads(row["new"]["rights"]) for row in telegram.changes()["members"]]
    assert all("post_messages" in each and "anonymous" not in each for each in rights)
    assert ["add_admins" in each for each in rights].count(True) == 1


@pytest.mark.fact("admins")
def test_who_may_not_add_admins_or_lacks_the_rights_is_refused(telegram: LocalApp, says: Says, fails: Fails) -> None:
    # Ada has no right to post or edit, which the usual rights hold.
    fails("promote_admin", group_id=USERS, user_id=ELI)
    fails("promote_admin", group_id=USERS, user_id=BO)
    fails("promote_admin", group_id=BOARD, user_id=ELI)
    fails("demote_admin", group_id=NEWS, user_id=DEE)
    fails("demote_admin", group_id=USERS, user_id=CY)
    assert says("demote_admin", group_id=NEWS, user_id=BO) == f"Successfully demoted user {BO} from admin in Plum News"
    assert role(telegram, NEWS, BO) == "member"


@pytest.mark.fact("bans")
def test_who_is_banned_is_out_and_is_not_back_when_the_ban_is_lifted(telegram: LocalApp, says: Says) -> None:
    assert says("ban_user", chat_id=USERS, user_id=ELI) == f"User {ELI} banned from chat Plum Users (ID: {USERS})."
    assert f"ID: {ELI}, Name: Eli None" in says("get_banned_users", chat_id=USERS)
    text = says("unban_user", chat_id=USERS, user_id=ELI)

    assert text == f"User {ELI} unbanned from chat Plum Users (ID: {USERS})."
    assert role(telegram, USERS, ELI) == "left"


@pytest.mark.fact("bans")
def test_admins_of_others_the_maker_and_oneself_are_not_banned(fails: Fails) -> None:
    for who in (CY, BO, ME):
        fails("ban_user", chat_id=USERS, user_id=who)
    fails("get_banned_users", chat_id=BOARD)


@pytest.mark.fact("invites")
def test_an_invitation_tells_of_nobody(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("invite_to_group", group_id=USERS, user_ids=[LEI, HAL]) == "Successfully invited 0 users to Plum Users"
    assert role(telegram, USERS, LEI) == "member"
    # Whom only contacts may add is left out.
    assert role(telegram, USERS, HAL) is None
    left = says("invite_to_group", group_id=USERS, user_ids=[FAY])
    assert left.startswith("Error: Cannot invite users who are not mutual contacts. ")
    assert says("invite_to_group", group_id=USERS, user_ids=[5]).startswith(
        "Error: User with ID 5 could not be found. Could not find the input entity for PeerUser(user_id=5) (PeerUser). "
    )
    fails("invite_to_group", group_id=USERS, user_ids=[DEE])
    fails("invite_to_group", group_id=BOARD, user_ids=[CY])


@pytest.mark.fact("blocks")
def test_who_is_blocked_is_not_invited_and_who_blocked_the_account_is_left_out(
    telegram: LocalApp, says: Says, fails: Fails
) -> None:
    telegram.episode.db.insert("blocks", owner_id=LEI, peer_id=ME)

    assert says("invite_to_group", group_id=USERS, user_ids=[LEI]) == "Successfully invited 0 users to Plum Users"

    assert role(telegram, USERS, LEI) is None
    telegram.episode.db.insert("blocks", owner_id=ME, peer_id=LEI)
    fails("invite_to_group", group_id=USERS, user_ids=[LEI])


@pytest.mark.fact("log")
def test_what_was_done_stands_in_the_admin_log(says: Says, fails: Fails) -> None:
    says("edit_chat_title", chat_id=USERS, title="Plums")

    newest, before, *_ = json.loads(says("get_recent_actions", chat_id=USERS))
    assert newest["user_id"] == ME
    assert newest["action"] == {
        "_": "ChannelAdminLogEventActionChangeTitle",
        "prev_value": "Plum Users",
        "new_value": "Plums",
    }
    assert before["action"]["new_message"]["message"] == "Dock Road"
    fails("get_recent_actions", chat_id=BOARD)


@pytest.mark.fact("log")
def test_bans_and_admins_are_told_with_what_they_were(says: Says) -> None:
    says("ban_user", chat_id=USERS, user_id=ELI)
    says("demote_admin", group_id=NEWS, user_id=BO)

    banned = json.loads(says("get_recent_actions", chat_id=USERS))[0]["action"]
    assert banned["prev_participant"]["_"] == "ChannelParticipant"
    assert banned["new_participant"]["peer"] == {"_": "PeerUser", "user_id": ELI}
    demoted = json.loads(says("get_recent_actions", chat_id=NEWS))[0]["action"]
    assert demoted["prev_participant"]["admin_rights"]["post_messages"] is True
    assert says("get_recent_actions", chat_id=NEWS).count('"ChannelAdminLogEvent"') == 1


@pytest.mark.fact("contacts")
def test_a_phone_that_somebody_has_becomes_a_contact(says: Says) -> None:
    text = says("add_contact", phone="+44 7000 000008", first_name="Harry")

    assert text == "Contact Harry  added successfully."
    assert f"ID: {HAL}, Name: Harry None, Username: @hal_hart, Phone: 447000000008" in says("list_contacts")
    assert says("get_chat", chat_id=HAL).splitlines()[1] == "Name: Harry"


@pytest.mark.fact("contacts")
def test_a_phone_of_nobody_is_answered_with_nothing(says: Says) -> None:
    empty = "ImportedContacts(imported=[], popular_invites=[], retry_contacts=[], users=[])"

    assert says("add_contact", phone="+1", first_name="No") == f"Contact not added. Response: {empty}"


@pytest.mark.fact("contacts")
def test_contacts_come_and_go(says: Says) -> None:
    assert says("get_contact_ids") == f"Contact IDs: {BO}, {CY}, {LEI}"
    assert says("delete_contact", user_id=CY) == f"Contact with user ID {CY} deleted."
    assert [each["id"] for each in json.loads(says("export_contacts"))] == [BO, LEI]
    assert says("search_contacts", query="nobody") == "No contacts found matching 'nobody'."
    assert says("search_contacts", query="bo_b") == says("list_contacts").splitlines()[0]


@pytest.mark.fact("contacts")
def test_private_chats_are_found_by_contact(says: Says) -> None:
    line = f"Chat ID: {BO}, Contact: Bo None, Username: @bo_brook, Unread: 2"

    assert says("get_direct_chat_by_contact", contact_query="BO") == line
    no_chat = "Found contacts: Cy Carr, but no direct chats were found with them."
    assert says("get_direct_chat_by_contact", contact_query="Cy") == no_chat
    assert says("get_contact_chats", contact_id=BO).splitlines()[1:] == [
        f"Direct Chat ID: {BO}, Type: Private, Unread: 2",
        "Could not retrieve common groups.",
    ]


@pytest.mark.fact("misfits")
def test_what_does_not_fit_the_servers_telethon_fails(says: Says, fails: Fails) -> None:
    fails("import_contacts", contacts=[{"phone": "447000000008", "first_name": "Hal"}])
    fails("send_gif", chat_id=BO, gif_id=5)
    fails("set_privacy_settings", key="status", allow_users=[BO])
    assert says("import_contacts", contacts=[]) == "Imported 0 contacts."
    assert says("get_gif_search", query="cat") == "[]"
    assert says("delete_profile_photo") == "No profile photo to delete."
    assert says("set_profile_photo", file_path=f"{FOLDER}/cake.png") == "Profile photo updated."
    fails("delete_profile_photo")


@pytest.mark.fact("profile")
def test_name_and_bio_are_changed(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("update_profile", last_name="Brook", about="Bakes") == "Profile updated."
    assert json.loads(says("get_me"))["name"] == "Ada Brook"
    fails("update_profile", first_name=" ")
    fails("update_profile", about="x" * 71)


@pytest.mark.fact("objects")
def test_objects_are_shown_as_telethon_prints_them(says: Says) -> None:
    assert says("get_user_status", user_id=CY) == "UserStatusRecently(by_me=False)"
    assert says("get_user_status", user_id=BOT) == "None"
    assert says("resolve_username", username="@lilei").startswith(
        f"ResolvedPeer(peer=PeerUser(user_id={LEI}), chats=[], users=[User(id={LEI}, is_self=False, contact=True, "
    )
    assert says("get_media_info", chat_id=BO, message_id=8).endswith(
        "attributes=[DocumentAttributeFilename(file_name='report.pdf')], thumbs=[], video_thumbs=[]), "
        "alt_documents=[], video_cover=None, video_timestamp=None, ttl_seconds=None)"
    )
    assert says("get_media_info", chat_id=BO, message_id=6) == "No media found in the specified message."


@pytest.mark.fact("objects")
def test_who_has_written_since_was_here_then(telegram: LocalApp, says: Says) -> None:
    """A world that goes on brings messages of people whose own rows stay as they were at its start."""
    assert (
        says("get_user_status", user_id=FAY)
        == "UserStatusOffline(was_online=datetime.datetime(2026, 3, 8, 23, 0, tzinfo=datetime.timezone.utc))"
    )

    for number, sent_s in ((901, NOW_S - 60), (902, NOW_S - 120)):
        telegram.episode.db.insert(
            "messages", chat_id=LUNCH, message_id=number, sender_id=FAY, sent_s=sent_s, text="back"
        )

    assert "was_online=datetime.datetime(2026, 3, 9, 0, 59, tzinfo" in says("get_user_status", user_id=FAY)
    assert "was_online=datetime.datetime(2026, 3, 9, 0, 59, tzinfo" in says("resolve_username", username="fay_f")


@pytest.mark.fact("objects")
def test_privacy_photos_and_bots_are_told(says: Says) -> None:
    rules = f"[PrivacyValueAllowUsers(users=[{BO}]), PrivacyValueDisallowUsers(users=[{FAY}])]"

    assert says("get_privacy_settings").startswith(f"PrivacyRules(rules={rules}, chats=[], users=[User(id={BO}, ")
    assert says("set_privacy_settings", key="status") == "Privacy settings for status updated successfully."
    assert says("get_privacy_settings") == "PrivacyRules(rules=[PrivacyValueAllowAll()], chats=[], users=[])"
    assert json.loads(says("get_user_photos", user_id=BO)) == [NEW_PHOTO, OLD_PHOTO]
    assert json.loads(says("get_sticker_sets")) == ["Bread", "猫"]
    info = json.loads(says("get_bot_info", bot_username="van_bot"))
    assert info["full_user"]["bot_info"]["commands"] == [
        {"_": "BotCommand", "command": "track", "description": "Track"}
    ]
    assert says("set_bot_commands", bot_username="van_bot", commands=[]).startswith("Error: This function can only be ")


@pytest.mark.fact("files")
def test_a_file_is_looked_for_before_the_chat(says: Says, fails: Fails) -> None:
    assert says("send_file", chat_id=5, file_path="/none") == "File not found: /none"
    assert says("send_sticker", chat_id=5, file_path="/none") == "Sticker file not found: /none"
    wrong = "Voice file must be .ogg or .opus format."
    assert says("send_voice", chat_id=BO, file_path=f"{FOLDER}/cake.png") == wrong
    assert says("send_sticker", chat_id=BO, file_path=f"{FOLDER}/cake.png") == "Sticker file must be a .webp file."
    fails("send_file", chat_id=5, file_path=f"{FOLDER}/cake.png")
    fails("send_file", chat_id=CITY, file_path=f"{FOLDER}/cake.png")
    fails("send_file", chat_id=BO, file_path=f"{FOLDER}/empty.bin")


@pytest.mark.fact("files")
def test_what_is_sent_is_stored_as_what_it_is(telegram: LocalApp, says: Says) -> None:
    says("send_file", chat_id=BO, file_path=f"{FOLDER}/cake.png", caption="**Cake**")
    says("send_file", chat_id=BO, file_path=f"{FOLDER}/list.txt")
    says("send_voice", chat_id=BO, file_path=f"{FOLDER}/note.ogg")
    says("send_sticker", chat_id=BO, file_path=f"{FOLDER}/smile.webp")

    kinds = {row["new"]["media_id"]: row["new"]["kind"] for row in telegram.changes()["media"]}
    sent = [(kinds[row["new"]["media_id"]], row["new"]["text"]) for row in telegram.changes()["messages"]]
    assert sent == [("photo", "Cake"), ("document", ""), ("voice", ""), ("sticker", "")]


@pytest.mark.fact("files")
def test_a_path_without_an_ending_is_not_found_again(telegram: LocalApp, says: Says) -> None:
    def saved(path: str) -> str:
        return says("download_media", chat_id=BO, message_id=8, file_path=path)

    assert saved(f"{FOLDER}/new.pdf") == f"Media downloaded to {FOLDER}/new.pdf."
    assert saved(f"{FOLDER}/new") == f"Download failed: file not created at {FOLDER}/new"
    assert saved(f"{FOLDER}/locked/new.pdf") == f"Directory not writable: {FOLDER}/locked"
    assert [row["new"]["path"] for row in telegram.changes()["files"]] == [f"{FOLDER}/new.pdf"]


@pytest.mark.fact("buttons")
def test_a_button_is_pressed_by_text_or_place(telegram: LocalApp, says: Says, fails: Fails) -> None:
    assert says("press_inline_button", chat_id=BOT, button_text=" TRACK ") == "On its way"
    assert says("press_inline_button", chat_id=BOT, button_index=2) == "Telegram displayed an alert to the user."
    assert says("press_inline_button", chat_id=BOT, button_text="Quiet") == "Button pressed successfully."
    assert {row["new"]["data"] for row in telegram.changes()["presses"]} == {"track", "warn", "quiet"}
    fails("press_inline_button", chat_id=BOT, button_text="Slow")


@pytest.mark.fact("buttons")
def test_a_button_that_cannot_be_pressed_says_why(says: Says) -> None:
    url = "Selected button opens a URL instead of sending a callback: https://van.example"

    assert says("press_inline_button", chat_id=BOT) == "Provide button_text or button_index to choose a button."
    assert says("press_inline_button", chat_id=BOT, button_index=1) == url
    out = "button_index out of range. Valid indices: 0-5."
    assert says("press_inline_button", chat_id=BOT, button_index=6) == out
    assert says("press_inline_button", chat_id=BOT, button_text="Fly").startswith(
        "Button not found. Available buttons: "
    )
    no_callback = "Selected button does not provide callback data to press."
    assert says("press_inline_button", chat_id=BOT, button_text="Pay") == no_callback
    assert says("list_inline_buttons", chat_id=BOT, message_id="x") == "message_id must be an integer."
    assert says("list_inline_buttons", chat_id=LUNCH) == "No message with inline buttons found."
