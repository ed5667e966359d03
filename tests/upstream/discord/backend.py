"""A stand-in for Discord's API on the rows of our app, which it also changes, by rules written down anew here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from urllib.parse import unquote

from farm.content import kernel_module
from farm.testing import LocalApp
from tests.upstream.real import Asked, Reply

Row = dict[str, Any]
_KINDS = {"text": 0, "voice": 2, "category": 4, "announcement": 5, "thread": 11, "stage": 13, "forum": 15}
_ADMINISTRATOR, _MANAGE_CHANNELS, _ADD_REACTIONS, _VIEW, _SEND = 1 << 3, 1 << 4, 1 << 6, 1 << 10, 1 << 11
_HISTORY, _EXTERNAL, _CONNECT, _MANAGE_ROLES = 1 << 16, 1 << 18, 1 << 20, 1 << 28
_MANAGE_THREADS, _SEND_IN_THREADS = 1 << 34, 1 << 38
_FACES = kernel_module("discord", "emoji")


class Refused(Exception):
    """Discord says no."""

    def __init__(self, status: int, code: int, message: str, **fields: str) -> None:
        body: dict[str, Any] = {"message": message, "code": code}
        if fields:
            body["errors"] = {key: {"_errors": [{"code": "X", "message": text}]} for key, text in fields.items()}
        self.reply = Reply(json.dumps(body).encode(), status)


UNKNOWN = {"guild": 10004, "channel": 10003, "member": 10007, "message": 10008, "role": 10011, "user": 10013}


def _unknown(what: str) -> Refused:
    return Refused(404, UNKNOWN[what], f"Unknown {what.title()}")


def _denied() -> Refused:
    return Refused(403, 50013, "Missing Permissions")


def _closed() -> Refused:
    return Refused(403, 50001, "Missing Access")


def _locked() -> Refused:
    return Refused(403, 160005, "Thread is locked")


def _form(**fields: str) -> Refused:
    return Refused(400, 50035, "Invalid Form Body", **fields)


def backend(app: LocalApp, now: datetime) -> Callable[[Asked], Reply]:
    """Return what answers the API's requests; what is said is said now."""
    return _Service(app, now).answer


