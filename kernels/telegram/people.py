"""People: lists of contacts, searches for people and chats, new contacts, and what is known of somebody."""

from __future__ import annotations

import json
import re
from typing import Any

from farm.appkit import Episode, Result, Row, Value

from . import alias_store, texts, tl_objects
from .errors import NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .messages import post_message
from .peers import (
    INSIDE,
    USERS,
    Peer,
    as_peer,
    contact_rows,
    find_by_username,
    me,
    named,
    own_row,
    require,
    require_may_send,
    require_named,
    role,
    summary,
)
from .sanitize import clean_name, clean_text

SEARCHED_MAX = 50
_ABOUT_MAX = 1024


def _record(row: Row) -> dict[str, Any]:
    told = {"id": row["user_id"], "name": clean_name(named(row))}
    return told | {key: row[key] for key in ("username", "phone") if row[key]}


@addressed()
def list_contacts(ep: Episode) -> Result:
    """Return every contact."""
    found = contact_rows(ep)
    if not found:
        raise ToolMessage("No contacts found.")
    return results(map(_record, found))


@addressed()
def search_contacts(ep: Episode, *, query: str) -> Result:
    """Return who is found among aliases, among contacts and in public."""
    users = search_users(ep, query, SEARCHED_MAX)
    key = alias_store.key_of(query)
    saved = [
        {
            "alias": row["alias"],
            "id": row["peer_id"],
            "name": row["name"],
            "favorite": True,
            "match": "exact" if row["alias"] == key else "similar",
        }
        for row in alias_store.matches(ep, query)
    ]
    if not users and not saved:
        raise ToolMessage(f"No contacts found matching '{query}'.")
    return results([*saved, *map(_record, users)])


@addressed()
def search_public_chats(ep: Episode, *, query: str, limit: int = 20) -> Result:
    """Return chats and users that are found, as JSON."""
    if not -(2**31) <= limit < 2**31:
        raise NotFitting
    users = search_users(ep, query, max(limit, 0))
    told = [chat_summary(peer) for peer in _search_chats(ep, query, max(limit, 0))]
    return json.dumps([*told, *(summary(row, clean_name) for row in users)], indent=2)


def chat_summary(peer: Peer) -> dict[str, Any]:
    """Return a group, supergroup or channel as the server's JSON lists show one."""
    kind = "group" if peer.kind == "group" else "channel"
    return {"id": peer.marked, "name": clean_name(peer.row["title"]), "type": kind}


def entity_summary(peer: Peer) -> dict[str, Any]:
    """Return whatever an id stands for as the server's JSON lists show it."""
    return summary(peer.row, clean_name) if peer.is_user else chat_summary(peer)


def search_users(ep: Episode, query: str, limit: int) -> list[Row]:
    """Return users with all words of a query in their name, or a username that it begins; contacts come first.

    Reads all users: any name may hold the words.
    """
    texts.require_printable(query)
    own_row(ep)
    if not query.strip():
        raise Refused("SEARCH_QUERY_EMPTY")
    found = ep.db.all(f"{USERS} ORDER BY k.user_id IS NULL, u.user_id", me=me(ep))
    username, words = query.strip().lstrip("@").lower(), texts.words(query)
    wanted = [
        row
        for row in found
        if (row["is_contact"] or row["username"])
        and row["user_id"] != me(ep)
        and (texts.is_found(named(row), words) or ((row["username"] or "").lower().startswith(username) and username))
    ]
    return wanted[:limit]


def _search_chats(ep: Episode, query: str, limit: int) -> list[Peer]:
    """Return chats with all words of a query in their title, or a username that it begins; the account's come first.

    Reads all chats: any title may hold the words.
    """
    username, words = query.strip().lstrip("@").lower(), texts.words(query)
    found = [as_peer(row) for row in ep.db.all("SELECT * FROM chats WHERE kind != 'private' ORDER BY chat_id")]
    parts = {peer.id: role(ep, peer.id) for peer in found}
    wanted = [
        peer
        for peer in found
        if (parts[peer.id] in INSIDE or (peer.row["username"] and parts[peer.id] != "banned"))
        and (
            texts.is_found(peer.row["title"], words)
            or ((peer.row["username"] or "").lower().startswith(username) and username)
        )
    ]
    return sorted(wanted, key=lambda peer: parts[peer.id] not in INSIDE)[:limit]


@addressed()
def add_contact(
    ep: Episode,
    *,
    phone: str | None = None,
    first_name: str = "",
    last_name: str = "",
    username: str | None = None,
) -> Result:
    """Make a contact of whoever has a username or a phone number, under the name given."""
    own_row(ep)
    if not phone and not username:
        raise ToolMessage("Error: Either phone or username must be provided.")
    texts.require_printable(phone, first_name, last_name, username)
    if username:
        return _add_by_username(ep, username, first_name, last_name)
    digits = re.sub(r"\D", "", phone or "")
    user_id = ep.db.scalar("SELECT user_id FROM users WHERE phone = ? AND user_id != ?", digits, me(ep))
    if user_id is None or not (first_name.strip() or last_name.strip()):
        made = tl_objects.make("ImportedContacts")
        raise ToolMessage(f"Contact not added. Response: {tl_objects.to_str(made, tl_objects.LATEST)}")
    _put_contact(ep, user_id, first_name, last_name, is_phone_known=1)
    return f"Contact {first_name} {last_name} added successfully."


