"""The calls made to the real telegram-mcp and to ours: every tool, in what it can do and in what fails."""

from __future__ import annotations

from typing import Any

from tests.apps.telegram.rows import (
    BO,
    BOARD,
    BOT,
    CITY,
    CLOSED,
    CREW,
    CY,
    DEE,
    ELI,
    FAY,
    FORUM,
    GIL,
    HAL,
    LEI,
    LUNCH,
    ME,
    NEWS,
    QUITTED,
    USERS,
    WEATHER,
)
from tests.upstream.real import call

_EVERYBODY = (ME, BO, CY, DEE, ELI, FAY, LEI, BOT, LUNCH, CREW, USERS, BOARD, NEWS, CITY, WEATHER, FORUM)
_NOBODY = (GIL, CLOSED, 1, 0, -5, -1000000000005, 2**40, 2**63, -(2**63) - 1, "nobody_here", "two words", "abc", "")
_FORMS: tuple[Any, ...] = (
    str(BO),
    f" {BO} ",
    f"+{BO}",
    -LUNCH,
    -1000000000000 - USERS,
    -BO,
    "bo_brook",
    "@Plum_Users",
    True,
    1.5,
    None,
    [],
)
_PATHS = ("cake.png", "list.txt", "note.ogg", "smile.webp", "empty.bin", "none.png")


