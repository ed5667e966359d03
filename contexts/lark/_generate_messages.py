"""What was said in the chats of a world's Lark, in the form in which its tools show it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, Kind, Message, ScheduledRow, Talk, Utterance, WorldError, as_json, require

from ._generate_people import Company

_MESSAGE_ID = "om_x100b{hex:27}"
_MINUTE_MS = 60_000
# The live service fills in no names of groups: a body has these four members, whatever its template asks for.
_STARTED = "{from_user} started the group chat."
_INVITED = "{from_user} invited {to_chatters} to the group."
_REMOVED = "{from_user} removed {to_chatters} from this chat."
_RENAMED = '{from_user} updated the group name from "{old_group_name}" to "{group_name}".'
# What the API gives of a card that was made with the second version of the card format.
_UNREADABLE = "请升级至最新版本客户端，以查看内容"
_BUTTONS = re.compile(r"(?:\[[^\[\]]+\] ?)+")
_LINK = re.compile(r"\[([^\[\]]+)\]\((https?://[^()\s]+)\)")
_FORWARDED = re.compile(r"([\w-]+): (.+)")
_MARK = re.compile(r"@_(?:user_\d+|all) ?")
_MOVES = ("joins", "leaves", "renames")
# What has no words beside it.
_WITHOUT_WORDS = ("file", "voice", "sticker", "video", "forward", *_MOVES)
FLAGS = ("edited", "recalled", "pinned", "thread", "post", "image", "card", *_WITHOUT_WORDS)
# Nobody speaks much faster than four characters a second.
_VOICE_MS = 230


@dataclass(frozen=True)
class _Placed:
    """A message with its id and time, and what it answers."""

    message: Message
    message_id: str
    at_ms: int
    root: _Placed | None


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield messages, each chat's in order of time; a chat begins with who opened it."""
    history = _History(spec, company)
    for chat in company.chats.values():
        yield history.opened(chat)
        for placed in history.placed[chat["key"]]:
            yield from history.messages(chat, placed)


