"""Chats of a world's Lark: groups, and who is in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec

from ._generate_people import Company


def rows(spec: AppSpec, company: Company) -> Iterator[Row]:
    """Yield groups, their members and their bots."""
    for chat in company.chats.values():
        yield from _chat(spec, company, chat)


def _chat(spec: AppSpec, company: Company, chat: dict[str, Any]) -> Iterator[Row]:
    where = f"lark/chats.toml: chat '{chat['key']}'"
    chat_id, created = company.chat_id(chat["key"]), company.chat_made_ms(chat, where)
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
            "joined_at": created + position,  # all were invited with the chat, in this order
        }
    for position, app in enumerate(company.apps_of(chat["key"]), start=1):
        yield {
            "table": "chat_bots",
            "chat_id": chat_id,
            "app_id": company.app_id(app),
            "joined_at": created + position * 60_000 + spec.number(0, 59_999, "bot joined", chat["key"], app),
        }


def _role(chat: dict[str, Any], person: str) -> str:
    if person == chat["owner"]:
        return "owner"
    return "manager" if person in chat.get("managers", []) else "member"
