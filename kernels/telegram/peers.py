"""Peers: the users, groups and channels that an id or a username stands for, as the account sees them.

Telethon keeps what it has seen in a session and finds peers there by their bare number, whatever mark it has. Here the
session has seen whatever the account can see: contacts, whom it shares a chat with, its chats, and all that is public.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from farm.appkit import Episode, Row, parse_json

from . import alias_store
from .account import me as me
from .errors import ChannelPrivate, ContactUnclearError, NotConnected, NotFitting, NotFound, Refused, ToolMessage
from .ids import Id
from .sanitize import Clean, unchanged

CHANNEL_MARK = 1_000_000_000_000
INSIDE = ("creator", "admin", "member")
_LINK = re.compile(r"@|(?:https?://)?(?:www\.)?(?:telegram\.(?:me|dog)|t\.me)/@?")
_USERNAME = re.compile(r"^[a-z](?:(?!__)\w){1,30}[a-z\d]$", re.IGNORECASE)
# What plain members of groups may do unless the group says otherwise.
_OF_MEMBERS = ("send_messages", "send_media", "send_stickers", "send_gifs", "send_polls", "change_info", "invite_users",
               "pin_messages", "manage_topics")  # fmt: skip
# Source: https://core.telegram.org/bots/api#chatpermissions
_NEVER_IN_PUBLIC = ("change_info", "pin_messages")
# Whoever may send no media may send none of any kind. Source: https://core.telegram.org/constructor/chatBannedRights
_INCLUDED_IN = {"send_stickers": ("send_media",), "send_gifs": ("send_media",), "send_polls": ("send_media",)}
# A user as the account sees them: under the names it gave them, and with a phone only where it may see one.
USERS = """
    SELECT u.user_id, u.username, u.about, u.is_bot, u.is_verified, u.is_shy, u.is_limited, u.status,
        u.status_s, u.commands,
        coalesce(k.first_name, u.first_name) AS first_name,
        CASE WHEN k.user_id IS NULL THEN u.last_name ELSE k.last_name END AS last_name,
        CASE WHEN k.is_phone_known OR u.user_id = :me OR k.user_id IS NOT NULL AND EXISTS (
            SELECT 1 FROM contacts b WHERE b.owner_id = u.user_id AND b.user_id = :me) THEN u.phone END AS phone,
        k.user_id IS NOT NULL AS is_contact,
        EXISTS (SELECT 1 FROM contacts b WHERE b.owner_id = u.user_id AND b.user_id = :me) AS has_me
    FROM users u LEFT JOIN contacts k ON k.owner_id = :me AND k.user_id = u.user_id
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """A user, group, supergroup or channel.

    Attributes:
        kind: which of the four.
        id: without a mark.
        row: of ``USERS`` or of table ``chats``.
    """

    kind: str
    id: int
    row: Row

    @property
    def is_user(self) -> bool:
        """Whether it is a person or a bot."""
        return self.kind == "user"

    @property
    def is_channel(self) -> bool:
        """Whether Telegram's API calls it a channel, as it does supergroups, too."""
        return self.kind in ("supergroup", "channel")

    @property
    def marked(self) -> int:
        """The id with the mark of its kind."""
        return marked(self.kind, self.id)

    @property
    def title(self) -> str:
        """What a list shows: a chat's title, a user's given name."""
        return str(self.row["first_name"] if self.is_user else self.row["title"])


def marked(kind: str, peer_id: int) -> int:
    """Return an id as Telegram marks it: -id for groups, -100… for supergroups and channels."""
    if kind == "user":
        return peer_id
    return -peer_id if kind == "group" else -CHANNEL_MARK - peer_id


def bare(peer_id: int) -> int:
    """Return an id without its mark."""
    return peer_id if peer_id >= 0 else -peer_id - (CHANNEL_MARK if -peer_id > CHANNEL_MARK else 0)


def find_user(ep: Episode, user_id: int) -> Row | None:
    """Return a user as the account sees them."""
    return ep.db.one(f"{USERS} WHERE u.user_id = :id", me=me(ep), id=user_id)


def find_users(ep: Episode, user_ids: Iterable[int]) -> dict[int, Row]:
    """Return users as the account sees them, by their ids."""
    sql = f"{USERS} WHERE u.user_id IN (SELECT value FROM json_each(:ids)) ORDER BY u.user_id"
    return {row["user_id"]: row for row in ep.db.all(sql, me=me(ep), ids=json.dumps(list(user_ids)))}


def own_row(ep: Episode) -> Row:
    """Return the account itself. Where nobody is logged in, nothing reaches Telegram."""
    found = find_user(ep, me(ep))
    if found is None:
        raise NotConnected
    return found


def contact_rows(ep: Episode) -> list[Row]:
    """Return the account's contacts."""
    own_row(ep)
    return ep.db.all(f"{USERS} WHERE k.user_id IS NOT NULL ORDER BY u.user_id", me=me(ep))


