"""The list of chats, what each is, and which ones are shared with somebody."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result

from . import texts
from .chats import Dialog, dialogs
from .errors import ChannelPrivate, Failed, NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .messages import message_rows
from .peers import (
    INSIDE,
    Peer,
    as_peer,
    find_chat_id,
    full_name,
    me,
    named,
    require,
    require_contacts,
    require_named,
    require_readable,
    require_user,
    role,
)
from .sanitize import clean_name, clean_text
from .tl_builders import count_members

TYPES = {"user": "User", "group": "Group (Basic)", "supergroup": "Supergroup", "channel": "Channel"}
_FILTERS = {"user": "user", "group": "group", "supergroup": "group", "channel": "channel"}
_COMMON_MAX = 100
_ABOUT_MAX, _LONG_ABOUT_MAX = 200, 1024
# Telegram keeps who read what in groups up to this size, for a week.
_READ_BY_MEMBERS_MAX = 100
_READ_BY_S_MAX = 7 * 86_400


@addressed()
def get_chats(ep: Episode, *, page: int = 1, page_size: int = 20) -> Result:
    """Return one page of the list, cut out as Python cuts: a page below 1 counts from the end."""
    found = dialogs(ep)
    start = (page - 1) * page_size
    if start >= len(found):
        raise ToolMessage("Page out of range.")
    return results(
        {"chat_id": each.peer.marked, "title": clean_name(each.peer.title)} for each in found[start : start + page_size]
    )


@addressed()
def list_chats(
    ep: Episode,
    *,
    chat_type: str | None = None,
    limit: int = 20,
    unread_only: bool = False,
    unmuted_only: bool = False,
    archived: bool | None = None,
    with_about: bool = False,
) -> Result:
    """Return the first chats of the list or of the archive, and of these the ones that are asked for."""
    listed = [each for each in dialogs(ep) if archived is None or each.is_archived == archived]
    records = [
        _listed(each, with_about=with_about)
        for each in listed[: max(limit, 0)]
        if (not chat_type or _FILTERS[each.peer.kind] == chat_type.lower())
        and not (unmuted_only and each.is_muted)
        and not (unread_only and not each.unread and not each.is_marked)
    ]
    if not records:
        raise ToolMessage("No chats found matching the criteria.")
    return results(records)


def _listed(each: Dialog, *, with_about: bool) -> dict[str, Any]:
    told = {"chat_id": each.peer.marked, **describe(each.peer)} | {"unread": each.unread}
    told |= {"unread_mark": True} if each.is_marked else {}
    told |= {"muted": each.is_muted, "archived": each.is_archived}
    return told | ({"about": clean_text(each.peer.row["about"], _ABOUT_MAX)} if with_about else {})


def describe(peer: Peer) -> dict[str, Any]:
    """Return name, type and username of a peer."""
    row = peer.row
    if peer.is_user:
        # A user without a given name is called None.
        last = f" {row['last_name']}" if row["last_name"] else ""
        told = {"name": clean_name(f"{row['first_name']}{last}")}
    else:
        told = {"title": clean_name(row["title"])}
    told["type"] = TYPES[peer.kind]
    return told | ({"username": row["username"]} if row["username"] else {})


@addressed("chat_id")
def get_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Return what a chat is, what is unread there and what was said last."""
    peer = require(ep, chat_id)
    told = {"id": peer.marked, **describe(peer)}
    if peer.is_user:
        row = peer.row
        told |= {"phone": row["phone"]} if row["phone"] else {}
        told |= {"bot": bool(row["is_bot"]), "verified": bool(row["is_verified"])}
    else:
        is_out = peer.kind == "group" and role(ep, peer.id) not in INSIDE
        told["participants"] = 0 if is_out else count_members(ep, peer.id)
    listed = next((each for each in dialogs(ep) if each.peer.marked == peer.marked), None)
    told |= {"unread": listed.unread if listed else 0, "archived": listed is not None and listed.is_archived}
    return results([], **told, **_last_message(ep, peer))


def _last_message(ep: Episode, peer: Peer) -> dict[str, Any]:
    try:
        found = message_rows(ep, require_readable(ep, peer), limit=1)
    except ChannelPrivate:
        return {}
    if not found:
        return {}
    (row,) = found
    name = row["title"] if row["sender_id"] is None else full_name(row)
    told = {"sender": clean_name(name or "Unknown"), "date": texts.iso(row["sent_s"]), "text": clean_text(row["text"])}
    return {"last_message": told}


