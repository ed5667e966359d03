"""What Telegram notifies a person of: messages in their chats that they have neither muted nor archived."""

from __future__ import annotations

from farm.appkit import Episode, Row
from farm.appkit.notices import Notices, lock_screen

from . import peers

_QUIET = "SELECT 1 FROM dialogs WHERE user_id = ? AND chat_id = ? AND (is_muted OR is_archived)"
_MEMBER = "SELECT 1 FROM members WHERE user_id = ? AND chat_id = ? AND role <> 'left'"


def notice_of_message(ep: Episode, row: Row) -> str | None:
    """Return the notice of a message in one of the person's chats, or None."""
    me, chat_id = int(ep.me), row["chat_id"]
    chat = ep.db.one("SELECT kind, title, low_id, high_id FROM chats WHERE chat_id = ?", chat_id)
    if chat is None or row.get("sender_id") == me or ep.db.scalar(_QUIET, me, chat_id):
        return None
    is_private = me in (chat["low_id"], chat["high_id"])
    if not (is_private or ep.db.scalar(_MEMBER, me, chat_id)):
        return None
    sender = peers.find_user(ep, row["sender_id"]) if row.get("sender_id") else None
    who = peers.full_name(sender) if sender else str(chat["title"])
    text = row.get("text") or ("[Media]" if row.get("media_id") else "")
    return lock_screen(who, text, "" if is_private or sender is None else chat["title"])


NOTICES: Notices = {"messages": notice_of_message}
