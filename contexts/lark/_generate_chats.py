"""Chats of a world's Lark: groups, who is in them, and what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from farm.kernel import Row
from farm.world import AppSpec, Message, WorldError, require

from ._generate_people import Company, as_json

_FLAGS = ("edited", "recalled", "pinned", "post", "image", "file")


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield groups, members and messages, each chat's in order of time."""
    talk = spec.talk(_FLAGS)
    for key in talk:
        require("chat", key, company.chat_names, f"lark/talk: '## #{key}'")
    for chat in company.chats.values():
        yield from _chat(spec, company, chat)
    for chat in company.chats.values():
        yield from _messages(spec, company, chat, talk.get(chat["key"], []))


def _chat(spec: AppSpec, company: Company, chat: dict[str, Any]) -> Iterator[Row]:
    where = f"lark/chats.toml: chat '{chat['key']}'"
    created = int(spec.at(chat["created"], where).timestamp()) * 1000
    chat_id = _chat_id(company, chat["key"])
    yield {
        "table": "chats",
        "chat_id": chat_id,
        "tenant_key": company.tenant(company.home),
        "name": chat["name"],
        "description": chat["description"],
        "avatar": company.id("v3_{hex:32}", "chat avatar", chat["key"]),
        "owner_id": company.open_id(chat["owner"], where),
        "is_external": int(chat.get("external", False)),
        "chat_status": chat.get("status", "normal"),
        "moderation_permission": chat.get("moderation", "all_members"),
        "add_member_permission": chat.get("add_member", "all_members"),
        "edit_permission": chat.get("edit", "all_members"),
        "created_at": created,
    }
    for position, person in enumerate(sorted(chat["members"], key=lambda key: key != chat["owner"])):
        yield {
            "table": "chat_members",
            "chat_id": chat_id,
            "open_id": company.open_id(person, where),
            "role": _role(chat, person),
            "joined_at": created + position * 1000,
        }
    if chat.get("bot"):
        bot = company.id("cli_{hex:16}", "bot")
        yield {"table": "chat_bots", "chat_id": chat_id, "app_id": bot, "joined_at": created + 60_000}


def _role(chat: dict[str, Any], person: str) -> str:
    if person == chat["owner"]:
        return "owner"
    return "manager" if person in chat.get("managers", []) else "member"


def _chat_id(company: Company, key: str) -> str:
    return company.id("oc_{hex:32}", "chat", key)


def _messages(spec: AppSpec, company: Company, chat: dict[str, Any], talk: list[Message]) -> Iterator[Row]:
    every = [(message, None) for message in talk]
    answers = [(reply, message) for message in talk for reply in message.replies]
    minutes: Counter[int] = Counter()
    for message, root in sorted([*every, *answers], key=lambda pair: pair[0].at):
        if message.author not in chat["members"] and message.author not in chat.get("former", []):
            raise WorldError(f"{message.place}: '{message.author}' is not in chat '{chat['key']}' (lark/chats.toml)")
        if message.reactions:
            raise WorldError(f"{message.place}: Lark stores no reactions; use a reply")
        minute = int(message.at.timestamp())
        # Several in one minute keep their order; seconds and milliseconds look like a person's.
        # What draws them is older than the folder; its old name keeps every message where it was.
        drawn = (chat["key"], f"lark_chats/{message.place.removeprefix('lark/talk/')}")
        second = minutes[minute] * 13 + spec.number(0, 11, "second", *drawn)
        minutes[minute] += 1
        at_ms = (minute + min(second, 59)) * 1000 + spec.number(0, 999, "ms", *drawn)
        yield _message(spec, company, chat["key"], message, root, at_ms)


def _message_id(company: Company, message: Message) -> str:
    return company.id("om_{hex:32}", "message", message.author, message.at.isoformat(), message.text)


def _message(spec: AppSpec, company: Company, chat: str, message: Message, root: Message | None, at_ms: int) -> Row:
    """Return one message. A post opens a thread; answers to anything else quote it in the chat."""
    mentions: list[dict[str, str]] = []

    def mention(key: str) -> str:
        mark = f"@_user_{len(mentions) + 1}"
        named = company.named(key)
        tenant = company.tenant(company.people[key].organisation)
        mentions.append(
            {"key": mark, "id": company.open_id(key), "id_type": "open_id", "name": named, "tenant_key": tenant}
        )
        return mark

    text = company.show(message.text, message.place, user=mention)
    kind, content = _content(company, message, text)
    opener = root or message
    thread = company.id("omt_{hex:16}", "thread", _message_id(company, opener)) if "post" in opener.flags else None
    edited = "edited" in message.flags
    return {
        "table": "messages",
        "message_id": _message_id(company, message),
        "chat_id": _chat_id(company, chat),
        "root_id": _message_id(company, root) if root else None,
        "parent_id": _message_id(company, root) if root else None,
        "thread_id": thread if opener.replies else None,
        "msg_type": kind,
        "sender_id": company.open_id(message.author, message.place),
        "content": as_json(content),
        "mentions": as_json(mentions),
        "created_at": at_ms,
        "updated_at": at_ms + (137_000 if edited else 0),
        "is_deleted": int("recalled" in message.flags),
        "is_updated": int(edited),
    }


def _content(company: Company, message: Message, text: str) -> tuple[str, dict[str, Any]]:
    if "post" in message.flags:
        lines = [[{"tag": "text", "text": line}] for line in text.split("\n")]
        return "post", {"title": company.show(message.flags["post"], message.place), "content": lines}
    if "image" in message.flags:
        picture = {"tag": "img", "image_key": company.id("img_v3_{hex:32}", "image", message.flags["image"])}
        return "post", {"title": "", "content": [[picture], [{"tag": "text", "text": text}]]}
    if "file" in message.flags:
        name = message.flags["file"]
        return "file", {"file_key": company.id("file_v3_{hex:32}", "file", name), "file_name": name}
    return "text", {"text": text}
