"""The calls made to the real mcp-discord and to ours: what they change in a session, both see afterwards."""

from __future__ import annotations

from typing import Any

from tests.apps.discord.conftest import (
    ADA,
    ASLEEP,
    BEA,
    BOSSES,
    BOT,
    BOTS_OWN,
    CLUB,
    CYR,
    FOREIGN,
    FORUM,
    GROUP,
    HELLO,
    HIDDEN,
    HIKERS,
    IN_ASLEEP,
    IN_PAST,
    IN_THREAD,
    LAMP,
    LOCKED,
    LOST,
    MODERATORS,
    NOTE,
    OTHERS,
    OWL,
    PAST,
    RULES,
    SILENT,
    STRANGER,
    TALK,
    THREAD,
    VOICE,
)
from tests.upstream.real import call

_ODD: tuple[Any, ...] = (
    *(None, True, 5, 1.9, -3, 1e20, "", " ", "x", "1_0", "٣", "0x10", "1e3", "1.0", "-5", "9" * 25, "9" * 4400),
    *([], ["1"], {}, {"a": 1}),
)
_NO_LIMIT: tuple[Any, ...] = (None, "x", [])
_CHANNELS = (TALK, RULES, HIDDEN, SILENT, PAST, VOICE, GROUP, FORUM, THREAD, LOCKED, ASLEEP, FOREIGN, "5")
_EMOJI = (
    *("👍", "🎉", "❤", "❤️", "👍🏽", "👩‍💻", "🇨🇳", "1️⃣", "<🔥>", f"lamp:{LAMP}", f"<:lamp:{LAMP}>", f"<a:lamp:{LAMP}>"),
    *(
        f"lost:{LOST}",
        f"owl:{OWL}",
        LAMP,
        "thumbsup",
        ":thumbsup:",
        "👍👍",
        " 👍",
        "",
        "<>",
        "a",
        "a/b",
        "%F0%9F",
        "?x=1",
        "#",
    ),
)
_FACES = list("😀😃😄😁😆😅😂🙂🙃😉😊😇😍😘😗😚😙😋😛😜😝")
_TEXTS = (
    *("See you at six", "  around \n", "x" * 2000, "x" * 2001, "", " \n\t", None, 5, 1.5, True, False, ["a", 1]),
    *({"a": None}, "几点见？🙂", "line\nline", "<@1> *bold*", "\ud83d\ude00"),
)
_NAMES = (
    "plain",
    "Day Trips",
    "UPPER case  name",
    "x" * 100,
    "x" * 101,
    "",
    "路线",
    "emoji-🔥-x",
    "under_score",
    "a--b",
)


def _on(channel_id: str, message_id: object) -> dict[str, object]:
    return {"channel_id": channel_id, "message_id": message_id}


