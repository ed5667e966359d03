"""Contacts: whom the account knows, whom it blocks, and who else can be found."""

from __future__ import annotations

import json
import re
from typing import Any

from farm.appkit import Episode, Result, Row

from . import texts, tl_objects
from .errors import Failed, NotFitting, Refused, ToolMessage
from .ids import Id, checked
from .peers import USERS, contact_rows, me, named, own_row, require, require_user, summary

_SEARCHED_MAX, _PUBLIC_MAX, _BLOCKED_MAX = 50, 20, 100


def list_contacts(ep: Episode) -> Result:
    """Return every contact."""
    return _listed(contact_rows(ep), "No contacts found.")


def search_contacts(ep: Episode, *, query: str) -> Result:
    """Return who is found among contacts and in public."""
    return _listed(_search(ep, query, _SEARCHED_MAX), f"No contacts found matching '{query}'.")


def search_public_chats(ep: Episode, *, query: str) -> Result:
    """Return who is found, as JSON: users only, whatever the tool is called."""
    return json.dumps([summary(row) for row in _search(ep, query, _PUBLIC_MAX)], indent=2)


def _listed(users: list[Row], none: str) -> str:
    if not users:
        raise ToolMessage(none)
    return "\n".join(_line(row) for row in users)


def _line(row: Row) -> str:
    line = f"ID: {row['user_id']}, Name: {named(row)}"
    line += f", Username: @{row['username']}" if row["username"] else ""
    return line + (f", Phone: {row['phone']}" if row["phone"] else "")


def _search(ep: Episode, query: str, limit: int) -> list[Row]:
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


def get_contact_ids(ep: Episode) -> Result:
    """Return every contact's id."""
    ids = [str(row["user_id"]) for row in contact_rows(ep)]
    if not ids:
        raise ToolMessage("No contact IDs found.")
    return f"Contact IDs: {', '.join(ids)}"


def export_contacts(ep: Episode) -> Result:
    """Return every contact as JSON."""
    return json.dumps([summary(row) for row in contact_rows(ep)], indent=2)


def add_contact(ep: Episode, *, phone: str, first_name: str, last_name: str = "") -> Result:
    """Make a contact of whoever has a phone number, under the name given; nobody has it: an empty answer is shown."""
    texts.require_printable(phone, first_name, last_name)
    own_row(ep)
    digits = re.sub(r"\D", "", phone)
    user_id = ep.db.scalar("SELECT user_id FROM users WHERE phone = ? AND user_id != ?", digits, me(ep))
    if user_id is None or not (first_name.strip() or last_name.strip()):
        raise ToolMessage(f"Contact not added. Response: {tl_objects.to_str(tl_objects.make('ImportedContacts'))}")
    key = {"owner_id": me(ep), "user_id": user_id}
    names = {"first_name": first_name.strip(), "last_name": last_name.strip() or None}
    if not ep.db.update("contacts", key, **names):
        ep.db.insert("contacts", **key, **names)
    return f"Contact {first_name} {last_name} added successfully."


def import_contacts(ep: Episode, *, contacts: list[Any]) -> Result:
    """Import nothing of nothing, and fail at the first contact: the server looks for its class where it is not."""
    own_row(ep)
    if contacts:
        raise Failed
    return "Imported 0 contacts."


@checked("user_id")
def delete_contact(ep: Episode, *, user_id: Id) -> Result:
    """Take somebody out of the contacts, whether in or not."""
    ep.db.delete("contacts", owner_id=me(ep), user_id=require_user(ep, user_id).id)
    return f"Contact with user ID {user_id} deleted."


@checked("user_id")
def block_user(ep: Episode, *, user_id: Id) -> Result:
    """Block a user, or a channel that writes comments."""
    peer = require(ep, user_id)
    if peer.kind == "group" or peer.id == me(ep):
        raise Refused("CONTACT_ID_INVALID")
    key = {"owner_id": me(ep), "peer_id": peer.marked}
    if not ep.db.update("blocks", key, blocked_s=ep.now_ms // 1000):
        own_row(ep)
        ep.db.insert("blocks", **key, blocked_s=ep.now_ms // 1000)
    return f"User {user_id} blocked."


@checked("user_id")
def unblock_user(ep: Episode, *, user_id: Id) -> Result:
    """Lift a block, whether there is one or not."""
    peer = require(ep, user_id)
    if peer.kind == "group":
        raise NotFitting
    ep.db.delete("blocks", owner_id=me(ep), peer_id=peer.marked)
    return f"User {user_id} unblocked."


def get_blocked_users(ep: Episode) -> Result:
    """Return blocked users as JSON, the last one first."""
    own_row(ep)
    found = ep.db.all(
        f"{USERS} JOIN blocks x ON x.owner_id = :me AND x.peer_id = u.user_id "
        "ORDER BY x.blocked_s DESC, u.user_id LIMIT :most",
        me=me(ep),
        most=_BLOCKED_MAX,
    )
    return json.dumps([summary(row) for row in found], indent=2)
