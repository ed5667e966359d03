"""The calls made to the telegram-mcp of August 2026 and to ours: those of December 2025, and what is new since."""

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
    FAIR,
    FAY,
    FORUM,
    GIL,
    HAL,
    HOUSE,
    LEI,
    LUNCH,
    ME,
    NEWS,
    QUITTED,
    USERS,
    WEATHER,
)
from tests.upstream.real import call
from tests.upstream.telegram.calls import calls

_SOME = (BO, "bo_brook", ME, BOT, FAY, LUNCH, CREW, USERS, BOARD, NEWS, CITY, FORUM, GIL, CLOSED, 1, "x", "two words")
_WORDINGS = ("boss of bread", "Boss  of BREAD", "@boss of bread", "boss of breads", "бо пекарю", "our news", "old gil",
             "bread", "of", "me", "self", "+447000000003", "ab", "", " ")  # fmt: skip
_TIMES = ("2026-03-10T09:00:00", "2026-03-10T09:00:00Z", "2026-03-10T09:00:00+08:00", "2026-03-08", 1773100000,
          1773000000, "soon", "", "1773100000", "2028-01-01", 2**40, 2**70)  # fmt: skip


def calls_2026(folder: str) -> list[tuple[str, Any]]:
    """Return the calls; files lie in ``folder``."""
    return [
        # A file that was there would stay, and who runs the real server may write anywhere.
        *(
            each
            for each in calls(folder)
            if each != call("download_media", chat_id=BO, message_id=8, file_path=f"{folder}/new")
        ),
        # -- accounts and aliases --
        call("list_accounts"),
        *(call("get_me", account=each) for each in ("default", "DEFAULT", "work", "", None, 7)),
        *(call(tool, chat_id=BO, account="work") for tool in ("get_chat", "get_history", "mute_chat", "clear_draft")),
        call("get_chat", chat_id="two words", account="work"),
        call("send_file", chat_id=BO, file_path=["a"], account="work"),
        call("forward_messages", from_chat_id=BO, message_ids=[], to_chat_id=ME, account="work"),
        *(call("get_chat", chat_id=each) for each in _WORDINGS),
        *(call("send_message", chat_id=each, message="hi") for each in _WORDINGS),
        call("create_group", title="Picnic", user_ids=["boss of bread"]),
        call("create_group", title="Picnic", user_ids=["old gil"]),
        call("create_group", title="Picnic", user_ids=["boss of bred"]),
        call("invite_to_group", group_id=USERS, user_ids=["old gil"]),
        call("get_bot_info", bot_username="boss of bread"),
        call("get_bot_info", bot_username="old gil"),
        call("get_full_user", username="breads boss"),
        *(
            call("set_contact_alias", alias=alias, chat_id=who, **more)
            for alias, who, more in (
                ("van driver", "van_bot", {}),
                ("Van   Driver", "@van_bot", {}),
                ("", "bo_brook", {}),
                ("bobby", "bo_brook", {}),
                ("me", "bo_brook", {}),
                ("Ab", "bo_brook", {}),
                ("ёж", "bo_brook", {}),
                ("van driver", str(BO), {}),
                ("van driver", "447000000003", {}),
                ("van driver", "nobody_here", {}),
                ("van driver", "boss of bread", {}),
                ("van driver", "boss of breads", {}),
                ("van driver", "two words", {}),
                ("van driver", "old gil", {}),
                ("our news", "bo_brook", {}),
                ("our news", "bo_brook", {"replace": True}),
                ("our news", "plum_news", {}),
                ("the users", "plum_users", {}),
                ("van driver", "van_bot", {"account": "x"}),
            )
        ),
        call("list_contact_aliases"),
        call("list_contact_aliases", account="x"),
        *(call("delete_contact_alias", alias=each) for each in ("Our News", "boss", "")),
        *(call("search_contacts", query=each) for each in ("boss of bread", "boss of breads", "bo", "бо")),
        # -- chats --
        *(
            call("list_chats", **given)
            for given in (
                {"unread_only": True},
                {"unmuted_only": True},
                {"archived": True},
                {"archived": False},
                {"with_about": True, "limit": 5},
                {"archived": None},
                {"archived": False, "limit": 2},
            )
        ),
        *(
            call(tool, **{key: each})
            for tool, key in (
                ("get_full_chat", "chat_id"),
                ("get_full_user", "username"),
                ("get_common_chats", "user_id"),
            )
            for each in (*_SOME, "plum_users", LEI, ELI)
        ),
        *(
            call("get_common_chats", user_id=BO, **given)
            for given in ({"limit": 1}, {"limit": 0}, {"limit": 500}, {"max_id": LUNCH}, {"max_id": 5})
        ),
        *(call("search_public_chats", query="plum", limit=each) for each in (0, 1, -1, 2**40)),
        *(
            call("get_message_link", chat_id=chat, message_id=number, **more)
            for chat, number, more in (
                (USERS, 2, {}),
                (BOARD, 1, {}),
                (NEWS, 1, {}),
                (FORUM, 3, {}),
                (FORUM, 3, {"thread": True}),
                (USERS, 99, {}),
                (LUNCH, 10, {}),
                (BO, 1, {}),
                (WEATHER, 1, {}),
                (QUITTED, 1, {}),
                (GIL, 1, {}),
            )
        ),
        *(
            call("get_message_read_by", chat_id=chat, message_id=number)
            for chat, number in (
                (LUNCH, 20),
                (LUNCH, 10),
                (LUNCH, 4),
                (LUNCH, 99),
                (USERS, 3),
                (BO, 2),
                (NEWS, 1),
                (CREW, 12),
                (GIL, 1),
                (QUITTED, 1),
            )
        ),
        # -- topics --
        *(
            call("list_topics", chat_id=FORUM, **given)
            for given in (
                {"limit": 1},
                {"limit": 0},
                {"offset_topic": FAIR},
                {"search_query": "win"},
                {"search_query": "zoo"},
                {"search_query": ""},
            )
        ),
        *(call("enable_forum_topics", chat_id=each) for each in (USERS, "plum_users", BOARD, FORUM, LUNCH, BO, GIL)),
        *(
            call("create_forum_topic", chat_id=chat, title=title, **more)
            for chat, title, more in (
                (FORUM, "Flour", {}),
                (FORUM, " \u200bFlour\n", {}),
                (FORUM, "x" * 129, {}),
                (FORUM, "", {}),
                (FORUM, "Flour", {"icon_color": 7322096}),
                (FORUM, "Flour", {"icon_color": 5}),
                (FORUM, "Flour", {"icon_emoji_id": 5}),
                (USERS, "Flour", {}),
                (LUNCH, "Flour", {}),
                (BO, "Flour", {}),
                (GIL, "Flour", {}),
            )
        ),
        *(call("reply_to_message", chat_id=FORUM, message_id=number, text="hi") for number in (HOUSE, FAIR, 3, 1, 99)),
        *(call("send_file", chat_id=FORUM, file_path=f"{folder}/list.txt", topic_id=number) for number in (HOUSE, 99)),
        *(call(tool, chat_id=FORUM) for tool in ("get_messages", "get_history", "list_messages")),
        call("get_message_context", chat_id=FORUM, message_id=3),
        # -- messages --
        *(call("get_history", chat_id=each) for each in (ME, USERS, NEWS, BOT, CREW)),
        *(
            call("send_message", chat_id=BO, message=text, parse_mode=mode)
            for text, mode in (
                ("**a**", None),
                ("**a**", "md"),
                ("<b>a</b>", "html"),
                ("<b></b>", "html"),
                ("****", None),
                ("  ", None),
                ("a", "HTML"),
                ("a", "tex"),
                ("a", ""),
                ("# a", "rich"),
                ("a", "RICH_HTML"),
            )
        ),
        *(
            call("reply_to_message", chat_id=BO, message_id=1, text="a", parse_mode=each)
            for each in ("md", "rich", "x")
        ),
        *(
            call("edit_message", chat_id=ME, message_id=15, new_text=text, parse_mode=mode)
            for text, mode in (("a", "html"), ("a", "rich"), ("a", "x"), ("Keep **this**", ""), ("<i>b</i>", "html"))
        ),
        *(
            call("forward_message", from_chat_id=source, message_id=number, to_chat_id=target, **more)
            for source, number, target, more in (
                (BO, 18, ME, {}),
                (BO, 19, LUNCH, {}),
                (BO, 18, ME, {"expand_album": False}),
                (BO, [1, 2], ME, {}),
                (BO, [1], ME, {}),
                (BO, [], ME, {}),
                (BO, [18], ME, {}),
                (BOARD, 1, ME, {}),
                (BO, 99, ME, {}),
                (BO, [1, 99], ME, {}),
                (NEWS, 2, ME, {}),
                (BO, "1", ME, {}),
            )
        ),
        *(
            call("forward_messages", from_chat_id=source, message_ids=numbers, to_chat_id=target)
            for source, numbers, target in (
                (BO, [1, 2], ME),
                (BO, [], ME),
                (BO, [99], ME),
                (BO, [18, 19], LUNCH),
                (BOARD, [1], ME),
                (GIL, [1], ME),
                (BO, [1], CITY),
                (BO, 1, ME),
            )
        ),
        *(
            call("search_global", query=query, **more)
            for query, more in (
                ("shop", {}),
                ("SHOP friday", {}),
                ("周五", {}),
                ("nothing", {}),
                ("", {}),
                ("shop", {"page": 2}),
                ("shop", {"page_size": 1}),
                ("shop", {"page_size": 0}),
            )
        ),
        *(
            call("delete_messages_bulk", chat_id=chat, message_ids=numbers, **more)
            for chat, numbers, more in (
                (BO, [1, 2, 99], {}),
                (BO, [], {}),
                (BO, [1], {"revoke": False}),
                (USERS, [2, 3], {}),
                (BOARD, [1], {}),
                (NEWS, [1], {}),
                (CITY, [1], {}),
                (BO, "1", {}),
                (GIL, [1], {}),
            )
        ),
        *(
            call("delete_chat_history", chat_id=chat, **more)
            for chat, more in (
                (BO, {}),
                (BO, {"max_id": 5, "revoke": True}),
                (LUNCH, {}),
                (USERS, {}),
                (NEWS, {}),
                (GIL, {}),
                (CREW, {}),
                (DEE, {}),
            )
        ),
        *(call("unpin_all_messages", chat_id=each) for each in (BO, USERS, BOARD, CITY, NEWS, GIL, ME)),
        # -- scheduled --
        *(call("send_scheduled_message", chat_id=BO, message="Later", schedule_date=each) for each in _TIMES),
        *(
            call("send_scheduled_message", chat_id=chat, message=text, schedule_date=1773100000)
            for chat, text in ((CITY, "x"), (NEWS, "x"), (FAY, "x"), (GIL, "x"), (BO, ""), (BO, "x" * 4097))
        ),
        *(call("get_scheduled_messages", chat_id=each) for each in (BO, ME, NEWS, CITY, GIL)),
        *(
            call("delete_scheduled_message", chat_id=chat, message_ids=numbers)
            for chat, numbers in ((BO, [1]), (BO, [1, 99]), (BO, []), (CITY, [1]), (GIL, [1]))
        ),
        # -- members and settings --
        *(
            call("get_participants", chat_id=USERS, **given)
            for given in (
                {"page_size": 2},
                {"page": 2, "page_size": 2},
                {"page": 9},
                {"page": 0},
                {"page_size": 0},
                {"page_size": 1001},
                {"page": 2, "page_size": 3},
            )
        ),
        call("get_participants", chat_id=LUNCH, page=2, page_size=3),
        *(
            call("edit_chat_about", chat_id=chat, about=about)
            for chat, about in (
                (USERS, "New"),
                (USERS, "Everybody"),
                (USERS, "x" * 256),
                (LUNCH, "New"),
                (LUNCH, ""),
                (BOARD, "x"),
                (CITY, "x"),
                (BO, "x"),
                (GIL, "x"),
                (NEWS, "x"),
            )
        ),
        *(
            call("set_default_chat_permissions", chat_id=chat, **more)
            for chat, more in (
                (LUNCH, {}),
                (USERS, {}),
                (USERS, {"send_polls": False}),
                (BOARD, {}),
                (NEWS, {}),
                (BO, {}),
                (GIL, {}),
                (LUNCH, {"change_info": True, "pin_messages": True}),
                (LUNCH, {"until_date": 2**31}),
            )
        ),
        *(
            call("toggle_slow_mode", chat_id=chat, **more)
            for chat, more in (
                (USERS, {"seconds": 30}),
                (USERS, {}),
                (USERS, {"seconds": 7}),
                (BOARD, {"seconds": 30}),
                (LUNCH, {"seconds": 30}),
                (NEWS, {"seconds": 30}),
                (BO, {}),
                (GIL, {}),
                (FORUM, {"seconds": 10}),
            )
        ),
        *(
            call("edit_admin_rights", chat_id=chat, user_id=who, **more)
            for chat, who, more in (
                (NEWS, ELI, {"post_messages": True}),
                (NEWS, BO, {}),
                (USERS, ELI, {"pin_messages": True}),
                (USERS, ELI, {"post_messages": True}),
                (USERS, CY, {"pin_messages": True}),
                (USERS, BO, {}),
                (BOARD, ELI, {"pin_messages": True}),
                (NEWS, DEE, {"post_messages": True}),
                (NEWS, ELI, {"rank": "x" * 17, "post_messages": True}),
                (LUNCH, BO, {"ban_users": True}),
                (NEWS, DEE, {}),
                (GIL, BO, {}),
            )
        ),
        # -- files --
        *(
            call(tool, chat_id=BO, **{key: value})
            for tool, key in (("send_file", "file_path"), ("send_voice", "file_path"), ("send_sticker", "file_path"))
            for value in (
                "cake.png",
                " note.ogg ",
                "locked",
                folder,
                "../x",
                "~/x",
                "a*",
                "",
                "/etc/none",
                "./list.txt",
            )
        ),
        *(call("upload_file", file_path=each) for each in ("none.txt", "..", "", "locked")),
        *(
            call("send_album", chat_id=chat, file_paths=[f"{folder}/{name}" for name in names], **more)
            for chat, names, more in (
                (BO, ("cake.png", "cake.png"), {}),
                (BO, ("cake.png",), {}),
                (BO, (), {}),
                (BO, ("cake.png", "none.png"), {}),
                (CITY, ("cake.png", "cake.png"), {}),
                (BO, ("list.txt", "list.txt"), {"caption": "Two"}),
                (GIL, ("cake.png", "cake.png"), {}),
                (BO, ("cake.png", "empty.bin"), {}),
                (FORUM, ("cake.png",) * 3, {"topic_id": HOUSE}),
                (FORUM, ("cake.png",) * 3, {"topic_id": 99}),
                (BO, ("cake.png",) * 11, {}),
            )
        ),
        call("send_file", chat_id=BO, file_path=[f"{folder}/cake.png", f"{folder}/cake.png"], caption="Two"),
        call("send_album", chat_id=BO, file_paths="cake.png"),
        *(
            call("download_media", chat_id=BO, message_id=number, **more)
            for number, more in (
                (5, {}),
                (8, {"file_path": "in/new.txt"}),
                (8, {"file_path": "a.b.txt"}),
                (5, {"file_path": "/etc/new"}),
                (5, {"file_path": "../new"}),
                (6, {"file_path": "../new"}),
            )
        ),
        *(call("send_contact", chat_id=each, phone_number="+1", first_name="No") for each in (BO, CITY, FAY, GIL)),
        *(call(tool, chat_id=ME, message_id=22) for tool in ("get_media_info", "get_message_context")),
        call("add_contact", username="dee_dale", first_name="Dee"),
        *(
            call("add_contact", **given)
            for given in (
                {},
                {"username": "@hal_hart", "first_name": "Hal", "last_name": "H"},
                {"username": "nobody_here"},
                {"username": "plum_users", "first_name": "x"},
                {"username": "@"},
                {"username": "ada_ames", "first_name": "x"},
                {"username": "dee_dale"},
                {"phone": None, "username": None},
            )
        ),
        # -- folders --
        call("list_folders"),
        *(call("get_folder", folder_id=each) for each in (2, 3, 0, 9)),
        *(
            call("create_folder", title=title, **more)
            for title, more in (
                ("Work", {"groups": True}),
                ("Work", {"chat_ids": [BO, "plum_users"], "emoticon": "💼"}),
                ("Work", {}),
                ("", {"groups": True}),
                ("Work", {"chat_ids": [GIL]}),
                ("Work", {"chat_ids": []}),
                ("Work", {"chat_ids": ["nobody_here"]}),
                ("Work", {"chat_ids": ["boss of bread"]}),
                ("Work", {"chat_ids": ["two words"]}),
            )
        ),
        *(
            call("add_chat_to_folder", folder_id=number, chat_id=chat, **more)
            for number, chat, more in (
                (2, CY, {}),
                (2, BO, {}),
                (2, BO, {"pinned": True}),
                (2, NEWS, {"pinned": True}),
                (3, BOARD, {}),
                (9, BO, {}),
                (2, GIL, {}),
                (2, "two words", {}),
                (2, "nobody_here", {}),
            )
        ),
        *(
            call("remove_chat_from_folder", folder_id=number, chat_id=chat)
            for number, chat in ((2, BO), (2, CY), (3, LUNCH), (9, BO), (2, GIL))
        ),
        *(call("delete_folder", folder_id=each) for each in (2, 3, 1, 9)),
        *(call("reorder_folders", folder_ids=each) for each in ([3, 2], [2, 3], [2], [2, 3, 9], [])),
        # -- what comes in --
        call("wait_for_new_message", timeout=0, chat_id=DEE),
        call("wait_for_new_message", timeout=0, chat_id="dee_dale"),
        call("wait_for_new_message", timeout=0, chat_id="two words"),
        call("wait_for_new_message", timeout=0, chat_id="our news"),
        call("wait_for_settled_message", max_wait_ms=0, chat_id=DEE),
        call("wait_for_settled_message", max_wait_ms=0, chat_id="nobody_here"),
        call("incoming_feed_status"),
        call("disable_incoming_feed"),
        call("enable_incoming_feed"),
        call("get_chat", chat_id=HAL),
    ]