def require_contacts(ep: Episode, contact_query: str) -> list[Row]:
    """Return the contacts whose name, username or phone holds some text; there must be one."""
    wanted = contact_query.lower()
    found = [
        row
        for row in contact_rows(ep)
        if wanted in named(row).lower()
        or (wanted in (row["username"] or "").lower() and row["username"])
        or (row["phone"] and contact_query in row["phone"])
    ]
    if not found:
        raise ToolMessage(f"No contacts found matching '{contact_query}'.")
    return found


def as_peer(row: Row) -> Peer:
    """Return the peer of a row."""
    return Peer("user", row["user_id"], row) if "user_id" in row else Peer(row["kind"], row["chat_id"], row)


def role(ep: Episode, chat_id: int, user_id: int | None = None) -> str:
    """Return what somebody is in a chat, the account if nobody is named; a stranger is nothing."""
    sql = "SELECT role FROM members WHERE chat_id = ? AND user_id = ?"
    return str(ep.db.scalar(sql, chat_id, me(ep) if user_id is None else user_id) or "")


def require(ep: Episode, given: Id) -> Peer:
    """Return the peer that an id or username stands for.

    Raises:
        NotFound: it is unknown.
        ChannelPrivate: it is a channel or supergroup that the account is not in, or no longer.
        ContactUnclearError: an alias leads to neither.
        NotConnected: as ``own_row``.
    """
    try:
        return _require(ep, given)
    except (NotFound, ChannelPrivate):
        if isinstance(given, alias_store.AliasedId):
            raise ContactUnclearError(alias_store.question(ep, given.wording, stale_id=given)) from None
        raise


def require_named(ep: Episode, given: Id) -> Peer:
    """Return the peer of an id, a username or an alias, for a tool that does not check its ids first."""
    if not isinstance(given, str) or alias_store.is_handle(given):
        return require(ep, given)
    try:
        return require(ep, alias_store.resolve(ep, given) or given)
    except NotFound:
        if not given:
            raise
        raise ContactUnclearError(alias_store.question(ep, given)) from None


def _require(ep: Episode, given: Id) -> Peer:
    own_row(ep)
    if isinstance(given, str):
        return _by_name(ep, given)
    number = bare(given)
    if number >= 2**63:
        raise NotFound
    user = find_user(ep, number)
    if user is not None and _is_known(ep, user):
        return as_peer(user)
    chat = ep.db.one("SELECT * FROM chats WHERE chat_id = ? AND kind != 'private'", number)
    part = role(ep, number) if chat else ""
    if chat is None or not (part or chat["username"]):
        kind = "user" if given >= 0 else "channel" if -given > CHANNEL_MARK else "group"
        raise NotFound(_unknown(kind, number), is_value_error=kind != "group")
    peer = as_peer(chat)
    if peer.is_channel and part not in INSIDE and (not chat["username"] or part == "banned"):
        raise ChannelPrivate
    return peer


def require_user(ep: Episode, given: Id) -> Peer:
    """Return the user that an id or username stands for; what is none fits no request for one."""
    peer = require(ep, given)
    if not peer.is_user:
        raise NotFitting
    return peer


def require_channel(ep: Episode, given: Id) -> Peer:
    """Return the supergroup or channel that an id or username stands for; anything else fits no request for one."""
    peer = require(ep, given)
    if not peer.is_channel:
        raise NotFitting
    return peer


def find_by_username(ep: Episode, username: str) -> Peer | None:
    """Return the user, supergroup or channel of this name, in whatever case."""
    user = ep.db.one(f"{USERS} WHERE lower(u.username) = :name", me=me(ep), name=username.lower())
    chat = None if user else ep.db.one("SELECT * FROM chats WHERE lower(username) = ?", username.lower())
    return as_peer(user) if user else as_peer(chat) if chat else None


def _by_name(ep: Episode, given: str) -> Peer:
    phone = re.sub(r"[+()\s-]", "", given)
    if phone.isdigit():
        user = ep.db.one(f"{USERS} WHERE u.phone = :phone AND k.user_id IS NOT NULL", me=me(ep), phone=phone)
        # Whoever asks whether a number is a contact's is told nothing of a number that does not show.
        if user and user["phone"]:
            return as_peer(user)
    elif given.lower() in ("me", "self"):
        return as_peer(own_row(ep))
    else:
        link = _LINK.match(given.strip())
        name = (given.strip()[link.end() :] if link else given.strip()).rstrip("/" if link else "")
        if _USERNAME.match(name):
            found = find_by_username(ep, name)
            if found is None:
                raise NotFound(f'No user has "{name.lower()}" as username')
            return found
    raise NotFound(f'Cannot find any entity corresponding to "{given}"')


def _is_known(ep: Episode, user: Row) -> bool:
    """Reads all members: the account's chats, of which any with the user will do."""
    if user["is_contact"] or user["username"] or user["user_id"] == me(ep):
        return True
    shared = "SELECT 1 FROM members a JOIN members b USING (chat_id) WHERE a.user_id = ? AND b.user_id = ? LIMIT 1"
    return ep.db.scalar(shared, me(ep), user["user_id"]) is not None


