"""Rednote: notes for oneself or for friends, and what one was told."""

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode
from kernels.rednote import tokens
from tests.contract.private_rows.rules import Rule

FRIENDS = """
SELECT r.user_id UNION SELECT f.user_id FROM follows f JOIN follows b ON b.user_id = f.target_id
AND b.target_id = f.user_id WHERE f.target_id = r.user_id
"""

OF_PRIVATE_NOTE = "EXISTS (SELECT 1 FROM notes n WHERE n.note_id = r.note_id AND n.visibility = '仅自己可见')"
NOTE_OWNER = "SELECT n.user_id FROM notes n WHERE n.note_id = r.note_id UNION SELECT r.user_id"

RULES = (
    Rule("notes", "title", "SELECT r.user_id", "r.visibility = '仅自己可见'"),
    Rule("notes", "body", "SELECT r.user_id", "r.visibility = '仅自己可见'"),
    Rule("notes", "title", FRIENDS, "r.visibility = '仅互关好友可见'"),
    Rule("comments", "content", NOTE_OWNER, OF_PRIVATE_NOTE),
    Rule("notifications", "title", "SELECT r.user_id"),
    Rule("media", "caption", "SELECT r.user_id"),
)


def known_of(ep: Episode, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the token that opens a note for the caller: they have it from when the note was still public."""
    note_id = row.get("note_id")
    return {"feed_id": note_id, "xsec_token": tokens.note_token(ep.seed, ep.me, note_id)} if note_id else {}
