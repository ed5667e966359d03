"""Two servers with a program in the first, and the channels of all kinds that it may see or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

VIEW, SEND, HISTORY, REACT, EXTERNAL = 1 << 10, 1 << 11, 1 << 16, 1 << 6, 1 << 18
CONNECT, THREADS, MANAGE_CHANNELS, MANAGE_ROLES = 1 << 20, 1 << 38, 1 << 4, 1 << 28
USUAL = VIEW | SEND | HISTORY | REACT | EXTERNAL | CONNECT | THREADS
# Made on 1 January 2025 and later.
CLUB, OTHERS = "1323796140236800000", "1323796140236800099"
ADA, BEA, CYR = "90000000000000001", "90000000000000002", "1200000000000000003"
# The id that Discord's documentation takes apart.
BOT = "175928847299117063"
STRANGER = "1300000000000000005"
TALK, RULES, HIDDEN, SILENT, PAST, VOICE, GROUP, FORUM, THREAD, LOCKED, ASLEEP, FOREIGN = (
    str(1323800000000000000 + number) for number in range(12)
)
HELLO, NOTE, BUILD, IN_PAST, IN_THREAD, IN_ASLEEP = (str(1400000000000000000 + number) for number in range(6))
MODERATORS, HIKERS, BOSSES, BOTS_OWN = (str(1323797000000000000 + number) for number in range(4))
LAMP, OWL, LOST = "1323799000000000001", "1323799000000000002", "1323799000000000003"
SENT_MS = 1_735_787_045_678


def rows(*, bot_may: int = USUAL | MANAGE_CHANNELS | MANAGE_ROLES) -> list[dict[str, Any]]:
    def user(user_id: str, name: str, **more: Any) -> dict[str, Any]:
        return {"table": "users", "user_id": user_id, "name": name, **more}

    def role(role_id: str, name: str, position: int, **more: Any) -> dict[str, Any]:
        return {"table": "roles", "role_id": role_id, "guild_id": CLUB, "name": name, "position": position, **more}

    def channel(channel_id: str, name: str, **more: Any) -> dict[str, Any]:
        return {"table": "channels", "channel_id": channel_id, "guild_id": CLUB, "name": name, **more}

    def message(message_id: str, channel_id: str, content: str, **more: Any) -> dict[str, Any]:
        sent_ms = SENT_MS + int(message_id) - int(HELLO)
        said = {"message_id": message_id, "channel_id": channel_id, "content": content, "sent_ms": sent_ms}
        return {"table": "messages", **said, **({} if "username" in more else {"author_id": ADA}), **more}

    def overwrite(channel_id: str, target_id: str, *, allow: int = 0, deny: int = 0) -> dict[str, Any]:
        said = {"channel_id": channel_id, "target_id": target_id, "allow": allow, "deny": deny}
        return {"table": "overwrites", **said}

    def reaction(emoji: str, user_id: str, seq: int, name: str | None = None) -> dict[str, Any]:
        said = {"message_id": HELLO, "emoji": emoji, "user_id": user_id, "name": name or emoji, "seq": seq}
        return {"table": "reactions", **said}

    def member(user_id: str, *role_ids: str) -> list[dict[str, Any]]:
        held = [{"table": "member_roles", "guild_id": CLUB, "user_id": user_id, "role_id": each} for each in role_ids]
        return [{"table": "members", "guild_id": CLUB, "user_id": user_id}, *held]

    return [
        user(ADA, "ada", person="ada"),
        user(BEA, "bea.b", person="bea"),
        user(CYR, "cyr"),
        user(BOT, "Helper", discriminator="4821", is_bot=1),
        user(STRANGER, "stranger"),
        {"table": "tokens", "holder_id": ADA, "bot_id": BOT},
        {
            "table": "guilds",
            "guild_id": CLUB,
            "name": "Hiking club",
            "owner_id": ADA,
            "description": "Up and down",
            "premium_tier": 1,
            "explicit_content_filter": "all_members",
            "rules_channel_id": RULES,
        },
        {"table": "guilds", "guild_id": OTHERS, "name": "Others", "owner_id": STRANGER},
        role(CLUB, "@everyone", 0, permissions=USUAL),
        role(MODERATORS, "Moderators", 2, permissions=MANAGE_CHANNELS),
        role(HIKERS, "Hikers", 1),
        role(BOSSES, "Bosses", 9),
        role(BOTS_OWN, "Helper", 5, permissions=bot_may, is_managed=1),
        *member(ADA, BOSSES, HIKERS),
        *member(BEA, HIKERS, MODERATORS),
        *member(CYR),
        *member(BOT, BOTS_OWN),
        {"table": "members", "guild_id": OTHERS, "user_id": STRANGER},
        {"table": "emojis", "emoji_id": LAMP, "guild_id": CLUB, "name": "lamp"},
        {"table": "emojis", "emoji_id": OWL, "guild_id": OTHERS, "name": "owl"},
        channel(GROUP, "Club", kind="category"),
        channel(TALK, "talk", parent_id=GROUP, topic="All and sundry", position=1),
        channel(RULES, "rules", position=2),
        channel(HIDDEN, "bosses", position=3),
        overwrite(HIDDEN, CLUB, deny=VIEW),
        overwrite(HIDDEN, BOSSES, allow=VIEW),
        channel(SILENT, "news", kind="announcement", position=4),
        overwrite(SILENT, BOTS_OWN, deny=SEND | REACT),
        channel(PAST, "drop-box", position=5),
        overwrite(PAST, BOT, deny=HISTORY),
        channel(VOICE, "Campfire", kind="voice", position=6),
        channel(FORUM, "routes", kind="forum", position=7),
        channel(THREAD, "Seven peaks", kind="thread", parent_id=FORUM),
        channel(LOCKED, "Old fight", kind="thread", parent_id=TALK, is_archived=1, is_locked=1),
        channel(ASLEEP, "Last year", kind="thread", parent_id=TALK, is_archived=1),
        {"table": "channels", "channel_id": FOREIGN, "guild_id": OTHERS, "name": "theirs"},
        {"table": "webhooks", "webhook_id": "1323799500000000001", "channel_id": TALK, "name": "Weather"},
        message(HELLO, TALK, "hello"),
        message(NOTE, TALK, "", author_id=BEA),
        message(BUILD, TALK, "Rain from noon", username="Weather"),
        message(IN_PAST, PAST, "for your eyes only"),
        message(IN_THREAD, THREAD, "06:10 at the station", author_id=BOT),
        message(IN_ASLEEP, ASLEEP, "over"),
        reaction("👍", BEA, 2),
        reaction("👍", CYR, 3),
        reaction(LAMP, BEA, 1, "lamp"),
        reaction(LOST, BEA, 4, "lost"),
    ]


@pytest.fixture
def discord(start: Callable[..., LocalApp]) -> LocalApp:
    return start("discord", rows=rows(), me="ada", now="2026-03-09T01:00:00+00:00")


Refusal = Callable[..., str]


@pytest.fixture
def refusal(discord: LocalApp) -> Refusal:
    """Make a call that must be refused and change nothing; return what it says."""

    def refuse(tool: str, **arguments: Any) -> str:
        with pytest.raises(VendorError) as refused:
            discord.call(tool, **arguments)
        assert discord.changes() == {}
        return refused.value.message

    return refuse