def calls(folder: str) -> list[tuple[str, Any]]:
    """Return the calls; files lie in ``folder``."""
    return [
        # -- lists --
        *(call("get_chats", **given) for given in ({}, {"page": 2, "page_size": 3}, {"page": 9}, {"page": 0},
                          {"page": -1},
                                                   {"page_size": 0}, {"page": "2", "page_size": "4"}, {"page": "x"})),
        *(call("list_chats", **given) for given in ({}, {"chat_type": "user"}, {"chat_type": "GROUP"}, {"limit": 3},
                                                    {"chat_type": "channel"}, {"chat_type": "bot"}, {"limit": 0},
                                                    {"limit": -4}, {"chat_type": None}, {"limit": 2**40})),
        *(call("get_chat", chat_id=each) for each in (*_EVERYBODY, *_NOBODY, *_FORMS)),
        call("get_me"),
        call("get_me", extra=1),
        ("get_me", None),
        # -- messages --
        *(call("get_messages", chat_id=each) for each in (*_EVERYBODY, *_NOBODY[:4], QUITTED, "long_ago", HAL)),
        *(call("get_messages", chat_id=BO, **given)
          for given in ({"page": 2, "page_size": 3}, {"page": 0}, {"page": 0, "page_size": 2}, {"page": 5},
                        {"page_size": 0}, {"page_size": -1}, {"page_size": 200}, {"page": 2**31, "page_size": 9})),
        *(call("get_history", chat_id=each) for each in (BO, LUNCH, BOARD, DEE, GIL)),
        *(call("get_history", chat_id=BO, limit=each) for each in (2, 0, -1, 500, "3", "many")),
        *(call("search_messages", chat_id=BO, query=each) for each in ("shop", "SHOP", "sh op", "shop friday", "周五",
                          "hop",
                                                                       "nothing", "")),
        call("search_messages", chat_id=USERS, query="shop", limit=1),
        call("search_messages", chat_id=USERS, query="shop", limit=0),
        call("search_messages", chat_id=CLOSED, query="shop"),
        call("list_messages", chat_id=BO),
        *(call("list_messages", chat_id=BO, **given)
          for given in ({"limit": 2}, {"limit": 0}, {"search_query": "shop"}, {"search_query": "shop", "limit": 0},
                        {"search_query": "shop", "from_date": "2026-03-05"}, {"from_date": "2026-03-05"},
                        {"search_query": "shop", "to_date": "2026-03-04"}, {"to_date": "2026-03-05"},
                        {"from_date": "2026-03-05", "to_date": "2026-03-07", "limit": 2}, {"from_date": "2027-01-01"},
                        {"from_date": "2026-3-5", "limit": 0}, {"from_date": "5 March"}, {"to_date": "2026-13-01"},
                        {"from_date": "x", "to_date": "y"}, {"from_date": "", "to_date": ""},
                        {"to_date": "9999-12-31"}, {"search_query": "none"})),
        call("list_messages", chat_id=LUNCH),
        call("list_messages", chat_id=GIL),
        *(call("get_message_context", chat_id=BO, message_id=each) for each in (6, 1, 9, 7, 10, 99, 0, -3, 2**40)),
        call("get_message_context", chat_id=BO, message_id=6, context_size=1),
        call("get_message_context", chat_id=BO, message_id=6, context_size=0),
        call("get_message_context", chat_id=USERS, message_id=3),
        call("get_message_context", chat_id=LUNCH, message_id=11, context_size=-1),
        *(call("get_pinned_messages", chat_id=each) for each in (BO, LUNCH, USERS, NEWS, GIL)),
        *(call("get_last_interaction", contact_id=each) for each in (BO, "bo_brook", CY, LUNCH, GIL, ME, BOT)),
        *(call("send_message", chat_id=each, message="**Hi** `there`")
          for each in (BO, DEE, FAY, LUNCH, CREW, USERS, BOARD, NEWS, CITY, WEATHER, GIL, ME)),
        *(call("send_message", chat_id=BO, message=each)
          for each in ("", "   ", "****", "a" * 4096, "a" * 4097, "😀" * 2049, "[x](http://y)", "[]()", "__x")),
        call("send_message", chat_id=BO),
        call("send_message", chat_id=[BO], message=5),
        *(call("reply_to_message", chat_id=chat, message_id=number, text="Yes")
          for chat, number in ((BO, 3), (BO, 7), (BO, 10), (BO, 2**40), (USERS, 2), (CITY, 1), (DEE, 1))),
        *(call("edit_message", chat_id=chat, message_id=number, new_text=text)
          for chat, number, text in ((BO, 6, "Nicer"), (BO, 6, "Nice"), (BO, 6, "**Nice**"), (BO, 2, "Too late"),
                                     (BO, 3, "Not mine"), (BO, 6, ""), (BO, 99, "x"), (NEWS, 2, "Bring everybody"),
                                     (USERS, 3, "Which of them?"), (SAVED_CHAT, 15, "Kept"), (CITY, 1, "x"))),
        *(call("delete_message", chat_id=chat, message_id=number)
          for chat, number in ((BO, 3), (BO, 99), (LUNCH, 10), (LUNCH, 3), (USERS, 2), (BOARD, 1), (BOARD, 2), (CITY,
                          1),
                               (NEWS, 1), (GIL, 1), (BO, 2**31))),
        *(call("forward_message", from_chat_id=source, message_id=number, to_chat_id=target)
          for source, number, target in ((BO, 3, LUNCH), (BO, 99, LUNCH), (BOARD, 1, BO), (USERS, 2, ME), (BO, 3, CITY),
                                         (LUNCH, 4, BO), (GIL, 1, BO), (BO, 1, "no one"))),
        *(call(tool, chat_id=chat, message_id=number)
          for tool in ("pin_message", "unpin_message")
          for chat, number in ((BO, 3), (BO, 9), (BO, 99), (BO, 0), (LUNCH, 11), (LUNCH, 4), (BOARD, 1), (USERS, 2),
                               (CITY, 1), (NEWS, -1), (GIL, 1))),
        *(call("mark_as_read", chat_id=each) for each in (BO, LUNCH, USERS, NEWS, DEE, CLOSED, "x y")),
        # -- reactions, drafts --
        *(call("send_reaction", chat_id=chat, message_id=number, emoji=emoji)
          for chat, number, emoji in ((BO, 1, "👍"), (BO, 3, "❤️"), (BO, 3, "🔥"), (BO, 1, "😂"), (BO, 1, ""),
                                      (BO, 99, "👍"),
                                      (BOARD, 1, "👍"), (BOARD, 1, "🔥"), (LUNCH, 4, "👍"), (CITY, 1, "🎉"),
                                      (WEATHER, 1, "👍"))),
        *(call("remove_reaction", chat_id=chat, message_id=number) for chat, number in ((BO, 3), (BO, 1), (LUNCH, 10))),
        *(call("get_message_reactions", chat_id=chat, message_id=number)
          for chat, number in ((BO, 2), (LUNCH, 10), (BO, 1), (NEWS, 1), (BO, 99), ("bo_brook", 3))),
        call("get_message_reactions", chat_id=LUNCH, message_id=10, limit=1),
        call("get_drafts"),
        *(call("save_draft", chat_id=chat, message="Later **on**") for chat in (BO, USERS, CITY, WEATHER, CLOSED,
                          GIL, "@x")),
        call("save_draft", chat_id=BO, message="", reply_to_msg_id=3),
        call("save_draft", chat_id=BO, message="x", reply_to_msg_id="y"),
        call("save_draft", chat_id=BO, message="x", reply_to_msg_id=0, no_webpage=True),
        *(call("clear_draft", chat_id=chat) for chat in (BO, LUNCH, GIL)),
        # -- media --
        *(call("get_media_info", chat_id=chat, message_id=number)
          for chat, number in ((BO, 5), (BO, 8), (BO, 6), (LUNCH, 11), (ME, 16), (USERS, 2), (NEWS, 1), (BO, 99),
                          (BO, 0), (GIL, 1))),
        *(call("send_file", chat_id=BO, file_path=f"{folder}/{name}") for name in _PATHS),
        call("send_file", chat_id=NEWS, file_path=f"{folder}/list.txt", caption="The **list**"),
        call("send_file", chat_id=NEWS, file_path=f"{folder}/list.txt", caption="x" * 1025),
        call("send_file", chat_id=CITY, file_path=f"{folder}/list.txt"),
        call("send_file", chat_id=GIL, file_path=f"{folder}/list.txt"),
        call("send_file", chat_id="a b", file_path="/none"),
        *(call("send_voice", chat_id=BO, file_path=f"{folder}/{name}") for name in _PATHS),
        *(call("send_sticker", chat_id=BO, file_path=f"{folder}/{name}") for name in _PATHS),
        call("send_sticker", chat_id=CITY, file_path=f"{folder}/smile.webp"),
        *(call("download_media", chat_id=chat, message_id=number, file_path=f"{folder}/{name}")
          for chat, number, name in ((BO, 5, "new.jpg"), (BO, 8, "new.pdf"), (BO, 8, "new"), (BO, 6, "new.jpg"),
                                     (USERS, 2, "poll.txt"), (BO, 5, "nowhere/new.jpg"), (GIL, 5, "new.jpg"))),
        *(call("get_gif_search", query=each) for each in ("cat", "")),
        *(call("send_gif", chat_id=chat, gif_id=each) for chat, each in ((BO, 5), (BO, "5"), (BO, "cat"), (GIL, 5))),
        call("get_sticker_sets"),
        # -- contacts --
        call("list_contacts"),
        call("get_contact_ids"),
        call("export_contacts"),
        call("get_blocked_users"),
        *(call(tool, query=each)
          for tool in ("search_contacts", "search_public_chats")
          for each in ("bo", "@bo_b", "李", "Cyril", "d", "plum", "nobody", "", 7)),
        *(call("get_direct_chat_by_contact", contact_query=each) for each in ("bo", "None", "447", "李", "gil", "")),
        *(call("get_contact_chats", contact_id=each) for each in (BO, "bo_brook", CY, USERS, GIL)),
        *(call("add_contact", **given)
          for given in ({"phone": "+44 7000 000008", "first_name": "Hal"}, {"phone": "447000000002",
                          "first_name": "Bob"},
                        {"phone": "447000000008", "first_name": " ", "last_name": ""}, {"phone": "+1"},
                        {"phone": "+49123", "first_name": "No", "last_name": "One"})),
        *(call("import_contacts", contacts=each) for each in ([], [{"phone": "1", "first_name": "x"}], ["x"], "x",
                          "[]")),
        *(call(tool, user_id=each)
          for tool in ("delete_contact", "block_user", "unblock_user")
          for each in (BO, "dee_dale", FAY, USERS, LUNCH, ME, GIL, "a")),
        # -- members --
        *(call(tool, chat_id=each)
          for tool in ("get_participants", "get_admins", "get_banned_users")
          for each in (LUNCH, CREW, USERS, BOARD, NEWS, CITY, BO, CLOSED, "plum_users", GIL)),
        *(call("invite_to_group", group_id=group, user_ids=users)
          for group, users in ((USERS, [LEI]), (USERS, ["dee_dale"]), (USERS, [FAY]), (USERS, [GIL]), (USERS,
                          ["who_is"]),
                               (USERS, [LUNCH]), (USERS, [-LEI]), (USERS, []), (LUNCH, [DEE]), (BOARD, [CY]), (CITY,
                          [BO]),
                               (USERS, [-1000000000005]), (USERS, [-5]), (GIL, [BO]), (USERS, ["?"]), (USERS, "bo"))),
        *(call("promote_admin", group_id=group, user_id=who, **given)
          for group, who, given in ((NEWS, ELI, {}), (NEWS, ELI, {"rights": {"pin_messages": False}}), (USERS, ELI, {}),
                                    (USERS, BO, {}), (USERS, CY, {}), (BOARD, ELI, {}), (LUNCH, BO, {}), (NEWS, DEE,
                          {}),
                                    (NEWS, ELI, {"rights": {}}), (NEWS, ELI, {"rights": "x"}), (GIL, BO, {}),
                                    (NEWS, ELI, {"rights": dict.fromkeys(("post_messages", "other"), 0)}))),
        *(call("demote_admin", group_id=group, user_id=who)
          for group, who in ((NEWS, BO), (NEWS, ELI), (USERS, CY), (USERS, BO), (BOARD, ELI), (LUNCH, BO), (NEWS,
                          GIL))),
        *(call(tool, chat_id=chat, user_id=who)
          for tool in ("ban_user", "unban_user")
          for chat, who in ((USERS, ELI), (USERS, DEE), (USERS, CY), (USERS, BO), (NEWS, BO), (USERS, ME), (BOARD, ELI),
                            (LUNCH, BO), (USERS, "dee_dale"), (USERS, LUNCH), (GIL, BO))),
        *(call("get_recent_actions", chat_id=each) for each in (USERS, NEWS, BOARD, LUNCH, BO, GIL)),
        # -- chats --
        *(call("create_group", title=title, user_ids=users)
          for title, users in (("Picnic", [BO]), ("Picnic", ["dee_dale", CY]), ("Picnic", []), ("Picnic", [GIL]),
                          ("", [BO]),
                               ("Picnic", [ME]), ("Picnic", [USERS]), ("Picnic", ["a b"]), (" Picnic ", [BO]))),
        *(call("create_channel", **given)
          for given in ({"title": ""}, {"title": "T", "about": "x" * 256}, {"title": "T", "megagroup": "perhaps"})),
        *(call("subscribe_public_channel", channel=each)
          for each in (WEATHER, "weather_now", "city_alerts", USERS, "long_ago", CLOSED, LUNCH, BO, "nobody_here",
                          "x")),
        *(call("leave_chat", chat_id=each) for each in (LUNCH, CREW, USERS, CITY, NEWS, WEATHER, BO, GIL)),
        *(call("edit_chat_title", chat_id=chat, title=title)
          for chat, title in ((LUNCH, "Supper"), (LUNCH, "Lunch"), (-LUNCH, "Supper"), (USERS, "Plums"), (USERS, " "),
                              (BOARD, "x"), (CITY, "x"), (BO, "x"), (GIL, "x"), ("plum_news", "News"))),
        *(call("edit_chat_photo", chat_id=chat, file_path=f"{folder}/{name}")
          for chat, name in ((LUNCH, "cake.png"), (USERS, "cake.png"), (USERS, "list.txt"), (USERS, "none.png"),
                             (BOARD, "cake.png"), (BO, "cake.png"), (GIL, "cake.png"))),
        *(call("delete_chat_photo", chat_id=each) for each in (USERS, LUNCH, BOARD, BO, GIL)),
        *(call(tool, chat_id=each)
          for tool in ("mute_chat", "unmute_chat", "archive_chat", "unarchive_chat")
          for each in (BO, LUNCH, USERS, "plum_news", DEE, WEATHER, GIL)),
        *(call("get_invite_link", chat_id=each) for each in (BOARD, BO, CITY, CREW, GIL)),
        *(call("export_chat_invite", chat_id=each) for each in (BOARD, BO, GIL)),
        *(call("join_chat_by_link", link=each)
          for each in ("https://t.me/+AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB", "t.me/joinchat/CCCCCCCCCCCCCCCC",
                       "https://t.me/+DDDDDDDDDDDDDDDD", "+AAAAAAAAAAAAAAAA", "EEEEEEEEEEEEEEEE", "ZZZZZZZZZZZZZZZZ",
                          "x", "",
                       "https://t.me/")),
        *(call("import_chat_invite", hash=each)
          for each in ("AAAAAAAAAAAAAAAA", "+BBBBBBBBBBBBBBBB", "CCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDD", "x y", "")),
        *(call("list_topics", chat_id=each) for each in (FORUM, USERS, LUNCH, BO, GIL, "x")),
        # -- polls, buttons, bots --
        *(call("create_poll", chat_id=chat, question="Where?", options=["Pier", "Park"])
          for chat in (LUNCH, USERS, NEWS, BO, ME, CITY, GIL, "x")),
        *(call("create_poll", chat_id=LUNCH, question=question, options=options, **given)
          for question, options, given in (("?", ["a"], {}), ("?", list("abcdefghijk"), {}), ("", ["a", "b"], {}),
                                           ("?", ["a", ""], {}), ("?", ["a", 5], {}), ("?", [], {}), ("?", "[1,2]", {}),
                                           ("?", ["a", "b"], {"quiz_mode": True}), ("q" * 256, ["a", "b"], {}),
                                           ("?", ["a", "b"], {"close_date": "soon"}),
                                           ("?", ["a", "b"], {"close_date": "2026-03-09 01:05:00"}),
                                           ("?", ["a", "b"], {"close_date": "2026-03-10T00:00:00Z"}))),
        call("create_poll", chat_id=NEWS, question="?", options=["a", "b"], public_votes=False),
        *(call("list_inline_buttons", chat_id=chat, **given)
          for chat, given in ((BOT, {}), (BOT, {"message_id": 13}), (BOT, {"message_id": "14"}), (BOT,
                          {"message_id": "x"}),
                              (BOT, {"limit": 1}), (BOT, {"message_id": 99}), (BO, {}), (GIL, {}))),
        *(call("press_inline_button", chat_id=BOT, **given)
          for given in ({}, {"button_text": " track "}, {"button_index": 2}, {"button_index": 1}, {"button_index": 3},
                        {"button_index": 4}, {"button_index": 5}, {"button_index": 6}, {"button_index": -1},
                        {"button_text": "Fly"}, {"button_text": "Fly", "button_index": 0}, {"button_text": ""},
                        {"button_text": "Track", "message_id": "13"}, {"button_text": "Track", "message_id": "x"},
                        {"button_text": "Track", "message_id": 14}, {"button_text": "Track", "message_id": 98})),
        call("press_inline_button", chat_id=BO, button_index=0),
        *(call("get_bot_info", bot_username=each)
          for each in ("van_bot", "@bo_brook", "t.me/van_bot", "plum_users", "nobody_here", "me", "447000000003", "")),
        call("set_bot_commands", bot_username="van_bot", commands=[{"command": "a", "description": "b"}]),
        call("set_bot_commands", bot_username="van_bot", commands=7),
        # -- profiles --
        *(call("update_profile", **given)
          for given in ({}, {"first_name": "Ada B."}, {"first_name": ""}, {"about": "x" * 71}, {"last_name": ""},
                        {"first_name": 5})),
        *(call("set_profile_photo", file_path=f"{folder}/{name}") for name in ("cake.png", "list.txt", "none.png")),
        call("delete_profile_photo"),
        *(call("get_user_photos", user_id=each) for each in (BO, CY, "bo_brook", USERS, GIL)),
        call("get_user_photos", user_id=BO, limit=1),
        *(call("get_user_status", user_id=each) for each in (*_EVERYBODY[:9], USERS, GIL)),
        *(call("resolve_username", username=each)
          for each in ("bo_brook", "@Plum_Users", "weather_now", "van_bot", "nobody_here", "", "t.me/bo_brook")),
        call("get_privacy_settings"),
        *(call("set_privacy_settings", **given)
          for given in ({"key": "status"}, {"key": "phone", "allow_users": [BO], "disallow_users": ["fay_f"]},
                        {"key": "birthday"}, {"key": "status", "allow_users": [GIL]}, {"key": "status",
                          "allow_users": []},
                        {"key": "status", "allow_users": [USERS]}, {"key": "status", "allow_users": ["?"]}, {})),
        call("send_sms"),
    ]  # fmt: skip


# The chat with oneself.
SAVED_CHAT = ME
