"""Drafts: what stands unsent in the input fields of chats."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result

from . import texts
from .ids import Id, addressed
from .messages import require_number
from .peers import me, own_row, require, require_readable
from .sanitize import Clean, clean_text


@addressed("chat_id")
def save_draft(
    ep: Episode, *, chat_id: Id, message: str, reply_to_msg_id: int | None = None, no_webpage: bool = False
) -> Result:
    """Save a draft in place of the one there; an empty one that answers nothing clears it."""
    _save(ep, chat_id, message, reply_to_msg_id or None, no_webpage)
    return f"Draft saved to chat {chat_id}. Open the chat in Telegram to see and send it."


@addressed("chat_id")
def clear_draft(ep: Episode, *, chat_id: Id) -> Result:
    """Clear a chat's draft, if there is one."""
    _save(ep, chat_id, "", None, no_webpage=False)
    return f"Draft cleared from chat {chat_id}."


def _save(ep: Episode, chat_id: Id, text: str, reply_to: int | None, no_webpage: bool) -> None:
    texts.require_printable(text)
    peer = require(ep, chat_id)
    require_readable(ep, peer)
    own_row(ep)
    ep.db.delete("drafts", user_id=me(ep), peer_id=peer.marked)
    if text or reply_to:
        row = {"text": text, "reply_to": reply_to and require_number(reply_to), "no_webpage": int(no_webpage)}
        ep.db.insert("drafts", user_id=me(ep), peer_id=peer.marked, **row, saved_s=ep.now_ms // 1000)


@addressed()
def get_drafts(ep: Episode, *, clean: Clean = clean_text) -> Result:
    """Return every draft as JSON, the newest first, with the marked ids of their chats."""
    own_row(ep)
    found = ep.db.all("SELECT * FROM drafts WHERE user_id = ? ORDER BY saved_s DESC, peer_id", me(ep))
    if not found:
        return "No drafts found."
    told = [
        {
            "peer_id": row["peer_id"],
            "message": clean(row["text"]),
            "date": texts.iso(row["saved_s"]),
            "no_webpage": bool(row["no_webpage"]),
            "reply_to_msg_id": row["reply_to"],
        }
        for row in found
    ]
    return json.dumps({"drafts": told, "count": len(told)}, indent=2)
