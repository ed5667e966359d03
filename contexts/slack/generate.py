"""What Slack stores of a world: the workspace, its members, channels and direct messages, and what was said in them."""

from __future__ import annotations

import html
import string
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from farm.content import kernel_module
from farm.kernel import Row
from farm.world import Account, AppSpec, Message, WorldError, check_keys, require

_TEXTS = kernel_module("slack", "texts")
_DIGITS = string.digits + string.ascii_uppercase
_COLORS = ("9f69e7", "4bbe2e", "e7392d", "3c989f", "674b1b", "e96699", "e0a729", "684b6c", "5b89d5", "2b6836")
ACCOUNT_KEYS = "role?"
_CHANNEL = "key creator created members kind? purpose? topic? private? archived?"
# What a role may do; who owns a workspace administers it, too.
_ROLES: dict[str, tuple[str, ...]] = {
    "member": (),
    "admin": ("is_admin",),
    "owner": ("is_admin", "is_owner"),
    "primary owner": ("is_admin", "is_owner", "is_primary_owner"),
}


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Slack, each channel's messages in order of time."""
    workspace = _Workspace(spec)
    yield from workspace.rows()
    talk = spec.talk()
    for key in talk:
        require("channel", key, workspace.channels, f"slack/talk: '## #{key}'")
    for key, channel in workspace.channels.items():
        yield from workspace.channel(channel)
        yield from workspace.talk(channel, talk.get(key, []))


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name, mail and role that Slack shows."""
    return {
        row["person"]: {"name": row["real_name"], "address": row["email"], "title": row["title"]}
        for row in made
        if row["table"] == "users" and row.get("person")
    }


@dataclass
class _Placed:
    """A message with its ts, and the thread it is in."""

    message: Message
    ts: str
    thread_ts: str | None


class _Workspace:
    """The ids and texts of one world's Slack."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.starts_at = spec.world.starts_at
        self.facts = spec.toml("workspace.toml", "bot time_zones emoji?")
        check_keys(self.facts["bot"], "name real_name", "slack/workspace.toml: bot")
        self.channels = spec.keyed("channels.toml", channels=_CHANNEL)["channels"]
        self.members = spec.members
        self.home = spec.world.home
        self.team = self.id("T0{caps36:9}", "team", self.home.key)
        self.number = {key: number for number, key in enumerate(self.members, start=1)}
        self.references = {"user": self._mention, "channel": self._channel_link, "doc": self._link}

    def id(self, form: str, kind: str, *parts: object) -> str:
        return self.spec.id(form, kind, *parts)

    def user_id(self, key: str, where: str = "slack") -> str:
        """Return a person's user id. Older accounts have smaller ids, as lists run from the oldest on."""
        require("person with Slack", key, self.members, where)
        return f"U0{_base36(self.number[key], 2)}" + self.id("{caps36:7}", "user", key)

    def channel_id(self, key: str) -> str:
        """Return a channel's id; older channels have smaller ones."""
        channel = self.channels[key]
        made = self.spec.at(channel["created"], f"slack/channels.toml: channel '{key}'")
        age_days = (self.starts_at - made).days
        letter = {"im": "D", "mpim": "G"}.get(channel.get("kind", "channel"), "C")
        return f"{letter}0{_base36(36**3 - 1 - age_days, 3)}" + self.id("{caps36:6}", "channel", key)

    def _mention(self, key: str) -> str:
        if key not in self.members:
            raise ValueError(f"no person with Slack '{key}'")
        return f"<@{self.user_id(key)}>"

    def _channel_link(self, key: str) -> str:
        if key not in self.channels:
            raise ValueError(f"no channel '{key}'; have {', '.join(self.channels)}")
        return f"<#{self.channel_id(key)}|{key}>"

    def _link(self, key: str) -> str:
        link = self.spec.link(key)
        return f"<{link.address}|{html.escape(link.title, quote=False)}>"

    def show(self, raw: str, where: str) -> str:
        """Return a text as Slack stores it, with mentions and links in angle brackets."""
        return self.spec.text(_TEXTS.stored(raw), self.references, where)

    def rows(self) -> Iterator[Row]:
        """Yield the workspace, its members, Slackbot, and the app whose posts the tools make."""
        yield {
            "table": "teams",
            "id": self.team,
            "name": self.home.name_en,
            "domain": self.home.name_en.lower().replace(" ", "-"),
        }
        yield {
            "table": "users",
            "id": "USLACKBOT",
            "team_id": self.team,
            "name": "slackbot",
            "real_name": "Slackbot",
            "display_name": "Slackbot",
            "first_name": "slackbot",
            "color": "757575",
            "tz": "America/Los_Angeles",
            "tz_label": "Pacific Standard Time",
            "tz_offset": -28800,
        }
        yield from (self._user(self.spec.accounts[key]) for key in self.members)
        name = self.facts["bot"]["real_name"]
        first, _, last = name.partition(" ")
        bot_user = f"U0{_base36(len(self.members) + 1, 2)}" + self.id("{caps36:7}", "bot user")
        made = int(self.starts_at.timestamp()) - self.spec.number(40, 90, "bot") * 86_400
        yield {
            "table": "users",
            "id": bot_user,
            "team_id": self.team,
            "name": self.facts["bot"]["name"],
            "real_name": name,
            "display_name": "",
            "first_name": first,
            "last_name": last,
            "is_bot": 1,
            "updated": made,
        }
        app_id, bot_id = self.id("A0{caps36:9}", "app"), self.id("B0{caps36:9}", "bot")
        bot = {"app_id": app_id, "user_id": bot_user, "name": name, "updated": made, "is_self": 1}
        yield {"table": "bots", "id": bot_id, **bot}
        yield from ({"table": "emoji", "name": name} for name in self.facts.get("emoji", []))

    def _user(self, account: Account) -> Row:
        person, where = account.owner, f"slack/accounts.toml: '{account.key}'"
        may = require("role", account.more.get("role", "member"), _ROLES, where)
        first, _, last = person.name_en.partition(" ")
        zone = ZoneInfo(person.time_zone)
        offset = self.starts_at.astimezone(zone).utcoffset()
        return {
            "table": "users",
            "id": self.user_id(person.key),
            "person": person.key,
            "team_id": self.team,
            "name": person.key,
            "real_name": person.name_en,
            # People in the Shanghai office go by their Chinese names; that is also what tells the two Xiang Li apart.
            "display_name": person.name_zh if person.language == "zh" and person.name_zh else person.name_en,
            "first_name": first,
            "last_name": last,
            "title": person.title_en,
            "email": account.address,
            "phone": person.phone,
            "avatar_hash": self._avatar(person.key),
            "color": _COLORS[self.number[person.key] % len(_COLORS)],
            "tz": person.time_zone,
            "tz_label": require("time zone", person.time_zone, self.facts["time_zones"], "slack/workspace.toml"),
            "tz_offset": int(offset.total_seconds()) if offset else 0,
            "deleted": int(person.status == "left"),
            **{each: int(each in may) for each in _ROLES["primary owner"]},
            "is_restricted": int(person.organisation != self.home.key),
            "updated": int(self.starts_at.timestamp()) - self.spec.number(10, 300, "updated", person.key) * 86_400,
        }

    def _avatar(self, key: str) -> str:
        """Return a picture's hash; one in four never chose a picture, and the one Slack made begins with a g."""
        own = self.spec.number(0, 3, "own picture", key) > 0
        return self.id("{hex:12}" if own else "g{hex:11}", "avatar", key)

    def channel(self, channel: dict[str, Any]) -> Iterator[Row]:
        """Yield a channel and its members; who left the company is in none."""
        key, where = channel["key"], f"slack/channels.toml: channel '{channel['key']}'"
        kind = channel.get("kind", "channel")
        creator, channel_id = self.user_id(channel["creator"], where), self.channel_id(key)
        created = int(self.spec.at(channel["created"], where).timestamp())
        row: Row = {
            "table": "channels",
            "id": channel_id,
            "team_id": self.team,
            "kind": kind,
            "name": "" if kind == "im" else key,
            "is_private": int(kind != "channel" or channel.get("private", False)),
            "is_archived": int(channel.get("archived", False)),
            "is_general": int(key == "general"),
            "creator": creator,
            "created": created,
            "updated": created * 1000 + 86_400_000,
        }
        for what in ("topic", "purpose"):
            if channel.get(what):
                said = {what: self.show(channel[what], where), f"{what}_creator": creator}
                row |= {**said, f"{what}_last_set": created + 120}
        present = [each for each in channel["members"] if self.spec.world.person(each, where).status == "active"]
        if kind == "im":
            row["im_user_id"] = self.user_id(present[1], where)
        yield row
        for person in present:
            yield {"table": "members", "channel_id": channel_id, "user_id": self.user_id(person, where)}

    def talk(self, channel: dict[str, Any], talk: list[Message]) -> Iterator[Row]:
        """Yield the messages of a channel with their reactions, and who follows which thread."""
        channel_id = self.channel_id(channel["key"])
        placed = list(self._placed(channel["key"], talk))
        for each in placed:
            if each.message.author not in channel["members"]:
                raise WorldError(
                    f"{each.message.place}: '{each.message.author}' is not in '{channel['key']}' (slack/channels.toml)"
                )
            yield self._message(channel_id, each)
            yield from self._reactions(channel_id, each)
        yield from self._subscriptions(channel_id, placed)

    def _placed(self, key: str, talk: list[Message]) -> Iterator[_Placed]:
        """Yield every message in order of time with its ts, which is unique in the channel and shows the minute."""
        pairs: list[tuple[Message, Message | None]] = [(message, None) for message in talk]
        pairs += [(reply, message) for message in talk for reply in message.replies]
        stamp = partial(self._ts, key, Counter())
        known: dict[int, str] = {}
        for message, root in sorted(pairs, key=lambda pair: pair[0].at):
            known[id(message)] = stamp(message.at)
            yield _Placed(message, known[id(message)], known[id(root)] if root else None)

    def _ts(self, key: str, used: Counter[datetime], at: datetime) -> str:
        nth = used[at]
        used[at] += 1
        second = min(59, nth * 11 + self.spec.number(0, 9, "slack second", key, at, nth))
        micros = nth * 1000 + self.spec.number(100, 999, "slack micros", key, at, nth)
        return f"{int(at.timestamp()) + second}.{micros:06d}"

    def _message(self, channel_id: str, placed: _Placed) -> Row:
        message, author = placed.message, self.user_id(placed.message.author, placed.message.place)
        if "recalled" in message.flags or "post" in message.flags:
            raise WorldError(f"{message.place}: Slack knows no recalled messages and no posts")
        row: Row = {
            "table": "messages",
            "channel_id": channel_id,
            "ts": placed.ts,
            "thread_ts": placed.thread_ts,
            "user_id": author,
            "text": self.show(_said(message), message.place),
            "client_msg_id": self.id("{uuid}", "client", channel_id, placed.ts),
        }
        if "edited" in message.flags:
            seconds, _, _ = placed.ts.partition(".")
            row |= {"edited_by": author, "edited_ts": f"{int(seconds) + 95}.000000"}
        return row

    def _reactions(self, channel_id: str, placed: _Placed) -> Iterator[Row]:
        posted_ms = int(placed.ts.partition(".")[0]) * 1000
        for nth, (name, person) in enumerate(placed.message.reactions, start=1):
            yield {
                "table": "reactions",
                "channel_id": channel_id,
                "ts": placed.ts,
                "name": name,
                "user_id": self.user_id(person, placed.message.place),
                "reacted_ms": posted_ms + nth * 47_000,
            }

    def _subscriptions(self, channel_id: str, placed: Iterable[_Placed]) -> Iterator[Row]:
        """Who wrote in a thread follows it. Threads that ended before today are read; today's up to one's own words."""
        today = self.starts_at.replace(hour=0, minute=0)
        threads: dict[str, list[_Placed]] = {}
        for each in placed:
            threads.setdefault(each.thread_ts or each.ts, []).append(each)
        for thread_ts, said in threads.items():
            if len(said) == 1:
                continue
            ended = said[-1].message.at < today
            last_own = {each.message.author: each.ts for each in said}
            for person, ts in last_own.items():
                yield {
                    "table": "subscriptions",
                    "channel_id": channel_id,
                    "thread_ts": thread_ts,
                    "user_id": self.user_id(person),
                    "last_read": said[-1].ts if ended else ts,
                }


def _said(message: Message) -> str:
    """Return the text with what was attached to it, as words: no tool of this server shows files."""
    attached = [f"[{kind}: {message.flags[kind]}]" for kind in ("image", "file") if kind in message.flags]
    return "\n".join([*(each for each in (message.text,) if each), *attached])


def _base36(number: int, length: int) -> str:
    digits = ""
    for _ in range(length):
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
    return digits
