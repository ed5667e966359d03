"""Lists of members: everybody in a chat, who runs it, who was thrown out."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row

from .errors import Refused, ToolMessage
from .ids import Id, addressed
from .message_views import results
from .peers import INSIDE, USERS, Peer, me, named, require, role
from .sanitize import clean_name

_PAGE_MAX = 1000


def members(ep: Episode, peer: Peer, *roles: str) -> list[Row]:
    """Return members of some roles, in the order in which they came."""
    listed = ", ".join(f"'{each}'" for each in roles)
    return ep.db.all(
        f"{USERS} JOIN members p ON p.user_id = u.user_id AND p.chat_id = :chat AND p.role IN ({listed}) "
        "ORDER BY p.since_s, u.user_id",
        me=me(ep),
        chat=peer.id,
    )


def asked(ep: Episode, chat_id: Id, *roles: str) -> list[Row]:
    """Return members of some roles. Of a plain group the filter is not asked for, and a user is alone."""
    peer = require(ep, chat_id)
    if peer.is_user:
        return [peer.row]
    if peer.kind == "group":
        return members(ep, peer, *INSIDE) if role(ep, peer.id) in INSIDE else []
    is_admin = role(ep, peer.id) in ("creator", "admin")
    if not is_admin and (peer.kind == "channel" or "banned" in roles):
        raise Refused("CHAT_ADMIN_REQUIRED")
    return members(ep, peer, *roles)


def _record(row: Row) -> dict[str, Any]:
    told = {"id": row["user_id"], "name": clean_name(named(row))}
    return told | ({"username": clean_name(row["username"])} if row["username"] else {})


@addressed("chat_id")
def get_participants(ep: Episode, *, chat_id: Id, page: int = 1, page_size: int = 200) -> Result:
    """Return one page of everybody in a chat; of a channel only its admins may know."""
    if page_size > _PAGE_MAX:
        raise ToolMessage("Error: page_size cannot exceed 1000 participants per request.")
    first = (page - 1) * page_size
    some = asked(ep, chat_id, *INSIDE)[: max(first + page_size, 0)][first : first + page_size]
    if not some:
        return results([])
    more = f" — more results available on page {page + 1}" if len(some) == page_size else ""
    return f"{results(map(_record, some))}\n\nPage {page} (showing {len(some)} participants){more}"


@addressed("chat_id")
def get_admins(ep: Episode, *, chat_id: Id) -> Result:
    """Return who runs a supergroup or channel, or everybody in a plain group."""
    found = asked(ep, chat_id, "creator", "admin")
    return results(map(_record, found)) if found else "No admins found."


@addressed("chat_id")
def get_banned_users(ep: Episode, *, chat_id: Id) -> Result:
    """Return who was thrown out of a supergroup or channel, or everybody in a plain group."""
    found = asked(ep, chat_id, "banned")
    return results(map(_record, found)) if found else "No banned users found."
