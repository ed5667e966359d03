"""Listening for what comes in: waiting for new messages of people, and a feed of them in a file.

Simulated time stands still during a call, so waiting ends at once: with what is there already, or as if the time had
passed that it may take.
"""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row

from . import alias_store
from .errors import ToolMessage
from .ids import Id, require_account
from .peers import find_user, full_name, me, require_named
from .sanitize import clean_name

_SETTLE_MS = 6000
# Where the server's image keeps its state; nothing of it can be read by a tool.
_FEED_FILE = "/home/appuser/.local/state/telegram-mcp/incoming_feed.jsonl"


def _listener(ep: Episode) -> Row:
    stored = ep.db.one("SELECT * FROM listeners WHERE owner_id = ?", me(ep))
    return stored or {"started_s": None, "is_feed_on": 0, "settle_ms": _SETTLE_MS}


def _pending(ep: Episode, target: int | None) -> list[dict[str, Any]]:
    """Return what came in since the server started and was not told of, a private chat each, the first to begin first.

    What a feed has written is told of. Messages of bots and of the account itself do not count.

    Reads all messages: those of private chats since the server started.
    """
    listener = _listener(ep)
    if listener["started_s"] is None:
        return []
    found = ep.db.all(
        "SELECT m.chat_id, m.sender_id, count(*) AS count, min(m.message_id) AS first_id, "
        "max(m.message_id) AS last_id, min(m.sent_s) AS first_s, max(m.sent_s) AS last_s "
        "FROM messages m JOIN chats c USING (chat_id) JOIN users u ON u.user_id = m.sender_id "
        "LEFT JOIN bursts b ON b.owner_id = :me AND b.chat_id = m.chat_id "
        "WHERE c.kind = 'private' AND :me IN (c.low_id, c.high_id) AND m.sender_id != :me AND u.is_bot = 0 "
        "AND m.is_deleted = 0 AND m.sent_s > :since AND m.message_id > coalesce(b.message_id, 0) "
        "GROUP BY m.chat_id ORDER BY first_s, first_id",
        me=me(ep),
        since=listener["started_s"],
    )
    on_s = listener["settle_ms"] / 1000 if listener["is_feed_on"] else None
    now_s = ep.now_ms / 1000
    return [
        {**row, "quiet_s": now_s - row["last_s"]}
        for row in found
        if (target is None or row["sender_id"] == target) and (on_s is None or now_s - row["last_s"] < on_s)
    ]


def _target(ep: Episode, chat_id: Id | None, account: str | None) -> int | None:
    """Return the marked id of the chat to wait for; a number is taken as it is, whatever it stands for."""
    if chat_id is None or chat_id == "":
        return None
    if isinstance(chat_id, int):
        return chat_id
    found = alias_store.resolve(ep, chat_id)
    if found is not None:
        return int(found)
    require_account(account)
    return require_named(ep, chat_id).marked


def _timeout(target: int | None) -> str:
    return json.dumps({"event": False, "reason": "timeout", "waiting_for": target}, ensure_ascii=False)


def _sender(ep: Episode, row: Row) -> dict[str, Any]:
    user = find_user(ep, row["sender_id"]) or {}
    name = full_name(user) if user else ""
    return {"name": clean_name(name or str(row["sender_id"])), "username": user.get("username")}


def wait_for_new_message(
    ep: Episode, *, timeout: float = 50.0, chat_id: Id | None = None, account: str | None = None
) -> Result:
    """Return the private chats in which something came in that was not told of yet."""
    target = _target(ep, chat_id, account)
    found = _pending(ep, target)
    if not found:
        return _timeout(target)
    told = [
        {"chat_id": row["sender_id"], **_sender(ep, row), "count": row["count"], "last_message_id": row["last_id"]}
        for row in found
    ]
    return json.dumps({"event": True, "pending_chats": told}, ensure_ascii=False)


def wait_for_settled_message(
    ep: Episode,
    *,
    settle_ms: int = _SETTLE_MS,
    max_wait_ms: int = 50_000,
    chat_id: Id | None = None,
    account: str | None = None,
) -> Result:
    """Return the first private chat that has been quiet for a while after something came in; it is told of once."""
    target = _target(ep, chat_id, account)
    found = _pending(ep, target)
    settled = [row for row in found if row["quiet_s"] * 1000 >= settle_ms]
    # One that would be quiet long enough in time is waited for.
    settled += sorted(
        (row for row in found if 0 < settle_ms - row["quiet_s"] * 1000 < max_wait_ms), key=lambda row: -row["quiet_s"]
    )
    if not settled:
        return _timeout(target)
    row = settled[0]
    _tell(ep, row)
    told = {
        "event": True,
        "chat_id": row["sender_id"],
        **_sender(ep, row),
        "message_count": row["count"],
        "first_message_id": row["first_id"],
        "last_message_id": row["last_id"],
        "burst_seconds": float(row["last_s"] - row["first_s"]),
    }
    return json.dumps(told, ensure_ascii=False)


def _tell(ep: Episode, row: Row) -> None:
    if not ep.db.update("bursts", {"owner_id": me(ep), "chat_id": row["chat_id"]}, message_id=row["last_id"]):
        ep.db.insert("bursts", owner_id=me(ep), chat_id=row["chat_id"], message_id=row["last_id"])


def enable_incoming_feed(ep: Episode, *, settle_ms: int = _SETTLE_MS) -> Result:
    """Have what comes in written to a file, which then counts as told of."""
    if not _listener(ep)["is_feed_on"]:
        _keep(ep, is_feed_on=1, settle_ms=settle_ms)
    else:
        _settle(ep)
        _keep(ep, settle_ms=settle_ms)
    return _state(ep)


def disable_incoming_feed(ep: Episode) -> Result:
    """Stop writing to the file."""
    if not _listener(ep)["is_feed_on"]:
        raise ToolMessage("Incoming feed is not enabled.")
    _settle(ep)
    _keep(ep, is_feed_on=0)
    return "Incoming feed disabled."


def incoming_feed_status(ep: Episode) -> Result:
    """Return whether what comes in is written to a file, and to which."""
    return _state(ep)


def _settle(ep: Episode) -> None:
    """Keep in mind what the feed has written."""
    listener = _listener(ep)
    if listener["is_feed_on"]:
        on = {row["chat_id"] for row in _pending(ep, None)}
        _keep(ep, is_feed_on=0)
        for row in _pending(ep, None):
            if row["chat_id"] not in on:
                _tell(ep, row)
        _keep(ep, is_feed_on=1)


def _keep(ep: Episode, **columns: int) -> None:
    if me(ep) and not ep.db.update("listeners", {"owner_id": me(ep)}, **columns):
        ep.db.insert("listeners", owner_id=me(ep), **columns)


def _state(ep: Episode) -> str:
    listener = _listener(ep)
    watch = f"tail -n 0 -F {_FEED_FILE}"
    told = {
        "enabled": bool(listener["is_feed_on"]),
        "feed_file": _FEED_FILE,
        "settle_ms": listener["settle_ms"],
        "watch_command": watch,
        "watch_command_for_one_chat": f"{watch} | grep --line-buffered '\"chat_id\": <ID>'",
        "autostart_pending": False,
    }
    return json.dumps(told, ensure_ascii=False)