def scheduled(spec: AppSpec, company: Company) -> Iterator[ScheduledRow]:
    """Yield what is said in the week after the start."""
    history = _History(spec, company)
    talk = history.said_in_chats(spec.scheduled_talk(FLAGS, company.apps), "scheduled")
    for key, messages in talk.items():
        for placed in history.place(key, messages):
            for row in history.messages(company.chats[key], placed):
                yield ScheduledRow(placed.message.at, row)


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield every message of the rows as it can be measured; what was forwarded was said only once."""
    speakers = {row["open_id"]: row["person"] for row in rows if row["table"] == "users"}
    speakers |= {row["app_id"]: row["name"] for row in rows if row["table"] == "bots"}
    for row in rows:
        if row["table"] != "messages" or row.get("upper_message_id"):
            continue
        at = datetime.fromtimestamp(row["created_at"] // 1000, UTC)
        yield Utterance(speakers.get(row["sender_id"], ""), at, _words(row), _kind(row))


def _kind(row: Row) -> Kind:
    match row["msg_type"], row["sender_type"]:
        case "system", _:
            return "coming or going"
        case _, "app":
            return "bot"
        case "text", _:
            return "text"
        case "post", _:
            is_picture = any(part["tag"] == "img" for line in orjson.loads(row["content"])["content"] for part in line)
            return "media" if is_picture else "text"
        case _:
            return "media"


def _words(row: Row) -> str:
    """Return what was typed: nothing of a file or a voice message, and of a text no mentions."""
    content = orjson.loads(row["content"])
    match row["msg_type"]:
        case "text":
            return _MARK.sub("", content["text"])
        case "post":
            lines = ("".join(part.get("text", "") for part in line) for line in content["content"])
            return _MARK.sub("", "\n".join(line for line in lines if line))
        case _:
            return ""


class _History:
    """All that was said before the start, by chat, with the ids and times others refer to."""

    def __init__(self, spec: AppSpec, company: Company) -> None:
        self.spec, self.company = spec, company
        talk = self.said_in_chats(spec.talk(FLAGS, company.apps), "talk")
        self.placed = {key: self.place(key, talk.get(key, [])) for key in company.chats}

    def said_in_chats(self, talk: Talk, folder: str) -> Talk:
        """Return the talk when all of it is in chats there are."""
        for key in talk:
            require("chat", key, self.company.chats, f"lark/{folder}: '## #{key}'")
        return talk

    def place(self, chat: str, talk: list[Message]) -> list[_Placed]:
        """Return the messages of a chat in order of time; those of one minute share its seconds."""
        pairs: list[tuple[Message, Message | None]] = [(message, None) for message in talk]
        pairs += [(reply, message) for message in talk for reply in message.replies]
        of_minute, used = Counter(message.at for message, _ in pairs), Counter[datetime]()
        known: dict[int, _Placed] = {}
        for message, root in sorted(pairs, key=lambda pair: pair[0].at):
            nth, drawn = used[message.at], (chat, message.at.isoformat(), message.author)
            used[message.at] += 1
            inside = (_MINUTE_MS * nth + self.spec.number(0, _MINUTE_MS - 1, "ms", *drawn, nth)) // of_minute[
                message.at
            ]
            parts = (*drawn, message.text, *message.flags.values())
            known[id(message)] = _Placed(
                message,
                self.company.id(_MESSAGE_ID, "message", *parts),
                int(message.at.timestamp()) * 1000 + inside,
                known[id(root)] if root else None,
            )
        return list(known.values())

    def opened(self, chat: dict[str, Any]) -> Row:
        """Return the line with which every group begins."""
        where = f"lark/chats.toml: chat '{chat['key']}'"
        at_ms = self.company.chat_made_ms(chat, where)
        message_id = self.company.id(_MESSAGE_ID, "started", chat["key"])
        body = _template(_STARTED, self.company.named(chat["owner"]))
        return _system(body, chat_id=self.company.chat_id(chat["key"]), message_id=message_id, at_ms=at_ms)

    def messages(self, chat: dict[str, Any], placed: _Placed) -> Iterator[Row]:
        """Yield a message, and behind a forward what is in it.

        Answers to a post, and to what is marked as a thread, stand in a thread; all others quote in the chat.
        """
        message, company = placed.message, self.company
        self._check(chat, message)
        root = placed.root
        opener = root or placed
        is_thread = bool(opener.message.replies) and not {"post", "thread"}.isdisjoint(opener.message.flags)
        chat_id = company.chat_id(chat["key"])
        if any(flag in message.flags for flag in _MOVES):
            body = self._coming_or_going(message)
            yield _system(body, chat_id=chat_id, message_id=placed.message_id, at_ms=placed.at_ms)
            return
        mentions: list[dict[str, str]] = []
        kind, content = self._content(message, mentions)
        edited, is_bot = "edited" in message.flags, message.author in company.apps
        yield _row(chat_id=chat_id, message_id=placed.message_id, at_ms=placed.at_ms) | {
            "root_id": root.message_id if root else None,
            "parent_id": root.message_id if root else None,
            "thread_id": company.id("omt_{hex:16}", "thread", opener.message_id) if is_thread else None,
            "msg_type": kind,
            "sender_id": company.app_id(message.author) if is_bot else company.open_id(message.author, message.place),
            "sender_type": "app" if is_bot else "user",
            "content": as_json(content),
            "mentions": as_json(mentions),
            "updated_at": placed.at_ms + (self._edited_after_ms(placed) if edited else 0),
            "is_deleted": int("recalled" in message.flags),
            "is_updated": int(edited),
        }
        if kind == "merge_forward":
            yield from self._forwarded(message, placed.message_id)

    def _edited_after_ms(self, placed: _Placed) -> int:
        left = self.company.now_s * 1000 - placed.at_ms - 1
        most = min(600_000, left) if left > 0 else 600_000
        return self.spec.number(min(12_000, most), most, "edited", placed.message_id)

    def _check(self, chat: dict[str, Any], message: Message) -> None:
        place, file = message.place, "apps.toml" if message.author in self.company.apps else "chats.toml"
        present = [*chat["members"], *chat.get("former", []), *self.company.apps_of(chat["key"])]
        # Who was there for a day is no member any more.
        if message.author not in present and not any(flag in message.flags for flag in _MOVES):
            raise WorldError(f"{place}: '{message.author}' is not in chat '{chat['key']}' (lark/{file})")
        if message.reactions:
            raise WorldError(f"{place}: Lark stores no reactions; use a reply")
        if message.text and (flag := next((each for each in _WITHOUT_WORDS if each in message.flags), None)):
            raise WorldError(f"{place}: in Lark what is '{flag}' has no words; say them in a message of its own")

    def _content(self, message: Message, mentions: list[dict[str, str]]) -> tuple[str, dict[str, Any]]:
        """Return type and body of a message; who is mentioned is added to ``mentions``."""
        company, flags, place = self.company, message.flags, message.place

        def mention(key: str) -> str:
            mark = f"@_user_{len(mentions) + 1}"
            named, tenant = company.named(key), company.tenant(company.people[key].organisation)
            mentions.append(
                {"key": mark, "id": company.open_id(key), "id_type": "open_id", "name": named, "tenant_key": tenant}
            )
            return mark

        text = company.show(message.text, place, user=mention)
        match next((flag for flag in flags if flag not in ("edited", "recalled", "pinned", "thread")), "text"):
            case "post":
                lines = [[{"tag": "text", "text": line}] for line in text.split("\n")]
                return "post", {"title": company.show(flags["post"], place), "content": lines}
            case "image" if text:
                picture = {"tag": "img", "image_key": self._image(flags["image"])}
                return "post", {"title": "", "content": [[picture], [{"tag": "text", "text": text}]]}
            case "image":
                return "image", {"image_key": self._image(flags["image"])}
            case "file":
                return "file", {"file_key": self._file(message, "file"), "file_name": flags["file"]}
            case "voice":
                length = len(flags["voice"]) * _VOICE_MS + self.spec.number(200, 1400, "voice", place)
                return "audio", {"file_key": self._file(message, "voice"), "duration": max(length, 1000)}
            case "video":
                key, name = self._file(message, "video"), flags["video"]
                length = self.spec.number(4, 40, "video", name) * 1000
                return "media", {"file_key": key, "image_key": self._image(name), "file_name": name, "duration": length}
            case "sticker":
                # One sticker is one file, whoever sends it.
                return "sticker", {"file_key": company.id("v3_{hex:8}-{hex:4}-{hex:4}g", "sticker", flags["sticker"])}
            case "forward":
                return "merge_forward", {"content": "Merged and Forwarded Message"}
            case "card":
                return "interactive", self._card(flags["card"], text)
            case _:
                return "text", {"text": text}

    def _image(self, shows: str) -> str:
        return self.company.id("img_v3_02{base36:2}_{uuid}", "image", shows)[:-1] + "g"

    def _file(self, message: Message, flag: str) -> str:
        parts = (message.author, message.at.isoformat(), message.flags[flag])
        return self.company.id("file_v3_00{base36:2}_{uuid}", flag, *parts)[:-1] + "g"

    def _card(self, title: str, text: str) -> dict[str, Any]:
        """Return a card as the API gives it: a title, and lines of parts without their colours and layout."""
        if not text:
            fallback = [{"tag": "img", "image_key": self._image("card")}, {"tag": "text", "text": _UNREADABLE}]
            return {"title": None, "elements": [[*fallback, {"tag": "text", "text": ""}]]}
        return {"title": title, "elements": [_card_line(line) for line in text.split("\n")]}

    def _coming_or_going(self, message: Message) -> str:
        """Return the body of a system message: who joins is invited by somebody, who leaves is removed."""
        flags, named = message.flags, self.company.named
        require("person", message.author, self.company.people, message.place)
        if "renames" in flags:
            return _template(_RENAMED, named(message.author))
        flag, template = ("joins", _INVITED) if "joins" in flags else ("leaves", _REMOVED)
        if flags[flag] not in self.company.people:
            raise WorldError(f"{message.place}: who does it? write {{{flag}: PERSON}}")
        return _template(template, named(flags[flag]), named(message.author))

    def _forwarded(self, forward: Message, upper_message_id: str) -> Iterator[Row]:
        """Yield copies of what ``{forward: CHAT: DAY TIME, DAY TIME}`` names."""
        place, said = forward.place, _FORWARDED.fullmatch(forward.flags["forward"])
        if said is None:
            raise WorldError(f"{place}: write {{forward: CHAT: -3 10:05, -3 10:07}}")
        key = said[1]
        require("chat", key, self.placed, place)
        for nth, time in enumerate(said[2].split(", ")):
            at = self.spec.at(time, place)
            found = next((each for each in self.placed[key] if each.message.at == at), None)
            if found is None:
                raise WorldError(f"{place}: nothing was said in '{key}' at '{time}'")
            original = next(iter(self.messages(self.company.chats[key], found)))
            message_id = self.company.id(_MESSAGE_ID, "forwarded", upper_message_id, nth)
            alone = {"root_id": None, "parent_id": None, "thread_id": None}
            yield original | alone | {"message_id": message_id, "upper_message_id": upper_message_id}


def _row(*, chat_id: str, message_id: str, at_ms: int) -> Row:
    return {
        "table": "messages",
        "message_id": message_id,
        "chat_id": chat_id,
        "root_id": None,
        "parent_id": None,
        "thread_id": None,
        "upper_message_id": None,
        "msg_type": "",
        "sender_id": "",
        "sender_type": "",
        "content": "{}",
        "mentions": "[]",
        "created_at": at_ms,
        "updated_at": at_ms,
        "is_deleted": 0,
        "is_updated": 0,
    }


def _system(body: str, *, chat_id: str, message_id: str, at_ms: int) -> Row:
    """Return a message of nobody's; the live service leaves its sender empty."""
    return _row(chat_id=chat_id, message_id=message_id, at_ms=at_ms) | {"msg_type": "system", "content": body}


def _template(template: str, who: str, *whom: str) -> str:
    return as_json({"template": template, "from_user": [who], "to_chatters": list(whom), "divider_text": {}})


def _card_line(line: str) -> list[dict[str, Any]]:
    """Return the parts of a card's line: ``---``, ``[Button] [Button]``, ``> a note``, or words and ``[links](…)``."""
    if line == "---":
        return [{"tag": "hr"}]
    if _BUTTONS.fullmatch(line):
        kinds = ["primary", "default"]
        labels = re.findall(r"\[([^\[\]]+)\]", line)
        return [{"tag": "button", "text": each, "type": kinds[min(nth, 1)]} for nth, each in enumerate(labels)]
    if line.startswith("> "):
        return [{"tag": "note", "elements": [{"tag": "text", "text": line[2:]}]}]
    parts: list[dict[str, Any]] = []
    at = 0
    for link in _LINK.finditer(line):
        if link.start() > at:
            parts.append({"tag": "text", "text": line[at : link.start()]})
        parts.append({"tag": "a", "href": link[2], "text": link[1]})
        at = link.end()
    if at < len(line) or not parts:
        parts.append({"tag": "text", "text": line[at:]})
    return parts