class _Service:
    """Discord with one program logged in."""

    def __init__(self, app: LocalApp, now: datetime) -> None:
        db = app.episode.db
        tables = [each.name for each in app.store.loaded.schema.tables]
        self.rows: dict[str, list[Row]] = {name: db.all(f"SELECT * FROM {name}") for name in tables}
        self.bot = self.rows["tokens"][0]["bot_id"]
        self.next_id = 1_490_000_000_000_000_000
        self.now_ms = int(now.timestamp()) * 1000
        each = r"([^/]*)"
        self.routes: list[tuple[str, re.Pattern[str], Callable[..., Any]]] = [
            (method, re.compile(path.replace("{}", each)), answer)
            for method, path, answer in (
                ("GET", "/users/@me", lambda _asked: self.user(self.bot)),
                ("GET", "/oauth2/applications/@me", self.application),
                ("GET", "/users/{}", lambda _asked, user_id: self.user(_id("user_id", user_id))),
                ("GET", "/guilds/{}", lambda _asked, guild_id: self.shown_guild(self.guild(guild_id))),
                ("GET", "/guilds/{}/members", self.members),
                ("GET", "/guilds/{}/members/{}", self.member),
                ("PUT", "/guilds/{}/members/{}/roles/{}", self.put_role),
                ("DELETE", "/guilds/{}/members/{}/roles/{}", self.delete_role),
                ("POST", "/guilds/{}/channels", self.post_channel),
                ("GET", "/channels/{}", lambda _asked, channel_id: self.shown_channel(self.channel(channel_id)[0])),
                ("DELETE", "/channels/{}", self.delete_channel),
                ("GET", "/channels/{}/messages", self.messages),
                ("POST", "/channels/{}/messages", self.post_message),
                ("GET", "/channels/{}/messages/{}", self.message),
                ("PUT", "/channels/{}/messages/{}/reactions/([^/]+)/@me", self.put_reaction),
                ("DELETE", "/channels/{}/messages/{}/reactions/([^/]+)/@me", self.delete_reaction),
            )
        ]

    def answer(self, asked: Asked) -> Reply:
        """Answer one request."""
        try:
            for method, path, answer in self.routes:
                if method == asked.method and (match := path.fullmatch(asked.path)):
                    body = answer(asked, *map(unquote, match.groups()))
                    return Reply(b"", 204, "text/html") if body is None else Reply(json.dumps(body).encode())
            raise Refused(404, 0, "404: Not Found")
        except Refused as refused:
            return refused.reply

    def all(self, table: str, **where: Any) -> list[Row]:
        return [row for row in self.rows[table] if all(row[key] == value for key, value in where.items())]

    def new_id(self) -> str:
        self.next_id += 1
        return str(self.next_id)

    # -- users, servers, members --------------------------------------------------------------------------------------

    def application(self, _asked: Asked) -> Row:
        shown = {"id": self.bot, "name": "Helper", "description": "", "icon": None, "bot_public": False}
        verify = {"verify_key": "", "bot_require_code_grant": False, "flags": 0, "hook": True, "team": None}
        return {**shown, **verify, "owner": self.user(self.bot)}

    def user(self, user_id: str) -> Row:
        found = self.all("users", user_id=user_id)
        if not found:
            raise _unknown("user")
        [row] = found
        shown = {"id": user_id, "username": row["name"], "discriminator": row["discriminator"], "avatar": None}
        return {**shown, "global_name": None, "public_flags": 0, **({"bot": True} if row["is_bot"] else {})}

    def guild(self, guild_id: str) -> Row:
        found = self.all("guilds", guild_id=_id("guild_id", guild_id))
        if not found or not self.all("members", guild_id=found[0]["guild_id"], user_id=self.bot):
            raise _unknown("guild")
        return found[0]

    def shown_guild(self, guild: Row) -> Row:
        filters = ["disabled", "no_role", "all_members"]
        roles = [
            {
                "id": role["role_id"],
                "name": role["name"],
                "position": role["position"],
                "permissions": str(role["permissions"]),
                "managed": bool(role["is_managed"]),
                "color": 0,
                "hoist": False,
                "mentionable": False,
            }
            for role in self.all("roles", guild_id=guild["guild_id"])
        ]
        return {
            "id": guild["guild_id"],
            "name": guild["name"],
            "owner_id": guild["owner_id"],
            "description": guild["description"],
            "premium_tier": guild["premium_tier"],
            "explicit_content_filter": filters.index(guild["explicit_content_filter"]),
            "roles": roles,
            "approximate_member_count": len(self.all("members", guild_id=guild["guild_id"])),
            "emojis": [],
            "stickers": [],
            "features": [],
            "verification_level": 0,
            "nsfw_level": 0,
            "mfa_level": 0,
            "default_message_notifications": 0,
            "afk_timeout": 300,
            "system_channel_flags": 0,
            "icon": None,
            "preferred_locale": "en-US",
            "premium_progress_bar_enabled": False,
            "vanity_url_code": None,
        }

    def shown_member(self, guild_id: str, user_id: str) -> Row:
        roles = [row["role_id"] for row in self.all("member_roles", guild_id=guild_id, user_id=user_id)]
        joined = "2025-02-01T00:00:00.000000+00:00"
        return {
            "user": self.user(user_id),
            "roles": roles,
            "joined_at": joined,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def members(self, asked: Asked, guild_id: str) -> list[Row]:
        guild = self.guild(guild_id)
        ids = sorted(int(row["user_id"]) for row in self.all("members", guild_id=guild["guild_id"]))
        page = [each for each in ids if each > int(asked.query.get("after", 0))][: int(asked.query["limit"])]
        return [self.shown_member(guild["guild_id"], str(each)) for each in page]

    def member(self, _asked: Asked, guild_id: str, user_id: str) -> Row:
        guild, wanted = self.guild(guild_id), _id("user_id", user_id)
        self.user(wanted)
        if not self.all("members", guild_id=guild["guild_id"], user_id=wanted):
            raise _unknown("member")
        return self.shown_member(guild["guild_id"], wanted)

    def put_role(self, asked: Asked, guild_id: str, user_id: str, role_id: str) -> None:
        held = self.require_role(asked, guild_id, user_id, role_id)
        if held not in self.rows["member_roles"]:
            self.rows["member_roles"].append(held)

    def delete_role(self, asked: Asked, guild_id: str, user_id: str, role_id: str) -> None:
        held = self.require_role(asked, guild_id, user_id, role_id)
        self.rows["member_roles"] = [row for row in self.rows["member_roles"] if row != held]

    def require_role(self, asked: Asked, guild_id: str, user_id: str, role_id: str) -> Row:
        self.member(asked, guild_id, user_id)
        found = self.all("roles", guild_id=guild_id, role_id=role_id)
        if not found or role_id == guild_id:
            raise _unknown("role")
        own = max(role["position"] for role in self.roles(guild_id))
        may = self.may(guild_id) & _MANAGE_ROLES
        if not may or found[0]["is_managed"] or found[0]["position"] >= own:
            raise _denied()
        return {"guild_id": guild_id, "user_id": user_id, "role_id": role_id}

    # -- what the program may do --------------------------------------------------------------------------------------

    def roles(self, guild_id: str) -> list[Row]:
        held = {row["role_id"] for row in self.all("member_roles", guild_id=guild_id, user_id=self.bot)} | {guild_id}
        return [role for role in self.all("roles", guild_id=guild_id) if role["role_id"] in held]

    def may(self, guild_id: str) -> int:
        held = 0
        for role in self.roles(guild_id):
            held |= role["permissions"]
        return -1 if held & _ADMINISTRATOR else held

    def may_in(self, channel: Row) -> int:
        guild_id = channel["guild_id"]
        held = self.may(guild_id)
        if held == -1:
            return held
        place = channel["parent_id"] if channel["kind"] == "thread" else channel["channel_id"]
        own = [role["role_id"] for role in self.roles(guild_id) if role["role_id"] != guild_id]
        for targets in ([guild_id], own, [self.bot]):
            said = [row for row in self.all("overwrites", channel_id=place) if row["target_id"] in targets]
            for row in said:
                held &= ~row["deny"]
            for row in said:
                held |= row["allow"]
        return held

    # -- channels -----------------------------------------------------------------------------------------------------

    def channel(self, channel_id: str) -> tuple[Row, int]:
        found = self.all("channels", channel_id=_id("channel_id", channel_id))
        if not found:
            raise _unknown("channel")
        [channel] = found
        if not self.all("members", guild_id=channel["guild_id"], user_id=self.bot):
            raise _closed()
        held = self.may_in(channel)
        if not held & _VIEW:
            raise _closed()
        return channel, held

    def shown_channel(self, channel: Row) -> Row:
        shown = {
            "id": channel["channel_id"],
            "type": _KINDS[channel["kind"]],
            "guild_id": channel["guild_id"],
            "name": channel["name"],
            "topic": channel["topic"],
            "parent_id": channel["parent_id"],
            "position": channel["position"],
            "permission_overwrites": [],
            "last_message_id": None,
            "nsfw": False,
            "rate_limit_per_user": 0,
        }
        if channel["kind"] in ("voice", "stage"):
            shown |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        if channel["kind"] == "forum":
            shown |= {"available_tags": [], "default_reaction_emoji": None, "default_forum_layout": 0}
        if channel["kind"] == "thread":
            woke = {"archive_timestamp": "2025-02-01T00:00:00+00:00", "auto_archive_duration": 1440}
            state = {"archived": bool(channel["is_archived"]), "locked": bool(channel["is_locked"])}
            shown |= {"owner_id": self.bot, "message_count": 1, "member_count": 1, "thread_metadata": {**woke, **state}}
        return shown

    def post_channel(self, asked: Asked, guild_id: str) -> Row:
        guild, said = self.guild(guild_id), json.loads(asked.body)
        if not self.may(guild["guild_id"]) & _MANAGE_CHANNELS:
            raise _denied()
        wrong: dict[str, str] = {}
        if not said.get("name"):
            wrong["name"] = "This field is required"
        elif len(said["name"]) > 100:
            wrong["name"] = "Must be between 1 and 100 in length."
        if len(said.get("topic") or "") > 1024:
            wrong["topic"] = "Must be 1024 or fewer in length."
        if wrong:
            raise _form(**wrong)
        kept = "".join(each for each in said["name"].lower() if each in "-_ " or not each.isascii() or each.isalnum())
        name = re.sub("[ -]+", "-", kept.strip())
        made = {"channel_id": self.new_id(), "guild_id": guild_id, "kind": "text", "name": name, "position": 99}
        made |= {"topic": said.get("topic"), "parent_id": said.get("parent_id"), "is_archived": 0, "is_locked": 0}
        self.rows["channels"].append(made)
        return self.shown_channel(made)

    def delete_channel(self, _asked: Asked, channel_id: str) -> Row:
        channel, held = self.channel(channel_id)
        if not held & (_MANAGE_THREADS if channel["kind"] == "thread" else _MANAGE_CHANNELS):
            raise _denied()
        [guild] = self.all("guilds", guild_id=channel["guild_id"])
        if channel_id in (guild["rules_channel_id"], guild["updates_channel_id"]):
            raise Refused(400, 50074, "Cannot delete a channel required for Community guilds")
        gone = {channel_id, *(row["channel_id"] for row in self.all("channels", parent_id=channel_id, kind="thread"))}
        self.rows["channels"] = [row for row in self.rows["channels"] if row["channel_id"] not in gone]
        return self.shown_channel(channel)

    # -- messages and reactions ---------------------------------------------------------------------------------------

    def heard(self, channel: Row, held: int) -> None:
        if channel["kind"] in ("voice", "stage") and not held & _CONNECT:
            raise _closed()

    def messages(self, asked: Asked, channel_id: str) -> list[Row]:
        channel, held = self.channel(channel_id)
        self.heard(channel, held)
        if not held & _HISTORY:
            return []
        said = sorted(self.all("messages", channel_id=channel_id), key=lambda row: int(row["message_id"]))
        before = int(asked.query.get("before", 1 << 63))
        page = [row for row in reversed(said) if int(row["message_id"]) < before]
        return [self.shown_message(row) for row in page[: int(asked.query["limit"])]]

    def message(self, _asked: Asked, channel_id: str, message_id: str) -> Row:
        return self.shown_message(self.require_message(channel_id, message_id)[2])

    def require_message(self, channel_id: str, message_id: str) -> tuple[Row, int, Row]:
        channel, held = self.channel(channel_id)
        wanted = _id("message_id", message_id)
        self.heard(channel, held)
        if not held & _HISTORY:
            raise _closed()
        found = self.all("messages", channel_id=channel_id, message_id=wanted)
        if not found:
            raise _unknown("message")
        return channel, held, found[0]

    def shown_message(self, row: Row) -> Row:
        if row["author_id"] is None:
            webhook = {"id": "1323799500000000001", "username": row["username"], "discriminator": "0000"}
            author: Row = {**webhook, "avatar": None, "bot": True}
        else:
            author = self.user(row["author_id"])
        shown = {
            "id": row["message_id"],
            "channel_id": row["channel_id"],
            "author": author,
            "content": row["content"],
            "timestamp": "2025-02-01T00:00:00.000000+00:00",
            "edited_timestamp": None,
            "type": 0,
            "tts": False,
            "mention_everyone": False,
            "pinned": False,
            "flags": 0,
            "attachments": [],
            "embeds": [],
            "mentions": [],
            "mention_roles": [],
            "components": [],
        }
        if row["author_id"] is None:
            shown["webhook_id"] = author["id"]
        if reactions := self.counts(row["message_id"]):
            shown["reactions"] = reactions
        return shown

    def counts(self, message_id: str) -> list[Row]:
        there = sorted(self.all("reactions", message_id=message_id), key=lambda row: row["seq"])
        emojis = dict.fromkeys(row["emoji"] for row in there)
        return [self.count([row for row in there if row["emoji"] == each]) for each in emojis]

    def count(self, same: list[Row]) -> Row:
        key, name = same[0]["emoji"], same[0]["name"]
        own = any(row["user_id"] == self.bot for row in same)
        return {"emoji": {"id": key if key.isdecimal() else None, "name": name}, "count": len(same), "me": own}

    def post_message(self, asked: Asked, channel_id: str) -> Row:
        channel, held = self.channel(channel_id)
        self.heard(channel, held)
        if not held & (_SEND_IN_THREADS if channel["kind"] == "thread" else _SEND):
            raise _denied()
        if channel["is_locked"] and not held & _MANAGE_THREADS:
            raise Refused(403, 50083, "Thread is archived") if channel["is_archived"] else _locked()
        content = (json.loads(asked.body).get("content") or "").strip()
        if not content:
            raise Refused(400, 50006, "Cannot send an empty message")
        if len(content) > 2000:
            raise _form(content="Must be 2000 or fewer in length.")
        channel["is_archived"] = 0
        message_id = str(((self.now_ms - 1_420_070_400_000) << 22) + int(self.new_id()) % (1 << 22))
        made = {"message_id": message_id, "channel_id": channel_id, "author_id": self.bot, "content": content}
        self.rows["messages"].append({**made, "username": None})
        return self.shown_message(self.rows["messages"][-1])

    def put_reaction(self, _asked: Asked, channel_id: str, message_id: str, emoji: str) -> None:
        channel, held, message = self.require_message(channel_id, message_id)
        key, name = self.emoji(channel, held, message, emoji)
        if channel["is_archived"]:
            raise Refused(400, 50083, "Thread is archived")
        there = self.all("reactions", message_id=message["message_id"])
        if key not in {row["emoji"] for row in there}:
            if not held & _ADD_REACTIONS:
                raise _denied()
            if len({row["emoji"] for row in there}) >= 20:
                raise Refused(403, 30010, "Maximum number of reactions reached (20)")
        if not any(row["emoji"] == key and row["user_id"] == self.bot for row in there):
            made = {"message_id": message_id, "emoji": key, "user_id": self.bot, "name": name}
            self.rows["reactions"].append({**made, "seq": 1 + _last(row["seq"] for row in there)})

    def delete_reaction(self, _asked: Asked, channel_id: str, message_id: str, emoji: str) -> None:
        channel, held, message = self.require_message(channel_id, message_id)
        key, _ = self.emoji(channel, held, message, emoji)
        if channel["is_archived"]:
            raise Refused(400, 50083, "Thread is archived")
        own = {"message_id": message_id, "emoji": key, "user_id": self.bot}
        gone = self.all("reactions", **own)
        self.rows["reactions"] = [row for row in self.rows["reactions"] if row not in gone]

    def emoji(self, channel: Row, held: int, message: Row, emoji: str) -> tuple[str, str]:
        face = _FACES.find(emoji)
        if face is not None:
            return face, face
        emoji_id = emoji.rpartition(":")[2]
        if ":" in emoji.strip(":") and emoji_id.isdecimal():
            for row in self.all("reactions", message_id=message["message_id"], emoji=emoji_id):
                return emoji_id, row["name"]
            for row in self.all("emojis", emoji_id=emoji_id):
                is_own = row["guild_id"] == channel["guild_id"] or held & _EXTERNAL
                if is_own and self.all("members", guild_id=row["guild_id"], user_id=self.bot):
                    return emoji_id, row["name"]
        raise Refused(400, 10014, "Unknown Emoji")


def _id(name: str, text: str) -> str:
    if text.startswith("-"):
        raise _form(**{name: "snowflake value should be greater than or equal to 0."})
    if int(text) >= 1 << 63:
        raise _form(**{name: "snowflake value should be less than or equal to 9223372036854775807."})
    return text


def _last(numbers: Iterable[int]) -> int:
    return max(numbers, default=0)