_READ = [
    *(call("get_server_info", server_id=each) for each in (CLUB, int(CLUB), f" {CLUB}\n", OTHERS, "5")),
    *(call("list_members", server_id=CLUB, limit=each) for each in (1, 2, 3, 100, 1000, 5000, 0, -1, "2", 2.7, True)),
    *(call("list_members", server_id=CLUB, limit=each) for each in _NO_LIMIT),
    *(call("list_members", server_id=each) for each in (CLUB, OTHERS)),
    *(call("get_user_info", user_id=each) for each in (ADA, BEA, CYR, BOT, STRANGER, int(ADA), "5")),
    *(call("read_messages", channel_id=each) for each in _CHANNELS),
    *(
        call("read_messages", channel_id=TALK, limit=each)
        for each in (1, 2, 100, 101, 0, -1, "2", 1.9, True, None, "x")
    ),
    *(call("read_messages", channel_id=each, limit="x") for each in (GROUP, "5")),
    call("read_messages", channel_id=TALK, fetch_reaction_users=True),
]
_WRITTEN = [
    *(
        call("add_role", server_id=CLUB, user_id=CYR, role_id=each)
        for each in (HIKERS, HIKERS, MODERATORS, int(HIKERS))
    ),
    call("list_members", server_id=CLUB),
    *(call("remove_role", server_id=CLUB, user_id=each, role_id=HIKERS) for each in (CYR, CYR, BEA, STRANGER, "5")),
    call("list_members", server_id=CLUB),
    *(call("add_role", server_id=CLUB, user_id=CYR, role_id=each) for each in (BOSSES, BOTS_OWN, CLUB, "5", -5, "x")),
    *(call("send_message", channel_id=TALK, content=each) for each in _TEXTS),
    *(call("send_message", channel_id=each, content="hello") for each in _CHANNELS),
    *(call("read_messages", channel_id=each, limit=30) for each in (TALK, VOICE, THREAD, ASLEEP)),
    *(call("add_reaction", **_on(TALK, HELLO), emoji=each) for each in _EMOJI),
    *(call("remove_reaction", **_on(TALK, HELLO), emoji=each) for each in (*_EMOJI[::3], "👍")),
    call("read_messages", channel_id=TALK, limit=30),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis=["🎉", "👍"]),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis="🔥🙂"),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis=[]),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis={"🚀": 1}),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis=["🌲", "party", "🌳"]),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis=["🌵", 5]),
    *(call("add_multiple_reactions", **_on(TALK, NOTE), emojis=each) for each in (None, 5, True, 1.5)),
    call("add_multiple_reactions", **_on(TALK, NOTE), emojis=_FACES),
    call("read_messages", channel_id=TALK, limit=30),
    *(call("add_reaction", **_on(*each), emoji="👍") for each in ((PAST, IN_PAST), (THREAD, IN_THREAD), (TALK, "5"))),
    call("add_reaction", **_on(TALK, IN_PAST), emoji="👍"),
    call("add_reaction", **_on(ASLEEP, IN_ASLEEP), emoji="👍"),
    call("moderate_message", **_on(TALK, HELLO), reason="spam"),
    call("moderate_message", **_on(TALK, HELLO), reason="spam", timeout_minutes=10),
    call("moderate_message", **_on(TALK, HELLO)),
    call("moderate_message", **_on(TALK, "5"), reason="spam"),
    *(call("create_text_channel", server_id=CLUB, name=each) for each in _NAMES),
    call("create_text_channel", server_id=CLUB, name="topical", topic="About it", category_id=GROUP),
    call("create_text_channel", server_id=CLUB, name="topical", topic=None, category_id="5"),
    call("create_text_channel", server_id=CLUB, name="topical", topic="y" * 1025),
    call("create_text_channel", server_id=CLUB, name="x", category_id=None),
    call("create_text_channel", server_id=CLUB, name="x", category_id="cat"),
    call("create_text_channel", server_id=CLUB, topic="no name"),
    call("create_text_channel", server_id=OTHERS, name="x"),
    call("delete_channel", channel_id=SILENT, reason="over"),
    call("delete_channel", channel_id=SILENT, reason="over"),
    *(call("delete_channel", channel_id=VOICE, reason=each) for each in (5, ["x"], True)),
    call("delete_channel", channel_id=VOICE, reason=None),
    *(call("delete_channel", channel_id=each) for each in (RULES, HIDDEN, THREAD, FOREIGN, GROUP, FORUM)),
    call("read_messages", channel_id=THREAD),
]
_ODDLY = [
    *(call("read_messages", channel_id=odd) for odd in _ODD),
    *(call("get_server_info", server_id=odd) for odd in _ODD),
    *(call("get_user_info", user_id=odd) for odd in _ODD),
    *(call("add_reaction", **_on(TALK, odd), emoji="👍") for odd in _ODD),
    *(call("add_reaction", **_on(TALK, HELLO), emoji=odd) for odd in _ODD[:5]),
    *(call("add_role", server_id=CLUB, user_id=odd, role_id=HIKERS) for odd in _ODD[:9]),
    *(call("remove_role", server_id=CLUB, user_id=CYR, role_id=odd) for odd in _ODD),
]
_MISSING = [
    *(call(tool) for tool in ("get_server_info", "list_members", "add_role", "remove_role", "create_text_channel")),
    *(call(tool) for tool in ("delete_channel", "add_reaction", "add_multiple_reactions", "remove_reaction")),
    *(call(tool) for tool in ("send_message", "read_messages", "get_user_info", "moderate_message")),
    call("add_role", server_id=CLUB),
    call("add_role", server_id=CLUB, user_id=CYR),
    call("send_message", channel_id=TALK),
    call("send_message", channel_id=GROUP),
    call("add_reaction", channel_id=TALK),
    call("add_reaction", **_on(TALK, HELLO)),
    call("add_multiple_reactions", **_on(TALK, HELLO)),
    call("remove_reaction", channel_id=GROUP),
    call("send_message", channel_id=TALK, text="hello"),
    ("read_messages", None),
    *(call(tool) for tool in ("edit_message", "get_channels", "", "Send_Message")),
]

CALLS = [*_READ, *_WRITTEN]
ODD_CALLS = [*_ODDLY, *_MISSING]
