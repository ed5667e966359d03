"""Chats: the list of them, what each is, and what the account does with them as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from farm.appkit import Episode, Result, Row

from . import admin_log, media, messages, texts
from .errors import ChannelPrivate, Failed, InviteRequestSent, NotFitting, Refused, ToolMessage
from .ids import Id, addressed
from .peers import (
    INSIDE,
    Peer,
    as_peer,
    find_chat_id,
    find_users,
    may_add,
    me,
    own_row,
    require,
    require_channel,
    require_readable,
    require_right,
    role,
)
from .roots import require_file
from .sanitize import Clean, clean_name
from .tl_builders import photo_id

_TITLE_MAX = 128
_ABOUT_MAX = 255
_MADE_A_DAY_MAX = 50
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class Dialog:
    """A chat in the account's list.

    Attributes:
        chat_id: of table ``chats``.
        unread: how many messages others sent that were not read.
        is_marked: set aside as unread by hand.
        last: the newest message, None where there is none.
        is_muted: whether it makes no sound.
        is_archived: whether it is kept apart from the list.
    """

    peer: Peer
    chat_id: int
    unread: int
    is_marked: bool
    last: Row | None
    is_muted: bool
    is_archived: bool


def dialogs(ep: Episode) -> list[Dialog]:
    """Return the account's chats: pinned ones first, then by their newest message.

    Reads all members: the account's chats, for their order.
    """
    own = own_row(ep)["user_id"]
    found = ep.db.all(
        "SELECT c.*, d.pin, coalesce(d.is_marked_unread, 0) AS is_marked_unread, "
        "coalesce(d.is_muted, 0) AS is_muted, coalesce(d.is_archived, 0) AS is_archived, "
        "(SELECT max(message_id) FROM messages l WHERE l.chat_id = c.chat_id AND l.is_deleted = 0) AS last_id, "
        "(SELECT count(*) FROM messages n WHERE n.chat_id = c.chat_id AND n.is_deleted = 0 "
        "AND n.message_id > coalesce(d.read_id, 0) AND n.sender_id IS NOT :me AND n.author_id IS NOT :me) AS unread "
        "FROM members p JOIN chats c USING (chat_id) LEFT JOIN dialogs d ON d.chat_id = c.chat_id AND d.user_id = :me "
        "WHERE p.user_id = :me AND (p.role IN ('creator', 'admin', 'member') OR p.role = 'left' AND c.kind = 'group')",
        me=own,
    )
    others = {
        row["chat_id"]: row["high_id"] if row["low_id"] == own else row["low_id"]
        for row in found
        if row["kind"] == "private"
    }
    people = find_users(ep, others.values())
    newest = messages.find_among(ep, [(row["chat_id"], row["last_id"]) for row in found if row["last_id"]])
    made = []
    for row in found:
        last = newest.get(row["chat_id"])
        if row["kind"] == "private":
            other = people.get(others[row["chat_id"]])
            if last is None or other is None:
                continue
            peer = as_peer(other)
        else:
            peer = as_peer(row)
        at = (last["sent_s"], last["message_id"]) if last else (row["created_s"], 0)
        flags = {each: bool(row[each]) for each in ("is_muted", "is_archived")}
        dialog = Dialog(peer, row["chat_id"], row["unread"], bool(row["is_marked_unread"]), last, **flags)
        made.append(((row["pin"] is None, -(row["pin"] or 0), -at[0], -at[1], row["chat_id"]), dialog))
    return [dialog for _, dialog in sorted(made, key=lambda each: each[0])]


# -- joining, leaving, making -----------------------------------------------------------------------------------------


@addressed("channel")
def subscribe_public_channel(ep: Episode, *, channel: Id, clean: Clean = clean_name) -> Result:
    """Join a supergroup or channel."""
    try:
        peer = require_channel(ep, channel)
        part = role(ep, peer.id)
        if part == "banned":
            raise ChannelPrivate
    except ChannelPrivate:
        raise ToolMessage("Cannot subscribe: this channel is private or requires an invite link.") from None
    if part in INSIDE:
        raise ToolMessage(f"Already subscribed to {clean(peer.row['title'])}.")
    if peer.row["asks_to_join"]:
        ask_to_join(ep, peer)
    join(ep, peer)
    return f"Subscribed to {clean(peer.row['title'])}."


def ask_to_join(ep: Episode, peer: Peer) -> NoReturn:
    """Leave a request for the admins of a chat, which is no success."""
    ep.db.delete("members", chat_id=peer.id, user_id=me(ep))
    ep.db.insert("members", chat_id=peer.id, user_id=me(ep), role="asked", since_s=ep.now_ms // 1000)
    raise InviteRequestSent


def join(ep: Episode, peer: Peer) -> None:
    """Put the account into a chat."""
    key = {"chat_id": peer.id, "user_id": me(ep)}
    ep.db.delete("members", **key)
    ep.db.insert("members", **key, role="member", since_s=ep.now_ms // 1000)
    if peer.kind != "channel":
        messages.post_message(ep, peer, None, action="join")
    if peer.is_channel:
        admin_log.record(ep, peer, "join")


@addressed("chat_id")
def leave_chat(ep: Episode, *, chat_id: Id, clean: Clean = clean_name) -> Result:
    """Leave a group, supergroup or channel; whoever made a supergroup or channel cannot."""
    peer = require(ep, chat_id)
    if peer.is_user:
        raise NotFitting
    part = role(ep, peer.id)
    if part not in INSIDE:
        raise Refused("USER_NOT_PARTICIPANT")
    if peer.kind == "group":
        messages.post_message(ep, peer, None, action="leave")
        ep.db.update("members", {"chat_id": peer.id, "user_id": me(ep)}, role="left")
        return f"Left basic group {clean(peer.row['title'])} (ID: {chat_id})."
    if part == "creator":
        raise Refused("USER_CREATOR")
    ep.db.update("members", {"chat_id": peer.id, "user_id": me(ep)}, role="left", rights="[]", rank="")
    admin_log.record(ep, peer, "leave")
    return f"Left channel/supergroup {clean(peer.row['title'])} (ID: {chat_id})."


@addressed("user_ids")
def create_group(ep: Episode, *, title: str, user_ids: list[Id], clean: Clean = clean_name) -> Result:
    """Make a group, and look for it by its title among the first five chats: that one's marked id is answered."""
    users: list[Peer] = []
    for each in user_ids:
        try:
            users.append(require(ep, each))
        except Failed:
            raise ToolMessage(f"Error: Could not find user with ID {each}") from None
    if not users:
        raise ToolMessage("Error: No valid users provided")
    others = {user.id: user for user in users if user.is_user and user.id != me(ep)}
    if any(not user.is_user for user in users):
        raise NotFitting
    if not others:
        raise Refused("USERS_TOO_FEW")
    own = own_row(ep)
    if own["is_limited"] and not all(user.row["has_me"] for user in others.values()):
        # The server looks for this word in what Telethon says of it, and that has other words.
        raise Refused("PEER_FLOOD")
    kept = _require_title(title)
    _require_few_made(ep)
    peer = _make(ep, "group", kept)
    messages.post_message(ep, peer, None, action="create")
    for user in others.values():
        if may_add(ep, user):
            row = {"chat_id": peer.id, "user_id": user.id}
            ep.db.insert("members", **row, by_id=me(ep), since_s=ep.now_ms // 1000)
    for dialog in dialogs(ep)[:_LOOKED_AT]:
        if _name(dialog) == title:
            return f"Group created with ID: {dialog.peer.marked}"
    return f"Group created successfully. Please check your recent chats for '{clean(title)}'."


def _name(dialog: Dialog) -> str:
    """Return a chat's name as a list of Telethon's has it."""
    row = dialog.peer.row
    if not dialog.peer.is_user:
        return str(row["title"])
    return " ".join(each for each in (row["first_name"], row["last_name"]) if each)


@addressed()
def create_channel(
    ep: Episode, *, title: str, about: str = "", megagroup: bool = False, clean: Clean = clean_name
) -> Result:
    """Make a channel or a supergroup."""
    texts.require_printable(about)
    kept = _require_title(title)
    if len(about) > _ABOUT_MAX:
        raise Refused("CHAT_ABOUT_TOO_LONG")
    _require_few_made(ep)
    peer = _make(ep, "supergroup" if megagroup else "channel", kept, about)
    messages.post_message(ep, peer, None, action="create")
    return f"Channel '{clean(title)}' created with ID: {peer.id}"


def _make(ep: Episode, kind: str, title: str, about: str = "") -> Peer:
    own_row(ep)
    chat_id = int(ep.new_id("group" if kind == "group" else "channel"))
    now_s = ep.now_ms // 1000
    ep.db.insert("chats", chat_id=chat_id, kind=kind, title=title, about=about, created_s=now_s)
    ep.db.insert("members", chat_id=chat_id, user_id=me(ep), role="creator", since_s=now_s)
    return as_peer(ep.db.one("SELECT * FROM chats WHERE chat_id = ?", chat_id) or {})


def _require_title(title: str) -> str:
    texts.require_printable(title)
    if not title.strip():
        raise Refused("CHAT_TITLE_EMPTY")
    return title.strip()[:_TITLE_MAX]


def _require_few_made(ep: Episode) -> None:
    sql = (
        "SELECT count(*) FROM chats JOIN members USING (chat_id) "
        "WHERE user_id = ? AND role = 'creator' AND kind != 'private' AND created_s > ?"
    )
    if ep.db.scalar(sql, me(ep), ep.now_ms // 1000 - 86_400) >= _MADE_A_DAY_MAX:
        raise Refused("FLOOD_WAIT")


# -- what is changed of them ------------------------------------------------------------------------------------------


@addressed("chat_id")
def edit_chat_title(ep: Episode, *, chat_id: Id, title: str, clean: Clean = clean_name) -> Result:
    """Give a group, supergroup or channel another title."""
    peer = require_editable(ep, chat_id, "edit title")
    kept = _require_title(title)
    if kept == peer.row["title"]:
        raise Refused("CHAT_NOT_MODIFIED")
    ep.db.update("chats", {"chat_id": peer.id}, title=kept)
    announce(ep, peer, "title", was=peer.row["title"], now=kept)
    return f"Chat {chat_id} title updated to '{clean(title)}'."


@addressed("chat_id")
def edit_chat_photo(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Give a group, supergroup or channel a photo."""
    file = require_file(ep, file_path, "edit_chat_photo")
    peer = require_editable(ep, chat_id, "edit photo")
    media.require_picture(file)
    was = photo_id(ep, peer.marked)
    announce(ep, peer, "photo", was=was, now=media.add_photo(ep, peer.marked))
    return f"Chat {chat_id} photo updated from {file['path']}."


@addressed("chat_id")
def delete_chat_photo(ep: Episode, *, chat_id: Id) -> Result:
    """Take the photo of a group, supergroup or channel away."""
    peer = require_editable(ep, chat_id, "delete photo")
    was = photo_id(ep, peer.marked)
    if was is None:
        raise Refused("CHAT_NOT_MODIFIED")
    ep.db.update("photos", {"peer_id": peer.marked}, is_deleted=1)
    announce(ep, peer, "photo", was=was, now=None)
    return f"Chat {chat_id} photo deleted."


def require_editable(ep: Episode, chat_id: Id, action: str) -> Peer:
    """Return a group, supergroup or channel whose title and photo the account may change."""
    peer = require(ep, chat_id)
    if peer.is_user:
        raise ToolMessage(f"Cannot {action} for this entity type (<class 'telethon.tl.types.User'>).")
    # A plain group goes by its bare number alone: the server passes on what came.
    if peer.kind == "group" and chat_id != peer.id:
        raise Refused("CHAT_ID_INVALID")
    require_right(ep, peer, "change_info")
    return peer


def announce(ep: Episode, peer: Peer, what: str, *, was: object, now: object) -> None:
    """Post that a chat's title or photo is another; administrators of supergroups and channels see what it was."""
    messages.post_message(ep, peer, None, action=what)
    if peer.is_channel:
        admin_log.record(ep, peer, what, was=was, now=now)


def set_dialog(ep: Episode, chat_id: Id, **columns: int | None) -> None:
    """Set what the account keeps of a chat of its own."""
    peer = require(ep, chat_id)
    chat = messages.open_chat(ep, peer) if peer.is_user else find_chat_id(ep, peer)
    if not peer.is_user and role(ep, peer.id) not in INSIDE:
        raise Refused("PEER_ID_INVALID")
    key = {"user_id": me(ep), "chat_id": chat}
    if not ep.db.update("dialogs", key, **columns):
        own_row(ep)
        ep.db.insert("dialogs", **key, **columns)


@addressed("chat_id")
def mute_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Switch notifications off."""
    set_dialog(ep, chat_id, is_muted=1)
    return f"Chat {chat_id} muted."


@addressed("chat_id")
def unmute_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Switch notifications on."""
    set_dialog(ep, chat_id, is_muted=0)
    return f"Chat {chat_id} unmuted."


@addressed("chat_id")
def mark_as_read(ep: Episode, *, chat_id: Id) -> Result:
    """Mark everything in a chat as read."""
    chat = require_readable(ep, require(ep, chat_id))
    newest = ep.db.scalar("SELECT coalesce(max(message_id), 0) FROM messages WHERE chat_id = ?", chat)
    if newest:
        set_dialog(ep, chat_id, read_id=newest, is_marked_unread=0)
    return f"Marked all messages as read in chat {chat_id}."


@addressed("chat_id")
def archive_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Keep a chat apart from the list."""
    set_dialog(ep, chat_id, is_archived=1)
    return f"Chat {chat_id} archived."


@addressed("chat_id")
def unarchive_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Put a chat back into the list."""
    set_dialog(ep, chat_id, is_archived=0)
    return f"Chat {chat_id} unarchived."
