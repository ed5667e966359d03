"""Invitations: links into groups and channels, made and followed."""

from __future__ import annotations

import re

from farm.appkit import Episode, Result

from . import chats
from .errors import (
    InviteHashEmpty,
    InviteHashExpired,
    InviteHashInvalid,
    InviteRequestSent,
    NotConnected,
    Refused,
    ToolMessage,
)
from .ids import Id, addressed
from .peers import INSIDE, Peer, as_peer, me, own_row, require, require_right, role
from .sanitize import Clean, clean_name

_HASH = re.compile(r"^[A-Za-z0-9_-]{16,24}$")


def _export(ep: Episode, peer: Peer) -> str:
    """Make a new link into a group or channel."""
    if peer.is_user:
        raise Refused("PEER_ID_INVALID")
    require_right(ep, peer, "invite_users")
    if role(ep, peer.id) == "member":
        raise Refused("CHAT_ADMIN_REQUIRED")
    hash_ = ep.new_id("invite")
    ep.db.insert("invites", hash=hash_, chat_id=peer.id, admin_id=me(ep), made_s=ep.now_ms // 1000)
    return f"https://t.me/+{hash_}"


@addressed("chat_id")
def get_invite_link(ep: Episode, *, chat_id: Id) -> Result:
    """Make a new link, though the tool is said to read."""
    peer = require(ep, chat_id)
    try:
        return _export(ep, peer)
    except Refused:
        raise ToolMessage("Could not retrieve invite link for this chat.") from None


@addressed("chat_id")
def export_chat_invite(ep: Episode, *, chat_id: Id) -> Result:
    """Make a new link, though the tool is said to read."""
    return _export(ep, require(ep, chat_id))


@addressed()
def join_chat_by_link(ep: Episode, *, link: str, clean: Clean = clean_name) -> Result:
    """Join by what stands behind the last slash of a link, with or without a plus."""
    hash_ = link
    if "/" in link:
        hash_ = link.split("/")[-1]
        hash_ = hash_.removeprefix("+")
    try:
        return _follow(ep, hash_, clean)
    except NotConnected as problem:
        raise ToolMessage(f"Error joining chat: {problem.message}") from None
    except (InviteHashEmpty, InviteRequestSent) as problem:
        raise ToolMessage(f"Error joining chat: {problem.message} (caused by ImportChatInviteRequest)") from None


@addressed()
def import_chat_invite(ep: Episode, *, hash: str, clean: Clean = clean_name) -> Result:
    """Join by the hash of a link, with or without a plus."""
    return _follow(ep, hash.removeprefix("+"), clean)


def _follow(ep: Episode, hash_: str, clean: Clean) -> Result:
    own_row(ep)
    try:
        peer = _require_invite(ep, hash_)
    except InviteHashExpired:
        raise ToolMessage("The invite hash has expired and is no longer valid.") from None
    except InviteHashInvalid:
        raise ToolMessage("The invite hash is invalid or malformed.") from None
    part, title = role(ep, peer.id), clean(peer.row["title"])
    if part in INSIDE:
        raise ToolMessage(f"You are already a member of this chat: {title}")
    if peer.row["asks_to_join"]:
        chats.ask_to_join(ep, peer)
    chats.join(ep, peer)
    return f"Successfully joined chat: {title}"


def _require_invite(ep: Episode, hash_: str) -> Peer:
    if not hash_:
        raise InviteHashEmpty
    if not _HASH.match(hash_):
        raise InviteHashInvalid
    found = ep.db.one("SELECT * FROM invites WHERE hash = ? AND is_revoked = 0", hash_)
    now_s = ep.now_ms // 1000
    if found is None or (found["expires_s"] is not None and found["expires_s"] <= now_s):
        raise InviteHashExpired
    peer = as_peer(ep.db.one("SELECT * FROM chats WHERE chat_id = ?", found["chat_id"]) or {})
    if role(ep, peer.id) == "banned":
        # To whom a chat is closed Telegram says the same as of a link that is no more.
        raise InviteHashExpired
    return peer
