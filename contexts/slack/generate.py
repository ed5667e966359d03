"""What Slack stores of a world: the workspace, its members, channels and direct messages, and what was said in them."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import CAPS_36, Row, in_base
from farm.appkit.world_spec import (
    Account,
    AppSpec,
    Kind,
    Message,
    ScheduledRow,
    Talk,
    Utterance,
    WorldError,
    as_json,
    identities_of,
    require,
    shortly_before,
)

from .files import APPS, CHANNELS, WORKSPACE

_TEXTS = import_module("...kernels.slack.texts", __package__)
# What stands between angle brackets: mentions, channels, links.
_CONTROL = re.compile(r"<[^<>]*>")
_COLORS = ("9f69e7", "4bbe2e", "e7392d", "3c989f", "674b1b", "e96699", "e0a729", "684b6c", "5b89d5", "2b6836")
FLAGS = ("edited", "pinned", "broadcast", "joins", "leaves", "image", "file", "voice", "card", "color")
_COLOURS = {"good": "2eb886", "warning": "daa038", "danger": "a30200"}
# Suffix → type as MIME, Slack's word for it, and how people read that, with the sizes such files have, in kB.
_TYPES = {
    "pdf": ("application/pdf", "pdf", "PDF", 90, 2_400),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", "Excel Spreadsheet", 14, 160),
    "csv": ("text/csv", "csv", "CSV", 2, 90),
    "txt": ("text/plain", "text", "Plain Text", 1, 30),
    "zip": ("application/zip", "zip", "Zip", 300, 9_000),
    "mp4": ("video/mp4", "mp4", "MPEG 4 Video", 1_800, 24_000),
    "m4a": ("audio/mp4", "m4a", "MPEG 4 Audio", 40, 400),
    "png": ("image/png", "png", "PNG", 60, 1_400),
    "jpg": ("image/jpeg", "jpg", "JPEG", 700, 3_800),
}
# Width and height of a picture → how often.
_PHOTOS = {(4032, 3024): 1, (3024, 4032): 2}
_SCREENS = {(1920, 1080): 2, (1600, 1000): 1, (1512, 982): 1}
_PHONE_SCREENS = {(1170, 2532): 2, (1080, 2400): 1}
# What an image shows that was no photo: pasted from a screen, of which a phone's is upright.
_PHONE_SCREEN = re.compile("phone screen|手机截图")
_PASTED = re.compile("phone screen|手机截图|screenshot|graph|launch poster|draft pictures")
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
    talk = workspace.said(spec.talk(FLAGS, workspace.apps), "talk")
    yield from workspace.rows(_last_said(talk))
    for key, channel in workspace.channels.items():
        yield from workspace.channel(channel)
        yield from workspace.talk(channel, talk.get(key, []))


def _last_said(talk: Talk) -> dict[str, datetime]:
    """Return person → the time of the last message in any channel."""
    said = [each for messages in talk.values() for message in messages for each in (message, *message.replies)]
    return {message.author: message.at for message in sorted(said, key=lambda message: message.at)}


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what is said in the week after the start: each message, and after it what people put on it."""
    workspace = _Workspace(spec)
    talk = workspace.said(spec.scheduled_talk(FLAGS, workspace.apps), "scheduled")
    for key, messages in talk.items():
        yield from workspace.scheduled(workspace.channels[key], messages)


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield every message of the rows as it can be measured."""
    person = {row["id"]: row.get("person") or row["name"] for row in rows if row["table"] == "users"}
    for row in rows:
        if row["table"] == "messages":
            author = person.get(row["user_id"]) or row.get("username") or ""
            at = datetime.fromtimestamp(int(row["ts"].partition(".")[0]), UTC)
            yield Utterance(author, at, html.unescape(_CONTROL.sub("", row["text"])), _kind(row))


def _kind(row: Row) -> Kind:
    if row.get("subtype") in ("channel_join", "channel_leave"):
        return "coming or going"
    if row.get("bot_id"):
        return "bot"
    return "media" if row.get("files") else "text"


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name, mail and role that Slack shows."""
    return identities_of(made, "users", name="real_name", address="email", title="title")


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
        self.facts = spec.read(WORKSPACE)
        self.apps = spec.read_keyed(APPS)["apps"]
        self.channels = spec.read_keyed(CHANNELS)["channels"]
        true = zip(spec.read(CHANNELS)["channels"], spec.true_since(CHANNELS, "channels"), strict=True)
        self.topics_true_s = {each["key"]: int(since.timestamp()) if since else 0 for each, since in true}
        self._require_general_first()
        self.members = spec.members
        self.home = spec.world.home
        self.team = self.id("T0{caps36:9}", "team", self.home.key)
        self.number = {key: number for number, key in enumerate(self.members, start=1)}
        self.references = {"user": self._mention, "channel": self._channel_link, "doc": self._link}

    def _require_general_first(self) -> None:
        """Refuse channels that are older than #general, which Slack makes with the workspace."""
        where = self.spec.where("channels.toml")
        made = {key: self.spec.at(channel["created"], where) for key, channel in self.channels.items()}
        for key, at in made.items():
            if "general" in made and at < made["general"]:
                raise WorldError(f"{where}: '{key}' is older than 'general', which Slack makes with the workspace")

    def id(self, form: str, kind: str, *parts: object) -> str:
        return self.spec.id(form, kind, *parts)

    def user_id(self, key: str, where: str = "slack") -> str:
        """Return a person's user id. Older accounts have smaller ids, as lists run from the oldest on."""
        require("person with Slack", key, self.members, where)
        return f"U0{in_base(self.number[key], CAPS_36, 2)}" + self.id("{caps36:7}", "user", key)

    def channel_id(self, key: str) -> str:
        """Return a channel's id; older channels have smaller ones."""
        channel = self.channels[key]
        made = self.spec.at(channel["created"], f"slack/channels.toml: channel '{key}'")
        age_days = (self.starts_at - made).days
        letter = {"im": "D", "mpim": "G"}.get(channel.get("kind", "channel"), "C")
        return f"{letter}0{in_base(36**3 - 1 - age_days, CAPS_36, 3)}" + self.id("{caps36:6}", "channel", key)

    def app_user_id(self, key: str) -> str:
        """Return the id of the user as which an app posts; their accounts come after people's and the assistant's."""
        number = len(self.members) + 2 + list(self.apps).index(key)
        return f"U0{in_base(number, CAPS_36, 2)}" + self.id("{caps36:7}", "app user", key)

    def account_id(self, key: str, where: str) -> str:
        """Return the id of a person's user or of an app's."""
        return self.app_user_id(key) if "handle" in self.apps.get(key, ()) else self.user_id(key, where)

    def said(self, talk: Talk, folder: str) -> Talk:
        """Return the talk when all of it is in channels there are."""
        for key in talk:
            require("channel", key, self.channels, f"slack/{folder}: '## #{key}'")
        return talk

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

    def rows(self, last_said: Mapping[str, datetime]) -> Iterator[Row]:
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
        yield from (self._user(self.spec.accounts[key], last_said.get(key)) for key in self.members)
        name = self.facts["bot"]["real_name"]
        first, _, last = name.partition(" ")
        bot_user = f"U0{in_base(len(self.members) + 1, CAPS_36, 2)}" + self.id("{caps36:7}", "bot user")
        # On the hour, as recorded pools have it: an app is installed by a program.
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
        for key, app in self.apps.items():
            yield from self._app(key, app, made)
        yield from ({"table": "emoji", "name": name} for name in self.facts.get("emoji", []))

    def _app(self, key: str, app: dict[str, Any], made: int) -> Iterator[Row]:
        """Yield an app that posts: with a user of its own if it has a handle, else as an incoming webhook."""
        user_id = self.app_user_id(key) if "handle" in app else None
        if user_id is not None:
            name = {"name": app["handle"], "real_name": app["name"], "display_name": ""}
            yield {"table": "users", "id": user_id, "team_id": self.team, **name, "is_bot": 1, "updated": made}
        bot = {"app_id": self.id("A0{caps36:9}", "app", key), "user_id": user_id, "name": app["name"], "updated": made}
        yield {"table": "bots", "id": self._bot_id(key), **bot}

    def _bot_id(self, key: str) -> str:
        return self.id("B0{caps36:9}", "bot", key)

    def _user(self, account: Account, last_said: datetime | None) -> Row:
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
            "updated": self._profile_updated_s(account, last_said, where),
        }

    def _profile_updated_s(self, account: Account, last_said: datetime | None, where: str) -> int:
        """Return when a profile last changed: of who left, when it was closed, days after the last message."""
        person = account.owner
        if person.status != "left" or last_said is None:
            days = 300
            if "joined" in account.more:
                days = min(days, max(1, (self.starts_at - self.spec.at(account.more["joined"], where)).days - 1))
            return self._days_ago_s(min(10, days), days, "updated", person.key)
        return self._work_s(
            last_said + timedelta(days=self.spec.number(4, 6, "closed", person.key)), "closed", person.key
        )

    def _days_ago_s(self, low: int, high: int, *parts: object) -> int:
        """Return a second of the working hours some days before the start."""
        return self._work_s(self.starts_at - timedelta(days=self.spec.number(low, high, *parts)), *parts)

    def _work_s(self, day: datetime, *parts: object) -> int:
        """Return a second of a day's working hours."""
        morning = day.astimezone(self.starts_at.tzinfo).replace(hour=9, minute=0, second=0, microsecond=0)
        return int(morning.timestamp()) + self.spec.number(0, 35_999, "of that day", *parts)

    def _avatar(self, key: str) -> str:
        """Return a picture's hash; one in four never chose a picture, and the one Slack made begins with a g."""
        own = self.spec.number(0, 3, "own picture", key) > 0
        return self.id("{hex:12}" if own else "g{hex:11}", "avatar", key)

    def channel(self, channel: dict[str, Any]) -> Iterator[Row]:
        """Yield a channel and its members; who left the company is in none."""
        key, where = channel["key"], f"slack/channels.toml: channel '{channel['key']}'"
        kind = channel.get("kind", "channel")
        creator, channel_id = self.user_id(channel["creator"], where), self.channel_id(key)
        created = self.spec.second_ms(channel["created"], where, "channel", key) // 1000
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
            "updated": self._updated_ms(key, created),
        }
        present = [each for each in channel["members"] if self._is_present(each, where)]
        present += [app for app, said in self.apps.items() if "handle" in said and key in said.get("channels", ())]
        if kind == "im":
            row["im_user_id"] = self.account_id(present[1], where)
        row |= self._texts_of(channel, created, present, where)
        yield row
        for member in present:
            yield {"table": "members", "channel_id": channel_id, "user_id": self.account_id(member, where)}

    def _texts_of(self, channel: dict[str, Any], created: int, present: list[str], where: str) -> Row:
        """Return purpose and topic: the one is set with the channel, the other later by somebody still there."""
        key, found = channel["key"], dict[str, Any]()
        if channel.get("purpose"):
            at = created + self.spec.number(8, 240, "purpose", key)
            by = self.user_id(channel["creator"], where)
            found |= {"purpose": self.show(channel["purpose"], where), "purpose_creator": by, "purpose_last_set": at}
        if channel.get("topic"):
            people = [each for each in present if each not in self.apps]
            setter = channel["creator"] if channel["creator"] in people else people[0]
            at = self._topic_set_s(channel, setter, created, where)
            by = self.user_id(setter, where)
            found |= {"topic": self.show(channel["topic"], where), "topic_creator": by, "topic_last_set": at}
            found["updated"] = max(self._updated_ms(key, created), at * 1000)
        return found

    def _topic_set_s(self, channel: dict[str, Any], setter: str, created: int, where: str) -> int:
        """Return when a topic was set: shortly before the world's week, when its channel was there and it was true."""
        key = channel["key"]
        if "topic_set" in channel:
            return self.spec.second_ms(channel["topic_set"], where, "topic", key) // 1000
        zone = self.spec.world.person(setter, where).time_zone
        week_s, now_s = int(self.spec.at("+0 00:00", where).timestamp()), int(self.starts_at.timestamp())
        after_s = max(each for each in (created, self.topics_true_s[key]) if each < now_s)
        end_s = week_s if after_s < week_s else now_s
        return shortly_before(self.spec.number, zone, end_s, "topic", key, after_s=after_s)

    def _updated_ms(self, key: str, created: int) -> int:
        """Return when a channel was last changed: within the days after it was made."""
        age = int(self.starts_at.timestamp()) - created
        return (created + self.spec.number(300, min(age, 259_200), "channel updated", key)) * 1000

    def _is_present(self, key: str, where: str) -> bool:
        return key in self.apps or self.spec.world.person(key, where).status == "active"

    def talk(self, channel: dict[str, Any], talk: list[Message]) -> Iterator[Row]:
        """Yield the messages of a channel with their reactions, and who follows which thread."""
        channel_id = self.channel_id(channel["key"])
        placed = list(self._placed(channel["key"], talk))
        for each in placed:
            yield self._message(channel, each)
            yield from self._reactions(channel_id, each)
        yield from self._subscriptions(channel_id, placed)

    def scheduled(self, channel: dict[str, Any], talk: list[Message]) -> Iterator[ScheduledRow]:
        """Yield the messages of a channel that are still to come, and the reactions on them."""
        channel_id = self.channel_id(channel["key"])
        for each in self._placed(channel["key"], talk):
            yield ScheduledRow(each.message.at, self._message(channel, each))
            for reaction in self._reactions(channel_id, each):
                yield ScheduledRow(datetime.fromtimestamp(reaction["reacted_ms"] // 1000, UTC), reaction)

    def _placed(self, key: str, talk: list[Message]) -> Iterator[_Placed]:
        """Yield every message in order of time with its ts, which is unique in the channel and shows the minute."""
        pairs: list[tuple[Message, Message | None]] = [(message, None) for message in talk]
        pairs += [(reply, message) for message in talk for reply in message.replies]
        stamp = partial(self._ts, key, Counter(), Counter(message.at for message, _ in pairs))
        known: dict[int, str] = {}
        for message, root in sorted(pairs, key=lambda pair: pair[0].at):
            known[id(message)] = stamp(message.at)
            yield _Placed(message, known[id(message)], known[id(root)] if root else None)

    def _ts(self, key: str, used: Counter[datetime], all_of: Counter[datetime], at: datetime) -> str:
        """Return the next ts of a minute: its messages share its seconds, in the order they came."""
        nth = used[at]
        used[at] += 1
        second = (60 * nth + self.spec.number(0, 59, "slack second", key, at, nth)) // all_of[at]
        micros = nth * 1000 + self.spec.number(100, 999, "slack micros", key, at, nth)
        return f"{int(at.timestamp()) + second}.{micros:06d}"

    def _message(self, channel: dict[str, Any], placed: _Placed) -> Row:
        message, place = placed.message, placed.message.place
        row: Row = {
            "table": "messages",
            "channel_id": self.channel_id(channel["key"]),
            "ts": placed.ts,
            "thread_ts": placed.thread_ts,
        }
        if message.author in self.apps:
            return row | self._posted(message)
        if message.author not in channel["members"] and "leaves" not in message.flags:
            raise WorldError(f"{place}: '{message.author}' is not in '{channel['key']}' (slack/channels.toml)")
        author = self.user_id(message.author, place)
        row["user_id"] = author
        for flag, subtype, does in (("joins", "channel_join", "joined"), ("leaves", "channel_leave", "left")):
            if flag in message.flags:
                return row | {"text": f"<@{author}> has {does} the channel", "subtype": subtype}
        row["text"] = self.show(message.text, place)
        row["client_msg_id"] = self.id("{uuid}", "client", row["channel_id"], placed.ts)
        if "broadcast" in message.flags:
            row["subtype"] = "thread_broadcast"
        is_public = not channel.get("private") and channel.get("kind", "channel") == "channel"
        if files := [
            self._file(kind, message, is_public) for kind in ("image", "file", "voice") if kind in message.flags
        ]:
            row["files"] = as_json(files)
        if "edited" in message.flags:
            seconds, _, _ = placed.ts.partition(".")
            edited = int(seconds) + self.spec.number(20, 400, "edited", placed.ts)
            row |= {"edited_by": author, "edited_ts": f"{edited}.000000"}
        return row

    def _posted(self, message: Message) -> Row:
        """Return what an app posted: its text, or its card as an attachment."""
        app, flags, text = self.apps[message.author], message.flags, self.show(message.text, message.place)
        row: Row = {"bot_id": self._bot_id(message.author), "text": text}
        if "handle" in app:
            row["user_id"] = self.app_user_id(message.author)
        else:
            row |= {"user_id": None, "subtype": "bot_message", "username": app["name"]}
            row["icons"] = as_json({"emoji": app["emoji"]})
        if "card" in flags:
            title, colour = flags["card"], flags.get("color", "good")
            card = {"id": 1, "color": require("color", colour, _COLOURS, message.place), "fallback": title}
            row["text"] = ""
            row["attachments"] = as_json([{**card, "title": title, "text": text, "mrkdwn_in": ["text"]}])
        return row

    def _file(self, kind: str, message: Message, is_public: bool) -> dict[str, Any]:
        """Return an attached file; of an image the script says what it shows, of a voice message what is heard."""
        said, place = message.flags[kind], message.place
        parts = ("file", message.at, message.author, said)
        match kind:
            case "image":
                name = "image.png" if _PASTED.match(said) else f"IMG_{self._photo_number(message)}.jpg"
            case "voice":
                name = "audio_message.m4a"
            case _:
                name = said
        suffix = name.rpartition(".")[2].lower()
        mimetype, filetype, pretty_type, low_kb, high_kb = require("type of file", suffix, _TYPES, place)
        file = {
            "id": self.id("F0{caps36:9}", *parts),
            "name": name,
            "title": self.show(name, place),
            "mimetype": mimetype,
            "filetype": filetype,
            "pretty_type": pretty_type,
            "size": self.spec.number(low_kb * 1000, high_kb * 1000, *parts, "size"),
            "is_public": is_public,
        }
        if mimetype.startswith("image/"):
            is_phone, is_photo = bool(_PHONE_SCREEN.match(said)), suffix == "jpg"
            shapes = _PHONE_SCREENS if is_phone else _PHOTOS if is_photo else _SCREENS
            width, height = self.spec.pick(shapes, *parts, "shape")
            file |= {"original_w": width, "original_h": height}
        if kind == "image":
            file["alt_txt"] = self.show(said, place)
        if kind == "voice":
            heard = {"content": self.show(said, place), "has_more": False}
            file["transcription"] = {"status": "complete", "preview": heard}
        return file

    def _photo_number(self, message: Message) -> int:
        """Return the number of a phone's photo: they go up, at each person's own pace."""
        first, pace_s = (
            self.spec.number(*range_, "photos", message.author) for range_ in ((1000, 7000), (5_000, 40_000))
        )
        return first + int((message.at - self.starts_at).total_seconds() + 90 * 86_400) // pace_s

    def _reactions(self, channel_id: str, placed: _Placed) -> Iterator[Row]:
        posted_ms = int(placed.ts.partition(".")[0]) * 1000
        for name, person in placed.message.reactions:
            posted_ms += self.spec.number(9, 140, "reacted", placed.ts, name, person) * 1000
            yield {
                "table": "reactions",
                "channel_id": channel_id,
                "ts": placed.ts,
                "name": name,
                "user_id": self.user_id(person, placed.message.place),
                "reacted_ms": posted_ms,
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
            last_own = {each.message.author: each.ts for each in said if each.message.author not in self.apps}
            for person, ts in last_own.items():
                yield {
                    "table": "subscriptions",
                    "channel_id": channel_id,
                    "thread_ts": thread_ts,
                    "user_id": self.user_id(person),
                    "last_read": said[-1].ts if ended else ts,
                }
