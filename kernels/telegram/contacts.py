"""Contacts: whom the account knows, whom it blocks, and who else can be found."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result

from .errors import Failed, NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .peers import USERS, contact_rows, me, own_row, require, require_user, summary
from .sanitize import Clean, clean_name

_BLOCKED_MAX = 100


@addressed()
def get_contact_ids(ep: Episode) -> Result:
    """Return every contact's id."""
    ids = [str(row["user_id"]) for row in contact_rows(ep)]
    if not ids:
        raise ToolMessage("No contact IDs found.")
    return f"Contact IDs: {', '.join(ids)}"


@addressed()
def export_contacts(ep: Episode, *, clean: Clean = clean_name) -> Result:
    """Return every contact as JSON."""
    return json.dumps([summary(row, clean) for row in contact_rows(ep)], indent=2)


@addressed()
def import_contacts(ep: Episode, *, contacts: list[Any]) -> Result:
    """Import nothing of nothing, and fail at the first contact: the server looks for its class where it is not."""
    own_row(ep)
    if contacts:
        raise Failed
    return "Imported 0 contacts."


@addressed("user_id")
def delete_contact(ep: Episode, *, user_id: Id) -> Result:
    """Take somebody out of the contacts, whether in or not."""
    ep.db.delete("contacts", owner_id=me(ep), user_id=require_user(ep, user_id).id)
    return f"Contact with user ID {user_id} deleted."


@addressed("user_id")
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


@addressed("user_id")
def unblock_user(ep: Episode, *, user_id: Id) -> Result:
    """Lift a block, whether there is one or not."""
    peer = require(ep, user_id)
    if peer.kind == "group":
        raise NotFitting
    ep.db.delete("blocks", owner_id=me(ep), peer_id=peer.marked)
    return f"User {user_id} unblocked."


@addressed()
def get_blocked_users(ep: Episode, *, clean: Clean = clean_name) -> Result:
    """Return blocked users as JSON, the last one first."""
    own_row(ep)
    found = ep.db.all(
        f"{USERS} JOIN blocks x ON x.owner_id = :me AND x.peer_id = u.user_id "
        "ORDER BY x.blocked_s DESC, u.user_id LIMIT :most",
        me=me(ep),
        most=_BLOCKED_MAX,
    )
    return json.dumps([summary(row, clean) for row in found], indent=2)
