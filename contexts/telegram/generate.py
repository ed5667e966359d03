"""What Telegram stores of a world: its people's chats, and what each account holder keeps of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import PurePosixPath
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import (
    Account,
    AppSpec,
    Kind,
    Message,
    ScheduledRow,
    Talk,
    Utterance,
    WorldError,
    check_keys,
    require,
)

from .files import ACCOUNT, BOTS, CHATS, HOLDERS, USERS

FLAGS = ("edited", "pinned", "joins", "leaves", "image", "file", "voice", "sticker", "video")
_FILTERS = ("contacts", "non_contacts", "groups", "broadcasts", "bots", "exclude_muted", "exclude_read",
            "exclude_archived")  # fmt: skip
_RIGHTS = ["change_info", "delete_messages", "invite_users", "pin_messages"]
_EMOJI = {
    "+1": "👍", "heart": "❤", "fire": "🔥", "clap": "👏", "joy": "🤣", "cry": "😢", "tada": "🎉", "pray": "🙏",
    "eyes": "👀", "100": "💯", "ok": "👌", "think": "🤔", "sunglasses": "😎", "heart_eyes": "😍",
}  # fmt: skip
# Kind of attachment → its kind, MIME type and sizes in kB.
_MEDIA = {
    "image": ("photo", None, 90, 700),
    "voice": ("voice", "audio/ogg", 20, 160),
    "sticker": ("sticker", "image/webp", 12, 40),
    "video": ("video", "video/mp4", 900, 9_000),
    "file": ("document", None, 20, 900),
}
_MIME = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv",
    "txt": "text/plain",
    "zip": "application/zip",
    "png": "image/png",
}
_DEFAULTS = {
    *((key, 0) for key in ("is_verified", "is_guarded", "is_muted", "slow_mode_s", "more_members")),
    *((key, "") for key in ("about", "title")),
    ("role", "member"),
    ("banned_rights", "[]"),
}
_CHANNEL_MARK = 1_000_000_000_000
# How far the numbers of what comes later stand from those of the start, so that nothing an agent writes has one.
_SCHEDULED_OFFSET = 1_000
# The longest pause between two who join a chat.
_JOINED_AFTER_S = {"group": 5_400, "supergroup": 200_000, "channel": 200_000}


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Telegram, messages in order of time."""
    yield from map(_without_defaults, _Telegram(spec).rows())


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what is said in the week after the start."""
    yield from (ScheduledRow(each.at, _without_defaults(each.row)) for each in _Telegram(spec).scheduled())


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield every message of the rows as it can be measured."""
    people = {row["user_id"]: row.get("person") or row.get("username", "") for row in rows if row["table"] == "users"}
    bots = {row["user_id"] for row in rows if row["table"] == "users" and row.get("is_bot")}
    for row in rows:
        if row["table"] == "messages":
            kind: Kind = "media" if row.get("media_id") else "text"
            sender = row.get("sender_id")
            kind = "bot" if sender is None or sender in bots else kind
            kind = "coming or going" if row.get("text") is None else kind
            sent_at = datetime.fromtimestamp(row["sent_s"], UTC)
            yield Utterance(people.get(sender, ""), sent_at, row.get("text") or "", kind)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and username that Telegram shows."""
    people = [row for row in made if row["table"] == "users" and row.get("person")]
    return {
        row["person"]: {
            "name": " ".join(each for each in (row["first_name"], row.get("last_name")) if each),
            "handle": row.get("username", ""),
        }
        for row in people
    }


@dataclass(frozen=True)
class _Holder:
    """Somebody as whom one may play: their key and number, and what their account keeps, read from ``where``."""

    key: str
    user_id: int
    where: str
    kept: dict[str, Any]


@dataclass(frozen=True)
class _Placed:
    """A message with its number and the second it was sent."""

    message: Message
    number: int
    answers: int | None
    sent_s: int


class _Telegram:
    """The ids and texts of one world's Telegram."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.me = spec.world.protagonist
        require("person with Telegram", self.me, spec.members, spec.where("accounts.toml"))
        self.chats = spec.read_keyed(CHATS)["chats"]
        self.bots = spec.read_keyed(BOTS)["bots"]
        self.strangers = spec.read_keyed(USERS)["users"]
        self.account_data = spec.read(ACCOUNT)
        self.holders = [_Holder(self.me, self.user_id(self.me), spec.where(ACCOUNT.path), self.account_data)]
        self.holders += self._other_holders()
        self.references = {"user": self._mention, "doc": lambda key: spec.link(key).address}

    # -- ids --

    def user_id(self, key: str, where: str = "telegram") -> int:
        """Return the number of a person, a bot or a stranger."""
        if key not in self.bots and key not in self.strangers:
            require("person with Telegram", key, self.spec.members, where)
        return self.spec.number(5_100_000_000, 7_900_000_000, "user", key)

    def chat_id(self, key: str) -> int:
        """Return the number of a chat; of a private one nobody sees it."""
        kind = self.chats[key]["kind"]
        low, high = {
            "private": (9_000_000_000_001, 9_999_999_999_999),
            "group": (4_000_000_000, 4_900_000_000),
        }.get(kind, (1_200_000_000, 2_900_000_000))
        return self.spec.number(low, high, "chat", key)

    def pair(self, chat: dict[str, Any]) -> tuple[str, str]:
        """Return the two people of a private chat; they are one where somebody saves messages."""
        where = self._where(chat)
        if ("with" in chat) == ("between" in chat):
            raise WorldError(f"{where} is private; name the other person in 'with', or both in 'between'")
        people = [self.me, chat["with"]] if "with" in chat else chat["between"]
        if len(people) != 2:
            raise WorldError(f"{where}: 'between' names {len(people)}, and a private chat has two people")
        return people[0], people[1]

    def members(self, chat: dict[str, Any]) -> list[str]:
        """Return the keys of everybody who is in a chat, its creator and admins first and strangers last."""
        if chat["kind"] == "private":
            return [*dict.fromkeys(self.pair(chat))]
        first = [chat["creator"], *chat.get("admins", [])]
        bots = [bot["key"] for bot in self.bots.values() if chat["key"] in bot.get("chats", ())]
        strangers = [user["key"] for user in self.strangers.values() if chat["key"] in user["chats"]]
        return [*first, *(key for key in chat["members"] if key not in first), *bots, *strangers]

    def peer_id(self, key: str, owner: str) -> int:
        """Return a chat's number with its mark, as its member ``owner`` sees it: a private one has the other's."""
        chat = self.chats[key]
        if chat["kind"] == "private":
            low, high = self.pair(chat)
            return self.user_id(high if low == owner else low, self._where(chat))
        return -self.chat_id(key) if chat["kind"] == "group" else -_CHANNEL_MARK - self.chat_id(key)

    def own_chat(self, key: str, holder: _Holder) -> dict[str, Any]:
        """Return a chat that a holder is in."""
        own = {name: chat for name, chat in self.chats.items() if holder.key in self.members(chat)}
        return require(f"chat of '{holder.key}'", key, own, holder.where)

    def _other_holders(self) -> Iterator[_Holder]:
        for path, kept in self.spec.read_every(HOLDERS):
            key, where = PurePosixPath(path).stem, self.spec.where(path)
            if key == self.me:
                raise WorldError(f"{where}: '{key}' is the protagonist, whose account is {ACCOUNT.path}")
            yield _Holder(key, self.user_id(key, where), where, kept)

    def _where(self, chat: dict[str, Any]) -> str:
        return f"{self.spec.where('chats.toml')}: chat '{chat['key']}'"

    def _s(self, at: str, where: str, *parts: object) -> int:
        """Return a second of a minute; ``parts`` say of what."""
        return self.spec.second_ms(at, where, *parts) // 1000

    def _mention(self, key: str) -> str:
        if key in self.bots:
            return f"@{self.bots[key]['username']}"
        if key not in self.spec.members:
            raise ValueError(f"no person with Telegram '{key}'")
        account = self.spec.accounts[key]
        return f"@{account.handle}" if account.handle else _name(account)

    # -- rows --

    def rows(self) -> Iterator[Row]:
        for key, account in self.spec.accounts.items():
            yield self._user(key, account)
        for bot in self.bots.values():
            yield self._bot(bot)
        for stranger in self.strangers.values():
            yield self._stranger(stranger)
        for holder in self.holders:
            yield from self._own(holder)
        yield from self._photos()
        talk = self._talk(self.spec.talk(FLAGS, self.bots | self.strangers), "talk")
        placed = {key: list(each) for key, each in self._placed(talk, first=True).items()}
        for key, chat in self.chats.items():
            yield from self._chat(chat, placed.get(key, []))
            yield from self._dialogs(chat, placed.get(key, []))
        for key, messages in placed.items():
            for each in messages:
                yield from self._message(self.chats[key], each)
        # The servers listen since the world began.
        starts_s = int(self.spec.world.starts_at.timestamp())
        later = count(1)  # one counter: two people may wait in one chat
        for holder in self.holders:
            yield from self._drafts(holder)
            yield from self._lists(holder)
            yield from self._later(holder, later)
            yield {"table": "listeners", "owner_id": holder.user_id, "started_s": starts_s}

    def scheduled(self) -> Iterator[ScheduledRow]:
        talk = self._talk(self.spec.scheduled_talk(FLAGS, self.bots | self.strangers), "scheduled")
        for key, messages in self._placed(talk, first=False).items():
            for each in messages:
                for row in self._message(self.chats[key], each):
                    at = row["reacted_s"] if row["table"] == "reactions" else each.sent_s
                    yield ScheduledRow(datetime.fromtimestamp(at, UTC), row)

    def _talk(self, talk: Talk, folder: str) -> Talk:
        for key in talk:
            require("chat", key, self.chats, f"telegram/{folder}: '## #{key}'")
        return talk

    def _user(self, key: str, account: Account) -> Row:
        if account.person is None:
            raise WorldError(f"{self.spec.where('accounts.toml')}: '{key}' is no person; Telegram has none but people")
        name = _name(account)
        # Chinese names stand whole in the first field, as most people leave the other one empty.
        first, _, last = name.partition(" ")
        status = account.more.get("status", "recently")
        starts_s = int(self.spec.world.starts_at.timestamp())
        seen = {"online": starts_s + 240, "offline": starts_s - self.spec.number(300, 40_000, "seen", key)}
        return {
            "table": "users",
            "user_id": self.user_id(key),
            "person": key,
            "first_name": account.more.get("first", first),
            "last_name": account.more.get("last", last) or None,
            "username": account.handle or None,
            "phone": "".join(filter(str.isdigit, account.owner.phone)) or None,
            "about": account.more.get("about", ""),
            "status": status,
            "status_s": seen.get(status),
        }

    def _bot(self, bot: dict[str, Any]) -> Row:
        commands = [{"command": name, "description": what} for name, what in bot.get("commands", {}).items()]
        names = {"first_name": bot["name"], "last_name": None, "username": bot["username"]}
        more = {"about": bot.get("about", ""), "is_bot": 1, "commands": _json(commands)}
        return {"table": "users", "user_id": self.user_id(bot["key"]), **names, **more}

    def _stranger(self, user: dict[str, Any]) -> Row:
        where = f"{self.spec.where(USERS.path)}: user '{user['key']}'"
        for key in user["chats"]:
            require("chat", key, {name: chat for name, chat in self.chats.items() if chat["kind"] != "private"}, where)
        first, _, last = user["name"].partition(" ")
        names = {"first_name": first, "last_name": last or None, "username": user.get("username")}
        return {
            "table": "users",
            "user_id": self.user_id(user["key"]),
            **names,
            "status": user.get("status", "recently"),
        }

    def _own(self, holder: _Holder) -> Iterator[Row]:
        """Yield what an account keeps: contacts, blocks, sticker sets, and the files of its server's machine."""
        where, own = holder.where, holder.user_id
        for said in holder.kept.get("dialogs", []):
            self.own_chat(said["chat"], holder)
        for said in holder.kept.get("contacts", []):
            yield from self._contacts(holder, said)
        for said in holder.kept.get("blocked", []):
            blocked = {
                "peer_id": self.user_id(said["person"], where),
                "blocked_s": self._s(said["at"], where, "blocked", own),
            }
            yield {"table": "blocks", "owner_id": own, **blocked}
        for position, title in enumerate(holder.kept.get("sticker_sets", []), start=1):
            yield {"table": "sticker_sets", "owner_id": own, "position": position, "title": title}
        for path in holder.kept.get("folders", []):
            yield {"table": "files", "owner_id": own, "path": path, "kind": "folder"}
        for path, size in holder.kept.get("files", {}).items():
            shape = {"width": 1600, "height": 1200} if path.endswith((".png", ".jpg")) else {}
            yield {"table": "files", "owner_id": own, "path": path, "size_bytes": size, **shape}

    def _contacts(self, holder: _Holder, said: dict[str, Any]) -> Iterator[Row]:
        """Yield a contact and, if it is mutual, the holder in theirs, unless they list the holder by themselves."""
        key = said["person"]
        row = self._user(key, require("person with Telegram", key, self.spec.accounts, holder.where))
        first, last = said.get("first", row["first_name"]), said.get("last", row["last_name"])
        names = {"first_name": first, "last_name": last if "first" not in said else said.get("last")}
        yield {"table": "contacts", "owner_id": holder.user_id, "user_id": row["user_id"], **names}
        if said.get("mutual", True) and not self._has_contact(key, holder.key):
            own = self._user(holder.key, self.spec.accounts[holder.key])
            names = {"first_name": own["first_name"], "last_name": own["last_name"]}
            yield {"table": "contacts", "owner_id": row["user_id"], "user_id": holder.user_id, **names}

    def _has_contact(self, owner: str, key: str) -> bool:
        """Whether somebody is a holder who lists a contact by himself."""
        listed = (each["person"] for holder in self.holders if holder.key == owner for each in holder.kept["contacts"])
        return key in listed

    def _photos(self) -> Iterator[Row]:
        where = self.spec.where(ACCOUNT.path)
        for key, at in self.account_data.get("photos", {}).items():
            photo_id = self.spec.number(10**18, 9 * 10**18, "photo", key)
            is_user = key in self.spec.members or key in self.bots
            peer_id = self.user_id(key, where) if is_user else self.peer_id(key, self.me)
            yield {
                "table": "photos",
                "photo_id": photo_id,
                "peer_id": peer_id,
                "made_s": self._s(at, where, "photo", key),
            }

    def _chat(self, chat: dict[str, Any], placed: list[_Placed]) -> Iterator[Row]:
        where, number = self._where(chat), self.chat_id(chat["key"])
        if chat["kind"] == "private":
            low, high = sorted(self.user_id(key, where) for key in self.pair(chat))
            yield {"table": "chats", "chat_id": number, "kind": "private", "low_id": low, "high_id": high}
            for user_id in sorted({low, high}):
                yield {"table": "members", "chat_id": number, "user_id": user_id}
            return
        created = self._s(chat["created"], where, "chat", chat["key"])
        if placed and placed[0].sent_s <= created:  # both minutes may have been left open
            created = placed[0].sent_s - self.spec.number(20, 200, "chat before", chat["key"])
        yield {
            "table": "chats",
            "chat_id": number,
            "kind": chat["kind"],
            "title": chat["title"],
            "username": chat.get("username"),
            "about": chat.get("about", ""),
            "created_s": created,
            "is_verified": int(chat.get("verified", False)),
            "is_guarded": int(chat.get("guarded", False)),
            "banned_rights": _json(chat.get("banned", [])),
            "reactions": _json(chat["reactions"]) if "reactions" in chat else None,
            "slow_mode_s": chat.get("slow_mode_s", 0),
            "more_members": chat.get("more_members", 0),
        }
        creator, admins = chat["creator"], chat.get("admins", [])
        rights = (
            [*_RIGHTS, "ban_users"] if chat["kind"] == "supergroup" else ["post_messages", "edit_messages", *_RIGHTS]
        )
        joined = self._joined_s(chat, created, placed)
        for key in self.members(chat):
            role = "creator" if key == creator else "admin" if key in admins else "member"
            row = {
                "chat_id": number,
                "user_id": self.user_id(key, where),
                "role": role,
                "since_s": joined[key],
            }
            if role == "admin":
                row |= {"rights": _json(rights), "by_id": self.user_id(creator, where)}
            yield {"table": "members", **row}
        for hash_, said in self.account_data.get("invites", {}).items():
            if said == chat["key"]:
                by, made_s = self.user_id(creator, where), created + self.spec.number(20, 400, "invite", hash_)
                yield {"table": "invites", "hash": hash_, "chat_id": number, "admin_id": by, "made_s": made_s}

    def _joined_s(self, chat: dict[str, Any], created: int, placed: list[_Placed]) -> dict[str, int]:
        """Return when each member came: one after the other, before the first message that there is."""
        members, at_s, joined = self.members(chat), created, dict[str, int]()
        first_s = min((each.sent_s for each in placed), default=int(self.spec.world.starts_at.timestamp()))
        for left, key in zip(range(len(members), 0, -1), members, strict=True):
            joined[key] = at_s
            pause_s = min(_JOINED_AFTER_S[chat["kind"]], (first_s - at_s) // left)
            at_s += self.spec.number(1, max(1, pause_s), "joined", chat["key"], key)
        return joined

    def _dialogs(self, chat: dict[str, Any], placed: list[_Placed]) -> Iterator[Row]:
        """Yield how a chat stands in the list of every holder who is in it."""
        members = self.members(chat)
        if self.me not in members and chat.keys() & {"unread", "pin", "muted"}:
            raise WorldError(f"{self._where(chat)}: unread, pin and muted are the protagonist's, who is not in it")
        for holder in self.holders:
            if holder.key == self.me and self.me in members:
                yield self._dialog(chat, holder, chat, placed, self._where(chat))
            elif holder.key in members:
                said = {each["chat"]: each for each in holder.kept["dialogs"]}.get(chat["key"], {})
                yield self._dialog(chat, holder, said, placed, f"{holder.where}: dialog '{chat['key']}'")

    def _dialog(
        self, chat: dict[str, Any], holder: _Holder, said: dict[str, Any], placed: list[_Placed], where: str
    ) -> Row:
        """Return how far a holder has read: up to the last few that others sent."""
        unread = said.get("unread", 0)
        others = [each.number for each in placed if each.message.author != holder.key]
        if unread > len(others):
            raise WorldError(f"{where}: {unread} unread, and others sent {len(others)}")
        read = others[-unread] - 1 if unread else max((each.number for each in placed), default=0)
        kept = {"pin": said.get("pin"), "is_muted": int(said.get("muted", False)), "read_id": read}
        kept |= {"is_archived": 1} if said.get("archived") else {}
        return {"table": "dialogs", "user_id": holder.user_id, "chat_id": self.chat_id(chat["key"]), **kept}

    def _placed(self, talk: Talk, *, first: bool) -> dict[str, list[_Placed]]:
        """Number all messages: private chats and groups together, every supergroup and channel by itself.

        Telegram counts the messages of private chats and groups account by account. Here one number is everybody's, so
        each account sees numbers that rise with time over all of its chats, with gaps where others wrote.
        """
        counts = {"": 0, **dict.fromkeys(self.chats, 1)}
        if first:
            counts[""] = self.spec.number(3_000, 9_000, "first number")
        if not first:
            # The start's numbers, and a gap.
            before = self._placed(self._talk(self.spec.talk(FLAGS, self.bots | self.strangers), "talk"), first=True)
            for key, messages in before.items():
                name = self._counter(key)
                counts[name] = max([counts[name], *(each.number for each in messages)])
            counts = {name: count + _SCHEDULED_OFFSET for name, count in counts.items()}
        pairs = [
            (message, key, root)
            for key, messages in talk.items()
            for root in messages
            for message in (root, *root.replies)
        ]
        known: dict[int, int] = {}
        last_s: dict[str, int] = {}
        placed: dict[str, list[_Placed]] = {key: [] for key in talk}
        for message, key, root in sorted(pairs, key=lambda pair: pair[0].at):
            counter, at_s = self._counter(key), int(message.at.timestamp())
            counts[counter] += 1
            number = known[id(message)] = counts[counter]
            # What has a larger number was never sent earlier.
            drawn_s = at_s + self.spec.number(0, 50, "second", message.place)
            last_s[counter] = max(drawn_s, last_s.get(counter, 0) + 1)
            answers = None if root is message else known[id(root)]
            placed[key].append(_Placed(message, number, answers, last_s[counter]))
        return placed

    def _counter(self, key: str) -> str:
        return "" if self.chats[key]["kind"] in ("private", "group") else key

    def _message(self, chat: dict[str, Any], each: _Placed) -> Iterator[Row]:
        message, number = each.message, self.chat_id(chat["key"])
        sent = each.sent_s
        is_posted = chat["kind"] == "channel"
        row: Row = {
            "table": "messages",
            "chat_id": number,
            "message_id": each.number,
            "sender_id": None if is_posted else self.user_id(message.author, message.place),
            "sent_s": sent,
            "reply_to": each.answers,
        }
        action = next((flag for flag in ("joins", "leaves") if flag in message.flags), None)
        if action is not None:
            yield {**row, "action": action.removesuffix("s"), "text": None}
            return
        media = next((flag for flag in _MEDIA if flag in message.flags), None)
        if media is not None:
            stored = self._media(media, message.flags[media], message.place, sent)
            row["media_id"] = stored["media_id"]
            yield stored
        row["text"] = self.spec.text(message.text, self.references, message.place)
        row |= {"edited_s": self._within_s(sent, 400, "edited", message.place)} if "edited" in message.flags else {}
        row |= {"is_pinned": 1} if "pinned" in message.flags else {}
        if message.author in self.bots:
            row |= self._buttons(message)
        yield row
        reacted_s = sent
        for name, person in message.reactions:
            reacted_s = self._within_s(reacted_s, 140, "reacted", message.place, person)
            emoji = require("reaction", name, _EMOJI, message.place)
            reaction = {"user_id": self.user_id(person, message.place), "emoji": emoji, "reacted_s": reacted_s}
            yield {"table": "reactions", "chat_id": number, "message_id": each.number, **reaction}

    def _within_s(self, at_s: int, most: int, *parts: object) -> int:
        """Return a drawn second that follows another within some time, and before the world starts if that did."""
        starts_s = int(self.spec.world.starts_at.timestamp())
        left = starts_s - at_s - 1 if at_s < starts_s else most
        return at_s + self.spec.number(1, max(1, min(most, left)), *parts)

    def _media(self, flag: str, what: str, place: str, made_s: int) -> Row:
        kind, mime, low, high = _MEDIA[flag]
        seed = place
        media_id = self.spec.number(10**18, 9 * 10**18, "media", seed)
        row: Row = {"table": "media", "media_id": media_id, "kind": kind, "made_s": made_s}
        if kind == "photo":
            return {**row, "width": 1280, "height": 960}
        size = self.spec.number(low, high, "size", seed) * 1024 + self.spec.number(0, 1023, "rest", seed)
        row |= {"mime_type": mime or require("type of file", what.rpartition(".")[2], _MIME, place), "size_bytes": size}
        if kind == "document":
            return {**row, "file_name": what}
        if kind == "sticker":
            return {**row, "file_name": "sticker.webp", "emoji": what, "width": 512, "height": 512}
        return {**row, "duration_s": self.spec.number(4, 50, "duration", seed)} | (
            {"width": 1280, "height": 720} if kind == "video" else {}
        )

    def _buttons(self, message: Message) -> Row:
        """Return the buttons of a bot's message: those whose text it begins with."""
        for post in self.bots[message.author].get("posts", []):
            check_keys(post, "begins buttons", f"{self.spec.where('bots.toml')}: '{message.author}'")
            if message.text.startswith(post["begins"]):
                return {"buttons": _json(post["buttons"])}
        return {}

    def _drafts(self, holder: _Holder) -> Iterator[Row]:
        where, own = holder.where, holder.user_id
        for said in holder.kept.get("drafts", []):
            self.own_chat(said["chat"], holder)
            row = {
                "text": self.spec.text(said["text"], self.references, where),
                "saved_s": self._s(said["at"], where, "draft", own),
            }
            yield {"table": "drafts", "user_id": own, "peer_id": self.peer_id(said["chat"], holder.key), **row}
        for key, rules in holder.kept.get("privacy", {}).items():
            yield {"table": "privacy", "owner_id": own, "key": key, "rules": _json(rules)}

    def _lists(self, holder: _Holder) -> Iterator[Row]:
        """Yield the folders of the list of chats."""
        where, own = holder.where, holder.user_id
        for nth, said in enumerate(holder.kept.get("lists", []), start=1):
            chats, filters = said.get("chats", []), said.get("filters", [])
            for key in chats:
                self.own_chat(key, holder)
            for name in filters:
                require("filter", name, dict.fromkeys(_FILTERS), where)
            yield {
                "table": "folders",
                "owner_id": own,
                "folder_id": nth + 1,
                "position": nth,
                "title": said["title"],
                "emoticon": said.get("emoticon"),
                "filters": _json(filters),
                "included": _json([self.peer_id(key, holder.key) for key in chats]),
            }

    def _later(self, holder: _Holder, numbers: Iterator[int]) -> Iterator[Row]:
        """Yield the messages that are to be sent."""
        where, own = holder.where, holder.user_id
        for said in holder.kept.get("later", []):
            self.own_chat(said["chat"], holder)
            row = {"chat_id": self.chat_id(said["chat"]), "message_id": next(numbers), "sender_id": own}
            text = self.spec.text(said["text"], self.references, where)
            yield {
                "table": "scheduled_messages",
                **row,
                "text": text,
                "due_s": int(self.spec.at(said["at"], where).timestamp()),
            }


def _name(account: Account) -> str:
    """Return the name that somebody gave Telegram: the one of the language they write."""
    is_english = account.person is not None and account.person.language == "en"
    return account.name or (account.owner.name_en if is_english else account.owner.name)


def _without_defaults(row: Row) -> Row:
    """Return a row without what its columns hold anyway."""
    return {key: value for key, value in row.items() if value is not None and (key, value) not in _DEFAULTS}


def _json(value: Iterable[Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