def _add_by_username(ep: Episode, username: str, first_name: str, last_name: str) -> Result:
    bare = username.lstrip("@")
    if not bare:
        raise ToolMessage("Error: Username cannot be empty.")
    peer = find_by_username(ep, bare)
    if peer is None:
        raise Refused("USERNAME_NOT_OCCUPIED")
    if not peer.is_user:
        raise ToolMessage(f"Error: User with username @{bare} not found.")
    if peer.id == me(ep):
        raise Refused("CONTACT_ID_INVALID")
    if not first_name.strip():
        raise Refused("CONTACT_NAME_EMPTY")
    # Who is a contact already stays known by the number.
    was = "SELECT is_phone_known FROM contacts WHERE owner_id = ? AND user_id = ?"
    _put_contact(ep, peer.id, first_name, last_name, is_phone_known=ep.db.scalar(was, me(ep), peer.id) or 0)
    return f"Contact {first_name} {last_name} (@{bare}) added successfully."


def _put_contact(ep: Episode, user_id: int, first_name: str, last_name: str, *, is_phone_known: int) -> None:
    key = {"owner_id": me(ep), "user_id": user_id}
    row = {"first_name": first_name.strip(), "last_name": last_name.strip() or None, "is_phone_known": is_phone_known}
    if not ep.db.update("contacts", key, **row):
        ep.db.insert("contacts", **key, **row)


@addressed("chat_id")
def send_contact(
    ep: Episode, *, chat_id: Id, phone_number: str, first_name: str, last_name: str = "", vcard: str = ""
) -> Result:
    """Send somebody's name and phone number."""
    peer = require(ep, chat_id)
    texts.require_printable(phone_number, first_name, last_name, vcard)
    require_may_send(ep, peer, "send_media")
    contact = {"phone": phone_number, "first_name": first_name, "last_name": last_name, "vcard": vcard}
    row: dict[str, Value] = {"contact": json.dumps(contact, ensure_ascii=False), "made_s": ep.now_ms // 1000}
    media_id = int(ep.new_id("media"))
    ep.db.insert("media", media_id=media_id, kind="contact", **row)
    post_message(ep, peer, "", media_id=media_id)
    return f"Contact sent to chat {chat_id}."


@addressed()
def get_full_user(ep: Episode, *, username: Id) -> Result:
    """Return what a user's profile shows. Not simulated: personal channels, birthdays, Premium."""
    own_row(ep)
    peer = require_named(ep, username)
    if not peer.is_user:
        raise NotFitting
    row = peer.row
    told = {
        "id": peer.id,
        "first_name": clean_name(row["first_name"]),
        "last_name": clean_name(row["last_name"]),
        "username": row["username"],
        "phone": row["phone"],
        "bio": clean_text(row["about"], _ABOUT_MAX),
        "personal_channel": None,
        "birthday": None,
        "bot": bool(row["is_bot"]),
        "verified": bool(row["is_verified"]),
        "premium": False,
        "common_chats_count": count_common(ep, peer.id),
    }
    return json.dumps(told, ensure_ascii=False)


def count_common(ep: Episode, user_id: int) -> int:
    """Return how many groups and supergroups somebody and the account are both in.

    Reads all members: the account's chats, of which those with the user are counted.
    """
    sql = (
        "SELECT count(*) FROM members a JOIN members b USING (chat_id) JOIN chats USING (chat_id) "
        "WHERE a.user_id = ? AND b.user_id = ? AND kind IN ('group', 'supergroup') "
        "AND a.role IN ('creator', 'admin', 'member') AND b.role IN ('creator', 'admin', 'member')"
    )
    return 0 if user_id == me(ep) else int(ep.db.scalar(sql, me(ep), user_id))


@addressed()
def get_bot_info(ep: Episode, *, bot_username: str) -> Result:
    """Return what is known of a user, bot or not."""
    texts.require_printable(bot_username)
    peer = require_named(ep, bot_username)
    if not peer.is_user:
        raise NotFitting
    row = peer.row
    told = {
        "id": peer.id,
        "username": row["username"],
        "first_name": clean_name(row["first_name"]),
        "last_name": clean_name(row["last_name"]),
        "is_bot": bool(row["is_bot"]),
        "verified": bool(row["is_verified"]),
        "about": clean_text(row["about"], _ABOUT_MAX),
    }
    return json.dumps({"bot_info": told}, indent=2)


def list_accounts(ep: Episode) -> Result:
    """Return label, name, phone and status of the account that the server was started with."""
    row = ep.db.one(f"{USERS} WHERE u.user_id = :id", me=me(ep), id=me(ep))
    if row is None:
        return "default: (unable to fetch profile)"
    status = (row["status"] or "unknown").replace("_", "")
    name = f"{row['first_name'] or ''} {row['last_name'] or ''}".strip() or "Unknown"
    return f"default: {clean_name(name)} (+{row['phone'] or 'N/A'}) — {status}"