@addressed()
def get_full_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Return what is known of a group or channel, with its description."""
    peer = require_named(ep, chat_id)
    if peer.is_user:
        raise NotFitting
    row = peer.row
    is_out = peer.kind == "group" and role(ep, peer.id) not in INSIDE
    told = {
        "id": peer.marked,
        "title": clean_name(row["title"]),
        "username": row["username"],
        "about": clean_text(row["about"], _LONG_ABOUT_MAX),
        "participants_count": None if is_out else count_members(ep, peer.id),
        "linked_chat_id": None,
    }
    return json.dumps(told, ensure_ascii=False)


@addressed()
def get_direct_chat_by_contact(ep: Episode, *, contact_query: str) -> Result:
    """Return the private chats with contacts whose name, username or phone holds some text."""
    found = require_contacts(ep, contact_query)
    listed = {each.peer.id: each for each in dialogs(ep) if each.peer.is_user}
    records = []
    for row in found:
        if each := listed.get(row["user_id"]):
            told = {"chat_id": each.peer.id, "contact": clean_name(named(row))}
            told |= {"username": row["username"]} if row["username"] else {}
            records.append(told | ({"unread": each.unread} if each.unread else {}))
    if not records:
        names = ", ".join(clean_name(named(row)) for row in found)
        raise ToolMessage(f"Found contacts: {names}, but no direct chats were found with them.")
    return results(records)


@addressed("contact_id")
def get_contact_chats(ep: Episode, *, contact_id: Id) -> Result:
    """Return the private chat with somebody, by their number only; the server's way to groups is none of Telethon's."""
    peer = require(ep, contact_id)
    if not peer.is_user:
        raise ToolMessage(f"ID {contact_id} is not a user/contact.")
    name = clean_name(named(peer.row))
    records = [
        {"chat_id": each.peer.id, "type": "Private"} | ({"unread": each.unread} if each.unread else {})
        for each in dialogs(ep)
        if each.peer.is_user and each.peer.id == contact_id
    ]
    if not records:
        raise ToolMessage(f"No chats found with {name} (ID: {contact_id}).")
    return results(records, contact_name=name, contact_id=contact_id)


@addressed("user_id")
def get_common_chats(ep: Episode, *, user_id: Id, limit: int = 100, max_id: int = 0) -> Result:
    """Return the groups and supergroups that somebody and the account are both in, the largest id first.

    Reads all members: the account's chats, of which those with the user are listed.
    """
    peer = require_user(ep, user_id)
    if not -(2**63) <= max_id < 2**63:
        raise NotFitting
    if peer.id == me(ep):
        raise Refused("USER_ID_INVALID")
    found = ep.db.all(
        "SELECT c.* FROM members a JOIN members b USING (chat_id) JOIN chats c USING (chat_id) "
        "WHERE a.user_id = ? AND b.user_id = ? AND c.kind IN ('group', 'supergroup') "
        "AND a.role IN ('creator', 'admin', 'member') AND b.role IN ('creator', 'admin', 'member') "
        "AND (? = 0 OR c.chat_id < ?) ORDER BY c.chat_id DESC LIMIT ?",
        me(ep),
        peer.id,
        max_id,
        max_id,
        min(max(limit, 1), _COMMON_MAX),
    )
    if not found:
        raise ToolMessage(f"No common chats found with user {user_id}.")
    return "\n".join(_common_line(as_peer(row)) for row in found)


def _common_line(peer: Peer) -> str:
    title, username = peer.row["title"], peer.row["username"]
    line = f"Chat ID: {peer.marked}" + (f", Title: {clean_name(title)}" if title else "")
    return f"{line}, Type: {TYPES[peer.kind]}" + (f", Username: @{username}" if username else "")


@addressed("chat_id")
def get_message_link(ep: Episode, *, chat_id: Id, message_id: int, thread: bool = False) -> Result:
    """Return the address of a message of a supergroup or channel, and of public ones what embeds it."""
    peer = require(ep, chat_id)
    if not peer.is_channel:
        kind = "User" if peer.is_user else "Chat"
        raise ToolMessage(
            f"Cannot export message link for this entity type ({kind}). Message links are only available for channels "
            "and supergroups."
        )
    found = message_rows(ep, require_readable(ep, peer), "m.message_id = :id", limit=1, id=_number(message_id))
    if not found:
        raise Refused("MESSAGE_ID_INVALID")
    (row,) = found
    username = peer.row["username"]
    topic = f"{row['topic_id']}/" if thread and row["topic_id"] else ""
    single = "?single" if row["album_id"] else ""
    link = f"https://t.me/{username or f'c/{peer.id}'}/{topic}{message_id}{single}"
    if not username:
        return f"Link: {link}"
    post = f'data-telegram-post="{username}/{message_id}"'
    return (
        f'Link: {link}\nHTML: <script async src="https://telegram.org/js/telegram-widget.js?22" {post} '
        'data-width="100%"></script>'
    )


def _number(message_id: int) -> int:
    if not -(2**31) <= message_id < 2**31:
        raise NotFitting
    return message_id


@addressed("chat_id")
def get_message_read_by(ep: Episode, *, chat_id: Id, message_id: int) -> Result:
    """Return who has read a message of the account's in a small group, within a week.

    Source: https://core.telegram.org/method/messages.getMessageReadParticipants
    """
    peer = require(ep, chat_id)
    _number(message_id)
    if peer.kind not in ("group", "supergroup"):
        raise ToolMessage(f"Invalid chat: {chat_id}.")
    if role(ep, peer.id) not in INSIDE:
        raise ToolMessage(
            f"Cannot read receipts for message {message_id} in chat {chat_id}: you are not a participant of this chat."
        )
    found = message_rows(
        ep, find_chat_id(ep, peer), "m.message_id = :id AND m.text IS NOT NULL", limit=1, id=message_id
    )
    if not found or count_members(ep, peer.id) > _READ_BY_MEMBERS_MAX:
        raise Failed
    (row,) = found
    if ep.now_ms // 1000 - row["sent_s"] > _READ_BY_S_MAX:
        raise ToolMessage(
            f"Read receipts unavailable for message {message_id} in chat {chat_id}: message is too old or read "
            "receipts are disabled."
        )
    readers = ep.db.all(
        "SELECT d.user_id, d.read_s FROM dialogs d JOIN members p USING (chat_id, user_id) "
        "WHERE d.chat_id = ? AND d.read_id >= ? AND d.user_id != ? AND p.role IN ('creator', 'admin', 'member') "
        "ORDER BY d.user_id",
        peer.id,
        message_id,
        me(ep),
    )
    if not readers or row["sender_id"] != me(ep):
        raise ToolMessage(f"No read receipts available for message {message_id} in chat {chat_id}.")
    told = [
        {"user_id": each["user_id"], "read_at": texts.iso(max(each["read_s"] or 0, row["sent_s"]))} for each in readers
    ]
    said = {"chat_id": str(chat_id), "message_id": message_id, "read_by": told, "count": len(told)}
    return json.dumps(said, indent=2)
