"""Conversations: what the server remembers by itself; the API knows nothing of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from farm.appkit import Answer, Episode, Result, compact_json, parse_json
from farm.appkit.formats.javascript import js_well_formed

_MESSAGES_MAX = 200


def reset_conversation(ep: Episode, *, conversation_id: str) -> Result:
    """Forget a conversation; one that there is not is told, and no refusal."""
    is_gone = forget(ep, conversation_id)
    what = "was removed" if is_gone else "did not exist"
    told = {"conversation_id": conversation_id, "removed": is_gone}
    return Answer(f'Conversation "{conversation_id}" {what}.', structured=told)


def list_conversations(ep: Episode) -> Result:
    """Return the ids of all conversations, in JavaScript's order of texts.

    Reads all conversations: the tool has no pages.
    """
    ids = conversation_ids(ep)
    told = {"conversation_ids": ids, "count": len(ids)}
    return Answer("\n".join(ids) or "(no stored conversations)", structured=told)


def conversation_ids(ep: Episode) -> list[str]:
    """Return the ids of all conversations, in JavaScript's order of texts.

    Reads all conversations: nothing that shows them has pages.
    """
    rows = ep.db.all("SELECT conversation_id FROM conversations ORDER BY conversation_id")
    return sorted((row["conversation_id"] for row in rows), key=lambda each: each.encode("utf-16-be"))


def remembered(ep: Episode, conversation_id: str) -> list[dict[str, Any]]:
    """Return what was said so far."""
    sql = "SELECT message FROM messages WHERE conversation_id = ? ORDER BY position"
    return [parse_json(row["message"]) for row in ep.db.all(sql, js_well_formed(conversation_id))]


def remember(ep: Episode, conversation_id: str, new: Iterable[Mapping[str, Any]]) -> None:
    """Keep what was said, the last two hundred of it."""
    key = js_well_formed(conversation_id)
    if ep.db.one("SELECT 1 AS there FROM conversations WHERE conversation_id = ?", key) is None:
        ep.db.insert("conversations", conversation_id=key)
    for message in new:
        position = ep.next_number("messages", "position", conversation_id=key)
        ep.db.insert("messages", conversation_id=key, position=position, message=js_well_formed(compact_json(message)))
    last = ep.next_number("messages", "position", conversation_id=key) - 1
    sql = "DELETE FROM messages WHERE conversation_id = ? AND position <= ?"
    ep.db.execute(sql, key, last - _MESSAGES_MAX)


def forget(ep: Episode, conversation_id: str) -> bool:
    """Forget a conversation and return whether there was one."""
    ep.db.delete("messages", conversation_id=js_well_formed(conversation_id))
    return ep.db.delete("conversations", conversation_id=js_well_formed(conversation_id)) > 0