def _unknown(kind: str, number: int) -> str:
    name, key = ("PeerChannel", "channel_id") if kind == "channel" else ("PeerUser", "user_id")
    return (
        f"Could not find the input entity for {name}({key}={number}) ({name}). Please read "
        "https://docs.telethon.dev/en/stable/concepts/entities.html to find out more details."
    )


# -- what the account may do there ------------------------------------------------------------------------------------


def find_chat_id(ep: Episode, peer: Peer) -> int | None:
    """Return the chat of a peer in table ``chats``; None where nothing was ever said to a user."""
    if not peer.is_user:
        return peer.id
    low, high = sorted((me(ep), peer.id))
    found = ep.db.scalar("SELECT chat_id FROM chats WHERE low_id = ? AND high_id = ?", low, high)
    return None if found is None else int(found)


def require_readable(ep: Episode, peer: Peer) -> int | None:
    """Return the chat of a peer whose messages the account may read."""
    if peer.is_channel and role(ep, peer.id) not in INSIDE and not peer.row["username"]:
        raise ChannelPrivate
    return find_chat_id(ep, peer)


def may(ep: Episode, peer: Peer, right: str) -> bool:
    """Whether the account has a right in a chat: as its maker, as an admin who was given it, or as anybody there."""
    if peer.is_user:
        return True
    member = ep.db.one("SELECT role, rights FROM members WHERE chat_id = ? AND user_id = ?", peer.id, me(ep))
    if member is None or member["role"] not in INSIDE:
        return False
    if member["role"] == "creator":
        return True
    if member["role"] == "admin" and right in parse_json(member["rights"]):
        return True
    if peer.kind == "channel" or right not in _OF_MEMBERS:
        return False
    if right.startswith("send_"):
        # What a group takes from its members it does not take from its admins.
        banned = set(parse_json(peer.row["banned_rights"]))
        return member["role"] == "admin" or not banned & {right, "send_messages", *_INCLUDED_IN.get(right, ())}
    if peer.row["username"] and right in _NEVER_IN_PUBLIC:
        return False
    return right not in parse_json(peer.row["banned_rights"])


def require_right(ep: Episode, peer: Peer, right: str) -> None:
    """Refuse what the account has no right to."""
    if not may(ep, peer, right):
        raise Refused("CHAT_ADMIN_REQUIRED")


def has_blocked(ep: Episode, owner_id: int, peer_id: int) -> bool:
    """Tell whether a user has blocked somebody."""
    return bool(ep.db.scalar("SELECT 1 FROM blocks WHERE owner_id = ? AND peer_id = ?", owner_id, peer_id))


def may_add(ep: Episode, user: Peer) -> bool:
    """Tell whether the account may put a user into groups; those it may not are left out, and nobody says so.

    Source: https://core.telegram.org/constructor/updateGroupInvitePrivacyForbidden
    """
    return bool(user.row["has_me"] or not user.row["is_shy"]) and not has_blocked(ep, user.id, me(ep))


def require_may_send(ep: Episode, peer: Peer, right: str = "send_messages") -> None:
    """Refuse to send where the account may not."""
    own = own_row(ep)
    if peer.is_user:
        if has_blocked(ep, me(ep), peer.id):
            raise Refused("YOU_BLOCKED_USER")
        if has_blocked(ep, peer.id, me(ep)):
            raise Refused("USER_IS_BLOCKED")
        if own["is_limited"] and not peer.row["has_me"] and peer.id != me(ep):
            raise Refused("PEER_FLOOD")
        return
    part = role(ep, peer.id)
    if part == "banned":
        raise Refused("USER_BANNED_IN_CHANNEL")
    if part not in INSIDE:
        raise Refused("CHAT_WRITE_FORBIDDEN")
    if not may(ep, peer, "post_messages" if peer.kind == "channel" else right):
        raise Refused("CHAT_ADMIN_REQUIRED" if peer.kind == "channel" else "CHAT_WRITE_FORBIDDEN")
    if part == "member" and peer.row["slow_mode_s"]:
        last = ep.db.scalar(
            "SELECT max(sent_s) FROM messages WHERE chat_id = ? AND sender_id = ? AND text IS NOT NULL", peer.id, me(ep)
        )
        # Telethon waits up to a minute by itself, and then it is sent.
        if last is not None and last + peer.row["slow_mode_s"] - ep.now_ms // 1000 > 60:
            raise Refused("SLOWMODE_WAIT")


def named(user: Row) -> str:
    """Return a name as most lists print it: ``None`` stands where a user has no family name."""
    return f"{user['first_name']} {user['last_name']}".strip()


def full_name(user: Row) -> str:
    """Return a name without what is missing."""
    return f"{user['first_name'] or ''} {user['last_name'] or ''}".strip()


def summary(user: Row, clean: Clean = unchanged) -> dict[str, Any]:
    """Return a user as the server's JSON lists show one."""
    said = {"id": user["user_id"], "name": clean(full_name(user)), "type": "user"}
    return said | {key: user[key] for key in ("username", "phone") if user[key]}
