"""What Discord stores of a world: servers, who is in them with which roles, their channels and what was said there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import (
    AppSpec,
    Message,
    ScheduledRow,
    Talk,
    Utterance,
    WorldError,
    identities_of,
    require,
)

from .files import SERVERS, USERS

_FACES, _BITS, _IDS = (
    import_module(f"...kernels.discord.{name}", __package__) for name in ("emoji", "permissions", "snowflakes")
)
_PERMISSIONS: dict[str, int] = {
    "administrator": _BITS.ADMINISTRATOR,
    "manage channels": _BITS.MANAGE_CHANNELS,
    "add reactions": _BITS.ADD_REACTIONS,
    "view": _BITS.VIEW_CHANNEL,
    "send": _BITS.SEND_MESSAGES,
    "history": _BITS.READ_MESSAGE_HISTORY,
    "external emoji": _BITS.USE_EXTERNAL_EMOJIS,
    "connect": _BITS.CONNECT,
    "manage roles": _BITS.MANAGE_ROLES,
    "manage threads": _BITS.MANAGE_THREADS,
    "send in threads": _BITS.SEND_MESSAGES_IN_THREADS,
}
# Mentions, channels and addresses.
_CONTROL = re.compile(r"<[@#][&!]?\d+>|https?://\S+")

FLAGS: tuple[str, ...] = ()


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Discord, each channel's messages in order of time."""
    discord = _Discord(spec)
    yield from discord.users()
    for key, server in discord.servers.items():
        yield from discord.server(key, server)
    for placed in discord.placed(spec.talk((), discord.programs)):
        yield from discord.message(placed)


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what is said in the week after the start, with what people put on it."""
    discord = _Discord(spec)
    for placed in discord.placed(spec.scheduled_talk((), discord.programs)):
        at = datetime.fromtimestamp(placed.sent_ms // 1000, UTC)
        yield from (ScheduledRow(at, row) for row in discord.message(placed))


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield every message of the rows as it can be measured."""
    names = {row["user_id"]: row.get("person") or row["name"] for row in rows if row["table"] == "users"}
    bots = {row["user_id"] for row in rows if row["table"] == "users" and row.get("is_bot")}
    for row in rows:
        if row["table"] == "messages":
            author = row.get("author_id")
            is_bot = author is None or author in bots
            at = datetime.fromtimestamp(row["sent_ms"] // 1000, UTC)
            name = row["username"] if author is None else names[author]
            yield Utterance(name, at, _CONTROL.sub("", row["content"]), "bot" if is_bot else "text")


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name that Discord shows."""
    return identities_of(made, "users", handle="name")


@dataclass(frozen=True)
class _Placed:
    """A message with its channel, its id and when it was sent."""

    message: Message
    channel: str
    message_id: str
    sent_ms: int


class _Discord:
    """The ids and texts of one world's Discord."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec, self.where = spec, spec.where(SERVERS.path)
        facts, keyed = spec.read(SERVERS), spec.read_keyed(SERVERS)
        self.bot, self.faces = facts["bot"], facts["emoji"]
        self.servers, self.roles, self.channels, self.webhooks = (
            keyed[kind] for kind in ("servers", "roles", "channels", "webhooks")
        )
        self.emojis = {each["name"]: each for each in facts["emojis"]}
        self.others = spec.read_keyed(USERS)["users"]
        self.programs = {self.bot["key"], *self.others, *self.webhooks}
        self.known = self._message_ids()
        self.references = {
            "user": lambda key: f"<@{self.user_id(key)}>",
            "role": lambda key: f"<@&{self.role_id(key)}>",
            "channel": lambda key: f"<#{self.channel_id(key)}>",
            "server": self.server_id,
            "message": self._address,
        }

    # -- ids ----------------------------------------------------------------------------------------------------------

    def id(self, kind: str, key: str, made: str) -> str:
        """Return the id of what was made at an offset: it tells the time."""
        made_ms = self.spec.ms(made, f"{self.where}: {kind} '{key}'")
        return self._snowflake(made_ms + self.spec.number(0, 59_999, "discord ms", kind, key), kind, key)

    def _snowflake(self, made_ms: int, *parts: object) -> str:
        below = self.spec.number(0, (1 << _IDS.BITS) - 1, "discord", *parts)
        return str((made_ms - _IDS.EPOCH_MS) << _IDS.BITS | below)

    def user_id(self, key: str) -> str:
        if key == self.bot["key"]:
            return self.id("user", key, self.bot["made"])
        if key in self.others:
            return self.id("user", key, self.others[key]["made"])
        account = require("account", key, self.spec.accounts, self.where)
        return self.id("user", key, account.more["made"])

    def server_id(self, key: str) -> str:
        return self.id("server", key, require("server", key, self.servers, self.where)["made"])

    def channel_id(self, key: str) -> str:
        return self.id("channel", key, require("channel", key, self.channels, self.where)["made"])

    def _role_made(self, key: str) -> str:
        role = require("role", key, self.roles, self.where)
        return str(self.servers[role["server"]]["made"])

    def role_id(self, key: str) -> str:
        return self.id("role", key, self._role_made(key))

    def _message_ids(self) -> dict[tuple[str, datetime], str]:
        """Return the first message of each channel's minutes, by which texts may point to one."""
        return {
            (each.channel, each.message.at): each.message_id
            for each in reversed(list(self.placed(self.spec.talk((), self.programs))))
        }

    def _address(self, value: str) -> str:
        key, _, at = value.partition(" ")
        channel = require("channel", key, self.channels, self.where)
        message_id = self.known.get((key, self.spec.at(at, self.where)))
        if message_id is None:
            raise ValueError(f"nothing was said in '{key}' at {at}")
        ids = (self.server_id(channel["server"]), self.channel_id(key), message_id)
        return f"https://discord.com/channels/{'/'.join(ids)}"

    # -- people, servers, channels ------------------------------------------------------------------------------------

    def users(self) -> Iterator[Row]:
        """Yield people, others of whom the world knows no more, and the program, with who holds its token."""
        for key, account in self.spec.accounts.items():
            yield {"table": "users", "user_id": self.user_id(key), "person": key, "name": account.handle}
        for key, other in self.others.items():
            yield {"table": "users", "user_id": self.user_id(key), "name": other["name"]}
        bot = {"name": self.bot["name"], "discriminator": self.bot["discriminator"], "is_bot": 1}
        yield {"table": "users", "user_id": self.user_id(self.bot["key"]), **bot}
        for key in self.bot["holders"]:
            yield {"table": "tokens", "holder_id": self.user_id(key), "bot_id": self.user_id(self.bot["key"])}

    def server(self, key: str, server: dict[str, Any]) -> Iterator[Row]:
        """Yield a server with its roles, members, channels, emoji and webhooks."""
        guild_id = self.server_id(key)
        made: Row = {"table": "guilds", "guild_id": guild_id, "name": server["name"]}
        made |= {"owner_id": self.user_id(server["owner"]), "premium_tier": server.get("tier", 0)}
        made |= {"explicit_content_filter": server.get("filter", "disabled")}
        if "description" in server:
            made["description"] = server["description"]
        for name in ("rules", "updates"):
            if name in server:
                made[f"{name}_channel_id"] = self.channel_id(server[name])
        yield made
        roles = {each: role for each, role in self.roles.items() if role["server"] == key}
        for each, role in roles.items():
            yield self._role(each, role, guild_id)
        for member in server["members"]:
            yield {"table": "members", "guild_id": guild_id, "user_id": self.user_id(member)}
        for each, role in roles.items():
            for member in role.get("members", ()):
                require("member", member, dict.fromkeys(server["members"]), f"{self.where}: role '{each}'")
                held = {"guild_id": guild_id, "user_id": self.user_id(member), "role_id": self._own_id(each, role)}
                yield {"table": "member_roles", **held}
        here = [channel for channel in self.channels.values() if channel["server"] == key]
        # A channel stands behind what it hangs on.
        for position, channel in enumerate(sorted(here, key=lambda each: "parent" in each)):
            yield from self._channel(channel, guild_id, position)
        for emoji in self.emojis.values():
            if emoji["server"] == key:
                emoji_id = self.id("emoji", emoji["name"], emoji["made"])
                yield {"table": "emojis", "emoji_id": emoji_id, "guild_id": guild_id, "name": emoji["name"]}
        for hook in self.webhooks.values():
            if self.channels[hook["channel"]]["server"] == key:
                webhook_id, channel_id = self.id("webhook", hook["key"], hook["made"]), self.channel_id(hook["channel"])
                yield {"table": "webhooks", "webhook_id": webhook_id, "channel_id": channel_id, "name": hook["name"]}

    def _own_id(self, key: str, role: Row) -> str:
        return self.server_id(role["server"]) if role["name"] == "@everyone" else self.role_id(key)

    def _role(self, key: str, role: dict[str, Any], guild_id: str) -> Row:
        where = f"{self.where}: role '{key}'"
        bits = sum(require("permission", each, _PERMISSIONS, where) for each in role.get("permissions", ()))
        made = {"role_id": self._own_id(key, role), "guild_id": guild_id, "name": role["name"]}
        state = {"position": role["position"], "permissions": bits, "is_managed": int(role.get("managed", False))}
        return {"table": "roles", **made, **state}

    def _channel(self, channel: dict[str, Any], guild_id: str, position: int) -> Iterator[Row]:
        key = channel["key"]
        channel_id = self.channel_id(key)
        row: Row = {"table": "channels", "channel_id": channel_id, "guild_id": guild_id}
        row |= {"kind": channel.get("kind", "text"), "name": channel.get("name", key), "position": position}
        if "topic" in channel:
            row["topic"] = self.spec.text(channel["topic"], self.references, f"{self.where}: channel '{key}'")
        if "parent" in channel:
            row["parent_id"] = self.channel_id(channel["parent"])
        yield row | {f"is_{each}": 1 for each in ("archived", "locked") if channel.get(each)}
        hidden, quiet = "only" in channel, channel.get("read_only", False)
        deny = (_PERMISSIONS["view"] if hidden else 0) | (_PERMISSIONS["send"] if quiet else 0)
        if deny:
            yield {"table": "overwrites", "channel_id": channel_id, "target_id": guild_id, "deny": deny}
        for each in (*channel.get("only", ()), *channel.get("writers", ())):
            role = require("role", each, self.roles, f"{self.where}: channel '{key}'")
            allow = _PERMISSIONS["view"] | _PERMISSIONS["send"]
            yield {
                "table": "overwrites",
                "channel_id": channel_id,
                "target_id": self._own_id(each, role),
                "allow": allow,
            }

    # -- what is said -------------------------------------------------------------------------------------------------

    def placed(self, talk: Talk) -> Iterator[_Placed]:
        """Yield all messages in order of time, channel by channel; those of one minute share its seconds."""
        for key, messages in talk.items():
            require("channel", key, self.channels, f"{self.spec.app}: '## #{key}'")
            every = [each for message in messages for each in (message, *message.replies)]
            used, all_of = Counter[datetime](), Counter(message.at for message in every)
            for message in sorted(every, key=lambda each: each.at):
                nth, share = used[message.at], 60_000 // all_of[message.at]
                used[message.at] += 1
                spare = self.spec.number(0, share - 1, "discord sent", key, message.at, nth)
                sent_ms = int(message.at.timestamp()) * 1000 + nth * share + spare
                yield _Placed(message, key, self._snowflake(sent_ms, "message", key, nth), sent_ms)

    def message(self, placed: _Placed) -> Iterator[Row]:
        """Yield a message and the reactions on it."""
        message, channel = placed.message, self.channels[placed.channel]
        row: Row = {"table": "messages", "message_id": placed.message_id, "channel_id": self.channel_id(placed.channel)}
        if message.author in self.webhooks:
            row["username"] = self.webhooks[message.author]["name"]
        else:
            members = self.servers[channel["server"]]["members"]
            if message.author not in members:
                raise WorldError(f"{message.place}: '{message.author}' is not in '{channel['server']}' ({self.where})")
            row["author_id"] = self.user_id(message.author)
        content = self.spec.text(message.text, self.references, message.place)
        yield row | {"content": content, "sent_ms": placed.sent_ms}
        yield from self._reactions(placed.message_id, message.reactions, message.place)

    def _reactions(self, message_id: str, reactions: Iterable[tuple[str, str]], place: str) -> Iterator[Row]:
        for seq, (name, person) in enumerate(reactions, start=1):
            if name in self.emojis:
                emoji, shown = self.id("emoji", name, self.emojis[name]["made"]), name
            else:
                emoji = shown = str(require("emoji", name, self.faces, place))
                if _FACES.find(emoji) != emoji:
                    raise WorldError(f"{self.where}: emoji '{name}' is none that Discord has")
            row = {"message_id": message_id, "emoji": emoji, "user_id": self.user_id(person)}
            yield {"table": "reactions", **row, "name": shown, "seq": seq}
