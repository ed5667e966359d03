"""Chats and their list, as the server of December 2025 answered."""

from __future__ import annotations

from farm.appkit import Episode, Result

from .. import media, messages, texts
from ..chats import announce, dialogs, require_editable, set_dialog
from ..errors import Failed, Refused, ToolMessage
from ..ids import Id, checked
from ..peers import (
    INSIDE,
    find_chat_id,
    me,
    named,
    require,
    require_contacts,
    role,
)
from ..tl_builders import count_members, photo_id

_PINS_MAX = 5
_TYPES = {"user": "user", "group": "group", "supergroup": "group", "channel": "channel"}


def get_chats(ep: Episode, *, page: int = 1, page_size: int = 20) -> Result:
    """Return one page of the list, cut out as Python cuts: a page below 1 counts from the end."""
    found = dialogs(ep)
    start = (page - 1) * page_size
    if start >= len(found):
        raise ToolMessage("Page out of range.")
    return "\n".join(f"Chat ID: {each.peer.id}, Title: {each.peer.title}" for each in found[start : start + page_size])


def list_chats(ep: Episode, *, chat_type: str | None = None, limit: int = 20) -> Result:
    """Return the first chats of the list, and of these the ones of a type."""
    told = []
    for each in dialogs(ep)[: max(limit, 0)]:
        row, kind = each.peer.row, _TYPES[each.peer.kind]
        if chat_type and kind != chat_type.lower():
            continue
        line = f"Chat ID: {each.peer.id}"
        if each.peer.is_user:
            line += f", Name: {row['first_name']}" + (f" {row['last_name']}" if row["last_name"] else "")
        else:
            line += f", Title: {row['title']}"
        line += f", Type: {kind}"
        if row["username"]:
            line += f", Username: @{row['username']}"
        if each.unread:
            line += f", Unread: {each.unread}"
        else:
            line += ", Unread: marked" if each.is_marked else ", No unread messages"
        told.append(line)
    if not told:
        raise ToolMessage("No chats found matching the criteria.")
    return "\n".join(told)


@checked("chat_id")
def get_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Return what a chat is; what is unread and was last said are always those of the first chat of the list."""
    peer = require(ep, chat_id)
    row = peer.row
    told = [f"ID: {peer.id}"]
    if peer.is_user:
        told += [f"Name: {row['first_name']}" + (f" {row['last_name']}" if row["last_name"] else ""), "Type: User"]
        told += [f"Username: @{row['username']}"] if row["username"] else []
        told += [f"Phone: {row['phone']}"] if row["phone"] else []
        told += [f"Bot: {'Yes' if row['is_bot'] else 'No'}", f"Verified: {'Yes' if row['is_verified'] else 'No'}"]
    else:
        kind = {"group": "Group (Basic)", "supergroup": "Supergroup", "channel": "Channel"}[peer.kind]
        told += [f"Title: {row['title']}", f"Type: {kind}"]
        told += [f"Username: @{row['username']}"] if row["username"] else []
        is_out = peer.kind == "group" and role(ep, peer.id) not in INSIDE
        told.append(f"Participants: {0 if is_out else count_members(ep, peer.id)}")
    # The server asks for one chat from this one on, which Telegram takes for one from the top on.
    for first in dialogs(ep)[:1]:
        told.append(f"Unread Messages: {first.unread}")
        if first.last:
            sender = messages.sender_name(first.last)
            told.append(f"Last Message: From {sender} at {texts.printed(first.last['sent_s'])}")
            told.append(f"Message: {first.last['text'] or '[Media/No text]'}")
    return "\n".join(told)


def get_direct_chat_by_contact(ep: Episode, *, contact_query: str) -> Result:
    """Return the private chats with contacts whose name, username or phone holds some text."""
    found = require_contacts(ep, contact_query)
    listed = {each.peer.id: each for each in dialogs(ep) if each.peer.is_user}
    told = []
    for row in found:
        if each := listed.get(row["user_id"]):
            line = f"Chat ID: {each.peer.id}, Contact: {named(row)}"
            line += f", Username: @{row['username']}" if row["username"] else ""
            told.append(line + (f", Unread: {each.unread}" if each.unread else ""))
    if not told:
        names = ", ".join(named(row) for row in found)
        raise ToolMessage(f"Found contacts: {names}, but no direct chats were found with them.")
    return "\n".join(told)


@checked("contact_id")
def get_contact_chats(ep: Episode, *, contact_id: Id) -> Result:
    """Return the private chat with somebody, by their number only; groups the server never gets at."""
    peer = require(ep, contact_id)
    if not peer.is_user:
        raise ToolMessage(f"ID {contact_id} is not a user/contact.")
    told = [f"Chats with {named(peer.row)} (ID: {contact_id}):"]
    for each in dialogs(ep):
        if each.peer.is_user and each.peer.id == contact_id:
            unread = f", Unread: {each.unread}" if each.unread else ""
            told.append(f"Direct Chat ID: {each.peer.id}, Type: Private{unread}")
    return "\n".join([*told, "Could not retrieve common groups."])


def list_topics(
    ep: Episode, *, chat_id: int, limit: int = 200, offset_topic: int = 0, search_query: str | None = None
) -> Result:
    """Refuse, whatever is asked: the request that the server makes of a forum is not in its Telethon."""
    peer = require(ep, chat_id)
    if peer.kind != "supergroup":
        raise ToolMessage("The specified chat is not a supergroup.")
    if not peer.row["is_forum"]:
        raise ToolMessage("The specified supergroup does not have forum topics enabled.")
    raise Failed


@checked("chat_id")
def edit_chat_photo(ep: Episode, *, chat_id: Id, file_path: str) -> Result:
    """Give a group, supergroup or channel a photo."""
    file = media.find_file(ep, file_path)
    if file is None:
        raise ToolMessage(f"Photo file not found: {file_path}")
    if not file["is_readable"]:
        raise ToolMessage(f"Photo file not readable: {file_path}")
    peer = require_editable(ep, chat_id, "edit photo")
    media.require_picture(file)
    was = photo_id(ep, peer.marked)
    now = media.add_photo(ep, peer.marked)
    announce(ep, peer, "photo", was=was, now=now)
    return f"Chat {chat_id} photo updated."


@checked("chat_id")
def archive_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Pin a chat to the top of the list: that is what the server asks Telegram for, and it says that it archives."""
    chat = find_chat_id(ep, require(ep, chat_id))
    if chat is None:
        raise Refused("PEER_HISTORY_EMPTY")
    pins = ep.db.all(
        "SELECT d.chat_id FROM dialogs d JOIN members p USING (chat_id, user_id) JOIN chats c USING (chat_id) "
        "WHERE d.user_id = ? AND d.pin IS NOT NULL "
        "AND (p.role IN ('creator', 'admin', 'member') OR p.role = 'left' AND c.kind = 'group')",
        me(ep),
    )
    if chat not in {row["chat_id"] for row in pins}:
        if len(pins) >= _PINS_MAX:
            raise Refused("PINNED_DIALOGS_TOO_MUCH")
        set_dialog(ep, chat_id, pin=ep.next_number("dialogs", "pin", user_id=me(ep)))
    return f"Chat {chat_id} archived."


@checked("chat_id")
def unarchive_chat(ep: Episode, *, chat_id: Id) -> Result:
    """Take a chat's pin off."""
    set_dialog(ep, chat_id, pin=None)
    return f"Chat {chat_id} unarchived."
